use crate::proposals::SEMANTICS;
use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::{Node, NodeValue, Notes};
use lofting_schema::{Declared, Kinds};

rule! {
    /// # A value in the schema has none of the types listed for it
    ///
    /// ## What
    /// `@schema/type` lists the types of the node, and its own value is of another.
    ///
    /// ## Why
    /// The value is the default: it would be refused.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/definition data_values=True
    /// ---
    /// #@schema/type one_of=["int"]
    /// a: some
    /// ```
    ///
    /// ## How to fix
    /// Change the value, add its type to the list, or write `or_inferred=True`.
    pub static RULE: Rule = Rule {
        code: "proposals/type-excludes-value",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::RelatedPlace,
    };
}

/// Looks at a value, which is the default, so that it has to fit the listed kinds even if something overrides it.
pub(crate) fn look(value: &Node, listed: Kinds, notes: &Notes, declared: Declared) -> Option<Diagnostic> {
    if Kinds::of(&value.value).is_none_or(|own| listed.has(own)) {
        return None;
    }
    let expected = listed.words(&SEMANTICS.words).join(" or ");
    let message = format!("the value is {}, but only {expected} is allowed here", kind_word(&value.value));
    let mut finding = Diagnostic::new(&RULE, declared.name, message);
    if let Some(note) = notes.get("schema/type") {
        finding = finding.related(note.span, "the types are listed here");
    }
    let is_collection = matches!(value.value, NodeValue::Map(_) | NodeValue::Array(_));
    Some(if is_collection { finding.help("add `or_inferred=True` to allow what the value describes") } else { finding })
}

/// The type of a value in the words of messages.
fn kind_word(value: &NodeValue) -> &'static str {
    match value {
        NodeValue::Null => "null",
        NodeValue::Bool(_) => "a boolean",
        NodeValue::Int(_) => "an integer",
        NodeValue::Float(_) => "a float",
        NodeValue::String(_) => "a string",
        NodeValue::Map(_) => "a map",
        NodeValue::Array(_) => "an array",
        NodeValue::Unknown => "unknown",
    }
}
