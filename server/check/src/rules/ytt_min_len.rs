use super::bounds;
use crate::at::At;
use crate::view::{Kind, View};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A value is shorter than its schema allows
    ///
    /// ## What
    /// A string, map or array is shorter than `min_len=` in `#@schema/validation` allows. Strings are measured in
    /// bytes, not in characters.
    ///
    /// ## Why
    /// ytt refuses the final values. `min_len=1` with an empty default is the usual way to say that a value must be
    /// given.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// #@schema/validation min_len=1
    /// host: ""
    /// #! values
    /// host: ""
    /// ```
    ///
    /// ## How to fix
    /// Give a longer value.
    pub static RULE: Rule = Rule {
        code: "ytt/min-len",
        stage: Stage::Validation,
        severity: Severity::Error,
        shared: true,
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
        .found(bounds::length_found(kind, length), format!("length >= {least}"));
    bounds::with_bytes(finding, at, value)
}
