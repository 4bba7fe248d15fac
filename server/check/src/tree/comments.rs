//! The comments among values.

use crate::memo::{CheckMemo, Silent};
use crate::view::Overlay;
use lofting_document::{FileId, Note, OwnerKind, Span, item_notes};
use lofting_syntax::{CommentReader, Element, Green, Kind, Node, Token, Tree};
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
    /// How many entries that have to be merged.
    entries: usize,
    start: usize,
}

/// What the comments below the marker of a document are.
#[derive(Default)]
pub(super) struct Met {
    /// Comments that ytt does not know in a template.
    pub ordinary: Vec<Span>,
    /// Annotations on lines of their own whose node comes next.
    waiting: Vec<Span>,
    /// How many annotations, or nodes with some.
    annotations: usize,
    /// Where entries begin that have to be merged, because only that tells what the annotations of the entry, or of items
    /// of its value, do. Some occur more than once.
    pub entries: Vec<usize>,
}

impl Met {
    /// Whether there are annotations.
    pub fn is_annotated(&self) -> bool {
        self.annotations > 0
    }

    fn merges(&mut self, entry: Node<'_>) {
        self.entries.push(entry.range().start);
    }
}

impl<'t> Comments<'t> {
    /// Looks at all comments. None if there is code, or an annotation that only the whole document can tell about.
    pub fn look(&self, memo: &mut CheckMemo) -> Option<Met> {
        let mut met = Met::default();
        let mut stack = vec![Task::Visit(self.tree.root())];
        while let Some(task) = stack.pop() {
            lofting_memo::step();
            match task {
                Task::Visit(node) => self.visit(node, &mut met, &mut stack, memo)?,
                Task::Token(token, node) => self.token(token, node, &mut met)?,
                // What is not known of the annotations at its end depends on what follows.
                Task::Leave(leave) if leave.ordinary == met.ordinary.len() && met.waiting.is_empty() => {
                    let entries = met.entries.get(leave.entries..).unwrap_or_default();
                    let mut inside: Vec<usize> =
                        entries.iter().filter_map(|entry| entry.checked_sub(leave.start)).collect();
                    inside.dedup();
                    let silent = Silent {
                        annotated: leave.annotations < met.annotations,
                        entries: inside.into(),
                        around: entries.iter().any(|entry| *entry < leave.start),
                    };
                    memo.set_silent(leave.green, self.is_template, silent);
                }
                Task::Leave(_) => {}
            }
        }
        met.waiting.is_empty().then_some(met)
    }

    fn visit(&self, node: Node<'t>, met: &mut Met, stack: &mut Vec<Task<'t>>, memo: &CheckMemo) -> Option<()> {
        if !met.waiting.is_empty() {
            let waiting = std::mem::take(&mut met.waiting);
            self.belong(&waiting, first_item(node)?, met)?;
        }
        if !node.has_comments() || node.range().end <= self.header_end {
            return Some(());
        }
        // A node above the marker contains more than what is asked for.
        let is_below = node.range().start >= self.header_end;
        if let Some(green) = node.green().filter(|green| is_below && CheckMemo::is_worth(green)) {
            let start = node.range().start;
            if let Some(silent) = memo.silent(green, self.is_template) {
                met.annotations += usize::from(silent.annotated);
                met.entries.extend(silent.entries.iter().map(|entry| start + entry));
                if silent.around {
                    met.merges(entry_around(self.tree, start, start + green.len())?);
                }
                return Some(());
            }
            let (ordinary, annotations, entries) = (met.ordinary.len(), met.annotations, met.entries.len());
            stack.push(Task::Leave(Leave { green, ordinary, annotations, entries, start }));
        }
        let first = stack.len();
        let mut reader = CommentReader::default();
        stack.extend(node.parts().filter_map(|part| match part {
            Element::Node(inner) => Some(Task::Visit(inner)),
            Element::Token(token) => {
                let is_comment = reader.is_comment(token.kind());
                (is_comment || token.kind() != Kind::Comment).then_some(Task::Token(token, node))
            }
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
                    self.belong(&[span], node, met)?;
                }
            }
            Some(b'!') => {}
            _ if self.is_template => met.ordinary.push(span),
            _ => {}
        }
        Some(())
    }

    /// Reads the annotations of an item. None unless these ones are among them, and what they do follows from an entry.
    fn belong(&self, annotations: &[Span], item: Node<'_>, met: &mut Met) -> Option<()> {
        let notes = item_notes(self.file, item)?;
        let own = |span: &Span| notes.iter().any(|note| note.span == *span);
        if !annotations.iter().all(own) {
            return None;
        }
        let owner = match item.kind() {
            Kind::MapEntry => OwnerKind::MapItem,
            Kind::SeqEntry => OwnerKind::ArrayItem,
            _ => return None,
        };
        if Overlay::is_plain(owner, &notes) {
            return Some(());
        }
        if !notes.iter().all(|note| is_of_entry(note, owner)) {
            return None;
        }
        match owner {
            OwnerKind::MapItem => met.merges(item),
            // An item is looked for among all others.
            _ => met.merges(entry_around(self.tree, item.range().start, item.range().end)?),
        }
        Some(())
    }
}

/// Whether what an annotation does follows from the entry that it belongs to, or from that around its item.
fn is_of_entry(note: &Note, owner: OwnerKind) -> bool {
    let is_item = owner == OwnerKind::ArrayItem;
    let is_known = match note.name.strip_prefix("overlay/").unwrap_or_default() {
        // Another key may match.
        "match" => is_item || note.arguments.keyword("by").is_none(),
        "match-child-defaults" | "merge" | "remove" | "replace" | "assert" => true,
        "insert" | "append" => is_item,
        _ => false,
    };
    is_known && note.arguments.is_literal()
}

/// The entry or item that begins where a node does.
fn first_item(mut node: Node<'_>) -> Option<Node<'_>> {
    while !matches!(node.kind(), Kind::MapEntry | Kind::SeqEntry) {
        let start = node.range().start;
        node = node.parts().next().and_then(Element::node).filter(|inner| inner.range().start == start)?;
    }
    Some(node)
}

/// The innermost entry of a map that a node from `start` to `end` is in.
fn entry_around(tree: &Tree, start: usize, end: usize) -> Option<Node<'_>> {
    let is_around = |node: &Node<'_>| node.range().start < start && node.range().end >= end;
    tree.path_at(start).into_iter().rev().find(|node| node.kind() == Kind::MapEntry && is_around(node))
}
