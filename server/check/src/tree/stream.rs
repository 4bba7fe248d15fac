//! Values in several documents of one file, each of which is checked in its tree as if it were alone. That is possible as
//! long as no two of them give something at a place where one depends on the other; see [`crate::memo::MetPlaces`].

use super::comments::Comments;
use super::{Reading, check_keys, is_readable, is_refused};
use crate::memo::{CheckMemo, GivenPlace, MetPlace, MetPlaces, StreamDocument, StreamFinding};
use crate::path::Step;
use crate::rules;
use crate::values::{Finding, Root, Style, ValuesCheck};
use crate::view::{Kind as ValueKind, TreeFile, TreeReader, View};
use lofting_diagnostic::{Diagnostic, Stage};
use lofting_document::Span;
use lofting_syntax::{Document, Element, Kind, Node, Tree, halves};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
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
    /// Something was before: a document without marker is one after `...`.
    is_further: bool,
}

impl<'t> ValuesStream<'t> {
    /// Prepares a check, if the file qualifies as far as that is known without looking at its documents. None if it has
    /// to be lowered. Annotated documents have `#@data/values` above them, and no other annotation or ordinary comment is in
    /// the file ([`lofting_document::ValueHeads`]).
    pub fn new(file: TreeFile, tree: &'t Tree, style: Style, memo: &mut CheckMemo) -> Option<Self> {
        let is_several = tree.documents().nth(1).is_some();
        if !is_several || tree.root().has_names() || !is_readable(file, tree) {
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
        if memo.is_new()
            && memo.stream.len() == 0
            && let Some(halves) = halves(self.tree)
        {
            self.look_ahead(&halves, check, memo);
        }
        let mut read = Read { stream: self, check, memo, found: Vec::new(), is_further: false };
        read.node(root)?;
        let Read { found, memo, .. } = read;
        if !memo.stream.are_apart(root) {
            return None;
        }
        // Values that count only if no later document gives another one.
        let is_met = |given: &&GivenPlace| memo.stream.giving(given.place) > 1;
        let findings = found.iter().flat_map(|(_, document)| document.findings());
        let met: Vec<&GivenPlace> = findings.filter_map(|finding| finding.counts_at.as_ref()).filter(is_met).collect();
        // Items of several documents are counted together.
        if !met.is_empty() && self.style == Style::Annotated {
            return None;
        }
        let last = self.last_giving(check, met, memo);
        let mut all = Vec::new();
        for (start, document) in &found {
            for finding in document.findings() {
                let given = finding.counts_at.as_ref().and_then(|given| last.get(&*given.steps));
                if given.is_some_and(|last| last > start) {
                    continue;
                }
                // Where findings are only counted, their order matters.
                if all.len() >= check.limit {
                    return None;
                }
                all.push(document.moved(finding, self.file.id, *start));
            }
        }
        Some(all)
    }

    /// Reads the documents of both halves on a thread each, as far as they are read apart.
    fn look_ahead(&self, [first, second]: &[Vec<Node<'t>>; 2], check: &ValuesCheck<'_>, memo: &mut CheckMemo) {
        let look = |half: &[Node<'t>], is_further: bool| {
            let mut memo = CheckMemo::default();
            let mut read = Read { stream: self, check, memo: &mut memo, found: Vec::new(), is_further };
            let _ = half.iter().try_for_each(|node| read.part(Element::Node(*node)));
            memo
        };
        let (beside, here) =
            lofting_memo::side_by_side(lofting_eval::STACK, || look(second, true), || look(first, false));
        memo.absorb(here);
        memo.absorb(beside.unwrap_or_default());
    }

    /// Where the last document that gives a value at each of some places begins.
    fn last_giving<'g>(
        &self,
        check: &ValuesCheck<'_>,
        places: Vec<&'g GivenPlace>,
        memo: &CheckMemo,
    ) -> FxHashMap<&'g [Step], u32> {
        let mut sought: FxHashMap<MetPlace, Vec<&[Step]>> = FxHashMap::default();
        for given in places {
            let all = sought.entry(given.place).or_default();
            if !all.contains(&&*given.steps) {
                all.push(&given.steps);
            }
        }
        let mut last = FxHashMap::default();
        let mut parts: Vec<Node<'_>> = self.tree.root().parts().filter_map(Element::node).collect();
        while let Some(part) = parts.pop().filter(|_| !sought.is_empty()) {
            lofting_memo::step();
            if part.kind() == Kind::Group {
                parts.extend(part.parts().filter_map(Element::node));
                continue;
            }
            let known = part.green().and_then(|green| memo.stream.document(green));
            let (Some(known), Ok(start)) = (known, u32::try_from(part.range().start)) else { continue };
            for place in known.gives(&sought) {
                let Entry::Occupied(mut at) = sought.entry(place) else { continue };
                let gives = |steps: &&[Step]| self.gives(check, part, steps);
                let (here, elsewhere): (Vec<&[Step]>, Vec<&[Step]>) = at.get().iter().copied().partition(gives);
                last.extend(here.into_iter().map(|steps| (steps, start)));
                if elsewhere.is_empty() {
                    at.remove();
                } else {
                    at.insert(elsewhere);
                }
            }
        }
        last
    }

    /// Whether a document gives a value at a place.
    fn gives(&self, check: &ValuesCheck<'_>, document: Node<'_>, steps: &[Step]) -> bool {
        let root = Document::cast(document).map(|document| document.root());
        let mut value = root.and_then(|root| TreeReader::new(self.file, self.tree).root(root));
        for step in steps {
            let (Some(map), Step::Key(key)) = (value, step) else { return false };
            value = check.entries(map).find(|entry| entry.key == *key).map(|entry| entry.value);
        }
        value.is_some()
    }
}

impl<'t> Read<'_, 't> {
    /// Reads the documents in the root of the tree, or in a group in it. Groups have few levels.
    fn node(&mut self, node: Node<'t>) -> Option<()> {
        node.parts().try_for_each(|part| self.part(part))
    }

    fn part(&mut self, part: Element<'t>) -> Option<()> {
        let group = match part {
            Element::Token(token) => {
                self.is_further |= token.kind() == Kind::DocEnd;
                return (token.kind() != Kind::Bom).then_some(());
            }
            Element::Node(group) if group.kind() == Kind::Group => group,
            Element::Node(node) => return self.document(Document::cast(node)?),
        };
        let green = group.green()?;
        if self.memo.stream.is_quiet(green) {
            self.is_further = true;
            return Some(());
        }
        let (before, is_further) = (self.found.len(), self.is_further);
        self.node(group)?;
        // The first document may become a further one, and is looked at each time.
        if self.found.len() == before && is_further {
            self.memo.stream.set_quiet(green);
        }
        Some(())
    }

    fn document(&mut self, document: Document<'t>) -> Option<()> {
        let start = u32::try_from(document.range().start).ok()?;
        if is_refused(self.stream.file, document, self.is_further) {
            return None;
        }
        self.is_further = true;
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
        let reader = TreeReader::new(file, tree);
        let view = reader.view(root)?;
        let reading = Reading { reader, is_template, in_proposal: false };
        let keys = check_keys(reading, view, &mut self.memo.clean)?;
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
    let Finding { diagnostic, steps, .. } = finding;
    let is_final = diagnostic.stage == Stage::Validation || *diagnostic.rule == rules::lofting_pattern_limit::RULE;
    let given = steps.into_iter().take_while(|step| matches!(step, Step::Key(_)));
    StreamFinding { counts_at: is_final.then(|| GivenPlace::new(given.collect())), diagnostic }
}
