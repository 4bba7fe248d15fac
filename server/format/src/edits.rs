//! Edits of a text, and how they are collected.

use lofting_syntax::{Kind, Tree};
use std::ops::Range;

/// A replacement of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The replaced bytes of the text before all edits.
    pub range: Range<usize>,
    /// The new text.
    pub text: String,
}

/// The text after edits that are sorted and do not overlap.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        out.push_str(text.get(at..edit.range.start).unwrap_or_default());
        out.push_str(&edit.text);
        at = edit.range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// The lines that a range touches, with their line breaks. A range that ends at the start of a line does not touch it.
/// Indented comments directly below a block scalar belong to its lines: they would become text of it if it moved left
/// above them.
pub(crate) fn whole_lines(tree: &Tree, text: &str, range: Range<usize>) -> Range<usize> {
    let floor = |at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let (start, end) = (floor(range.start), floor(range.end).max(floor(range.start)));
    let line_start = text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let is_whole = end > start && text.get(..end).is_some_and(|before| before.ends_with('\n'));
    let next_line = |at: usize| text.get(at..).and_then(|rest| rest.find('\n')).map_or(text.len(), |len| at + len + 1);
    let end = if is_whole { end } else { next_line(end) };
    let content = text.get(..end).map(|before| before.trim_end().len()).and_then(|end| end.checked_sub(1));
    let last = content.and_then(|at| tree.token_at(at)).map(|token| token.kind());
    if !matches!(last, Some(Kind::BlockHeader | Kind::BlockBody)) {
        return line_start..end;
    }
    let (mut last, mut line) = (end, end);
    while line < text.len() {
        let next = next_line(line);
        let content = text.get(line..next).unwrap_or_default();
        let words = content.trim_start();
        if words.starts_with('#') && words.len() < content.len() {
            last = next;
        } else if !words.is_empty() {
            break;
        }
        line = next;
    }
    line_start..last
}

/// Whether two line breaks, `\r` and `\n`, would become one because nothing is left between them.
fn joins_breaks(text: &str, edit: &Edit) -> bool {
    let byte = |at: Option<usize>| at.and_then(|at| text.as_bytes().get(at));
    let (before, after) = (byte(edit.range.start.checked_sub(1)), byte(Some(edit.range.end)));
    edit.text.is_empty() && before == Some(&b'\r') && after == Some(&b'\n')
}

/// Collects edits of the lines that may be changed.
pub(crate) struct Edits<'t> {
    text: &'t str,
    /// The lines that may be changed.
    lines: Range<usize>,
    edits: Vec<Edit>,
}

impl<'t> Edits<'t> {
    pub(crate) fn new(text: &'t str, lines: Range<usize>) -> Edits<'t> {
        Edits { text, lines, edits: Vec::new() }
    }

    /// Whether the line of an offset may be changed.
    pub(crate) fn may_change(&self, offset: usize) -> bool {
        self.lines.start <= offset && (offset < self.lines.end || self.lines.end == self.text.len())
    }

    /// Whether all lines of a range may be changed.
    pub(crate) fn holds(&self, range: &Range<usize>) -> bool {
        self.lines.start <= range.start && range.end <= self.lines.end
    }

    /// Replaces a part of one line with `new`, unless it is the same.
    pub(crate) fn replace(&mut self, range: Range<usize>, new: &str) {
        let old = self.text.get(range.clone());
        if old.is_some_and(|old| old != new) && self.may_change(range.start) {
            self.edits.push(Edit { range, text: new.to_owned() });
        }
    }

    /// Replaces white space with a number of spaces.
    pub(crate) fn spaces(&mut self, range: Range<usize>, count: usize) {
        let old = self.text.get(range.clone()).unwrap_or_default();
        if old.len() != count || old.bytes().any(|byte| byte != b' ') {
            self.replace(range, &" ".repeat(count));
        }
    }

    /// All edits by position; adjacent ones are joined.
    pub(crate) fn finish(mut self) -> Vec<Edit> {
        self.edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let mut joined: Vec<Edit> = Vec::with_capacity(self.edits.len());
        for edit in self.edits {
            match joined.last_mut() {
                Some(last) if last.range.end == edit.range.start => {
                    last.range.end = edit.range.end;
                    last.text.push_str(&edit.text);
                }
                _ => joined.push(edit),
            }
        }
        joined.retain(|edit| !joins_breaks(self.text, edit));
        joined
    }
}
