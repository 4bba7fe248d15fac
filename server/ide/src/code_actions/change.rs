//! The change of an action.

use lofting_document::{FileId, Span};
use std::path::PathBuf;

/// Edits of texts, and new files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// Replacements; those in one file do not overlap. An empty span inserts.
    pub edits: Vec<(Span, String)>,
    /// Files to create, with their texts.
    pub new_files: Vec<(PathBuf, String)>,
}

impl Change {
    /// A change of texts only.
    pub fn of(edits: Vec<(Span, String)>) -> Change {
        Change { edits, new_files: Vec::new() }
    }

    /// A change of one place.
    pub fn replace(span: Span, text: impl Into<String>) -> Change {
        Change::of(vec![(span, text.into())])
    }

    /// Whether it changes only this file.
    pub fn is_only_in(&self, file: FileId) -> bool {
        self.new_files.is_empty() && self.edits.iter().all(|(span, _)| span.file == file)
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
