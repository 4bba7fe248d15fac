//! OpenChoreo: documents of a platform whose types carry schemas for values that stand in other documents.
//!
//! Of the forms of its schemas `openAPIV3Schema` is read, which all releases since 1.0 use. Documents are recognised by
//! their API group; a type is found by its kind and name, and its namespace where both sides give one.

mod claims;
pub mod rules;
#[cfg(test)]
mod tests;

use crate::json_schema::{self, Exclusive, Flavour, References, UnknownKeys};
use crate::{Claim, Dialect, Fault, FileView, Marks, Part, Read};
use lofting_diagnostic::Rule;
use lofting_document::{Node, NodeValue};
use lofting_overlay::Functions;
use lofting_schema::semantics::{LengthUnit, Misapplied, Notation, Null, Numbers, Required, Words};
use lofting_schema::{PatternDialect, Semantics, Step};
use lofting_syntax::resolve::Profile;

/// The language.
pub struct OpenChoreo;

/// How values are judged: defaults are filled in first, then types and bounds as Kubernetes does.
pub static SEMANTICS: Semantics = Semantics {
    family: "openchoreo",
    profile: Profile::Yaml11,
    length: LengthUnit::Characters,
    misapplied: Misapplied::Ignored,
    null: Null::Value,
    numbers: Numbers::Value,
    required: Required::AfterDefaults,
    words: Words {
        notation: Notation::Json,
        document: "",
        declared: "declared here",
        bound: "the rule is here",
        undeclared: "is not declared in the schema",
        bytes: "",
    },
};

/// OpenAPI 3.0 as Kubernetes decodes it: booleans for exclusive bounds, references within the schema alone, no keyword
/// that is not known.
const FLAVOUR: Flavour = Flavour {
    exclusive: Exclusive::Flags,
    references: References::Definitions,
    unknown_keys: UnknownKeys::Unread,
    patterns: PatternDialect::Re2,
    keywords: Some(KEYWORDS),
};

/// The keywords that are decoded, those beginning with `x-` aside.
const KEYWORDS: &[&str] = &[
    "id",
    "$schema",
    "$ref",
    "$defs",
    "description",
    "type",
    "format",
    "title",
    "default",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "multipleOf",
    "enum",
    "maxProperties",
    "minProperties",
    "required",
    "items",
    "allOf",
    "oneOf",
    "anyOf",
    "not",
    "properties",
    "additionalProperties",
    "patternProperties",
    "dependencies",
    "additionalItems",
    "definitions",
    "externalDocs",
    "example",
    "nullable",
];

impl Dialect for OpenChoreo {
    fn name(&self) -> &'static str {
        SEMANTICS.family
    }

    fn marks(&self) -> Marks {
        Marks { claim: &[claims::GROUP], schema: &[claims::OPENAPI] }
    }

    fn profile(&self) -> Profile {
        SEMANTICS.profile
    }

    fn claims(&self, file: &dyn FileView) -> Vec<Claim> {
        claims::claims(file.tree())
    }

    fn section(&self, file: &dyn FileView) -> Option<Claim> {
        claims::section(file.tree())
    }

    fn read(&self, parts: &[Part<'_>], _: &dyn Functions) -> Read {
        let Some(part) = parts.first() else { return json_schema::anything(&SEMANTICS) };
        let at = part.claim.map(|claim| claim.at.as_slice()).unwrap_or_default();
        let Some(schema) = at.iter().try_fold(&part.document.value, below) else {
            return json_schema::anything(&SEMANTICS);
        };
        let json_schema::Read { schema, faults } = json_schema::read(schema, &FLAVOUR, &SEMANTICS);
        let faults = faults.iter().map(|fault| Fault::Found(Box::new(rules::finding(fault))));
        Read { schema, faults: faults.collect(), alone: Vec::new() }
    }

    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }

    fn rules(&self) -> &'static [&'static Rule] {
        rules::RULES
    }
}

/// The value one step below another.
fn below<'n>(node: &'n Node, step: &Step) -> Option<&'n Node> {
    match (&node.value, step) {
        (NodeValue::Map(items), Step::Key(key)) => items.value(key),
        (NodeValue::Array(items), Step::Index(index)) => items.get(*index).map(|item| &item.value),
        _ => None,
    }
}
