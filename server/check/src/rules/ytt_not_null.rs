use crate::at::At;
use crate::view::View;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A value must be given
    ///
    /// ## What
    /// The value is null, and `not_null=True` in `#@schema/validation` forbids that.
    ///
    /// ## Why
    /// ytt refuses the final values. `not_null=True` on a nullable value says that it has no useful default and must be
    /// given.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// #@schema/nullable
    /// #@schema/validation not_null=True
    /// domain: ""
    /// #! values
    /// domain: null
    /// ```
    ///
    /// ## How to fix
    /// Give a value.
    pub static RULE: Rule = Rule {
        code: "ytt/not-null",
        stage: Stage::Validation,
        severity: Severity::Error,
    };
}

pub(crate) fn finding<V: View>(at: &At<'_>, value: V) -> Diagnostic {
    let message = format!("{} has to be given: null is not allowed here", at.subject());
    Diagnostic::new(&RULE, at.value_span(value), message).found("value is null", "not null")
}
