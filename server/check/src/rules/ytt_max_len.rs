use super::bounds;
use crate::at::At;
use crate::view::View;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A value is longer than its schema allows
    ///
    /// ## What
    /// A string, map or array is longer than its schema allows.
    ///
    /// ## Why in ytt
    /// `max_len=` in `#@schema/validation` is the limit, and ytt refuses the final values. It measures strings in bytes, not in
    /// characters.
    ///
    /// ## Why in JSON Schema
    /// `maxLength`, `maxItems` or `maxProperties` is the limit. Strings are measured in characters.
    ///
    /// ## Example in ytt
    /// ```yaml
    /// #! schema
    /// #@schema/validation max_len=8
    /// name: ""
    /// #! values
    /// name: much-too-long
    /// ```
    ///
    /// ## Example in JSON Schema
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   name: {type: string, maxLength: 8}
    /// # values
    /// name: much-too-long
    /// ```
    ///
    /// ## How to fix
    /// Give a shorter value.
    pub static RULE: Rule = Rule {
        code: "ytt/max-len",
        stage: Stage::Validation,
        severity: Severity::Error,
        shared: true,
    };
}

pub(crate) fn finding<V: View>(at: &At<'_>, value: V, most: i128, length: Option<u64>) -> Diagnostic {
    let kind = value.kind();
    let message = match length {
        Some(length) => {
            let unit = bounds::unit(at, kind, most);
            format!("{} should have at most {most} {unit}, but has {length}", at.subject())
        }
        None => bounds::no_length(at, value),
    };
    let finding = Diagnostic::new(&RULE, at.merged_span(value), message)
        .found(bounds::length_found(at, kind, length), bounds::length_expected(at, kind, "at most", "<=", most));
    bounds::with_bytes(finding, at, value)
}
