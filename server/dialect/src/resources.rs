//! Resources of a cluster in a file: its documents, and the items of lists, such as `kubectl` writes for several
//! resources.

use crate::claim::below;
use crate::{Claim, WrittenSteps};
use lofting_document::{Document, Key, Node, NodeValue};
use lofting_schema::Step;
use lofting_syntax::Tree;
use lofting_syntax::resolve::Profile;
use smol_str::SmolStr;

/// A key of every resource.
pub(crate) const API_VERSION: &str = "apiVersion";

/// The key with the kind of a resource.
const KIND: &str = "kind";

/// The key with the resources of a list.
const ITEMS: &str = "items";

/// How deeply lists may contain other lists.
const LISTS: usize = 4;

/// A resource as it is written.
pub(crate) struct Resource<'t> {
    /// The index of its document.
    pub document: usize,
    pub root: WrittenSteps<'t>,
    pub version: SmolStr,
    /// None if it is not written yet.
    pub kind: Option<SmolStr>,
}

fn is_list(version: &str, kind: &str) -> bool {
    kind == "List" && version == "v1"
}

/// The resources of a file, in the order of the text.
pub(crate) fn resources(tree: &Tree, profile: Profile) -> Vec<Resource<'_>> {
    tree.documents().enumerate().flat_map(|(number, document)| resources_in(&document, number, profile)).collect()
}

/// The resources of the document that holds an offset. Other documents are not read.
pub(crate) fn resources_at(tree: &Tree, offset: usize, profile: Profile) -> Vec<Resource<'_>> {
    let document = tree.document_at(offset);
    document.map(|(number, document)| resources_in(&document, number, profile)).unwrap_or_default()
}

/// The resources of a document, in the order of the text.
pub(crate) fn resources_in<'t>(
    document: &lofting_syntax::Document<'t>,
    number: usize,
    profile: Profile,
) -> Vec<Resource<'t>> {
    lofting_memo::step();
    let mut found = Vec::new();
    if let Some(root) = document.root() {
        add(number, WrittenSteps::root(root, profile), LISTS, &mut found);
    }
    found
}

fn add<'t>(document: usize, root: WrittenSteps<'t>, lists: usize, found: &mut Vec<Resource<'t>>) {
    let text = |key| root.text_at(key);
    let Some(version) = text(API_VERSION) else { return };
    let kind = text(KIND);
    if kind.as_ref().is_some_and(|kind| is_list(&version, kind)) {
        let items = root.key(ITEMS).map(|items| items.items()).unwrap_or_default();
        items.into_iter().filter(|_| lists > 0).for_each(|item| add(document, item, lists - 1, found));
    } else {
        found.push(Resource { document, root, version, kind });
    }
}

/// The content of the resources of a document, each with the path to it.
pub(crate) fn contents(document: &Document) -> Vec<(Vec<Step>, &Node)> {
    let mut found = Vec::new();
    let mut todo = vec![(Vec::new(), &document.value)];
    while let Some((way, node)) = todo.pop() {
        let of = |key: &str| below(node, &Step::Key(Key::from(key))).map(|node| &node.value);
        match (of(API_VERSION), of(KIND), of(ITEMS)) {
            (Some(NodeValue::String(version)), Some(NodeValue::String(kind)), Some(NodeValue::Array(items)))
                if is_list(version, kind) && way.len() < 2 * LISTS =>
            {
                let way_to = |index: usize| {
                    let steps = [Step::Key(Key::from(ITEMS)), Step::Index(index)];
                    way.iter().cloned().chain(steps).collect::<Vec<_>>()
                };
                // The last is taken first.
                todo.extend(items.iter().enumerate().rev().map(|(index, item)| (way_to(index), &item.value)));
            }
            _ => found.push((way, node)),
        }
    }
    found
}

/// A path from the root of a document, split into the way to its resource and that from there. Only lists have items at
/// their root.
pub(crate) fn split(path: &[Step]) -> (&[Step], &[Step]) {
    let is_item =
        |steps: &[Step]| matches!(steps, [Step::Key(key), Step::Index(_) | Step::Item] if key.as_str() == Some(ITEMS));
    let lists = path.chunks_exact(2).take(LISTS).take_while(|steps| is_item(steps)).count();
    path.split_at(2 * lists)
}

/// The resource of a claim: its document and the way to it.
pub(crate) fn of_claim(claim: &Claim) -> (usize, &[Step]) {
    (claim.document, split(&claim.at).0)
}
