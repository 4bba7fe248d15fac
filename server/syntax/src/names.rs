//! The names in a text: its anchors and aliases, read again only where an edit changed them.

use crate::ast::Value;
use crate::green::{Child, Green, GreenNode, flag};
use crate::kind::Kind;
use crate::tree::{Element, Node, Tree};
use parking_lot::{Mutex, MutexGuard};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Shorter nodes are read again, unless they are groups of many.
const LEAST: usize = 1_024;

/// When more nodes than this are known, those that are no longer in the text are forgotten.
const SWEEP: usize = 1_024;

/// The anchors and aliases in a node.
#[derive(Debug, Default)]
pub struct NodeNames {
    /// The names of anchors without `&`, with their offsets in the node, in bytes.
    pub anchors: Vec<(Arc<str>, u32)>,
    /// The names of aliases without `*`.
    pub aliases: FxHashMap<Arc<str>, Uses>,
    /// It is an entry with the merge key (`<<`), or such an entry is directly in it.
    pub merges: bool,
    /// The long maps in it with such an entry. In short ones, all entries are soon looked at.
    pub merging: Vec<Arc<Green>>,
}

/// The aliases with one name.
#[derive(Debug, Clone, Copy)]
pub struct Uses {
    /// How many there are.
    pub count: usize,
    /// The offset of the first one in the node, in bytes.
    pub first: u32,
}

/// Answers about nodes, which are held, so that an address never refers to another one.
pub type OfNodes<T> = FxHashMap<usize, (Arc<T>, Arc<Green>)>;

/// Where answers about nodes are kept.
pub trait KeepsAnswers<T> {
    /// What is known about a node.
    fn answer(&self, green: &Arc<Green>) -> Option<Arc<T>>;
    /// Keeps what was found out.
    fn keep(&mut self, green: &Arc<Green>, answer: &Arc<T>);
}

impl<T> KeepsAnswers<T> for OfNodes<T> {
    fn answer(&self, green: &Arc<Green>) -> Option<Arc<T>> {
        self.get(&address(green)).map(|(answer, _)| Arc::clone(answer))
    }

    fn keep(&mut self, green: &Arc<Green>, answer: &Arc<T>) {
        self.insert(address(green), (Arc::clone(answer), Arc::clone(green)));
    }
}

/// Several threads may ask; none waits while another one reads.
impl KeepsAnswers<NodeNames> for &SharedNames {
    fn answer(&self, green: &Arc<Green>) -> Option<Arc<NodeNames>> {
        self.lock().nodes.answer(green)
    }

    fn keep(&mut self, green: &Arc<Green>, answer: &Arc<NodeNames>) {
        self.lock().nodes.keep(green, answer);
    }
}

/// The names in nodes of a text, kept from one revision to the next.
#[derive(Debug, Default)]
pub(crate) struct SharedNames(Mutex<NamesOfRevisions>);

#[derive(Debug, Default)]
struct NamesOfRevisions {
    nodes: OfNodes<NodeNames>,
    /// Documents, and groups of them, in which each alias has its anchor.
    settled: FxHashMap<usize, Arc<Green>>,
    /// Those in which each anchor has an alias.
    used: FxHashMap<usize, Arc<Green>>,
    sweep_at: usize,
}

impl NamesOfRevisions {
    fn len(&self) -> usize {
        self.nodes.len() + self.settled.len() + self.used.len()
    }
}

impl SharedNames {
    fn lock(&self) -> MutexGuard<'_, NamesOfRevisions> {
        self.0.lock()
    }
}

/// An answer about a node that is made of answers about its parts.
pub trait Gathers: Default {
    /// Whether there is anything to know in a node.
    fn enters(node: Node<'_>) -> bool;
    /// Reads what is directly in a node.
    fn read(&mut self, node: Node<'_>);
    /// Adds what is in a part of a node.
    fn join(&mut self, node: Node<'_>, part: Node<'_>, inside: &Self);
}

impl Gathers for NodeNames {
    fn enters(node: Node<'_>) -> bool {
        node.has_names()
    }

    fn read(&mut self, node: Node<'_>) {
        self.merges = node.is_merge();
        let start = node.range().start;
        for part in node.parts() {
            let Element::Token(token) = part else { continue };
            let at = (token.range().start - start) as u32;
            match token.kind() {
                Kind::Anchor => self.anchors.push((token.text().trim_start_matches('&').into(), at)),
                Kind::Alias => self.uses(token.text().trim_start_matches('*').into(), Uses { count: 1, first: at }),
                _ => {}
            }
        }
    }

    fn join(&mut self, node: Node<'_>, part: Node<'_>, inside: &Self) {
        let by = (part.range().start - node.range().start) as u32;
        self.anchors.extend(inside.anchors.iter().map(|(name, at)| (Arc::clone(name), at + by)));
        for (name, uses) in &inside.aliases {
            self.uses(Arc::clone(name), Uses { first: uses.first + by, ..*uses });
        }
        self.merging.extend(inside.merging.iter().cloned());
        match (node.kind(), part.kind()) {
            (Kind::Group | Kind::BlockMap | Kind::FlowMap, Kind::Group | Kind::MapEntry) => {
                self.merges |= inside.merges;
            }
            (_, Kind::BlockMap | Kind::FlowMap) if inside.merges && part.is_long() => {
                self.merging.extend(part.green().cloned());
            }
            _ => {}
        }
    }
}

impl NodeNames {
    fn uses(&mut self, name: Arc<str>, more: Uses) {
        let uses = self.aliases.entry(name).or_insert(Uses { count: 0, ..more });
        *uses = Uses { count: uses.count + more.count, first: uses.first.min(more.first) };
    }

    /// Where anchors begin with whose names there is no alias.
    fn unused(&self) -> impl Iterator<Item = u32> {
        self.anchors.iter().filter(|(name, _)| !self.aliases.contains_key(name)).map(|(_, at)| *at)
    }

    /// Whether an anchor with its name comes before each alias.
    pub(crate) fn are_known(&self) -> bool {
        let mut unknown: FxHashMap<&str, u32> = self.aliases.iter().map(|(name, uses)| (&**name, uses.first)).collect();
        for (name, at) in &self.anchors {
            if unknown.get(&**name).is_some_and(|first| at < first) {
                unknown.remove(&**name);
            }
        }
        unknown.is_empty()
    }
}

impl<'t> Node<'t> {
    /// The anchors and aliases in it.
    pub fn names(&self) -> Arc<NodeNames> {
        let names = gather(*self, &mut &*self.tree().names);
        self.tree().forget_old_names();
        names
    }

    /// Whether it is a document, or a group of them, in which each alias is known to have its anchor.
    pub(crate) fn has_settled_names(&self) -> bool {
        let known = self.tree().names.lock();
        self.green().is_some_and(|green| known.settled.contains_key(&address(green)))
    }

    /// Notes that it is one.
    pub(crate) fn settle_names(&self) {
        if let Some(green) = self.green().filter(|green| is_kept(green)) {
            self.tree().names.lock().settled.insert(address(green), Arc::clone(green));
            self.tree().forget_old_names();
        }
    }

    /// Whether it is an entry with the merge key, without quotes.
    pub fn is_merge(&self) -> bool {
        let is_key = |part| matches!(part, Element::Token(key) if key.kind() == Kind::Plain && key.text() == "<<");
        self.kind() == Kind::MapEntry && self.parts().next().is_some_and(is_key)
    }

    /// Whether its entries are in groups.
    pub fn is_long(&self) -> bool {
        self.parts().filter_map(Element::node).any(|part| part.kind() == Kind::Group)
    }
}

impl Tree {
    /// Where anchors begin that no alias of their document refers to, in bytes, in order: at most this many.
    pub fn unused_anchors(&self, most: usize) -> Vec<usize> {
        let mut found = Vec::new();
        unused_in(self.root(), most, &mut found);
        self.forget_old_names();
        found
    }

    /// The value with the anchor that begins at an offset.
    pub fn anchored_value(&self, anchor: usize) -> Option<Value<'_>> {
        let has = |value: &Value<'_>| value.anchor().is_some_and(|token| token.range().start == anchor);
        self.path_at(anchor).into_iter().rev().find_map(|node| node.values().into_iter().flatten().find(has))
    }

    /// Forgets names of nodes that are no longer in the text, if there may be many.
    fn forget_old_names(&self) {
        let mut known = self.names.lock();
        if known.len() <= known.sweep_at.max(SWEEP) {
            return;
        }
        let (mut live, mut open) = (FxHashSet::default(), vec![&self.green]);
        while let Some(green) = open.pop() {
            live.insert(address(green));
            open.extend(green.children().filter_map(|child| match child {
                Child::Node(GreenNode::Shared(inner)) if inner.flags & flag::NAME != 0 && is_kept(inner) => Some(inner),
                _ => None,
            }));
        }
        known.nodes.retain(|address, _| live.contains(address));
        known.settled.retain(|address, _| live.contains(address));
        known.used.retain(|address, _| live.contains(address));
        known.sweep_at = 2 * known.len();
    }
}

/// Adds what [`Tree::unused_anchors`] finds in the root of the tree, or in a group of documents. Groups have few levels.
fn unused_in(node: Node<'_>, most: usize, found: &mut Vec<usize>) {
    for part in node.parts().filter_map(Element::node).filter(Node::has_names) {
        if found.len() >= most {
            return;
        }
        let shared = &part.tree().names;
        if part.green().is_some_and(|green| shared.lock().used.contains_key(&address(green))) {
            continue;
        }
        let before = found.len();
        if part.kind() == Kind::Group {
            unused_in(part, most, found);
        } else {
            let start = part.range().start;
            found.extend(part.names().unused().map(|at| start + at as usize));
        }
        if found.len() == before
            && let Some(green) = part.green().filter(|green| is_kept(green))
        {
            shared.lock().used.insert(address(green), Arc::clone(green));
        }
        found.truncate(most);
    }
}

/// What is in a node, read only where nothing is known. An explicit stack takes the place of recursion.
pub fn gather<T: Gathers>(node: Node<'_>, known: &mut impl KeepsAnswers<T>) -> Arc<T> {
    if let Some(found) = node.green().and_then(|green| known.answer(green)) {
        return found;
    }
    let started = |node| {
        let mut all = T::default();
        all.read(node);
        let parts = node.parts().filter_map(Element::node).filter(|part| T::enters(*part));
        (node, all, parts.collect::<Vec<_>>().into_iter())
    };
    let mut open = vec![started(node)];
    loop {
        let Some((around, all, parts)) = open.last_mut() else { return Arc::default() };
        if let Some(part) = parts.next() {
            match part.green().and_then(|green| known.answer(green)) {
                Some(inside) => all.join(*around, part, &inside),
                None => open.push(started(part)),
            }
            continue;
        }
        let Some((done, all, _)) = open.pop() else { return Arc::default() };
        let all = Arc::new(all);
        if let Some(green) = done.green().filter(|green| is_kept(green)) {
            known.keep(green, &all);
        }
        match open.last_mut() {
            Some((around, outer, _)) => outer.join(*around, done, &all),
            None => return all,
        }
    }
}

/// Whether an answer about a node is kept.
fn is_kept(green: &Green) -> bool {
    green.len() >= LEAST || green.kind() == Kind::Group
}

fn address(green: &Arc<Green>) -> usize {
    Arc::as_ptr(green) as usize
}
