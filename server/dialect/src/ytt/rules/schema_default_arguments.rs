use crate::ytt::problem::{DefaultArgument, Problem};
use lofting_diagnostic::{Cause, Diagnostic, Fix, Severity, Stage, rule, words};

rule! {
    /// # Wrong arguments of @schema/default
    ///
    /// ## What
    /// `#@schema/default` takes exactly one value. It cannot be used on an array item: the array itself has a default,
    /// its items have none.
    ///
    /// ## Why
    /// ytt refuses the schema.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// hosts:
    /// #@schema/default "a"
    /// - ""
    /// ```
    ///
    /// ## How to fix
    /// Give one value; put the annotation above the array.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-default-arguments",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::RelatedPlace,
    };
}

pub(super) fn finding(problem: &Problem, wrong: &DefaultArgument, expected: &str) -> Diagnostic {
    let (message, found) = match wrong {
        DefaultArgument::Missing => {
            ("`@schema/default` needs a value".to_string(), "missing value in @schema/default".to_string())
        }
        DefaultArgument::Several(count) => (
            format!("`@schema/default` takes one value, but has {count}"),
            format!("{count} values in @schema/default"),
        ),
        DefaultArgument::Keyword(keyword) => (
            format!("`@schema/default` takes one value and no `{keyword}=`"),
            "keyword argument in @schema/default".to_string(),
        ),
        DefaultArgument::NotData(kind) => {
            let message = format!("`@schema/default` takes a value, but {} cannot be one", words::with_article(kind));
            (message, format!("{kind} in @schema/default"))
        }
    };
    let finding = Diagnostic::new(&RULE, problem.node.name, message).found(found, expected);
    let finding = without(finding, problem);
    match wrong {
        DefaultArgument::Several(_) => finding.help("several values are written as a list: `[1, 2]`"),
        DefaultArgument::NotData(kind) if kind.contains("function") => {
            finding.help("call the function: the default is what it gives")
        }
        _ => finding,
    }
    .blames(problem.span, "the argument")
}

/// For an annotation on an array item.
fn without(finding: Diagnostic, problem: &Problem) -> Diagnostic {
    match problem.annotation {
        Some(annotation) => finding.fix(Fix::replace("Remove the annotation", annotation, "").possible()),
        None => finding,
    }
}

pub(super) fn on_array_item(problem: &Problem) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, problem.node.name, "an array item has no default")
        .help("to set the default of the array, put the annotation above the array and give a list")
        .blames(problem.span, "the annotation");
    without(finding, problem)
}
