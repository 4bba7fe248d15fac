use crate::ytt::Problem;
use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};

rule! {
    /// # A list or dict from an expression in a schema
    ///
    /// ## What
    /// `key: #@ [...]` gives a Starlark list, which ytt does not turn into YAML in a schema.
    ///
    /// ## Why
    /// ytt refuses the schema and names no place.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// hosts: #@ ["a"]
    /// ```
    ///
    /// ## How to fix
    /// Write the value as YAML, or use a function with a YAML body.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-computed-collection",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(super) fn finding(problem: &Problem, found: &str) -> Diagnostic {
    Diagnostic::new(&RULE, problem.node.name, format!("a {found} from an expression cannot declare a type"))
        .found(found, "a map, array, or scalar")
        .help("write it as YAML, or use a function with a YAML body")
}
