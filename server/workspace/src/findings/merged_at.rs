//! The final values at a few places of a long stream of values, merged from the documents that matter there.
//!
//! Merging all of a long stream takes as long as reading it anew. What a value becomes, though, follows from the
//! documents that give something on the way to it, and most of these are replaced by later ones.

use super::merged::{Merged, QUICK, merged_quickly};
use crate::association::associate::{associate, kind};
use crate::association::kind::FileKind;
use crate::evaluation::Callbacks;
use crate::files::claims::Borrowed;
use crate::files::file::File;
use crate::files::given::{Documents, GivenKind, GivenMemo, Givers};
use crate::findings::base_values::{BaseOf, base_of};
use crate::findings::state::CheckState;
use crate::source::TextSource;
use lofting_check::DataValues;
use lofting_document::{Document, DocumentReader, Key, Options};
use lofting_overlay::Mode;
use lofting_schema::Step;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// The place of a value in a file.
#[derive(Debug, Clone, Copy)]
pub struct AskedValue<'p> {
    /// The offset of its key, or of what stands for that.
    pub offset: usize,
    /// The path from the root of its document.
    pub path: &'p [Step],
    /// Whether the items matter that other documents add to an array there.
    pub with_items: bool,
}

/// How many documents before the asked one are merged, if all that they give is replaced, and how many after it. Hovers
/// and hints look at fewer.
const BEFORE: usize = 8;
const LATER: usize = 32;

/// The final values of each call, as [`merged_quickly`] gives them. They are right at the places that are asked for, and may
/// lack anything elsewhere, in the file and in each other's way.
pub(crate) fn merged_at(state: &CheckState, file: &File, asked: &[AskedValue<'_>]) -> Vec<Merged> {
    from_some_documents(state, file, asked).unwrap_or_else(|| merged_quickly(state, file))
}

/// A call that a file is part of.
struct CallOf {
    set: Option<Arc<str>>,
    is_alternative: bool,
    is_known: bool,
    base: BaseOf,
}

/// None if the file has to be merged as a whole.
fn from_some_documents(state: &CheckState, file: &File, asked: &[AskedValue<'_>]) -> Option<Vec<Merged>> {
    let tree = file.tree();
    // An alias may stand for anything.
    let is_long = tree.len() > QUICK && tree.document(1).is_some();
    if !is_long || file.facts.code || tree.root().has_names() {
        return None;
    }
    let mode = match kind(state, file) {
        FileKind::PlainValues if !file.facts.ytt => Mode::Plain,
        FileKind::DataValues if file.has_only_values() => Mode::Annotated,
        _ => return None,
    };
    let association = associate(state, file);
    let schema = association.schema.as_ref()?;
    if association.schemas().any(|other| other.state.stamp != schema.state.stamp) {
        return None;
    }
    let mut calls = Vec::new();
    for (index, part) in state.sets.deciding(file.id) {
        let set = state.sets.sets.get(index)?;
        let base = base_of(state, file.id, &[(index, part)], &schema.state);
        let is_alternative = set.alternatives.contains(&file.id);
        if matches!(base, BaseOf::Varies) || !is_alternative && !set.alternatives.is_empty() {
            return None;
        }
        calls.push(CallOf { set: set.name.clone(), is_alternative, is_known: true, base });
    }
    if calls.is_empty() {
        let (set, base) = (schema.set.clone(), BaseOf::Defaults);
        calls.push(CallOf { set, is_alternative: false, is_known: false, base });
    }
    let all = Documents { file: file.tree_file(), tree, mode };
    let mut memo = Borrowed::take(file, |memo| &mut memo.given);
    let needed = Needed::of(all, asked, &mut memo.content);
    drop(memo);
    let Needed { documents, left_out } = needed?;
    let mut reader = DocumentReader::new(file.id, tree, file.profile(), Options { plain: true, ..file.options });
    let read = |start: usize| {
        let (_, document) = tree.document_at(start)?;
        reader.read(&document).documents.into_iter().next()
    };
    let is_laid = |document: &Document| mode == Mode::Annotated || !document.is_empty();
    let documents: Vec<Document> = documents.into_iter().filter_map(read).filter(is_laid).collect();
    let functions = Callbacks { texts: TextSource::All(state), runner: state.runner.as_ref() };
    let merged = |call: CallOf| {
        let mut values = match &call.base {
            BaseOf::Values { values, .. } => DataValues::over(Some(&schema.schema), values.as_ref().clone()),
            _ => DataValues::new(Some(&schema.schema)),
        };
        for document in &documents {
            values.lay(document, mode, &functions);
        }
        let alternative = call.is_alternative.then_some(file.id);
        Merged::of_values(call.set, alternative, call.is_known, values.finish(), left_out)
    };
    Some(calls.into_iter().map(merged).collect())
}

/// The documents that matter at some places.
#[derive(Default)]
struct Needed {
    /// Where they begin.
    documents: BTreeSet<usize>,
    /// How many others give a value at the places, which one of these replaces.
    left_out: usize,
}

impl Needed {
    /// None if only all of them together tell.
    fn of(documents: Documents<'_>, asked: &[AskedValue<'_>], memo: &mut GivenMemo) -> Option<Needed> {
        let mut ways: FxHashMap<Vec<Key>, Way> = FxHashMap::default();
        let mut needed = Needed::default();
        for asked in asked {
            let keys: Vec<Key> = keys(asked.path).cloned().collect();
            let is_in_array = matches!(asked.path.get(keys.len()), Some(Step::Item | Step::Index(_)));
            let way = match ways.entry(keys) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let given = memo.given(documents, new.key())?;
                    new.insert(Way { given, are_all_needed: false })
                }
            };
            if let Some((_, own)) = documents.tree.document_at(asked.offset) {
                needed.add(way, own.range().start, documents.mode, (is_in_array, asked.with_items));
            }
        }
        Some(needed)
    }

    /// Adds the documents that matter at a place, of all that give something there.
    fn add(&mut self, way: &mut Way, own: usize, mode: Mode, (is_in_array, with_items): (bool, bool)) {
        let Way { given, are_all_needed } = way;
        let Some(last) = given.documents.last().copied() else { return };
        let at = given.documents.binary_search(&own);
        let is_plain = mode == Mode::Plain;
        let are_all = |kinds: &[GivenKind]| given.kinds.iter().all(|kind| kinds.contains(kind));
        let is_added = !is_plain && !with_items;
        if (is_in_array || is_added) && are_all(&[GivenKind::Array]) {
            // Items are those of the last array, or of all of them together, where none has an effect on another.
            self.documents.insert(if is_plain { last } else { own });
        } else if !is_in_array && are_all(&[GivenKind::Map]) {
            // It stays a map.
            self.documents.insert(own);
        } else if let (false, Ok(at)) = (is_in_array, at)
            // Among plain values, arrays take the place of what was given before as well.
            && (are_all(&[GivenKind::Scalar]) || is_plain && are_all(&[GivenKind::Scalar, GivenKind::Array]))
        {
            let first = at.saturating_sub(BEFORE);
            self.left_out += first;
            self.documents.extend(given.documents.get(first..=at).unwrap_or_default());
            let later = given.documents.len().saturating_sub(LATER).max(at + 1);
            self.documents.extend(given.documents.get(later..).unwrap_or_default());
        } else if !std::mem::replace(are_all_needed, true) {
            self.documents.extend(&given.documents);
        }
    }
}

/// The keys with which a path begins.
fn keys(path: &[Step]) -> impl Iterator<Item = &Key> {
    path.iter().map_while(|step| match step {
        Step::Key(key) => Some(key),
        Step::Index(_) | Step::Item | Step::Nowhere => None,
    })
}

/// A place that is asked for, maybe several times.
struct Way {
    given: Givers,
    are_all_needed: bool,
}
