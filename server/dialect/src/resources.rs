//! Resources of a cluster in a file: its documents, and the items of lists, such as `kubectl` writes for several
//! resources.

use crate::claim::below;
use crate::{Claim, WrittenSteps};
use lofting_document::{Document, Key, Node, NodeValue};
use lofting_schema::Step;
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Element, Item, Kind, Tree};
use smol_str::SmolStr;

/// A key of every resource.
pub const API_VERSION: &str = "apiVersion";

/// The key with the kind of a resource.
pub const KIND: &str = "kind";

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

/// The resources of the document that holds an offset, or of the item if it is a list. Others are not read.
pub(crate) fn resources_at(tree: &Tree, offset: usize, profile: Profile) -> Vec<Resource<'_>> {
    let Some((number, document)) = tree.document_at(offset) else { return Vec::new() };
    let Some(items) = items(&document) else { return resources_in(&document, number, profile) };
    let Some((index, node)) = items.inside_at(offset) else { return Vec::new() };
    Item::cast(node).map(|item| of_item(number, &item, way_to_item(index).to_vec(), profile)).unwrap_or_default()
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

/// A part of a tree: what it consists of.
pub(crate) enum ResourcePart<'t> {
    /// The parts in a file, in a group, or in a document that is a list. What one of them means follows
    /// from its text alone.
    Parts(Vec<lofting_syntax::Node<'t>>),
    /// The resources of a document or of an item of a list, as if it were the first document.
    Resources(Vec<Resource<'t>>),
}

impl<'t> ResourcePart<'t> {
    /// Reads a node that is the root of a tree or a part of another one.
    pub fn of(node: lofting_syntax::Node<'t>, profile: Profile) -> Self {
        lofting_memo::step();
        let inside =
            |node: lofting_syntax::Node<'t>| ResourcePart::Parts(node.parts().filter_map(Element::node).collect());
        let mut found = Vec::new();
        if let Some(document) = lofting_syntax::Document::cast(node) {
            if let Some(items) = items(&document) {
                return inside(items);
            }
            found = resources_in(&document, 0, profile);
        } else if let Some(item) = Item::cast(node) {
            found = resources_in_item(&item, profile);
        } else if matches!(node.kind(), Kind::Stream | Kind::Group) {
            return inside(node);
        }
        ResourcePart::Resources(found)
    }
}

/// The array of resources in a document that is a list of them.
pub fn items<'t>(document: &lofting_syntax::Document<'t>) -> Option<lofting_syntax::Node<'t>> {
    // That a text is a string, all languages with resources agree on.
    let root = WrittenSteps::root(document.root()?, Profile::Core12);
    let is_list = is_list(&root.text_at(API_VERSION)?, &root.text_at(KIND)?);
    root.key(ITEMS).filter(|_| is_list)?.value().seq().map(|items| items.node())
}

/// The resource that holds what a path leads to: the document, or the item if it is a list.
pub fn on_way<'t>(root: WrittenSteps<'t>, path: &[Step]) -> Option<WrittenSteps<'t>> {
    let is_resource = |place: &WrittenSteps<'t>| {
        let head = place.text_at(API_VERSION).zip(place.text_at(KIND));
        head.is_some_and(|(version, kind)| !is_list(&version, &kind))
    };
    let mut place = root;
    for step in path {
        if is_resource(&place) {
            break;
        }
        place = place.step(step)?;
    }
    Some(place).filter(is_resource)
}

/// The path to an item of such a document.
pub fn way_to_item(index: usize) -> [Step; 2] {
    [Step::Key(Key::from(ITEMS)), Step::Index(index)]
}

/// The resources of an item of a list, in the order of the text, with paths from the item: several if it is a list as well.
pub(crate) fn resources_in_item<'t>(item: &Item<'t>, profile: Profile) -> Vec<Resource<'t>> {
    of_item(0, item, Vec::new(), profile)
}

fn of_item<'t>(document: usize, item: &Item<'t>, path: Vec<Step>, profile: Profile) -> Vec<Resource<'t>> {
    let mut found = Vec::new();
    add(document, WrittenSteps::at_item(item, path, profile), LISTS - 1, &mut found);
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
                let way_to = |index: usize| way.iter().cloned().chain(way_to_item(index)).collect::<Vec<_>>();
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
