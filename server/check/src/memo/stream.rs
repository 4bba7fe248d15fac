//! What is known about a stream of values: each document by itself, and at which places documents meet.
//!
//! Documents of a stream are merged, so what one of them gives may matter to others. It does at few places: where two of
//! them give something, and the finding about one depends on the other. As long as there is no such place, every document
//! is checked as if it were alone, and a key costs the document that it is in.

use super::address;
use super::clean::GroupedHashes;
use lofting_diagnostic::Diagnostic;
use lofting_document::FileId;
use lofting_schema::Step;
use lofting_syntax::{Element, Green, Kind, Node};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::hash::BuildHasher;
use std::sync::Arc;

/// A place in values, and how a document is concerned with it, as one number. Different places may have the same: then a
/// stream is merged that need not be. Where that is not enough, the steps to the place are compared as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct MetPlace(u32);

/// How a document is concerned with a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Concern {
    /// It gives a value there.
    Gives = 0,
    /// What is reported about it there depends on what others give there.
    Needs = 1,
    /// Another document that gives a value there as well has findings.
    Claims = 2,
    /// Something about the whole document.
    Whole = 3,
}

impl MetPlace {
    /// A document in which not everything is known.
    const OPEN: MetPlace = MetPlace(Concern::Whole as u32);
    /// A document that needs a place for itself.
    const NEEDING: MetPlace = MetPlace(4 | Concern::Whole as u32);

    /// A place at which a document gives a value.
    pub fn given<'s>(steps: impl IntoIterator<Item = &'s Step>) -> Self {
        let steps: Vec<&Step> = steps.into_iter().collect();
        // The upper half of a hash is the better one.
        MetPlace((FxBuildHasher.hash_one(steps) >> 32) as u32 & !3)
    }

    fn concern(self, concern: Concern) -> Self {
        MetPlace(self.0 & !3 | concern as u32)
    }
}

/// The places with which a document is concerned.
#[derive(Debug, Default)]
pub(crate) struct MetPlaces(Vec<MetPlace>);

impl MetPlaces {
    /// The document gives a value at a place.
    pub fn give(&mut self, place: MetPlace) {
        self.0.push(place);
    }

    /// What is reported about the document depends on whether others give something at a place.
    pub fn need(&mut self, place: MetPlace) {
        self.0.extend([place.concern(Concern::Needs), MetPlace::NEEDING]);
    }

    /// Another document that gives something at a place has findings because of this one.
    pub fn claim(&mut self, place: MetPlace) {
        self.0.push(place.concern(Concern::Claims));
    }

    /// Not everything is known in the document.
    pub fn is_open(&mut self) {
        self.0.push(MetPlace::OPEN);
    }

    /// Each of them once. None if the document gives something at one place more than once.
    fn finish(mut self) -> Option<Box<[u32]>> {
        self.0.sort_unstable_by_key(|place| place.0);
        let is_given_twice = self.0.windows(2).any(|pair| match pair {
            [one, other] => one == other && *one == one.concern(Concern::Gives),
            _ => false,
        });
        self.0.dedup();
        (!is_given_twice).then(|| self.0.into_iter().map(|place| place.0).collect())
    }
}

/// What is known of one document.
#[derive(Debug)]
pub(crate) struct StreamDocument {
    findings: Vec<StreamFinding>,
    /// Where the document began when they were made.
    start: u32,
    places: Box<[u32]>,
}

/// A finding about a document.
#[derive(Debug)]
pub(crate) struct StreamFinding {
    pub diagnostic: Diagnostic,
    /// The place of a value that counts only if no later document gives another one.
    pub counts_at: Option<GivenPlace>,
}

/// A place at which a document gives a value, with the keys that lead there.
#[derive(Debug)]
pub(crate) struct GivenPlace {
    pub place: MetPlace,
    pub steps: Box<[Step]>,
}

impl GivenPlace {
    pub fn new(steps: Vec<Step>) -> Self {
        GivenPlace { place: MetPlace::given(&steps), steps: steps.into() }
    }
}

impl StreamDocument {
    /// None if a document gives something at one place more than once.
    pub fn new(findings: Vec<StreamFinding>, start: u32, places: MetPlaces) -> Option<Self> {
        Some(StreamDocument { findings, start, places: places.finish()? })
    }

    /// Whether nothing was found in it.
    pub fn is_quiet(&self) -> bool {
        self.findings.is_empty()
    }

    /// At which of some places it gives a value, or at another place with the same number.
    pub fn gives<T>(&self, places: &FxHashMap<MetPlace, T>) -> Vec<MetPlace> {
        if places.len() < self.places.len() {
            let is_given = |place: &MetPlace| self.places.binary_search(&place.0).is_ok();
            return places.keys().copied().filter(is_given).collect();
        }
        self.places.iter().map(|place| MetPlace(*place)).filter(|place| places.contains_key(place)).collect()
    }

    pub fn findings(&self) -> &[StreamFinding] {
        &self.findings
    }

    /// A finding of it, moved to where the document begins now.
    pub fn moved(&self, finding: &StreamFinding, file: FileId, start: u32) -> Diagnostic {
        let mut moved = finding.diagnostic.clone();
        moved.shift(file, i64::from(start) - i64::from(self.start));
        moved
    }
}

/// What is known of the documents of a stream.
#[derive(Debug, Default)]
pub(crate) struct StreamMemo {
    documents: FxHashMap<usize, (Arc<StreamDocument>, Arc<Green>)>,
    /// Groups of documents in which nothing was found.
    quiet: FxHashMap<usize, Arc<Green>>,
    met: PlaceIndex,
}

impl StreamMemo {
    pub fn document(&self, green: &Arc<Green>) -> Option<&Arc<StreamDocument>> {
        self.documents.get(&address(green)).map(|(document, _)| document)
    }

    pub fn set_document(&mut self, green: &Arc<Green>, document: StreamDocument) -> Arc<StreamDocument> {
        let document = Arc::new(document);
        self.documents.insert(address(green), (Arc::clone(&document), Arc::clone(green)));
        document
    }

    pub fn is_quiet(&self, group: &Arc<Green>) -> bool {
        self.quiet.contains_key(&address(group))
    }

    pub fn set_quiet(&mut self, group: &Arc<Green>) {
        self.quiet.insert(address(group), Arc::clone(group));
    }

    /// Brings the places to those of the documents that are now in the root of a tree, all of which are known. Returns
    /// whether each document is checked as if it were alone.
    pub fn are_apart(&mut self, root: Node<'_>) -> bool {
        let StreamMemo { documents, met, .. } = self;
        let places = |node: Node<'_>| {
            let inside = node.parts().filter_map(Element::node).filter(|part| part.kind() == Kind::Document);
            let known = inside.filter_map(|document| documents.get(&address(document.green()?)));
            known.flat_map(|(document, _)| document.places.iter().copied()).collect::<Vec<u32>>()
        };
        met.follow(root, places)
    }

    /// Adds what is known of other documents.
    pub(super) fn absorb(&mut self, other: StreamMemo) {
        self.documents.extend(other.documents);
        self.quiet.extend(other.quiet);
    }

    /// How many documents give a value at a place.
    pub fn giving(&self, place: MetPlace) -> usize {
        self.met.counts.get(&place.0).copied().unwrap_or_default()
    }

    pub fn len(&self) -> usize {
        self.documents.len() + self.quiet.len()
    }

    /// The addresses of all nodes that are held here.
    pub(super) fn held(&self) -> impl Iterator<Item = usize> {
        self.documents.keys().chain(self.quiet.keys()).copied()
    }

    /// Forgets what is not in use.
    pub(super) fn retain(&mut self, in_use: impl Fn(&Arc<Green>) -> bool) {
        self.documents.retain(|_, (_, green)| in_use(green));
        self.quiet.retain(|_, green| in_use(green));
    }
}

/// Where the documents of a stream meet.
#[derive(Debug, Default)]
struct PlaceIndex {
    hashes: GroupedHashes,
    counts: FxHashMap<u32, usize>,
    /// Places that are given by several documents, one of which needs or claims them for itself.
    contested: FxHashSet<u32>,
}

impl PlaceIndex {
    fn follow(&mut self, root: Node<'_>, places: impl Fn(Node<'_>) -> Vec<u32>) -> bool {
        let groups: Vec<Node<'_>> =
            root.parts().filter_map(Element::node).filter(|part| part.kind() == Kind::Group).collect();
        let more = self.hashes.follow(&groups, places(root), |group| Some(places(group)));
        for (hash, more) in more.into_iter().flatten() {
            let before = self.counts.remove(&hash).unwrap_or_default();
            let now = before.saturating_add_signed(more);
            if now > 0 {
                self.counts.insert(hash, now);
            }
            let place = MetPlace(hash);
            let count = |place: MetPlace| self.counts.get(&place.0).copied().unwrap_or_default();
            let given = place.concern(Concern::Gives);
            let is_contested = count(given) > 1 && count(place.concern(Concern::Needs)) > 0
                || count(place.concern(Concern::Claims)) > 1;
            if is_contested {
                self.contested.insert(given.0)
            } else {
                self.contested.remove(&given.0)
            };
        }
        let has = |place: MetPlace| self.counts.contains_key(&place.0);
        self.contested.is_empty() && !(has(MetPlace::OPEN) && has(MetPlace::NEEDING))
    }
}
