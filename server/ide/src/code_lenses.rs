//! Code lenses: lines above a key that say how it is used, and above a file what it is given to `ytt` with.

use crate::uses::{Uses, uses_of_key};
use lofting_check::Severity;
use lofting_document::{FileId, Node, NodeValue, Span};
use lofting_workspace::config::ConfigSet;
use lofting_workspace::{CancelFlag, FileKind, Snapshot};
use std::ops::Range;

#[cfg(test)]
mod tests;

/// A line above a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeLens {
    /// The bytes that it is shown above.
    pub range: Range<usize>,
    /// What it says.
    pub kind: LensKind,
}

/// What a lens says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LensKind {
    /// How the key of a schema in its range is used: [`key_uses`] counts.
    Uses,
    /// The files that a JSON Schema governs: [`governed_files`] counts.
    Governs,
    /// The input sets that a file is a part of.
    Sets(Vec<String>),
    /// What an input set of a `lofting.toml` consists of: files, and values files, one for each call.
    Set {
        /// Its files.
        files: usize,
        /// Values files, one for each call.
        alternatives: usize,
    },
}

/// The keys of schemas whose uses are counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LensKeys {
    /// None.
    Off,
    /// Keys at the top of a schema, which stand for everything below them.
    #[default]
    Root,
    /// All.
    All,
}

/// Which lenses are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LensChoices {
    /// The keys whose uses are counted.
    pub uses: LensKeys,
    /// Whether input sets are shown above the files in them.
    pub sets: bool,
}

impl Default for LensChoices {
    fn default() -> Self {
        LensChoices { uses: LensKeys::default(), sets: true }
    }
}

/// The maximum number of lenses in one file: editors stall on more.
const MAX_LENSES: usize = 2_000;

/// The lenses of a file, in order. Nothing is counted yet.
pub fn code_lenses(snapshot: &Snapshot, file: FileId, choices: LensChoices) -> Vec<CodeLens> {
    let mut lenses = Vec::new();
    let kind = snapshot.kind(file);
    if choices.sets {
        if kind == FileKind::Configuration {
            lenses.extend(sets_in(snapshot, file));
        }
        let sets = snapshot.named_sets(file);
        if !sets.is_empty() {
            lenses.push(CodeLens { range: 0..0, kind: LensKind::Sets(sets) });
        }
    }
    if choices.uses != LensKeys::Off {
        if is_json_schema(snapshot, file) {
            lenses.push(CodeLens { range: 0..0, kind: LensKind::Governs });
        }
        let keys = declared_keys(snapshot, file, choices.uses == LensKeys::Root);
        lenses.extend(keys.into_iter().map(|span| CodeLens { range: span.range(), kind: LensKind::Uses }));
    }
    lenses.truncate(MAX_LENSES);
    lenses
}

/// In how many files the key is used that a schema declares at a place.
pub fn key_uses(snapshot: &Snapshot, declared: Span, cancel: &CancelFlag) -> Uses {
    uses_of_key(snapshot, declared, cancel)
}

/// The files that a schema governs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GovernedFiles {
    /// How many there are.
    pub files: usize,
    /// How many of them have errors.
    pub wrong: usize,
    /// How many errors they have.
    pub errors: usize,
}

/// How many governed files are checked for a lens.
const CHECKED: usize = 500;

/// Counts the files that the schema in a file governs, and the errors in them, as they are with its text in the editor.
pub fn governed_files(snapshot: &Snapshot, schema: FileId, cancel: &CancelFlag) -> GovernedFiles {
    let mut found = GovernedFiles::default();
    for file in snapshot.files().filter(|file| *file != schema) {
        if cancel.is_cancelled() {
            break;
        }
        if snapshot.kind(file) != FileKind::Parts || !snapshot.governed(file).iter().any(|it| it.reason.file == schema)
        {
            continue;
        }
        found.files += 1;
        if found.files <= CHECKED {
            let all = snapshot.diagnostics(file, cancel);
            let errors = all.iter().filter(|finding| finding.severity == Severity::Error).count();
            found.errors += errors;
            found.wrong += usize::from(errors > 0);
        }
    }
    found
}

impl GovernedFiles {
    /// `governs 3 files: 2 errors in 1 of them`
    pub fn title(self) -> String {
        let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        match (self.files, self.wrong) {
            (0, _) => "governs no known file".to_owned(),
            (files, 0) => format!("governs {}", count(files, "file")),
            (1, _) => format!("governs 1 file: {} in it", count(self.errors, "error")),
            (files, wrong) => {
                format!("governs {}: {} in {wrong} of them", count(files, "file"), count(self.errors, "error"))
            }
        }
    }
}

/// Whether a file is a JSON Schema as a whole.
fn is_json_schema(snapshot: &Snapshot, file: FileId) -> bool {
    snapshot.json_schema_in(file).is_some_and(|schema| !schema.is_unknown())
}

impl Uses {
    /// `set in 3 files, read by 1 template`
    pub fn title(self) -> String {
        let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        match (self.values, self.code) {
            (0, 0) => "no uses known".to_owned(),
            (values, 0) => format!("set in {}", count(values, "file")),
            (0, code) => format!("read by {}", count(code, "template")),
            (values, code) => format!("set in {}, read by {}", count(values, "file"), count(code, "template")),
        }
    }
}

impl LensKind {
    /// What is shown; none where it has to be counted first.
    pub fn title(&self) -> Option<String> {
        Some(match self {
            LensKind::Uses | LensKind::Governs => return None,
            LensKind::Sets(names) => {
                let what = if names.len() == 1 { "Input set" } else { "Input sets" };
                format!("{what}: {}", names.join(", "))
            }
            LensKind::Set { files, alternatives } => {
                let files = if *files == 1 { "1 file".to_owned() } else { format!("{files} files") };
                match alternatives {
                    0 => files,
                    1 => format!("{files} and 1 values file"),
                    count => format!("{files} and one of {count} values files"),
                }
            }
        })
    }
}

/// The keys that the schemas in a file declare, in order.
fn declared_keys(snapshot: &Snapshot, file: FileId, only_root: bool) -> Vec<Span> {
    let mut found = Vec::new();
    if snapshot.kind(file) == FileKind::Schema {
        let documents = snapshot.lowered(file);
        for document in documents.documents.iter().filter(|document| document.is_schema()) {
            keys_below(&document.value, only_root, &mut found);
        }
    }
    for schema in snapshot.schemas_in(file).into_iter().chain(snapshot.json_schema_in(file)) {
        let root = schema.root();
        let of_root = schema.node(root).map.as_deref().into_iter();
        let all = schema.nodes().filter_map(|(_, node)| node.map.as_deref()).filter(|_| !only_root);
        let keys = of_root.chain(all).flat_map(|map| &map.keys);
        let names = keys.map(|key| schema.node(key.schema).declared.name);
        found.extend(names.filter(|name| name.file == file));
    }
    found.sort_unstable_by_key(|span| (span.start, span.end));
    found.dedup();
    found
}

/// The keys of a document of a schema.
fn keys_below(root: &Node, only_root: bool, found: &mut Vec<Span>) {
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        match &node.value {
            NodeValue::Map(items) => {
                found.extend(items.iter().filter(|item| !item.merged).map(|item| item.key_span));
                open.extend(items.iter().map(|item| &item.value).filter(|_| !only_root));
            }
            NodeValue::Array(items) => open.extend(items.iter().map(|item| &item.value)),
            _ => {}
        }
    }
}

/// What the input sets of a `lofting.toml` consist of.
fn sets_in(snapshot: &Snapshot, file: FileId) -> Vec<CodeLens> {
    let config = snapshot.config(file);
    let lens = |set: &ConfigSet| {
        let files = snapshot.files_of_set(file, &set.name)?;
        let kind =
            LensKind::Set { files: files.inputs.len() + files.values.len(), alternatives: files.alternatives.len() };
        Some(CodeLens { range: set.name_range.clone(), kind })
    };
    config.sets.iter().filter_map(lens).collect()
}
