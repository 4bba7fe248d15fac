use super::unread;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Fix, rule};
use lofting_document::{FileId, Issue, Span, refused_by_go};
use lofting_syntax::Tree;

rule! {
    /// # YAML that the library of Kubernetes does not read
    ///
    /// ## What
    /// The text is YAML, and `kubectl` and API servers refuse it: their YAML library is older than YAML 1.2.
    ///
    /// ## Why
    /// The file cannot be applied. The library stops at a tab at the beginning of a line, also of one that is blank or has
    /// only a comment; at `\/` and at pairs of `\u` escapes in double quotes; between brackets at unquoted text that begins
    /// with a colon or contains a question mark, at a bracket directly after the colon of an unquoted key, at a key that is
    /// not on the line of its colon, and at tags without a blank after them; at tags with `#`; at names of anchors with
    /// characters other than letters, digits, `-` and `_`; at keys of more than 1024 characters; and at
    /// directives such as `%YAML 1.2`.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata:
    ///   name: paths
    /// data:
    ///   logs: "var\/log"
    /// ```
    ///
    /// ## How to fix
    /// Write it in another way: `/` needs no escape, and text in quotes may contain anything.
    pub static RULE: Rule = Rule {
        code: "kubernetes/refused-yaml",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}

/// Who reads.
const READER: &str = "`kubectl`";

/// What cannot be read in a file of resources. `kubectl` reads each document by itself, and resources are maps, so that
/// neither markers of documents nor byte order marks nor block scalars without a key matter.
pub(crate) fn findings(file: FileId, tree: &Tree) -> impl Iterator<Item = Diagnostic> {
    let found = refused_by_go(file, tree).into_iter().filter_map(|issue| match issue {
        Issue::BlankTab { span } => Some(unread::tab(&RULE, READER, span)),
        Issue::Refused { span, what } => Some(unread::finding(&RULE, READER, span, what)),
        _ => None,
    });
    found.chain(directive(file, tree))
}

/// A directive at the beginning: the documents are separated before they are read, and then it is a document of its own.
fn directive(file: FileId, tree: &Tree) -> Option<Diagnostic> {
    let directive = tree.documents().next()?.directives().next()?.range();
    let span = Span::new(file, directive.clone());
    let rest = tree.text(directive.end..tree.len().min(directive.end + 2));
    let broken = if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with(['\n', '\r'])) };
    let line = Span::new(file, directive.start..directive.end + broken);
    let finding = Diagnostic::new(&RULE, span, "`kubectl` cannot read directives").help("remove it");
    Some(finding.fix(Fix::replace("Remove the directive", line, "").sure()))
}
