use super::openchoreo_default_violates_schema::{OBJECT, check_defaults};
use crate::place::{Look, Looks, WholeSchema};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};

rule! {
    /// # An object's default that does not fit its fields
    ///
    /// ## What
    /// `$default` does not fit the fields next to it. Nothing is filled in first: it must have every field without a
    /// default, even one whose own fields all have defaults.
    ///
    /// ## Why
    /// The platform refuses the document.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: stored}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       database:
    ///         $default: {}
    ///         host: string
    /// ```
    ///
    /// ## How to fix
    /// Add what is missing, or give that field a default.
    pub static RULE: Rule = Rule {
        code: "openchoreo/object-default-violates-schema",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::RelatedPlace,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Schema(look)]);

fn look(whole: &WholeSchema<'_>, found: &mut Vec<Diagnostic>) {
    check_defaults(&RULE, whole, |key| key == OBJECT, found);
}
