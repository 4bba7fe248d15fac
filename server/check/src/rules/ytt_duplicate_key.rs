use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Allowance, Subject, rule};
use lofting_document::{Issue, Key, Span};

rule! {
    /// # A key is written twice in one map
    ///
    /// ## What
    /// The same key appears twice in a map of a ytt file. Items that come in through a merge key (`<<`)
    /// count as well.
    ///
    /// ## Why
    /// ytt refuses it while it evaluates the file.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values
    /// ---
    /// port: 80
    /// port: 8080
    /// ```
    ///
    /// ## How to fix
    /// Remove one of them, or put `#@yaml/map-key-override` above the later one if it should win.
    pub static RULE: Rule = Rule {
        code: "ytt/duplicate-key",
        stage: Stage::Template,
        severity: Severity::Error,
        allowance: Some(Allowance::ImplicitMapKeyOverrides),
        subject: Subject::Key,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::DuplicateKey { span, first, key } = place.issue {
        found.push(finding(*span, *first, key));
    }
}

pub(crate) fn finding(span: Span, first: Span, key: &Key) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`{key}` is already given in this map"))
        .help("remove one of them, or put `#@yaml/map-key-override` above this one to let it win")
        .related(first, "first given here")
}
