//! Remembers the findings below collections that did not change, so that after a keystroke only the changed path of a
//! tree is checked again.

mod clean;
mod names;
mod parts;
mod stream;

pub(crate) use clean::Clean;
pub use clean::Quiet;
#[cfg(test)]
pub(crate) use clean::{KeyIndex, KeyIndexes};
pub(crate) use names::{Meaning, NamesMemo, Size};
pub use parts::{FURTHER, PartNumbers, PartSchema};
pub(crate) use stream::{GivenPlace, MetPlace, MetPlaces, StreamDocument, StreamFinding, StreamMemo};

use crate::finding::Finding;
use crate::layers::Style;
use crate::moved::follow;
use crate::score::Scored;
use lofting_diagnostic::Diagnostic;
use lofting_document::{FileId, Fingerprint, ItemPrints, Key};
use lofting_eval::Portion;
use lofting_memo::Stamp;
use lofting_schema::{Schema, SchemaId};
use lofting_syntax::Green;
use lofting_syntax::resolve::Profile;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::LazyCell;
use std::sync::Arc;

/// Shorter collections are not remembered, because checking them again is cheaper.
const LEAST: usize = 128;

/// The minimum for collections whose values are all passed to rules that are code.
const LEAST_ASKED: usize = 24;

/// Shorter documents of a stream are not remembered: there may be as many as the text has bytes.
const LEAST_DOCUMENT: usize = 32;

/// When there are more entries than this, those whose nodes no tree uses any more are dropped.
const SWEEP: usize = 16_384;

/// When there are more values without findings than this, all are forgotten.
const QUIET: usize = 200_000;

/// Remembered results of one file. It keeps nodes of the tree alive, so that an address never refers to another node.
#[derive(Debug, Default)]
pub struct CheckMemo {
    /// What the results depend on; see [`CheckMemo::begin`].
    made_with: (Vec<Stamp>, Option<Style>),
    /// The schema to whose places findings refer.
    schema: Option<Arc<Schema>>,
    /// The schemas of the parts of the file, with their numbers.
    parts: PartNumbers,
    walked: FxHashMap<MemoKey, Walked>,
    /// Collections without findings that do not depend on a schema.
    pub(crate) clean: Clean,
    /// Nodes without a comment to report, in a template or in another file.
    silent: FxHashMap<(usize, bool), (Silent, Arc<Green>)>,
    /// The findings about entries that were merged on their own, with what these depend on besides their text.
    merged: FxHashMap<(usize, u64), Merged>,
    /// Fingerprints of collections.
    fingerprints: FxHashMap<usize, (Fingerprint, Arc<Green>)>,
    /// Fingerprints of the items of parts of collections.
    item_prints: FxHashMap<usize, (ItemPrints, Arc<Green>)>,
    /// Parts of long collections with their defaults, as code gets them.
    portions: FxHashMap<PortionKey, (RememberedPortion, Arc<Green>)>,
    /// How well collections, and parts of them, fit schema nodes.
    scores: FxHashMap<ScoreKey, (Scored, Arc<Green>)>,
    /// Whether collections and their parts are readable, and which keys are in them.
    pub(crate) known: KnownCollections,
    /// Values for which the code rules of a schema node found nothing.
    quiet: FxHashSet<OwnKey>,
    /// Documents whose values have no findings, each with the number of the part that governs it. Short ones as well: a
    /// stream may have thousands.
    fitting: FxHashMap<(usize, u16), (usize, Arc<Green>)>,
    /// Groups of such documents, by the language that says what governs them, with the numbers of the schemas in them.
    all_fitting: FxHashMap<(usize, &'static str), FittingGroup>,
    /// What its aliases stand for.
    pub(crate) names: NamesMemo,
    /// The documents of a stream of values.
    pub(crate) stream: StreamMemo,
    sweep_at: usize,
    /// The last number that a schema of a part got.
    last_part: u16,
    /// The part of the file that is being checked, if several parts have their own schemas.
    pub(crate) part: u16,
}

/// What is known of long collections and their parts, by the address of the node, [`CheckMemo::part`] and
/// [`crate::view::View::names`].
pub(crate) type KnownCollections = FxHashMap<(usize, u16, u64), (KnownCollection, Arc<Green>)>;

/// What is known of a collection, or of a part of one, whatever its node says; None for what was not asked yet.
#[derive(Debug, Clone, Default)]
pub(crate) struct KnownCollection {
    /// It may have more entries or items than are readable.
    pub is_partial: Option<bool>,
    /// The hashes of its keys, in order.
    pub keys: Option<Arc<[u32]>>,
}

/// A group of documents that fit, with the numbers of the schemas in it.
type FittingGroup = (Box<[u16]>, Arc<Green>);

/// A node without a comment to report.
#[derive(Debug, Default)]
pub(crate) struct Silent {
    /// There are annotations in it.
    pub annotated: bool,
    /// Where entries begin in it that have to be merged, from its own beginning.
    pub entries: Box<[usize]>,
    /// The entry around it has to be merged.
    pub around: bool,
}

/// The findings about an entry that was merged on its own.
#[derive(Debug)]
struct Merged {
    findings: Arc<[Diagnostic]>,
    start: u32,
    green: Arc<Green>,
}

/// A collection as one particular check sees it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct MemoKey {
    pub green: usize,
    pub schema: SchemaId,
    /// What it is merged into, as one number.
    pub left: usize,
    /// What the walk inherited from above, as one number.
    pub state: u32,
    /// The key that holds it, as messages name it. Most large files are arrays, whose items have no key.
    pub under: Option<Box<Key>>,
    /// Stands for what it is read with from outside: the annotations of its first entry or item, which may be above it, or
    /// the values of its aliases.
    pub outside: u64,
}

impl MemoKey {
    /// What the walk inherited from above as one number, which holds that of the part: see [`CheckMemo::part`].
    pub fn state_in(part: u16, inherited: u32) -> u32 {
        inherited | u32::from(part) << PART_AT
    }

    fn part(&self) -> u16 {
        (self.state >> PART_AT) as u16
    }
}

/// Where the number of the part begins in the state of a key, in bits.
const PART_AT: u32 = 16;

/// A value as its own rules see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct OwnKey {
    pub given: Fingerprint,
    pub schema: SchemaId,
    /// What it is merged into, as one number.
    pub left: usize,
}

/// A collection, or a part of one, as an alternative sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ScoreKey {
    pub green: usize,
    /// The node that the collection has to fit; for a part of an array, the node of its items.
    pub schema: SchemaId,
    /// See [`CheckMemo::part`].
    pub part: u16,
    /// See [`crate::view::View::names`].
    pub names: u64,
}

/// A part of a collection as a portion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PortionKey {
    pub green: usize,
    /// The node of the collection; None below any type.
    pub schema: Option<SchemaId>,
}

/// A portion that was made.
#[derive(Debug, Clone)]
pub(crate) struct RememberedPortion {
    pub portion: Arc<Portion>,
    pub prints: ItemPrints,
    /// How deeply its items nest.
    pub height: usize,
}

#[derive(Debug)]
struct Walked {
    green: Arc<Green>,
    /// The findings, with the place of the collection when they were made; None for no findings.
    findings: Option<Arc<[Finding]>>,
    start: u32,
    /// The length of the collection's path when the findings were made.
    depth: u32,
}

/// Remembered findings, with the offsets to apply to them.
pub(crate) struct Hit {
    pub findings: Option<Arc<[Finding]>>,
    pub start: u32,
    pub depth: u32,
}

impl CheckMemo {
    /// Starts a check. `stamps` stand for the meaning of the schema and the values that are merged into, and `style`
    /// for how they are merged. Results made with other inputs are forgotten. Places in `schema` may have moved since
    /// the last check.
    pub fn begin(&mut self, stamps: &[Stamp], style: Option<Style>, schema: Option<&Arc<Schema>>) {
        if self.made_with.0 != stamps || self.made_with.1 != style || !self.parts.is_empty() {
            self.made_with = (stamps.to_vec(), style);
            self.forget_values();
        } else if let (Some(old), Some(new)) = (self.schema.take(), schema)
            && !Arc::ptr_eq(&old, new)
        {
            self.follow(&old, new);
        }
        self.schema = schema.cloned();
        self.sweep_if_large();
    }

    /// Forgets what was found about values.
    fn forget_values(&mut self) {
        (self.parts, self.last_part) = (PartNumbers::default(), 0);
        self.walked.clear();
        self.merged.clear();
        self.scores.clear();
        self.known.clear();
        self.quiet.clear();
        self.portions.clear();
        self.fitting.clear();
        self.all_fitting.clear();
        self.stream = StreamMemo::default();
    }

    /// Forgets what was found below collections.
    pub(crate) fn forget_walked(&mut self) {
        self.walked.clear();
    }

    /// Updates the places in the schema that findings refer to.
    fn follow(&mut self, old: &Schema, new: &Schema) {
        self.merged.clear();
        self.stream = StreamMemo::default();
        let moves = LazyCell::new(|| old.moves_to(new));
        self.walked.retain(|_, walked| {
            let Some(findings) = &mut walked.findings else { return true };
            let mut moved = findings.to_vec();
            let all = moved.iter_mut().all(|finding| follow(&mut finding.diagnostic, &moves));
            *findings = moved.into();
            all
        });
    }

    /// Drops what is no longer in use, if there is much.
    fn sweep_if_large(&mut self) {
        if self.len() > self.sweep_at.max(SWEEP) {
            self.sweep();
        }
    }

    /// Drops the entries whose nodes only this memo keeps alive. Nodes inside those are dropped the next time.
    fn sweep(&mut self) {
        // Several of the maps may hold a node.
        let in_use = |green: &Arc<Green>, own: usize| Arc::strong_count(green) > own;
        let mut held: FxHashMap<usize, usize> = FxHashMap::default();
        let walked = self.walked.keys().map(|key| key.green).chain(self.scores.keys().map(|key| key.green));
        let silent = self.silent.keys().map(|(address, _)| *address);
        let known = self.known.keys().map(|(address, ..)| *address);
        let merged = self.merged.keys().map(|(address, _)| *address);
        let prints = self.fingerprints.keys().chain(self.item_prints.keys());
        let clean = self.clean.nodes.keys().map(|(address, _)| *address).chain(prints.copied());
        let portions = self.portions.keys().map(|key| key.green);
        let documents = self.clean.documents.keys().copied().chain(self.fitting.keys().map(|(address, _)| *address));
        let groups = self.clean.groups.keys().copied().chain(self.all_fitting.keys().map(|(address, _)| *address));
        let others = groups
            .chain(silent)
            .chain(known)
            .chain(merged)
            .chain(self.clean.keys.held())
            .chain(self.stream.held())
            .chain(self.names.held());
        for key in walked.chain(clean).chain(portions).chain(documents).chain(others) {
            *held.entry(key).or_default() += 1;
        }
        let own = |address: usize| held.get(&address).copied().unwrap_or(1);
        self.walked.retain(|key, walked| in_use(&walked.green, own(key.green)));
        self.scores.retain(|key, (_, green)| in_use(green, own(key.green)));
        self.known.retain(|(address, ..), (_, green)| in_use(green, own(*address)));
        self.merged.retain(|(address, _), merged| in_use(&merged.green, own(*address)));
        self.clean.nodes.retain(|(address, _), green| in_use(green, own(*address)));
        self.clean.documents.retain(|address, (_, green)| in_use(green, own(*address)));
        self.fitting.retain(|(address, _), (_, green)| in_use(green, own(*address)));
        self.clean.groups.retain(|address, green| in_use(green, own(*address)));
        self.all_fitting.retain(|(address, _), (_, green)| in_use(green, own(*address)));
        self.clean.keys.retain(|green| in_use(green, own(address(green))));
        self.stream.retain(|green| in_use(green, own(address(green))));
        self.names.retain(|green| in_use(green, own(address(green))));
        self.silent.retain(|(address, _), (_, green)| in_use(green, own(*address)));
        self.fingerprints.retain(|address, (_, green)| in_use(green, own(*address)));
        self.item_prints.retain(|address, (_, green)| in_use(green, own(*address)));
        self.portions.retain(|key, (_, green)| in_use(green, own(key.green)));
        self.sweep_at = 2 * self.len();
    }

    fn len(&self) -> usize {
        let documents = self.clean.documents.len() + self.fitting.len();
        let groups = self.clean.groups.len() + self.all_fitting.len();
        let nodes = self.clean.nodes.len() + self.silent.len() + self.fingerprints.len();
        let parts = self.item_prints.len() + self.portions.len();
        self.walked.len()
            + self.merged.len()
            + self.scores.len()
            + self.known.len()
            + nodes
            + parts
            + documents
            + groups
            + self.stream.len()
            + self.names.len()
    }

    /// Whether nothing is remembered about values and keys.
    pub(crate) fn is_new(&self) -> bool {
        self.walked.is_empty() && self.clean.nodes.is_empty()
    }

    /// Notes that everything remembered is from one tree, so nothing can be dropped yet.
    pub(crate) fn keep_all(&mut self) {
        self.sweep_at = 2 * self.len();
    }

    /// Whether a collection is worth remembering.
    pub(crate) fn is_worth(green: &Green) -> bool {
        green.len() >= LEAST
    }

    /// Whether remembering pays off if code rules check the content.
    pub(crate) fn is_worth_asking(green: &Green) -> bool {
        green.len() >= LEAST_ASKED
    }

    pub(crate) fn get(&self, key: &MemoKey) -> Option<Hit> {
        let walked = self.walked.get(key)?;
        Some(Hit { findings: walked.findings.clone(), start: walked.start, depth: walked.depth })
    }

    pub(crate) fn put(&mut self, key: MemoKey, green: Arc<Green>, findings: &[Finding], start: u32, depth: u32) {
        let findings = (!findings.is_empty()).then(|| findings.into());
        self.walked.insert(key, Walked { green, findings, start, depth });
    }

    pub(crate) fn score(&self, key: &ScoreKey) -> Option<&Scored> {
        self.scores.get(key).map(|(scored, _)| scored)
    }

    pub(crate) fn set_score(&mut self, key: ScoreKey, green: Arc<Green>, scored: Scored) {
        self.scores.insert(key, (scored, green));
    }

    pub(crate) fn is_quiet(&self, key: &OwnKey) -> bool {
        self.quiet.contains(key)
    }

    pub(crate) fn set_quiet(&mut self, key: OwnKey) {
        if self.quiet.len() >= QUIET {
            self.quiet.clear();
        }
        self.quiet.insert(key);
    }

    pub(crate) fn fingerprint(&self, green: &Arc<Green>) -> Option<Fingerprint> {
        self.fingerprints.get(&address(green)).map(|(fingerprint, _)| *fingerprint)
    }

    pub(crate) fn set_fingerprint(&mut self, green: &Arc<Green>, fingerprint: Fingerprint) {
        self.fingerprints.insert(address(green), (fingerprint, green.clone()));
    }

    pub(crate) fn item_prints(&self, part: &Arc<Green>) -> Option<ItemPrints> {
        self.item_prints.get(&address(part)).map(|(prints, _)| *prints)
    }

    pub(crate) fn set_item_prints(&mut self, part: &Arc<Green>, prints: ItemPrints) {
        self.item_prints.insert(address(part), (prints, part.clone()));
    }

    pub(crate) fn portion(&self, key: &PortionKey) -> Option<&RememberedPortion> {
        self.portions.get(key).map(|(portion, _)| portion)
    }

    pub(crate) fn set_portion(&mut self, key: PortionKey, green: &Arc<Green>, portion: RememberedPortion) {
        self.portions.insert(key, (portion, green.clone()));
    }

    /// What is known about a document whose keys have no findings, if its scalars were read by this profile.
    pub fn quiet_keys(&self, document: &Arc<Green>, profile: Profile) -> Option<Quiet> {
        let known = self.clean.is_read_as(profile, false).then(|| self.clean.documents.get(&address(document)))?;
        known.map(|(quiet, _)| *quiet)
    }

    /// Remembers that the keys of a document have no findings.
    pub fn set_quiet_keys(&mut self, document: &Arc<Green>, profile: Profile, quiet: Quiet) {
        if document.len() < LEAST_DOCUMENT {
            return;
        }
        self.clean.begin(profile, false);
        self.clean.documents.insert(address(document), (quiet, document.clone()));
    }

    /// Whether the keys of all documents of a group have no findings, and all are plain.
    pub fn are_quiet_keys(&self, group: &Arc<Green>, profile: Profile) -> bool {
        self.clean.is_read_as(profile, false) && self.clean.groups.contains_key(&address(group))
    }

    /// Remembers that of a group of documents.
    pub fn set_are_quiet_keys(&mut self, group: &Arc<Green>, profile: Profile) {
        self.clean.begin(profile, false);
        self.clean.groups.insert(address(group), group.clone());
    }

    /// Whether all documents of a group fit the schemas with these numbers.
    pub fn all_fit(&self, group: &Arc<Green>, language: &'static str, schemas: &[u16]) -> bool {
        self.all_fitting.get(&(address(group), language)).is_some_and(|(known, _)| **known == *schemas)
    }

    /// Remembers that of a group of documents.
    pub fn set_all_fit(&mut self, group: &Arc<Green>, language: &'static str, schemas: &[u16]) {
        self.all_fitting.insert((address(group), language), (schemas.into(), group.clone()));
    }

    /// If the values of a document that the part with this number governs have no findings: how many copies its aliases
    /// made.
    pub fn fits(&self, document: &Arc<Green>, part: u16) -> Option<usize> {
        self.fitting.get(&(address(document), part)).map(|(copies, _)| *copies)
    }

    /// Remembers that the values of a document have no findings.
    pub fn set_fits(&mut self, document: &Arc<Green>, part: u16, copies: usize) {
        self.fitting.insert((address(document), part), (copies, document.clone()));
    }

    /// What is known of a node without a comment to report.
    pub(crate) fn silent(&self, green: &Arc<Green>, template: bool) -> Option<&Silent> {
        self.silent.get(&(address(green), template)).map(|(silent, _)| silent)
    }

    pub(crate) fn set_silent(&mut self, green: &Arc<Green>, template: bool, silent: Silent) {
        self.silent.insert((address(green), template), (silent, green.clone()));
    }

    /// The findings about an entry that was merged, moved to where it is now.
    pub(crate) fn merged(&self, green: &Arc<Green>, with: u64, file: FileId, start: u32) -> Option<Vec<Diagnostic>> {
        let merged = self.merged.get(&(address(green), with))?;
        let mut findings = merged.findings.to_vec();
        findings.iter_mut().for_each(|finding| finding.shift(file, i64::from(start) - i64::from(merged.start)));
        Some(findings)
    }

    /// Remembers the findings about an entry, unless one of them is about what is above it.
    pub(crate) fn set_merged(&mut self, green: &Arc<Green>, with: u64, file: FileId, start: u32, found: &[Diagnostic]) {
        let mut found = found.to_vec();
        if found.iter_mut().all(|finding| finding.spans_mut().all(|span| span.file != file || span.start >= start)) {
            self.merged.insert((address(green), with), Merged { findings: found.into(), start, green: green.clone() });
        }
    }
}

/// The identity of a node.
pub(crate) fn address(green: &Arc<Green>) -> usize {
    Arc::as_ptr(green) as usize
}

impl Hit {
    /// The findings, moved to the collection's current place and path.
    pub fn replay<'h>(
        &'h self,
        file: FileId,
        start: u32,
        path: &'h [crate::Step],
    ) -> impl Iterator<Item = Finding> + 'h {
        let by = i64::from(start) - i64::from(self.start);
        self.findings.iter().flat_map(|findings| findings.iter()).map(move |finding| {
            let mut finding = finding.clone();
            finding.diagnostic.shift(file, by);
            let own = finding.steps.get(self.depth as usize..).unwrap_or_default();
            finding.steps = path.iter().chain(own).cloned().collect();
            finding.diagnostic.path = Some(crate::path::display(&finding.steps));
            finding
        })
    }
}
