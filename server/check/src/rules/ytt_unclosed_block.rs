use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Certainty, rule};
use lofting_document::{Issue, Span};

rule! {
    /// # A block of code that is not closed
    ///
    /// ## What
    /// `#@ if`, `#@ for` and `#@ def` open a block that must be closed with `#@ end`. Indentation has no meaning to
    /// ytt.
    ///
    /// ## Why
    /// ytt cannot compile the file.
    ///
    /// ## Example
    /// ```yaml
    /// #@ if True:
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Write `#@ end` after the last node of the block, or use the form `#@ if/end` for one node.
    pub static RULE: Rule = Rule {
        code: "ytt/unclosed-block",
        stage: Stage::Template,
        severity: Severity::Error,
        certainty: Certainty::NeedsTextBehind,
        cause: Cause::EndOfBlock,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::UnclosedBlock { span } = place.issue {
        found.push(finding(*span));
    }
}

fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "this block is not closed").help("write `#@ end` after its last line")
}
