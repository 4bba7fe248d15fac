//! An index of the names of documents and schemas over all files of a state.
//!
//! Names seldom change and are needed at every keystroke, so an index is derived from the previous one by looking only
//! at the files that changed.

use crate::association::state::AssociationState;
use crate::files::claims::{ClaimedSchema, NamingPart, PlacedClaim, PlacedPart};
use crate::files::file::File;
use crate::files::table::FileTable;
use crate::threads;
use lofting_dialect::{Role, SchemaName};
use lofting_document::FileId;
use lofting_memo::{Stamp, Weigh};
use rpds::{HashTrieMapSync, RedBlackTreeSetSync};
use rustc_hash::{FxBuildHasher, FxHashSet};
use smol_str::SmolStr;
use std::hash::Hash;
use std::ops::Bound;
use std::sync::{Arc, LazyLock};

/// Which names are in an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Which {
    /// Names of schemas that are parts of files.
    Schemas,
    /// Names of documents, and links to schemas through a third document.
    Documents,
    /// The names by which documents refer to each other.
    References,
}

impl Which {
    /// Whether a file may contain such names, judging by its marks.
    fn may_be_in(self, file: &File) -> bool {
        let marked = match self {
            Which::Schemas => file.facts.part_schema,
            Which::Documents | Which::References => file.may_have_claims(),
        };
        marked && file.exists()
    }

    /// The name that a claim has in this index.
    fn name(self, role: &Role) -> Option<&SchemaName> {
        match (self, role) {
            (Which::Schemas, Role::Schema(name))
            | (Which::Documents, Role::Name(name) | Role::Link(name, _))
            | (Which::References, Role::Reference(name, _) | Role::Mention(name)) => Some(name),
            _ => None,
        }
    }

    /// Whether a part has such names.
    fn is_in(self, part: &PlacedPart<'_>) -> bool {
        let counts = part.counts();
        0 < match self {
            Which::Schemas => counts.schemas,
            Which::Documents => counts.names,
            Which::References => counts.references,
        }
    }
}

/// A claim with a name, identified by indices.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NamedClaim {
    /// The namespace of the name.
    pub namespace: Option<SmolStr>,
    /// The file it is in.
    pub file: FileId,
    /// The index of the language, and of the claim among those of the language.
    pub claim: (usize, usize),
}

impl NamedClaim {
    /// The claim itself.
    pub fn claim<'s>(&self, state: &'s AssociationState) -> Option<PlacedClaim<'s>> {
        state.file(self.file)?.claims().get(self.claim.0)?.get(self.claim.1)
    }

    /// Another claim of the same language in the same file.
    pub fn beside(&self, number: usize) -> NamedClaim {
        NamedClaim { claim: (self.claim.0, number), ..self.clone() }
    }

    /// The schema of the claim.
    pub fn schema<'s>(&self, state: &'s AssociationState) -> Option<&'s Arc<ClaimedSchema>> {
        let schemas = state.file(self.file)?.part_schemas();
        schemas.get(schemas.binary_search_by_key(&self.claim, |schema| schema.claim).ok()?)
    }
}

/// The key of a name in the index; namespaces are compared among the results.
type Key = (SmolStr, SmolStr, &'static str);

/// A name with its claim.
type NamedKey = (Key, NamedClaim);

/// What has the names of a file: parts of its text, each with the index of its language.
type NamesOfFile = Arc<[(usize, NamingPart)]>;

/// Claims by their name.
#[derive(Clone, Default)]
pub(crate) struct Names {
    /// The files as of this index.
    files: FileTable,
    /// Changes when a name is added or removed.
    pub stamp: Stamp,
    given: HashTrieMapSync<FileId, NamesOfFile, FxBuildHasher>,
    places: HashTrieMapSync<Key, RedBlackTreeSetSync<NamedClaim>, FxBuildHasher>,
    /// The names of the documents of each kind.
    kinds: HashTrieMapSync<SmolStr, RedBlackTreeSetSync<SmolStr>, FxBuildHasher>,
}

/// How many files a thread takes at a time.
const BATCH: usize = 32;

/// How many threads read files.
const THREADS: usize = 4;

impl Weigh for Names {
    fn weight(&self) -> usize {
        size_of::<(Key, NamedClaim)>() * (self.given.size() + 2 * self.places.size())
    }

    fn meaning(&self) -> Option<Stamp> {
        Some(self.stamp)
    }
}

impl Names {
    /// The index of a state, derived from the last one that was made.
    pub fn of(state: &AssociationState, which: Which) -> Arc<Names> {
        let memo = &state.memos.names;
        memo.get(which, &state.inputs([state.number]), || {
            memo.newest(&which).unwrap_or_default().brought_to(state, which)
        })
    }

    /// The index for the files of another state, later or earlier.
    fn brought_to(&self, state: &AssociationState, which: Which) -> Names {
        let changed: Vec<FileId> = state.files.differing(&self.files).collect();
        let is_asked = |id: &FileId| state.file(*id).is_some_and(|file| which.may_be_in(file));
        let (asked, others): (Vec<FileId>, Vec<FileId>) = changed.into_iter().partition(is_asked);
        let count = threads::threads().min(THREADS);
        let given = threads::map(count, &asked, BATCH, |id| {
            state.file(*id).map_or_else(|| Arc::from([]), |file| given_by(file, which))
        });
        let mut names = self.clone();
        names.files = FileTable::clone(&state.files);
        let gone = others.into_iter().map(|file| (file, Arc::from([])));
        for (file, given) in asked.into_iter().zip(given).chain(gone) {
            names.take(which, file, given);
        }
        names
    }

    /// Replaces the names of a file.
    fn take(&mut self, which: Which, file: FileId, given: NamesOfFile) {
        let old = self.given.get(&file).cloned().unwrap_or_else(|| Arc::from([]));
        let (old, new) = differing(which, file, &old, &given);
        if given.is_empty() {
            self.given.remove_mut(&file);
        } else {
            self.given.insert_mut(file, given);
        }
        if old.is_empty() && new.is_empty() {
            return;
        }
        self.stamp = Stamp::next();
        for (key, place) in &old {
            let Some(places) = self.places.get(key) else { continue };
            let left = places.remove(place);
            if !left.is_empty() {
                self.places.insert_mut(key.clone(), left);
                continue;
            }
            self.places.remove_mut(key);
            let names = self.kinds.get(&key.0).map(|names| names.remove(&key.1));
            if let (Some(names), "") = (names, key.2) {
                self.kinds.insert_mut(key.0.clone(), names);
            }
        }
        for (key, place) in &new {
            let places = self.places.get(key).cloned().unwrap_or_default();
            self.places.insert_mut(key.clone(), places.insert(place.clone()));
            if key.2.is_empty() {
                let names = self.kinds.get(&key.0).cloned().unwrap_or_default();
                self.kinds.insert_mut(key.0.clone(), names.insert(key.1.clone()));
            }
        }
    }

    /// What a name refers to: claims in its namespace, else claims without a namespace; for a name without namespace,
    /// all claims with this name.
    pub fn places<'n>(&'n self, asked: &SchemaName) -> impl Iterator<Item = &'n NamedClaim> + use<'n> {
        static NONE: LazyLock<RedBlackTreeSetSync<NamedClaim>> = LazyLock::new(RedBlackTreeSetSync::new_sync);
        let all = self.places.get(&key(asked)).unwrap_or(&NONE);
        let from = |namespace: Option<SmolStr>| {
            let first = NamedClaim { namespace, file: FileId(0), claim: (0, 0) };
            all.range((Bound::Included(first), Bound::Unbounded))
        };
        // The claims are sorted by namespace; those without one come first.
        let only = asked.namespace.clone().map(|own| {
            let has_own = from(Some(own.clone())).next().is_some_and(|place| place.namespace.as_ref() == Some(&own));
            has_own.then_some(own)
        });
        let found = from(only.clone().flatten());
        found.take_while(move |place| only.as_ref().is_none_or(|only| place.namespace == *only))
    }

    /// Those of these places that are in a file and have the namespace of the first one.
    pub fn places_in<'n>(&'n self, asked: &SchemaName, file: FileId) -> impl Iterator<Item = &'n NamedClaim> + use<'n> {
        let first = self.places(asked).next().map(|first| NamedClaim { file, claim: (0, 0), ..first.clone() });
        let found = self
            .places
            .get(&key(asked))
            .zip(first.clone())
            .map(|(all, first)| all.range((Bound::Included(first), Bound::Unbounded)));
        let is_own = move |place: &&NamedClaim| {
            first.as_ref().is_some_and(|first| place.file == first.file && place.namespace == first.namespace)
        };
        found.into_iter().flatten().take_while(is_own)
    }

    /// All claims with this name, in any namespace.
    pub fn all<'n>(&'n self, name: &SchemaName) -> impl Iterator<Item = &'n NamedClaim> + use<'n> {
        self.places.get(&key(name)).into_iter().flatten()
    }

    /// The kind and the name of everything that is named.
    pub fn known(&self) -> impl Iterator<Item = (&SmolStr, &SmolStr)> {
        self.places.keys().map(|(kind, name, _)| (kind, name))
    }

    /// The names of all documents of a kind.
    pub fn of_kind(&self, kind: &str) -> impl Iterator<Item = &SmolStr> {
        self.kinds.get(kind).into_iter().flatten()
    }
}

fn key(name: &SchemaName) -> Key {
    (name.kind.clone(), name.name.clone(), name.slot)
}

fn given_by(file: &File, which: Which) -> NamesOfFile {
    let languages = file.claims().iter().enumerate();
    let parts = languages.flat_map(|(language, claims)| {
        claims.parts().filter(move |part| which.is_in(part)).map(move |part| (language, NamingPart::of(&part)))
    });
    parts.collect()
}

/// The names that only one of two states of a file has: those of the first, and those of the second. What they share is not
/// looked into.
fn differing(
    which: Which,
    file: FileId,
    old: &[(usize, NamingPart)],
    new: &[(usize, NamingPart)],
) -> (Vec<NamedKey>, Vec<NamedKey>) {
    // An edit changes one part of many.
    let same = |one: &&(usize, NamingPart), other: &&(usize, NamingPart)| one == other;
    let before = old.iter().zip(new).take_while(|(one, other)| same(one, other)).count();
    let (old, new) = (old.get(before..).unwrap_or_default(), new.get(before..).unwrap_or_default());
    let behind = old.iter().rev().zip(new.iter().rev()).take_while(|(one, other)| same(one, other)).count();
    let kept = |parts: &[(usize, NamingPart)]| parts.get(..parts.len() - behind).unwrap_or_default().to_vec();
    let (mut old, mut new) = (kept(old), kept(new));
    let is_group = |(_, part): &(usize, NamingPart)| part.placed().is_group();
    loop {
        drop_shared(&mut old, &mut new);
        if !old.iter().chain(&new).any(is_group) {
            break;
        }
        for parts in [&mut old, &mut new] {
            *parts = parts.iter().flat_map(|(language, part)| opened(which, *language, part)).collect();
        }
    }
    let names = |parts: &[(usize, NamingPart)]| -> Vec<NamedKey> {
        parts.iter().flat_map(|(language, part)| names_of(which, file, *language, &part.placed())).collect()
    };
    let (mut old, mut new) = (names(&old), names(&new));
    drop_shared(&mut old, &mut new);
    (old, new)
}

/// Drops what is in both.
fn drop_shared<T: Clone + Eq + Hash>(old: &mut Vec<T>, new: &mut Vec<T>) {
    let before: FxHashSet<T> = old.iter().cloned().collect();
    let shared: FxHashSet<T> = new.iter().filter(|it| before.contains(it)).cloned().collect();
    old.retain(|it| !shared.contains(it));
    new.retain(|it| !shared.contains(it));
}

/// The parts in a group that have names; a document itself.
fn opened(which: Which, language: usize, part: &NamingPart) -> Vec<(usize, NamingPart)> {
    let placed = part.placed();
    match placed.inside() {
        Some(inside) => inside.filter(|part| which.is_in(part)).map(|part| (language, NamingPart::of(&part))).collect(),
        None => vec![(language, part.clone())],
    }
}

fn names_of(which: Which, file: FileId, language: usize, part: &PlacedPart<'_>) -> Vec<NamedKey> {
    let named = |claim: PlacedClaim<'_>| {
        let name = which.name(claim.role)?;
        let place = NamedClaim { namespace: name.namespace.clone(), file, claim: (language, claim.number) };
        Some((key(name), place))
    };
    part.claims().filter_map(named).collect()
}
