//! The keywords of all drafts, with what each takes.

use super::super::drafts::Draft;
use super::super::drafts::Draft::{Draft4, Draft6, Draft7, Draft201909, Draft202012};

/// What the value of a keyword has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::json_schema) enum Takes {
    Anything,
    Text,
    Flag,
    /// A name that references use.
    Anchor,
    /// A regular expression.
    Regex,
    /// The name of a format.
    Format,
    Number,
    /// A number above 0.
    Positive,
    /// An integer that is at least 0.
    Length,
    /// Any array.
    Values,
    /// An array that has to contain one of these values.
    Choices,
    /// Different strings; `least` of them.
    Names {
        least: usize,
    },
    /// A map of arrays of strings.
    NamesByName,
    /// A name of a type, or several.
    Type,
    Schema,
    /// A schema or a boolean, in a draft whose schemas are not booleans.
    SchemaOrFlag,
    /// One schema or several.
    Items,
    /// An array of schemas that is not empty.
    Schemas,
    /// Schemas by name.
    Named,
    /// Schemas by regular expressions.
    NamedByRegex,
    /// Schemas or arrays of strings by name.
    Dependencies,
    /// Booleans by name.
    Flags,
}

/// A keyword in some drafts.
#[derive(Debug)]
pub(in crate::json_schema) struct Keyword {
    pub name: &'static str,
    since: Draft,
    until: Draft,
    pub takes: Takes,
}

const fn keyword(name: &'static str, since: Draft, until: Draft, takes: Takes) -> Keyword {
    Keyword { name, since, until, takes }
}

/// In all drafts from one on.
const fn from(name: &'static str, since: Draft, takes: Takes) -> Keyword {
    keyword(name, since, Draft202012, takes)
}

static KEYWORDS: &[Keyword] = &[
    from("$schema", Draft4, Takes::Text),
    from("$ref", Draft4, Takes::Text),
    keyword("id", Draft4, Draft4, Takes::Text),
    from("$id", Draft6, Takes::Text),
    from("$comment", Draft7, Takes::Text),
    from("$anchor", Draft201909, Takes::Anchor),
    keyword("$recursiveRef", Draft201909, Draft201909, Takes::Text),
    keyword("$recursiveAnchor", Draft201909, Draft201909, Takes::Flag),
    from("$dynamicRef", Draft202012, Takes::Text),
    from("$dynamicAnchor", Draft202012, Takes::Anchor),
    from("$vocabulary", Draft201909, Takes::Flags),
    from("$defs", Draft201909, Takes::Named),
    from("definitions", Draft4, Takes::Named),
    from("title", Draft4, Takes::Text),
    from("description", Draft4, Takes::Text),
    from("default", Draft4, Takes::Anything),
    from("examples", Draft6, Takes::Values),
    from("readOnly", Draft7, Takes::Flag),
    from("writeOnly", Draft7, Takes::Flag),
    from("deprecated", Draft201909, Takes::Flag),
    from("type", Draft4, Takes::Type),
    keyword("enum", Draft4, Draft6, Takes::Choices),
    from("enum", Draft7, Takes::Values),
    from("const", Draft6, Takes::Anything),
    from("multipleOf", Draft4, Takes::Positive),
    from("maximum", Draft4, Takes::Number),
    from("minimum", Draft4, Takes::Number),
    keyword("exclusiveMaximum", Draft4, Draft4, Takes::Flag),
    from("exclusiveMaximum", Draft6, Takes::Number),
    keyword("exclusiveMinimum", Draft4, Draft4, Takes::Flag),
    from("exclusiveMinimum", Draft6, Takes::Number),
    from("maxLength", Draft4, Takes::Length),
    from("minLength", Draft4, Takes::Length),
    from("pattern", Draft4, Takes::Regex),
    from("format", Draft4, Takes::Format),
    from("contentMediaType", Draft7, Takes::Text),
    from("contentEncoding", Draft7, Takes::Text),
    from("contentSchema", Draft201909, Takes::Schema),
    keyword("items", Draft4, Draft201909, Takes::Items),
    from("items", Draft202012, Takes::Schema),
    from("prefixItems", Draft202012, Takes::Schemas),
    keyword("additionalItems", Draft4, Draft4, Takes::SchemaOrFlag),
    keyword("additionalItems", Draft6, Draft201909, Takes::Schema),
    from("contains", Draft6, Takes::Schema),
    from("minContains", Draft201909, Takes::Length),
    from("maxContains", Draft201909, Takes::Length),
    from("maxItems", Draft4, Takes::Length),
    from("minItems", Draft4, Takes::Length),
    from("uniqueItems", Draft4, Takes::Flag),
    from("unevaluatedItems", Draft201909, Takes::Schema),
    from("properties", Draft4, Takes::Named),
    from("patternProperties", Draft4, Takes::NamedByRegex),
    keyword("additionalProperties", Draft4, Draft4, Takes::SchemaOrFlag),
    from("additionalProperties", Draft6, Takes::Schema),
    from("propertyNames", Draft6, Takes::Schema),
    from("unevaluatedProperties", Draft201909, Takes::Schema),
    from("maxProperties", Draft4, Takes::Length),
    from("minProperties", Draft4, Takes::Length),
    keyword("required", Draft4, Draft4, Takes::Names { least: 1 }),
    from("required", Draft6, Takes::Names { least: 0 }),
    from("dependencies", Draft4, Takes::Dependencies),
    from("dependentSchemas", Draft201909, Takes::Named),
    from("dependentRequired", Draft201909, Takes::NamesByName),
    from("allOf", Draft4, Takes::Schemas),
    from("anyOf", Draft4, Takes::Schemas),
    from("oneOf", Draft4, Takes::Schemas),
    from("not", Draft4, Takes::Schema),
    from("if", Draft7, Takes::Schema),
    from("then", Draft7, Takes::Schema),
    from("else", Draft7, Takes::Schema),
];

/// Words that are not keywords of a draft, but of editors, of OpenAPI, or of earlier drafts, and so no slips.
const FOREIGN: &[&str] = &[
    "$id",
    "allowComments",
    "allowTrailingCommas",
    "body",
    "defaultSnippets",
    "deprecationMessage",
    "discriminator",
    "divisibleBy",
    "doNotSuggest",
    "enumDescriptions",
    "errorMessage",
    "example",
    "extends",
    "externalDocs",
    "id",
    "kind",
    "label",
    "markdownDescription",
    "markdownEnumDescriptions",
    "name",
    "nullable",
    "optional",
    "options",
    "order",
    "patternErrorMessage",
    "title",
    "unit",
    "units",
    "xml",
];

/// A keyword as a draft has it; as the nearest draft has it that does, if the schema names none.
pub(in crate::json_schema) fn keyword_of(name: &str, draft: Draft, is_named: bool) -> Option<&'static Keyword> {
    let mut named = KEYWORDS.iter().filter(|keyword| keyword.name == name);
    let is_of = |keyword: &&Keyword| keyword.since <= draft && draft <= keyword.until;
    let found = named.clone().find(is_of);
    found.or_else(|| named.next().filter(|_| !is_named))
}

/// The keyword that was most likely meant by another word.
pub(super) fn meant(word: &str, draft: Draft, is_named: bool) -> Option<&'static str> {
    // What begins like `$$description`, `_enum` or `//minimum` is named after a keyword on purpose.
    let is_private = word.starts_with(|first: char| !first.is_alphanumeric() && first != '$') || word.starts_with("$$");
    let is_foreign = word.starts_with("x-") || FOREIGN.contains(&word);
    if is_private || is_foreign || KEYWORDS.iter().any(|keyword| keyword.name == word) {
        return None;
    }
    let known = KEYWORDS.iter().filter(|keyword| keyword_of(keyword.name, draft, is_named).is_some());
    let is_slip = |keyword: &&Keyword| {
        let bare = keyword.name.trim_start_matches('$');
        word.eq_ignore_ascii_case(bare) || lofting_diagnostic::suggest::is_slip(word, keyword.name)
    };
    let near: Vec<&'static str> = known.filter(is_slip).map(|keyword| keyword.name).collect();
    match near.as_slice() {
        [only] => Some(only),
        several => lofting_diagnostic::suggest::nearest(word, several.iter().copied()),
    }
}
