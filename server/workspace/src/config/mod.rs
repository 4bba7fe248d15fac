//! `lofting.toml`: named input sets, each what one `ytt` call would get, which schema governs other files, and how bad
//! findings are, and how files are laid out.
//!
//! ```toml
//! [sets.prod]
//! files = ["config/"]              # ytt -f
//! values = ["values/prod.yml"]     # ytt --data-values-file
//!
//! [[schemas]]
//! path = "schemas/app.json"        # or url = "https://…"
//! files = ["apps/*.yml"]
//!
//! [schemas.mirror]
//! "https://example.com" = "schemas" # a folder that stands for a URL
//!
//! [rules]
//! "ytt/deprecated-value" = "off"   # a rule by its code, and its level
//!
//! [kubernetes]
//! version = "1.34"                 # of the cluster
//!
//! [catalogue]
//! built-in = false                 # no schemas that the program brings along
//!
//! [format]
//! sequences = "indented"           # how files are laid out
//! ```
//!
//! An entry of `values` that is a pattern (`values/*.yml`) stands for one `ytt` call per file it
//! matches; entries without stars are given to every call.

mod edit;
mod keys;
mod read;
mod statements;
#[cfg(test)]
mod tests;

use crate::disk::glob::{Glob, is_pattern};
use crate::disk::glob_lists::GlobLists;
use crate::disk::path::file_name;
use crate::inputs::{AllowedLinks, InputFlags, InputOptions};
use lofting_diagnostic::Levels;
use lofting_format::Options as FormatOptions;
use std::ops::Range;
use std::path::Path;

pub use edit::{with_file_in_set, with_schema, with_set};
pub use keys::{
    CATALOGUE_KEYS, ConfigKey, DEPRECATION_KEYS, KUBERNETES_KEYS, SCHEMA_KEYS, SET_KEYS, Strings, Switch, Takes,
    format_keys, key_named,
};
pub use read::read;
pub use statements::{Name, Statement, StatementKind, is_bare, statements};

/// The name of the file.
pub const FILE_NAME: &str = "lofting.toml";

/// Whether a file of this path is a `lofting.toml`.
pub fn is_configuration(path: &Path) -> bool {
    file_name(path) == FILE_NAME
}

/// A `lofting.toml` as read. What is wrong with it is in `errors`; the rest is used.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Config {
    /// The sets in source order.
    pub sets: Vec<ConfigSet>,
    /// `[[schemas]]`, in source order.
    pub schemas: Vec<ConfigSchema>,
    /// Entries of `[[schemas]]` with `kubernetes`, in the order written: they apply to what documents say they are.
    pub bundles: Vec<ConfigSchema>,
    /// The patterns of both, of which those that match a file are asked for.
    pub(crate) schema_globs: GlobLists,
    pub(crate) bundle_globs: GlobLists,
    /// `[schemas.mirror]`, in no particular order.
    pub mirrors: Vec<ConfigMirror>,
    /// `[kubernetes]`, `version`: the version of the cluster.
    pub kubernetes: Option<(u32, u32)>,
    /// `[catalogue]`, `built-in`: whether the built-in schemas are used.
    pub built_in: Option<bool>,
    /// `[deprecation]`, `release`: a release whose deprecated keys may be removed, as a revision of git.
    pub release: Option<String>,
    /// `[rules]`: the severity of findings.
    pub levels: Levels,
    /// Codes in `[rules]` that are those of earlier versions: their ranges, quotes included, and today's codes.
    pub renamed: Vec<(Range<usize>, String)>,
    /// `[format]`: the formatting options.
    pub format: FormatOptions,
    /// Mistakes, sorted by position.
    pub errors: Vec<ConfigError>,
    /// Parts that are not valid TOML: it is not yet checked whether the files they name exist.
    pub half_typed: Vec<Range<usize>>,
}

/// `[sets.NAME]`
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConfigSet {
    /// Its name.
    pub name: String,
    /// The range of the name.
    pub name_range: Range<usize>,
    /// Lists of flag values with their ranges.
    pub lists: Vec<(ListKey, TextSource)>,
    /// The switches.
    pub options: InputOptions,
}

/// `[[schemas]]`: the schema of files outside all input sets.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConfigSchema {
    /// A path, relative to the directory of `lofting.toml`, or a URL.
    pub schema: String,
    /// Its range, quotes included; that of the header if it is missing.
    pub range: Range<usize>,
    /// Patterns of the files that it applies to, relative to the directory of `lofting.toml`, each with the range of its
    /// literal, quotes included.
    pub files: Vec<(Glob, Range<usize>)>,
    /// Whether it is a bundle of schemas.
    pub is_bundle: bool,
}

impl ConfigSchema {
    /// Its patterns.
    pub(crate) fn globs(&self) -> Vec<&Glob> {
        self.files.iter().map(|(glob, _)| glob).collect()
    }

    /// The first pattern that matches a path, in the `lofting.toml` of `directory`.
    pub(crate) fn pattern_for(&self, directory: &Path, path: &Path) -> Option<&Glob> {
        self.files.iter().map(|(glob, _)| glob).find(|glob| glob.matches(directory, path))
    }
}

/// An entry of `[schemas.mirror]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigMirror {
    /// A URL; everything below it is in the folder.
    pub url: String,
    /// The folder, relative to the directory of `lofting.toml`.
    pub folder: String,
    /// The range of the folder, quotes included.
    pub range: Range<usize>,
}

/// Strings with the ranges of their literals, quotes included.
pub type TextSource = Vec<(String, Range<usize>)>;

/// A mistake in a `lofting.toml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// Bytes of the file.
    pub range: Range<usize>,
    /// Plain words.
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
    /// What was most likely meant instead.
    pub meant: Option<String>,
}

/// A key of a set that holds an array of strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ListKey {
    /// `files`: `-f`
    Files,
    /// `values`: `--data-values-file`
    Values,
    /// `data-values`: `--data-value`
    DataValues,
    /// `data-values-yaml`: `--data-value-yaml`
    DataValuesYaml,
    /// `data-value-files`: `--data-value-file`
    DataValueFiles,
    /// `data-values-env`
    DataValuesEnv,
    /// `data-values-env-yaml`
    DataValuesEnvYaml,
    /// `file-marks`
    FileMarks,
}

impl Config {
    /// The entries of `[[schemas]]` that apply to a path, in the `lofting.toml` of `directory`, each with its first
    /// pattern that matches.
    pub(crate) fn schemas_of(&self, directory: &Path, path: &Path) -> impl Iterator<Item = (&ConfigSchema, &Glob)> {
        let matching = self.schema_globs.matching(directory, path).into_iter();
        matching.filter_map(|(number, glob)| Some((self.schemas.get(number)?, glob)))
    }

    /// The entries with `kubernetes` that apply to a path. One without patterns applies to all.
    pub(crate) fn bundles_of(&self, directory: &Path, path: &Path) -> impl Iterator<Item = &ConfigSchema> {
        let matching = self.bundle_globs.matching(directory, path);
        let applies = move |number: usize, entry: &ConfigSchema| {
            entry.files.is_empty() || matching.binary_search_by_key(&number, |(number, _)| *number).is_ok()
        };
        self.bundles.iter().enumerate().filter(move |(number, entry)| applies(*number, entry)).map(|(_, entry)| entry)
    }

    /// Whether the text at a byte is not valid TOML.
    pub fn is_half_typed(&self, offset: usize) -> bool {
        // The parts are in source order.
        let before = self.half_typed.partition_point(|part| part.start <= offset);
        before.checked_sub(1).and_then(|last| self.half_typed.get(last)).is_some_and(|part| offset < part.end)
    }
}

impl ConfigSet {
    /// The strings of a list with their ranges.
    pub fn list(&self, key: ListKey) -> &[(String, Range<usize>)] {
        self.lists.iter().find(|(k, _)| *k == key).map_or(&[], |(_, list)| list.as_slice())
    }

    /// The set as flags of one `ytt` call; patterns in `values` are left out.
    pub fn flags(&self) -> InputFlags {
        let texts = |key| self.list(key).iter().map(|(text, _)| text.clone()).collect();
        InputFlags {
            files: texts(ListKey::Files),
            data_values_files: self
                .list(ListKey::Values)
                .iter()
                .filter(|(text, _)| !is_pattern(text))
                .map(|(text, _)| text.clone())
                .collect(),
            data_values: texts(ListKey::DataValues),
            data_values_yaml: texts(ListKey::DataValuesYaml),
            data_value_files: texts(ListKey::DataValueFiles),
            data_values_env: texts(ListKey::DataValuesEnv),
            data_values_env_yaml: texts(ListKey::DataValuesEnvYaml),
            file_marks: texts(ListKey::FileMarks),
            allowed_links: AllowedLinks::default(),
            options: self.options,
        }
    }

    /// Whether it names environment variables.
    pub fn reads_environment(&self) -> bool {
        [ListKey::DataValuesEnv, ListKey::DataValuesEnvYaml].iter().any(|key| !self.list(*key).is_empty())
    }

    /// Patterns in `values` with their ranges.
    pub fn value_patterns(&self) -> impl Iterator<Item = &(String, Range<usize>)> {
        self.list(ListKey::Values).iter().filter(|(text, _)| is_pattern(text))
    }
}
