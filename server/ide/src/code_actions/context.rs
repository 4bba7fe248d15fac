//! The place that actions are offered for.

use super::Abilities;
use crate::completion::Style;
use lofting_check::Diagnostic;
use lofting_document::{FileId, Span};
use lofting_syntax::Tree;
use lofting_text::Text;
use lofting_workspace::Snapshot;
use std::ops::Range;
use std::sync::Arc;

/// A place, with what is known of it.
pub(crate) struct Context<'s> {
    pub snapshot: &'s Snapshot,
    pub file: FileId,
    /// What is selected, in bytes; empty at a cursor.
    pub range: Range<usize>,
    pub text: Text,
    pub abilities: Abilities,
    /// From the first of its lines to behind the last.
    lines: Range<usize>,
}

impl<'s> Context<'s> {
    pub(super) fn new(snapshot: &'s Snapshot, file: FileId, range: Range<usize>, abilities: Abilities) -> Self {
        let text = snapshot.text(file);
        let (first, last) = (text.line_of(range.start), text.line_of(range.end));
        let lines = text.line_range(first).start..text.line_range(last).end;
        Context { snapshot, file, range, text, abilities, lines }
    }

    /// The tree of the file.
    pub fn tree(&self) -> Arc<Tree> {
        self.snapshot.tree(self.file)
    }

    /// A place in the file.
    pub fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range)
    }

    /// The line break that the file has.
    pub fn newline(&self) -> &'static str {
        Style::of(&self.text).newline
    }

    /// Whether a finding begins on the lines of the place, or reaches into what is selected.
    pub(super) fn is_on_line_of(&self, finding: &Diagnostic) -> bool {
        let span = finding.span.range();
        let begins = self.lines.start <= span.start && span.start <= self.lines.end;
        finding.span.file == self.file && (begins || self.touches(finding))
    }

    /// Whether a finding touches what is selected.
    pub(super) fn touches(&self, finding: &Diagnostic) -> bool {
        let span = finding.span.range();
        span.start <= self.range.end && self.range.start <= span.end
    }
}
