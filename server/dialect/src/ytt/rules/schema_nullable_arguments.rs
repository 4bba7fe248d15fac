use crate::ytt::Problem;
use lofting_diagnostic::{Cause, Diagnostic, Fix, Severity, Stage, rule};

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
    /// ## How to fix
    /// Remove the argument.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-nullable-arguments",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::RelatedPlace,
    };
}

pub(super) fn finding(problem: &Problem, name: &str) -> Diagnostic {
    let message = format!("`@schema/nullable` takes no arguments, but has `{name}=`");
    let finding = Diagnostic::new(&RULE, problem.node.name, message)
        .found("keyword argument in @schema/nullable", "no arguments")
        .blames(problem.span, "the argument");
    match problem.annotation {
        Some(annotation) => finding.fix(Fix::replace("Remove the arguments", annotation, "#@schema/nullable")),
        None => finding,
    }
}
