//! Keys of a schema file that nothing uses: which files may use them, and what these say.
//!
//! Which files these are is found once for each state, and what each of them uses is remembered as long as its text is
//! the same. The schema file has the same findings as long as the same keys are unused.

use crate::association::associate::{associate, kind, may_use_schema};
use crate::association::kind::FileKind;
use crate::association::reads::reads;
use crate::association::reason::SchemaRef;
use crate::files::file::File;
use crate::files::libraries::library_of;
use crate::files::scan::is_code;
use crate::findings::levels;
use crate::findings::state::CheckState;
use crate::input_sets::sets::WorkspaceSet;
use crate::inputs::NameKind;
use crate::inputs::{Role, Source};
use lofting_check::{Diagnostic, KeysRead, KeysSet, check_unused_keys, rules::UNUSED_KEY};
use lofting_document::FileId;
use lofting_memo::{Stamp, Weigh};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The keys of a schema file that nothing uses.
#[derive(Default)]
pub(crate) struct UnusedKeys {
    pub found: Vec<Diagnostic>,
    /// Stays the same as long as these are the same.
    pub stamp: Stamp,
}

impl Weigh for UnusedKeys {
    fn weight(&self) -> usize {
        size_of::<UnusedKeys>() + size_of_val(self.found.as_slice())
    }

    fn meaning(&self) -> Option<Stamp> {
        Some(self.stamp)
    }
}

/// The files that may use the keys of schemas.
#[derive(Default)]
pub(crate) struct SchemaUsers {
    /// By the files of the schemas.
    by_schema: FxHashMap<FileId, Users>,
    /// Files whose schema is not known: it may be any.
    of_any: Users,
}

#[derive(Default)]
struct Users {
    /// Files whose code may read keys.
    code: Vec<FileId>,
    /// Files that may set keys.
    values: Vec<FileId>,
}

/// What a file may read; None if its text does not tell.
pub(crate) struct FileReads(Option<KeysRead>);

impl Weigh for FileReads {
    fn weight(&self) -> usize {
        self.0.as_ref().map_or(0, KeysRead::weight)
    }
}

/// What a file sets; None if its text does not tell.
pub(crate) struct FileSets(Option<KeysSet>);

impl Weigh for FileSets {
    fn weight(&self) -> usize {
        self.0.as_ref().map_or(0, KeysSet::weight)
    }
}

/// The unused keys of a file, if it is a schema and the rule is on.
pub(crate) fn unused_keys(state: &CheckState, file: &File) -> Option<Arc<UnusedKeys>> {
    if !file.facts.schema || kind(state, file) != FileKind::Schema || !levels::is_chosen(state, file, &UNUSED_KEY) {
        return None;
    }
    let association = associate(state, file);
    let schemas: Vec<&SchemaRef> = association.schemas().collect();
    let is_known = |schema: &&SchemaRef| {
        let problems = schema.incomplete || schema.state.uncertain || schema.state.is_accidental();
        !problems && !schema.schema.is_unknown()
    };
    if schemas.is_empty() || !schemas.iter().all(is_known) || !all_is_known(state, file) {
        return None;
    }
    let users = state.check_shared.schema_users(state);
    let users = users.of(file.id);
    let files = users.iter().flat_map(|users| users.code.iter().chain(&users.values));
    let stamps = files.filter_map(|id| state.file(*id)).map(|file| state.stamp(file));
    let inputs = schemas.iter().map(|schema| schema.state.stamp).chain([state.structure]).chain(stamps);
    let inputs = state.inputs(inputs).passing(file.is_open());
    Some(state.check_memos.unused_keys.get(file.id, &inputs, || {
        let last = state.check_memos.unused_keys.newest(&file.id);
        let found = find(state, file, &schemas, users).unwrap_or_default();
        let same = last.filter(|last| last.found == found);
        UnusedKeys { found, stamp: same.map_or_else(Stamp::next, |last| last.stamp) }
    }))
}

/// Whether it is known what `ytt` gets together with a schema file.
fn all_is_known(state: &CheckState, file: &File) -> bool {
    let has_unread_code = |set: &WorkspaceSet| {
        set.inputs.iter().any(|input| match (&input.source, input.role) {
            (_, Role::YamlTemplate | Role::YamlPlain | Role::TextPlain | Role::Data) => false,
            (Source::Path(path), Role::Library | Role::TextTemplate | Role::Starlark) => {
                let is_read_as_code = is_code(path) || NameKind::of_path(path) == NameKind::YamlLibrary;
                !is_read_as_code || state.file_at(path).is_none()
            }
            _ => true,
        })
    };
    *state.seen_all
        && library_of(state, &file.path).is_none()
        && state.sets.of_file(file.id).all(|(set, _)| set.not_rendered().is_none() && !has_unread_code(set))
}

impl SchemaUsers {
    /// The users of all schemas.
    pub fn of_all(state: &CheckState) -> SchemaUsers {
        let mut users = SchemaUsers::default();
        for file in state.files.iter().filter(|file| file.exists() && may_use_schema(state, file)) {
            let sets = match kind(state, file) {
                FileKind::DataValues | FileKind::PlainValues => true,
                FileKind::Schema => file.facts.values,
                _ => false,
            };
            if sets || file.may_have_code() {
                users.add(state, file, sets);
            }
        }
        users
    }

    fn add(&mut self, state: &CheckState, file: &File, sets: bool) {
        let (association, read) = (associate(state, file), reads(state, file));
        let schemas = association.schemas().chain(&read.schemas);
        let schemas: FxHashSet<FileId> = schemas.flat_map(|schema| schema.state.files.iter().copied()).collect();
        // Prose has neither a schema nor code.
        let is_text = matches!(NameKind::of_path(&file.path), NameKind::Text | NameKind::TextLibrary);
        if schemas.is_empty() && !is_text {
            self.of_any.add(file, sets);
        }
        for schema in schemas {
            self.by_schema.entry(schema).or_default().add(file, sets);
        }
    }

    /// The users of a schema file: those that have it, and those that may.
    fn of(&self, schema: FileId) -> [&Users; 2] {
        static NONE: Users = Users { code: Vec::new(), values: Vec::new() };
        [self.by_schema.get(&schema).unwrap_or(&NONE), &self.of_any]
    }
}

impl Users {
    fn add(&mut self, file: &File, sets: bool) {
        if sets {
            self.values.push(file.id);
        }
        if file.may_have_code() {
            self.code.push(file.id);
        }
    }
}

fn find(state: &CheckState, file: &File, schemas: &[&SchemaRef], users: [&Users; 2]) -> Option<Vec<Diagnostic>> {
    let read: Vec<Arc<FileReads>> = users.iter().flat_map(|users| &users.code).map(|id| read_by(state, *id)).collect();
    let read: Vec<&KeysRead> = read.iter().map(|read| read.0.as_ref()).collect::<Option<_>>()?;
    let set: Vec<Arc<FileSets>> = users.iter().flat_map(|users| &users.values).map(|id| set_by(state, *id)).collect();
    let set: Vec<&KeysSet> = set.iter().map(|set| set.0.as_ref()).collect::<Option<_>>()?;
    let given = given(state);
    let set: Vec<&KeysSet> = set.into_iter().chain([&given]).collect();
    let mut found: Option<Vec<Diagnostic>> = None;
    for schema in schemas {
        let mut here = check_unused_keys(file.id, &schema.schema, &read, &set);
        // It counts what nothing uses in any of the sets.
        here.retain(|finding| found.as_ref().is_none_or(|found| found.contains(finding)));
        found = Some(here);
    }
    found
}

/// A file as it is read only for this: its tree is not kept, unless it is needed elsewhere.
pub(crate) fn with_text<T>(file: &File, make: impl FnOnce(&File) -> T) -> T {
    if file.is_open() || file.is_parsed() { make(file) } else { make(&file.unread()) }
}

fn read_by(state: &CheckState, id: FileId) -> Arc<FileReads> {
    let Some(file) = state.file(id) else { return Arc::new(FileReads(None)) };
    let is_library = kind(state, file) == FileKind::Library || is_code(&file.path);
    state.check_memos.keys_read.get((id, is_library), &state.inputs([file.revision]).passing(file.is_open()), || {
        FileReads(with_text(file, |file| {
            let is_yaml = !is_code(&file.path);
            let is_hidden = is_yaml && (file.tree().root().has_errors() || file.lowered().templated_keys);
            (!is_hidden && file.problem().is_none()).then(|| KeysRead::of(file.code(), is_library))
        }))
    })
}

fn set_by(state: &CheckState, id: FileId) -> Arc<FileSets> {
    let Some(file) = state.file(id) else { return Arc::new(FileSets(None)) };
    state.check_memos.keys_set.get(id, &state.inputs([state.stamp(file)]).passing(file.is_open()), || {
        FileSets(with_text(file, |read| {
            let documents = state.documents(read);
            // Keys that code makes are known once it has run.
            let is_known = file.problem().is_none() && !(file.needs_run() && documents.templated_keys);
            is_known.then(|| KeysSet::of(documents.documents.iter().filter(|document| !document.is_schema())))
        }))
    })
}

/// The keys that flags and commands set.
fn given(state: &CheckState) -> KeysSet {
    let mut given = KeysSet::default();
    for flag in state.sets.sets.iter().flat_map(|set| &set.flags) {
        given.add(flag.value.key.iter().map(|(_, part)| part));
    }
    for command in &state.sets.command_keys {
        given.add(&command.parts);
    }
    given
}
