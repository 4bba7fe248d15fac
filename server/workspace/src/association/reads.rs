//! The schemas of `data.values` in a template, for checking which data values its code reads.

use crate::association::associate::{kind, schema_ref};
use crate::association::kind::FileKind;
use crate::association::nearest::{holds_schema, nearest, schema_files_below};
use crate::association::reason::SchemaRef;
use crate::association::shared::SchemaFiles;
use crate::association::state::AssociationState;
use crate::files::file::File;
use crate::files::libraries::library_of;
use crate::input_sets::sets::{FileRole, FlagPlace};
use lofting_check::Diagnostic;
use lofting_document::{FileId, Span};
use lofting_text::Text;
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The schemas that declare `data.values` in a file.
#[derive(Debug, Clone, Default)]
pub struct Reads {
    /// The schemas, one for each input set that gives the file different values.
    pub schemas: Vec<SchemaRef>,
    /// Whether these are all schemas, and nothing else declares values for the file.
    pub certain: bool,
}

impl Reads {
    /// The schema files, each once.
    pub fn files(&self) -> impl Iterator<Item = FileId> {
        let all = self.schemas.iter().enumerate();
        all.flat_map(move |(index, schema)| {
            let known = move |file: &FileId| self.schemas.iter().take(index).any(|other| other.contains(*file));
            schema.state.files.iter().copied().filter(move |file| !known(file))
        })
    }
}

/// The schemas of `data.values` in the code of `file`. In schema and values files it is empty (docs/ytt.md 16.1).
/// Computed once for each state, separately for states with and without callable functions.
pub(crate) fn reads(state: &AssociationState, file: &File) -> Arc<Reads> {
    state.shared.reads.get((file.id, state.calls_functions()), |_| Arc::new(reads_of(state, file)))
}

fn reads_of(state: &AssociationState, file: &File) -> Reads {
    if !file.may_have_code() || !matches!(kind(state, file), FileKind::Template | FileKind::Library | FileKind::Other) {
        return Reads::default();
    }
    let sets = state.sets.deciding(file.id);
    let sets = if sets.is_empty() { state.sets.indices_of_file(file.id).collect() } else { sets };
    let mut reads = Reads { schemas: Vec::new(), certain: true };
    for (index, part) in sets.iter().copied() {
        let Some(set) = state.sets.sets.get(index) else { continue };
        let files = SchemaFiles::of_set(state, index);
        let incomplete = set.is_incomplete();
        reads.certain &= part == FileRole::Template && !files.is_empty() && !incomplete;
        if files.is_empty() {
            continue;
        }
        let schema = SchemaRef { incomplete, ..schema_ref(state, files, set.name.clone(), false) };
        if !reads.schemas.iter().any(|known| Arc::ptr_eq(&known.state, &schema.state)) {
            reads.schemas.push(schema);
        }
    }
    if !sets.is_empty() {
        return reads;
    }
    if let Some((directory, _)) = library_of(state, &file.path) {
        let files = schema_files_below(state, &directory);
        // Any caller of the library can add to its schema.
        let schemas = (!files.is_empty()).then(|| schema_ref(state, files, None, false)).into_iter().collect();
        return Reads { schemas, certain: false };
    }
    let schema = nearest(state, &file.path).map(|nearest| schema_ref(state, nearest.files, None, false));
    let schemas: Vec<SchemaRef> = schema.filter(|schema| !schema.state.is_accidental()).into_iter().collect();
    let certain = !schemas.is_empty() && kind(state, file) == FileKind::Template;
    Reads { schemas, certain }
}

/// The key of a data value in a flag.
#[derive(Debug, Clone)]
pub struct FlagKey {
    /// The parts of the key with their places; environment variables have no places.
    pub parts: Vec<(String, Option<Span>)>,
    /// The place of the flag.
    pub place: Span,
    /// The schema of the flag's set.
    pub schema: SchemaRef,
}

/// The keys of all flags in the input sets of the workspace.
pub(crate) fn flag_keys(state: &AssociationState) -> Vec<FlagKey> {
    let mut keys = Vec::new();
    let sets = state.sets.sets.iter().enumerate();
    for (index, set) in sets.filter(|(_, set)| set.flags.iter().any(|flag| flag.value.library.is_none())) {
        let files = SchemaFiles::of_set(state, index);
        if files.is_empty() {
            continue;
        }
        let schema = schema_ref(state, files, set.name.clone(), false);
        for flag in set.flags.iter().filter(|flag| flag.value.library.is_none()) {
            let (start, place) = match &flag.place {
                FlagPlace::Text(start) => (Some(*start), *start..*start + flag.value.written.len()),
                FlagPlace::Whole(range) => (None, range.clone()),
            };
            let span =
                |range: &Range<usize>| start.map(|start| Span::new(flag.file, start + range.start..start + range.end));
            let parts = flag.value.key.iter().map(|(range, part)| (part.clone(), span(range)));
            let place = Span::new(flag.file, place);
            keys.push(FlagKey { parts: parts.collect(), place, schema: schema.clone() });
        }
    }
    keys
}

/// The key of a data value in a command of the workspace: `ytt -v db.host=...`.
#[derive(Debug, Clone)]
pub struct GivenKey {
    /// Its parts.
    pub parts: Vec<String>,
    /// The file with the command, which may be any file.
    pub path: PathBuf,
    /// The line of the command, from 1.
    pub line: usize,
    /// The schema of the command's inputs.
    pub schema: SchemaRef,
}

/// The keys of all commands.
pub(crate) fn command_keys(state: &AssociationState) -> Vec<GivenKey> {
    let schema = |templates: &[FileId]| {
        let files = templates.iter().filter_map(|id| state.file(*id)).filter(|file| holds_schema(file)).cloned();
        let files = SchemaFiles::of(state, files);
        (!files.is_empty()).then(|| schema_ref(state, files, None, false))
    };
    let given = state.sets.command_keys.iter().filter_map(|key| {
        let schema = schema(&key.templates)?;
        Some(GivenKey { parts: key.parts.clone(), path: key.path.clone(), line: key.line, schema })
    });
    given.collect()
}

/// The text of a file with a command, from the editor or from disk.
pub(crate) fn command_text(state: &AssociationState, path: &Path) -> Option<Text> {
    match state.file_at(path) {
        Some(file) if file.exists() => Some(file.text().clone()),
        _ => state.bounds_of(path).text(path).ok().map(|text| Text::new(&text)),
    }
}

/// Findings about keys that the code of `file` reads and its schemas do not declare, and the number of further ones.
pub(crate) fn findings(file: &File, reads: &Reads) -> (Vec<Diagnostic>, usize) {
    let values = &file.code().values;
    if values.uses.is_empty() {
        return (Vec::new(), 0);
    }
    if !reads.certain || reads.schemas.iter().any(|schema| schema.state.uncertain || schema.incomplete) {
        return (Vec::new(), 0);
    }
    let schemas: Vec<_> = reads.schemas.iter().map(|schema| &*schema.schema).collect();
    let (mut found, more) = lofting_check::check_data_values(file.id, values, &schemas);
    // Half-typed YAML can hide where code is, and code that is being typed is not complete.
    let text = file.text();
    let broken: FxHashSet<_> = file.errors().iter().map(|error| text.line_of(error.range.start)).collect();
    found.retain(|finding| !broken.contains(&text.line_of(finding.span.range().start)));
    (found, more)
}
