//! What the documents of a stream of values give at some places, remembered group by group: a hover in a long stream
//! costs the documents that were edited since the last one.

use lofting_check::{TreeFile, TreeReader, TreeView, View, ViewKind};
use lofting_document::Key;
use lofting_overlay::Mode;
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Document, Element, Green, Kind, Node, Tree};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// For so many places it is remembered; an editor asks for those of the lines that it shows.
const WAYS: usize = 32;

/// When there are more groups than this, those that no tree uses any more are dropped.
const SWEEP: usize = 4_096;

/// What a document gives at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GivenKind {
    Map,
    Array,
    /// A scalar that is not null.
    Scalar,
    /// Something else, or something above the place.
    Unclear,
}

impl GivenKind {
    fn of(value: TreeView<'_>) -> GivenKind {
        match value.kind() {
            ViewKind::Map if !value.is_partial() => GivenKind::Map,
            ViewKind::Array if !value.is_partial() => GivenKind::Array,
            ViewKind::Bool | ViewKind::Int | ViewKind::Float | ViewKind::String => GivenKind::Scalar,
            ViewKind::Map | ViewKind::Array | ViewKind::Null | ViewKind::Unknown => GivenKind::Unclear,
        }
    }
}

/// The documents that give something at a place.
#[derive(Debug, Clone, Default)]
pub(crate) struct Givers {
    /// Where they begin, in the order of the text.
    pub documents: Vec<usize>,
    /// What they give, each kind once.
    pub kinds: Vec<GivenKind>,
}

impl Givers {
    fn add(&mut self, document: usize, kind: GivenKind) {
        self.documents.push(document);
        self.add_kind(kind);
    }

    fn add_kind(&mut self, kind: GivenKind) {
        if !self.kinds.contains(&kind) {
            self.kinds.push(kind);
        }
    }

    /// Adds those of a group that begins at `start`, whose documents count from there.
    fn add_group(&mut self, group: &Givers, start: usize) {
        self.documents.extend(group.documents.iter().map(|document| start + document));
        group.kinds.iter().for_each(|kind| self.add_kind(*kind));
    }
}

/// The documents of a file, as they are read.
#[derive(Clone, Copy)]
pub(crate) struct Documents<'t> {
    pub file: TreeFile,
    pub tree: &'t Tree,
    pub mode: Mode,
}

/// What is remembered of the documents of a file.
#[derive(Debug, Default)]
pub(crate) struct GivenMemo {
    /// How they were read.
    read_as: Option<(Mode, Profile)>,
    ways: FxHashMap<Box<[Key]>, Groups>,
}

/// What the documents in groups give at one place, by the address of the group. None if only all of a file together tell.
#[derive(Debug, Default)]
struct Groups {
    known: FxHashMap<usize, (Option<Givers>, Arc<Green>)>,
    sweep_at: usize,
}

impl GivenMemo {
    /// What the documents give at the end of a way of keys; None if only all of them together tell.
    pub fn given(&mut self, documents: Documents<'_>, way: &[Key]) -> Option<Givers> {
        let read_as = Some((documents.mode, documents.file.profile));
        if self.read_as != read_as || self.ways.len() > WAYS {
            *self = GivenMemo { read_as, ..GivenMemo::default() };
        }
        let groups = self.ways.entry(way.into()).or_default();
        groups.sweep();
        groups.given(documents.tree.root(), documents, way)
    }
}

impl Groups {
    /// Drops the groups that only this memo keeps, if there are many.
    fn sweep(&mut self) {
        if self.known.len() > self.sweep_at.max(SWEEP) {
            self.known.retain(|_, (_, green)| Arc::strong_count(green) > 1);
            self.sweep_at = 2 * self.known.len();
        }
    }

    /// What the documents in the root of the tree, or in a group in it, give. Groups have few levels.
    fn given(&mut self, node: Node<'_>, documents: Documents<'_>, way: &[Key]) -> Option<Givers> {
        let mut all = Givers::default();
        for part in node.parts().filter_map(Element::node) {
            let start = part.range().start - node.range().start;
            if let Some(document) = Document::cast(part) {
                match given_by(document, documents, way) {
                    InDocument::Nothing => {}
                    InDocument::Something(kind) => all.add(start, kind),
                    InDocument::InsteadOfAll => return None,
                }
                continue;
            }
            let holds_groups = part.parts().filter_map(Element::node).any(|inner| inner.kind() == Kind::Group);
            match part.green().filter(|_| !holds_groups) {
                Some(green) => {
                    let address = Arc::as_ptr(green).addr();
                    if !self.known.contains_key(&address) {
                        let given = self.given(part, documents, way);
                        self.known.insert(address, (given, Arc::clone(green)));
                    }
                    let (given, _) = self.known.get(&address)?;
                    all.add_group(given.as_ref()?, start);
                }
                None => all.add_group(&self.given(part, documents, way)?, start),
            }
        }
        Some(all)
    }
}

/// What a document has at the end of a way.
enum InDocument {
    Nothing,
    Something(GivenKind),
    /// It is not a map, and takes the place of all that is before it.
    InsteadOfAll,
}

fn given_by(document: Document<'_>, documents: Documents<'_>, way: &[Key]) -> InDocument {
    lofting_memo::step();
    let Some(root) = document.root() else {
        // Without a value it is dropped among plain values.
        return if documents.mode == Mode::Plain { InDocument::Nothing } else { InDocument::InsteadOfAll };
    };
    let root = TreeReader::new(documents.file, documents.tree).view(root);
    let Some(mut value) = root.filter(|root| GivenKind::of(*root) == GivenKind::Map) else {
        return InDocument::InsteadOfAll;
    };
    for key in way {
        if GivenKind::of(value) != GivenKind::Map {
            return InDocument::Something(GivenKind::Unclear);
        }
        let mut named = value.entries().filter(|entry| entry.key == *key);
        let Some(entry) = named.next() else { return InDocument::Nothing };
        if named.next().is_some() {
            // Both count.
            return InDocument::Something(GivenKind::Unclear);
        }
        value = entry.value;
    }
    InDocument::Something(GivenKind::of(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lofting_document::FileId;

    /// After edits, what is remembered is what a new memo finds.
    #[test]
    fn what_is_remembered_follows_edits() {
        let texts =
            ["a: 1", "a: {b: [1], c: x}", "b: [1]", "a:\n  b: 1", "a: 1\na: 2", "", "a: ~", "[1]", "a: {b: {c: 1}}"];
        let ways: [&[&str]; 4] = [&[], &["a"], &["a", "b"], &["b"]];
        let ways = ways.map(|way| way.iter().map(|key| Key::from(*key)).collect::<Vec<Key>>());
        let file = TreeFile::new(FileId(1), Profile::Core12);
        let mut tree = lofting_syntax::parse(&"---\na: {b: 1}\n".repeat(600));
        let mut memo = GivenMemo::default();
        let (mut seed, mut told) = (7_usize, 0);
        let mut number = |end: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % end
        };
        for turn in 0..80 {
            let document = tree.document(number(600)).expect("a document").range();
            // Now and then a document becomes one that takes the place of all, and no longer is the next time.
            let text = format!("---\n{}\n", texts[number(texts.len())]);
            let before = tree.text(document.clone()).into_owned();
            tree = tree.edit(document.clone(), &text);
            for mode in [Mode::Plain, Mode::Annotated] {
                let documents = Documents { file, tree: &tree, mode };
                for way in &ways {
                    let (known, fresh) = (memo.given(documents, way), GivenMemo::default().given(documents, way));
                    told += usize::from(fresh.is_some());
                    let parts = |given: Option<Givers>| given.map(|given| (given.documents, given.kinds));
                    assert_eq!(parts(known), parts(fresh), "turn {turn}, {way:?}");
                }
            }
            if text.contains("[1]\n") || text == "---\n\n" {
                tree = tree.edit(document.start..document.start + text.len(), &before);
            }
        }
        assert!(told > 300, "{told}");
    }
}
