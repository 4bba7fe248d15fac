//! Kubernetes: custom resources, whose schemas are in the `CustomResourceDefinition` of their group and kind.

mod bundle;
mod claims;
mod definition;
mod expressions;
pub mod rules;

pub use rules::removed_api::{Cluster, findings as removed_apis, has_fate};

use crate::inside::Own;
use crate::json_schema::{self, Exclusive, Flavour, References, UnknownKeys};
use crate::resources::API_VERSION;
use crate::{
    BundledAt, Claim, Dialect, Documents, Fault, FileView, Marks, NewKey, Ownership, Part, Read, Role, SchemaName,
};
use lofting_diagnostic::{Diagnostic, Rule};
use lofting_document::{Key, Node};
use lofting_overlay::Functions;
use lofting_schema::semantics::Defaults;
use lofting_schema::{PatternDialect, Schema, Semantics};
use lofting_syntax::Tree;
use std::sync::{Arc, LazyLock};

/// The language.
pub struct Kubernetes;

/// How resources are compared: the API server adds defaults, removes undeclared keys, and checks the rest.
pub static SEMANTICS: Semantics = Semantics::KUBERNETES;

/// For schemas in definitions, which are refused with defaults that do not fit.
static OF_DEFINITIONS: Semantics = Semantics { defaults: Defaults::Whole, ..Semantics::KUBERNETES };

/// Structural schemas have no references.
const FLAVOUR: Flavour = Flavour {
    exclusive: Exclusive::Flags,
    references: References::Definitions,
    unknown_keys: UnknownKeys::Unread,
    patterns: PatternDialect::Re2,
    nullable: true,
    quantities: false,
    keywords: None,
};

/// Schemas in bundles are JSON Schemas, whose references may lead to other documents.
const BUNDLED: Flavour =
    Flavour { exclusive: Exclusive::Numbers, references: References::ByLocation, quantities: true, ..FLAVOUR };

/// The schema of resources whose kind is not written yet.
const OF_ANY_KIND: &str = r#"{
  "x-kubernetes-preserve-unknown-fields": true,
  "properties": {
    "apiVersion": {"type": "string", "description": "The version of the kind, with its group."},
    "kind": {"type": "string", "description": "The kind of the resource."},
    "metadata": {"type": "object", "description": "The name of the resource, its namespace and its labels."}
  }
}"#;

/// Keys that every resource has, even if its schema does not mention them.
const OF_ALL: [&str; 3] = ["apiVersion", "kind", "metadata"];

impl Dialect for Kubernetes {
    fn name(&self) -> &'static str {
        SEMANTICS.family
    }

    fn marks(&self) -> Marks {
        Marks { claim: &[API_VERSION], schema: &[claims::SCHEMA, definition::KIND] }
    }

    fn ownership(&self) -> Ownership {
        Ownership::WhereKnown
    }

    fn claims(&self, file: &dyn FileView) -> Vec<Claim> {
        claims::claims(file.tree())
    }

    fn built_in(&self, name: &SchemaName) -> Option<Arc<Schema>> {
        static OF_ANY: LazyLock<Option<Arc<Schema>>> = LazyLock::new(|| built_in_schema(OF_ANY_KIND));
        static DEFINITIONS: LazyLock<Option<Arc<Schema>>> = LazyLock::new(|| built_in_schema(definition::SCHEMA));
        match (name.kind.as_str(), name.name.as_str()) {
            (claims::UNWRITTEN, _) => OF_ANY.clone(),
            (definition::KIND, definition::VERSION) => DEFINITIONS.clone(),
            _ => None,
        }
    }

    fn read(&self, parts: &[Part<'_>], _: &dyn Functions) -> Read {
        let Some(written) = parts.first().and_then(Part::value) else { return json_schema::anything(&SEMANTICS) };
        // What is wrong with its keywords, the schema of definitions says.
        let json_schema::Read { schema, .. } = json_schema::read(written, &FLAVOUR, &OF_DEFINITIONS);
        let (schema, broken) = expressions::with_rules(schema, written);
        let faults = broken.into_iter().map(|found| Fault::Found(Box::new(found))).collect();
        Read { schema: schema.with_keys(&OF_ALL), faults, alone: Vec::new() }
    }

    fn bundled(&self, name: &SchemaName, bundle: &str) -> Vec<BundledAt> {
        bundle::places(bundle, name)
    }

    fn definitions(&self, document: &Node) -> Vec<(SchemaName, String)> {
        bundle::definitions(document)
    }

    fn read_linked(&self, parts: &[Part<'_>], uri: &str, documents: &dyn Documents) -> Read {
        let Some(part) = parts.first() else { return json_schema::anything(&SEMANTICS) };
        let linked = json_schema::read_linked(uri, &part.document.value, &BUNDLED, &SEMANTICS, documents);
        let faults = linked.read.faults.iter().map(|fault| Fault::Found(Box::new(json_schema::rules::finding(fault))));
        Read { schema: linked.read.schema.with_keys(&OF_ALL), faults: faults.collect(), alone: Vec::new() }
    }

    fn findings(&self, file: &dyn FileView, own: &Own<'_>) -> Vec<Diagnostic> {
        let is_definition =
            |claim: &&Claim| matches!(&claim.role, Role::Instance(name) if name.kind == definition::KIND);
        // Documents as data cost a pass over the file, which an edit of other resources must not.
        if !own.claims.iter().any(|claim| is_definition(&claim)) {
            return Vec::new();
        }
        let documents = &file.documents().documents;
        let roots = own.claims.iter().filter(is_definition).filter_map(|claim| {
            let document = documents.get(claim.document)?;
            claim.at.iter().try_fold(&document.value, crate::claim::below)
        });
        roots.flat_map(definition::findings).collect()
    }

    fn new_key(&self, _: &Tree, _: usize, _: &Key, value: &Node) -> Option<NewKey> {
        Some(crate::json_schema::like::new_key(value))
    }

    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }

    fn rules(&self) -> &'static [&'static Rule] {
        rules::RULES
    }
}

fn built_in_schema(text: &'static str) -> Option<Arc<Schema>> {
    json_schema::built_in_schema(text, &BUNDLED, &SEMANTICS).map(Arc::new)
}
