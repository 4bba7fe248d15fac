//! Reads schemas together with the documents that they refer to.

use super::drafts::Draft;
use super::keywords::{Fault, FaultKind};
use super::locations::REFERENCES;
use super::resources::{Source, built_in};
use super::schema::JsonSchemaReader;
use super::uri::join;
use super::{Flavour, Read};
use lofting_document::{Document, FileId, Key, MapItem, Node, NodeValue, Options, lower};
use lofting_schema::{Schema, Semantics};
use lofting_syntax::resolve::Profile;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Provides the documents that schemas refer to.
pub trait Documents {
    /// The document with an absolute URI without fragment.
    fn document(&self, uri: &str) -> Result<Arc<Document>, Unread>;

    /// Whether keywords beside a `$ref` count in the document with this URI even up to draft 7, which says that they are
    /// ignored. Authors of catalogues test their schemas with programs for which they count, and rely on that.
    fn joins_references(&self, _uri: &str) -> bool {
        false
    }
}

/// Why a document is not available.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
    /// It is still being searched for. References to it are not reported.
    Awaited,
    /// In words: `it is not on disk`.
    Because(String),
}

/// A schema with the documents that it was read from.
#[derive(Debug, Clone)]
pub struct Linked {
    /// The schema and its faults.
    pub read: Read,
    /// The documents that it refers to, directly or indirectly, by URI.
    pub documents: Vec<(String, Arc<Document>)>,
}

/// How many documents one schema may lead to.
const DOCUMENTS: usize = 200;

/// How many steps may lead from a document to others.
const ROUNDS: usize = 20;

/// Documents that are built into the program have no place to show.
const NO_FILE: FileId = FileId(u32::MAX);

/// Reads a schema with the given URI, and everything it refers to. A fragment of the URI selects a schema inside the
/// document; the schema is unknown if there is none. Without a fragment, all schemas of an OpenAPI document are read, and
/// the result is unknown.
pub fn read_linked(
    uri: &str,
    root: &Node,
    flavour: &Flavour,
    semantics: &'static Semantics,
    documents: &dyn Documents,
) -> Linked {
    read_with_documents(uri, root, (flavour, semantics), Extent::Reached, documents)
}

/// Reads a schema as its author sees it: also the definitions that nothing leads to.
pub(super) fn read_whole(
    uri: &str,
    root: &Node,
    flavour: &Flavour,
    semantics: &'static Semantics,
    documents: &dyn Documents,
) -> Linked {
    read_with_documents(uri, root, (flavour, semantics), Extent::Whole, documents)
}

/// How much of a document is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// What its root, or a place in it, leads to.
    Reached,
    /// The schema with its definitions.
    Whole,
}

fn read_with_documents(
    uri: &str,
    root: &Node,
    (flavour, semantics): (&Flavour, &'static Semantics),
    extent: Extent,
    documents: &dyn Documents,
) -> Linked {
    let mut known: Vec<(String, Arc<Document>)> = Vec::new();
    let mut unread: FxHashMap<String, Unread> = FxHashMap::default();
    let (mut read, mut wanted) = read_with(uri, root, &known, (flavour, semantics), extent, documents);
    let base = uri.split('#').next().unwrap_or_default();
    for _ in 0..ROUNDS {
        let before = known.len();
        for uri in wanted {
            if known.len() >= DOCUMENTS || unread.contains_key(&uri) {
                continue;
            }
            match built_in_document(&uri).map_or_else(|| documents.document(&uri), Ok) {
                Ok(document) => known.push((uri, document)),
                Err(why) => drop(unread.insert(uri, why)),
            }
        }
        if known.len() == before {
            break;
        }
        (read, wanted) = read_with(uri, root, &known, (flavour, semantics), extent, documents);
    }
    read.faults.retain_mut(|fault| explain(fault, base, &unread));
    Linked { read, documents: known }
}

/// The documents that a document refers to directly, by absolute URI, except built-in ones.
#[derive(Debug, Default)]
pub struct DocumentsNamed {
    /// Those that its schema refers to, with all its definitions.
    pub by_schema: Vec<String>,
    /// Those that are referred to elsewhere in it. Such a place is a schema only if another document refers to it.
    pub elsewhere: Vec<String>,
}

impl DocumentsNamed {
    /// Looks for the references of a document with the given URI.
    pub fn read(uri: &str, root: &Node) -> DocumentsNamed {
        if may_leave(root) { DocumentsNamed::read_thoroughly(uri, root) } else { DocumentsNamed::default() }
    }

    fn read_thoroughly(uri: &str, root: &Node) -> DocumentsNamed {
        let language = (&super::dialect::FLAVOUR, &super::dialect::SEMANTICS);
        // Other documents may refer to any of its definitions.
        let (_, wanted) = read_with(uri, root, &[], language, Extent::Whole, &Alone);
        let by_schema: Vec<String> = wanted.into_iter().filter(|uri| built_in(uri).is_none()).collect();
        let base = uri.split('#').next().unwrap_or_default();
        let mut elsewhere: Vec<String> = references(root).into_iter().map(|to| join(base, to).0).collect();
        elsewhere.sort_unstable();
        elsewhere.dedup();
        let known: FxHashSet<&str> = by_schema.iter().map(String::as_str).chain([base]).collect();
        elsewhere.retain(|uri| !known.contains(uri.as_str()) && built_in(uri).is_none());
        DocumentsNamed { by_schema, elsewhere }
    }
}

/// Whether anything in a document names another one. Most documents refer only to themselves, and are not read to know
/// that.
fn may_leave(root: &Node) -> bool {
    texts(root).any(|(key, text)| match key {
        "$schema" => Draft::of_meta_schema(text.trim_end_matches('#')).is_none(),
        _ => REFERENCES.contains(&key) && !text.is_empty() && !text.starts_with('#'),
    })
}

/// Everything in a document that is written as a reference to another one, whether a schema is there or not.
fn references(root: &Node) -> Vec<&str> {
    texts(root).filter(|(key, _)| *key == "$ref").map(|(_, to)| to).collect()
}

/// All strings in a document that are the value of a key, with the key.
fn texts(root: &Node) -> impl Iterator<Item = (&str, &str)> {
    let mut open = vec![root];
    let mut items: &[MapItem] = &[];
    std::iter::from_fn(move || {
        loop {
            while let Some((item, rest)) = items.split_first() {
                items = rest;
                match (&item.key, &item.value.value) {
                    (Key::String(key), NodeValue::String(text)) => return Some((key.as_str(), text.as_str())),
                    _ => open.push(&item.value),
                }
            }
            match &open.pop()?.value {
                NodeValue::Map(map) => items = map,
                NodeValue::Array(array) => open.extend(array.iter().map(|item| &item.value)),
                _ => {}
            }
        }
    })
}

fn read_with(
    uri: &str,
    root: &Node,
    others: &[(String, Arc<Document>)],
    (flavour, semantics): (&Flavour, &'static Semantics),
    extent: Extent,
    documents: &dyn Documents,
) -> (Read, Vec<String>) {
    let (uri, fragment) = uri.split_once('#').unwrap_or((uri, ""));
    let source = |uri, root| Source { uri, root, joins_references: documents.joins_references(uri) };
    let own = source(uri, root);
    let others = others.iter().map(|(uri, document)| source(uri, &document.value));
    let sources: Vec<Source<'_>> = std::iter::once(own).chain(others).collect();
    let mut reader = JsonSchemaReader::linked(&sources, root, flavour);
    let root = reader.read_document(root, fragment, extent);
    let (nodes, faults, wanted) = reader.finish();
    (Read { schema: Schema::new(nodes, root, semantics), faults }, wanted)
}

/// Adds the reason why a document is missing to the fault of a reference. Returns whether it is a fault at all.
fn explain(fault: &mut Fault, base: &str, unread: &FxHashMap<String, Unread>) -> bool {
    let FaultKind::ReferencePath { to, uri } = &fault.kind else { return true };
    let (beside, _) = join(base, to);
    match unread.get(uri.as_str()).or_else(|| unread.get(&beside)) {
        Some(Unread::Awaited) => return false,
        Some(Unread::Because(why)) => {
            // What a URI that the schema gives itself makes of the reference is not what is seen there.
            let is_moved = !uri.is_empty() && *uri != beside && !to.starts_with(uri.as_str());
            let why = if is_moved { format!("by `$id` it is in `{uri}`: {why}") } else { why.clone() };
            fault.kind = FaultKind::ReferenceUnread { to: to.clone(), why: why.into() };
        }
        None => {}
    }
    true
}

/// For schemas that refer to nothing but built-in documents.
pub(super) struct Alone;

impl Documents for Alone {
    fn document(&self, _: &str) -> Result<Arc<Document>, Unread> {
        Err(Unread::Because("no other document is available".to_owned()))
    }
}

/// The schema in a built-in text, which refers to nothing outside it.
pub(crate) fn built_in_schema(text: &'static str, flavour: &Flavour, semantics: &'static Semantics) -> Option<Schema> {
    let document = built_in_text(text)?;
    Some(read_linked("", &document.value, flavour, semantics, &Alone).read.schema)
}

/// The schema at a place in a built-in document, which refers to nothing outside it.
pub(crate) fn built_in_schema_at(
    document: &Document,
    fragment: &str,
    flavour: &Flavour,
    semantics: &'static Semantics,
) -> Schema {
    read_linked(&format!("#{fragment}"), &document.value, flavour, semantics, &Alone).read.schema
}

/// A built-in document, by its URI.
pub(super) fn built_in_document(uri: &str) -> Option<Arc<Document>> {
    built_in(uri).and_then(built_in_text)
}

/// The document of a built-in text.
pub(crate) fn built_in_text(text: &'static str) -> Option<Arc<Document>> {
    let tree = lofting_syntax::parse(text);
    let documents = lower(NO_FILE, &tree, Profile::Core12, Options::default());
    documents.documents.into_iter().next().map(Arc::new)
}

#[cfg(test)]
mod tests {
    use super::{DocumentsNamed, Profile, lower, may_leave};
    use lofting_document::{FileId, Options};

    const HEADS: [&str; 6] = [
        "",
        "$schema: http://json-schema.org/draft-04/schema#\n",
        "$schema: https://json-schema.org/draft/2020-12/schema\n",
        "$schema: https://example.com/own\n",
        "$id: https://example.com/a.json\n",
        "openapi: 3.1.0\n",
    ];

    const SCHEMAS: [&str; 13] = [
        "{type: string}",
        "{$ref: '#/$defs/a'}",
        "{$ref: '#'}",
        "{$ref: ''}",
        "{$ref: '#anchor'}",
        "{$ref: other.json}",
        "{$ref: 'https://example.com/a.json'}",
        "{$ref: 1}",
        "{$dynamicRef: '#a'}",
        "{$dynamicRef: 'other.json#a'}",
        "{$recursiveRef: '#'}",
        "{$id: b.json, $ref: '#/x'}",
        "{$schema: 'https://example.com/own'}",
    ];

    const PLACES: [&str; 5] =
        ["properties: {x: @}", "$defs: {a: @}", "examples: [@]", "x: {y: @}", "components: {schemas: {a: @}}"];

    #[test]
    fn a_document_that_names_no_other_one_need_not_be_read_to_know_that() {
        let (mut alone, mut others) = (0, 0);
        for head in HEADS {
            for place in PLACES {
                for schema in SCHEMAS {
                    let text = format!("{head}{}\n", place.replace('@', schema));
                    let read = lower(FileId(0), &lofting_syntax::parse(&text), Profile::Core12, Options::default());
                    let root = &read.documents[0].value;
                    let named = DocumentsNamed::read_thoroughly("file:///a.yaml", root);
                    let is_alone = named.by_schema.is_empty() && named.elsewhere.is_empty();
                    assert!(is_alone || may_leave(root), "{text}{named:?}");
                    *(if may_leave(root) { &mut others } else { &mut alone }) += 1;
                }
            }
        }
        assert!(alone > 100 && others > 100, "{alone} {others}");
    }
}
