//! The approximate size of remembered answers: an order of magnitude is enough for a budget.

use lofting_check::Diagnostic;
use lofting_document::{MapItem, Node, NodeValue};

pub(crate) fn of_diagnostic(diagnostic: &Diagnostic) -> usize {
    size_of::<Diagnostic>()
        + diagnostic.message.len()
        + diagnostic.related.iter().map(|it| it.message.len()).sum::<usize>()
}

/// Values nest as deep as the text does, so this does not recurse.
pub(crate) fn of_node(node: &Node) -> usize {
    let (mut weight, mut todo) = (0, vec![node]);
    while let Some(node) = todo.pop() {
        weight += size_of::<MapItem>();
        match &node.value {
            NodeValue::Map(items) => todo.extend(items.iter().map(|item| &item.value)),
            NodeValue::Array(items) => todo.extend(items.iter().map(|item| &item.value)),
            NodeValue::String(text) => weight += text.len(),
            _ => {}
        }
    }
    weight
}
