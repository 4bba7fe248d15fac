//! Kubernetes: custom resources, whose schemas are in the `CustomResourceDefinition` of their group and kind.

mod claims;

use crate::json_schema::{self, Exclusive, Flavour, References, UnknownKeys};
use crate::{Claim, Dialect, Fault, FileView, Marks, Ownership, Part, Read};
use lofting_diagnostic::Rule;
use lofting_overlay::Functions;
use lofting_schema::{PatternDialect, Semantics};

/// The language.
pub struct Kubernetes;

/// How resources are compared: the API server adds defaults, removes undeclared keys, and checks the rest.
pub static SEMANTICS: Semantics = Semantics::KUBERNETES;

/// Structural schemas have no references.
const FLAVOUR: Flavour = Flavour {
    exclusive: Exclusive::Flags,
    references: References::Definitions,
    unknown_keys: UnknownKeys::Unread,
    patterns: PatternDialect::Re2,
    nullable: true,
    keywords: None,
};

/// Keys that every resource has, even if its schema does not mention them.
const OF_ALL: [&str; 3] = ["apiVersion", "kind", "metadata"];

impl Dialect for Kubernetes {
    fn name(&self) -> &'static str {
        SEMANTICS.family
    }

    fn marks(&self) -> Marks {
        Marks { claim: &[claims::API_VERSION], schema: &[claims::SCHEMA] }
    }

    fn ownership(&self) -> Ownership {
        Ownership::WhereKnown
    }

    fn claims(&self, file: &dyn FileView) -> Vec<Claim> {
        claims::claims(file.tree())
    }

    fn read(&self, parts: &[Part<'_>], _: &dyn Functions) -> Read {
        let Some(schema) = parts.first().and_then(Part::value) else { return json_schema::anything(&SEMANTICS) };
        let json_schema::Read { schema, faults } = json_schema::read(schema, &FLAVOUR, &SEMANTICS);
        let faults = faults.iter().map(|fault| Fault::Found(Box::new(json_schema::rules::finding(fault))));
        Read { schema: schema.with_keys(&OF_ALL), faults: faults.collect(), alone: Vec::new() }
    }

    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }

    fn rules(&self) -> &'static [&'static Rule] {
        &[]
    }
}
