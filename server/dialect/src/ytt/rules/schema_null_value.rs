use crate::ytt::Problem;
use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};

rule! {
    /// # A schema value without a type
    ///
    /// ## What
    /// In a schema the value declares the type, and null declares none. A key without a value is null, too.
    ///
    /// ## Why
    /// ytt refuses the schema. `#@schema/nullable` does not help: it adds null to a type, but there is
    /// no type to add it to.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// host:
    /// ```
    ///
    /// ## How to fix
    /// Write a value of the type that is meant (`""`, `0`, `false` ...). Put `#@schema/nullable` above it if the
    /// default should be null, or `#@schema/type any=True` to allow anything.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-null-value",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(super) fn finding(problem: &Problem, nullable: bool) -> Diagnostic {
    let message = if nullable {
        "`@schema/nullable` needs a value that declares the type, but there is none"
    } else {
        "a value in a schema declares the type, but there is none"
    };
    Diagnostic::new(&RULE, problem.node.name, message).found("null value", "non-null value").help(if nullable {
        "write a value of the type that is meant; the default is still null"
    } else {
        "write a value of the type that is meant; to make the default null, add `#@schema/nullable`; to allow any value, \
         add `#@schema/type any=True`"
    })
}
