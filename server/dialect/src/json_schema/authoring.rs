//! What is wrong in a JSON Schema as its author wrote it: what the meta-schema of its draft refuses, and what it allows
//! but cannot be meant. All schemas of a document are checked, including those that nothing refers to.

mod keywords;
mod required;
mod values;

#[cfg(test)]
mod tests;

use super::dialect::SEMANTICS;
use super::drafts::Vocabulary;
use super::openapi::Version;
use super::resources::{ResourceId, Resources, Source};
use super::rules::{ref_not_found, unknown_keyword};
use crate::WrittenSteps;
use crate::texts::Written;
use keywords::Takes;
pub(super) use keywords::keyword_of;
use lofting_diagnostic::Diagnostic;
use lofting_diagnostic::suggest::SEARCHES;
use lofting_document::{Key, MapItem, Node, NodeValue};
use lofting_syntax::Tree;
pub(super) use values::FORMATS;
pub(crate) use values::{is_type, meant_type};

/// The maximum number of schemas in one document that are checked.
const SCHEMAS: usize = 200_000;

/// A schema in the document.
struct Authored<'n> {
    node: &'n Node,
    /// The resource it belongs to.
    resource: ResourceId,
    /// The schema in whose `allOf`, `then` or the like it is: both look at the same value.
    outer: Option<usize>,
}

/// All schemas of a document.
struct Authoring<'n, 't> {
    resources: Resources<'n>,
    all: Vec<Authored<'n>>,
    written: Written<'t>,
    /// How many regular expressions were compiled.
    patterns: usize,
    /// For how many references others were suggested.
    references: usize,
    found: Vec<Diagnostic>,
}

/// The findings about the first of these documents, in the order of the text. `tree` is that of its text.
pub(super) fn findings(sources: &[Source<'_>], tree: Option<&Tree>) -> Vec<Diagnostic> {
    let Some(root) = sources.first().map(|source| source.root).filter(|root| is_schema_node(root)) else {
        return Vec::new();
    };
    let resources = Resources::of(sources, super::drafts::USUAL);
    let mut authoring =
        Authoring { resources, all: Vec::new(), written: Written(tree), patterns: 0, references: 0, found: Vec::new() };
    authoring.look_at(root);
    authoring.required();
    let mut found = authoring.found;
    found.sort_by_key(|finding| (finding.span.start, finding.span.end));
    found
}

/// Whether a document is a schema itself, and not one that only holds schemas somewhere. Those of OpenAPI 2.0 have them in
/// `definitions`, as schemas do; what they have to fit is another schema.
fn is_schema_node(root: &Node) -> bool {
    let NodeValue::Map(items) = &root.value else { return false };
    items.iter().any(|item| item.key.as_str().is_some_and(says_schema)) && Version::of_document(root).is_none()
}

/// Whether the first document of a text is a schema itself, by the keys at its root.
pub fn is_schema(tree: &Tree) -> bool {
    let Some(root) = tree.documents().next().and_then(|document| document.root()) else { return false };
    let mut entries = root.map().into_iter().flat_map(|map| map.entries());
    entries.any(|entry| entry.key().and_then(|key| key.scalar()).is_some_and(|key| says_schema(&key.value())))
        && Version::of_written(&WrittenSteps::root(root, SEMANTICS.profile)).is_none()
}

/// Whether a key at the root of a document is one that only schemas have.
fn says_schema(key: &str) -> bool {
    let is_common = matches!(key, "id" | "title" | "description" | "default" | "required" | "items" | "format");
    !is_common && keyword_of(key, super::drafts::USUAL, false).is_some()
}

impl<'n> Authoring<'n, '_> {
    /// Looks at all schemas from a root on.
    fn look_at(&mut self, root: &'n Node) {
        let mut todo = vec![(root, 0, None)];
        while let Some((node, within, outer)) = todo.pop() {
            let resource = self.resources.begins(node).unwrap_or(within);
            let vocabulary = self.resources.vocabulary_of(resource);
            let NodeValue::Map(items) = &node.value else {
                self.no_schema(node, vocabulary);
                continue;
            };
            if self.all.len() >= SCHEMAS {
                return;
            }
            let number = self.all.len();
            self.all.push(Authored { node, resource, outer });
            // What is beside a reference means nothing up to draft 7, which is reported; its definitions do.
            let is_alone = vocabulary.reference_stands_alone() && node.get(&Key::from("$ref")).is_some();
            for item in items {
                let Some(name) = item.key.as_str() else { continue };
                let counts = !is_alone || matches!(name, "$ref" | "definitions" | "$defs");
                let Some(keyword) = keyword_of(name, vocabulary.draft, vocabulary.is_named) else {
                    if counts {
                        self.unknown(item, node, vocabulary);
                    }
                    continue;
                };
                if counts {
                    self.value(item, keyword.takes, vocabulary);
                }
                if name == "$ref" {
                    self.reference(&item.value, resource);
                }
                let same_value = matches!(
                    name,
                    "allOf" | "anyOf" | "oneOf" | "not" | "if" | "then" | "else" | "dependentSchemas" | "dependencies"
                );
                let outer = same_value.then_some(number);
                todo.extend(below(item, keyword.takes).map(|node| (node, resource, outer)));
            }
        }
    }

    /// A reference to a place that is not there, if another one was meant.
    fn reference(&mut self, node: &Node, resource: ResourceId) {
        let NodeValue::String(to) = &node.value else { return };
        if self.references >= SEARCHES || self.resources.resolve(to, resource).is_some() {
            return;
        }
        self.references += 1;
        if let Some(meant) = self.resources.nearest(to, resource) {
            let new = self.written.like(node.span, &meant);
            self.found.push(ref_not_found::nearly(node.span, to, &meant, new));
        }
    }

    /// A word that is not a keyword, if it is nearly one.
    fn unknown(&mut self, item: &MapItem, schema: &Node, vocabulary: Vocabulary) {
        let Some(word) = item.key.as_str().filter(|_| !item.merged) else { return };
        let meant = keywords::meant(word, vocabulary.draft, vocabulary.is_named);
        let Some(meant) = meant.filter(|meant| schema.get(&Key::from(*meant)).is_none()) else { return };
        let new = self.written.like(item.key_span, meant);
        self.found.push(unknown_keyword::finding(item.key_span, word, meant, new));
    }
}

/// The values at the places of schemas in the value of a keyword.
fn below<'n>(item: &'n MapItem, takes: Takes) -> impl Iterator<Item = &'n Node> {
    let value = &item.value;
    let is_list = matches!(value.value, NodeValue::Array(_));
    let mut found: Vec<&'n Node> = Vec::new();
    match (takes, &value.value) {
        (Takes::Items | Takes::Schemas, NodeValue::Array(items)) => found.extend(items.iter().map(|item| &item.value)),
        (Takes::Named | Takes::NamedByRegex, NodeValue::Map(items)) => {
            found.extend(items.iter().map(|item| &item.value));
        }
        (Takes::Dependencies, NodeValue::Map(items)) => {
            let schemas = items.iter().map(|item| &item.value);
            found.extend(schemas.filter(|value| !matches!(value.value, NodeValue::Array(_))));
        }
        (Takes::SchemaOrFlag, NodeValue::Bool(_)) => {}
        (Takes::Schema | Takes::SchemaOrFlag | Takes::Items, _) if !is_list || takes != Takes::Items => {
            found.push(value);
        }
        _ => {}
    }
    // The first is looked at first.
    found.into_iter().rev()
}
