//! What is wrong in the resources of a file beyond their schemas, kept by the nodes of its tree: after an edit only the
//! resources that it touched are looked at again.

use super::workloads::Neighbour;
use super::{SEMANTICS, definition, services, validation, values, workloads};
use crate::FileView;
use crate::claim::below;
use crate::resources::{Resource, ResourcePart, items, way_to_item};
use lofting_diagnostic::Diagnostic;
use lofting_document::FileId;
use lofting_memo::{Shared, are_alike};
use lofting_schema::Step;
use lofting_syntax::{Document, Green, Node, halves};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Whether something may be wrong with a kind.
pub(super) fn concerns(kind: &str) -> bool {
    workloads::concerns(kind) || values::concerns(kind) || validation::concerns(kind) || kind == definition::KIND
}

/// What was found in a file, from one of its states to the next.
#[derive(Default)]
pub(super) struct Checked {
    /// By the address of the node.
    parts: FxHashMap<usize, Arc<CheckedPart>>,
    /// The last state of the file as a whole, and whether all services fitted its workloads.
    last: Option<(Arc<CheckedPart>, bool)>,
    sweep_at: usize,
}

/// When more parts are known than this, those that the file does not have any more are forgotten.
const SWEEP: usize = 1_024;

/// What was found in a part of a file: a document, an item of a list, or a group of these.
struct CheckedPart {
    /// Held, so that its address never refers to another node.
    node: Arc<Green>,
    /// How many findings are in it.
    found: usize,
    /// How many workloads and services.
    neighbours: usize,
    content: CheckedContent,
}

enum CheckedContent {
    Parts(Box<[PartAt]>),
    Resources(Box<OfResources>),
}

/// A part with the offset of its first byte from that of the part around it.
type PartAt = (usize, Arc<CheckedPart>);

/// What was found in the resources of a document or an item.
struct OfResources {
    /// Where it began when they were looked at.
    start: usize,
    found: Vec<Diagnostic>,
    neighbours: Vec<Neighbour>,
}

impl Checked {
    /// The findings in a file.
    pub fn findings(&mut self, file: &dyn FileView) -> Vec<Diagnostic> {
        let root = file.tree().root();
        if self.parts.is_empty()
            && let Some(halves) = halves(file.tree())
        {
            self.look_ahead(file, &halves);
        }
        let Some(all) = self.part(file, root, root) else { return Vec::new() };
        let mut found = Vec::new();
        all.found_in(file.id(), 0, &mut found);
        let mut fits = self.last.as_ref().is_some_and(|(last, fits)| *fits && say_the_same(last, &all));
        if !fits {
            let mut neighbours = Vec::with_capacity(all.neighbours);
            all.neighbours_in(0, &mut neighbours);
            let unfit = services::findings(file.id(), &neighbours);
            fits = unfit.is_empty();
            found.extend(unfit);
        }
        self.last = Some((all, fits));
        self.sweep();
        found
    }

    /// Looks at the halves of a file on a thread each.
    fn look_ahead(&mut self, file: &dyn FileView, [first, second]: &[Vec<Node<'_>>; 2]) {
        let look = |half: &[Node<'_>]| {
            let mut known = Checked::default();
            for node in half {
                known.part(file, *node, file.tree().root());
            }
            known.parts
        };
        let (beside, here) = lofting_memo::side_by_side(lofting_eval::STACK, || look(second), || look(first));
        self.parts = here;
        self.parts.extend(beside.unwrap_or_default());
    }

    /// What is found in a node that is a part of the file, or all of it. None for a node that can have no resources.
    /// `document` is the one around it. Groups and lists have few levels.
    fn part(&mut self, file: &dyn FileView, node: Node<'_>, document: Node<'_>) -> Option<Arc<CheckedPart>> {
        let green = node.green()?;
        let address = Arc::as_ptr(green).addr();
        if let Some(known) = self.parts.get(&address) {
            return Some(Arc::clone(known));
        }
        let document = if Document::cast(node).is_some() { node } else { document };
        let start = node.range().start;
        let mut part =
            CheckedPart { node: Arc::clone(green), found: 0, neighbours: 0, content: CheckedContent::Parts([].into()) };
        let mut is_whole = true;
        match ResourcePart::of(node, SEMANTICS.profile) {
            ResourcePart::Parts(nodes) => {
                let mut inside: Vec<PartAt> = Vec::new();
                for node in nodes {
                    // What belongs to no resource has no node of its own, or nothing in it.
                    let Some(own) = self.part(file, node, document) else { continue };
                    part.found += own.found;
                    part.neighbours += own.neighbours;
                    is_whole &= self.parts.contains_key(&Arc::as_ptr(&own.node).addr());
                    inside.push((node.range().start - start, own));
                }
                part.content = CheckedContent::Parts(inside.into());
            }
            ResourcePart::Resources(resources) => {
                let mut own = OfResources { start, found: Vec::new(), neighbours: Vec::new() };
                for resource in &resources {
                    is_whole &= own.look(file, resource, document);
                }
                (part.found, part.neighbours) = (own.found.len(), own.neighbours.len());
                part.content = CheckedContent::Resources(Box::new(own));
            }
        }
        let part = Arc::new(part);
        if is_whole {
            self.parts.insert(address, Arc::clone(&part));
        }
        Some(part)
    }

    fn sweep(&mut self) {
        if self.parts.len() > self.sweep_at.max(SWEEP) {
            // What is in a group that is forgotten now is forgotten the next time.
            self.parts.retain(|_, part| Arc::strong_count(part) > 1);
            self.sweep_at = 2 * self.parts.len();
        }
    }
}

impl OfResources {
    /// Gives whether what is found follows from the text of the document or item alone.
    fn look(&mut self, file: &dyn FileView, resource: &Resource<'_>, document: Node<'_>) -> bool {
        let (id, found) = (file.id(), &mut self.found);
        validation::look(resource, id, found);
        values::look(resource, id, found);
        self.neighbours.extend(workloads::look(resource, id, self.start, found));
        if resource.kind.as_deref() != Some(definition::KIND) {
            return true;
        }
        let Some(read) = Document::cast(document).and_then(|document| file.document(&document)) else { return true };
        let is_whole = document.range().start == self.start;
        let item =
            Document::cast(document).filter(|_| !is_whole).and_then(|document| items(&document)?.inside_at(self.start));
        let way = item.into_iter().flat_map(|(index, _)| way_to_item(index));
        let way: Vec<Step> = way.chain(resource.root.path()).collect();
        if let Some(content) = way.iter().try_fold(&read.value, below) {
            found.extend(definition::findings(content));
        }
        // An item may refer to what is anchored elsewhere in its document.
        is_whole || !document.has_names()
    }
}

impl CheckedPart {
    /// Adds the findings, where they are now. The part begins at `start`.
    fn found_in(&self, file: FileId, start: usize, all: &mut Vec<Diagnostic>) {
        match &self.content {
            _ if self.found == 0 => {}
            CheckedContent::Parts(parts) => {
                parts.iter().for_each(|(offset, part)| part.found_in(file, start + offset, all))
            }
            CheckedContent::Resources(own) => all.extend(own.found.iter().map(|found| {
                let mut found = found.clone();
                found.shift(file, start as i64 - own.start as i64);
                found
            })),
        }
    }

    /// Adds the workloads and services, each with the beginning of its document or item.
    fn neighbours_in<'p>(&'p self, start: usize, all: &mut Vec<(usize, &'p Neighbour)>) {
        match &self.content {
            _ if self.neighbours == 0 => {}
            CheckedContent::Parts(parts) => {
                parts.iter().for_each(|(offset, part)| part.neighbours_in(start + offset, all))
            }
            CheckedContent::Resources(own) => all.extend(own.neighbours.iter().map(|neighbour| (start, neighbour))),
        }
    }
}

impl Shared for CheckedPart {
    fn size(&self) -> usize {
        self.neighbours
    }

    fn inside(&self) -> Option<Vec<&Arc<CheckedPart>>> {
        match &self.content {
            CheckedContent::Parts(parts) => Some(parts.iter().map(|(_, part)| part).collect()),
            CheckedContent::Resources(_) => None,
        }
    }
}

impl CheckedPart {
    /// The workloads and services of a document or an item.
    fn own_neighbours(&self) -> &[Neighbour] {
        match &self.content {
            CheckedContent::Parts(_) => &[],
            CheckedContent::Resources(own) => &own.neighbours,
        }
    }
}

/// Whether two states of a file say the same of workloads and services.
fn say_the_same(one: &Arc<CheckedPart>, other: &Arc<CheckedPart>) -> bool {
    are_alike(std::iter::once(one), std::iter::once(other), |one, other| {
        let (one, other) = (one.own_neighbours(), other.own_neighbours());
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.is_like(other))
    })
}

#[cfg(test)]
mod tests;
