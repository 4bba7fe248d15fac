//! The blocks of code in a file: `#@ if …` to `#@ end`, and runs of `#@ load(…)`.

use lofting_document::{FileId, Span, Statement, StatementReader};
use lofting_eval::code::PieceKind;
use lofting_workspace::Snapshot;
use std::ops::Range;

/// The maximum number of blocks of a file.
const MAX_BLOCKS: usize = 20_000;

/// The blocks of a file, and branches of blocks: from the offset (bytes) of the statement that opens each to that of the
/// one that ends it.
pub(crate) fn blocks(snapshot: &Snapshot, file: FileId) -> Vec<Range<usize>> {
    let (code, text) = (snapshot.code(file), snapshot.text(file));
    let mut reader = StatementReader::default();
    let mut open: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    for (piece, _) in code.pieces.iter().filter(|(_, kind)| *kind == PieceKind::Code) {
        let mut start = piece.start;
        // In YAML each line is a piece; a file of code is one piece.
        for line in text.slice(piece.clone()).split_inclusive('\n') {
            let span = Span::new(file, start..start + line.len());
            start += line.len();
            for (statement, place) in reader.line(line.trim_end(), span) {
                let at = place.range().start;
                match statement {
                    Statement::Open(_) | Statement::HalfOpen(_) => open.push(at),
                    Statement::Branch => {
                        found.extend(open.pop().map(|from| from..at));
                        open.push(at);
                    }
                    Statement::End | Statement::LastBranch => found.extend(open.pop().map(|from| from..at)),
                    Statement::NodeBound(_) | Statement::BoundBranch | Statement::Other => {}
                }
            }
            if found.len() >= MAX_BLOCKS {
                return found;
            }
        }
    }
    found
}

/// The words that begin the blocks of code which are open at an offset (bytes), the outermost first.
pub(crate) fn open_at(snapshot: &Snapshot, file: FileId, offset: usize) -> Vec<String> {
    let (code, text) = (snapshot.code(file), snapshot.text(file));
    let mut reader = StatementReader::default();
    let mut open: Vec<String> = Vec::new();
    for (piece, _) in code.pieces.iter().filter(|(_, kind)| *kind == PieceKind::Code) {
        let mut start = piece.start;
        for line in text.slice(piece.clone()).split_inclusive('\n') {
            lofting_memo::step();
            let span = Span::new(file, start..start + line.len());
            start += line.len();
            // The line of the cursor is being typed.
            if offset <= span.range().end {
                return open;
            }
            for (statement, place) in reader.line(line.trim_end(), span) {
                match statement {
                    Statement::Open(_) | Statement::HalfOpen(_) => {
                        let begin = text.slice(place.range());
                        let word = begin.trim_start().split(|c: char| !c.is_alphabetic()).next();
                        open.push(word.unwrap_or_default().to_owned());
                    }
                    Statement::End | Statement::LastBranch | Statement::BoundBranch => drop(open.pop()),
                    Statement::Branch | Statement::NodeBound(_) | Statement::Other => {}
                }
            }
        }
    }
    open
}

/// Where each `load` of a file is, in order.
pub(crate) fn loads(snapshot: &Snapshot, file: FileId) -> Vec<Range<usize>> {
    snapshot.code(file).loads.iter().map(|load| load.range.clone()).collect()
}
