//! The comments among values.

use crate::memo::CheckMemo;
use crate::view::Overlay;
use lofting_document::{FileId, Span};
use lofting_syntax::{Element, Green, Kind, Node, Token, Tree};
use std::sync::Arc;

/// The comments below the marker of a document.
pub(super) struct Comments<'t> {
    pub file: FileId,
    pub tree: &'t Tree,
    pub header_end: usize,
    pub is_template: bool,
}

enum Task<'t> {
    Visit(Node<'t>),
    /// A token, and the node that it is in.
    Token(Token<'t>, Node<'t>),
    Leave(Leave<'t>),
}

/// A node whose comments were all looked at.
struct Leave<'t> {
    green: &'t Arc<Green>,
    /// How many ordinary comments there were before it.
    ordinary: usize,
    /// How many annotations, or nodes with some.
    annotations: usize,
}

/// What was met so far.
#[derive(Default)]
struct Met {
    /// Comments that ytt does not know in a template.
    ordinary: Vec<Span>,
    /// Annotations on lines of their own whose node comes next.
    waiting: Vec<Span>,
    /// How many annotations, or nodes with some.
    annotations: usize,
}

impl<'t> Comments<'t> {
    /// In a template, the comments that ytt does not know; and whether there are annotations. None if there is code, or an
    /// annotation of which not all is known that it does.
    pub fn look(&self, memo: &mut CheckMemo) -> Option<(Vec<Span>, bool)> {
        let mut met = Met::default();
        let mut stack = vec![Task::Visit(self.tree.root())];
        while let Some(task) = stack.pop() {
            lofting_memo::step();
            match task {
                Task::Visit(node) => self.visit(node, &mut met, &mut stack, memo)?,
                Task::Token(token, node) => self.token(token, node, &mut met)?,
                // What is not known of the annotations at its end depends on what follows.
                Task::Leave(leave) if leave.ordinary == met.ordinary.len() && met.waiting.is_empty() => {
                    memo.set_silent(leave.green, self.is_template, leave.annotations < met.annotations);
                }
                Task::Leave(_) => {}
            }
        }
        met.waiting.is_empty().then_some((met.ordinary, met.annotations > 0))
    }

    fn visit(&self, node: Node<'t>, met: &mut Met, stack: &mut Vec<Task<'t>>, memo: &CheckMemo) -> Option<()> {
        if !met.waiting.is_empty() {
            let waiting = std::mem::take(&mut met.waiting);
            self.belong(&waiting, first_item(node)?)?;
        }
        if !node.has_comments() || node.range().end <= self.header_end {
            return Some(());
        }
        // A node above the marker contains more than what is asked for.
        let is_below = node.range().start >= self.header_end;
        if let Some(green) = node.green().filter(|green| is_below && CheckMemo::is_worth(green)) {
            if let Some(annotated) = memo.silent(green, self.is_template) {
                met.annotations += usize::from(annotated);
                return Some(());
            }
            let (ordinary, annotations) = (met.ordinary.len(), met.annotations);
            stack.push(Task::Leave(Leave { green, ordinary, annotations }));
        }
        let first = stack.len();
        stack.extend(node.parts().map(|part| match part {
            Element::Node(inner) => Task::Visit(inner),
            Element::Token(token) => Task::Token(token, node),
        }));
        stack.get_mut(first..).unwrap_or_default().reverse();
        Some(())
    }

    fn token(&self, token: Token<'t>, node: Node<'t>, met: &mut Met) -> Option<()> {
        let range = token.range();
        if range.start < self.header_end {
            return Some(());
        }
        if token.kind() != Kind::Comment {
            // What belongs to the node below a scalar is not looked for there.
            return (token.kind().is_trivia() || met.waiting.is_empty()).then_some(());
        }
        let span = Span::new(self.file, range);
        match token.text().as_bytes().get(1) {
            Some(b'@') if !self.is_template => return None,
            Some(b'@') => {
                met.annotations += 1;
                let line = self.tree.line_start(span.range().start);
                if self.tree.text(line..span.range().start).trim_ascii().is_empty() {
                    met.waiting.push(span);
                } else {
                    self.belong(&[span], node)?;
                }
            }
            Some(b'!') => {}
            _ if self.is_template => met.ordinary.push(span),
            _ => {}
        }
        Some(())
    }

    /// None unless these annotations belong to an item, and all is known that those of the item do.
    fn belong(&self, annotations: &[Span], item: Node<'_>) -> Option<()> {
        let notes = Overlay::of_item(self.file, item)?.1;
        let own = |span: &Span| notes.iter().any(|note| note.span == *span);
        annotations.iter().all(own).then_some(())
    }
}

/// The entry or item that begins where a node does.
fn first_item(mut node: Node<'_>) -> Option<Node<'_>> {
    while !matches!(node.kind(), Kind::MapEntry | Kind::SeqEntry) {
        let start = node.range().start;
        node = node.parts().next().and_then(Element::node).filter(|inner| inner.range().start == start)?;
    }
    Some(node)
}
