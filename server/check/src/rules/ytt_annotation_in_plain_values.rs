use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::{FileId, Span};
use lofting_syntax::Tree;

rule! {
    /// # An annotation in a plain values file
    ///
    /// ## What
    /// A file given with `--data-values-file` has a comment that begins with `#@`.
    ///
    /// ## Why
    /// Such files are plain YAML. ytt refuses the whole file: an annotation in it would have no effect.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values
    /// ---
    /// port: 80
    /// ```
    /// given as `--data-values-file values.yml`.
    ///
    /// ## How to fix
    /// Remove the comments that begin with `#@`, or give the file with `-f` if it is a
    /// `#@data/values` document.
    pub static RULE: Rule = Rule {
        code: "ytt/annotation-in-plain-values",
        stage: Stage::Template,
        severity: Severity::Error,
    };
}

/// A `#@` comment in a file that is passed as plain values.
/// Looks at a file that is given as plain values.
pub fn look(file: FileId, tree: &Tree) -> Option<Diagnostic> {
    let first = tree.comments().find(|comment| comment.text().starts_with("#@"))?;
    let span = Span::new(file, first.range());
    let finding = Diagnostic::new(&RULE, span, "plain values files cannot have `#@` comments");
    Some(finding.help("remove the comment, or give the file with `-f` if it is a `#@data/values` document"))
}
