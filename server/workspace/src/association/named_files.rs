//! Which files are JSON Schemas because something names them: a file, a `lofting.toml`, a setting, or a schema that
//! refers to them. Depends only on the current state.

use crate::association::following::Following;
use crate::association::json_schemas;
use crate::association::mirrors::Mirrors;
use crate::association::naming::{self, Naming};
use crate::association::state::AssociationState;
use crate::config::FILE_NAME;
use crate::files::file::File;
use crate::files::table::Kept;
use lofting_document::FileId;
use lofting_memo::Weigh;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many schemas are followed to the ones they refer to.
const FOLLOWED: usize = 2_000;

/// A schema that something names directly.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NamedFile {
    /// Its path.
    pub path: PathBuf,
    /// Its URI.
    pub uri: Arc<str>,
    /// The file that names it, or one beside it: decides which folders stand for URLs.
    pub named_at: PathBuf,
}

/// The directly named schemas. Kept as long as nothing changes that names schemas.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct NamedFiles(pub Vec<NamedFile>);

impl Weigh for NamedFiles {
    fn weight(&self) -> usize {
        let texts =
            |named: &NamedFile| named.path.as_os_str().len() + named.uri.len() + named.named_at.as_os_str().len();
        self.0.iter().map(|named| size_of_val(named) + texts(named)).sum()
    }
}

/// All JSON Schemas in a state; computed once.
pub(crate) fn named_schemas(state: &AssociationState) -> FxHashSet<FileId> {
    let naming: Vec<&Arc<File>> = state.index.kept(Kept::Naming).filter_map(|id| state.file(id)).collect();
    let stamps = naming.iter().map(|file| file.revision).chain([state.structure]);
    let direct = state.memos.named_files.get((), &state.inputs(stamps), || directly(state, &naming));
    let mut following = Following::new(state, FOLLOWED);
    for named in &direct.0 {
        let file = state.file_at(&named.path).filter(|file| file.exists() && !file.holds().schema);
        if let Some(file) = file {
            following.begin(file.clone(), named.uri.clone(), &Mirrors::of(state, &named.named_at));
        }
    }
    let mut found = FxHashSet::default();
    while let Some((schema, _)) = following.next() {
        found.extend((!schema.file.holds().schema).then_some(schema.file.id));
    }
    found
}

fn directly(state: &AssociationState, files: &[&Arc<File>]) -> NamedFiles {
    let mut found = Vec::new();
    let mut add = |naming: &Naming, at: &Path| {
        for (path, reach) in naming.candidates(&Mirrors::of(state, at)) {
            if reach.names(&path)
                && let Some(file) = state.file_at(&path)
            {
                found.push(NamedFile { uri: json_schemas::uri_of(naming, file), path, named_at: at.to_owned() });
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
