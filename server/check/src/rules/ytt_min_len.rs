use super::bounds;
use crate::at::At;
use crate::view::{Kind, View};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};

rule! {
    /// # A value is shorter than its schema allows
    ///
    /// ## What
    /// A string, map or array is shorter than its schema allows.
    ///
    /// ## Why in ytt
    /// `min_len=` in `#@schema/validation` is the limit, and ytt refuses the final values. It measures strings in bytes, not in
    /// characters. `min_len=1` with an empty default is the usual way to say that a value must be given.
    ///
    /// ## Why in JSON Schema
    /// `minLength`, `minItems` or `minProperties` is the limit. Strings are measured in characters.
    ///
    /// ## Example in ytt
    /// ```yaml
    /// #! schema
    /// #@schema/validation min_len=1
    /// host: ""
    /// #! values
    /// host: ""
    /// ```
    ///
    /// ## Example in JSON Schema
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   hosts: {type: array, minItems: 1}
    /// # values
    /// hosts: []
    /// ```
    ///
    /// ## How to fix
    /// Give a longer value.
    pub static RULE: Rule = Rule {
        code: "ytt/min-len",
        stage: Stage::Validation,
        severity: Severity::Error,
        shared: true,
        cause: Cause::Inside,
    };
}

pub(crate) fn finding<V: View>(at: &At<'_>, value: V, least: i128, length: Option<u64>) -> Diagnostic {
    let kind = value.kind();
    let message = match length {
        Some(0) if least == 1 => match kind {
            Kind::String => format!("{} should not be an empty string", at.subject()),
            _ => format!("{} should not be empty", at.subject()),
        },
        Some(length) => {
            let unit = bounds::unit(at, kind, least);
            format!("{} should have at least {least} {unit}, but has {length}", at.subject())
        }
        None => bounds::no_length(at, value),
    };
    let finding = Diagnostic::new(&RULE, at.merged_span(value), message)
        .found(bounds::length_found(at, kind, length), bounds::length_expected(at, kind, "at least", ">=", least));
    bounds::with_bytes(finding, at, value)
}
