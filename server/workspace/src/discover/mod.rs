//! Input sets from existing commands: `ytt` commands in Makefiles, scripts, task runners, CI files and READMEs, and the
//! `ytt` steps of kapp-controller resources. One file per source.
//!
//! What a command does depends on variables, directories and loops. Only what is certain is used: an unknown variable
//! matches whatever files exist in its place, and a command whose `-f` inputs stay unknown is incomplete, so that it
//! makes no key count as undeclared.

mod ci;
pub(crate) mod command_files;
mod justfile;
mod kapp;
mod makefile;
mod readme;
mod script;
mod shell;
mod taskfile;
#[cfg(test)]
mod tests;
mod variables;
mod yaml;
mod ytt_command;

use crate::disk::path::file_name;
use crate::inputs::InputFlags;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A `ytt` call found in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundCommand {
    /// Its inputs. Values may contain unknown variables, see [`UNKNOWN`].
    pub flags: InputFlags,
    /// The keys of data values that it sets itself (`-v key=...`), whatever the values are.
    pub keys: Vec<String>,
    /// The directory it runs in, relative to where its file is run; empty means the same directory.
    pub directory: String,
    /// Line of the file, from 1.
    pub line: usize,
    /// The command as written, shortened.
    pub command: String,
    /// Some of its `-f` inputs are not known.
    pub incomplete: bool,
    /// It takes values from elsewhere than `-f` inputs and known values files, or templates on its standard input.
    pub more_values: bool,
    /// Files whose text is in the file itself; ytt gets them after the others.
    pub inline: Vec<InlineFile>,
    /// Directories next to the file, besides those above it, that its paths may be relative to.
    pub beside: &'static [&'static str],
}

impl FoundCommand {
    /// The path of a file inside the one at `path`, where no real file can be: several steps can have files with the
    /// same name.
    pub fn inline_place(&self, path: &Path, file: &InlineFile) -> PathBuf {
        let host = crate::disk::path::file_name(path);
        path.with_file_name(format!("{host}:{}", self.line)).join(&file.name)
    }
}

/// A file whose text is inside another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InlineFile {
    /// Its path inside ytt.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The length of the surrounding text (bytes), to see whether it was edited since.
    pub around: usize,
    /// The range of the text (bytes).
    pub range: Range<usize>,
    /// Where each line begins, in the text and in the surrounding file (bytes); empty if the two differ by more than
    /// indentation.
    pub lines: Vec<(usize, usize)>,
}

/// Encloses the name of an unknown variable.
pub(crate) const UNKNOWN: char = '\u{1}';

/// How many commands of one file are read, and how long a text may be: READMEs and scripts are short.
const MAX_COMMANDS: usize = 200;
const MAX_SIZE: usize = 1024 * 1024;

/// Kinds of files in which commands are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SourceKind {
    Makefile,
    Script,
    Taskfile,
    Justfile,
    Ci,
    Readme,
    Kapp,
}

impl SourceKind {
    /// The kind of a file by its name. kapp-controller resources can have any YAML name.
    pub fn of(path: &Path) -> Option<SourceKind> {
        let name = file_name(path);
        let lower = name.to_ascii_lowercase();
        if matches!(name, "Makefile" | "makefile" | "GNUmakefile") || name.ends_with(".mk") {
            return Some(SourceKind::Makefile);
        }
        if name.ends_with(".sh") || name.ends_with(".bash") {
            return Some(SourceKind::Script);
        }
        if matches!(lower.as_str(), "justfile" | ".justfile") {
            return Some(SourceKind::Justfile);
        }
        if lower.starts_with("readme") && (lower.ends_with(".md") || lower == "readme") {
            return Some(SourceKind::Readme);
        }
        if !crate::disk::path::is_yaml(path) {
            return None;
        }
        if matches!(lower.as_str(), "taskfile.yml" | "taskfile.yaml" | "taskfile.dist.yml" | "taskfile.dist.yaml") {
            return Some(SourceKind::Taskfile);
        }
        let in_workflows = path.parent().is_some_and(|parent| parent.ends_with(".github/workflows"));
        if in_workflows || lower == ".gitlab-ci.yml" || lower == ".gitlab-ci.yaml" {
            return Some(SourceKind::Ci);
        }
        Some(SourceKind::Kapp)
    }

    /// Whether a file of this kind with these bytes can hold a command. Cheap.
    pub fn may_hold_commands(self, bytes: &[u8]) -> bool {
        let has = |word: &str| memchr::memmem::find(bytes, word.as_bytes()).is_some();
        match self {
            SourceKind::Kapp => has("kappctrl.k14s.io") || has("packaging.carvel.dev") || has("kctrl.carvel.dev"),
            _ => has("ytt") || has("YTT"),
        }
    }
}

/// The `ytt` calls in a file.
pub(crate) fn commands(kind: SourceKind, text: &str) -> Vec<FoundCommand> {
    if text.len() > MAX_SIZE {
        return Vec::new();
    }
    let mut found = match kind {
        SourceKind::Makefile => makefile::commands(text),
        SourceKind::Script => script::commands(text),
        SourceKind::Taskfile => taskfile::commands(text),
        SourceKind::Justfile => justfile::commands(text),
        SourceKind::Ci => ci::commands(text),
        SourceKind::Readme => readme::commands(text),
        SourceKind::Kapp => kapp::commands(text),
    };
    found.truncate(MAX_COMMANDS);
    // Line breaks that are written as escapes are not line breaks of the file.
    let last = text.lines().count().max(1);
    found.iter_mut().for_each(|command| command.line = command.line.min(last));
    found
}
