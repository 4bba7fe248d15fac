//! Comments of nodes: annotations, code, and what the code around a node says about it.

use super::{Lower, Placement};
use crate::code::{BlockKind, Statement};
use crate::ownership::Owner;
use crate::{Issue, Note, Notes, Span};
use lofting_annotation::{Annotation, CommentKind, read_comment};
use smol_str::SmolStr;

impl<'t> Lower<'t> {
    pub(super) fn notes(&mut self, owner: Owner) -> Notes {
        let owned = self.owners.next_owned_by(owner, &mut self.cursor);
        if owned.is_empty() || !self.is_template {
            return Notes::default();
        }
        self.notes_of(owned)
    }

    pub(super) fn notes_of(&mut self, owned: std::ops::Range<usize>) -> Notes {
        let mut notes = Notes::default();
        for index in owned {
            let Some(comment) = self.owners.comments().get(index).cloned() else { continue };
            let text = self.tree.text(comment.range.clone());
            let span = self.span(comment.range.clone());
            match read_comment(&text, comment.range.start).kind {
                CommentKind::Code { code } => self.code(code, comment.same_line, span, &mut notes),
                CommentKind::Annotation(annotation) => match annotation.name.as_str() {
                    // The long forms of code comments.
                    "template/code" => self.code(annotation.arguments_range, false, span, &mut notes),
                    "template/value" => self.code(annotation.arguments_range, true, span, &mut notes),
                    _ => notes.annotations.push(self.annotation(annotation, span)),
                },
                CommentKind::Ytt | CommentKind::Ordinary => {}
            }
        }
        notes.annotations.shrink_to_fit();
        notes
    }

    fn annotation(&mut self, annotation: Annotation, span: Span) -> Note {
        // Arguments of every annotation are evaluated, also of those that mean nothing (reference 5.3).
        for error in &annotation.arguments.errors {
            let issue = Issue::Arguments { span: self.span(error.range.clone()), message: error.message.clone() };
            self.issues.push(issue);
        }
        Note {
            name: SmolStr::from(annotation.name.as_str()),
            span,
            name_span: self.span(annotation.name_range),
            arguments: annotation.arguments,
        }
    }

    fn code(&mut self, code: std::ops::Range<usize>, value: bool, comment: Span, notes: &mut Notes) {
        let span = self.span(code.clone());
        if value {
            notes.computed = Some(span);
            return;
        }
        notes.code.push(span);
        if let Some((_, opening)) = self.node_bound {
            self.issues.push(Issue::CodeAfterSlashEnd { span: comment, opening });
        }
        let text = self.tree.text(code);
        let Some((statement, first)) = self.reader.line(&text, span) else { return };
        match statement {
            Statement::Open(kind) => self.blocks.push((kind, first)),
            Statement::NodeBound(kind) => self.node_bound = Some((kind, first)),
            Statement::End if self.blocks.pop().is_none() => self.issues.push(Issue::UnexpectedEnd { span: first }),
            Statement::Branch if self.blocks.is_empty() => self.issues.push(Issue::UnexpectedEnd { span: first }),
            Statement::End | Statement::Branch | Statement::Other => {}
        }
    }

    /// What the blocks opened since the collection began (when `outer` blocks were open) say about the
    /// node whose comments were just read.
    pub(super) fn placement(&mut self, outer: usize) -> Placement {
        let bound = self.node_bound.take();
        let mut placement = Placement { conditional: false, in_function: false };
        let inner = self.blocks.get(outer..).unwrap_or(&[]);
        for (kind, _) in inner.iter().chain(bound.as_ref()) {
            match kind {
                BlockKind::Conditional => placement.conditional = true,
                BlockKind::Function => placement.in_function = true,
            }
        }
        placement
    }
}
