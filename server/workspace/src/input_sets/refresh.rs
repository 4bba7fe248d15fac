//! Keeping the named input sets in step with `lofting.toml` and with the files there are.

use crate::files::disk::Reach;
use crate::files::path::file_name;
use crate::files::scan::look_at;
use crate::input_sets::config::{ConfigSet, FILE_NAME, ListKey};
use crate::input_sets::discover::Found;
use crate::input_sets::discovered::{self, Resolved};
use crate::input_sets::inline::InlineFiles;
use crate::input_sets::inputs::{DataValue, DataValueKind, InputContext, InputFile, InputSet, Role, Source};
use crate::input_sets::left_out::{Entries, Within, within};
use crate::input_sets::listing::{ListingJob, Listings, ListingsFound, TableLister, matching};
use crate::input_sets::sets::{
    CommandKey, FlagPlace, FlagValue, Part, SetOrigin, Sets, WorkspaceSet, located, parts, plain_for_libraries,
};
use crate::state::State;
use crate::workspace::Workspace;
use lofting_document::FileId;
use lofting_memo::Stamp;
use rustc_hash::FxHashSet;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

impl Workspace {
    /// Resolves all sets again.
    pub(crate) fn refresh_sets(&mut self) {
        self.listings.begin();
        self.resolve_sets();
    }

    /// Large directories that sets name are listed elsewhere from now on, by who takes
    /// [`Workspace::take_wanted_listings`].
    pub fn list_elsewhere(&mut self) {
        self.listings.list_elsewhere();
    }

    /// Directories to be listed elsewhere, if there are any.
    pub fn take_wanted_listings(&mut self) -> Option<ListingJob> {
        self.listings.take_wanted(&self.state)
    }

    /// Takes over what was listed elsewhere; whether sets may have other files now.
    pub fn take_listings(&mut self, found: ListingsFound) -> bool {
        let is_other = self.listings.take_over(found.listed);
        if is_other {
            for file in found.new {
                self.add_found(file);
            }
            self.resolve_sets();
        }
        is_other
    }

    fn resolve_sets(&mut self) {
        let listings = std::mem::take(&mut self.listings);
        self.resolve_sets_with(&listings);
        self.listings = listings;
    }

    fn resolve_sets_with(&mut self, listings: &Listings) {
        let configs: Vec<FileId> = self
            .state
            .files
            .iter()
            .filter(|file| file.exists() && file_name(&file.path) == FILE_NAME)
            .map(|file| file.id)
            .collect();
        let mut sets = Sets::new();
        let mut entries = Entries::default();
        for id in configs {
            let Some(file) = self.state.file(id).cloned() else { continue };
            let base = file.path.parent().unwrap_or(Path::new("/")).to_owned();
            for set in &file.config().sets {
                self.resolve_set((id, &file.path), &base, set, (listings, &mut entries), &mut sets);
            }
        }
        let mut inline = InlineFiles::default();
        self.resolve_commands(&mut sets, &mut inline, listings);
        self.set_inline(inline);
        self.commands_changed = false;
        let before = self.state.sets.clone();
        let state = self.change();
        state.sets = Arc::new(sets);
        state.structure = Stamp::next();
        self.run_again_where_inputs_changed(&before);
        self.tell_of_many_calls();
    }

    /// What is not looked at while somebody edits is said.
    fn tell_of_many_calls(&mut self) {
        let most = self.state.most_calls;
        let sets = self.state.sets.clone();
        for set in sets.sets.iter().filter(|set| set.alternatives.len() > most) {
            self.tell_once(format!(
                "The input set {} has more than {most} values files. In files that all of them share, the editor looks at \
                 the first {most}; `lofting check` looks at all.",
                set.title()
            ));
        }
    }

    fn resolve_set(
        &mut self,
        (config, path): (FileId, &Path),
        base: &Path,
        set: &ConfigSet,
        (listings, entries): (&Listings, &mut Entries),
        sets: &mut Sets,
    ) {
        let reach = self.state.reach_of(path);
        let unknown = listings.unknown();
        let Within { set, left_out, errors: too_much } = within(set, base, &reach, entries);
        let set = &set;
        let environment = if set.reads_environment() { environment() } else { Vec::new() };
        let context = InputContext { base: base.to_owned(), environment, stdin: None };
        let lister = self.lister(&self.state, &reach, listings);
        let (inputs, errors) = InputSet::resolve_leniently(&set.flags(), &context, &lister);
        let mut errors = located(errors, set);
        errors.extend(too_much);
        let mut parts = parts(&inputs, |source, _| self.id_of_source(source, &reach));
        let of_part = |parts: &[(FileId, Part)], part: Part| -> Vec<FileId> {
            parts.iter().filter(|(_, other)| *other == part).map(|(id, _)| *id).collect()
        };
        let templates = of_part(&parts, Part::Template);
        let plain = of_part(&parts, Part::PlainValues);
        let mut alternatives = Vec::new();
        for (pattern, range) in set.value_patterns() {
            let lister = self.lister(&self.state, &reach, listings);
            let files = match matching(&lister, base, pattern) {
                Ok(files) if files.is_empty() => Err(format!("no file matches `{pattern}`")),
                Ok(files) => Ok(files),
                Err(problem) => Err(format!("`{pattern}`: {problem}")),
            };
            let files = files.unwrap_or_else(|problem| {
                errors.push((range.clone(), problem));
                Vec::new()
            });
            for path in files {
                let id = self.id_of_source(&Source::Path(path), &reach);
                if !plain.contains(&id) && !alternatives.contains(&id) {
                    alternatives.push(id);
                    parts.push((id, Part::PlainValues));
                }
            }
        }
        // What is missing may be there.
        if listings.unknown() > unknown {
            errors.clear();
        }
        let plain_for_libraries = plain_for_libraries(&inputs, |source, _| self.id_of_source(source, &reach));
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
                reach,
                inputs: inputs.files.into(),
                errors,
                left_out,
            },
            parts,
        );
    }

    /// What code can load depends on the set that its file belongs to.
    fn run_again_where_inputs_changed(&mut self, before: &Sets) {
        let inputs = |sets: &Sets, file: FileId| {
            sets.of_file(file).map(|(set, _)| set.inputs.clone()).find(|inputs| !inputs.is_empty())
        };
        let ran = self.state.evaluations.iter().map(|(file, _)| file);
        let changed: Vec<FileId> =
            ran.filter(|file| inputs(before, *file) != inputs(&self.state.sets, *file)).collect();
        for file in changed {
            self.forget_evaluation(file);
        }
    }

    /// Sets of the `ytt` commands that were found. The same inputs in two places are one set.
    fn resolve_commands(&mut self, sets: &mut Sets, inline: &mut InlineFiles, listings: &Listings) {
        let mut seen: FxHashSet<Vec<(FileId, Part)>> = FxHashSet::default();
        for (path, file) in self.commands.clone() {
            let root = self.state.root_of(&path).to_owned();
            // A command is only evidence: it leads nowhere else, even where the user trusts the folder.
            let reach = self.state.bounds_of(&path);
            for found in &file.commands {
                let resolved =
                    discovered::resolve(&path, &root, &reach, found, &self.lister(&self.state, &reach, listings));
                for Resolved { mut inputs, incomplete } in resolved {
                    if sets.sets.len() >= MAX_SETS {
                        return;
                    }
                    inputs.files.extend(self.inline_inputs(&path, found, inline));
                    let parts = parts(&inputs, |source, shown| match self.inline_id(shown) {
                        Some(id) => id,
                        None => self.id_of_source(source, &reach),
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
                    let set = command_set((found, incomplete), place, inputs, &parts, &reach);
                    sets.add(set, parts);
                }
            }
        }
    }

    fn lister<'s>(&self, state: &'s State, reach: &'s Reach, listings: &'s Listings) -> TableLister<'s> {
        TableLister { state, scanned: self.scanned, all: self.all_inputs, reach, listings }
    }

    /// Makes the sets know all their files and reads those that ytt evaluates: for rendering, which goes
    /// beyond schema and values.
    pub(crate) fn take_all_inputs(&mut self) {
        self.all_inputs = true;
        self.refresh_sets();
        let sets = self.state.sets.clone();
        let evaluated = |input: &&InputFile| input.role != Role::Data || input.for_output == Some(true);
        for set in &sets.sets {
            for input in set.inputs.iter().filter(evaluated) {
                self.id_of_source(&input.source, &set.reach);
            }
        }
    }

    /// The number of an input; a file the scan did not see (ignored, outside) is added.
    fn id_of_source(&mut self, source: &Source, reach: &Reach) -> FileId {
        match source {
            Source::Path(path) => {
                if !self.state.file_at(path).is_some_and(|file| file.exists()) {
                    return self.add_found(look_at(path.clone(), reach)).0;
                }
                self.id_of(path)
            }
            Source::Text(_) => self.id_of(Path::new("stdin.yml")),
        }
    }
}

/// A set made of a command. Findings of its flags have no place that could be mended: they are not
/// part of it.
fn command_set(
    (found, incomplete): (&Found, bool),
    place: String,
    inputs: InputSet,
    parts: &[(FileId, Part)],
    reach: &Reach,
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
        reach: reach.clone(),
        inputs: inputs.files.into(),
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
        // Behind the opening quote.
        Some((_, range)) => FlagPlace::Text(range.start + 1),
        None => FlagPlace::Whole(set.name_range.clone()),
    };
    FlagValue { value: value.clone(), file: config, place }
}

/// Sets made of commands; beyond that a repository should say in `lofting.toml` which count.
const MAX_SETS: usize = 500;

/// The environment of this process; what is not UTF-8 cannot be a data value.
fn environment() -> Vec<(String, String)> {
    let text = |value: OsString| value.into_string().ok();
    std::env::vars_os().filter_map(|(name, value)| Some((text(name)?, text(value)?))).collect()
}
