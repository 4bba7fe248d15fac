//! The inputs of one `ytt` call: files with their names inside ytt, plain values files, data values from flags or the
//! environment, and the options that change how they are read.
//!
//! The command line, `lofting.toml` and `ytt` commands found in the workspace all lead to the same structure, so
//! findings are the same however the set was defined.

mod files;
mod lister;
mod marks;
mod name_kind;
mod problem;
#[cfg(test)]
mod tests;
mod values;

pub use files::{InputFile, LibraryPlace, Role, Source};
pub use lister::{AllowedLinks, DiskLister, Entry, Lister};
pub use name_kind::NameKind;
pub use problem::{InputProblem, MarkProblem};
pub use values::{DataValue, DataValueKind, PlainValuesFile};

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// ytt's input flags as written, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InputFlags {
    /// `-f`, `--file`
    pub files: Vec<String>,
    /// `--data-values-file`
    pub data_values_files: Vec<String>,
    /// `-v`, `--data-value`
    pub data_values: Vec<String>,
    /// `--data-value-yaml`
    pub data_values_yaml: Vec<String>,
    /// `--data-value-file`
    pub data_value_files: Vec<String>,
    /// `--data-values-env`
    pub data_values_env: Vec<String>,
    /// `--data-values-env-yaml`
    pub data_values_env_yaml: Vec<String>,
    /// `--file-mark`
    pub file_marks: Vec<String>,
    /// Links that are followed.
    pub allowed_links: AllowedLinks,
    /// The switches.
    pub options: InputOptions,
}

impl InputFlags {
    /// Whether any flag was given: if not, the workspace is checked instead of an input set.
    pub fn is_empty(&self) -> bool {
        *self == InputFlags::default()
    }
}

/// ytt's switches that change how inputs are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct InputOptions {
    /// `--ignore-unknown-comments`
    pub ignore_unknown_comments: bool,
    /// `--implicit-map-key-overrides`
    pub implicit_map_key_overrides: bool,
    /// `-s`, `--strict`
    pub strict: bool,
    /// `--dangerous-data-values-disable-validation`
    pub disable_validation: bool,
}

/// What flags can refer to besides files.
#[derive(Debug, Clone, Default)]
pub struct InputContext {
    /// The directory that relative paths start from.
    pub base: PathBuf,
    /// Environment variables, for `--data-values-env`.
    pub environment: Vec<(String, String)>,
    /// Texts that can be read only once, by what a flag says: `-` for the standard input, or the path of a pipe
    /// (`/dev/fd/63`).
    pub streams: BTreeMap<String, String>,
}

impl InputContext {
    /// The text of what can be read only once. None if a flag names something else.
    fn stream(&self, given: &str) -> Result<Option<&String>, InputProblem> {
        match self.streams.get(given) {
            None if given == "-" => Err(InputProblem::NoStdin),
            text => Ok(text),
        }
    }
}

/// The inputs of one `ytt` call.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct InputSet {
    /// The directory that relative paths start from.
    pub base: PathBuf,
    /// Files of `-f` in ytt's order, marks applied, those of private libraries included.
    pub files: Vec<InputFile>,
    /// Files that marks exclude.
    pub excluded: Vec<InputFile>,
    /// Files of `--data-values-file` in order.
    pub plain_values: Vec<PlainValuesFile>,
    /// Flags and environment in the order in which ytt applies them (docs/ytt.md 11.1).
    pub data_values: Vec<DataValue>,
    /// The switches.
    pub options: InputOptions,
}

/// Flags that ytt would refuse, or inputs that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputError {
    /// Which flag, as written.
    pub flag: &'static str,
    /// Its value, as written.
    pub value: String,
    /// Why it cannot be used.
    pub problem: InputProblem,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.flag, self.value, self.problem)
    }
}

impl std::error::Error for InputError {}

impl InputSet {
    /// The set that `flags` define, with files looked up on disk. All flags are read, so that every mistake in them is
    /// reported at once.
    pub fn from_flags(flags: &InputFlags, context: &InputContext) -> Result<InputSet, InputError> {
        let lister = DiskLister::new(&flags.allowed_links, &context.base);
        InputSet::resolve(flags, context, &lister).map_err(|mut errors| errors.swap_remove(0))
    }

    /// Resolves the flags with another source of files, giving all errors. Never returns an empty list of errors.
    pub fn resolve(
        flags: &InputFlags,
        context: &InputContext,
        lister: &dyn Lister,
    ) -> Result<InputSet, Vec<InputError>> {
        let (set, errors) = InputSet::resolve_leniently(flags, context, lister);
        if errors.is_empty() { Ok(set) } else { Err(errors) }
    }

    /// The set as far as `flags` define one, and their errors: in an editor, one missing file must not remove the
    /// schema of all others.
    pub fn resolve_leniently(
        flags: &InputFlags,
        context: &InputContext,
        lister: &dyn Lister,
    ) -> (InputSet, Vec<InputError>) {
        let mut errors = Vec::new();
        let mut files = files::resolve(flags, context, lister, &mut errors);
        let excluded = marks::apply(&flags.file_marks, &mut files, &mut errors);
        let plain_values = values::resolve_files(flags, context, lister, &mut errors);
        let data_values = values::resolve_flags(flags, context, lister, &mut errors);
        let base = context.base.clone();
        (InputSet { base, files, excluded, plain_values, data_values, options: flags.options }, errors)
    }
}
