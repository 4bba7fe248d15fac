use crate::ytt::problem::{ExampleArgument, Problem};
use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule, words};

rule! {
    /// # Wrong arguments of @schema/examples
    ///
    /// ## What
    /// `#@schema/examples` takes pairs: a description in quotes and a value, in parentheses.
    ///
    /// ## Why
    /// ytt refuses the schema.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// #@schema/examples "a host", "db.example.org"
    /// host: ""
    /// ```
    ///
    /// ## How to fix
    /// Write `#@schema/examples ("a host", "db.example.org")`.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-examples-arguments",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::RelatedPlace,
    };
}

pub(super) fn finding(problem: &Problem, wrong: &ExampleArgument) -> Diagnostic {
    let name = "schema/examples";
    let (message, found) = match wrong {
        ExampleArgument::Missing => {
            ("`@schema/examples` needs an example".to_string(), format!("missing value in @{name}"))
        }
        ExampleArgument::Keyword(keyword) => {
            (format!("`@schema/examples` takes no `{keyword}=`"), format!("keyword argument in @{name}"))
        }
        ExampleArgument::NotTuple(found) => (
            format!("an example is a pair in parentheses, but this is {}", words::with_article(found)),
            format!("{found} for @{name}"),
        ),
        ExampleArgument::Length(length @ (0 | 1)) => {
            (format!("an example is a pair, but this has {length} of 2 parts"), format!("empty tuple in @{name}"))
        }
        ExampleArgument::Length(length) => (
            format!("an example is a pair, but this has {length} parts"),
            format!("{length}-tuple argument in @{name}"),
        ),
        ExampleArgument::Description(found) => (
            format!(
                "the first part of an example is a string that describes it, but this is {}",
                words::with_article(found)
            ),
            format!("{found} value for @{name}"),
        ),
        ExampleArgument::NotData(kind) => (
            format!("an example is a value, but {} cannot be one", words::with_article(kind)),
            format!("{kind} for @{name}"),
        ),
    };
    Diagnostic::new(&RULE, problem.node.name, message)
        .found(found, "2-tuple containing description (string) and example value (of expected type)")
        .help("write `#@schema/examples (\"what it shows\", value)`")
        .blames(problem.span, "the argument")
}
