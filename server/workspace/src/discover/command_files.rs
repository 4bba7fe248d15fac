//! Turns `ytt` commands found in the workspace into input sets: where a command runs, and what its unknown variables
//! can match.

use crate::discover::{FoundCommand, SourceKind, UNKNOWN, commands};
use crate::disk::path::normalise;
use crate::disk::{Reach, Stat};
use crate::inputs::{Entry, InputContext, InputFlags, InputSet, Lister};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Commands of one file with the state of the file they were read from.
#[derive(Debug, Clone)]
pub(crate) struct CommandFile {
    pub stat: Option<Stat>,
    pub commands: Vec<FoundCommand>,
}

/// Files above this size (bytes) are not scripts.
const MAX_SIZE: u64 = 1024 * 1024;

/// How many entries of a directory are looked at for the value of a variable.
const MAX_ENTRIES: usize = 5_000;

/// How many values a variable can have.
const MAX_VALUES: usize = 50;

/// Whether a file of this name can have commands.
pub(crate) fn may_hold_commands(path: &Path) -> bool {
    SourceKind::of(path).is_some()
}

/// Reads the commands of a file, if files of its name can have some.
pub(crate) fn look_for_commands(path: &Path, reach: &Reach) -> Option<CommandFile> {
    SourceKind::of(path)?;
    let stat = reach.stat(path)?;
    commands_in(path, Some(stat), &reach.bytes_up_to(path, MAX_SIZE).ok()?)
}

/// The commands in the bytes of a file.
pub(crate) fn commands_in(path: &Path, stat: Option<Stat>, bytes: &[u8]) -> Option<CommandFile> {
    let kind = SourceKind::of(path).filter(|kind| kind.may_hold_commands(bytes))?;
    let commands = commands(kind, std::str::from_utf8(bytes).ok()?);
    (!commands.is_empty()).then_some(CommandFile { stat, commands })
}

/// A `ytt` command in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandInText {
    /// Its line, from 1.
    pub line: usize,
    /// The command as written, shortened.
    pub command: String,
    /// The ranges of the texts of files that it gets from the surrounding text (bytes).
    pub inline: Vec<Range<usize>>,
}

/// The `ytt` commands in the text of a file with this path.
pub fn ytt_commands(path: &Path, text: &str) -> Vec<CommandInText> {
    let found = SourceKind::of(path).map(|kind| commands(kind, text)).unwrap_or_default();
    let command = |found: FoundCommand| CommandInText {
        line: found.line,
        command: found.command,
        inline: found.inline.into_iter().map(|file| file.range).collect(),
    };
    found.into_iter().map(command).collect()
}

/// A command with everything known about it.
pub(crate) struct Resolved {
    pub inputs: InputSet,
    /// A part of the `-f` inputs is missing.
    pub incomplete: bool,
}

/// The input sets of a command in the file `path`: none if its inputs are not available, several if a variable can have
/// several values.
pub(crate) fn resolve(
    path: &Path,
    root: &Path,
    reach: &Reach,
    found: &FoundCommand,
    lister: &dyn Lister,
) -> Vec<Resolved> {
    let Some(base) = base_of(path, root, reach, lister, found) else { return Vec::new() };
    let mut sets = Vec::new();
    for flags in instances(reach, &base, &found.flags) {
        let (flags, dropped) = existing(lister, &base, flags);
        if flags.files.is_empty() {
            continue;
        }
        let context = InputContext { base: base.clone(), environment: Vec::new(), streams: Default::default() };
        let (inputs, errors) = InputSet::resolve_leniently(&flags, &context, lister);
        sets.push(Resolved { inputs, incomplete: found.incomplete || dropped || !errors.is_empty() });
    }
    sets
}

/// The directory a command runs in: of the possible ones, the one in which most of its inputs exist.
fn base_of(path: &Path, root: &Path, reach: &Reach, lister: &dyn Lister, found: &FoundCommand) -> Option<PathBuf> {
    let beside = path.parent()?;
    let above = beside.ancestors().take_while(|directory| directory.starts_with(root)).map(Path::to_path_buf);
    let near = found.beside.iter().map(|name| beside.join(name));
    let mut best: Option<(usize, PathBuf)> = None;
    for directory in above.chain(near) {
        let base = normalise(&directory, Path::new(&found.directory));
        let inputs = found.flags.files.iter().chain(&found.flags.data_values_files);
        let count = inputs.filter(|value| exists(reach, lister, &base, value)).count();
        // If counts are equal, the nearer directory wins.
        if count > best.as_ref().map_or(0, |(count, _)| *count) {
            best = Some((count, base));
        }
    }
    best.map(|(_, base)| base)
}

fn exists(reach: &Reach, lister: &dyn Lister, base: &Path, value: &str) -> bool {
    if value.contains(UNKNOWN) {
        return !matches(reach, base, value).is_empty();
    }
    is_there(lister, base, value)
}

/// Whether the file of a flag exists: a document that was never saved does.
fn is_there(lister: &dyn Lister, base: &Path, value: &str) -> bool {
    matches!(lister.entry(&file_of(base, value)), Entry::File | Entry::Directory)
}

/// The file that a flag's value names: `new=real`, `@library:path`.
pub(crate) fn file_of(base: &Path, value: &str) -> PathBuf {
    let value = value.split_once('=').map_or(value, |(_, real)| real);
    let value = match value.split_once(':') {
        Some((library, path)) if library.starts_with('@') => path,
        _ => value,
    };
    normalise(base, Path::new(value))
}

/// The flags with each value that their unknown variable can have. Several unknown variables stay in, and the values
/// that contain them are dropped.
fn instances(reach: &Reach, base: &Path, flags: &InputFlags) -> Vec<InputFlags> {
    let values = || flags.files.iter().chain(&flags.data_values_files);
    let mut names: Vec<&str> = values().filter_map(|value| value.split(UNKNOWN).nth(1)).collect();
    names.dedup();
    let [name, rest @ ..] = names.as_slice() else { return vec![flags.clone()] };
    if rest.iter().any(|other| other != name) {
        return vec![flags.clone()];
    }
    let Some(first) = values().find(|value| value.contains(UNKNOWN)) else { return vec![flags.clone()] };
    let mark = format!("{UNKNOWN}{name}{UNKNOWN}");
    let with = |list: &[String], value: &str| list.iter().map(|text| text.replace(&mark, value)).collect();
    matches(reach, base, first)
        .into_iter()
        .take(MAX_VALUES)
        .map(|value| InputFlags {
            files: with(&flags.files, &value),
            data_values_files: with(&flags.data_values_files, &value),
            ..flags.clone()
        })
        .collect()
}

/// The values that an unknown variable can have, according to existing files.
fn matches(reach: &Reach, base: &Path, value: &str) -> Vec<String> {
    let mut parts = value.split(UNKNOWN);
    let (Some(before), Some(_), Some(after)) = (parts.next(), parts.next(), parts.next()) else { return Vec::new() };
    // The variable is (part of) one component of the path.
    let (directory, prefix) = before.rsplit_once('/').unwrap_or(("", before));
    let (suffix, rest) = after.split_once('/').map_or((after, ""), |(suffix, rest)| (suffix, rest));
    let directory = file_of(base, directory);
    let Ok(entries) = reach.directory(&directory).and_then(|directory| directory.entries()) else { return Vec::new() };
    let mut found: Vec<String> = entries
        .take(MAX_ENTRIES)
        .flatten()
        .filter_map(|entry| {
            let name = entry.name.into_string().ok()?;
            let value = name.strip_prefix(prefix)?.strip_suffix(suffix)?;
            let entry = directory.join(&name);
            let whole = if rest.is_empty() { entry } else { entry.join(rest) };
            (!value.is_empty() && !name.starts_with('.') && reach.look(&whole).is_ok()).then(|| value.to_owned())
        })
        .collect();
    found.sort();
    found
}

/// The flags without files that do not exist (made by the run, or depending on unknown variables) or are out of reach,
/// because a repository must not lead us outside; and whether an `-f` input was among them.
fn existing(lister: &dyn Lister, base: &Path, mut flags: InputFlags) -> (InputFlags, bool) {
    let known = |value: &String| !value.contains(UNKNOWN) && is_there(lister, base, value);
    let before = flags.files.len();
    flags.files.retain(known);
    flags.data_values_files.retain(known);
    // Values from a command's flags are not part of its set, so their files need not be read.
    flags.data_value_files.clear();
    let dropped = flags.files.len() < before;
    (flags, dropped)
}
