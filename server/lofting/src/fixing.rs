//! Applying fixes.

use lofting_document::FileId;
use lofting_ide::{FixAll, fix_all};
use lofting_workspace::CancelFlag;
use schemars::JsonSchema;
use serde::Serialize;
use similar::{DiffOp, TextDiff};

use crate::place::{Edit, version_of};
use crate::{Certainty, PositionEncoding, Snapshot};

/// Which fixes are applied.
#[derive(Debug, Clone)]
pub struct FixChoice {
    /// Fixes that are at least this certain.
    pub certainty: Certainty,
    /// Fixes for these rules; empty for all rules.
    pub only: Vec<String>,
}

impl Default for FixChoice {
    /// All that are sure.
    fn default() -> FixChoice {
        FixChoice { certainty: Certainty::Sure, only: Vec::new() }
    }
}

/// The fixes of several files.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FixAnswer {
    /// The version of this form.
    #[serde(rename = "version")]
    pub form: u32,
    /// What columns count.
    pub position_encoding: PositionEncoding,
    /// The files on disk have the new texts.
    pub written: bool,
    /// The files that the fixes change.
    pub files: Vec<FixedFile>,
    /// Files that could not be written and are as they were.
    pub not_written: Vec<NotWritten>,
}

/// A file that was left as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NotWritten {
    /// The file.
    pub file: String,
    /// Why.
    pub message: String,
}

/// A file after its fixes.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FixedFile {
    /// The file.
    pub file: String,
    /// The version of its text before.
    pub version: String,
    /// The version of its text after.
    pub new_version: String,
    /// What is replaced in the text before.
    pub edits: Vec<Edit>,
    /// What is fixed, in order.
    pub fixes: Vec<AppliedFix>,
    /// The text before.
    #[serde(skip)]
    pub before: String,
    /// The text after.
    #[serde(skip)]
    pub after: String,
}

/// A fix that was applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AppliedFix {
    /// The rule.
    pub code: String,
    /// What it does.
    pub title: String,
}

impl Snapshot {
    /// The file with fixes applied, round by round, as long as they help; None if there are none.
    pub fn fix(&self, choice: &FixChoice) -> Option<FixedFile> {
        FixedFile::of(&self.inner, self.file, &self.name, self.encoding, choice)
    }
}

impl FixedFile {
    /// The fixes of a file of a state.
    #[doc(hidden)]
    pub fn of(
        state: &lofting_workspace::Snapshot,
        file: FileId,
        name: &str,
        encoding: PositionEncoding,
        choice: &FixChoice,
    ) -> Option<FixedFile> {
        let wanted = FixAll { least: choice.certainty.confidence(), only: &choice.only };
        let fixed = fix_all(state, file, wanted, &CancelFlag::new())?;
        let applied = |(code, title): (String, String)| AppliedFix { code, title };
        Some(FixedFile {
            file: name.to_owned(),
            version: version_of(&fixed.before),
            new_version: version_of(&fixed.text),
            edits: edits_between(name, &fixed.before, &fixed.text, encoding),
            fixes: fixed.done.into_iter().map(applied).collect(),
            before: fixed.before,
            after: fixed.text,
        })
    }
}

/// The lines that differ, as edits of the text before.
pub(crate) fn edits_between(name: &str, before: &str, after: &str, encoding: PositionEncoding) -> Vec<Edit> {
    let diff = TextDiff::from_lines(before, after);
    let starts = |lengths: Vec<usize>| {
        let ends = lengths.into_iter().scan(0, |at, length| {
            *at += length;
            Some(*at)
        });
        std::iter::once(0).chain(ends).collect::<Vec<usize>>()
    };
    let old = starts(diff.iter_old_slices().map(str::len).collect());
    let new = starts(diff.iter_new_slices().map(str::len).collect());
    let byte = |starts: &[usize], line: usize| starts.get(line).or(starts.last()).copied().unwrap_or(0);
    let text = lofting_text::Text::new(before);
    let edit = |op: &DiffOp| {
        let (removed, added) = (op.old_range(), op.new_range());
        let range = byte(&old, removed.start)..byte(&old, removed.end);
        let new = after.get(byte(&new, added.start)..byte(&new, added.end)).unwrap_or_default();
        Edit { file: name.to_owned(), range: encoding.range(&text, range), text: new.to_owned() }
    };
    let is_change = |op: &&DiffOp| !matches!(op, DiffOp::Equal { .. });
    diff.ops().iter().filter(is_change).map(edit).collect()
}
