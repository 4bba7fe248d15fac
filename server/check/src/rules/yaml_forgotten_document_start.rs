use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Fix, rule};
use lofting_document::Span;

rule! {
    /// # A document begins without `---`
    ///
    /// ## What
    /// After the keys of a document, the same keys are given once more: two documents, such as two resources of Kubernetes,
    /// are in one text without `---` between them.
    ///
    /// ## Why
    /// It is one document, of which only the later keys count: what the first ones say is lost. Some YAML readers refuse
    /// the file.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Namespace
    /// metadata:
    ///   name: web
    /// apiVersion: v1
    /// kind: ServiceAccount
    /// metadata:
    ///   name: web
    /// ```
    ///
    /// ## How to fix
    /// Write a line `---` between the documents.
    pub static RULE: Rule = Rule {
        code: "yaml/forgotten-document-start",
        stage: Stage::Lint,
        severity: Severity::Warning,
        cause: Cause::DocumentStart,
    };
}

/// What begins without `---`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begun {
    /// A resource.
    Resource,
    /// A document with the keys of the one above.
    Document,
}

/// A key that begins another document. `marker` is where `---` belongs, `line` that line, and `instead` the finding that
/// the key is repeated.
pub fn finding(begun: Begun, marker: Span, line: &str, instead: &Diagnostic) -> Diagnostic {
    let what = match begun {
        Begun::Resource => "resource",
        Begun::Document => "document",
    };
    let message = format!("a new {what} begins here without `---` before it");
    let mut finding = Diagnostic::new(&RULE, instead.span, message).help("write `---` above it");
    // What reads the file refuses it, or takes the last keys, as it does with any key that is repeated.
    (finding.severity, finding.stage) = (instead.severity, instead.stage);
    if let Some(first) = instead.related.first() {
        finding = finding.related(first.span, "the one above begins here");
    }
    let fix = Fix::replace("Write `---` above", marker, line);
    match begun {
        Begun::Resource => finding.fix(fix),
        // The keys may as well be repeated by mistake.
        Begun::Document => finding.fix(fix.possible()),
    }
}
