//! Describes a schema node in words, for hovers and completion, briefly and in a fixed order.

use crate::markdown::{Page, Words};
use crate::yaml_text::{self, ScalarContext};
use lofting_document::{Key, Node, NodeValue, Span};
use lofting_schema::semantics::LengthUnit;
use lofting_schema::{Access, Constraint, ConstraintKind, Schema, SchemaId, SchemaNode, Shape};
use lofting_workspace::Snapshot;

/// How many allowed values or examples are listed; the others are counted.
const MAX_VALUES: usize = 12;
/// At most this many examples are shown.
const MAX_EXAMPLES: usize = 3;
/// Longer values are cut.
const MAX_VALUE_LENGTH: usize = 80;

/// The default of a node on one line, if it is known and worth showing: a map's default follows from its keys and is
/// shown only if it was given for the whole map.
pub(crate) fn default_words(node: &SchemaNode) -> Option<String> {
    let default = node.default.as_ref()?;
    if matches!(node.shape(), Shape::Map(_)) && !default.explicit && !node.nullable {
        return None;
    }
    yaml_text::value(&default.value, ScalarContext::Block).map(shorten)
}

/// The facts about a node, except for title and type: a paragraph of description and one line per fact.
pub(crate) fn facts(snapshot: &Snapshot, schema: &Schema, id: SchemaId) -> Page {
    let node = schema.node(id);
    let mut facts = Facts { snapshot, length: schema.semantics().length, lines: Vec::new() };
    if let Some(removed) = &node.docs.removed {
        facts.line("Removed: ", Words::default().described(&removed.text));
    }
    if let Some(deprecated) = &node.docs.deprecated {
        facts.line("Deprecated: ", Words::default().described(&deprecated.text));
    }
    match node.docs.access {
        Some(Access::ReadOnly) => facts.line("Access: ", Words::default().ours("read-only")),
        Some(Access::WriteOnly) => facts.line("Access: ", Words::default().ours("write-only")),
        None => {}
    }
    if let Some(default) = default_words(node) {
        facts.line("Default: ", Words::default().code(default));
    }
    facts.rules(node);
    for example in node.docs.examples.iter().take(MAX_EXAMPLES) {
        let value = yaml_text::value(&example.value, ScalarContext::Block);
        let value = value.map(|value| Words::default().code(shorten(value)));
        let words = match (value, example.description.as_str()) {
            (Some(value), "") => value,
            (Some(value), description) => value.ours(" (").described(description).ours(")"),
            (None, "") => continue,
            (None, description) => Words::default().described(description),
        };
        facts.line("Example: ", words);
    }
    if node.docs.from_doc {
        // ytt reads only the second name, but people write the first (it is in the design documents).
        let hint = "written as `@schema/doc`, which ytt ignores: it reads `@schema/desc`";
        facts.line("Note: ", Words::default().ours(hint));
    }
    match &node.docs.description {
        Some(description) => Page::default().description(&*description.text).lines(facts.lines),
        None => Page::default().lines(facts.lines),
    }
}

/// The validations of a node, one line each.
pub(crate) fn rules(snapshot: &Snapshot, schema: &Schema, node: &SchemaNode) -> Page {
    let mut facts = Facts { snapshot, length: schema.semantics().length, lines: Vec::new() };
    facts.rules(node);
    Page::default().lines(facts.lines)
}

struct Facts<'s> {
    /// The unit of string lengths.
    length: LengthUnit,
    snapshot: &'s Snapshot,
    lines: Vec<Words>,
}

impl Facts<'_> {
    fn line(&mut self, label: &'static str, words: Words) {
        self.lines.push(Words::default().ours(label).words(words));
    }

    fn rules(&mut self, node: &SchemaNode) {
        self.constraints(node);
        for rule in node.rules.iter().take(MAX_VALUES) {
            match rule.description.as_deref() {
                Some(description) if description.starts_with("Validation: ") => {
                    self.lines.push(Words::default().described(description));
                }
                Some(description) => self.line("Must be: ", Words::default().described(description)),
                None => self.line("Rule: ", Words::default().code(self.source(rule.span))),
            }
        }
        if let Some(condition) = &node.condition {
            self.line("Only if: ", Words::default().code(self.source(condition.span)));
        }
    }

    /// The source of a function; for a lambda, its body.
    fn source(&self, span: Span) -> String {
        let text = self.snapshot.text(span.file);
        let written = text.slice(span.range()).into_owned();
        let body = written.strip_prefix("lambda").and_then(|rest| rest.split_once(':')).map(|(_, body)| body);
        shorten(body.unwrap_or(&written).split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn constraints(&mut self, node: &SchemaNode) {
        // A condition that applies to all of them has a line of its own.
        let condition = |constraint: &Constraint| condition(constraint, node);
        let mut range = Bounds::default();
        let mut length = Bounds::default();
        for constraint in &node.constraints {
            let shown = |value: &Node| {
                yaml_text::value(value, ScalarContext::Block).map(|text| Words::default().code(shorten(text)))
            };
            match &constraint.kind {
                ConstraintKind::Min(value) => range.set_low("at least", shown(value), condition(constraint)),
                ConstraintKind::Max(value) => range.set_high("at most", shown(value), condition(constraint)),
                ConstraintKind::ExclusiveMin(value) => range.set_low("more than", shown(value), condition(constraint)),
                ConstraintKind::ExclusiveMax(value) => range.set_high("less than", shown(value), condition(constraint)),
                ConstraintKind::MinLength(value) => {
                    length.set_low("at least", Some(Words::default().text(value.to_string())), condition(constraint));
                }
                ConstraintKind::MaxLength(value) => {
                    length.set_high("at most", Some(Words::default().text(value.to_string())), condition(constraint));
                }
                ConstraintKind::OneOf(values) => {
                    let list = Words::list(values.iter().take(MAX_VALUES).filter_map(shown));
                    let more = values.len().saturating_sub(MAX_VALUES);
                    let list = if more > 0 { list.text(format!(" and {more} more")) } else { list };
                    self.line("Allowed: ", list.ours(condition(constraint)));
                    let meanings = values.iter().zip(&node.docs.of_values).filter(|(_, about)| !about.is_empty());
                    let meaning =
                        |(value, about): (&Node, &String)| Some(shown(value)?.ours(": ").described(about.as_str()));
                    self.lines.extend(meanings.take(MAX_VALUES).filter_map(meaning));
                }
                ConstraintKind::NotNull => {
                    self.line("Must be: ", Words::default().ours("not null").ours(condition(constraint)));
                }
                ConstraintKind::OneNotNull(keys) => {
                    let words = match keys {
                        Some(keys) => Words::default().ours("exactly one of ").words(listed(keys)).ours(" is not null"),
                        None => Words::default().ours("exactly one of its keys is not null"),
                    };
                    self.line("Rule: ", words.ours(condition(constraint)));
                }
                ConstraintKind::MultipleOf(number) => {
                    self.line("Multiple of: ", Words::default().code(number.to_string()));
                }
                ConstraintKind::Pattern(pattern) => self.line("Pattern: ", Words::default().code(&*pattern.source)),
                ConstraintKind::StartsWith(text) => self.line("Starts with: ", Words::default().code(&**text)),
                ConstraintKind::EndsWith(text) => self.line("Ends with: ", Words::default().code(&**text)),
                ConstraintKind::Format(format) | ConstraintKind::FormatHint(format) => {
                    self.line("Format: ", Words::default().code(&**format))
                }
                ConstraintKind::UniqueItems => self.line("Items: ", Words::default().ours("all different")),
            }
        }
        if let Some(words) = range.words("") {
            self.line("Range: ", words);
        }
        let unit = match node.shape() {
            Shape::String if self.length == LengthUnit::Bytes => " bytes",
            Shape::String => " characters",
            Shape::Map(_) => " keys",
            Shape::Array(_) => " items",
            _ => "",
        };
        if let Some(words) = length.words(unit) {
            self.line("Length: ", words);
        }
    }
}

fn listed(keys: &[Key]) -> Words {
    Words::list(keys.iter().take(MAX_VALUES).map(|key| Words::default().code(key.to_string())))
}

/// A lower and an upper bound, each as words and value.
#[derive(Default)]
struct Bounds {
    low: Option<(&'static str, Words)>,
    high: Option<(&'static str, Words)>,
    condition: &'static str,
}

impl Bounds {
    fn set_low(&mut self, words: &'static str, value: Option<Words>, condition: &'static str) {
        self.low = value.map(|value| (words, value));
        self.condition = condition;
    }

    fn set_high(&mut self, words: &'static str, value: Option<Words>, condition: &'static str) {
        self.high = value.map(|value| (words, value));
        self.condition = condition;
    }

    fn words(self, unit: &'static str) -> Option<Words> {
        let one = Words::default().text("1");
        let words = match (self.low, self.high) {
            (None, None) => return None,
            (Some(("at least", low)), Some(("at most", high))) => low.ours(" to ").words(high).ours(unit),
            (Some((low_words, low)), Some((high_words, high))) => {
                let low = Words::default().ours(low_words).ours(" ").words(low);
                low.ours(", ").ours(high_words).ours(" ").words(high).ours(unit)
            }
            (Some((words, value)), None) | (None, Some((words, value))) => {
                let unit = if value == one { unit.trim_end_matches('s') } else { unit };
                Words::default().ours(words).ours(" ").words(value).ours(unit)
            }
        };
        Some(words.ours(self.condition))
    }
}

fn condition(constraint: &Constraint, node: &SchemaNode) -> &'static str {
    if constraint.conditional && node.condition.is_none() { " (under a condition)" } else { "" }
}

/// Cuts a long value.
pub(crate) fn shorten(text: String) -> String {
    if text.chars().count() <= MAX_VALUE_LENGTH {
        return text;
    }
    let mut short: String = text.chars().take(MAX_VALUE_LENGTH - 1).collect();
    short.push('…');
    short
}

/// Whether a value is a scalar that can be offered as it is.
pub(crate) fn is_scalar(node: &Node) -> bool {
    matches!(
        node.value,
        NodeValue::Null | NodeValue::Bool(_) | NodeValue::Int(_) | NodeValue::Float(_) | NodeValue::String(_)
    )
}
