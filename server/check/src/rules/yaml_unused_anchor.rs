use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Fix, Tag, rule};
use lofting_document::{FileId, Span};
use lofting_syntax::Tree;
use std::ops::Range;

rule! {
    /// # An anchor that nothing refers to
    ///
    /// ## What
    /// A value has a name (`&name`), and no alias (`*name`) in its document repeats it. Anchors of other documents are not
    /// visible.
    ///
    /// ## Why
    /// The alias may be misspelt, or the anchor may be left over.
    ///
    /// ## Example
    /// ```yaml
    /// first: &limits {cpu: 1}
    /// second: {cpu: 1}
    /// ```
    ///
    /// ## How to fix
    /// Remove the anchor, or use it: `second: *limits`.
    pub static RULE: Rule = Rule {
        code: "yaml/unused-anchor",
        stage: Stage::Lint,
        severity: Severity::Hint,
        cause: Cause::AnyLine,
    };
}

/// How many are reported in a file.
const MOST: usize = 100;

/// The unused anchors of a file.
pub(crate) fn findings(file: FileId, tree: &Tree) -> impl Iterator<Item = Diagnostic> {
    let anchors = tree.unused_anchors(MOST).into_iter();
    anchors.filter_map(move |at| {
        let anchor = tree.token_at(at)?.range();
        let message = format!("nothing refers to the anchor `{}`", tree.text(anchor.clone()));
        let fix = Fix::replace("Remove the anchor", Span::new(file, with_blanks(tree, &anchor)), "");
        Some(Diagnostic::new(&RULE, Span::new(file, anchor), message).tag(Tag::Unnecessary).fix(fix))
    })
}

/// The anchor with the blanks after it; with those before it at the end of a line.
fn with_blanks(tree: &Tree, anchor: &Range<usize>) -> Range<usize> {
    let line = tree.line_start(anchor.start);
    let before = tree.text(line..anchor.start);
    let after = tree.text(anchor.end..tree.len().min(anchor.end + BLANKS));
    let blanks = after.len() - after.trim_start_matches(' ').len();
    if after.trim_start_matches(' ').starts_with(['\n', '\r']) || anchor.end + blanks == tree.len() {
        line + before.trim_end_matches(' ').len()..anchor.end
    } else {
        anchor.start..anchor.end + blanks
    }
}

/// So many blanks are looked at.
const BLANKS: usize = 64;
