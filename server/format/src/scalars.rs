//! Scalars of several lines. Their lines move with the line they begin on; their values stay the same.

use crate::layout::{Column, Layout, lines};
use lofting_syntax::{Kind, Token};
use std::ops::Range;

impl Layout<'_> {
    /// The lines of a plain or quoted scalar after its first: their white space on both sides has no meaning.
    pub(crate) fn further_lines(&mut self, token: Token<'_>, start: Column) {
        let range = token.range();
        let kind = token.kind();
        let (mut delta, mut line_start) = (self.line.delta, self.line.start);
        for (number, line) in lines(self.text, range.clone()).enumerate() {
            let is_last = line.end == range.end;
            if number > 0 {
                line_start = line.start;
                let content = self.content(&line);
                if content == line.end && !is_last {
                    self.trim(line.start..line.end);
                } else {
                    let old = content - line.start;
                    let new = if self.edits.may_change(line.start) {
                        self.column_below(old, Some(start), false)
                    } else {
                        old
                    };
                    self.edits.spaces(line.start..content, new);
                    delta = new as isize - old as isize;
                }
            }
            if !is_last {
                self.trim_line_end(&line, kind);
                self.line_break(line.end);
            }
        }
        (self.line.delta, self.line.start) = (delta, line_start);
    }

    /// White space before a break inside a scalar is removed, unless a backslash keeps it.
    fn trim_line_end(&mut self, line: &Range<usize>, kind: Kind) {
        let text = self.text.get(line.clone()).unwrap_or_default();
        let kept = text.trim_end_matches([' ', '\t']);
        let protected = kind == Kind::DoubleQuoted && kept.ends_with('\\');
        if !protected && !kept.is_empty() && kept.len() < text.len() {
            self.trim(line.start + kept.len()..line.end);
        }
    }

    /// The lines of a block scalar, which are one step deeper than its key or dash.
    pub(crate) fn block_lines(&mut self, range: Range<usize>) {
        let Some(owner) = self.owner() else { return self.line_breaks(range) };
        let all: Vec<Range<usize>> = lines(self.text, range.clone()).filter(|line| line.start < range.end).collect();
        let spaces = |line: &Range<usize>| {
            let text = self.text.get(line.clone()).unwrap_or_default();
            text.len() - text.trim_start_matches(' ').len()
        };
        let given = self.block_indent;
        let first = all.iter().find(|line| spaces(line) < line.len());
        let indents = match (given, first) {
            (Some(digit), _) => Some((digit + owner.old, digit + owner.new)),
            (None, Some(first)) => Some((spaces(first), owner.new + self.style.step)),
            (None, None) => None,
        };
        if let Some((old, new)) = indents.filter(|_| self.edits.holds(&range)) {
            for line in &all {
                let own = spaces(line);
                let is_blank = own == line.len() && own <= old;
                let count = if !is_blank {
                    (own + new).saturating_sub(old)
                } else if self.options.trims() {
                    0
                } else {
                    // Above the first line of text it must not be deeper than that line.
                    own.min(new)
                };
                self.edits.spaces(line.start..line.start + own, count);
            }
        }
        self.line_breaks(range);
    }

    /// All line breaks in a range.
    fn line_breaks(&mut self, range: Range<usize>) {
        if self.options.line_ending.is_some() {
            for line in lines(self.text, range.clone()) {
                if line.end < range.end {
                    self.line_break(line.end);
                }
            }
        }
    }

    /// The first byte of a line that is not white space.
    fn content(&self, line: &Range<usize>) -> usize {
        let text = self.text.get(line.clone()).unwrap_or_default();
        line.end - text.trim_start_matches([' ', '\t']).len()
    }

    /// Removes white space at a line end.
    pub(crate) fn trim(&mut self, white: Range<usize>) {
        if self.options.trims() && !white.is_empty() {
            self.edits.replace(white, "");
        }
    }
}
