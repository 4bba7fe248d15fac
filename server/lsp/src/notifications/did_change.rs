//! `textDocument/didChange`

use std::ops::Range;

use lofting_ide::LastEdit;
use lofting_text::Text;
use tower_lsp_server::gen_lsp_types as lsp;

use super::Notification;
use crate::session::Session;
use crate::typing::Typed;
use crate::{from_proto, uri};

/// The text of an open document was edited. Each change counts its positions in the text the one before it left.
pub(crate) struct DidChange;

impl Notification for DidChange {
    type Protocol = lsp::DidChangeTextDocumentNotification;

    fn apply(session: &mut Session, params: lsp::DidChangeTextDocumentParams) {
        let document = params.text_document;
        let path = uri::to_path(&document.text_document_identifier.uri);
        let Some(open) = session.documents.get_mut(&path) else {
            tracing::warn!("a document was changed that is not open");
            return;
        };
        if document.version <= open.version {
            // The protocol says versions only grow; the text is still what the client says it is.
            tracing::warn!(old = open.version, new = document.version, "a document version did not grow");
        }
        open.version = document.version;
        let file = open.file;
        open.typed = None;
        session.before_change();
        let alone = params.content_changes.len() == 1;
        let mut last = None;
        for change in params.content_changes {
            let text = session.workspace.snapshot().text(file);
            let (range, new_text) = match &change {
                lsp::TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    (from_proto::range(&text, part.range, session.profile.encoding), part.text.as_str())
                }
                lsp::TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => {
                    difference(&text, &whole.text)
                }
            };
            let typed = typed(&change).map(|length| Typed::now(range.start + length));
            last = alone.then(|| LastEdit::new(&range, new_text));
            session.workspace.edit(file, document.version, range, new_text);
            if let Some(open) = session.documents.get_mut(&path) {
                open.typed = typed;
            }
        }
        session.typed(&path, last);
        session.text_changed(&path);
    }
}

/// How many bytes the letter or sign has that a change inserts, if it does what a key does. Editors may ask for
/// completions behind it by themselves; they never do behind white space, and a second quote or bracket they add is not
/// yet typed.
fn typed(change: &lsp::TextDocumentContentChangeEvent) -> Option<usize> {
    let lsp::TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) = change else { return None };
    let mut characters = part.text.chars();
    let first = characters.next().filter(|first| !first.is_whitespace())?;
    let only = match characters.next() {
        None => true,
        Some(second) => matches!((first, second), ('"', '"') | ('\'', '\'') | ('[', ']') | ('{', '}') | ('(', ')')),
    };
    (only && characters.next().is_none()).then(|| first.len_utf8())
}

/// The smallest single edit that turns `old` into `new`: a formatter that sends the whole document mostly changed a few
/// lines, and what it did not change need not be parsed again.
fn difference<'a>(old: &Text, new: &'a str) -> (Range<usize>, &'a str) {
    let old = old.to_string();
    let same = |pair: &(u8, u8)| pair.0 == pair.1;
    let mut start = old.bytes().zip(new.bytes()).take_while(same).count();
    while !(old.is_char_boundary(start) && new.is_char_boundary(start)) {
        start -= 1;
    }
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let mut end = old_rest.bytes().rev().zip(new_rest.bytes().rev()).take_while(same).count();
    while !(old_rest.is_char_boundary(old_rest.len() - end) && new_rest.is_char_boundary(new_rest.len() - end)) {
        end -= 1;
    }
    (start..old.len() - end, &new_rest[..new_rest.len() - end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_is_small_and_whole_characters() {
        for (old, new, range, text) in [
            ("a: 1\nb: 2\n", "a: 1\nb: 3\n", 8..9, "3"),
            ("a: 1\n", "a: 1\n", 5..5, ""),
            ("", "a: 1\n", 0..0, "a: 1\n"),
            ("a: 1\n", "", 0..5, ""),
            ("aa", "a", 1..2, ""),
            ("a: ä", "a: ö", 3..5, "ö"),
            ("ä", "¤", 0..2, "¤"),
        ] {
            assert_eq!(difference(&Text::new(old), new), (range, text), "{old:?} to {new:?}");
        }
    }
}
