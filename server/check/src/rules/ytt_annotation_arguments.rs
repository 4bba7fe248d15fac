use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::{Issue, Span};

rule! {
    /// # Arguments of an annotation that cannot be read
    ///
    /// ## What
    /// What follows the name of an annotation is the argument list of a call, in Starlark, and must be complete on its
    /// line: `#@schema/title "Port"`, `#@schema/validation min=1, max=9`.
    ///
    /// ## Why
    /// ytt cannot compile the file. `#` begins a Starlark comment, so neither a comment nor a second annotation can
    /// follow the first; ytt then reports the next line.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/title "Port
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Correct the arguments; close quotes and brackets; put each annotation on its own line.
    pub static RULE: Rule = Rule {
        code: "ytt/annotation-arguments",
        stage: Stage::Template,
        severity: Severity::Error,
        cause: Cause::RelatedPlace,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::Arguments { span, message } = place.issue {
        found.push(finding(*span, message));
    }
}

fn finding(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
