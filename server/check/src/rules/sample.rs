use crate::place::{EntryPlace, Look, Looks};
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Key;

rule! {
    /// # A key that was never named
    ///
    /// ## What
    /// The key of an entry is `changeme`.
    ///
    /// ## Why
    /// Nothing reads a key of this name.
    ///
    /// ## Example
    /// ```yaml
    /// #@ x = 1
    /// changeme: #@ x
    /// ```
    ///
    /// ## How to fix
    /// Give the key a name.
    pub static RULE: Rule = Rule {
        code: "ytt/sample",
        stage: Stage::Lint,
        severity: Severity::Hint,
    };
}

pub(crate) static LOOKS: Looks = Looks::in_templates(&[Look::Entry(look)]);

fn look(place: &EntryPlace<'_>, found: &mut Vec<Diagnostic>) {
    if *place.key == Key::String("changeme".into()) {
        let finding = Diagnostic::new(&RULE, place.span, "this key was never named");
        found.push(finding.fix(Fix::replace("Name it `name`", place.span, "name").possible()));
    }
}
