//! Keeping the named input sets in step with `lofting.toml` and with the files there are.

use crate::config::{ConfigSet, FILE_NAME, ListKey};
use crate::discover::Found;
use crate::discovered::{self, Resolved};
use crate::inline::InlineFiles;
use crate::inputs::{DataValue, DataValueKind, Entry, InputContext, InputFile, InputSet, Lister, Role, Source};
use crate::path::{file_name, normalise};
use crate::scan::{is_ours, look_at};
use crate::sets::{
    CommandKey, FlagPlace, FlagValue, Part, SetOrigin, Sets, WorkspaceSet, located, parts, plain_for_libraries,
};
use crate::state::State;
use crate::workspace::Workspace;
use globset::GlobBuilder;
use lofting_document::FileId;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Workspace {
    /// Resolves all sets again.
    pub(crate) fn refresh_sets(&mut self) {
        let configs: Vec<FileId> = self
            .state
            .files
            .iter()
            .filter(|file| file.exists() && file_name(&file.path) == FILE_NAME)
            .map(|file| file.id)
            .collect();
        let mut sets = Sets::new(self.next_revision());
        for id in configs {
            let Some(file) = self.state.file(id).cloned() else { continue };
            let base = file.path.parent().unwrap_or(Path::new("/")).to_owned();
            for set in &file.config().sets {
                self.resolve_set(id, &base, set, &mut sets);
            }
        }
        let mut inline = InlineFiles::default();
        self.resolve_commands(&mut sets, &mut inline);
        self.set_inline(inline);
        self.commands_changed = false;
        let before = self.state.sets.clone();
        let state = Arc::make_mut(&mut self.state);
        state.sets = Arc::new(sets);
        state.structure += 1;
        self.run_again_where_inputs_changed(&before);
    }

    fn resolve_set(&mut self, config: FileId, base: &Path, set: &ConfigSet, sets: &mut Sets) {
        let context = InputContext { base: base.to_owned(), environment: std::env::vars().collect(), stdin: None };
        let (inputs, errors) = InputSet::resolve_leniently(&set.flags(), &context, &self.lister(&self.state));
        let mut errors = located(errors, set);
        let mut parts = parts(&inputs, |source, _| self.id_of_source(source));
        let of_part = |parts: &[(FileId, Part)], part: Part| -> Vec<FileId> {
            parts.iter().filter(|(_, other)| *other == part).map(|(id, _)| *id).collect()
        };
        let templates = of_part(&parts, Part::Template);
        let plain = of_part(&parts, Part::PlainValues);
        let mut alternatives = Vec::new();
        for (pattern, range) in set.value_patterns() {
            let files = self.matching(base, pattern);
            if files.is_empty() {
                errors.push((range.clone(), format!("no file matches `{pattern}`")));
            }
            for path in files {
                let id = self.id_of_source(&Source::Path(path));
                if !plain.contains(&id) && !alternatives.contains(&id) {
                    alternatives.push(id);
                    parts.push((id, Part::PlainValues));
                }
            }
        }
        let plain_for_libraries = plain_for_libraries(&inputs, |source, _| self.id_of_source(source));
        let flags = inputs.data_values.iter().map(|value| flag_in_config(config, set, value)).collect();
        let name = Some(Arc::from(set.name.as_str()));
        let origin = SetOrigin::Config { file: config };
        let options = inputs.options;
        sets.add(
            WorkspaceSet {
                name,
                origin,
                templates,
                plain,
                alternatives,
                plain_for_libraries,
                flags,
                options,
                inputs: inputs.files.into(),
                errors,
            },
            parts,
        );
    }

    /// What code can load depends on the set that its file belongs to.
    fn run_again_where_inputs_changed(&mut self, before: &Sets) {
        let inputs = |sets: &Sets, file: FileId| {
            sets.of_file(file).map(|(set, _)| set.inputs.clone()).find(|inputs| !inputs.is_empty())
        };
        let ran = self.state.files.iter().filter(|file| file.evaluated().is_some());
        let changed: Vec<FileId> =
            ran.map(|file| file.id).filter(|file| inputs(before, *file) != inputs(&self.state.sets, *file)).collect();
        for file in changed {
            self.forget_run(file);
        }
    }

    /// Sets of the `ytt` commands that were found. The same inputs in two places are one set.
    fn resolve_commands(&mut self, sets: &mut Sets, inline: &mut InlineFiles) {
        let mut seen: FxHashSet<Vec<(FileId, Part)>> = FxHashSet::default();
        for (path, file) in self.commands.clone() {
            let root = self.state.root_of(&path).to_owned();
            for found in &file.commands {
                let resolved = discovered::resolve(&path, &root, found, &self.lister(&self.state));
                for Resolved { mut inputs, incomplete } in resolved {
                    if sets.sets.len() >= MAX_SETS {
                        return;
                    }
                    inputs.files.extend(self.inline_inputs(&path, found, inline));
                    let parts = parts(&inputs, |source, shown| match self.inline_id(shown) {
                        Some(id) => id,
                        None => self.id_of_source(source),
                    });
                    sets.command_keys.extend(found.keys.iter().map(|key| CommandKey {
                        parts: key.split('.').map(str::to_owned).collect(),
                        path: path.clone(),
                        line: found.line,
                        templates:
                            parts.iter().filter(|(_, part)| *part == Part::Template).map(|(id, _)| *id).collect(),
                    }));
                    if !seen.insert(parts.clone()) {
                        continue;
                    }
                    let place = format!("{}:{}", self.state.shown(&path), found.line);
                    let set = command_set(found, place, incomplete, inputs, &parts);
                    sets.add(set, parts);
                }
            }
        }
    }

    fn lister<'s>(&self, state: &'s State) -> TableLister<'s> {
        TableLister { state, all: self.all_inputs }
    }

    /// Makes the sets know all their files and reads those that ytt evaluates: for rendering, which goes
    /// beyond schema and values.
    pub(crate) fn take_all_inputs(&mut self) {
        self.all_inputs = true;
        self.refresh_sets();
        let sets = self.state.sets.clone();
        let evaluated = |input: &&InputFile| input.role != Role::Data || input.for_output == Some(true);
        for input in sets.sets.iter().flat_map(|set| set.inputs.iter()).filter(evaluated) {
            self.id_of_source(&input.source);
        }
    }

    /// The number of an input; a file the scan did not see (ignored, outside) is added.
    fn id_of_source(&mut self, source: &Source) -> FileId {
        match source {
            Source::Path(path) => {
                if !self.state.file_at(path).is_some_and(|file| file.exists()) {
                    return self.add_found(look_at(path.clone())).0;
                }
                self.id_of(path)
            }
            Source::Text(_) => self.id_of(Path::new("stdin.yml")),
        }
    }

    /// Files that match a pattern of `values`, sorted.
    fn matching(&self, base: &Path, pattern: &str) -> Vec<PathBuf> {
        let anchored = normalise(base, Path::new(pattern));
        let Some(glob) = anchored.to_str().and_then(|glob| GlobBuilder::new(glob).literal_separator(true).build().ok())
        else {
            return Vec::new();
        };
        let matcher = glob.compile_matcher();
        // The part without stars tells where to look.
        let fixed: PathBuf =
            anchored.components().take_while(|part| !part.as_os_str().to_string_lossy().contains('*')).collect();
        let lister = self.lister(&self.state);
        let mut files: Vec<PathBuf> = lister
            .files_below(&fixed)
            .unwrap_or_default()
            .into_iter()
            .filter(|path| is_ours(path) && matcher.is_match(path))
            .collect();
        files.sort();
        files
    }
}

/// A set made of a command. Findings of its flags have no place that could be mended: they are not
/// part of it.
fn command_set(
    found: &Found,
    place: String,
    incomplete: bool,
    inputs: InputSet,
    parts: &[(FileId, Part)],
) -> WorkspaceSet {
    let of_part = |part: Part| parts.iter().filter(|(_, other)| *other == part).map(|(id, _)| *id).collect();
    let more_values = found.more_values
        || inputs.plain_values.len() < found.flags.data_values_files.len()
        || inputs.plain_values.iter().any(|file| file.library.is_some());
    WorkspaceSet {
        name: Some(Arc::from(place.as_str())),
        origin: SetOrigin::Command { command: found.command.clone(), place, incomplete, more_values },
        templates: of_part(Part::Template),
        plain: of_part(Part::PlainValues),
        alternatives: Vec::new(),
        plain_for_libraries: Vec::new(),
        flags: Vec::new(),
        options: inputs.options,
        inputs: inputs.files.into(),
        errors: Vec::new(),
    }
}

/// Findings about a flag of a set point to its text in the `lofting.toml`.
fn flag_in_config(config: FileId, set: &ConfigSet, value: &DataValue) -> FlagValue {
    let written = |key: ListKey| set.list(key).iter().find(|(text, _)| *text == value.written);
    let place = match value.kind {
        DataValueKind::Text => written(ListKey::DataValues),
        DataValueKind::Yaml => written(ListKey::DataValuesYaml),
        DataValueKind::File => written(ListKey::DataValueFiles),
        DataValueKind::Environment | DataValueKind::EnvironmentYaml => None,
    };
    let place = match place {
        // Behind the opening quote.
        Some((_, range)) => FlagPlace::Text(range.start + 1),
        None => FlagPlace::Whole(set.name_range.clone()),
    };
    FlagValue { value: value.clone(), file: config, place }
}

/// Files as an editor sees them: those on disk, and those it holds that are not saved yet.
struct TableLister<'a> {
    state: &'a State,
    /// List all files: only names of YAML files and code concern those who do not render.
    all: bool,
}

/// Sets made of commands; beyond that a repository should say in `lofting.toml` which count.
const MAX_SETS: usize = 500;

/// A directory named in `lofting.toml` with more entries than this is listed in part.
const MAX_ENTRIES: usize = 200_000;

impl Lister for TableLister<'_> {
    fn entry(&self, path: &Path) -> Entry {
        if self.state.file_at(path).is_some_and(|file| file.exists()) {
            return Entry::File;
        }
        if self.state.index.directories_below(path).next().is_some() {
            return Entry::Directory;
        }
        crate::inputs::DiskLister.entry(path)
    }

    fn files_below(&self, directory: &Path) -> Result<Vec<PathBuf>, String> {
        let mut files: Vec<PathBuf> = Vec::new();
        // ytt does not know .gitignore. Only `.git` itself, which never holds inputs, is left out.
        let mut visited = 0;
        let mut open = vec![directory.to_owned()];
        while let Some(next) = open.pop() {
            let Ok(entries) = std::fs::read_dir(&next) else { continue };
            for entry in entries.flatten() {
                visited += 1;
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() && entry.file_name() != ".git" {
                    open.push(entry.path());
                } else if kind.is_file() && (self.all || is_ours(&entry.path())) {
                    files.push(entry.path());
                }
            }
            if visited > MAX_ENTRIES {
                break;
            }
        }
        let known: rustc_hash::FxHashSet<PathBuf> = files.iter().cloned().collect();
        let open = self.state.index.directories_below(directory).flat_map(|(_, files)| files);
        files.extend(
            open.filter_map(|id| self.state.file(*id))
                .map(|file| file.path.to_path_buf())
                .filter(|path| !known.contains(path)),
        );
        Ok(files)
    }

    fn text(&self, path: &Path) -> Result<String, String> {
        match self.state.file_at(path).filter(|file| file.exists()) {
            Some(file) => Ok(file.text().to_string()),
            None => crate::inputs::DiskLister.text(path),
        }
    }
}
