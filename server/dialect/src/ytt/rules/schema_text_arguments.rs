use crate::ytt::problem::{Problem, TextArgument};
use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule, words};

rule! {
    /// # Wrong arguments of a documenting annotation
    ///
    /// ## What
    /// `#@schema/title`, `#@schema/desc` and `#@schema/deprecated` take exactly one string in quotes. `deprecated` has
    /// no meaning on a document.
    ///
    /// ## Why
    /// ytt refuses the schema.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// #@schema/title 80
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Give one string in quotes.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-text-arguments",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::RelatedPlace,
    };
}

pub(super) fn finding(problem: &Problem, name: &str, wrong: &TextArgument) -> Diagnostic {
    let (message, found) = match wrong {
        TextArgument::Missing => (format!("`@{name}` needs a string"), format!("missing value in @{name}")),
        TextArgument::Several(count) => {
            (format!("`@{name}` takes one string, but has {count}"), format!("{count} values in @{name}"))
        }
        TextArgument::NotText(found) => (
            format!("`@{name}` takes a string, but has {}", words::with_article(found)),
            format!("Non-string value in @{name}"),
        ),
        TextArgument::Keyword(keyword) => {
            (format!("`@{name}` takes one string and no `{keyword}=`"), format!("keyword argument in @{name}"))
        }
    };
    Diagnostic::new(&RULE, problem.node.name, message)
        .found(found, "string")
        .help(format!("write `#@{name} \"...\"`"))
        .blames(problem.span, "the argument")
}

/// `@schema/deprecated` on a document.
pub(super) fn deprecated_document(problem: &Problem) -> Diagnostic {
    Diagnostic::new(&RULE, problem.node.name, "a whole document cannot be deprecated")
        .help("put `#@schema/deprecated` on the keys")
        .blames(problem.span, "the annotation")
}
