//! The comments of nodes: annotations, code, and what the surrounding code says about a node.

use super::blocks::Edge;
use super::{Almost, Lower, Placement};
use crate::code::{BlockKind, Statement, first_word};
use crate::ownership::Owner;
use crate::{Attached, Issue, Note, Notes, Span};
use lofting_annotation::{Annotation, CommentKind, read_comment};
use smol_str::SmolStr;

impl<'t> Lower<'t> {
    pub(super) fn notes(&mut self, owner: Owner) -> Notes {
        let owned = self.owners.next_owned_by(owner, &mut self.cursor);
        if owned.is_empty() || !self.is_template {
            return Notes::default();
        }
        for index in owned.clone() {
            if self.owners.comments().get(index).is_some_and(|comment| comment.same_line) {
                self.copies.original(index);
            }
        }
        self.notes_of(owned)
    }

    pub(super) fn notes_of(&mut self, owned: std::ops::Range<usize>) -> Notes {
        let mut attached = Attached::default();
        // A node between two comments ends the statement of the first.
        self.interrupt();
        for index in owned {
            if self.copies.own(index) {
                continue;
            }
            let Some(comment) = self.owners.comments().get(index).cloned() else { continue };
            let text = self.tree.text(comment.range.clone());
            let span = self.span(comment.range.clone());
            match read_comment(&text, comment.range.start).kind {
                CommentKind::Code { code } => self.code(code, comment.same_line, span, &mut attached),
                CommentKind::Annotation(annotation) => match annotation.name.as_str() {
                    // The long forms of code comments.
                    "template/code" => self.code(annotation.arguments_range, false, span, &mut attached),
                    "template/value" => self.code(annotation.arguments_range, true, span, &mut attached),
                    _ if !comment.same_line && self.is_glued(&text, &annotation, span) => {
                        self.code(comment.range.start + 2..comment.range.end, false, span, &mut attached);
                    }
                    _ => attached.annotations.push(self.annotation(annotation, span)),
                },
                CommentKind::Ytt | CommentKind::Ordinary => {}
            }
        }
        attached.annotations.shrink_to_fit();
        attached.into()
    }

    /// Whether an annotation is certainly a line of code without the space after `#@`: it would begin a block, and its
    /// arguments are not valid. A doubtful case is kept until it is known whether the blocks match.
    fn is_glued(&mut self, text: &str, annotation: &Annotation, span: Span) -> bool {
        let is_end = match first_word(text.get(2..).unwrap_or_default()) {
            Statement::Other => return false,
            Statement::End | Statement::BoundBranch => true,
            _ => false,
        };
        if annotation.arguments.errors.is_empty() {
            self.almost.push(Almost { span, ends: is_end, reported: false });
            return false;
        }
        self.issues.push(Issue::CodeWithoutSpace { span, unclosed: None });
        true
    }

    fn annotation(&mut self, annotation: Annotation, span: Span) -> Note {
        // ytt evaluates the arguments of every annotation, even of unknown ones (docs/ytt.md 5.3). Only the first error
        // is reported: later ones may follow from it.
        if let Some(error) = annotation.arguments.errors.first() {
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

    fn code(&mut self, code: std::ops::Range<usize>, value: bool, comment: Span, attached: &mut Attached) {
        let span = self.span(code.clone());
        if value {
            attached.computed = Some(span);
            return;
        }
        attached.code.push(span);
        if let Some((_, opening)) = self.node_bound {
            self.issues.push(Issue::CodeAfterSlashEnd { span: comment, opening });
        }
        let text = self.tree.text(code);
        for (statement, first) in self.reader.line(&text, span) {
            self.statement(statement, first);
        }
        self.unclosed();
    }

    /// Ends a statement that should continue but is followed by something else.
    pub(super) fn interrupt(&mut self) {
        if let Some((statement, first)) = self.reader.interrupt() {
            self.statement(statement, first);
            self.unclosed();
        }
    }

    fn unclosed(&mut self) {
        for (bracket, at) in std::mem::take(&mut self.reader.unclosed) {
            // A bracket that was left open before an `end` hides it.
            let comment = self.owners.at(at).map(|comment| comment.range.clone());
            let line = comment.and_then(|range| Almost::of(&self.tree.text(range.clone()), self.span(range), true));
            self.almost.extend(line.filter(|line| line.ends));
            let (opener, closer) = match bracket {
                b'(' => ('(', ')'),
                b'[' => ('[', ']'),
                _ => ('{', '}'),
            };
            let message = format!("`{opener}` is never closed; add `{closer}`");
            self.issues.push(Issue::Code { span: self.span(at..at + 1), message });
        }
    }

    fn statement(&mut self, statement: Statement, first: Span) {
        match statement {
            Statement::Open(kind) => {
                let edge = if kind == BlockKind::Function { Edge::Def } else { Edge::Head };
                self.edges.push((edge, first));
                self.blocks.push((kind, first));
            }
            Statement::HalfOpen(_) => {
                self.edges.push((Edge::HalfHead, first));
                // Its extent is not known yet; if it counted as a function, it would hide everything below.
                self.blocks.push((BlockKind::Conditional, first));
            }
            Statement::NodeBound(kind) => self.node_bound = Some((kind, first)),
            Statement::BoundBranch => {
                if self.blocks.pop().is_none() {
                    self.issues.push(Issue::UnexpectedEnd { span: first });
                } else {
                    self.edges.push((Edge::End, first));
                }
                self.node_bound = Some((BlockKind::Conditional, first));
            }
            Statement::LastBranch if self.blocks.is_empty() => self.issues.push(Issue::UnexpectedEnd { span: first }),
            Statement::End | Statement::LastBranch => {
                self.edges.push((Edge::End, first));
                self.blocks.pop();
            }
            Statement::Branch if self.blocks.is_empty() => self.issues.push(Issue::UnexpectedEnd { span: first }),
            Statement::Branch | Statement::Other => {}
        }
    }

    /// What the blocks that were opened since the collection began (when `outer` blocks were open) mean for the node
    /// whose comments were just read.
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
