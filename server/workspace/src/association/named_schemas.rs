//! Which files are JSON Schemas because something names them: a file, a `lofting.toml`, a setting, or a schema that
//! refers to them. Depends only on the current state.

use crate::association::linked;
use crate::association::mirrors::Mirrors;
use crate::association::naming::{self, Naming};
use crate::files::file::File;
use crate::files::table::Kept;
use crate::input_sets::config::FILE_NAME;
use crate::state::State;
use lofting_document::FileId;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many schemas are followed to the ones they refer to.
const FOLLOWED: usize = 2_000;

/// The path of a schema, and its URI.
type NamedFile = (PathBuf, Arc<str>);

/// The directly named schemas. Kept as long as nothing changes that names schemas.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct NamedFiles(pub Vec<NamedFile>);

/// All JSON Schemas in a state; computed once.
pub(crate) fn named_schemas(state: &State) -> FxHashSet<FileId> {
    let naming: Vec<&Arc<File>> = state.index.kept(Kept::Naming).filter_map(|id| state.file(id)).collect();
    let stamps = naming.iter().map(|file| file.revision).chain([state.structure]);
    let direct = state.memos.named_files.get((), &state.inputs(stamps), || directly(state, &naming));
    let mut found = FxHashSet::default();
    let mut todo: Vec<NamedFile> = direct.0.clone();
    while let Some((path, uri)) = todo.pop().filter(|_| found.len() < FOLLOWED) {
        let file = state.file_at(&path).filter(|file| file.exists() && !file.holds().schema);
        let Some(file) = file.filter(|file| found.insert(file.id)) else { continue };
        let (mirrors, reach) = (Mirrors::of(state, &path), state.reach_of(&path));
        for link in linked::links(state, file, &uri).iter() {
            let files = mirrors.files_of_uri(link, &reach).into_iter();
            todo.extend(files.map(|(path, _)| (path, Arc::from(link))));
        }
    }
    found
}

fn directly(state: &State, files: &[&Arc<File>]) -> NamedFiles {
    let mut found = Vec::new();
    let mut add = |naming: &Naming, at: &Path| {
        for (path, reach) in naming.candidates(&Mirrors::of(state, at)) {
            if reach.names(&path)
                && let Some(file) = state.file_at(&path)
            {
                found.push((path, linked::uri_of(naming, file)));
            }
        }
    };
    for file in files {
        if !file.is_configuration() {
            if let Some(naming) = naming::in_file(state, file) {
                add(&naming, &file.path);
            }
            continue;
        }
        for entry in file.config().schemas.iter().filter(|entry| !entry.schema.is_empty()) {
            add(&Naming::configured(state, file, entry, ""), &file.path);
        }
    }
    for setting in &state.settings.schemas {
        for root in state.roots.iter() {
            add(&naming::of_setting(state, &setting.schema, setting.setting, root), &root.join(FILE_NAME));
        }
    }
    NamedFiles(found)
}
