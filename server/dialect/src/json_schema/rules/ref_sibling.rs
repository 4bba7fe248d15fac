use super::super::drafts::Draft;
use lofting_diagnostic::{Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A keyword beside a `$ref` has no effect
    ///
    /// ## What
    /// Up to draft 7, and in OpenAPI 3.0, everything beside a `$ref` is ignored. Keywords that say nothing about values,
    /// such as `description`, are not reported. In built-in schemas all of them count, because their authors rely on it.
    ///
    /// ## Why
    /// Values that the keyword was meant to refuse are accepted. Since 2019-09 it would count.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// $schema: http://json-schema.org/draft-07/schema#
    /// definitions:
    ///   size: {type: integer}
    /// properties:
    ///   size: {$ref: "#/definitions/size", maximum: 10}
    /// ```
    ///
    /// ## How to fix
    /// Write the reference inside `allOf`, where it is one of several schemas that all have to hold:
    /// `{allOf: [{$ref: "#/definitions/size"}], maximum: 10}`. Or name a later draft in `$schema`.
    pub static RULE: Rule = Rule {
        code: "json-schema/ref-sibling",
        stage: Stage::Schema,
        severity: Severity::Hint,
    };
}

/// What is known about a keyword beside a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefSibling {
    /// The draft that is followed.
    pub(crate) draft: Draft,
    /// The schema names it; otherwise it is the usual one.
    pub(crate) is_named: bool,
    /// The document is one of OpenAPI.
    pub(crate) is_open_api: bool,
    /// The entry of `$ref`.
    pub(crate) reference: Span,
    /// Whether the reference can be written inside `allOf`: there is none beside it.
    pub(crate) can_be_wrapped: bool,
}

pub(crate) fn finding(span: Span, keyword: &str, about: &RefSibling) -> Diagnostic {
    let draft = about.draft.name();
    let place = match (about.is_open_api, about.is_named) {
        (true, _) => "in this version of OpenAPI".to_owned(),
        (false, true) => format!("in {draft}"),
        (false, false) => format!("in {draft}, which is taken because `$schema` names none"),
    };
    let message = format!("`{keyword}` has no effect beside `$ref` {place}");
    let finding = Diagnostic::new(&RULE, span, message).related(about.reference, "the reference");
    if !about.can_be_wrapped {
        return finding;
    }
    let (start, end) = (about.reference.range().start, about.reference.range().end);
    let at = |offset: usize| Span::new(about.reference.file, offset..offset);
    // Quoted, because the schema may be JSON.
    let edits = vec![(at(start), "\"allOf\": [{".to_owned()), (at(end), "}]".to_owned())];
    finding.fix(Fix::new("Write the reference inside `allOf`", edits).possible())
}
