//! The documents of a file with parts, and the ways to these.

use crate::files::file::File;
use lofting_check::{CheckMemo, DocumentNames, TreeFile, TreeReader};
use lofting_document::{DocumentReader, DocumentSet, Key, Options};
use lofting_schema as schema;
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Document, Entry, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The documents of a file, each of them read at the cost of its own text.
pub(super) struct Documents<'f> {
    file: &'f File,
    /// How many were looked at.
    count: usize,
    /// The numbers of those that cannot be checked as they are.
    lowered: FxHashSet<usize>,
    /// None of them can be.
    are_all_lowered: bool,
    /// Documents that are lowered apart, for each profile that was asked for, with or without texts in which something
    /// is put.
    readers: FxHashMap<(Profile, bool), DocumentReader<'f>>,
    /// The names of the one that was read in its tree last, by its offset. None if it has to be lowered.
    names: Option<(usize, Option<DocumentNames<'f>>)>,
    /// The one that was lowered last. Parts come in the order of the text, so that it is the next to be asked for.
    last: Option<(usize, (Profile, bool), DocumentSet)>,
}

impl<'f> Documents<'f> {
    pub fn new(file: &'f File) -> Self {
        let (readers, lowered) = (FxHashMap::default(), FxHashSet::default());
        Documents { file, count: 0, lowered, are_all_lowered: false, readers, names: None, last: None }
    }

    /// The next document was read, in its tree or otherwise. Gives its number.
    pub fn read(&mut self, in_tree: bool) -> usize {
        let number = self.count;
        self.count += 1;
        if !in_tree {
            self.lowered.insert(number);
        }
        number
    }

    /// The next documents are known to be read in their tree.
    pub fn passed(&mut self, count: usize) {
        self.count += count;
    }

    pub fn is_one_lowered(&self) -> bool {
        !self.lowered.is_empty()
    }

    pub fn lower_all(&mut self) {
        self.are_all_lowered = true;
    }

    /// Whether a document can be checked as it is.
    pub fn is_in_tree(&self, number: usize) -> bool {
        !self.are_all_lowered && number < self.count && !self.lowered.contains(&number)
    }

    /// Reads a document in its tree; None if it has to be lowered.
    pub fn in_tree(
        &mut self,
        document: &Document<'f>,
        profile: Profile,
        substituted: bool,
        memo: &mut CheckMemo,
    ) -> Option<TreeReader<'_>> {
        let (file, start) = (self.file, document.range().start);
        let tree_file = TreeFile { profile, substituted, ..file.tree_file() };
        // Comments may belong to what an alias copies.
        if file.facts.ytt {
            return (!document.node().has_names()).then(|| TreeReader::new(tree_file, file.tree()));
        }
        if self.names.as_ref().is_none_or(|(known, _)| *known != start) {
            self.names = Some((start, DocumentNames::of(document, memo)));
        }
        let copies = self.last_names()?.copies();
        if !self.counts(document, profile, substituted, copies) {
            return None;
        }
        Some(TreeReader::of_document(tree_file, file.tree(), self.last_names()?))
    }

    fn last_names(&self) -> Option<&DocumentNames<'f>> {
        self.names.as_ref()?.1.as_ref()
    }

    /// Counts the copies in a document about which all is known; false if it has to be read.
    pub fn counts(&mut self, document: &Document<'f>, profile: Profile, substituted: bool, copies: usize) -> bool {
        // Most documents have no aliases, and need no reader.
        copies == 0 || self.reader((profile, substituted)).counts(document, copies)
    }

    /// How many copies the aliases of a document made.
    pub fn copies(&self, document: &Document<'f>, profile: Profile, substituted: bool) -> usize {
        self.readers.get(&(profile, substituted)).map_or(0, |reader| reader.copies(document))
    }

    /// What lowers documents apart.
    fn reader(&mut self, reading: (Profile, bool)) -> &mut DocumentReader<'f> {
        let (file, (profile, substituted)) = (self.file, reading);
        self.readers.entry(reading).or_insert_with(|| {
            let options = if profile == file.profile() { file.options } else { Options::default() };
            let options = Options { substituted, merges_lists: true, ..options };
            DocumentReader::new(file.id, file.tree(), profile, options)
        })
    }

    /// One document as data.
    pub fn document(
        &mut self,
        number: usize,
        document: &Document<'f>,
        profile: Profile,
        substituted: bool,
    ) -> Option<&lofting_document::Document> {
        if self.file.facts.ytt && profile == self.file.profile() {
            self.file.lowered().documents.get(number)
        } else {
            self.lowered(number, document, profile, substituted).documents.first()
        }
    }

    /// One document as data, with its issues. No comment in it is an annotation.
    pub fn lowered(
        &mut self,
        number: usize,
        document: &Document<'f>,
        profile: Profile,
        substituted: bool,
    ) -> &DocumentSet {
        let reading = (profile, substituted);
        let is_last = self.last.as_ref().is_some_and(|(last, known, _)| (*last, *known) == (number, reading));
        if !is_last {
            let set = self.reader(reading).read(document);
            self.last = Some((number, reading, set));
        }
        let (_, _, set) = self.last.get_or_insert_with(|| (number, reading, DocumentSet::default()));
        set
    }
}

/// Follows paths in a tree. The way to many parts leads through the same maps, each of which is searched once.
#[derive(Default)]
pub(super) struct Ways<'t> {
    /// The values of keys, by the offset of the map.
    keys: FxHashMap<(usize, Key), Option<Value<'t>>>,
}

impl<'t> Ways<'t> {
    /// The value one step below another.
    pub fn below(&mut self, value: Value<'t>, step: &schema::Step) -> Option<Value<'t>> {
        match step {
            schema::Step::Key(key) => *self.keys.entry((value.range().start, key.clone())).or_insert_with(|| {
                let name = key.as_str()?;
                let named = |entry: &Entry<'t>| {
                    entry.key().and_then(|key| key.scalar()).is_some_and(|scalar| scalar.value() == name)
                };
                value.map()?.entries().filter(named).last().map(|entry| entry.value())
            }),
            schema::Step::Index(index) => value.seq()?.item(*index).map(|item| item.value()),
            schema::Step::Item | schema::Step::Nowhere => None,
        }
    }
}
