//! The values that a schema allows.

use crate::compare::{equal, equality_hash};
use lofting_document::Node;
use rustc_hash::FxHashMap;
use std::ops::Deref;
use std::sync::OnceLock;

/// Fewer values are compared one after the other.
const MANY: usize = 16;

/// The values of a list of allowed ones, in their order. A value is found among many without comparing it to each.
#[derive(Debug, Clone, Default)]
pub struct Choices {
    values: Vec<Node>,
    /// Made when it is first asked for.
    index: OnceLock<Index>,
}

/// Where values are in the list.
#[derive(Debug, Clone, Default)]
struct Index {
    by_hash: FxHashMap<u64, Vec<u32>>,
    /// Values that are partly unknown: nothing is certainly different from them.
    unknown: Vec<u32>,
}

impl Choices {
    /// Whether a value is one of them; `None` if one of the values that were compared is unknown.
    pub fn has(&self, value: &Node) -> Option<bool> {
        if self.values.len() <= MANY || !value.is_known() {
            return among(value, &self.values);
        }
        let index = self.index.get_or_init(|| self.indexed());
        let alike = index.by_hash.get(&equality_hash(value)).into_iter().flatten();
        among(value, alike.chain(&index.unknown).filter_map(|index| self.values.get(*index as usize)))
    }

    fn indexed(&self) -> Index {
        let mut index = Index::default();
        for (place, value) in (0..).zip(&self.values) {
            if value.is_known() {
                index.by_hash.entry(equality_hash(value)).or_default().push(place)
            } else {
                index.unknown.push(place)
            }
        }
        index
    }

    /// Changes values in place.
    pub(crate) fn for_each_mut(&mut self, change: impl FnMut(&mut Node)) {
        self.index = OnceLock::new();
        self.values.iter_mut().for_each(change);
    }
}

/// Whether a value is in a list, whose values are compared one by one.
fn among<'n>(value: &Node, others: impl IntoIterator<Item = &'n Node>) -> Option<bool> {
    for other in others {
        if equal(value, other)? {
            return Some(true);
        }
    }
    Some(false)
}

impl Deref for Choices {
    type Target = [Node];

    fn deref(&self) -> &[Node] {
        &self.values
    }
}

impl<'c> IntoIterator for &'c Choices {
    type Item = &'c Node;
    type IntoIter = std::slice::Iter<'c, Node>;

    fn into_iter(self) -> Self::IntoIter {
        self.values.iter()
    }
}

impl PartialEq for Choices {
    fn eq(&self, other: &Choices) -> bool {
        self.values == other.values
    }
}

impl FromIterator<Node> for Choices {
    fn from_iter<T: IntoIterator<Item = Node>>(values: T) -> Choices {
        Choices { values: values.into_iter().collect(), index: OnceLock::new() }
    }
}

impl From<Vec<Node>> for Choices {
    fn from(values: Vec<Node>) -> Choices {
        values.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Choices, MANY};
    use lofting_document::{FileId, Node, NodeValue, Span};

    fn node(value: NodeValue) -> Node {
        Node::new(value, Span::new(FileId(0), 0..0))
    }

    /// Few and many values are searched in different ways.
    #[test]
    fn a_value_is_found_among_few_and_many() {
        let texts = |count: usize| (0..count).map(|number| node(NodeValue::String(format!("c{number}").into())));
        let numbers = || [1, 2].map(|number| node(NodeValue::int(number)));
        for count in [0, 1, MANY, 4 * MANY] {
            let choices: Choices = texts(count).chain(numbers()).collect();
            assert_eq!(choices.has(&node(NodeValue::Float(2.0))), Some(true), "{count}");
            assert_eq!(choices.has(&node(NodeValue::String("c0".into()))), Some(count > 0), "{count}");
            assert_eq!(choices.has(&node(NodeValue::Null)), Some(false), "{count}");
            let uncertain: Choices = texts(count).chain([node(NodeValue::Unknown)]).collect();
            assert_eq!(uncertain.has(&node(NodeValue::Null)), None, "{count}");
        }
    }
}
