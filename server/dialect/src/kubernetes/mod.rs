//! Kubernetes: custom resources, whose schemas are in the `CustomResourceDefinition` of their group and kind.

mod beside;
mod bundle;
mod checked;
mod claims;
mod definition;
mod editor;
mod expressions;
mod fields;
mod identity;
mod kinds;
pub mod kustomization;
mod lists;
mod look;
mod names;
mod paths;
mod pods;
mod resource;
pub mod rules;
mod services;
mod structure;
mod validation;
mod values;
mod workloads;

pub use claims::{NOT_SERVED, name as kind_in_version};
pub use rules::removed_api::{
    Cluster, RULE as REMOVED_API, finding as removed_api, findings as removed_apis, has_fate,
};

use crate::inside::{Inside, NamedInside, Own, TextPlace};
use crate::json_schema::{self, Exclusive, Flavour, References, UnknownKeys};
use crate::openchoreo;
pub use crate::resources::{API_VERSION, KIND};
use crate::texts::Texts;
use crate::{
    BundledAt, Claim, Dialect, Documents, Earlier, Fault, FileView, KnowsBundles, Marks, NewKey, Ownership, Read,
    ReadsSchemas, ReadsTexts, Recognises, Role, SchemaName, SchemaPart,
};
use lofting_diagnostic::{Diagnostic, Rule};
use lofting_document::{Key, Node};
use lofting_memo::to_the_end;
use lofting_overlay::Functions;
use lofting_schema::semantics::{Defaults, Formats, Substitution};
use lofting_schema::{PatternDialect, Schema, Semantics};
use lofting_syntax::{Document, Item, Tree};
use smol_str::SmolStr;
use std::sync::{Arc, LazyLock};

/// The language.
pub struct Kubernetes;

/// How resources are compared: the API server adds defaults, removes undeclared keys, and checks the rest.
pub static SEMANTICS: Semantics = Semantics::KUBERNETES;

/// For schemas in definitions, which are refused with defaults that do not fit, and whose formats of numbers only
/// inform.
static OF_DEFINITIONS: Semantics =
    Semantics { defaults: Defaults::Whole, formats: Formats::CustomResources, ..Semantics::KUBERNETES };

/// For kinds whose own texts have expressions in them: the API server sees them as they are written.
static WITH_EXPRESSIONS: Semantics = Semantics { substitution: Substitution::Never, ..Semantics::KUBERNETES };
static OF_DEFINITIONS_WITH_EXPRESSIONS: Semantics = Semantics {
    defaults: Defaults::Whole,
    formats: Formats::CustomResources,
    substitution: Substitution::Never,
    ..Semantics::KUBERNETES
};

/// Structural schemas have no references.
const FLAVOUR: Flavour = Flavour {
    exclusive: Exclusive::Flags,
    references: References::Definitions,
    unknown_keys: UnknownKeys::Unread,
    patterns: PatternDialect::Re2,
    nullable: true,
    quantities: false,
    judged: None,
    keywords: None,
};

/// Schemas in bundles are JSON Schemas, whose references may lead to other documents.
const BUNDLED: Flavour = Flavour {
    exclusive: Exclusive::Numbers,
    references: References::ByLocation,
    quantities: true,
    judged: Some(lists::merged),
    ..FLAVOUR
};

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

    fn rules(&self) -> &'static [&'static Rule] {
        rules::RULES
    }

    fn texts(&self) -> Option<&dyn ReadsTexts> {
        Some(self)
    }

    fn bundles(&self) -> Option<&dyn KnowsBundles> {
        Some(self)
    }
}

impl Recognises for Kubernetes {
    fn marks(&self) -> Marks {
        Marks {
            claim: &[API_VERSION, "configMapGenerator", "secretGenerator"],
            schema: &[claims::SCHEMA, definition::KIND],
        }
    }

    fn ownership(&self) -> Ownership {
        Ownership::WhereKnown
    }

    fn claims_in(&self, document: &Document<'_>, number: usize) -> Vec<Claim> {
        claims::claims(document, number)
    }

    fn reads_lists(&self) -> bool {
        true
    }

    fn claims_in_item(&self, item: &Item<'_>) -> Vec<Claim> {
        claims::claims_in_item(item)
    }

    fn needs_neighbours(&self) -> bool {
        true
    }

    fn owner(&self, part: &SchemaName) -> Option<SchemaName> {
        names::owner(part)
    }
}

impl ReadsSchemas for Kubernetes {
    fn built_in(&self, name: &SchemaName) -> Option<Arc<Schema>> {
        static OF_ANY: LazyLock<Option<Arc<Schema>>> = LazyLock::new(|| to_the_end(|| built_in_schema(OF_ANY_KIND)));
        static DEFINITIONS: LazyLock<Option<Arc<Schema>>> =
            LazyLock::new(|| to_the_end(|| definition_schema(definition::SCHEMA)));
        match (name.kind.as_str(), name.name.as_str()) {
            (claims::UNWRITTEN, _) => OF_ANY.clone(),
            (definition::KIND, definition::VERSION) => DEFINITIONS.clone(),
            (kind, openchoreo::VERSION) => openchoreo::kind(kind, &|kinds, fragment| {
                let semantics = semantics_of(openchoreo::VERSION, kind);
                resource::of_kind(json_schema::built_in_schema_at(kinds, fragment, &BUNDLED, semantics))
            }),
            _ => None,
        }
    }

    fn read(&self, parts: &[SchemaPart<'_>], _: &dyn Functions) -> Read {
        let Some(part) = parts.first() else { return json_schema::anything(&SEMANTICS) };
        let Some(written) = part.value() else { return json_schema::anything(&SEMANTICS) };
        // What is wrong with its keywords, the schema of definitions says.
        let has_expressions = matches!(part.claim.map(|claim| &claim.role), Some(Role::Schema(name))
            if openchoreo::has_expressions(&name.name, &name.kind));
        let semantics = if has_expressions { &OF_DEFINITIONS_WITH_EXPRESSIONS } else { &OF_DEFINITIONS };
        let json_schema::Read { schema, .. } = json_schema::read(written, &FLAVOUR, semantics);
        let places = structure::structure(&schema, written);
        let texts = Texts { tree: part.tree, profile: SEMANTICS.profile };
        let (schema, broken) = expressions::with_rules(schema, written, &places, texts);
        let schema = lists::with_lists(schema, &places);
        let schema = resource::with_resources(resource::pruned(schema, &places), &places);
        let found = broken.into_iter().chain(resource::wrong_defaults(&places));
        let faults = found.map(|found| Fault::Found(Box::new(found))).collect();
        Read { schema, faults, alone: Vec::new() }
    }

    fn read_linked(&self, parts: &[SchemaPart<'_>], uri: &str, documents: &dyn Documents) -> Read {
        let Some(part) = parts.first() else { return json_schema::anything(&SEMANTICS) };
        let kind = bundle::kind_at(&part.document.value, uri);
        let semantics = kind.as_ref().map_or(&SEMANTICS, |(group, kind)| semantics_of(&format!("{group}/"), kind));
        let linked = json_schema::read_linked(uri, &part.document.value, &BUNDLED, semantics, documents);
        let faults = linked.read.faults.iter().map(|fault| Fault::Found(Box::new(json_schema::rules::finding(fault))));
        let schema = linked.read.schema.with_keys(&OF_ALL);
        let schema = match kind {
            Some((group, kind)) => resource::identified(schema, &group, &kind),
            None => schema,
        };
        Read { schema, faults: faults.collect(), alone: Vec::new() }
    }

    fn new_key(&self, _: &Tree, _: usize, _: &Key, value: &Node) -> Option<NewKey> {
        Some(crate::json_schema::from_example::new_key(value))
    }

    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

impl ReadsTexts for Kubernetes {
    fn inside(&self, file: &dyn FileView, own: &Own<'_>, place: &TextPlace<'_>) -> Option<Inside> {
        let of_words = || values::at(file.tree(), place);
        editor::at(file, own, place).or_else(|| beside::at(file.tree(), place)).or_else(of_words)
    }

    fn excluded(&self, file: &dyn FileView, place: &TextPlace<'_>) -> Vec<&'static str> {
        values::excluded(file.tree(), place)
    }

    fn likely_keys(&self, file: &dyn FileView, place: &TextPlace<'_>) -> Vec<(SmolStr, Option<SmolStr>)> {
        values::likely(file.tree(), place)
    }

    fn named(&self, file: &dyn FileView, _: &Own<'_>, offset: usize) -> Option<NamedInside> {
        beside::named(file.tree(), offset)
    }

    fn findings(&self, file: &dyn FileView, own: &Own<'_>, earlier: &mut Earlier) -> Vec<Diagnostic> {
        let concerns = |role: &Role| matches!(role, Role::Instance(name) if checked::concerns(&name.kind));
        if !own.claims.roles().any(concerns) {
            return Vec::new();
        }
        earlier.with(|checked: &mut checked::Checked| checked.findings(file))
    }
}

impl KnowsBundles for Kubernetes {
    fn kinds(&self) -> &'static [(&'static str, &'static [&'static str])] {
        kinds::BUILT_IN
    }

    fn bundled(&self, name: &SchemaName, bundle: &str) -> Vec<BundledAt> {
        bundle::places(bundle, name)
    }

    fn definitions(&self, document: &Node) -> Vec<(SchemaName, String)> {
        bundle::definitions(document)
    }
}

/// How resources of a kind are compared, by the version of the kind with its group.
fn semantics_of(version: &str, kind: &str) -> &'static Semantics {
    if openchoreo::has_expressions(version, kind) { &WITH_EXPRESSIONS } else { &SEMANTICS }
}

fn definition_schema(text: &'static str) -> Option<Arc<Schema>> {
    json_schema::built_in_schema(text, &BUNDLED, &SEMANTICS).map(resource::of_definitions).map(Arc::new)
}

fn built_in_schema(text: &'static str) -> Option<Arc<Schema>> {
    json_schema::built_in_schema(text, &BUNDLED, &SEMANTICS).map(Arc::new)
}
