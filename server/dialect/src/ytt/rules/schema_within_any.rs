use crate::ytt::Problem;
use lofting_diagnostic::{Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::Span;
use smol_str::SmolStr;

rule! {
    /// # Type annotations below a value of any type
    ///
    /// ## What
    /// `#@schema/type any=True` allows everything below, so `type`, `nullable` and `default` have no
    /// meaning there.
    ///
    /// ## Why
    /// ytt refuses the schema. Validations below are silently dropped.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// #@schema/type any=True
    /// labels:
    ///   #@schema/nullable
    ///   app: ""
    /// ```
    ///
    /// ## How to fix
    /// Remove the annotations below, or the one above.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-within-any",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(super) fn finding(problem: &Problem, annotations: &[(SmolStr, Span)], any: Span) -> Diagnostic {
    let names: Vec<String> = annotations.iter().map(|(name, _)| format!("@{name}")).collect();
    let names = names.join(", ");
    let remove = annotations.iter().map(|(_, span)| (*span, String::new())).collect();
    Diagnostic::new(&RULE, problem.node.name, format!("{names} has no meaning below a value of any type"))
        .fix(Fix::new(format!("Remove {names}"), remove))
        .found(
            format!("{names} annotation(s)"),
            "no '@schema/...' on nodes within a node annotated '@schema/type any=True'",
        )
        .related(any, "any type is allowed here and below")
}
