//! An entry on one line without anything special: three words in its collection instead of a node of its own. Most
//! lines of most files are such entries, so this decides how much memory a large file takes.

#[cfg(test)]
mod tests;

use super::{LENGTH_BITS, flag};
use crate::kind::Kind;

/// Marks a one-line entry; its other two words follow.
pub(super) const LINE: u32 = 62 << LENGTH_BITS;

/// The first word, from the lowest bits: column, length of the blanks before the value, length of the line break, kinds
/// of key and value, `-`, whether the entry is exact.
const COLUMN_BITS: u32 = 12;
const BLANKS_AT: u32 = COLUMN_BITS;
const BLANKS_BITS: u32 = 4;
const BREAK_AT: u32 = BLANKS_AT + BLANKS_BITS;
const BREAK_BITS: u32 = 2;
const KEY_AT: u32 = BREAK_AT + BREAK_BITS;
const VALUE_AT: u32 = KEY_AT + 2;
const DASH_AT: u32 = VALUE_AT + 2;
const EXACT_AT: u32 = DASH_AT + 1;

/// `key: value` or `- value`, or an entry of a flow collection, on one line and with scalars only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OneLine {
    /// The fields above; the lengths of key and value, the value's in the lower half; how many bytes after the entry
    /// were looked at.
    words: [u32; 3],
}

/// The parts of a one-line entry, all lengths in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineParts {
    /// Kind and length of the key; None for an item.
    pub(crate) key: Option<(Kind, usize)>,
    /// An item of a block sequence.
    pub(crate) dash: bool,
    /// Blanks before the value.
    pub(crate) blanks: usize,
    /// Kind and length.
    pub(crate) value: Option<(Kind, usize)>,
    pub(crate) line_break: usize,
}

impl LineParts {
    /// The tokens in order, without empty ones.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = (Kind, usize)> {
        let colon = self.key.map(|_| (Kind::Colon, 1));
        let dash = self.dash.then_some((Kind::Dash, 1));
        let blanks = Some((Kind::Whitespace, self.blanks));
        let line_break = Some((Kind::Newline, self.line_break));
        [self.key, colon, dash, blanks, self.value, line_break].into_iter().flatten().filter(|(_, len)| *len > 0)
    }
}

impl OneLine {
    /// The entry in three words; `None` if something in it is too large for that.
    #[inline]
    pub(crate) fn new(parts: &LineParts, exact: bool, column: usize, lookahead: u32) -> Option<OneLine> {
        let (key_kind, key) = parts.key.map_or(Some((0, 0)), |(kind, len)| Some((scalar_number(kind)?, len)))?;
        let (value_kind, value) = parts.value?;
        let fits = column < 1 << COLUMN_BITS
            && parts.blanks < 1 << BLANKS_BITS
            && parts.line_break < 1 << BREAK_BITS
            && key <= usize::from(u16::MAX)
            && value <= usize::from(u16::MAX);
        let first = LINE
            | column as u32
            | (parts.blanks as u32) << BLANKS_AT
            | (parts.line_break as u32) << BREAK_AT
            | key_kind << KEY_AT
            | scalar_number(value_kind)? << VALUE_AT
            | u32::from(parts.dash) << DASH_AT
            | u32::from(exact) << EXACT_AT;
        fits.then_some(OneLine { words: [first, (key as u32) << 16 | value as u32, lookahead] })
    }

    /// The words as they are stored in a collection.
    pub(crate) fn words(&self) -> &[u32; 3] {
        &self.words
    }

    /// Reads the words after the first one.
    #[inline]
    pub(super) fn read(first: u32, rest: &mut std::slice::Iter<'_, u32>) -> OneLine {
        let mut next = || rest.next().copied().unwrap_or(0);
        OneLine { words: [first, next(), next()] }
    }

    #[inline]
    fn field(self, at: u32, bits: u32) -> u32 {
        (self.words[0] >> at) & ((1 << bits) - 1)
    }

    #[inline]
    fn has_key(self) -> bool {
        self.field(KEY_AT, 2) != 0
    }

    #[inline]
    fn key_len(self) -> u32 {
        self.words[1] >> 16
    }

    #[inline]
    fn value_len(self) -> u32 {
        self.words[1] & 0xffff
    }

    #[inline]
    pub(crate) fn kind(self) -> Kind {
        if self.has_key() { Kind::MapEntry } else { Kind::SeqEntry }
    }

    #[inline]
    pub(crate) fn flags(self) -> u8 {
        if self.field(EXACT_AT, 1) == 1 { flag::EXACT } else { 0 }
    }

    #[inline]
    pub(crate) fn column(self) -> u32 {
        self.field(0, COLUMN_BITS)
    }

    #[inline]
    pub(crate) fn lookahead(self) -> u32 {
        self.words[2]
    }

    #[inline]
    pub(crate) fn len(self) -> u32 {
        let marks = u32::from(self.has_key()) + self.field(DASH_AT, 1);
        let around = self.field(BLANKS_AT, BLANKS_BITS) + self.field(BREAK_AT, BREAK_BITS);
        self.key_len() + marks + around + self.value_len()
    }

    /// Kind, place in the line and length of the key.
    #[inline]
    pub(crate) fn key(self) -> Option<(Kind, u32, u32)> {
        self.has_key().then(|| (scalar_kind(self.field(KEY_AT, 2)), 0, self.key_len()))
    }

    /// Kind, place in the line and length of the dash.
    #[inline]
    pub(crate) fn dash(self) -> Option<(Kind, u32, u32)> {
        (self.field(DASH_AT, 1) == 1).then_some((Kind::Dash, 0, 1))
    }

    /// Kind, place in the line and length of the value.
    #[inline]
    pub(crate) fn value(self) -> (Kind, u32, u32) {
        let at = self.len() - self.field(BREAK_AT, BREAK_BITS) - self.value_len();
        (scalar_kind(self.field(VALUE_AT, 2)), at, self.value_len())
    }

    /// The token at a step, counted from 0: of length 0 if the line has no such token, `None` after the last.
    #[inline]
    pub(super) fn step(self, step: u8) -> Option<(Kind, u32)> {
        Some(match step {
            0 => (scalar_kind(self.field(KEY_AT, 2)), self.key_len()),
            1 => (Kind::Colon, u32::from(self.has_key())),
            2 => (Kind::Dash, self.field(DASH_AT, 1)),
            3 => (Kind::Whitespace, self.field(BLANKS_AT, BLANKS_BITS)),
            4 => (scalar_kind(self.field(VALUE_AT, 2)), self.value_len()),
            5 => (Kind::Newline, self.field(BREAK_AT, BREAK_BITS)),
            _ => return None,
        })
    }
}

fn scalar_number(kind: Kind) -> Option<u32> {
    match kind {
        Kind::Plain => Some(1),
        Kind::SingleQuoted => Some(2),
        Kind::DoubleQuoted => Some(3),
        _ => None,
    }
}

fn scalar_kind(number: u32) -> Kind {
    match number {
        2 => Kind::SingleQuoted,
        3 => Kind::DoubleQuoted,
        _ => Kind::Plain,
    }
}
