//! Where a rendered value comes from: the template, overlays on it, and the data values that its code reads.

use super::LibraryValues;
use crate::files::libraries::library_of;
use crate::state::State;
use lofting_document::{Key, Node, NodeValue, Span};
use lofting_eval::code::{Code, Meaning, PathId, TermId, ValueStep};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::sync::Arc;

/// One layer of a rendered value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Its source: a value, or the code that computes it.
    pub place: Span,
    /// The data values that this code names, where they were last set; if code passed values to a private library,
    /// those that this code names as well. What code does in between, for instance in functions it calls, is not
    /// followed.
    pub values: Vec<Span>,
}

/// Finds origins in the output of one call.
pub(crate) struct Origins<'s> {
    pub state: &'s State,
    /// The final data values of the root library.
    pub values: &'s Node,
    /// The final values of private libraries.
    pub library_values: &'s LibraryValues,
}

/// The parts of a rendered document that have the place of what they are in: code made both.
#[derive(Debug, Default)]
pub struct MadeParts(FxHashMap<usize, (usize, PartStep)>);

/// From a collection to a part of it.
#[derive(Debug, Clone)]
enum PartStep {
    Key(Key),
    Item(usize),
}

impl MadeParts {
    /// Those of a document.
    pub fn of(document: &Node) -> MadeParts {
        let mut parts = MadeParts::default();
        parts.below(document);
        parts
    }

    /// Document trees have bounded depth, and so has this recursion.
    fn below(&mut self, node: &Node) {
        lofting_memo::step();
        match &node.value {
            NodeValue::Map(items) => {
                items.iter().for_each(|item| self.part(node, &item.value, || PartStep::Key(item.key.clone())));
            }
            NodeValue::Array(items) => {
                items.iter().enumerate().for_each(|(at, item)| self.part(node, &item.value, || PartStep::Item(at)));
            }
            _ => {}
        }
    }

    fn part(&mut self, around: &Node, part: &Node, step: impl FnOnce() -> PartStep) {
        if part.span == around.span {
            self.0.insert(address(part), (address(around), step()));
        }
        self.below(part);
    }

    /// The steps to a part from the outermost node that code made with it.
    fn steps(&self, part: &Node) -> Vec<&PartStep> {
        let mut steps = Vec::new();
        let mut here = address(part);
        while let Some((around, step)) = self.0.get(&here) {
            steps.push(step);
            here = *around;
        }
        steps.reverse();
        steps
    }
}

fn address(node: &Node) -> usize {
    std::ptr::from_ref(node).addr()
}

/// The part of a data value that code made a part of, if it passes on all of the value; else the value itself.
fn passed_on<'n>(given: &'n Node, inside: &[&PartStep], made: &NodeValue) -> &'n Node {
    part_at(given, inside).filter(|part| part.value == *made).unwrap_or(given)
}

/// The part of a value at these steps.
fn part_at<'n>(whole: &'n Node, steps: &[&PartStep]) -> Option<&'n Node> {
    steps.iter().try_fold(whole, |node, step| match (&node.value, step) {
        (NodeValue::Map(items), PartStep::Key(key)) => items.value(key),
        (NodeValue::Array(items), PartStep::Item(at)) => items.get(*at).map(|item| &item.value),
        _ => None,
    })
}

/// Through how many nested libraries values are followed.
const MOST_LIBRARIES: usize = 8;

impl Origins<'_> {
    /// The layers of a value in a document: the last overlay first, the template last.
    pub fn of(&self, node: &Node, made: &MadeParts) -> Vec<Origin> {
        let mut layers: Vec<Origin> = Vec::new();
        let mut here = Some(node);
        let mut steps = made.steps(node);
        while let Some(node) = here {
            // Merging may replace a value with itself.
            if layers.last().is_none_or(|last| last.place != node.span) {
                layers.push(Origin { place: node.span, values: self.values_after(node, &steps) });
            }
            here = node.replaced.as_deref();
            steps.clear();
        }
        layers
    }

    /// Where the data values are set that the code of a value names, and those that they depend on.
    /// `steps` lead to the value from the one that the code gives.
    fn values_after(&self, node: &Node, steps: &[&PartStep]) -> Vec<Span> {
        let mut open = self.values_at(node.span, &node.value, steps);
        let mut found: Vec<Span> = open.iter().map(|given| first_place(given)).collect();
        for _ in 0..MOST_LIBRARIES {
            let mut after: Vec<&Node> = Vec::new();
            for given in open {
                let mut named = self.values_at(given.span, &given.value, &[]);
                // A call names everything that it passes to a library: what was passed on unchanged is recognised by
                // its value.
                if named.iter().any(|one| one.value == given.value) {
                    named.retain(|one| one.value == given.value);
                }
                after.extend(named.into_iter().filter(|one| !found.contains(&first_place(one))));
            }
            found.extend(after.iter().map(|given| first_place(given)));
            open = after;
        }
        let mut reported = FxHashSet::default();
        found.retain(|place| reported.insert(*place));
        found
    }

    /// The data values, as given, that the code at a position names; this code made `made`.
    fn values_at(&self, place: Span, made: &NodeValue, inside: &[&PartStep]) -> Vec<&Node> {
        let Some(file) = self.state.file(place.file) else { return Vec::new() };
        let values: Vec<&Node> = match self.library_values.get(&file.id) {
            Some(instances) => instances.iter().map(Arc::as_ref).collect(),
            // A library whose values are not known.
            None if library_of(self.state, &file.path).is_some() => return Vec::new(),
            None => vec![self.values],
        };
        let code = file.code();
        let mut found = Vec::new();
        for path in named(code, place) {
            let steps = code.values.steps(path);
            let given = values.iter().flat_map(|values| reached(values, &steps));
            // The part itself, if the code passes on all of the value.
            let given: Vec<&Node> = given.map(|given| passed_on(given, inside, made)).collect();
            // Of several items or instances, the one with this value is meant, if there is only one.
            let mut same = given.iter().filter(|given| given.value == *made);
            match (same.next(), same.next()) {
                (Some(only), None) => found.push(*only),
                _ if given.len() > 1 => found.extend(values.iter().filter_map(|values| whole(values, &steps))),
                _ => found.extend(given),
            }
        }
        found
    }
}

/// The data values that the code at a position names: only complete paths, not their beginnings.
fn named(code: &Code, place: Span) -> Vec<PathId> {
    let range = place.range();
    let inside = |part: &Range<usize>| range.start <= part.start && part.end <= range.end;
    let first = code.terms.partition_point(|term| term.range.end < range.start);
    let terms = code.terms.iter().enumerate().skip(first);
    let mut paths: Vec<PathId> = Vec::new();
    for (index, _) in
        terms.take_while(|(_, term)| term.range.start <= range.end).filter(|(_, term)| inside(&term.range))
    {
        let Ok(id) = u32::try_from(index) else { break };
        if let (Meaning::Values(path, _), _) = code.values.meaning(TermId(id))
            && !paths.contains(path)
        {
            paths.push(*path);
        }
    }
    let is_on_the_way = |path: PathId| paths.iter().any(|other| code.values.parent(*other) == Some(path));
    paths.iter().copied().filter(|path| !is_on_the_way(*path)).collect()
}

/// Where a value is given. An array keeps its position when all its items are replaced.
fn first_place(node: &Node) -> Span {
    match &node.value {
        NodeValue::Array(items) => items.first().map_or(node.span, |item| item.value.span),
        _ => node.span,
    }
}

/// The values at a path; those of all items if it leads into an array.
fn reached<'n>(values: &'n Node, steps: &[ValueStep]) -> Vec<&'n Node> {
    let mut here = vec![values];
    for step in steps {
        let below = here.into_iter().flat_map(|node| match (&node.value, step) {
            (NodeValue::Map(items), ValueStep::Key(key)) => items.value(&Key::from(key.as_str())).into_iter().collect(),
            (NodeValue::Array(items), ValueStep::Item) => items.iter().map(|item| &item.value).collect(),
            _ => Vec::new(),
        });
        here = below.collect();
    }
    here
}

/// The value at a path; for an item, its array.
fn whole<'n>(values: &'n Node, steps: &[ValueStep]) -> Option<&'n Node> {
    let mut here = values;
    for step in steps {
        here = match (&here.value, step) {
            (NodeValue::Map(items), ValueStep::Key(key)) => items.value(&Key::from(key.as_str()))?,
            (NodeValue::Array(_), ValueStep::Item) => return Some(here),
            _ => return None,
        };
    }
    Some(here)
}
