//! OpenAPI: descriptions of interfaces, which are recognised by their head. A document has to fit the schema of its
//! version, which is part of the program; the schemas in it are JSON Schemas (`json_schema/openapi`).

use crate::json_schema::openapi::{HEADS, Version};
use crate::json_schema::{self, JsonSchema};
use crate::{
    Claim, Dialect, Marks, NewKey, Read, ReadsSchemas, Recognises, Role, SchemaName, SchemaPart, WrittenSteps,
};
use lofting_diagnostic::Rule;
use lofting_document::{Key, Node};
use lofting_overlay::Functions;
use lofting_schema::{Schema, Semantics};
use lofting_syntax::{Document, Tree};
use std::sync::Arc;

/// The language.
pub struct OpenApi;

/// The kind of its documents.
const KIND: &str = "OpenAPI";

/// Keys at the root of a document that only a description has.
const TELLING: [&str; 6] = ["info", "paths", "components", "webhooks", "definitions", "securityDefinitions"];

/// Further keys at the root of a document.
const OTHERS: [&str; 15] = [
    "openapi",
    "swagger",
    "$self",
    "$schema",
    "jsonSchemaDialect",
    "servers",
    "security",
    "tags",
    "externalDocs",
    "host",
    "basePath",
    "schemes",
    "consumes",
    "produces",
    "responses",
];

/// Whether a document with the head of a description is one. Values of an application may have a key `openapi`, too: they
/// have other keys with values beside it, and none that only descriptions have.
fn is_description(root: &WrittenSteps<'_>) -> bool {
    let keys = root.keys();
    let is_reported = |key: &str| TELLING.contains(&key) || OTHERS.contains(&key) || key.starts_with("x-");
    let is_foreign = |key: &str| !is_reported(key) && root.key(key).is_some_and(|it| !it.value().is_missing());
    keys.iter().any(|key| TELLING.contains(&key.as_str())) || !keys.iter().any(|key| is_foreign(key))
}

impl Dialect for OpenApi {
    fn name(&self) -> &'static str {
        "openapi"
    }

    fn rules(&self) -> &'static [&'static Rule] {
        &[]
    }
}

impl Recognises for OpenApi {
    fn marks(&self) -> Marks {
        Marks { claim: &HEADS, schema: &[] }
    }

    fn claims_in(&self, document: &Document<'_>, number: usize) -> Vec<Claim> {
        let Some(root) = document.root() else { return Vec::new() };
        let root = WrittenSteps::root(root, self.profile());
        let claim = Version::of_written(&root).filter(|_| is_description(&root)).map(|version| {
            let name = SchemaName { kind: KIND.into(), name: version.number().into(), namespace: None, slot: "" };
            root.claim(number, Role::Instance(name))
        });
        claim.into_iter().collect()
    }
}

impl ReadsSchemas for OpenApi {
    fn built_in(&self, name: &SchemaName) -> Option<Arc<Schema>> {
        let version = Version::ALL.into_iter().find(|version| name.name == version.number())?;
        json_schema::open_api_schema(version)
    }

    fn has_linked_schemas(&self) -> bool {
        true
    }

    fn read(&self, parts: &[SchemaPart<'_>], host: &dyn Functions) -> Read {
        JsonSchema.read(parts, host)
    }

    fn new_key(&self, _: &Tree, _: usize, _: &Key, value: &Node) -> Option<NewKey> {
        Some(json_schema::from_example::new_key(value))
    }

    fn semantics(&self) -> &'static Semantics {
        &json_schema::SEMANTICS
    }
}
