//! Places that are named by the way to them: `$ref: types.yaml#/definitions/size`. Where such references lead, and what
//! leads to a place. Every language writes references in this form.

use crate::association::document_links::path_named;
use crate::association::mirrors::Mirrors;
use crate::association::state::AssociationState;
use crate::files::file::File;
use crate::files::table::Kept;
use lofting_document::Span;
use lofting_memo::Weigh;
use lofting_syntax::{Entry, Event, Scalar, Tree, Value, percent_decoded};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// References of one file at most.
const REFERENCES: usize = 100_000;

/// Entries of one map that are looked at for one step.
const ENTRIES: usize = 100_000;

/// A reference in a file.
#[derive(Debug)]
pub(super) struct Reference {
    /// The document, as written; empty: the file itself.
    pub document: String,
    /// The steps in it, each with its bytes in the file.
    pub steps: Vec<(String, Range<usize>)>,
    /// The name of an anchor instead of steps, with its bytes in the file.
    pub anchor: Option<(String, Range<usize>)>,
    /// All of it.
    pub range: Range<usize>,
}

/// A name that a schema gives itself (`$anchor`).
#[derive(Debug)]
pub(super) struct Anchor {
    pub name: String,
    /// The bytes of the name.
    range: Range<usize>,
    /// The key with the name.
    whole: Range<usize>,
}

/// The references of a file, in the order of the text, and the anchors that references may name.
#[derive(Debug, Default)]
pub(crate) struct References(pub(super) Vec<Reference>, pub(super) Vec<Anchor>);

impl Weigh for References {
    fn weight(&self) -> usize {
        let names = self.0.iter().flat_map(|reference| reference.steps.iter().chain(&reference.anchor));
        let references: usize = names.map(|(name, _)| size_of::<Reference>() + name.len()).sum();
        references + self.1.iter().map(|anchor| size_of::<Anchor>() + anchor.name.len()).sum::<usize>()
    }
}

/// A place that references lead to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointerTarget {
    /// Its key, or the item of an array.
    pub name: Span,
    /// The key with its value.
    pub whole: Span,
}

/// A key that references name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPlace {
    /// The key.
    pub name: String,
    /// The bytes of it at the place that was asked about.
    pub origin: Range<usize>,
    /// Where it is declared, if it is.
    pub declared: Option<Span>,
    /// Where references name it.
    pub references: Vec<Span>,
    /// The keys beside it.
    pub beside: Vec<String>,
}

/// Where the reference at `offset` (bytes) leads, with the bytes of all of it.
pub(crate) fn referred_place(
    state: &AssociationState,
    file: &File,
    offset: usize,
) -> Option<(Range<usize>, PointerTarget)> {
    let references = references(state, Some(file).filter(|file| file.facts.references)?);
    let reference = references.at(offset)?;
    let target = document(state, file, &reference.document)?;
    if let Some((name, _)) = &reference.anchor {
        let anchors = anchors(state, target);
        let found = anchors.1.iter().find(|anchor| anchor.name == *name)?;
        let span = |range: &Range<usize>| Span::new(target.id, range.clone());
        return Some((reference.range.clone(), PointerTarget { name: span(&found.range), whole: span(&found.whole) }));
    }
    let steps: Vec<&str> = reference.steps.iter().map(|(step, _)| step.as_str()).collect();
    let found = place(target.tree(), &steps)?;
    let span = |range: Range<usize>| Span::new(target.id, range);
    Some((reference.range.clone(), PointerTarget { name: span(found.name), whole: span(found.whole) }))
}

/// The key at `offset` (bytes), where it is defined or in a reference; none where no reference names it.
pub(crate) fn named_place(state: &AssociationState, file: &File, offset: usize) -> Option<NamedPlace> {
    let file = Some(file).filter(|file| file.exists())?;
    if let Some(found) = named_anchor(state, file, offset) {
        return Some(found);
    }
    let (target, steps, origin) = match references(state, file).at(offset) {
        Some(reference) => {
            let number = reference.steps.iter().position(|(_, at)| at.start <= offset && offset <= at.end)?;
            let steps = reference.steps.get(..=number)?.iter().map(|(step, _)| step.clone());
            let origin = reference.steps.get(number)?.1.clone();
            (document(state, file, &reference.document)?, steps.collect::<Vec<_>>(), origin)
        }
        None => {
            let (steps, origin) = key_at(file.tree(), offset)?;
            (file, steps, origin)
        }
    };
    let mut named = Vec::new();
    for other in state.index.kept(Kept::References).filter_map(|id| state.file(id)) {
        for reference in &references(state, other).0 {
            let begins = reference.steps.len() >= steps.len()
                && reference.steps.iter().zip(&steps).all(|((one, _), other)| one == other);
            let at = steps.len().checked_sub(1).and_then(|last| reference.steps.get(last)).filter(|_| begins);
            if let Some((_, at)) = at
                && document(state, other, &reference.document).is_some_and(|document| document.id == target.id)
            {
                named.push(Span::new(other.id, at.clone()));
            }
        }
    }
    if named.is_empty() {
        return None;
    }
    let (name, above) = steps.split_last()?;
    let beside = value_at(target.tree(), above).and_then(|value| value.map()).into_iter();
    let beside = beside.flat_map(|map| map.entries()).filter_map(|entry| Some(key_text(entry.key()?)?.0));
    let place = place(target.tree(), &steps);
    Some(NamedPlace {
        origin,
        declared: place.map(|place| Span::new(target.id, place.name)),
        references: named,
        beside: beside.take(ENTRIES).filter(|key| key != name).collect(),
        name: name.clone(),
    })
}

/// The anchor at `offset` (bytes), where it is defined or in a reference; none where no reference names it.
fn named_anchor(state: &AssociationState, file: &File, offset: usize) -> Option<NamedPlace> {
    let own = references(state, file);
    let (target, name, origin) = match own.at(offset) {
        Some(reference) => {
            let (name, origin) = reference.anchor.clone()?;
            (document(state, file, &reference.document)?, name, origin)
        }
        None => {
            // Only what may be one is worth looking at all of the file.
            let innermost = file.tree().path_at(offset).into_iter().rev().find_map(Entry::cast);
            let anchors = innermost.and_then(|entry| anchor_of(&entry)).map(|_| anchors(state, file))?;
            let found = anchors.1.iter().find(|it| it.range.start <= offset && offset <= it.range.end)?;
            (file, found.name.clone(), found.range.clone())
        }
    };
    let mut named = Vec::new();
    for other in state.index.kept(Kept::References).filter_map(|id| state.file(id)) {
        for reference in &references(state, other).0 {
            let at = reference.anchor.as_ref().filter(|(anchor, _)| *anchor == name);
            if let Some((_, at)) = at
                && document(state, other, &reference.document).is_some_and(|document| document.id == target.id)
            {
                named.push(Span::new(other.id, at.clone()));
            }
        }
    }
    let known = anchors(state, target);
    let declared = known.1.iter().find(|anchor| anchor.name == name);
    (!named.is_empty()).then(|| NamedPlace {
        origin,
        declared: declared.map(|anchor| Span::new(target.id, anchor.range.clone())),
        references: named,
        beside: known.1.iter().map(|anchor| anchor.name.clone()).filter(|other| *other != name).collect(),
        name,
    })
}

/// The keywords that give a schema a name.
const ANCHORS: [&str; 2] = ["$anchor", "$dynamicAnchor"];

impl References {
    fn at(&self, offset: usize) -> Option<&Reference> {
        let after = self.0.partition_point(|reference| reference.range.start <= offset);
        let found = after.checked_sub(1).and_then(|last| self.0.get(last))?;
        (offset <= found.range.end).then_some(found)
    }

    /// The references in a tree.
    fn of(tree: &Tree) -> References {
        let (mut found, mut anchors) = (Vec::new(), Vec::new());
        for event in tree.walk() {
            if let Event::Enter(node) = event
                && let Some(entry) = Entry::cast(node).filter(|_| found.len() + anchors.len() < REFERENCES)
            {
                found.extend(of_entry(&entry));
                anchors.extend(anchor_of(&entry));
            }
        }
        found.sort_by_key(|reference: &Reference| reference.range.start);
        References(found, anchors)
    }
}

/// The references that an entry is or holds.
fn of_entry(entry: &Entry<'_>) -> Vec<Reference> {
    let Some((key, _)) = entry.key().and_then(key_text) else { return Vec::new() };
    let value = entry.value();
    match key.as_str() {
        "$ref" | "$dynamicRef" => {
            value.scalar().and_then(|scalar| of_text(&scalar, value.content_range())).into_iter().collect()
        }
        // OpenAPI: from values to schemas.
        "discriminator" => {
            let is_mapping =
                |entry: &Entry<'_>| entry.key().and_then(key_text).is_some_and(|(key, _)| key == "mapping");
            let mapping = value.map().and_then(|map| map.entries().find(is_mapping));
            let schemas = mapping.and_then(|entry| entry.value().map()).into_iter().flat_map(|map| map.entries());
            let of_value = |entry: Entry<'_>| {
                let value = entry.value();
                of_text(&value.scalar()?, value.content_range())
            };
            schemas.filter_map(of_value).collect()
        }
        _ => Vec::new(),
    }
}

/// The anchor that an entry gives to the schema that it is in.
fn anchor_of(entry: &Entry<'_>) -> Option<Anchor> {
    entry.key().and_then(key_text).filter(|(key, _)| ANCHORS.contains(&key.as_str()))?;
    let (name, range) = key_text(entry.value()).filter(|(name, _)| !name.is_empty())?;
    Some(Anchor { name, range, whole: entry.range() })
}

/// The reference that a text is, if it leads into a document by a pointer or to an anchor.
fn of_text(scalar: &Scalar<'_>, range: Range<usize>) -> Option<Reference> {
    let text = scalar.value();
    let (document, fragment) = text.split_once('#')?;
    let origins = scalar.origins(PROFILE);
    let mut at = document.len() + 1;
    let mut steps = Vec::new();
    if !fragment.is_empty() && !fragment.starts_with('/') {
        let anchor = Some((fragment.to_owned(), origins.written(at..at + fragment.len())));
        return Some(Reference { document: document.to_owned(), steps, anchor, range });
    }
    for step in fragment.strip_prefix('/')?.split('/') {
        at += 1;
        let decoded = String::from_utf8(percent_decoded(step)).ok()?.replace("~1", "/").replace("~0", "~");
        steps.push((decoded, origins.written(at..at + step.len())));
        at += step.len();
    }
    Some(Reference { document: document.to_owned(), steps, anchor: None, range })
}

/// Only text is asked for, which all profiles read alike.
const PROFILE: lofting_syntax::resolve::Profile = lofting_syntax::resolve::Profile::Core12;

/// The references of a file.
pub(super) fn references(state: &AssociationState, file: &File) -> Arc<References> {
    if !file.facts.references {
        return Arc::default();
    }
    anchors(state, file)
}

/// Like that, for a file in which other files may refer to an anchor.
pub(super) fn anchors(state: &AssociationState, file: &File) -> Arc<References> {
    let inputs = state.inputs([file.revision]).passing(file.is_open());
    state.memos.references_in.get(file.id, &inputs, || References::of(file.tree()))
}

/// The file that a document of a reference stands for.
pub(super) fn document<'s>(state: &'s AssociationState, file: &'s File, written: &str) -> Option<&'s File> {
    if written.is_empty() {
        return Some(file);
    }
    let known = |path: &Path| state.file_at(path).filter(|file| file.exists()).map(|file| &**file);
    if written.contains("://") {
        let files = Mirrors::of(state, &file.path).files(written);
        return files.iter().filter(|(path, reach)| reach.names(path)).find_map(|(path, _)| known(path));
    }
    let path = path_named(file.path.parent().unwrap_or(Path::new("/")), written)?;
    known(&path).filter(|_| state.reach_of(&file.path).names(&path))
}

/// The ranges of a key and its value.
struct PointedAt {
    name: Range<usize>,
    whole: Range<usize>,
}

/// The text of a key, with its bytes.
pub(super) fn key_text(key: Value<'_>) -> Option<(String, Range<usize>)> {
    let scalar = key.scalar()?;
    let text = scalar.value().into_owned();
    let range = scalar.origins(PROFILE).written(0..text.len());
    Some((text, range))
}

/// The value that steps lead to from the root of a file's first document.
pub(super) fn value_at<'t, S: AsRef<str>>(tree: &'t Tree, steps: &[S]) -> Option<Value<'t>> {
    let root = tree.documents().next()?.root()?;
    steps.iter().try_fold(root, |value, step| below(value, step.as_ref()).map(|(value, _)| value))
}

/// What some steps lead to.
fn place<S: AsRef<str>>(tree: &Tree, steps: &[S]) -> Option<PointedAt> {
    let (last, above) = steps.split_last()?;
    below(value_at(tree, above)?, last.as_ref()).map(|(_, found)| found)
}

fn below<'t>(value: Value<'t>, step: &str) -> Option<(Value<'t>, PointedAt)> {
    if let Some(map) = value.map() {
        let named = |entry: Entry<'t>| {
            let (_, name) = entry.key().and_then(key_text).filter(|(key, _)| key == step)?;
            Some((entry.value(), PointedAt { name, whole: entry.range() }))
        };
        return map.entries().take(ENTRIES).filter_map(named).last();
    }
    let item = value.seq()?.items().nth(step.parse().ok()?)?;
    Some((item.value(), PointedAt { name: item.range(), whole: item.range() }))
}

/// The way to the key at an offset, with its bytes.
fn key_at(tree: &Tree, offset: usize) -> Option<(Vec<String>, Range<usize>)> {
    let mut value = tree.documents().next()?.root()?;
    let mut steps = Vec::new();
    let holds = |range: &Range<usize>| range.start <= offset && offset <= range.end;
    loop {
        if let Some(map) = value.map() {
            let entry = map.entries().take(ENTRIES).find(|entry| holds(&entry.range()))?;
            let key = entry.key()?;
            let (text, range) = key_text(key)?;
            steps.push(text);
            if holds(&key.content_range()) {
                return Some((steps, range));
            }
            value = entry.value();
        } else {
            let (index, item) = value.seq()?.items().take(ENTRIES).enumerate().find(|(_, it)| holds(&it.range()))?;
            steps.push(index.to_string());
            value = item.value();
        }
    }
}
