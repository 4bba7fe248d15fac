use super::bounds;
use crate::at::At;
use crate::view::View;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A value is longer than its schema allows
    ///
    /// ## What
    /// A string, map or array is longer than `max_len=` in `#@schema/validation` allows. Strings are measured in bytes,
    /// not in characters.
    ///
    /// ## Why
    /// ytt refuses the final values.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// #@schema/validation max_len=8
    /// name: ""
    /// #! values
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
        .found(bounds::length_found(kind, length), format!("length <= {most}"));
    bounds::with_bytes(finding, at, value)
}
