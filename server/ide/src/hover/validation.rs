//! Hover on a validation: what it allows, in words.

use crate::answers::Hovered;
use crate::describe;
use crate::markdown::{Page, Words};
use lofting_annotation::{CommentKind, read_comment};
use lofting_document::{FileId, Span};
use lofting_schema::SchemaNode;
use lofting_workspace::{FileKind, Snapshot};

/// The rules in the comment that starts at `start`, whose text is `text`.
pub(super) fn hover(snapshot: &Snapshot, file: FileId, (start, text): (usize, &str)) -> Option<Hovered> {
    let CommentKind::Annotation(annotation) = read_comment(text, start).kind else { return None };
    let words = words(snapshot, file, Span::new(file, start..start + text.len()))?;
    Some((words, annotation.arguments_range))
}

/// What the node with the rules in this comment allows.
pub(super) fn words(snapshot: &Snapshot, file: FileId, comment: Span) -> Option<Page> {
    if snapshot.kind(file) != FileKind::Schema {
        return None;
    }
    let inside = |span: Span| span.file == file && comment.start <= span.start && span.end <= comment.end;
    let has_rules = |node: &&SchemaNode| {
        node.constraints.iter().any(|constraint| inside(constraint.span))
            || node.rules.iter().any(|rule| inside(rule.span))
            || node.condition.as_ref().is_some_and(|condition| inside(condition.span))
    };
    let association = snapshot.association(file);
    association.schemas().find_map(|schema| {
        let schema = &schema.schema;
        let (_, node) = schema.nodes().find(|(_, node)| has_rules(node))?;
        let rules = describe::rules(snapshot, schema, node);
        let subject = snapshot.text(file).slice(node.declared.name.range()).into_owned();
        let head = Words::default().ours("What ").code(subject).ours(" allows");
        (!rules.is_empty() && node.declared.name.file == file).then(|| Page::from(head).page(rules))
    })
}

#[cfg(test)]
mod tests;
