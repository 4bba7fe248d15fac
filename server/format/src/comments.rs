//! The columns of comments on their own lines.

use crate::code::Role;
use crate::layout::{Column, Layout};
use std::ops::Range;

/// A comment on its own line, until what follows it is known.
pub(crate) struct Own {
    /// The whole comment.
    pub(crate) range: Range<usize>,
    /// Where its line begins.
    pub(crate) line_start: usize,
    /// Its index among the comments of [`crate::code::Code`].
    pub(crate) line: usize,
}

impl Own {
    fn column(&self) -> usize {
        self.range.start - self.line_start
    }
}

/// What surrounds a run of comments.
pub(crate) struct Around {
    /// The column of what begins below them; the first column if nothing does.
    pub(crate) next: Column,
    /// That is YAML of a function which is deeper than the function's head.
    pub(crate) below_margin: bool,
    /// Collections that end above them, from the inside out.
    pub(crate) closed: Vec<Column>,
    /// The innermost collection of the line above.
    pub(crate) innermost: Option<Column>,
    /// The comment after the value above.
    pub(crate) trailing: Option<Column>,
    /// The last column that is not part of the block scalar above.
    pub(crate) ceiling: Option<usize>,
}

impl Around {
    /// The column of an ordinary comment: with what begins in its column, or else with the comment above it, or else,
    /// if the line above has nothing below it, as if it were that line's value.
    fn column(&self, old: usize, above: &[Column], step: usize) -> usize {
        if self.below_margin && old == 0 {
            return 0;
        }
        let level = |column: &&Column| column.old == old;
        if let Some(level) = std::iter::once(&self.next).chain(&self.closed).find(level) {
            return level.new;
        }
        if let Some(above) = above.iter().rev().find(|above| above.old <= old) {
            return above.new + (old - above.old);
        }
        if let Some(trailing) = self.trailing.filter(|trailing| trailing.old == old) {
            return trailing.new;
        }
        if let Some(innermost) = self.innermost.filter(|level| level.old < old && self.next.old <= level.old) {
            return innermost.new + step;
        }
        let outer = self.closed.iter().find(|level| level.old < old && level.old > self.next.old);
        outer.unwrap_or(&self.next).new
    }
}

impl Layout<'_> {
    /// Places the waiting comments.
    pub(crate) fn place_comments(&mut self, around: &Around) {
        let own = std::mem::take(&mut self.waiting);
        let mut above: Vec<Column> = Vec::with_capacity(own.len());
        for comment in &own {
            let old = comment.column();
            let new = if self.edits.may_change(comment.line_start) {
                self.comment_column(comment, around, &above)
            } else {
                old
            };
            above.push(Column { old, new });
            self.note_comment(comment.line, new);
            self.edits.spaces(comment.line_start..comment.range.start, new);
        }
        self.space_comments(&own);
    }

    fn comment_column(&self, comment: &Own, around: &Around, above: &[Column]) -> usize {
        let role = self.code.lines().get(comment.line).map_or(Role::Remark, |line| line.role);
        let new = match role {
            Role::Head if around.below_margin && self.code.depth_above(comment.range.start) == 0 => 0,
            Role::Annotation | Role::Head => around.next.new,
            Role::InCode { head } | Role::Branch { head } => self.comment_columns(head),
            Role::Further { first } => self.comment_columns(first),
            Role::Remark | Role::Statement => around.column(comment.column(), above, self.style.step),
        };
        around.ceiling.map_or(new, |ceiling| new.min(ceiling))
    }

    /// Formats the inside a comment: white space after its marks, and at its end.
    pub(crate) fn comment_text(&mut self, range: &Range<usize>, line: Option<usize>) {
        let text = self.text.get(range.clone()).unwrap_or_default();
        let line = line.and_then(|line| self.code.lines().get(line)).copied();
        if let Some((written, Some(wanted))) = line.map(|line| line.inner) {
            let code = range.start + "#@".len();
            self.edits.spaces(code..code + written, wanted);
        }
        let end = text.trim_end_matches([' ', '\t']).len();
        if end < text.len() && self.options.trims() && !line.is_some_and(|line| line.keeps_end) {
            self.edits.replace(range.start + end..range.end, "");
        }
    }

    /// Puts a space after `#`. Code that was commented out moves as a whole: `#  below: 1` goes with `#key:`.
    fn space_comments(&mut self, own: &[Own]) {
        let mut moved: Option<usize> = None;
        for comment in own {
            let text = self.text.get(comment.range.clone()).unwrap_or_default();
            let goes_on = moved.is_some_and(|end| comment.line_start <= end + "\r\n".len());
            let moves = lacks_space(text) && !self.is_for_programs(comment, text)
                || goes_on && (text.starts_with("#  ") || text.starts_with("#\t"));
            moved = (moves || goes_on && text == "#").then_some(comment.range.end);
            if moves {
                let at = comment.range.start + 1;
                self.edits.replace(at..at, " ");
            }
        }
    }

    /// Programs look for words directly after `#` at the top of a file: `#cloud-config`.
    fn is_for_programs(&self, comment: &Own, text: &str) -> bool {
        let above = self.text.get(..comment.line_start).unwrap_or_default();
        let is_first = above.trim_start_matches('\u{feff}').is_empty();
        is_first || comment.range.end <= self.head_end && !text.contains(' ')
    }
}

/// Whether a word or an item follows `#`. `#!` and `#@` are marks of ytt, other signs are lines and frames.
fn lacks_space(text: &str) -> bool {
    let mut chars = text.chars().skip(1);
    match chars.next() {
        Some('-') => chars.next() == Some(' '),
        Some(first) => first.is_alphanumeric(),
        None => false,
    }
}

/// A comment after something else on its line.
pub(crate) fn lacks_space_after(text: &str) -> bool {
    text.chars().nth(1).is_some_and(char::is_alphanumeric)
}
