//! What documents say about themselves, without what is in them.

use super::{Lower, Options, means_comments};
use crate::ownership::{Owner, OwnerKind, Owners, head_owners};
use crate::{Document, DocumentSet, FileId, Node, Notes};
use lofting_syntax::Tree;
use lofting_syntax::resolve::Profile;

/// Reads the annotations of a file's documents, and whether the file is a template: enough to recognise the kind of file, and
/// cheap even for a long file. Values are missing, and documents in the bodies of
/// functions are listed like all others.
pub fn lower_heads(file: FileId, tree: &Tree, profile: Profile, options: Options) -> DocumentSet {
    let owners = if means_comments(profile, options) { head_owners(tree) } else { Owners::default() };
    let mut lower = Lower::with_owners(file, tree, profile, options, owners);
    lower.survey();
    let documents = tree.documents().map(|document| lower.head(&document)).collect();
    // Most have such a comment at their top.
    let is_template = lower.is_template || is_template(tree, profile, options);
    DocumentSet { documents, is_template, ..DocumentSet::default() }
}

/// Whether any comment of a file makes it a template.
pub fn is_template(tree: &Tree, profile: Profile, options: Options) -> bool {
    let bom = super::has_byte_order_mark(tree);
    let mut comments = tree.comments().map(|token| token.range());
    means_comments(profile, options)
        && comments.any(|range| !(bom && range.start == 3) && tree.text(range).starts_with("#@"))
}

impl Lower<'_> {
    fn head(&mut self, document: &lofting_syntax::Document<'_>) -> Document {
        let marker = document.start_marker().map(|token| token.range());
        let notes = match &marker {
            Some(marker) => self.notes(Owner { kind: OwnerKind::Document, offset: marker.start }),
            None => Notes::default(),
        };
        let inside = marker.as_ref().map_or(document.range().start, |marker| marker.end);
        Document {
            span: self.span(document.range()),
            marker: marker.map(|range| self.span(range)),
            notes,
            value: Node::missing(self.span(inside..inside)),
            conditional: false,
        }
    }
}
