//! The definitions of JSON Schemas (`definitions`, `$defs`, `components/schemas`): which a file has, which of them nothing
//! leads to, and how references to them are written.

use crate::association::json_schemas;
use crate::association::naming;
use crate::association::pointers::{Reference, anchors, document, key_text, references, value_at};
use crate::association::state::AssociationState;
use crate::disk::built_in::is_in_program;
use crate::disk::path::relative;
use crate::files::file::File;
use crate::files::table::Kept;
use lofting_document::Span;
use lofting_memo::{Stamp, Weigh};
use lofting_syntax::Tree;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Where definitions are, from the root of a document.
const PLACES: [&[&str]; 3] = [&["definitions"], &["$defs"], &["components", "schemas"]];

/// Definitions of one file at most.
const DEFINITIONS: usize = 10_000;

/// Other files whose definitions are offered, and how many definitions of each.
const OFFERED_FILES: usize = 200;
const OFFERED: usize = 200;

/// A definition in a document.
struct Definition {
    /// The steps to it.
    steps: Vec<String>,
    /// Its name.
    name: Range<usize>,
    /// The name with the schema.
    whole: Range<usize>,
    /// Something in it gives it another name.
    has_anchor: bool,
}

/// The definitions of a file that nothing leads to.
#[derive(Debug, Default)]
pub(crate) struct UnusedDefinitions {
    /// Their names, with their places.
    pub found: Vec<(String, Span)>,
    /// Stays the same as long as these are the same.
    pub stamp: Stamp,
}

impl Weigh for UnusedDefinitions {
    fn weight(&self) -> usize {
        self.found.iter().map(|(name, _)| size_of::<(String, Span)>() + name.len()).sum()
    }

    fn meaning(&self) -> Option<Stamp> {
        Some(self.stamp)
    }
}

/// The definitions of a schema that nothing leads to, from its root or from other files. None for a file that only has
/// definitions, which other programs may use.
pub(crate) fn unused(state: &AssociationState, file: &File) -> Option<Arc<UnusedDefinitions>> {
    if !*state.seen_all || !file.errors().is_empty() {
        return None;
    }
    // Whether it is a schema is known without looking at its keys: a data file may have any number of them.
    json_schemas::with_own(state, file)?;
    let others: Vec<&Arc<File>> = state.index.kept(Kept::References).filter_map(|id| state.file(id)).collect();
    let naming = state.index.kept(Kept::Naming).filter_map(|id| state.file(id));
    let stamps = others.iter().copied().chain(naming).map(|file| file.revision);
    // What references lead to follows from the list of files, from mirrors and from settings.
    let inputs = state.inputs(stamps.chain([file.revision, state.structure]));
    Some(state.memos.unused_definitions.get(file.id, &inputs, || {
        let last = state.memos.unused_definitions.newest(&file.id);
        let found = find_unused(state, file, &others);
        let same = last.filter(|last| last.found == found);
        UnusedDefinitions { found, stamp: same.map_or_else(Stamp::next, |last| last.stamp) }
    }))
}

fn find_unused(state: &AssociationState, file: &File, others: &[&Arc<File>]) -> Vec<(String, Span)> {
    if !has_other_keywords(file.tree()) {
        return Vec::new();
    }
    let definitions = definitions(file.tree());
    if definitions.is_empty() || is_named_inside(state, file) {
        return Vec::new();
    }
    let own = references(state, file);
    // Where the URIs of schemas are their own, references are not ways in the file.
    if own.0.iter().any(|reference| !reference.document.is_empty() && reference.document.contains("://")) {
        return Vec::new();
    }
    let number: FxHashMap<&[String], usize> =
        definitions.iter().enumerate().map(|(number, it)| (it.steps.as_slice(), number)).collect();
    let leads_to = |reference: &Reference| {
        let steps: Vec<String> = reference.steps.iter().map(|(step, _)| step.clone()).collect();
        // The place may be inside a definition.
        (1..=steps.len().min(3)).find_map(|length| number.get(steps.get(..length)?).copied())
    };
    // None is inside another one.
    let inside = |offset: usize| {
        let last = definitions.partition_point(|it| it.whole.start <= offset).checked_sub(1)?;
        definitions.get(last).filter(|it| offset < it.whole.end).map(|_| last)
    };
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); definitions.len()];
    let mut todo: Vec<usize> = Vec::new();
    for reference in own.0.iter() {
        let is_own = reference.document.is_empty() || is_document(state, file, reference, file);
        let Some(target) = leads_to(reference).filter(|_| is_own) else { continue };
        match inside(reference.range.start).and_then(|from| below.get_mut(from)) {
            Some(targets) => targets.push(target),
            None => todo.push(target),
        }
    }
    for other in others.iter().filter(|other| other.id != file.id) {
        let mut known: FxHashMap<String, bool> = FxHashMap::default();
        for reference in &references(state, other).0 {
            let is_here = match known.get(&reference.document) {
                Some(is_here) => *is_here,
                None => {
                    let is_here = is_document(state, other, reference, file);
                    known.insert(reference.document.clone(), is_here);
                    is_here
                }
            };
            todo.extend(leads_to(reference).filter(|_| is_here));
        }
    }
    todo.extend(definitions.iter().enumerate().filter(|(_, it)| it.has_anchor).map(|(number, _)| number));
    let mut used: FxHashSet<usize> = FxHashSet::default();
    while let Some(number) = todo.pop() {
        if used.insert(number) {
            todo.extend(below.get(number).into_iter().flatten());
        }
    }
    let unused = definitions.iter().enumerate().filter(|(number, _)| !used.contains(number));
    let named =
        unused.map(|(_, it)| (it.steps.last().cloned().unwrap_or_default(), Span::new(file.id, it.name.clone())));
    named.collect()
}

fn is_document(state: &AssociationState, from: &File, reference: &Reference, file: &File) -> bool {
    document(state, from, &reference.document).is_some_and(|document| document.id == file.id)
}

/// Whether something names a schema inside the file, by a fragment.
fn is_named_inside(state: &AssociationState, file: &File) -> bool {
    let name = file.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_inside = |schema: &str| schema.split_once('#').is_some_and(|(to, at)| to.ends_with(&name) && !at.is_empty());
    let mut files = state.index.kept(Kept::Naming).filter_map(|id| state.file(id));
    files.any(|other| {
        if other.is_configuration() {
            other.config().schemas.iter().any(|entry| is_inside(&entry.schema))
        } else {
            naming::in_file(state, other).is_some_and(|naming| is_inside(&naming.schema))
        }
    }) || state.settings.schemas.iter().any(|setting| is_inside(&setting.schema))
}

/// Whether the root says more than definitions, titles and identities. In documents of OpenAPI, definitions are part of what
/// is described.
fn has_other_keywords(tree: &Tree) -> bool {
    let root = tree.documents().next().and_then(|document| document.root()).and_then(|root| root.map());
    let says = |key: &str| {
        !key.starts_with('$') && !matches!(key, "definitions" | "title" | "description" | "id" | "default" | "examples")
            || key == "$ref"
    };
    let is_open_api = |key: &str| matches!(key, "openapi" | "swagger" | "components");
    let mut says_more = false;
    for entry in root.into_iter().flat_map(|map| map.entries()) {
        lofting_memo::step();
        let Some((key, _)) = entry.key().and_then(key_text) else { continue };
        if is_open_api(&key) {
            return false;
        }
        says_more |= says(&key);
    }
    says_more
}

/// The definitions in the first document of a file, in the order of the text.
fn definitions(tree: &Tree) -> Vec<Definition> {
    let mut found = Vec::new();
    for place in PLACES {
        let Some(map) = value_at(tree, place).and_then(|value| value.map()) else { continue };
        for entry in map.entries().take(DEFINITIONS) {
            let Some((name, range)) = entry.key().and_then(key_text) else { continue };
            let names = |key: &str| matches!(key, "$id" | "id" | "$anchor" | "$dynamicAnchor" | "$recursiveAnchor");
            let keys = entry.value().map().into_iter().flat_map(|map| map.entries());
            let has_anchor = keys.filter_map(|entry| Some(key_text(entry.key()?)?.0)).any(|key| names(&key));
            let steps = place.iter().map(|step| (*step).to_owned()).chain([name]).collect();
            found.push(Definition { steps, name: range, whole: entry.range(), has_anchor });
        }
    }
    found.sort_by_key(|definition| definition.name.start);
    found
}

/// The references that may be written in a file, those to its own definitions first. `typed` is the text so far: after the
/// name of a document and `#`, only what is in that document.
pub(crate) fn references_to_write(state: &AssociationState, file: &File, typed: &str) -> Vec<String> {
    let of = |target: &File, document: &str| -> Vec<String> {
        let definitions = definitions(target.tree());
        let places = definitions.iter().map(|definition| format!("{document}#{}", pointer(&definition.steps)));
        let anchors = anchors(state, target);
        let named = anchors.1.iter().map(|anchor| format!("{document}#{}", anchor.name));
        places.take(OFFERED).chain(named.take(OFFERED)).collect()
    };
    if let Some((named, _)) = typed.split_once('#').filter(|(named, _)| !named.is_empty()) {
        return document(state, file, named).map(|target| of(target, named)).unwrap_or_default();
    }
    let mut found = of(file, "");
    found.push("#".to_owned());
    if typed.starts_with('#') {
        return found;
    }
    let here = file.path.parent().unwrap_or(Path::new("/"));
    let is_schema =
        |other: &&Arc<File>| other.id != file.id && other.exists() && json_schemas::with_own(state, other).is_some();
    let mut others: Vec<(String, &Arc<File>)> = state
        .files
        .iter()
        .filter(|other| other.facts.modeline || other.facts.references || json_schemas::is_named_as_schema(&other.path))
        // No path leads to texts of the program.
        .filter(|other| !is_in_program(&other.path))
        .filter(is_schema)
        .filter_map(|other| Some((relative(here, &other.path)?, other)))
        .collect();
    // The nearest first.
    others.sort_by_cached_key(|(way, _)| (way.matches('/').count(), way.clone()));
    for (way, other) in others.into_iter().take(OFFERED_FILES) {
        found.push(way.clone());
        found.extend(of(other, &way));
    }
    found
}

/// A JSON pointer, as the fragment of a URI.
fn pointer(steps: &[String]) -> String {
    let mut text = String::new();
    for step in steps {
        text.push('/');
        for byte in step.replace('~', "~0").replace('/', "~1").bytes() {
            if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte) {
                text.push(char::from(byte));
            } else {
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}
