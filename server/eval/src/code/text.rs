//! The code in text templates, `(@= expression @)` and `(@ statement @)`, and in Starlark files.

use super::{Code, Piece, PieceKind, read_code};

/// Whether a text where `(@ @)` means code has any, or half of it, which is a mistake.
pub fn is_text_template(text: &str) -> bool {
    text.contains("(@") || text.contains("@)")
}

/// The pieces of code in a text with `(@ @)`, which starts at byte `start` of its file (docs/ytt.md 7.4). A piece
/// without its closing mark ends with its line.
pub fn text_pieces(text: &str, start: usize) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(open) = text.get(at..).and_then(|rest| rest.find("(@")).map(|open| at + open + 2) {
        let rest = text.get(open..).unwrap_or("");
        let next = rest.find("(@").unwrap_or(rest.len());
        let close = rest.find("@)").filter(|close| *close <= next);
        let line = rest.find(['\n', '\r']).unwrap_or(rest.len()).min(next);
        let body = rest.get(..close.unwrap_or(line)).unwrap_or("");
        at = open + body.len() + if close.is_some() { 2 } else { 0 };
        let mut inner = body.strip_prefix('-').unwrap_or(body);
        let mut skipped = open + body.len() - inner.len();
        if close.is_some() {
            inner = inner.strip_suffix('-').unwrap_or(inner);
        }
        if inner.starts_with(['!', '#']) {
            continue;
        }
        let (inner, kind) = match inner.strip_prefix('=') {
            Some(value) => {
                // A hyphen after the sign means nothing.
                let own = value.strip_prefix('-').unwrap_or(value);
                skipped += 1 + value.len() - own.len();
                (own, PieceKind::Value)
            }
            None => (inner, PieceKind::Code),
        };
        pieces.push(Piece { text: inner, start: start + skipped, kind, follows: false, node_end: start + text.len() });
    }
    pieces
}

/// Reads a text template as a whole (`*.txt`).
pub fn read_text_template(text: &str) -> Code {
    read_code(&text_pieces(text, 0), text.len())
}

/// Reads a Starlark file (`*.star`).
pub fn read_starlark(text: &str) -> Code {
    let mut start = 0;
    let mut pieces = Vec::new();
    for line in text.split_inclusive(['\n', '\r']) {
        let content = line.trim_end_matches(['\n', '\r']);
        pieces.push(Piece { text: content, start, kind: PieceKind::Code, follows: true, node_end: start + line.len() });
        start += line.len();
    }
    // A line that is about to be written.
    if text.is_empty() || text.ends_with(['\n', '\r']) {
        pieces.push(Piece { text: "", start, kind: PieceKind::Code, follows: true, node_end: start });
    }
    read_code(&pieces, text.len())
}
