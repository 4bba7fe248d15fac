//! What may happen to a workspace, as data that shrinks well.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::texts::{CHUNKS, FILES};

/// One thing that happens. Numbers are taken modulo what there is, so that any value means something.
#[derive(Clone, Debug)]
pub enum Edit {
    /// The editor opens a file with the text it has on disk.
    Open(usize),
    /// The editor closes a file; what was not saved is lost.
    Close(usize),
    /// At the beginning of a line, a number of bytes is replaced by a piece of text.
    AtLine(usize, usize, usize, Piece),
    /// At any place.
    Anywhere(usize, usize, usize, Piece),
    /// So many lines are moved elsewhere: cut and paste.
    MoveLines(usize, usize, usize, usize),
    /// The newest change is taken back.
    Undo(usize),
    /// And made again.
    Redo(usize),
    /// The editor sends the whole text: with other line breaks.
    LineBreaks(usize, bool),
    /// The editor writes the file.
    Save(usize),
    /// Another program writes the file: its beginning text and a piece.
    Write(usize, Piece),
    /// Another program deletes the file.
    Delete(usize),
    /// Another program renames a file over another.
    Rename(usize, usize),
    /// Findings are requested, and the answer is not awaited.
    Abandoned,
    /// Findings that need no code are asked for.
    WithoutCode,
    /// Everything is asked for.
    Ask,
}

/// Text to insert.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Nothing: a deletion.
    Nothing,
    /// One of [`CHUNKS`].
    Chunk(usize),
    /// The text another file begins with.
    File(usize),
    /// A list so long that checks remember parts of it.
    LongList,
}

impl Piece {
    /// The text.
    pub fn text(&self) -> String {
        match self {
            Piece::Nothing => String::new(),
            Piece::Chunk(index) => CHUNKS[index % CHUNKS.len()].to_owned(),
            Piece::File(index) => FILES[index % FILES.len()].1.to_owned(),
            Piece::LongList => crate::texts::long_list(),
        }
    }
}

fn piece() -> impl Strategy<Value = Piece> {
    prop_oneof![
        3 => Just(Piece::Nothing),
        20 => (0..CHUNKS.len()).prop_map(Piece::Chunk),
        1 => (0..FILES.len()).prop_map(Piece::File),
        1 => Just(Piece::LongList),
    ]
}

fn edit() -> impl Strategy<Value = Edit> {
    let file = 0..FILES.len();
    prop_oneof![
        6 => file.clone().prop_map(Edit::Open),
        2 => file.clone().prop_map(Edit::Close),
        16 => (file.clone(), 0..40usize, prop_oneof![3 => Just(0usize), 1 => 0..30usize], piece())
            .prop_map(|(file, line, length, piece)| Edit::AtLine(file, line, length, piece)),
        10 => (file.clone(), 0..2000usize, prop_oneof![2 => Just(0usize), 1 => 0..60usize], piece())
            .prop_map(|(file, at, length, piece)| Edit::Anywhere(file, at, length, piece)),
        2 => (file.clone(), 0..40usize, 1..4usize, 0..40usize).prop_map(|(f, a, b, c)| Edit::MoveLines(f, a, b, c)),
        4 => file.clone().prop_map(Edit::Undo),
        2 => file.clone().prop_map(Edit::Redo),
        1 => (file.clone(), any::<bool>()).prop_map(|(file, crlf)| Edit::LineBreaks(file, crlf)),
        3 => file.clone().prop_map(Edit::Save),
        2 => (file.clone(), piece()).prop_map(|(file, piece)| Edit::Write(file, piece)),
        1 => file.clone().prop_map(Edit::Delete),
        1 => (file.clone(), file).prop_map(|(from, to)| Edit::Rename(from, to)),
        2 => Just(Edit::Abandoned),
        2 => Just(Edit::WithoutCode),
        8 => Just(Edit::Ask),
    ]
}

/// A sitting.
pub fn edits() -> impl Strategy<Value = Vec<Edit>> {
    vec(edit(), 1..40)
}
