//! What is wrong in a JSON Schema as its author wrote it: what the meta-schema of its draft refuses, and what it allows
//! but cannot be meant. All schemas of a document are checked, including those that nothing refers to.

mod inert;
mod keywords;
mod required;
mod values;

#[cfg(test)]
mod tests;

use super::dialect::SEMANTICS;
use super::drafts::{Draft, UnknownDraft, Vocabulary};
use super::openapi::Version;
use super::resources::{ResourceId, Resources, Source, address};
use super::rules::{keyword_value, ref_not_found, unknown_keyword};
use crate::WrittenSteps;
use crate::texts::Written;
use keywords::Takes;
pub(super) use keywords::keyword_of;
use lofting_diagnostic::suggest::SEARCHES;
use lofting_diagnostic::{Diagnostic, Fix};
use lofting_document::{Key, MapItem, Node, NodeValue, Span};
use lofting_syntax::Tree;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
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
    /// Where the anchors of each resource are.
    anchors: FxHashMap<(ResourceId, &'n str), Span>,
    found: Vec<Diagnostic>,
}

/// The findings about the first of these documents, in the order of the text. `tree` is that of its text.
pub(super) fn findings(sources: &[Source<'_>], tree: Option<&Tree>) -> Vec<Diagnostic> {
    let Some(root) = sources.first().map(|source| source.root).filter(|root| is_schema_node(root)) else {
        return Vec::new();
    };
    let resources = Resources::of(sources, super::drafts::USUAL);
    let written = Written(tree);
    let mut authoring = Authoring {
        resources,
        all: Vec::new(),
        written,
        patterns: 0,
        references: 0,
        anchors: FxHashMap::default(),
        found: Vec::new(),
    };
    authoring.draft(root);
    if unknown_draft(root) != Some(UnknownDraft::Earlier) {
        authoring.look_at(root);
        authoring.required();
    }
    let mut found = authoring.found;
    found.sort_by_key(|finding| (finding.span.start, finding.span.end));
    found
}

/// What a schema names instead of a draft that is known.
pub(super) fn unknown_draft(root: &Node) -> Option<UnknownDraft> {
    match root.get(&Key::from("$schema")).map(|node| &node.value) {
        Some(NodeValue::String(uri)) => UnknownDraft::of(uri),
        _ => None,
    }
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

/// Whether the first document of a text may be a schema: it says nothing, or one of its keys is a keyword of any draft.
pub fn has_keyword(tree: &Tree) -> bool {
    let Some(map) = tree.documents().next().and_then(|it| it.root()).and_then(|root| root.map()) else { return true };
    let is_one = |name: &str| {
        name.starts_with(['$', '<'])
            || name.starts_with("x-")
            || keyword_of(name, super::drafts::USUAL, false).is_some()
    };
    let mut names = map.entries().map(|entry| entry.key().and_then(|key| key.scalar())).peekable();
    names.peek().is_none() || names.any(|name| name.is_none_or(|name| is_one(&name.value())))
}

/// Whether a key at the root of a document is one that only schemas have.
fn says_schema(key: &str) -> bool {
    let is_common = matches!(key, "id" | "title" | "description" | "default" | "required" | "items" | "format");
    !is_common && keyword_of(key, super::drafts::USUAL, false).is_some()
}

impl<'n> Authoring<'n, '_> {
    /// The draft that the schema names, if there is no such draft.
    fn draft(&mut self, root: &'n Node) {
        let (Some(unknown), Some(node)) = (unknown_draft(root), root.get(&Key::from("$schema"))) else { return };
        let usual = super::drafts::USUAL.name();
        let finding = match unknown {
            UnknownDraft::Earlier => {
                keyword_value::of(node.span, "drafts before draft 4 are not supported: the schema is not checked")
            }
            UnknownDraft::Other(meant) => {
                let message = format!("`$schema` names no draft that is known: the schema is read as {usual}");
                let finding = keyword_value::of(node.span, message);
                match meant.map(Draft::named) {
                    None => finding,
                    Some(meant) => {
                        let new = self.written.like(node.span, meant);
                        let finding = finding.help(format!("did you mean `{meant}`?"));
                        finding.fix(Fix::replace(format!("Change to `{meant}`"), node.span, new))
                    }
                }
            }
        };
        self.found.push(finding);
    }

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
                if counts {
                    self.found.extend(inert::finding(item, node, vocabulary));
                }
                let Some(keyword) = keyword_of(name, vocabulary.draft, vocabulary.is_named) else {
                    if counts {
                        self.unknown(item, node, vocabulary);
                    }
                    continue;
                };
                if counts {
                    self.value(item, keyword.takes, vocabulary);
                }
                match (name, &item.value.value) {
                    ("$ref", _) => self.reference(node, &item.value, resource),
                    ("$anchor" | "$dynamicAnchor", NodeValue::String(anchor)) => {
                        self.anchor_of(anchor, item.value.span, (resource, vocabulary));
                    }
                    _ => {}
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

    /// A reference of a schema to itself, or to a place that is not there if another one was meant.
    fn reference(&mut self, schema: &Node, node: &Node, resource: ResourceId) {
        let NodeValue::String(to) = &node.value else { return };
        match self.resources.resolve(to, resource) {
            Some(target) if address(target.node) == address(schema) => {
                return self.found.push(ref_not_found::to_itself(node.span, to));
            }
            Some(_) => return,
            None if self.references >= SEARCHES => return,
            None => {}
        }
        self.references += 1;
        if let Some(meant) = self.resources.nearest(to, resource) {
            let new = self.written.like(node.span, &meant);
            self.found.push(ref_not_found::nearly(node.span, to, &meant, new));
        }
    }

    /// An anchor whose name another schema of its resource has.
    fn anchor_of(&mut self, name: &'n str, span: Span, (resource, vocabulary): (ResourceId, Vocabulary)) {
        match self.anchors.entry((resource, name)) {
            Entry::Vacant(free) => _ = free.insert(span),
            Entry::Occupied(taken) => {
                let first = *taken.get();
                let message = format!("another schema has the anchor `{name}`");
                let finding = self.refusal(span, message, vocabulary).related(first, "the first");
                self.found.push(finding);
            }
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
