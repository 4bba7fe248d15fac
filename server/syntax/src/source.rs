//! The text of a tree, in shared pieces of whole lines, so that an edit copies one piece instead of the file.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// The size to which pieces are cut; a longer line stays in one piece.
const PIECE: usize = 8 * 1024;

#[derive(Clone, Debug)]
struct SourcePiece {
    start: usize,
    text: Arc<str>,
    /// The first character in `text` that YAML does not allow.
    forbidden: Option<usize>,
    /// `text` contains a tab.
    tabs: bool,
    /// `text` contains a line break of YAML 1.1 that is not one in YAML 1.2.
    separators: bool,
}

/// NEL, LS and PS.
pub(crate) const SEPARATORS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// Text as a list of pieces that end with a line break where possible.
#[derive(Clone, Debug, Default)]
pub(crate) struct Source {
    pieces: Vec<SourcePiece>,
    len: usize,
    /// The piece that holds each multiple of [`PIECE`].
    places: Vec<u32>,
}

impl Source {
    pub(crate) fn new(text: &str) -> Source {
        let mut source = Source::default();
        source.push(text);
        source.note_places();
        source
    }

    fn note_places(&mut self) {
        self.places = Vec::with_capacity(self.len / PIECE + 1);
        for (index, piece) in self.pieces.iter().enumerate() {
            let end = piece.start + piece.text.len();
            while self.places.len() * PIECE < end {
                self.places.push(index as u32);
            }
        }
    }

    fn push(&mut self, mut text: &str) {
        while !text.is_empty() {
            let (piece, rest) = text.split_at(piece_end(text));
            self.push_piece(piece.into());
            text = rest;
        }
    }

    fn push_piece(&mut self, text: Arc<str>) {
        let start = self.len;
        self.len += text.len();
        let forbidden = forbidden(&text);
        let tabs = memchr::memchr(b'\t', text.as_bytes()).is_some();
        let separators = SEPARATORS.iter().any(|separator| text.contains(*separator));
        self.pieces.push(SourcePiece { start, text, forbidden, tabs, separators });
    }

    /// The first character that YAML does not allow anywhere, not even in quotes.
    pub(crate) fn forbidden(&self) -> Option<Range<usize>> {
        self.pieces.iter().find_map(|piece| {
            let at = piece.forbidden?;
            let letter = piece.text.get(at..)?.chars().next()?;
            Some(piece.start + at..piece.start + at + letter.len_utf8())
        })
    }

    /// The line breaks of YAML 1.1 that YAML 1.2 reads as text, in order.
    pub(crate) fn separators(&self) -> impl Iterator<Item = Range<usize>> {
        self.pieces.iter().filter(|piece| piece.separators).flat_map(|piece| {
            let found = piece.text.match_indices(SEPARATORS);
            found.map(|(at, separator)| piece.start + at..piece.start + at + separator.len())
        })
    }

    /// The lines that begin with white space and indicators among which there is a tab: from the first tab to the end of
    /// the white space.
    pub(crate) fn leading_tabs(&self) -> impl Iterator<Item = Range<usize>> {
        self.pieces.iter().filter(|piece| piece.tabs).flat_map(|piece| {
            let mut line_start = piece.start;
            piece.text.split_inclusive(['\n', '\r']).filter_map(move |line| {
                let start = line_start;
                line_start += line.len();
                let lead = line.len() - line.trim_start_matches([' ', '\t', '-', '?', ':']).len();
                let tab = line.get(..lead)?.find('\t')?;
                let blank = line.get(tab..)?.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
                Some(start + tab..start + tab + blank)
            })
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The index of the piece that contains `offset`; beyond the end, the last one. Pieces are rarely much shorter than
    /// [`PIECE`], so it is one of the next few after the noted one.
    fn index(&self, offset: usize) -> usize {
        let noted = self.places.get(offset / PIECE).or(self.places.last());
        let mut index = noted.map_or(0, |index| *index as usize);
        while self.pieces.get(index + 1).is_some_and(|piece| piece.start <= offset) {
            index += 1;
        }
        index
    }

    /// The piece that contains `offset`, and where it begins.
    pub(crate) fn piece(&self, offset: usize) -> (usize, &str) {
        self.pieces.get(self.index(offset)).map_or((0, ""), |piece| (piece.start, &*piece.text))
    }

    /// Where the line of an offset begins. Pieces end with a line break, so it is in the same piece.
    pub(crate) fn line_start(&self, offset: usize) -> usize {
        let offset = offset.min(self.len);
        let (start, text) = self.piece(offset);
        let before = text.as_bytes().get(..offset - start).unwrap_or_default();
        start + memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1)
    }

    /// Moves an offset down to a character boundary and into the text.
    pub(crate) fn floor(&self, offset: usize) -> usize {
        let offset = offset.min(self.len);
        let (start, text) = self.piece(offset);
        let mut inside = (offset - start).min(text.len());
        while !text.is_char_boundary(inside) {
            inside -= 1;
        }
        start + inside
    }

    /// The text of a range, borrowed if it lies in one piece. Offsets are moved down to character boundaries.
    pub(crate) fn slice(&self, range: Range<usize>) -> Cow<'_, str> {
        let first = self.index(range.start.min(self.len));
        let Some(piece) = self.pieces.get(first) else {
            return Cow::Borrowed("");
        };
        // Nearly every range is that of a token: whole characters within one piece.
        let (from, to) = (range.start.wrapping_sub(piece.start), range.end.wrapping_sub(piece.start));
        if let Some(text) = piece.text.get(from..to) {
            return Cow::Borrowed(text);
        }
        let end = self.floor(range.end);
        let start = self.floor(range.start).min(end);
        let first = self.index(start);
        let Some(piece) = self.pieces.get(first) else {
            return Cow::Borrowed("");
        };
        if end <= piece.start + piece.text.len() {
            let text = piece.text.get(start - piece.start..end - piece.start);
            return Cow::Borrowed(text.unwrap_or(""));
        }
        let mut text = String::with_capacity(end - start);
        for piece in &self.pieces[first..] {
            if piece.start >= end {
                break;
            }
            let from = start.saturating_sub(piece.start);
            let to = (end - piece.start).min(piece.text.len());
            text.push_str(piece.text.get(from..to).unwrap_or(""));
        }
        Cow::Owned(text)
    }

    /// The text with `range` replaced; shares all pieces the edit does not touch.
    pub(crate) fn edit(&self, range: Range<usize>, new_text: &str) -> Source {
        let end = self.floor(range.end);
        let start = self.floor(range.start).min(end);
        let mut source = Source { pieces: Vec::with_capacity(self.pieces.len() + 2), ..Source::default() };
        if self.pieces.is_empty() {
            return Source::new(new_text);
        }
        let first = self.index(start);
        let last = self.index(end.max(start));
        source.pieces.extend_from_slice(&self.pieces[..first]);
        source.len = self.pieces[first].start;
        let mut middle = String::new();
        let head = &self.pieces[first];
        middle.push_str(head.text.get(..start - head.start).unwrap_or(""));
        middle.push_str(new_text);
        let tail = &self.pieces[last];
        middle.push_str(tail.text.get(end - tail.start..).unwrap_or(""));
        let mut rest = &self.pieces[last + 1..];
        // A piece must end with a line break (the parser's window grows by pieces), and tiny pieces would pile up while
        // the user deletes.
        while let Some(next) = rest.first() {
            let open = !middle.ends_with('\n');
            if !open && middle.len() >= PIECE / 8 {
                break;
            }
            middle.push_str(&next.text);
            rest = &rest[1..];
        }
        if middle.len() > 2 * PIECE {
            source.push(&middle);
        } else if !middle.is_empty() {
            source.push_piece(middle.into());
        }
        for piece in rest {
            let start = source.len;
            source.len += piece.text.len();
            source.pieces.push(SourcePiece { start, ..piece.clone() });
        }
        source.note_places();
        source
    }
}

/// Finds control characters other than tabs and line breaks, and Unicode noncharacters. Each piece is searched once:
/// nearly all text has none, and an edit makes one new piece.
fn forbidden(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let suspicious =
        |byte: u8| (byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r')) || matches!(byte, 0x7f | 0xc2 | 0xef);
    if !bytes.iter().any(|byte| suspicious(*byte)) {
        return None;
    }
    let wrong = |letter: char| match letter {
        '\t' | '\n' | '\r' | '\u{85}' => false,
        '\u{fffe}' | '\u{ffff}' => true,
        letter => letter.is_control(),
    };
    text.char_indices().find(|(_, letter)| wrong(*letter)).map(|(at, _)| at)
}

/// Where to cut the first piece of a text: after a line break near [`PIECE`].
fn piece_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    if bytes.len() <= PIECE {
        return bytes.len();
    }
    if let Some(at) = memchr::memrchr(b'\n', &bytes[..PIECE]) {
        return at + 1;
    }
    memchr::memchr(b'\n', &bytes[PIECE..]).map_or(bytes.len(), |at| PIECE + at + 1)
}
