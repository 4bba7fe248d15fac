use crate::ytt::Problem;
use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};

rule! {
    /// # An array in a schema without exactly one item
    ///
    /// ## What
    /// In a schema the only item of an array defines the type of all its items.
    ///
    /// ## Why
    /// ytt refuses the schema. The default of an array is always empty, whatever its item says.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// hosts: []
    /// ```
    ///
    /// ## How to fix
    /// Write exactly one item. A default with items is given with `#@schema/default`.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-array-items",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::AnnotationBeside,
    };
}

pub(super) fn finding(problem: &Problem, count: usize) -> Diagnostic {
    let message = match count {
        0 => "an array in a schema needs one item that declares the type of its items".to_string(),
        _ => format!("an array in a schema has exactly one item, but this has {count}"),
    };
    Diagnostic::new(&RULE, problem.node.name, message)
        .found(format!("{count} array items"), "exactly 1 array item, of the desired type")
        .help(match count {
            0 => "write one item of the type that is meant, as in `[\"\"]`; the default stays empty",
            _ => "keep one item; give default items with `#@schema/default`",
        })
}
