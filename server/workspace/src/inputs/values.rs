//! Data values that are not documents of `-f` files: plain files, flags, environment (docs/ytt.md 11).

use super::files::{below, name_and_path, path_of};
use super::{Entry, InputContext, InputError, InputFlags, InputProblem, Lister, Source};
use crate::disk::ReadProblem;
use lofting_check::{LibraryRef, LibraryRefError};
use std::path::PathBuf;

/// A file of `--data-values-file`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainValuesFile {
    /// Where its text is.
    pub source: Source,
    /// How messages name it: as the user gave it.
    pub shown: String,
    /// The library it is addressed to (`@lib:path`), with the `@`.
    pub library: Option<String>,
}

/// How a data value was given, in the order in which ytt applies them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DataValueKind {
    /// `--data-values-env`: text.
    Environment,
    /// `--data-values-env-yaml`
    EnvironmentYaml,
    /// `--data-value`: text.
    Text,
    /// `--data-value-yaml`
    Yaml,
    /// `--data-value-file`: the text of a file.
    File,
}

impl DataValueKind {
    /// Whether the value is parsed as YAML rather than taken as text.
    pub fn is_yaml(self) -> bool {
        matches!(self, DataValueKind::EnvironmentYaml | DataValueKind::Yaml)
    }
}

/// One data value of a flag or of the environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataValue {
    /// How it was given.
    pub kind: DataValueKind,
    /// What the user wrote: `db.port=5432`, or `PREFIX_db__port=5432` for the environment.
    pub written: String,
    /// The parts of the key with their ranges in `written`; parts are strings, never numbers.
    pub key: Vec<(std::ops::Range<usize>, String)>,
    /// Where in `written` the value begins.
    pub value_start: usize,
    /// The value; for `--data-value-file` the text of the file.
    pub value: String,
    /// ytt's name for the source: `(data-value arg)`.
    pub origin: String,
    /// The library it is addressed to, with the `@`.
    pub library: Option<String>,
}

pub(super) fn resolve_files(
    flags: &InputFlags,
    context: &InputContext,
    lister: &dyn Lister,
    errors: &mut Vec<InputError>,
) -> Vec<PlainValuesFile> {
    let mut files = Vec::new();
    for value in &flags.data_values_files {
        let (library, given) = split_library(value);
        let found = readable(library).and_then(|()| plain_files(given, context, lister));
        match found {
            Ok(found) => files.extend(found.into_iter().map(|(source, shown)| PlainValuesFile {
                source,
                shown,
                library: library.map(str::to_owned),
            })),
            Err(problem) => errors.push(InputError { flag: "--data-values-file", value: value.clone(), problem }),
        }
    }
    files
}

/// `@lib:rest` → (`@lib`, rest).
fn split_library(value: &str) -> (Option<&str>, &str) {
    match value.split_once(':') {
        Some((library, rest)) if library.starts_with('@') => (Some(library), rest),
        _ => (None, value),
    }
}

/// Whether the address of a library is valid.
fn readable(library: Option<&str>) -> Result<(), InputProblem> {
    if library == Some("@") {
        return Err(LibraryRefError::Empty.into());
    }
    library.map(LibraryRef::read).transpose()?;
    Ok(())
}

/// A key, or the prefix of environment variables: ytt treats a second `:` as a mistake.
fn without_colon(key: &str) -> Result<(), InputProblem> {
    if key.contains(':') { Err(InputProblem::TwoLibraries(key.to_owned())) } else { Ok(()) }
}

fn plain_files(
    given: &str,
    context: &InputContext,
    lister: &dyn Lister,
) -> Result<Vec<(Source, String)>, InputProblem> {
    let (_, given) = name_and_path(given)?;
    if let Some(text) = context.stream(given)? {
        let shown = if given == "-" { "stdin.yml" } else { given };
        return Ok(vec![(Source::Text(text.clone()), shown.to_owned())]);
    }
    let path = path_of(given, context, lister);
    match lister.entry(&path) {
        Entry::Irregular => Err(ReadProblem::NoFile.into()),
        Entry::Missing => Err(InputProblem::Missing),
        Entry::OutOfReach => Err(ReadProblem::OutOfReach.into()),
        Entry::Link => Err(InputProblem::Link),
        Entry::File => Ok(vec![(Source::Path(path), given.to_owned())]),
        Entry::Directory => {
            let mut found = below(&path, given, lister)?;
            // Only in subdirectories, files that are not YAML are skipped: at the top ytt reads them (docs/ytt.md 22).
            found.retain(|(path, relative, _)| !relative.contains('/') || crate::disk::path::is_yaml(path));
            found.sort_by(|a, b| a.1.as_bytes().cmp(b.1.as_bytes()));
            Ok(found.into_iter().map(|(path, _, shown)| (Source::Path(path), shown)).collect())
        }
    }
}

pub(super) fn resolve_flags(
    flags: &InputFlags,
    context: &InputContext,
    lister: &dyn Lister,
    errors: &mut Vec<InputError>,
) -> Vec<DataValue> {
    let mut values = Vec::new();
    let groups = [
        (DataValueKind::Environment, "--data-values-env", &flags.data_values_env),
        (DataValueKind::EnvironmentYaml, "--data-values-env-yaml", &flags.data_values_env_yaml),
        (DataValueKind::Text, "--data-value", &flags.data_values),
        (DataValueKind::Yaml, "--data-value-yaml", &flags.data_values_yaml),
        (DataValueKind::File, "--data-value-file", &flags.data_value_files),
    ];
    for (kind, flag, given) in groups {
        for value in given {
            let read = match kind {
                DataValueKind::Environment | DataValueKind::EnvironmentYaml => {
                    let (library, prefix) = split_library(value);
                    readable(library)
                        .and_then(|()| without_colon(prefix))
                        .map(|()| from_environment(kind, value, context))
                }
                _ => from_flag(kind, value, context, lister).map(|value| vec![value]),
            };
            match read {
                Ok(read) => values.extend(read),
                Err(problem) => errors.push(InputError { flag, value: value.clone(), problem }),
            }
        }
    }
    values
}

fn from_flag(
    kind: DataValueKind,
    given: &str,
    context: &InputContext,
    lister: &dyn Lister,
) -> Result<DataValue, InputProblem> {
    let (key, value) = given.split_once('=').ok_or(InputProblem::NoValue)?;
    let (library, key_text) = split_library(key);
    readable(library)?;
    without_colon(key_text)?;
    let key_start = key.len() - key_text.len();
    let mut data_value = DataValue {
        kind,
        written: given.to_owned(),
        key: key_parts(key_text, key_start, "."),
        value_start: key.len() + 1,
        value: value.to_owned(),
        origin: match kind {
            DataValueKind::Yaml => "(data-value-yaml arg)".to_owned(),
            _ => "(data-value arg)".to_owned(),
        },
        library: library.map(str::to_owned),
    };
    if kind == DataValueKind::File {
        data_value.origin = format!("(data-value-file arg) {key_text}={value}");
        let (_, path) = name_and_path(value)?;
        data_value.value = match context.stream(path)? {
            Some(text) => text.clone(),
            None => lister.text(&only_file(path_of(path, context, lister), path, lister)?)?,
        };
    }
    Ok(data_value)
}

/// The file of `--data-value-file`: of a directory, the only one that is in it.
fn only_file(path: PathBuf, given: &str, lister: &dyn Lister) -> Result<PathBuf, InputProblem> {
    match lister.entry(&path) {
        Entry::Link => return Err(InputProblem::Link),
        Entry::Directory => {}
        _ => return Ok(path),
    }
    let mut found = below(&path, given, lister)?;
    match found.len() {
        1 => found.pop().map(|(only, ..)| only).ok_or(InputProblem::Missing),
        count => Err(InputProblem::NotOneFile(count)),
    }
}

/// `PREFIX_a__b=x` means key `a.b`; all variables of a prefix, in the order of the environment.
fn from_environment(kind: DataValueKind, given: &str, context: &InputContext) -> Vec<DataValue> {
    let (library, prefix) = split_library(given);
    let flag = match kind {
        DataValueKind::EnvironmentYaml => "data-values-env-yaml",
        _ => "data-values-env",
    };
    let variables = context.environment.iter().filter_map(|(name, value)| {
        let key = name.strip_prefix(prefix)?.strip_prefix('_')?;
        Some(DataValue {
            kind,
            written: format!("{name}={value}"),
            key: key_parts(key, prefix.len() + 1, "__"),
            value_start: name.len() + 1,
            value: value.clone(),
            origin: format!("({flag} arg) {prefix}"),
            library: library.map(str::to_owned),
        })
    });
    variables.collect()
}

/// The parts of a key with their ranges; `start` is where the key begins.
fn key_parts(key: &str, start: usize, separator: &str) -> Vec<(std::ops::Range<usize>, String)> {
    let mut at = start;
    let parts = key.split(separator).map(|part| {
        let range = at..at + part.len();
        at = range.end + separator.len();
        (range, part.to_owned())
    });
    parts.collect()
}
