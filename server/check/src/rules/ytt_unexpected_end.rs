use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Certainty, rule};
use lofting_document::{Issue, Span};

rule! {
    /// # An end without its block
    ///
    /// ## What
    /// `#@ end` closes a block opened by `#@ if`, `#@ for` or `#@ def`, and none is open here.
    ///
    /// ## Why
    /// ytt cannot compile the file.
    ///
    /// ## Example
    /// ```yaml
    /// port: 80
    /// #@ end
    /// ```
    ///
    /// ## How to fix
    /// Remove it, or open the block.
    pub static RULE: Rule = Rule {
        code: "ytt/unexpected-end",
        stage: Stage::Template,
        severity: Severity::Error,
        certainty: Certainty::NeedsTextBefore,
        cause: Cause::BeginningOfBlock,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::UnexpectedEnd { span } = place.issue {
        found.push(finding(*span));
    }
}

fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "no block is open here")
}
