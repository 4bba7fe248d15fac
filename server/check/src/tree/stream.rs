//! Values in several documents of one file, each of which is checked in its tree as if it were alone. That is possible as
//! long as no two of them give something at a place where one depends on the other; see [`crate::memo::MetPlaces`].

use super::comments::Comments;
use super::{Reading, check_keys, is_readable};
use crate::memo::{CheckMemo, MetPlace, MetPlaces, StreamDocument, StreamFinding};
use crate::path::Step;
use crate::rules;
use crate::values::{Finding, Root, Style, ValuesCheck};
use crate::view::{Kind as ValueKind, TreeFile, TreeView, View};
use lofting_diagnostic::{Diagnostic, Stage};
use lofting_document::Span;
use lofting_syntax::{Document, Element, Kind, Node, Tree};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A file of values with several documents.
pub struct ValuesStream<'t> {
    file: TreeFile,
    tree: &'t Tree,
    style: Style,
}

/// The documents of a stream while they are read.
struct Read<'r, 't> {
    stream: &'r ValuesStream<'t>,
    check: &'r ValuesCheck<'r>,
    memo: &'r mut CheckMemo,
    /// Documents with findings, and where they begin.
    found: Vec<(u32, Arc<StreamDocument>)>,
}

impl<'t> ValuesStream<'t> {
    /// Prepares a check, if the file qualifies as far as that is known without looking at its documents. None if it has
    /// to be lowered. Annotated documents have `#@data/values` above them, and no other annotation or ordinary comment is in
    /// the file ([`lofting_document::ValueHeads`]).
    pub fn new(file: TreeFile, tree: &'t Tree, style: Style, memo: &mut CheckMemo) -> Option<Self> {
        let is_several = tree.documents().nth(1).is_some();
        if !is_several || !is_readable(file, tree) {
            return None;
        }
        match style {
            // No comment is an annotation.
            Style::Plain => drop(Comments { file: file.id, tree, header_end: 0, is_template: false }.look(memo)?),
            Style::Annotated => {}
            Style::Flag { .. } => return None,
        }
        Some(ValuesStream { file, tree, style })
    }

    /// Checks the keys of all documents, and their values against a schema. `memo` must have been started with a stamp for
    /// the schema and everything else in `check`. None if the documents have to be merged.
    pub fn check(&self, check: &ValuesCheck<'_>, memo: &mut CheckMemo) -> Option<Vec<Diagnostic>> {
        let root = self.tree.root();
        let mut read = Read { stream: self, check, memo, found: Vec::new() };
        read.node(root)?;
        let Read { found, memo, .. } = read;
        if !memo.stream.are_apart(root) {
            return None;
        }
        let mut last: FxHashMap<MetPlace, Option<u32>> = FxHashMap::default();
        let mut all = Vec::new();
        for (start, document) in &found {
            for (finding, counts_at) in document.findings(self.file.id, *start) {
                if let Some(place) = counts_at.filter(|place| memo.stream.giving(*place) > 1) {
                    // Items of several documents are counted together.
                    if self.style == Style::Annotated {
                        return None;
                    }
                    if *last.entry(place).or_insert_with(|| last_giving(root, place, memo)) != Some(*start) {
                        continue;
                    }
                }
                // Where findings are only counted, their order matters.
                if all.len() >= check.limit {
                    return None;
                }
                all.push(finding);
            }
        }
        Some(all)
    }
}

/// Where the last document that gives a value at a place begins.
fn last_giving(node: Node<'_>, place: MetPlace, memo: &CheckMemo) -> Option<u32> {
    let mut parts: Vec<Node<'_>> = node.parts().filter_map(Element::node).collect();
    while let Some(part) = parts.pop() {
        let found = match part.kind() {
            Kind::Group => last_giving(part, place, memo),
            _ => {
                let known = part.green().and_then(|green| memo.stream.document(green));
                let gives = known.is_some_and(|document| document.gives(place));
                u32::try_from(part.range().start).ok().filter(|_| gives)
            }
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

impl<'t> Read<'_, 't> {
    /// Reads the documents in the root of the tree, or in a group in it. Groups have few levels.
    fn node(&mut self, node: Node<'t>) -> Option<()> {
        for part in node.parts() {
            match part {
                Element::Token(token) if token.kind() == Kind::Bom => return None,
                Element::Token(_) => {}
                Element::Node(group) if group.kind() == Kind::Group => {
                    let green = group.green()?;
                    if self.memo.stream.is_quiet(green) {
                        continue;
                    }
                    let before = self.found.len();
                    self.node(group)?;
                    if self.found.len() == before {
                        self.memo.stream.set_quiet(green);
                    }
                }
                Element::Node(node) => self.document(Document::cast(node)?)?,
            }
        }
        Some(())
    }

    fn document(&mut self, document: Document<'t>) -> Option<()> {
        let start = u32::try_from(document.range().start).ok()?;
        let green = document.node().green()?;
        let known = match self.memo.stream.document(green) {
            Some(known) => Arc::clone(known),
            None => {
                let checked = self.checked(document, start)?;
                self.memo.stream.set_document(green, checked)
            }
        };
        if !known.is_quiet() {
            self.found.push((start, known));
        }
        Some(())
    }

    /// Checks one document as if it were alone.
    fn checked(&mut self, document: Document<'t>, start: u32) -> Option<StreamDocument> {
        let ValuesStream { file, tree, style } = *self.stream;
        let is_template = style == Style::Annotated;
        if document.node().tokens().any(|token| token.kind() == Kind::Bom) {
            return None;
        }
        let Some(root) = document.root() else {
            if is_template {
                return None;
            }
            return StreamDocument::new(Vec::new(), start, MetPlaces::default());
        };
        let view = TreeView::root(file, tree, Some(root))?;
        let reading = Reading { file, is_template, in_proposal: false };
        let keys = check_keys(reading, tree, view, &mut self.memo.clean)?;
        let keys = keys.into_iter().map(|diagnostic| StreamFinding { diagnostic, counts_at: None });
        // Plain documents without a value are dropped before they are merged.
        if view.kind() == ValueKind::Null {
            if is_template {
                return None;
            }
            return StreamDocument::new(keys.collect(), start, MetPlaces::default());
        }
        // What is empty is dropped in some calls and not in others.
        if view.kind() == ValueKind::Array && view.items().next().is_none() {
            return None;
        }
        let marker = document.start_marker().map(|marker| marker.range());
        let name = Span::new(file.id, marker.unwrap_or_else(|| root.range()));
        let (found, places) = self.check.run_met(Root::new(view, name), file.id, self.memo);
        if found.needs_merging || found.more > 0 {
            return None;
        }
        let values = found.findings.into_iter().map(of_value);
        StreamDocument::new(keys.chain(values).collect(), start, places)
    }
}

/// A finding about a value. What breaks a rule is reported only if it is one of the final values.
fn of_value(finding: Finding) -> StreamFinding {
    let Finding { diagnostic, steps } = finding;
    let is_final = diagnostic.stage == Stage::Validation || *diagnostic.rule == rules::lofting_pattern_limit::RULE;
    let given = steps.iter().take_while(|step| matches!(step, Step::Key(_)));
    StreamFinding { counts_at: is_final.then(|| MetPlace::given(given)), diagnostic }
}
