//! The text as the parser reads it: line by line, through a window that grows when a line exceeds it. For a full parse
//! the window is the whole text, for a reparse only the part that it touches.

use crate::source::Source;
use std::borrow::Cow;

pub(super) struct Input<'a> {
    source: Option<&'a Source>,
    window: Cow<'a, str>,
    base: usize,
    total: usize,
    line: (usize, usize),
    /// The end of the text that was looked at for the open nodes, or, in flow style, for the innermost one; beyond the end of
    /// the text if that end was seen.
    pub(super) furthest: usize,
}

impl<'a> Input<'a> {
    pub(super) fn whole(text: &'a str) -> Input<'a> {
        Input {
            source: None,
            total: text.len(),
            window: Cow::Borrowed(text),
            base: 0,
            line: (usize::MAX, 0),
            furthest: 0,
        }
    }

    pub(super) fn window(source: &'a Source) -> Input<'a> {
        Input {
            source: Some(source),
            total: source.len(),
            window: Cow::Borrowed(""),
            base: 0,
            line: (usize::MAX, 0),
            furthest: 0,
        }
    }

    pub(super) fn total(&self) -> usize {
        self.total
    }

    /// Moves the window so that it contains `offset`.
    fn seek(&mut self, offset: usize) {
        let end = self.base + self.window.len();
        if offset >= self.base && (offset < end || end == self.total) {
            return;
        }
        let Some(source) = self.source else { return };
        if offset == end && !self.window.is_empty() {
            return;
        }
        let (start, text) = source.piece(offset);
        self.base = start;
        self.window = Cow::Borrowed(text);
    }

    /// Enlarges the window; false at the end of the text.
    fn widen(&mut self) -> bool {
        let end = self.base + self.window.len();
        let Some(source) = self.source else { return false };
        if end >= self.total {
            return false;
        }
        // The size doubles, so that a long scalar is copied a bounded number of times.
        let target = end + self.window.len().max(1);
        if self.window.is_empty() {
            self.base = end;
        }
        let mut window = std::mem::take(&mut self.window).into_owned();
        while self.base + window.len() < target.min(self.total) {
            let at = self.base + window.len();
            let (start, text) = source.piece(at);
            window.push_str(text.get(at - start..).unwrap_or(""));
        }
        self.window = Cow::Owned(window);
        true
    }

    /// The end of the line that contains `offset`: its line break or the end of the text. All of the line counts as looked
    /// at, and the line break.
    #[inline]
    pub(super) fn line_end(&mut self, offset: usize) -> usize {
        let end = self.line_limit(offset);
        self.look_to(end + 2);
        end
    }

    /// [`Input::line_end`] for those who say themselves [how far](Input::look_to) they look: a line may have thousands of
    /// entries.
    #[inline]
    pub(super) fn line_limit(&mut self, offset: usize) -> usize {
        if offset >= self.line.0 && offset <= self.line.1 {
            return self.line.1;
        }
        self.find_line_end(offset)
    }

    /// The text up to `end` is looked at.
    #[inline]
    pub(super) fn look_to(&mut self, end: usize) {
        self.furthest = self.furthest.max(end);
    }

    fn find_line_end(&mut self, offset: usize) -> usize {
        if offset >= self.total {
            return self.total;
        }
        self.seek(offset);
        let mut from = offset;
        let end = loop {
            let bytes = &self.window.as_bytes()[(from - self.base).min(self.window.len())..];
            let found = memchr::memchr2(b'\n', b'\r', bytes).map(|at| from + at);
            // A CR at the edge of the window may be half of a CRLF.
            let edge = self.base + self.window.len();
            match found {
                Some(at) if at + 1 < edge || edge == self.total => break at,
                Some(at) if self.byte(at) == b'\n' => break at,
                Some(at) => from = at,
                None => from = edge,
            }
            if !self.widen() {
                break found.unwrap_or(self.total);
            }
        };
        self.line = (offset, end);
        end
    }

    /// Length of the line break at the end of a line; 0 at the end of the text.
    #[inline]
    pub(super) fn break_len(&self, line_end: usize) -> usize {
        match self.byte(line_end) {
            b'\r' if self.byte(line_end + 1) == b'\n' => 2,
            b'\n' | b'\r' => 1,
            _ => 0,
        }
    }

    /// The byte at an offset of a line that [`Input::line_end`] was asked for; 0 beyond.
    #[inline]
    pub(super) fn byte(&self, offset: usize) -> u8 {
        if offset < self.base {
            return 0;
        }
        self.window.as_bytes().get(offset - self.base).copied().unwrap_or(0)
    }

    /// Bytes from an offset to the end of its line, which count as looked at.
    #[inline]
    pub(super) fn rest_of_line(&mut self, offset: usize) -> &[u8] {
        let end = self.line_end(offset);
        self.bytes(offset, end)
    }

    /// [`Input::rest_of_line`] for those who say themselves how far they look.
    #[inline]
    pub(super) fn line_from(&mut self, offset: usize) -> &[u8] {
        let end = self.line_limit(offset);
        self.bytes(offset, end)
    }

    /// Bytes that were read before; empty if they are not in the window.
    pub(super) fn bytes(&self, start: usize, end: usize) -> &[u8] {
        let window = self.window.as_bytes();
        let from = start.saturating_sub(self.base).min(window.len());
        let to = end.saturating_sub(self.base).clamp(from, window.len());
        &window[from..to]
    }

    /// Puts bytes into the window that a jump may have skipped, from `start` on.
    pub(super) fn line_start(&mut self, offset: usize) -> usize {
        if offset == 0 {
            return 0;
        }
        self.seek(offset.min(self.total.saturating_sub(1)));
        let bytes = self.bytes(self.base, offset);
        memchr::memrchr2(b'\n', b'\r', bytes).map_or(self.base, |at| self.base + at + 1)
    }
}
