//! Tokens by their bytes become tokens by lines.

use super::SemanticToken;
use crate::token_kinds::Stretch;
use lofting_text::{Text, ends_line};
use std::borrow::Cow;
use std::ops::Range;

/// Follows the lines of a part of a text, forwards.
pub(super) struct Lines<'t> {
    part: Cow<'t, str>,
    /// Where the part begins.
    start: usize,
    /// How far it was looked through, from its start.
    at: usize,
    line: usize,
    /// Where this line begins.
    line_start: usize,
}

impl<'t> Lines<'t> {
    /// The lines of a part of the text (bytes).
    pub fn new(text: &'t Text, part: Range<usize>) -> Self {
        let line = text.line_of(part.start);
        let line_start = text.line_range(line).start;
        let start = text.round_down(part.start);
        Lines { part: text.slice(start..part.end), start, at: 0, line, line_start }
    }

    /// The line in which the part begins.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Adds the token, in as many pieces as it has lines. Tokens come in the order of their starts.
    pub fn add(&mut self, stretch: &Stretch, tokens: &mut Vec<SemanticToken>) {
        self.advance(stretch.range.start);
        let end = stretch.range.end.min(self.start + self.part.len());
        let mut from = stretch.range.start;
        // A copy: the next token may begin in an earlier line than this one ends.
        let (mut line, mut line_start) = (self.line, self.line_start);
        while from < end {
            let rest = self.part.get(from - self.start..end - self.start).unwrap_or_default();
            let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
            let piece = rest.get(..length).unwrap_or_default();
            let blank = if from == stretch.range.start { 0 } else { piece.len() - piece.trim_start().len() };
            if piece.len() > blank {
                tokens.push(SemanticToken {
                    line: small(line),
                    column: small(from + blank - line_start),
                    length: small(piece.len() - blank),
                    kind: stretch.kind,
                    modifiers: stretch.modifiers,
                });
            }
            let Some(after) = rest.get(length..).filter(|after| !after.is_empty()) else { break };
            from += length + if after.starts_with("\r\n") { 2 } else { 1 };
            (line, line_start) = (line + 1, from);
        }
    }

    /// Counts the lines up to an offset.
    fn advance(&mut self, to: usize) {
        let to = to.saturating_sub(self.start).max(self.at);
        for at in (self.at..to.min(self.part.len())).filter(|at| ends_line(self.part.as_bytes(), *at)) {
            self.line += 1;
            self.line_start = self.start + at + 1;
        }
        self.at = to;
    }
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
