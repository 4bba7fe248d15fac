use crate::place::{AnnotationPlace, Look, Looks};
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Span;

rule! {
    /// # A description that ytt ignores
    ///
    /// ## What
    /// `#@schema/doc` is the name in ytt's design documents; the released name is `#@schema/desc`.
    ///
    /// ## Why
    /// The text is shown by this server, but ytt leaves it out of the exported schema.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/doc "The port to listen on"
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Write `#@schema/desc`.
    pub static RULE: Rule = Rule {
        code: "ytt/doc-ignored",
        stage: Stage::Lint,
        severity: Severity::Hint,
        // In a document of a proposal, the name is right.
        cause: Cause::DocumentHead,
    };
}

pub(crate) static LOOKS: Looks = Looks::in_templates(&[Look::Annotation(look)]);

fn look(place: &AnnotationPlace<'_>, found: &mut Vec<Diagnostic>) {
    if place.note.name == "schema/doc" && !place.in_proposal {
        found.push(finding(place.note.name_span));
    }
}

pub(crate) fn finding(name: Span) -> Diagnostic {
    Diagnostic::new(&RULE, name, "ytt ignores `@schema/doc`; its own name is `@schema/desc`")
        .fix(Fix::replace("Rename to `@schema/desc`", name, "schema/desc").sure())
}
