use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Allowance, Subject, rule};
use lofting_document::{Issue, Key, Span};

rule! {
    /// # A key is written twice in one map
    ///
    /// ## What
    /// The same key appears twice in a map of a ytt file. Items that come in through a merge key (`<<`)
    /// count as well. Or a map still has a key twice once everything is merged: in a plain values file or a flag, where
    /// the map is taken as it is written, or because an overlay adds a key that is there.
    ///
    /// ## Why
    /// ytt refuses it while it evaluates the file. What is only merged makes it crash with `Unexpected duplicate key`
    /// when it prints the map or makes data values of it.
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
    /// Remove one of them. In a template, `#@yaml/map-key-override` above the later one lets it win.
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

fn finding(span: Span, first: Span, key: &Key) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`{key}` is already given in this map"))
        .help("remove one of them, or put `#@yaml/map-key-override` above this one to let it win")
        .related(first, "first given here")
}

/// A key that a map still has twice once everything is merged. ytt notices it last, after all types and rules.
pub(crate) fn merged(span: Span, first: Span, key: &Key) -> Diagnostic {
    let finding = |message: String| Diagnostic::new(&RULE, span, message).stage(Stage::Validation);
    if span == first {
        return finding(format!("this gives one map the key `{key}` more than once"))
            .help("match one key, or write the key that is matched");
    }
    if span.file == first.file {
        let message = format!("`{key}` is already given in this map");
        return finding(message).help("remove one of them").related(first, "first given here");
    }
    finding(format!("this gives a map the key `{key}`, which it has already"))
        .help("match the key that is there, or remove it")
        .related(first, "first given here")
}
