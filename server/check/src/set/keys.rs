//! Calls the functions of a schema that decide about keys, for the keys that documents give.
//!
//! Merging and checking read the answers from the schema; neither calls code itself.

use super::ValuesDocument;
use lofting_document::{Integer, Key, Node, NodeValue};
use lofting_overlay::{Argument, Called, Function, Functions, Returned};
use lofting_schema::{Admits, Asked, Expected, Schema};
use rustc_hash::FxHashSet;

/// At most this many keys are passed to functions.
const MOST: usize = 10_000;

/// Functions decide about counts up to this number of keys in one map.
const MOST_COUNTED: usize = 200;

/// The schema with the answers of its functions for all keys of the documents; None if it has no such functions.
pub(super) fn asked(schema: &Schema, documents: &[ValuesDocument<'_>], functions: &dyn Functions) -> Option<Schema> {
    if !schema.nodes().any(|(_, node)| node.asks_about_keys()) {
        return None;
    }
    let mut names: FxHashSet<Key> = FxHashSet::default();
    let mut most = 1;
    for given in documents {
        let mut open: Vec<&Node> = vec![&given.document.value];
        while let (Some(node), true) = (open.pop(), names.len() < MOST) {
            match &node.value {
                NodeValue::Map(items) => {
                    most = most.max(items.len());
                    names.extend(items.iter().map(|item| item.key.clone()));
                    open.extend(items.iter().map(|item| &item.value));
                }
                NodeValue::Array(items) => open.extend(items.iter().map(|item| &item.value)),
                _ => {}
            }
        }
    }
    let names: Vec<Key> = names.into_iter().collect();
    // Several documents may add keys to one map.
    let counts: Vec<usize> = (0..=(most * documents.len().max(1)).min(MOST_COUNTED)).collect();
    let mut schema = schema.clone();
    for map in schema.maps_mut() {
        for free in &mut map.free {
            if let Admits::Function(asked) = &mut free.admits {
                ask(asked, &names, |key| key.to_string().into(), Argument::Key, functions);
            }
            for expected in &mut free.expects {
                if let Expected::Function(asked) = expected {
                    ask(asked, &counts, |count| *count, |count| Argument::Number(*count), functions);
                }
            }
        }
    }
    Some(schema)
}

fn ask<'q, Q, K: std::hash::Hash + Eq>(
    asked: &mut Asked<K>,
    questions: &'q [Q],
    key: impl Fn(&Q) -> K,
    argument: impl Fn(&'q Q) -> Argument<'q>,
    functions: &dyn Functions,
) {
    let own = asked.own_key.clone();
    let takes_two = asked.function.as_ref().is_some_and(|function| function.parameters == Some(2));
    let function = Function { span: asked.span, callable: asked.function.clone() };
    let arguments = |question: &'q Q| {
        let mut arguments = vec![argument(question)];
        arguments.extend(own.as_ref().filter(|_| takes_two).map(Argument::Key));
        arguments
    };
    let calls: Vec<Vec<Argument<'_>>> = questions.iter().map(arguments).collect();
    for (question, answer) in questions.iter().zip(functions.call(&function, &calls)) {
        let holds = match answer {
            Called::Value(returned) => is_true(&returned),
            Called::Failed(_) => false,
            Called::Unknown | Called::Stopped(_) => continue,
        };
        asked.answers.insert(key(question), holds);
    }
}

/// Whether Starlark treats a result as true.
fn is_true(returned: &Returned) -> bool {
    match &returned.node.value {
        NodeValue::Null | NodeValue::Bool(false) | NodeValue::Int(Integer::ZERO) => false,
        NodeValue::Float(number) => *number != 0.0,
        NodeValue::String(text) => !text.is_empty(),
        NodeValue::Array(items) => !items.is_empty(),
        NodeValue::Map(items) => !items.is_empty(),
        NodeValue::Bool(true) | NodeValue::Int(_) | NodeValue::Unknown => true,
    }
}
