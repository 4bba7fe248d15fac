//! Where a rendered value comes from: the template, what was laid over it, and the data values that its code reads.

use crate::association::nearest::library_of;
use crate::state::State;
use lofting_document::{Key, Node, NodeValue, Span};
use lofting_eval::code::{PathId, ValueStep};

/// One layer of a rendered value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// What is written there: a value, or the code that gives it.
    pub place: Span,
    /// The data values that this code names, as they were given last. What code does in between, in functions it calls
    /// for instance, is not followed.
    pub values: Vec<Span>,
}

/// Finds origins in what one call renders.
pub(crate) struct Origins<'s> {
    pub state: &'s State,
    /// The final data values of the root library.
    pub values: &'s Node,
}

impl Origins<'_> {
    /// The layers of a value: what was laid over others first, the template last.
    pub fn of(&self, node: &Node) -> Vec<Origin> {
        let mut layers: Vec<Origin> = Vec::new();
        let mut here = Some(node);
        while let Some(node) = here {
            // Merging may put a value in the place of itself.
            if layers.last().is_none_or(|last| last.place != node.span) {
                layers.push(Origin { place: node.span, values: self.values_at(node.span) });
            }
            here = node.replaced.as_deref();
        }
        layers
    }

    /// Where the data values are given that the code at a place names.
    fn values_at(&self, place: Span) -> Vec<Span> {
        let Some(file) = self.state.file(place.file) else { return Vec::new() };
        // Private libraries have data values of their own.
        if library_of(self.state, &file.path).is_some() {
            return Vec::new();
        }
        let code = file.code();
        let uses = &code.values.uses;
        let range = place.range();
        let first = uses.partition_point(|used| used.range.start < range.start);
        let inside = uses.iter().skip(first).take_while(|used| used.range.end <= range.end);
        let named: Vec<PathId> = inside.map(|used| used.path).collect();
        // `data.values.db.host` names `db` on the way.
        let is_on_the_way = |path: PathId| {
            let parent = |other: &PathId| code.values.paths.get(other.0 as usize).and_then(|(parent, _)| *parent);
            named.iter().any(|other| parent(other) == Some(path))
        };
        let mut found: Vec<Span> = Vec::new();
        for path in named.iter().filter(|path| !is_on_the_way(**path)) {
            let place = given(self.values, &code.values.steps(*path));
            found.extend(place.filter(|place| !found.contains(place)));
        }
        found
    }
}

/// Where the value at a path is given; of an item, where its array is.
fn given(values: &Node, steps: &[ValueStep]) -> Option<Span> {
    let node = reached(values, steps)?;
    // An array keeps its place when all its items are replaced.
    match &node.value {
        NodeValue::Array(items) => Some(items.first().map_or(node.span, |item| item.value.span)),
        _ => Some(node.span),
    }
}

fn reached<'n>(values: &'n Node, steps: &[ValueStep]) -> Option<&'n Node> {
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
