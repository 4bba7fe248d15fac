use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::{Issue, Span};

rule! {
    /// # A colon without a key before it
    ///
    /// ## What
    /// `: value`, with nothing before the colon.
    ///
    /// ## Why
    /// YAML takes the missing key for null. ytt cannot read the file and fails with "did not find expected key".
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values
    /// ---
    /// port: 80
    /// : web
    /// ```
    ///
    /// ## How to fix
    /// Write the key, or `null` if that is the key.
    pub static RULE: Rule = Rule {
        code: "ytt/no-key",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::NoKey { span } = place.issue {
        found.push(finding(*span));
    }
}

fn finding(colon: Span) -> Diagnostic {
    let help = Some("write the key before the colon".to_owned());
    Diagnostic { help, ..Diagnostic::new(&RULE, colon, "there is no key before this colon, which ytt cannot read") }
}
