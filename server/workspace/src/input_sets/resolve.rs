//! Turns the knowledge of a state into input sets. Nothing is changed here, so any thread can do it; work is counted,
//! so callers that must not be blocked can leave it to others.

use crate::config::{ConfigSet, ListKey};
use crate::discover::FoundCommand;
use crate::discover::command_files::{self, Resolved};
use crate::disk::Reach;
use crate::files::table::Kept;
use crate::input_sets::inline::{Inline, InlineFiles};
use crate::input_sets::job::SetsJob;
use crate::input_sets::left_out::{Entries, Within, within};
use crate::input_sets::listing::{Listings, TableLister, matching};
use crate::input_sets::sets::{
    CommandKey, FileRole, FlagPlace, FlagValue, SetOrigin, Sets, WorkspaceSet, excluded, located, parts,
    plain_for_libraries,
};
use crate::input_sets::state::SetsState;
use crate::inputs::{DataValue, DataValueKind, InputContext, InputFile, InputOptions, InputSet, Source};
use lofting_document::FileId;
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// How many sets are made from commands; in larger repositories `lofting.toml` should say which ones matter.
const MAX_SETS: usize = 500;

/// The cost of finding the directory of a command: a few names are looked up.
const COST_OF_COMMAND: usize = 10;

/// Makes the sets that a job defines.
pub(crate) struct Resolver<'a> {
    job: &'a SetsJob,
    /// Files that sets name but that are not in the state.
    unknown: RefCell<Vec<(PathBuf, Reach)>>,
}

impl<'a> Resolver<'a> {
    /// A resolver of the sets that this job defines.
    pub fn new(job: &'a SetsJob) -> Self {
        Resolver { job, unknown: RefCell::default() }
    }

    fn state(&self) -> &'a SetsState {
        &self.job.state
    }

    fn listings(&self) -> &'a Listings {
        &self.job.looks.listings
    }

    /// All sets, with the files that must be looked at before these are right.
    pub fn run(&self) -> (Sets, InlineFiles, Vec<(PathBuf, Reach)>) {
        let configs = self.state().index.kept(Kept::Configuration).filter_map(|id| self.state().file(id));
        let configs: Vec<_> = configs.collect();
        if self.listings().is_at_once() && configs.iter().any(|file| !file.is_quickly_read()) {
            self.listings().exceed();
            return (Sets::new(), InlineFiles::default(), Vec::new());
        }
        let mut sets = Sets::new();
        let mut entries = Entries::default();
        for file in configs {
            sets.config_texts.insert(file.id, file.revision);
            for set in &file.config().sets {
                self.described((file.id, &file.path), set, &mut entries, &mut sets);
            }
        }
        let mut inline = InlineFiles::default();
        self.commanded(&mut sets, &mut inline);
        (sets, inline, self.unknown.take())
    }

    /// Adds a set of a `lofting.toml`.
    fn described(&self, (config, path): (FileId, &Path), set: &ConfigSet, entries: &mut Entries, sets: &mut Sets) {
        let base = path.parent().unwrap_or(Path::new("/"));
        let reach = self.state().reach_of(path);
        let unknown = self.listings().unknown();
        // Each entry is looked up on disk, and a set without entries is work as well.
        if self.listings().charge(1 + set.lists.iter().map(|(_, list)| list.len()).sum::<usize>()).is_err() {
            return;
        }
        let Within { set, left_out, errors: too_much } = within(set, base, &reach, entries);
        let set = &set;
        let environment = if set.reads_environment() { environment() } else { Vec::new() };
        let context = InputContext { base: base.to_owned(), environment, streams: Default::default() };
        let lister = self.lister(&reach);
        let (inputs, errors) = InputSet::resolve_leniently(&set.flags(), &context, &lister);
        let mut errors = located(errors, set);
        errors.extend(too_much);
        let mut parts = parts(&inputs, |source, _| self.id_of_source(source, &reach));
        let of_part = |parts: &[(FileId, FileRole)], part: FileRole| -> Vec<FileId> {
            parts.iter().filter(|(_, other)| *other == part).map(|(id, _)| *id).collect()
        };
        let templates = of_part(&parts, FileRole::Template);
        let plain = of_part(&parts, FileRole::PlainValues);
        let mut alternatives = Vec::new();
        let mut known: FxHashSet<FileId> = plain.iter().copied().collect();
        for (pattern, range) in set.value_patterns() {
            let files = match matching(&lister, base, pattern) {
                Ok(files) if files.is_empty() => Err(format!("no file matches `{pattern}`")),
                Ok(files) => Ok(files),
                Err(problem) => Err(format!("`{pattern}`: {problem}")),
            };
            let files = files.unwrap_or_else(|problem| {
                errors.push((range.clone(), problem));
                Vec::new()
            });
            let numbers = files.into_iter().filter_map(|path| self.id_of_source(&Source::Path(path), &reach));
            for id in numbers.filter(|id| known.insert(*id)) {
                alternatives.push(id);
                parts.push((id, FileRole::PlainValues));
            }
        }
        // What seems missing may exist.
        if self.listings().unknown() > unknown {
            errors.clear();
        }
        let plain_for_libraries = plain_for_libraries(&inputs, |source, _| self.id_of_source(source, &reach));
        let excluded = excluded(&inputs, |source, _| self.id_of_source(source, &reach));
        let flags = inputs.data_values.iter().map(|value| flag_in_config(config, set, value)).collect();
        sets.add(
            WorkspaceSet {
                name: Some(set.name.as_str().into()),
                origin: SetOrigin::Config { file: config },
                templates,
                plain,
                alternatives,
                plain_for_libraries,
                flags,
                options: inputs.options,
                reach,
                inputs: inputs.files.into(),
                excluded,
                errors,
                left_out,
            },
            parts,
        );
    }

    /// Adds the sets of the `ytt` commands that were found. The same inputs in two places are one set if they are read alike.
    fn commanded(&self, sets: &mut Sets, inline: &mut InlineFiles) {
        let mut seen: FxHashSet<(Vec<(FileId, FileRole)>, InputOptions)> = FxHashSet::default();
        for (path, file) in self.job.commands.iter() {
            let root = self.state().root_of(path);
            // A command is only a hint: it leads nowhere else, even if the user trusts the folder.
            let reach = self.state().bounds_of(path);
            for found in &file.commands {
                if self.listings().charge(COST_OF_COMMAND).is_err() {
                    return;
                }
                for Resolved { mut inputs, incomplete } in
                    command_files::resolve(path, root, &reach, found, &self.lister(&reach))
                {
                    if sets.sets.len() >= MAX_SETS {
                        return;
                    }
                    inputs.files.extend(self.inline_inputs(path, found, inline));
                    let parts = parts(&inputs, |source, shown| match self.job.inline_ids.get(Path::new(shown)) {
                        Some(id) => Some(*id),
                        None => self.id_of_source(source, &reach),
                    });
                    sets.command_keys.extend(found.keys.iter().map(|key| CommandKey {
                        parts: key.split('.').map(str::to_owned).collect(),
                        path: path.clone(),
                        line: found.line,
                        templates:
                            parts.iter().filter(|(_, part)| *part == FileRole::Template).map(|(id, _)| *id).collect(),
                    }));
                    if !seen.insert((parts.clone(), inputs.options)) {
                        continue;
                    }
                    let place = format!("{}:{}", self.state().shown(path), found.line);
                    let excluded = excluded(&inputs, |source, _| self.id_of_source(source, &reach));
                    let set = command_set((found, incomplete), place, inputs, &parts, &reach);
                    let set = WorkspaceSet { excluded, ..set };
                    sets.add(set, parts);
                }
            }
        }
    }

    /// The files in the text around a command, as inputs; they are added to `known`.
    fn inline_inputs(&self, path: &Path, found: &FoundCommand, known: &mut InlineFiles) -> Vec<InputFile> {
        let Some(host) = self.state().index.get(path) else { return Vec::new() };
        let inputs = found.inline.iter().filter_map(|file| {
            let place = found.inline_place(path, file);
            known.add(*self.job.inline_ids.get(&place)?, Inline::new(host, file));
            let shown = place.to_string_lossy().into_owned();
            Some(InputFile::new(Source::Text(file.text.clone()), file.name.clone(), shown))
        });
        inputs.collect()
    }

    fn lister<'l>(&'l self, reach: &'l Reach) -> TableLister<'l> {
        TableLister { state: self.state(), all: self.job.all, reach, listings: self.listings() }
    }

    /// The ID of an input, if it was looked at; if not, it is recorded. The scan does not see everything (ignored,
    /// outside).
    fn id_of_source(&self, source: &Source, reach: &Reach) -> Option<FileId> {
        let path = match source {
            Source::Path(path) => path,
            Source::Text(_) => return None,
        };
        let known = self.state().file_at(path);
        if let Some(file) = known.filter(|file| file.exists() || self.job.looks.files.contains(path)) {
            return Some(file.id);
        }
        self.unknown.borrow_mut().push((path.clone(), reach.clone()));
        None
    }
}

/// A set made from a command. Its flags are not part of it, because findings about them could not be fixed.
fn command_set(
    (found, incomplete): (&FoundCommand, bool),
    place: String,
    inputs: InputSet,
    parts: &[(FileId, FileRole)],
    reach: &Reach,
) -> WorkspaceSet {
    let of_part = |part: FileRole| parts.iter().filter(|(_, other)| *other == part).map(|(id, _)| *id).collect();
    let more_values = found.more_values
        || inputs.plain_values.len() < found.flags.data_values_files.len()
        || inputs.plain_values.iter().any(|file| file.library.is_some());
    WorkspaceSet {
        name: Some(place.as_str().into()),
        origin: SetOrigin::Command { command: found.command.clone(), place, incomplete, more_values },
        templates: of_part(FileRole::Template),
        plain: of_part(FileRole::PlainValues),
        alternatives: Vec::new(),
        plain_for_libraries: Vec::new(),
        flags: Vec::new(),
        options: inputs.options,
        reach: reach.clone(),
        inputs: inputs.files.into(),
        excluded: Vec::new(),
        errors: Vec::new(),
        left_out: Vec::new(),
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
        // After the opening quote.
        Some((_, range)) => FlagPlace::Text(range.start + 1),
        None => FlagPlace::Whole(set.name_range.clone()),
    };
    FlagValue { value: value.clone(), file: config, place }
}

/// The environment of this process; what is not UTF-8 cannot be a data value.
fn environment() -> Vec<(String, String)> {
    let text = |value: OsString| value.into_string().ok();
    std::env::vars_os().filter_map(|(name, value)| Some((text(name)?, text(value)?))).collect()
}
