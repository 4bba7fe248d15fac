//! `textDocument/didChange`

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use gen_lsp_types as lsp;
use lofting_ide::LastEdit;
use lofting_text::{Encoding, Text};
use lofting_workspace::Editing;

use super::Notification;
use crate::session::Session;
use crate::{positions, uri};

/// The text of an open document was edited. The positions of each change refer to the text after the previous change.
pub(crate) struct DidChange;

impl Notification for DidChange {
    type Protocol = lsp::DidChangeTextDocumentNotification;

    fn apply(session: &mut Session, params: lsp::DidChangeTextDocumentParams) {
        apply_with(session, params, fold);
    }
}

/// Applies the changes of a message, as `fold` combines them.
pub(crate) fn apply_with(
    session: &mut Session,
    params: lsp::DidChangeTextDocumentParams,
    fold: impl FnOnce(Editing, &[lsp::TextDocumentContentChangeEvent], Encoding) -> Folded,
) {
    let document = params.text_document;
    let path = uri::to_path(&document.text_document_identifier.uri);
    let Some(open) = session.documents.get_mut(&path) else {
        tracing::warn!("a document was changed that is not open");
        return;
    };
    if document.version <= open.version {
        // Versions should only increase; the text is what the client says nevertheless.
        tracing::warn!(old = open.version, new = document.version, "a document version did not grow");
    }
    let file = open.file;
    session.before_change();
    let Some(editing) = session.workspace.editing(file, document.version) else { return };
    let encoding = session.client.profile.encoding;
    let fold = AssertUnwindSafe(|| fold(editing, &params.content_changes, encoding));
    // Text and version change together or not at all.
    let Ok(Folded { editing, typed, last }) = catch_unwind(fold) else {
        session.lost_track(&path);
        return;
    };
    session.workspace.apply(editing);
    if let Some(open) = session.documents.get_mut(&path) {
        open.version = document.version;
        open.typed = typed;
    }
    session.typed(&path, last);
    session.text_changed(&path);
}

/// All changes of one message, not applied yet.
pub(crate) struct Folded {
    editing: Editing,
    /// The offset after the typed character, if the last change is like a keystroke.
    typed: Option<usize>,
    /// The change, if it is the only one.
    last: Option<LastEdit>,
}

fn fold(mut editing: Editing, changes: &[lsp::TextDocumentContentChangeEvent], encoding: Encoding) -> Folded {
    let (mut key, mut last) = (None, None);
    for change in changes {
        let (range, new_text) = match change {
            lsp::TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                (positions::bytes(editing.text(), part.range, encoding), part.text.as_str())
            }
            lsp::TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => {
                difference(editing.text(), &whole.text)
            }
        };
        key = typed(change).map(|length| range.start + length);
        last = (changes.len() == 1).then(|| LastEdit::new(&range, new_text));
        editing.edit(range, new_text);
    }
    Folded { editing, typed: key, last }
}

/// The length of the inserted character in bytes, if a change is like a keystroke. Editors may request completions
/// after it by themselves, but never after white space, and a closing quote or bracket that they add was not typed.
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
/// lines, and the rest need not be parsed again.
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
