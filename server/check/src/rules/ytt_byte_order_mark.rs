use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::{Issue, Span};

rule! {
    /// # A byte order mark, which ytt does not understand
    ///
    /// ## What
    /// The file begins with a byte order mark, an invisible character that some editors on Windows
    /// write.
    ///
    /// ## Why
    /// ytt takes it as part of the first token: an annotation on the first line is silently lost, and a schema is then
    /// not read as one.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Save the file as UTF-8 without byte order mark.
    pub static RULE: Rule = Rule {
        code: "ytt/byte-order-mark",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::ByteOrderMark { span, comment } = place.issue {
        found.push(finding(*span, *comment));
    }
}

/// `comment` is the annotation that is lost because of it.
fn finding(span: Span, comment: Option<Span>) -> Diagnostic {
    let message = match comment {
        Some(_) => "ytt does not understand this byte order mark, and does not see the annotation after it",
        None => "ytt does not understand this invisible byte order mark",
    };
    Diagnostic::new(&RULE, comment.unwrap_or(span), message)
        .help("save the file as UTF-8 without byte order mark")
        .fix(Fix::replace("Remove the byte order mark", span, "").sure())
}
