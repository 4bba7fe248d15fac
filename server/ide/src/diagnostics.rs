//! Findings of a file, and what mends them.

use lofting_check::{Diagnostic, Fix};
use lofting_document::{FileId, Span};
use lofting_text::Text;
use lofting_workspace::{CancelFlag, FileKind, Snapshot};
use std::ops::Range;
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// All findings of a file. Cut short when `cancel` is set; the result is then of no use.
pub fn diagnostics(snapshot: &Snapshot, file: FileId, cancel: &CancelFlag) -> Arc<[Diagnostic]> {
    widened(snapshot, file, snapshot.diagnostics(file, cancel))
}

/// The findings of a file that need no code to be run, for those who can not wait until it was.
pub fn diagnostics_without_code(snapshot: &Snapshot, file: FileId, cancel: &CancelFlag) -> Arc<[Diagnostic]> {
    widened(snapshot, file, snapshot.diagnostics_without_code(file, cancel))
}

/// Whether the findings of a file may wait for code to be run.
pub fn depends_on_code(snapshot: &Snapshot, file: FileId) -> bool {
    snapshot.depends_on_code(file)
}

/// Findings about missing values cover the room where these are about to be typed.
fn widened(snapshot: &Snapshot, file: FileId, found: Arc<[Diagnostic]>) -> Arc<[Diagnostic]> {
    if !found.iter().any(is_null) {
        return found;
    }
    let text = snapshot.text(file);
    let widened = found.iter().map(|diagnostic| {
        let mut diagnostic = diagnostic.clone();
        let here = diagnostic.span.file == file && is_null(&diagnostic);
        if let Some(end) = room_for_value(&text, diagnostic.span.range()).filter(|_| here) {
            diagnostic.span = Span::new(file, diagnostic.span.range().start..end);
        }
        diagnostic
    });
    widened.collect()
}

/// Runs the code behind the data values that a template reads, after its findings were told: a hover that comes later
/// shows them, and must not wait for code to be run.
pub fn prepare_data_values(snapshot: &Snapshot, file: FileId) {
    let reads_values = matches!(snapshot.kind(file), FileKind::Template | FileKind::Library);
    if reads_values && !snapshot.code(file).values.uses.is_empty() {
        snapshot.prepare_merged(file);
    }
}

fn is_null(diagnostic: &Diagnostic) -> bool {
    diagnostic.found.as_deref() == Some("null")
}

/// Lines looked at for room below a key.
const ROOM_LINES: usize = 20;

/// Where the lines end on which the value of the key (or dash) in `name` is just about to be typed:
/// lines below it that hold white space only. The finding that there is no value covers them, so that
/// it stays where the user is instead of on a line they have left.
fn room_for_value(text: &Text, name: Range<usize>) -> Option<usize> {
    let line = text.line_of(name.end);
    let rest = text.slice(name.end..text.line_range(line).end);
    let rest = match rest.trim_start().strip_prefix(':') {
        Some(rest) => rest.trim_start(),
        None if text.slice(name) == "-" => rest.trim_start(),
        None => return None,
    };
    if !(rest.is_empty() || rest.starts_with('#')) {
        return None;
    }
    let mut end = None;
    for line in line + 1..text.line_count().min(line + 1 + ROOM_LINES) {
        let range = text.line_range(line);
        let content = text.slice(range.clone());
        match content.trim_start() {
            "" if !content.is_empty() => end = Some(range.end),
            "" => {}
            comment if comment.starts_with('#') => {}
            _ => break,
        }
    }
    end
}

/// A quick fix for a finding.
#[derive(Debug, Clone, PartialEq)]
pub struct CodeAction {
    /// The finding that it mends.
    pub diagnostic: Diagnostic,
    /// The change.
    pub fix: Fix,
    /// It is the obvious one of several.
    pub preferred: bool,
}

/// The fixes for findings that touch `range` (bytes).
pub fn code_actions(snapshot: &Snapshot, file: FileId, range: Range<usize>, cancel: &CancelFlag) -> Vec<CodeAction> {
    let mut actions = Vec::new();
    for diagnostic in snapshot.diagnostics(file, cancel).iter() {
        let span = diagnostic.span.range();
        if diagnostic.span.file != file || span.start > range.end || span.end < range.start {
            continue;
        }
        for (index, fix) in diagnostic.fixes.iter().enumerate() {
            actions.push(CodeAction { diagnostic: diagnostic.clone(), fix: fix.clone(), preferred: index == 0 });
        }
    }
    actions
}
