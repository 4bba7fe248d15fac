//! Whether a file has to be evaluated to know its content. Most schemas have only literal arguments, and those must
//! never start the evaluator.

use lofting_document::{DocumentSet, Node, NodeValue, Notes};

/// Whether anything in the documents depends on running code: lines of code, computed values, arguments that are not
/// literals (including lambdas).
pub fn needs_evaluation(set: &DocumentSet) -> bool {
    set.is_template
        && (set.templated_keys
            || set.in_functions
            || notes(&set.tail)
            || set
                .documents
                .iter()
                .any(|document| document.conditional || notes(&document.notes) || node(&document.value)))
}

fn notes(notes: &Notes) -> bool {
    !notes.code.is_empty()
        || notes.computed.is_some()
        || notes.annotations.iter().any(|note| {
            !note.arguments.errors.is_empty()
                || !note.arguments.is_literal()
                || note.name == "yaml/text-templated-strings"
        })
}

/// Document trees have bounded depth, and so has this recursion.
fn node(node: &Node) -> bool {
    // Something is missing there that code makes, and with it the code.
    if node.partial {
        return true;
    }
    match &node.value {
        NodeValue::Map(items) => {
            items.iter().any(|item| item.conditional || notes(&item.notes) || self::node(&item.value))
        }
        NodeValue::Array(items) => {
            items.iter().any(|item| item.conditional || notes(&item.notes) || self::node(&item.value))
        }
        NodeValue::Unknown => true,
        _ => false,
    }
}
