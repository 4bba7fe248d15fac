//! Named input sets of the workspace, resolved to files of the file table.

use crate::disk::Reach;
use crate::files::file::File;
use crate::inputs::{DataValue, InputError, InputFile, InputOptions, InputSet, NameKind, Role, Source};
use lofting_document::{FileId, Options};
use lofting_memo::Stamp;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// All sets.
#[derive(Default)]
pub(crate) struct Sets {
    pub sets: Vec<WorkspaceSet>,
    /// Different for any two resolutions.
    pub stamp: Stamp,
    /// Keys of data values that commands set themselves.
    pub command_keys: Vec<CommandKey>,
    /// Sets by their files: indices into `sets` with the file's part in each.
    by_file: FxHashMap<FileId, Vec<(usize, FileRole)>>,
    /// Sets by the `lofting.toml` that defines them.
    by_config: FxHashMap<FileId, Vec<usize>>,
    /// Files that marks exclude from a set.
    excluded: FxHashSet<FileId>,
    /// The texts of the `lofting.toml` files that positions in sets refer to.
    pub config_texts: FxHashMap<FileId, Stamp>,
}

/// The key of a data value in a command.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct CommandKey {
    /// Its parts.
    pub parts: Vec<String>,
    /// The file of the command.
    pub path: PathBuf,
    /// The line it begins in, from 1.
    pub line: usize,
    /// The files that the command gives to ytt.
    pub templates: Vec<FileId>,
}

/// Where a set is defined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SetOrigin {
    /// In a `lofting.toml`.
    Config {
        /// The file.
        file: FileId,
    },
    /// By a `ytt` command in some file.
    Command {
        /// The command, shortened.
        command: String,
        /// Its file and line.
        place: String,
        /// Some of the `-f` inputs are not known: keys may be declared there.
        incomplete: bool,
        /// It takes values from elsewhere than the set's files.
        more_values: bool,
    },
    /// By the flags of the command line.
    Flags,
}

/// The role of a file in a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum FileRole {
    /// Searched for schema and data values.
    Template,
    /// Given as plain values.
    PlainValues,
    /// Given as plain values for a private library.
    LibraryValues,
    /// The text of a flag.
    Flag,
    /// A library file.
    Library,
    /// YAML that a mark makes something else than a template: ytt does not look for annotations or code in it.
    NoTemplate,
}

impl FileRole {
    /// Whether ytt reads the file whatever other files ask for.
    pub fn is_read(self) -> bool {
        !matches!(self, FileRole::Library | FileRole::NoTemplate)
    }
}

/// One set.
#[derive(Clone, PartialEq)]
pub(crate) struct WorkspaceSet {
    /// Its name, if it has one.
    pub name: Option<Arc<str>>,
    pub origin: SetOrigin,
    /// Files that ytt searches for schema and data values, in ytt's order.
    pub templates: Vec<FileId>,
    /// Plain values files that every call gets, in order.
    pub plain: Vec<FileId>,
    /// Plain values files that go to one call each, after the others: there is a call for each. If empty, there is
    /// one call.
    pub alternatives: Vec<FileId>,
    /// Plain values files addressed to libraries, with the address.
    pub plain_for_libraries: Vec<(FileId, String)>,
    /// Flags and environment in ytt's order.
    pub flags: Vec<FlagValue>,
    pub options: InputOptions,
    /// How far its definition may lead: its code reads inputs within this.
    pub reach: Reach,
    /// All files of `-f` with their paths inside ytt: what code can load and read.
    pub inputs: Arc<[InputFile]>,
    /// Files that would be among them if no mark excluded them.
    pub excluded: Vec<FileId>,
    /// Errors of the definition: bytes of the `lofting.toml` and messages.
    pub errors: Vec<(Range<usize>, String)>,
    /// What its definition names but must not use: bytes of the `lofting.toml` and messages.
    pub left_out: Vec<(Range<usize>, String)>,
}

/// The index of a set, and which of its alternatives.
pub(crate) type CallId = (usize, Option<FileId>);

/// A data value of a flag with the position that findings about it point to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FlagValue {
    pub value: DataValue,
    /// The file of `place`: the `lofting.toml`, or a text made from the flag.
    pub file: FileId,
    pub place: FlagPlace,
}

/// Where a flag is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FlagPlace {
    /// Its text begins at this byte of the file.
    Text(usize),
    /// Its text is not in the file (the environment); everything points here.
    Whole(Range<usize>),
}

impl WorkspaceSet {
    /// Only the files of a library.
    pub fn of_library(inputs: Vec<InputFile>, reach: Reach) -> WorkspaceSet {
        WorkspaceSet {
            name: None,
            origin: SetOrigin::Flags,
            templates: Vec::new(),
            plain: Vec::new(),
            alternatives: Vec::new(),
            plain_for_libraries: Vec::new(),
            flags: Vec::new(),
            options: InputOptions::default(),
            reach,
            inputs: inputs.into(),
            excluded: Vec::new(),
            errors: Vec::new(),
            left_out: Vec::new(),
        }
    }

    /// How messages name it.
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or("of the command line")
    }

    /// Why its templates cannot be rendered: not everything that ytt would get is known.
    pub fn not_rendered(&self) -> Option<&'static str> {
        match &self.origin {
            SetOrigin::Command { incomplete: true, .. } => Some("some of its inputs are not known"),
            SetOrigin::Command { more_values: true, .. } => Some("its command passes further values"),
            _ if !self.left_out.is_empty() => Some("some of its inputs are left out"),
            _ if !self.errors.is_empty() => Some("its description has errors"),
            _ => None,
        }
    }

    /// Some of its inputs are not known.
    pub fn is_incomplete(&self) -> bool {
        matches!(self.origin, SetOrigin::Command { incomplete: true, .. })
    }
}

impl Sets {
    /// No sets yet.
    pub fn new() -> Sets {
        Sets { stamp: Stamp::next(), ..Sets::default() }
    }

    /// Adds a set with the part of each of its files.
    pub fn add(&mut self, set: WorkspaceSet, parts: impl IntoIterator<Item = (FileId, FileRole)>) {
        let index = self.sets.len();
        if let SetOrigin::Config { file } = &set.origin {
            self.by_config.entry(*file).or_default().push(index);
        }
        self.excluded.extend(&set.excluded);
        self.sets.push(set);
        for (file, part) in parts {
            let entry = self.by_file.entry(file).or_default();
            if !entry.contains(&(index, part)) {
                entry.push((index, part));
            }
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// These sets, as if files were inputs of some of them only.
    pub fn only(&self, kept: &FxHashSet<usize>) -> Sets {
        let parts = self.by_file.iter().map(|(file, parts)| {
            (*file, parts.iter().filter(|(index, _)| kept.contains(index)).copied().collect::<Vec<_>>())
        });
        let described = self.by_config.iter().map(|(config, sets)| {
            (*config, sets.iter().filter(|index| kept.contains(index)).copied().collect::<Vec<_>>())
        });
        Sets {
            sets: self.sets.clone(),
            stamp: Stamp::next(),
            command_keys: self.command_keys.clone(),
            by_file: parts.filter(|(_, parts)| !parts.is_empty()).collect(),
            by_config: described.collect(),
            excluded: self.excluded.clone(),
            config_texts: self.config_texts.clone(),
        }
    }

    /// The sets that are relevant for a file's values: explicitly defined ones, or else commands that were found with
    /// all their inputs.
    pub fn deciding(&self, file: FileId) -> Vec<(usize, FileRole)> {
        let written = |origin: &SetOrigin| !matches!(origin, SetOrigin::Command { .. });
        let complete = |origin: &SetOrigin| !matches!(origin, SetOrigin::Command { incomplete: true, .. });
        let with = |test: &dyn Fn(&SetOrigin) -> bool| -> Vec<(usize, FileRole)> {
            let indices = self.indices_of_file(file);
            indices.filter(|(index, _)| self.sets.get(*index).is_some_and(|set| test(&set.origin))).collect()
        };
        let sets = with(&written);
        if sets.is_empty() { with(&complete) } else { sets }
    }

    /// The sets a file is an input of, with their indices.
    pub fn indices_of_file(&self, file: FileId) -> impl Iterator<Item = (usize, FileRole)> {
        self.by_file.get(&file).map_or(&[][..], Vec::as_slice).iter().copied()
    }

    /// The sets a file is an input of, with their indices.
    pub fn of_file_numbered(&self, file: FileId) -> impl Iterator<Item = (usize, &WorkspaceSet, FileRole)> {
        self.indices_of_file(file).filter_map(|(index, part)| Some((index, self.sets.get(index)?, part)))
    }

    /// Whether marks say that the file is not a template: those of all sets it is an input of, or if there are none,
    /// those that exclude it.
    pub fn is_no_template(&self, file: FileId) -> bool {
        match self.by_file.get(&file).map_or(&[][..], Vec::as_slice) {
            [] => self.excluded.contains(&file),
            parts => parts.iter().all(|(_, part)| *part == FileRole::NoTemplate),
        }
    }

    /// How a file is read: what only some of its sets permit stays an error.
    pub fn options(&self, file: FileId, otherwise: Options) -> Options {
        let mut options = self.of_file(file).map(|(set, _)| set.options);
        let Some(first) = options.next() else { return otherwise };
        let all = options.fold(first, |all, one| InputOptions {
            ignore_unknown_comments: all.ignore_unknown_comments && one.ignore_unknown_comments,
            implicit_map_key_overrides: all.implicit_map_key_overrides && one.implicit_map_key_overrides,
            strict: all.strict || one.strict,
            ..all
        });
        Options {
            ignore_unknown_comments: otherwise.ignore_unknown_comments || all.ignore_unknown_comments,
            implicit_map_key_overrides: otherwise.implicit_map_key_overrides || all.implicit_map_key_overrides,
            strict: otherwise.strict || all.strict,
            ..otherwise
        }
    }

    /// Whether some set has options that say how files are read.
    pub fn have_options(&self) -> bool {
        self.sets.iter().any(|set| {
            let InputOptions { ignore_unknown_comments, implicit_map_key_overrides, strict, .. } = set.options;
            ignore_unknown_comments || implicit_map_key_overrides || strict
        })
    }

    /// The sets that a `lofting.toml` defines: none while they are still those of an older text.
    pub fn described_by(&self, config: &File) -> &[usize] {
        match self.config_texts.get(&config.id) {
            Some(text) if *text == config.revision => self.by_config.get(&config.id).map_or(&[], Vec::as_slice),
            _ => &[],
        }
    }

    /// Whether both are the same for all files.
    pub fn means_the_same(&self, other: &Sets) -> bool {
        self.sets == other.sets && self.command_keys == other.command_keys && self.by_file == other.by_file
    }

    /// The sets a file is an input of.
    pub fn of_file(&self, file: FileId) -> impl Iterator<Item = (&WorkspaceSet, FileRole)> {
        let entries = self.by_file.get(&file).map_or(&[][..], Vec::as_slice);
        entries.iter().filter_map(|(index, part)| Some((self.sets.get(*index)?, *part)))
    }
}

/// The files of a resolved input set with their roles. `number` returns the ID of a source, if it has one.
pub(crate) fn parts(
    inputs: &InputSet,
    mut number: impl FnMut(&Source, &str) -> Option<FileId>,
) -> Vec<(FileId, FileRole)> {
    let mut parts = Vec::new();
    for file in &inputs.files {
        let part = match file.role {
            // Files of private libraries are a separate set (rule 5).
            Role::YamlTemplate if file.library.is_none() => FileRole::Template,
            Role::YamlPlain => FileRole::NoTemplate,
            Role::Library => FileRole::Library,
            // Without a mark, ytt would take it for a template.
            Role::TextTemplate | Role::TextPlain | Role::Starlark | Role::Data if is_named_as_yaml(&file.source) => {
                FileRole::NoTemplate
            }
            Role::YamlTemplate | Role::TextTemplate | Role::TextPlain | Role::Starlark | Role::Data => continue,
        };
        parts.extend(number(&file.source, &file.shown).map(|number| (number, part)));
    }
    for file in &inputs.plain_values {
        // Values for a library are governed by the library's schema.
        let part = if file.library.is_none() { FileRole::PlainValues } else { FileRole::LibraryValues };
        parts.extend(number(&file.source, &file.shown).map(|number| (number, part)));
    }
    parts
}

/// Whether a file has the name of a YAML template on disk, whatever its name inside ytt.
fn is_named_as_yaml(source: &Source) -> bool {
    matches!(source, Source::Path(path) if NameKind::of_path(path) == NameKind::Yaml)
}

/// The files that marks exclude.
pub(crate) fn excluded(inputs: &InputSet, mut number: impl FnMut(&Source, &str) -> Option<FileId>) -> Vec<FileId> {
    let excluded = inputs.excluded.iter().filter(|file| is_named_as_yaml(&file.source));
    excluded.filter_map(|file| number(&file.source, &file.shown)).collect()
}

/// The plain values files that are addressed to private libraries, with the address.
pub(crate) fn plain_for_libraries(
    inputs: &InputSet,
    mut number: impl FnMut(&Source, &str) -> Option<FileId>,
) -> Vec<(FileId, String)> {
    let addressed = inputs.plain_values.iter().filter_map(|file| Some((file, file.library.clone()?)));
    addressed.filter_map(|(file, library)| Some((number(&file.source, &file.shown)?, library))).collect()
}

/// Errors of a set at the range in `lofting.toml` that contains the flag's value.
pub(crate) fn located(errors: Vec<InputError>, set: &crate::config::ConfigSet) -> Vec<(Range<usize>, String)> {
    let mut written: FxHashMap<&str, &Range<usize>> = FxHashMap::default();
    if !errors.is_empty() {
        for (text, range) in set.lists.iter().flat_map(|(_, list)| list) {
            written.entry(text).or_insert(range);
        }
    }
    let located = errors.into_iter().map(|error| {
        let range = written.get(error.value.as_str()).copied().unwrap_or(&set.name_range);
        (range.clone(), format!("`{}`: {}", error.value, error.problem))
    });
    located.collect()
}
