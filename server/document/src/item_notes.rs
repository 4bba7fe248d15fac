//! The annotations of one item of a block, found beside it instead of by a walk through the whole file.

use crate::code::{Statement, first_word};
use crate::ownership::comments_of;
use crate::{FileId, Note, Span};
use lofting_annotation::{CommentKind, read_comment};
use lofting_syntax::Node;
use smol_str::SmolStr;

/// The annotations of an entry or item of a block. None if there is code among them, or something that may be meant as
/// code.
pub fn item_notes(file: FileId, item: Node<'_>) -> Option<Vec<Note>> {
    let mut notes = Vec::new();
    for comment in comments_of(item) {
        let text = item.tree().text(comment.clone());
        match read_comment(&text, comment.start).kind {
            CommentKind::Code { .. } => return None,
            CommentKind::Annotation(annotation) => {
                if !matches!(first_word(text.get(2..).unwrap_or_default()), Statement::Other) {
                    return None;
                }
                notes.push(Note {
                    name: SmolStr::from(annotation.name.as_str()),
                    span: Span::new(file, comment),
                    name_span: Span::new(file, annotation.name_range),
                    arguments: annotation.arguments,
                });
            }
            CommentKind::Ytt | CommentKind::Ordinary => {}
        }
    }
    Some(notes)
}
