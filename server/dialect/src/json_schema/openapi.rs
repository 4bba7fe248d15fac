//! Documents of OpenAPI: their version, where they contain schemas, and what these mean.

use super::drafts::{Draft, Vocabulary};
use crate::WrittenSteps;
use lofting_document::{Key, MapItem, Node, NodeValue};
use lofting_schema::Declared;

/// A version of OpenAPI, oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// 2.0, which was called Swagger.
    V20,
    /// 3.0, whose schemas are like those of draft 4.
    V30,
    /// 3.1, whose schemas are those of 2020-12.
    V31,
    /// 3.2, the same.
    V32,
}

/// The keys at the root of a document that say its version.
pub const HEADS: [&str; 2] = ["openapi", "swagger"];

impl Version {
    /// All of them.
    pub const ALL: [Version; 4] = [Version::V20, Version::V30, Version::V31, Version::V32];

    /// Its number.
    pub fn number(self) -> &'static str {
        match self {
            Version::V20 => "2.0",
            Version::V30 => "3.0",
            Version::V31 => "3.1",
            Version::V32 => "3.2",
        }
    }

    /// The version that a key at a document's root says: `openapi: 3.1.0`, `swagger: "2.0"`.
    pub fn of_head(key: &str, value: &str) -> Option<Version> {
        let is_of = |version: &Version| {
            let is_own_key = (key == "swagger") == (*version == Version::V20);
            let after = value.strip_prefix(version.number());
            is_own_key && after.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']))
        };
        Version::ALL.into_iter().filter(|_| HEADS.contains(&key)).find(is_of)
    }

    /// The version that a document says as it is written. Without quotes it is a number, which is wrong and reported.
    pub fn of_written(root: &WrittenSteps<'_>) -> Option<Version> {
        HEADS.iter().find_map(|key| Version::of_head(key, &root.key(key)?.value().scalar()?.value()))
    }

    /// The version of a document.
    pub(super) fn of_document(root: &Node) -> Option<Version> {
        HEADS.iter().find_map(|key| match &root.get(&Key::from(*key))?.value {
            NodeValue::String(text) => Version::of_head(key, text),
            // Without quotes, which is wrong and reported.
            NodeValue::Float(number) => Version::of_head(key, &format!("{number:.1}")),
            _ => None,
        })
    }

    /// The URI of the schema that documents have to fit.
    pub(super) fn schema(self) -> &'static str {
        match self {
            Version::V20 => "http://swagger.io/v2/schema.json",
            Version::V30 => "https://spec.openapis.org/oas/3.0/schema/2021-09-28",
            Version::V31 => "https://spec.openapis.org/oas/3.1/schema-base/2026-08-03",
            Version::V32 => "https://spec.openapis.org/oas/3.2/schema-base/2026-08-30",
        }
    }

    /// What schemas in a document are written in.
    pub(super) fn vocabulary(self, document: &Node) -> Vocabulary {
        match self {
            Version::V20 => Vocabulary { nullable: Some("x-nullable"), ..Draft::Draft4.vocabulary() },
            Version::V30 => Vocabulary { nullable: Some("nullable"), ..Draft::Draft4.vocabulary() },
            Version::V31 | Version::V32 => {
                let named = document.get(&Key::from("jsonSchemaDialect")).map(|node| &node.value);
                let named = match named {
                    Some(NodeValue::String(uri)) => Draft::of_meta_schema(uri),
                    _ => None,
                };
                named.unwrap_or(Draft::Draft202012).vocabulary()
            }
        }
    }
}

/// What a document of OpenAPI contains.
#[derive(Default)]
pub(super) struct Contents<'n> {
    /// Its schemas, except those inside other schemas.
    pub schemas: Vec<(&'n Node, Declared)>,
    /// The values of `$ref`s outside schemas.
    pub references: Vec<&'n Node>,
}

/// Keys whose values say nothing about the interface that is described.
fn is_free(key: &str) -> bool {
    matches!(key, "example" | "examples" | "default" | "enum" | "value") || key.starts_with("x-")
}

/// Keys below which names are chosen by the author of the document.
fn holds_names(key: &str) -> bool {
    matches!(
        key,
        "responses"
            | "parameters"
            | "requestBodies"
            | "headers"
            | "securitySchemes"
            | "links"
            | "callbacks"
            | "paths"
            | "pathItems"
            | "webhooks"
            | "content"
            | "encoding"
            | "mediaTypes"
            | "variables"
    )
}

/// What a map in a document is.
#[derive(Clone, Copy)]
enum MapRole {
    /// Something with keys of OpenAPI.
    Object,
    /// Values by names that were chosen.
    Names,
    /// Schemas by names that were chosen.
    Schemas,
}

impl<'n> Contents<'n> {
    /// The version and the schemas of a document.
    pub fn of(document: &'n Node) -> Self {
        let mut contents = Contents::default();
        let mut todo = vec![(document, MapRole::Object, true)];
        while let Some((node, place, is_root)) = todo.pop() {
            match &node.value {
                NodeValue::Map(items) => {
                    for item in items {
                        contents.entry(item, place, is_root, &mut todo);
                    }
                }
                NodeValue::Array(items) => todo.extend(items.iter().map(|item| (&item.value, MapRole::Object, false))),
                _ => {}
            }
        }
        contents
    }

    fn entry(&mut self, item: &'n MapItem, place: MapRole, is_root: bool, todo: &mut Vec<(&'n Node, MapRole, bool)>) {
        let key = item.key.as_str().unwrap_or_default();
        let is_map = matches!(item.value.value, NodeValue::Map(_));
        match place {
            MapRole::Schemas => self.schemas.push((&item.value, of_item(item))),
            MapRole::Names => todo.push((&item.value, MapRole::Object, false)),
            MapRole::Object if key == "$ref" => self.references.push(&item.value),
            MapRole::Object if matches!(key, "schema" | "itemSchema") => {
                self.schemas.push((&item.value, of_item(item)))
            }
            MapRole::Object if key == "schemas" || (key == "definitions" && is_root) => {
                todo.push((&item.value, MapRole::Schemas, false));
            }
            MapRole::Object if is_free(key) => {}
            MapRole::Object if holds_names(key) && is_map => todo.push((&item.value, MapRole::Names, false)),
            MapRole::Object => todo.push((&item.value, MapRole::Object, false)),
        }
    }
}

fn of_item(item: &MapItem) -> Declared {
    Declared { span: item.span, name: item.key_span }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_says_the_version() {
        for (key, value, want) in [
            ("openapi", "3.0.3", Some(Version::V30)),
            ("openapi", "3.1", Some(Version::V31)),
            ("openapi", "3.1.0-rc1", Some(Version::V31)),
            ("openapi", "3.2.0", Some(Version::V32)),
            ("swagger", "2.0", Some(Version::V20)),
            ("openapi", "2.0", None),
            ("swagger", "3.0.0", None),
            ("openapi", "3.10.0", None),
            ("openapi", "4.0.0", None),
            ("asyncapi", "3.0.0", None),
            ("openapi", "", None),
        ] {
            assert_eq!(Version::of_head(key, value), want, "{key}: {value}");
        }
    }
}
