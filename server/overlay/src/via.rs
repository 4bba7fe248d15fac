//! Functions that compute or check values: `via=` (docs/ytt.md 14.2).

use crate::engine::Overlay;
use crate::functions::{Argument, Called, Fault, Function, Returned, call};
use crate::matching::contains;
use crate::problem::{ProblemKind, Trace, Wrong};
use lofting_document::{ArrayItem, Node, NodeValue, Span};

impl Overlay<'_> {
    /// The value that replaces `left`, or is added if there is none: `right`, or what the function makes of both.
    pub(crate) fn replacement(
        &mut self,
        via: Option<&Function>,
        left: Option<&Node>,
        right: &Node,
        place: Span,
    ) -> Node {
        let Some(function) = via else { return right.clone() };
        if !right.is_known() || left.is_some_and(|left| !left.is_known()) {
            return Node::unknown(right.span);
        }
        let arguments = [left.map_or(Argument::None, Argument::Node), Argument::Node(right)];
        let fault = match call(self.functions, function, &arguments) {
            Called::Value(Returned { node: Node { value: NodeValue::Unknown, .. }, type_name }) => {
                format!("the function given as `via=` returned a {type_name}, which YAML cannot hold").into()
            }
            Called::Value(Returned { mut node, type_name }) => {
                node.raw = is_collection(&type_name);
                self.made_raw |= node.raw;
                return node;
            }
            Called::Unknown => return Node::unknown(right.span),
            Called::Stopped(message) => {
                self.problem(ProblemKind::NotEvaluated { message }, place);
                return Node::unknown(right.span);
            }
            Called::Failed(fault) => fault,
        };
        let wrong = fault.of(function);
        let wrong = match left {
            Some(left) => wrong.about(left),
            None => wrong,
        };
        self.wrong(wrong, place);
        Node::unknown(right.span)
    }

    /// Reports a problem if the assertion rejects `left`.
    pub(crate) fn assert(&mut self, via: Option<&Function>, left: &Node, right: &Node, place: Span) {
        if !left.is_known() || !right.is_known() {
            return;
        }
        let mut trace = Trace::default();
        let failed = match via {
            None => (!contains(left, right)).then_some(None),
            Some(function) => match call(self.functions, function, &[Argument::Node(left), Argument::Node(right)]) {
                Called::Value(returned) => verdict(&returned),
                Called::Failed(Fault { message, hint, calls }) => {
                    (trace.hint, trace.calls) = (hint, calls);
                    Some(Some(message))
                }
                Called::Stopped(message) => return self.problem(ProblemKind::NotEvaluated { message }, place),
                Called::Unknown => None,
            },
        };
        if let Some(message) = failed {
            let function = via.map(|function| function.span);
            let wrong = Wrong { kind: ProblemKind::AssertFailed { message }, function, trace };
            self.wrong(wrong.about(left), place);
        }
    }
}

/// The message of a failed assertion, if it failed: `None`, `True` and `(True, text)` are success. ytt does not look whether the
/// pair is a tuple.
fn verdict(returned: &Returned) -> Option<Option<String>> {
    match (&returned.node.value, returned.type_name.as_str()) {
        (NodeValue::Null, "NoneType") | (NodeValue::Bool(true), _) => None,
        (NodeValue::Bool(false), _) => Some(None),
        (NodeValue::Array(pair), "tuple" | "list" | "set") => match pair.as_slice() {
            [
                ArrayItem { value: Node { value: NodeValue::Bool(held), .. }, .. },
                ArrayItem { value: Node { value: NodeValue::String(text), .. }, .. },
            ] => (!held).then(|| Some(text.to_string())),
            _ => Some(Some("the pair it returned is not a bool and a text".to_owned())),
        },
        (_, other) => {
            Some(Some(format!("it returned a {other}, neither None nor a bool nor a tuple of bool and text")))
        }
    }
}

/// Whether a value of that type is a collection that is not converted into nodes: only fragments are YAML nodes.
fn is_collection(type_name: &str) -> bool {
    matches!(type_name, "dict" | "list" | "tuple" | "set" | "struct")
}
