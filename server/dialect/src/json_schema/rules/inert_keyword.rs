use super::super::drafts::Draft;
use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A keyword of a JSON Schema that has no effect
    ///
    /// ## What
    /// The keyword only adds to another one that is not there: `then` and `else` to `if`, `minContains` and `maxContains`
    /// to `contains`. Or the draft that `$schema` names does not have it any more: 2020-12 has no `additionalItems` and no
    /// `$recursiveRef`. It is a hint for `nullable`, which only OpenAPI 3.0 and some programs have.
    ///
    /// ## Why
    /// Values that the keyword was meant to refuse, or to accept, are not.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   tags: {type: array, minContains: 2}
    /// ```
    ///
    /// ## How to fix
    /// Write the other keyword, or the one that the message names.
    pub static RULE: Rule = Rule {
        code: "json-schema/inert-keyword",
        stage: Stage::Schema,
        severity: Severity::Warning,
        cause: Cause::MapBeside,
    };
}

/// A keyword that only adds to another one.
pub(crate) fn alone(span: Span, keyword: &str, leader: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`{keyword}` has no effect without `{leader}`"))
}

/// A keyword that the draft which the schema names has no more.
pub(crate) fn removed(span: Span, keyword: &str, named: Draft, instead: &str) -> Diagnostic {
    let message = format!("`{keyword}` has no meaning in {}, which `$schema` names", named.name());
    Diagnostic::new(&RULE, span, message).help(format!("write {instead}"))
}

/// A keyword of OpenAPI.
pub(crate) fn nullable(span: Span, named: Draft) -> Diagnostic {
    let message = format!("`nullable` has no meaning in {}, which `$schema` names", named.name());
    let mut finding = Diagnostic::new(&RULE, span, message).help("add \"null\" to `type`");
    finding.severity = Severity::Hint;
    finding
}
