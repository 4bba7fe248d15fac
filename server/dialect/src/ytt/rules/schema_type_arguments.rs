use crate::ytt::Problem;
use lofting_diagnostic::{Cause, Diagnostic, Fix, Severity, Stage, rule, words};

rule! {
    /// # Wrong arguments of @schema/type
    ///
    /// ## What
    /// `#@schema/type` takes `any=True` or `any=False` and nothing else. The type itself follows from
    /// the value.
    ///
    /// ## Why
    /// ytt refuses the schema. Lists of types (`"string", "int"`) and `one_of=` were proposed but never built.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// #@schema/type "string"
    /// host: ""
    /// ```
    ///
    /// ## How to fix
    /// Write `#@schema/type any=True`, or remove the annotation and let the value say the type.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-type-arguments",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::RelatedPlace,
    };
}

/// The annotation has no keyword.
pub(super) fn missing(problem: &Problem) -> Diagnostic {
    at_argument(problem, "`@schema/type` needs the argument `any=True` or `any=False`")
        .found("missing keyword argument and value", "valid keyword argument and value")
        .help("the type follows from the value below; `any=True` allows every type")
}

/// The keyword is unknown.
pub(super) fn keyword(problem: &Problem, name: &str) -> Diagnostic {
    at_argument(problem, &format!("`@schema/type` takes no argument `{name}`"))
        .found(name, "any=True or any=False")
        .help("it takes `any=True` or `any=False`; the type follows from the value below")
}

/// The value is not a boolean.
pub(super) fn value(problem: &Problem, found: &str) -> Diagnostic {
    at_argument(problem, &format!("`any=` takes `True` or `False`, but is {}", words::with_article(found)))
        .found(found, "bool")
}

fn at_argument(problem: &Problem, message: &str) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, problem.node.name, message).blames(problem.span, "the argument");
    let Some(annotation) = problem.annotation else { return finding };
    finding
        .fix(Fix::replace("Let the value declare the type", annotation, ""))
        .fix(Fix::replace("Allow any type", annotation, "#@schema/type any=True").possible())
}
