//! The place for which actions are requested.

use super::Abilities;
use super::blocks::closed;
use crate::completion::line_break;
use lofting_check::Diagnostic;
use lofting_document::{FileId, Span};
use lofting_syntax::Tree;
use lofting_text::Text;
use lofting_workspace::{FileKind, Snapshot};
use std::ops::Range;
use std::sync::Arc;

/// The place, with what is known about it.
pub(crate) struct Context<'s> {
    pub snapshot: &'s Snapshot,
    pub file: FileId,
    /// The selection in bytes; empty for a cursor.
    pub range: Range<usize>,
    pub text: Text,
    pub abilities: Abilities,
    /// From the start of its first line to the end of its last.
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

    /// The line break that the file uses.
    pub fn newline(&self) -> &'static str {
        line_break(&self.text)
    }

    /// The beginning of a comment that has no meaning to any tool.
    pub fn comment_mark(&self) -> &'static str {
        match self.snapshot.kind(self.file) {
            FileKind::PlainValues | FileKind::Parts | FileKind::Configuration | FileKind::Other => "#",
            FileKind::Schema | FileKind::DataValues | FileKind::Template | FileKind::Library => "#!",
        }
    }

    /// The edits, adjusted so that removals leave no empty lines, double blanks, or `#@ end` without its block. None if they
    /// would leave a part of a block.
    pub fn tidied(&self, edits: &[(Span, String)]) -> Option<Vec<(Span, String)>> {
        let tidy = |(span, new): &(Span, String)| {
            if new.is_empty() && !span.range().is_empty() {
                let range = closed(&self.snapshot.text(span.file), span.range())?;
                Some((self.with_what_it_leaves(Span::new(span.file, range)), String::new()))
            } else {
                Some((*span, new.clone()))
            }
        };
        edits.iter().map(tidy).collect()
    }

    fn with_what_it_leaves(&self, span: Span) -> Span {
        let text = self.snapshot.text(span.file);
        let (first, last) = (text.line_of(span.range().start), text.line_of(span.range().end));
        let (start, line_end) = (text.line_range(first).start, text.line_range(last).end);
        let (before, after) = (text.slice(start..span.range().start), text.slice(span.range().end..line_end));
        let range = match (before.trim().is_empty(), after.trim().is_empty()) {
            (true, true) => start..text.line_range(last + 1).start.max(line_end),
            (false, true) => start + before.trim_end().len()..line_end,
            (false, false) if before.ends_with(' ') => {
                span.range().start..span.range().end + (after.len() - after.trim_start().len())
            }
            _ => return span,
        };
        Span::new(span.file, range)
    }

    /// Whether a finding begins on the lines of the place, or overlaps the selection.
    pub(super) fn is_on_line_of(&self, finding: &Diagnostic) -> bool {
        let begins = |span: Span| self.lines.start <= span.range().start && span.range().start <= self.lines.end;
        let begins = begins(finding.span) || begins(finding.marked());
        finding.span.file == self.file && (begins || self.touches(finding))
    }

    /// Whether a finding overlaps the selection.
    pub(super) fn touches(&self, finding: &Diagnostic) -> bool {
        let touches = |span: Span| span.range().start <= self.range.end && self.range.start <= span.range().end;
        touches(finding.span) || touches(finding.marked())
    }
}
