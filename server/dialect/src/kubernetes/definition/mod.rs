//! Definitions of custom resources as documents. The built-in schema of their kind (`schema.json`) states the types; the
//! files here say what the API server refuses beyond them, in the order of its own checks
//! (`k8s.io/apiextensions-apiserver`, `ValidateCustomResourceDefinition`).

mod conversion;
mod fields;
mod lists;
mod names;
mod nested;
mod paths;
mod schema;
mod validations;
mod versions;

use fields::Fields;
use lofting_diagnostic::Diagnostic;
use lofting_document::Node;

/// The kind of these documents.
pub(super) const KIND: &str = "CustomResourceDefinition";

/// The version of the kind that servers still have.
pub(super) const VERSION: &str = "apiextensions.k8s.io/v1";

/// The schema of the kind.
pub(super) const SCHEMA: &str = include_str!("schema.json");

/// What is wrong with a document; nothing if it is no definition.
pub(super) fn findings(document: &Node) -> Vec<Diagnostic> {
    let root = Fields(document);
    let is = |key, wanted| root.text(key).is_some_and(|text| text.text == wanted);
    let mut found = Vec::new();
    if !is("kind", KIND) || !is("apiVersion", VERSION) {
        return found;
    }
    let Some(spec) = root.below("spec") else { return found };
    names::check(root, spec, &mut found);
    versions::check(spec, &mut found);
    conversion::check(spec, &mut found);
    found
}
