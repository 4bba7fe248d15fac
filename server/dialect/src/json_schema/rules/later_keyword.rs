use super::super::drafts::Draft;
use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A keyword of a later draft of JSON Schema
    ///
    /// ## What
    /// `$schema` names a draft that does not have this keyword yet: `const` came with draft 6, `if` with draft 7,
    /// `dependentRequired` with 2019-09, `prefixItems` with 2020-12.
    ///
    /// ## Why
    /// Unknown keywords are ignored, so values that the keyword was meant to refuse are accepted.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// $schema: http://json-schema.org/draft-04/schema#
    /// type: object
    /// properties:
    ///   kind: {const: web}
    /// ```
    ///
    /// ## How to fix
    /// Name a later draft in `$schema`, or write it with the keywords of this one: `enum: [web]` instead of
    /// `const: web`.
    pub static RULE: Rule = Rule {
        code: "json-schema/later-keyword",
        stage: Stage::Schema,
        severity: Severity::Hint,
    };
}

pub(crate) fn finding(span: Span, keyword: &str, named: Draft, since: Draft) -> Diagnostic {
    let message = format!(
        "`{keyword}` has no meaning in {}, which `$schema` names: it is a keyword since {}",
        named.name(),
        since.name()
    );
    Diagnostic::new(&RULE, span, message)
}
