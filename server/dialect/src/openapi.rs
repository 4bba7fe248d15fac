//! OpenAPI: descriptions of interfaces, which are recognised by their head. A document has to fit the schema of its
//! version, which is part of the program; the schemas in it are JSON Schemas (`json_schema/openapi`).

use crate::json_schema::openapi::{HEADS, Version};
use crate::json_schema::{self, JsonSchema};
use crate::{Claim, Dialect, FileView, Marks, NewKey, Part, Read, Role, SchemaName, WrittenSteps};
use lofting_diagnostic::Rule;
use lofting_document::{Key, Node};
use lofting_overlay::Functions;
use lofting_schema::{Schema, Semantics};
use lofting_syntax::Tree;
use std::sync::Arc;

/// The language.
pub struct OpenApi;

/// The kind of its documents.
const KIND: &str = "OpenAPI";

impl Dialect for OpenApi {
    fn name(&self) -> &'static str {
        "openapi"
    }

    fn marks(&self) -> Marks {
        Marks { claim: &HEADS, schema: &[] }
    }

    fn claims(&self, file: &dyn FileView) -> Vec<Claim> {
        let mut claims = Vec::new();
        for (number, document) in file.tree().documents().enumerate() {
            let Some(root) = document.root() else { continue };
            let root = WrittenSteps::root(root, self.profile());
            let version = HEADS.iter().find_map(|key| {
                // Without quotes it is a number, which is wrong and told.
                Version::of_head(key, &root.key(key)?.value().scalar()?.value())
            });
            if let Some(version) = version {
                let name = SchemaName { kind: KIND.into(), name: version.number().into(), namespace: None, slot: "" };
                claims.push(root.claim(number, Role::Instance(name)));
            }
        }
        claims
    }

    fn built_in(&self, name: &SchemaName) -> Option<Arc<Schema>> {
        let version = Version::ALL.into_iter().find(|version| name.name == version.number())?;
        json_schema::open_api_schema(version)
    }

    fn has_linked_schemas(&self) -> bool {
        true
    }

    fn read(&self, parts: &[Part<'_>], host: &dyn Functions) -> Read {
        JsonSchema.read(parts, host)
    }

    fn new_key(&self, _: &Tree, _: usize, _: &Key, value: &Node) -> Option<NewKey> {
        Some(json_schema::like::new_key(value))
    }

    fn semantics(&self) -> &'static Semantics {
        &json_schema::SEMANTICS
    }

    fn rules(&self) -> &'static [&'static Rule] {
        &[]
    }
}
