//! Definitions of custom resources as documents. The built-in schema of their kind (`schema.json`) states the types; the
//! rules say what the API server refuses beyond them (`k8s.io/apiextensions-apiserver`,
//! `ValidateCustomResourceDefinition`); what concerns the structure of schemas is found here.

mod nested;
mod refused;
mod schema;

pub(super) use refused::Refused;
pub(super) use schema::unsupported;

use super::fields::Fields;
use super::look::{Definition, Look};
use super::rules::{looks, root_schema};
use lofting_diagnostic::Diagnostic;
use lofting_document::Node;

/// The kind of these documents.
pub(super) const KIND: &str = "CustomResourceDefinition";

/// The version of the kind that servers still have.
pub(super) const VERSION: &str = "apiextensions.k8s.io/v1";

/// The schema of the kind.
pub(super) const SCHEMA: &str = include_str!("schema.json");

/// What is wrong with a document; nothing if it is not a definition.
pub(super) fn findings(document: &Node) -> Vec<Diagnostic> {
    let root = Fields(document);
    let is = |key, wanted| root.text(key).is_some_and(|text| text.text == wanted);
    let mut found = Vec::new();
    if !is("kind", KIND) || !is("apiVersion", VERSION) {
        return found;
    }
    let Some(spec) = root.below("spec") else { return found };
    for look in looks() {
        if let Look::Definition(look) = look {
            look(&Definition { root, spec }, &mut found);
        }
    }
    for version in spec.items("versions").iter().map(|item| Fields(&item.value)) {
        self::version(version, &mut found);
    }
    if spec.is_set("preserveUnknownFields")
        && let Some(flag) = spec.value("preserveUnknownFields")
    {
        let message = "a definition cannot preserve unknown fields as a whole";
        let finding = root_schema::finding(flag.span, message);
        found.push(finding.help("set `x-kubernetes-preserve-unknown-fields: true` in the schema"));
    }
    found
}

fn version(version: Fields<'_>, found: &mut Vec<Diagnostic>) {
    for look in looks() {
        if let Look::Version(look) = look {
            look(version, found);
        }
    }
    let subresources = version.below("subresources");
    let has_status = subresources.is_some_and(|subresources| subresources.value("status").is_some());
    if let Some(own) = version.below("schema").and_then(|schema| schema.below("openAPIV3Schema")) {
        schema::check(own, has_status, found);
    }
}

#[cfg(test)]
mod tests;
