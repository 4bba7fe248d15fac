//! The change of an action.

use crate::answers::OutsideEdit;
use crate::migration::Migration;
use lofting_document::{FileId, Span};
use lofting_workspace::Snapshot;
use std::path::PathBuf;

/// Edits of texts, and new files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// Replacements; those in one file do not overlap. An empty span inserts.
    pub edits: Vec<(Span, String)>,
    /// Files to create, with their texts.
    pub new_files: Vec<(PathBuf, String)>,
    /// Edits of files that are not the workspace's, such as scripts.
    pub outside: Vec<OutsideEdit>,
    /// Why it cannot be made, as lines for people. Nothing else is set then.
    pub refused: Option<String>,
}

impl Change {
    /// A change of texts only.
    pub fn of(edits: Vec<(Span, String)>) -> Change {
        Change { edits, ..Change::default() }
    }

    /// A new file.
    pub fn new_file(path: PathBuf, text: impl Into<String>) -> Change {
        Change { new_files: vec![(path, text.into())], ..Change::default() }
    }

    /// A change of one place.
    pub fn replace(span: Span, text: impl Into<String>) -> Change {
        Change::of(vec![(span, text.into())])
    }

    /// What a migration changes, or why that is nothing.
    pub(super) fn of_plan(snapshot: &Snapshot, migration: Migration) -> Change {
        let reason = |(file, why): &(FileId, String)| format!("{}: {why}", snapshot.shown_path(*file));
        let reasons: Vec<String> = migration.refused.iter().map(reason).collect();
        let refused = if reasons.is_empty() {
            "Nothing is changed, because no file has anything to move.".to_owned()
        } else {
            format!("Nothing is changed, because values would be lost.\n{}", reasons.join("\n"))
        };
        let change = Change::of_migration(snapshot, migration).filter(|_| reasons.is_empty());
        change.unwrap_or_else(|| Change { refused: Some(refused), ..Change::default() })
    }

    /// What a migration changes; None if that is nothing.
    fn of_migration(snapshot: &Snapshot, migration: Migration) -> Option<Change> {
        let Migration { changed, outside, .. } = migration;
        let is_outside = |file: &FileId| outside.iter().any(|edit| edit.path == snapshot.path(*file));
        if changed.keys().any(is_outside) {
            return None;
        }
        let changed = changed.iter().map(|(file, new)| {
            let old = snapshot.text(*file).to_string();
            Change::between(*file, &old, new)
        });
        let edits: Vec<_> = changed.flat_map(|change| change.edits).collect();
        let is_any = !edits.is_empty() || !outside.is_empty();
        is_any.then(|| Change { edits, outside, ..Change::default() })
    }

    /// Whether it changes only this file.
    pub fn is_only_in(&self, file: FileId) -> bool {
        self.new_files.is_empty() && self.outside.is_empty() && self.edits.iter().all(|(span, _)| span.file == file)
    }

    /// The text of a file after the change; None if its edits overlap or lie outside the text.
    pub fn apply(&self, file: FileId, text: &str) -> Option<String> {
        let mut edits: Vec<&(Span, String)> = self.edits.iter().filter(|(span, _)| span.file == file).collect();
        edits.sort_by_key(|(span, _)| (span.start, span.end));
        let (mut changed, mut at) = (String::with_capacity(text.len()), 0);
        for (span, new) in edits {
            changed.push_str(text.get(at..span.range().start)?);
            changed.push_str(new);
            at = span.range().end;
        }
        changed.push_str(text.get(at..)?);
        Some(changed)
    }

    /// The change from one text of a file to another: from the first difference to the last.
    pub(crate) fn between(file: FileId, before: &str, after: &str) -> Change {
        let start: usize =
            before.chars().zip(after.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
        let rests = (before.get(start..).unwrap_or_default(), after.get(start..).unwrap_or_default());
        let same = rests.0.chars().rev().zip(rests.1.chars().rev()).take_while(|(a, b)| a == b);
        let end: usize = same.map(|(a, _)| a.len_utf8()).sum();
        let new = after.get(start..after.len() - end).unwrap_or_default();
        Change::replace(Span::new(file, start..before.len() - end), new)
    }
}
