//! The input set that a file most likely belongs to where neither a `lofting.toml` nor a command names one: the folder
//! of its schema, with the values files that this schema governs.
//!
//! It is used to show output, and offered to be written down. Nothing is reported because of it.

use crate::association::associate::{associate, kind};
use crate::association::configurations;
use crate::association::kind::FileKind;
use crate::association::nearest::nearest;
use crate::association::shared::SchemaFiles;
use crate::disk::path::{file_name, relative};
use crate::files::file::File;
use crate::files::libraries::{LIBRARIES, SCHEMA_DIRECTORIES, library_of};
use crate::input_sets::listing::{Listings, TableLister};
use crate::input_sets::sets::{FileRole, SetOrigin, Sets, WorkspaceSet, parts};
use crate::inputs::NameKind;
use crate::inputs::{InputContext, InputFlags, InputOptions, InputSet, Source};
use crate::state::State;
use lofting_document::FileId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// A set of more files is not assumed: each change would render all of them.
const MOST_FILES: usize = 2_000;

/// How many values files are offered.
const MOST_VALUES: usize = 50;

/// How many entries of a folder are named one by one, because others in it are values files.
const MOST_ENTRIES: usize = 30;

/// How many folders are remembered with their last sets.
const MOST_FOLDERS: usize = 16;

/// An input set that is nowhere described.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssumedSet {
    /// The folder that paths are relative to: that of the `lofting.toml` that would describe it.
    pub folder: PathBuf,
    /// A name for it.
    pub name: String,
    /// What `ytt -f` would get, as paths.
    pub files: Vec<String>,
    /// What `values` of a `lofting.toml` would say: a path, or patterns that stand for a call with each file.
    pub values: Vec<String>,
    /// The values files that were found, as paths; a call gets one of them, or none.
    pub values_files: Vec<String>,
    /// The files have a schema, whose defaults are used without a values file.
    pub has_schema: bool,
}

impl AssumedSet {
    /// The call without a values file, as one would type it in the folder.
    pub fn command(&self) -> String {
        let files: Vec<String> = self.files.iter().map(|file| format!(" -f {file}")).collect();
        format!("ytt{}", files.concat())
    }
}

/// The last sets by the folder of the file's schema. While they mean the same, so does what was made with them.
#[derive(Default)]
struct LastAssumed(FxHashMap<PathBuf, Arc<Sets>>);

/// The state in which the assumed set of a file is the only one. None if nothing in the file is for ytt, or if the set
/// would be too large.
pub(crate) fn with_assumed_set(state: &State, file: &File) -> Option<(State, AssumedSet)> {
    let home = home_of(state, file)?;
    let values = values_below(state, &home);
    let folder = match configurations::nearest(state, &file.path) {
        Some(found) => found.path.parent()?.to_owned(),
        None => state.root_of(&file.path).to_owned(),
    };
    let paths: Vec<&Path> = values.iter().map(|file| &*file.path).collect();
    let files: Vec<String> =
        home.inputs(state, file, &paths).iter().map(|path| named(&folder, path)).collect::<Option<_>>()?;
    let assumed = AssumedSet {
        name: home.name(&folder),
        values: patterns(state, &folder, &paths)?,
        values_files: paths.iter().map(|path| relative(&folder, path)).collect::<Option<_>>()?,
        has_schema: home.schema.is_some(),
        files,
        folder,
    };
    let sets = resolved(state, file, &assumed, &values)?;
    let inputs: FxHashSet<FileId> = sets.sets.iter().flat_map(|set| set.templates.iter().copied()).collect();
    let mut assuming = state.next();
    *assuming.sets = last(state, &home.directory, sets);
    // What code loads is now looked up in the set.
    for id in inputs {
        assuming.evaluations.remove(id);
    }
    Some((assuming, assumed))
}

/// Where the inputs of a file are.
struct Home {
    /// The folder of its schema, or its own.
    directory: PathBuf,
    schema: Option<SchemaFiles>,
}

fn home_of(state: &State, file: &File) -> Option<Home> {
    if let Some((directory, _)) = library_of(state, &file.path) {
        let schema = nearest(state, &file.path).filter(|nearest| nearest.directory.starts_with(&directory));
        return Some(Home { directory, schema: schema.map(|nearest| nearest.files) });
    }
    if let Some(found) = nearest(state, &file.path) {
        let is_input = match kind(state, file) {
            // Values of this schema, or plain YAML that is printed as it is.
            FileKind::PlainValues => true,
            FileKind::Parts | FileKind::Other => {
                NameKind::of_path(&file.path) != NameKind::Data && file.path.starts_with(&*found.directory)
            }
            FileKind::Configuration => false,
            _ => true,
        };
        return is_input.then(|| Home { directory: found.directory.to_path_buf(), schema: Some(found.files) });
    }
    match NameKind::of_path(&file.path) {
        NameKind::Yaml if file.holds().template || file.holds().values => {}
        NameKind::Text => {}
        _ => return None,
    }
    Some(Home { directory: file.path.parent()?.to_owned(), schema: None })
}

impl Home {
    /// A name for the set: the folder's that is not only called `config`.
    fn name(&self, folder: &Path) -> String {
        let inside = self.directory.strip_prefix(folder).unwrap_or(&self.directory);
        let parts: Vec<&str> = inside.components().filter_map(|part| part.as_os_str().to_str()).collect();
        let telling = parts.iter().rev().find(|part| !SCHEMA_DIRECTORIES.contains(part) && **part != LIBRARIES);
        (*telling.or(parts.last()).unwrap_or(&"main")).to_owned()
    }

    /// The paths that `ytt -f` would get: the folder, and where the file lies if that is elsewhere. Of a folder that
    /// contains `values`, only the other entries.
    fn inputs(&self, state: &State, file: &File, values: &[&Path]) -> Vec<PathBuf> {
        let mut inputs = if values.iter().any(|value| value.starts_with(&self.directory)) {
            entries_without(state, &self.directory, values)
        } else {
            vec![self.directory.clone()]
        };
        let is_value = values.contains(&&*file.path);
        if !is_value && !file.path.starts_with(&self.directory) {
            inputs.push(beside(&self.directory, &file.path));
        }
        inputs
    }
}

/// The file or folder with `path` in it that lies beside `directory`, or beside a folder that contains this.
fn beside(directory: &Path, path: &Path) -> PathBuf {
    let common = path.ancestors().find(|above| directory.starts_with(above)).unwrap_or(path);
    let next = path.strip_prefix(common).ok().and_then(|rest| rest.components().next());
    next.map_or_else(|| path.to_owned(), |next| common.join(next))
}

/// What lies directly in a folder and is or contains none of the `values`; the folder if that is too much.
fn entries_without(state: &State, directory: &Path, values: &[&Path]) -> Vec<PathBuf> {
    let mut entries = BTreeSet::new();
    for (_, files) in state.index.directories_below(directory) {
        for file in files.iter().filter_map(|id| state.file(*id)).filter(|file| !file.is_configuration()) {
            let first = file.path.strip_prefix(directory).ok().and_then(|inside| inside.components().next());
            entries.extend(first.map(|first| directory.join(first)));
        }
        if entries.len() > MOST_ENTRIES {
            return vec![directory.to_owned()];
        }
    }
    entries.retain(|entry| !values.iter().any(|value| value.starts_with(entry)));
    entries.into_iter().collect()
}

/// The plain values files that the schema of a folder governs. They lie around it.
fn values_below(state: &State, home: &Home) -> Vec<Arc<File>> {
    let Some(schema) = &home.schema else { return Vec::new() };
    let is_named = SCHEMA_DIRECTORIES.contains(&file_name(&home.directory));
    let around = home.directory.parent().filter(|_| is_named).unwrap_or(&home.directory);
    let below = state.index.directories_below(around).flat_map(|(_, files)| files.iter());
    let is_governed = |file: &&Arc<File>| {
        kind(state, file) == FileKind::PlainValues
            && associate(state, file).schemas().any(|found| found.source.is(schema))
    };
    let files = below.take(MOST_FILES).filter_map(|id| state.file(*id));
    let mut found: Vec<Arc<File>> = files.filter(is_governed).take(MOST_VALUES).cloned().collect();
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn named(folder: &Path, path: &Path) -> Option<String> {
    let shown = relative(folder, path)?;
    Some(if shown.is_empty() { ".".to_owned() } else { shown })
}

/// What stands for one call with each of `values`: the path of the only one, else patterns that match nothing else.
fn patterns(state: &State, folder: &Path, values: &[&Path]) -> Option<Vec<String>> {
    if let [only] = values {
        return Some(vec![relative(folder, only)?]);
    }
    let mut groups: BTreeMap<(&Path, &str), Vec<&str>> = BTreeMap::new();
    for value in values {
        let (stem, extension) = (value.file_stem()?.to_str()?, value.extension()?.to_str()?);
        groups.entry((value.parent()?, extension)).or_default().push(stem);
    }
    let pattern = |((directory, extension), stems): ((&Path, &str), Vec<&str>)| {
        let ends = |id: &&FileId| {
            let file = state.file(**id).filter(|file| file.exists());
            file.is_some_and(|file| file.path.extension().and_then(|it| it.to_str()) == Some(extension))
        };
        let all = state.index.in_directory(directory).map_or(0, |files| files.iter().filter(ends).count());
        let name = if all == stems.len() {
            "*".to_owned()
        } else {
            format!("{{{}}}", stems.iter().map(|stem| globset::escape(stem)).collect::<Vec<_>>().join(","))
        };
        let directory = relative(folder, directory)?;
        let above = if directory.is_empty() { String::new() } else { format!("{}/", globset::escape(&directory)) };
        Some(format!("{above}{name}.{extension}"))
    };
    groups.into_iter().map(pattern).collect()
}

/// The call without a values file as one set, and those with one as another.
fn resolved(state: &State, file: &File, assumed: &AssumedSet, values: &[Arc<File>]) -> Option<Sets> {
    let reach = state.bounds_of(&file.path);
    let mut listings = Listings::default();
    listings.begin(false, true);
    let lister = TableLister { state, all: false, reach: &reach, listings: &listings };
    let flags = InputFlags { files: assumed.files.clone(), ..InputFlags::default() };
    let context = InputContext { base: assumed.folder.clone(), environment: Vec::new(), streams: Default::default() };
    let (mut inputs, _) = InputSet::resolve_leniently(&flags, &context, &lister);
    let is_value =
        |source: &Source| matches!(source, Source::Path(path) if values.iter().any(|value| *value.path == **path));
    inputs.files.retain(|input| !is_value(&input.source));
    if inputs.files.is_empty() || inputs.files.len() > MOST_FILES {
        return None;
    }
    let id_of = |source: &Source, _: &str| match source {
        Source::Path(path) => state.file_at(path).filter(|file| file.exists()).map(|file| file.id),
        Source::Text(_) => None,
    };
    let parts = parts(&inputs, id_of);
    let templates: Vec<FileId> =
        parts.iter().filter(|(_, part)| *part == FileRole::Template).map(|(id, _)| *id).collect();
    let files: Arc<[_]> = inputs.files.into();
    let set = |name: String, alternatives: Vec<FileId>| WorkspaceSet {
        name: Some(name.into()),
        origin: SetOrigin::Flags,
        templates: templates.clone(),
        plain: Vec::new(),
        alternatives,
        plain_for_libraries: Vec::new(),
        flags: Vec::new(),
        options: InputOptions::default(),
        reach: reach.clone(),
        inputs: files.clone(),
        excluded: Vec::new(),
        errors: Vec::new(),
        left_out: Vec::new(),
    };
    let alternatives: Vec<FileId> = values.iter().map(|file| file.id).collect();
    let mut sets = Sets::new();
    let alone =
        if assumed.has_schema { format!("{} with the schema's defaults", assumed.name) } else { assumed.name.clone() };
    sets.add(set(alone, Vec::new()), parts.iter().copied());
    if !alternatives.is_empty() {
        let with_values = alternatives.iter().map(|id| (*id, FileRole::PlainValues));
        let all: Vec<(FileId, FileRole)> = parts.into_iter().chain(with_values).collect();
        sets.add(set(assumed.name.clone(), alternatives), all);
    }
    Some(sets)
}

/// The sets of a folder: the last ones if they mean the same.
fn last(state: &State, directory: &Path, sets: Sets) -> Arc<Sets> {
    let known: Arc<LastAssumed> = state.last_derived.get().unwrap_or_default();
    if let Some(last) = known.0.get(directory).filter(|last| last.means_the_same(&sets)) {
        return last.clone();
    }
    let sets = Arc::new(sets);
    let others = known.0.iter().filter(|_| known.0.len() < MOST_FOLDERS);
    let mut all: FxHashMap<PathBuf, Arc<Sets>> = others.map(|(of, sets)| (of.clone(), sets.clone())).collect();
    all.insert(directory.to_owned(), sets.clone());
    state.last_derived.note(Arc::new(LastAssumed(all)));
    sets
}
