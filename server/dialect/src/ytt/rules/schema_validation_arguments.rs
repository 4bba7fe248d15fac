use crate::ytt::problem::{Problem, ValidationArgument};
use lofting_diagnostic::{Cause, Diagnostic, Fix, Severity, Stage, rule, suggest, words};

rule! {
    /// # Wrong arguments of @schema/validation
    ///
    /// ## What
    /// `#@schema/validation` and `#@assert/validate` take rules, each a pair of a description and a function in
    /// parentheses, and then the keywords `min=`, `max=`, `min_len=`, `max_len=`, `one_of=`, `not_null=`,
    /// `one_not_null=` and `when=`.
    ///
    /// ## Why
    /// ytt refuses the schema. `format=`, `regexp=`, `enum=` and others were proposed but never built.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// #@schema/validation minimum=1
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Correct the argument.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-validation-arguments",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::RelatedPlaceOrReturn,
    };
}

pub(super) fn finding(problem: &Problem, wrong: &ValidationArgument) -> Diagnostic {
    let pair = "write `(\"what a valid value is\", lambda v: ...)`";
    let (message, help) = match wrong {
        ValidationArgument::Missing => (
            "this annotation needs a rule".to_string(),
            Some("as `min=1` or `(\"an even number\", lambda v: v % 2 == 0)`".to_string()),
        ),
        ValidationArgument::NotTuple(found) => (
            format!("a rule is a pair of a description and a function, but this is {}", words::with_article(found)),
            Some(pair.to_string()),
        ),
        ValidationArgument::Length(length) => (
            format!(
                "a rule is a pair of a description and a function, but this has {length} part{}",
                if *length == 1 { "" } else { "s" }
            ),
            Some(pair.to_string()),
        ),
        ValidationArgument::Description(found) => (
            format!(
                "the first part of a rule is a string that describes a valid value, but this is {}",
                words::with_article(found)
            ),
            Some(pair.to_string()),
        ),
        ValidationArgument::Assertion(found) => (
            format!("the second part of a rule is a function of the value, but this is {}", words::with_article(found)),
            Some(pair.to_string()),
        ),
        ValidationArgument::UnknownKeyword(name) => (
            format!("rules have no argument `{name}=`"),
            suggest::nearest(name, KEYWORDS.iter().copied())
                .or_else(|| alias(name))
                .map(|meant| format!("did you mean `{meant}=`?")),
        ),
        ValidationArgument::Kind { keyword, expected, found } => {
            (format!("`{keyword}=` takes {}, but is {}", kind(expected), words::with_article(found)), None)
        }
        ValidationArgument::OneNotNullFalse => (
            "`one_not_null=` takes `True` or a list of keys, not `False`".to_string(),
            Some("remove it if all keys may be set".to_string()),
        ),
    };
    let finding = Diagnostic::new(&RULE, problem.span, message).related(problem.node.name, "the value it is for");
    match (help, wrong) {
        (Some(help), ValidationArgument::UnknownKeyword(name)) => {
            let meant = suggest::nearest(name, KEYWORDS.iter().copied()).or_else(|| alias(name));
            let finding = finding.help(help);
            match meant {
                Some(meant) => finding.fix(Fix::replace(format!("Rename to `{meant}`"), problem.span, meant)),
                None => finding,
            }
        }
        (Some(help), _) => finding.help(help),
        (None, _) => finding,
    }
}

const KEYWORDS: &[&str] = &["min", "max", "min_len", "max_len", "one_of", "not_null", "one_not_null", "when"];

/// ytt's name for a keyword of another schema language.
fn alias(name: &str) -> Option<&'static str> {
    Some(match name {
        "enum" | "oneOf" | "in" | "choices" => "one_of",
        "minimum" => "min",
        "maximum" => "max",
        "minLength" | "minItems" => "min_len",
        "maxLength" | "maxItems" => "max_len",
        "required" => "not_null",
        "if" => "when",
        _ => return None,
    })
}

fn kind(expected: &str) -> String {
    match expected.strip_prefix("True") {
        Some(rest) => format!("`True`{rest}"),
        None => words::with_article(expected),
    }
}
