use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_dialect::ytt::Problem;

rule! {
    /// # Arguments of @schema/nullable
    ///
    /// ## What
    /// `#@schema/nullable` takes no arguments.
    ///
    /// ## Why
    /// ytt refuses the schema.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// #@schema/nullable any=True
    /// host: ""
    /// ```
    ///
    /// ## How to mend
    /// Remove the argument.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-nullable-arguments",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::RelatedPlace,
    };
}

pub(crate) fn finding(problem: &Problem, name: &str) -> Diagnostic {
    Diagnostic::new(&RULE, problem.node.name, format!("`@schema/nullable` takes no arguments, but has `{name}=`"))
        .found("keyword argument in @schema/nullable", "no arguments")
        .related(problem.span, "the argument")
}
