//! A schema node in words: what hovers and completion say about it, in a fixed order and short.

use crate::yaml_text::{self, Place};
use lofting_document::{Key, Node, NodeValue, Span};
use lofting_schema::{Constraint, ConstraintKind, Schema, SchemaId, SchemaNode, Shape};
use lofting_workspace::Snapshot;

/// How text is marked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Markup {
    /// Markdown.
    Markdown,
    /// Plain text.
    #[default]
    Plain,
}

/// A text of ours with names in backquotes, which mean nothing in plain text.
pub(crate) fn prose(text: &str, markup: Markup) -> String {
    match markup {
        Markup::Markdown => text.to_owned(),
        Markup::Plain => text.replace('`', ""),
    }
}

/// At most this many allowed values or examples are listed; the rest is counted.
const MAX_VALUES: usize = 12;
/// At most this many examples are shown.
const MAX_EXAMPLES: usize = 3;
/// Longer values are cut.
const MAX_VALUE_LENGTH: usize = 80;

/// The default of a node on one line, if it is known and says something: a map's default follows
/// from its keys and is only shown when it was given for the map as a whole.
pub(crate) fn default_words(node: &SchemaNode) -> Option<String> {
    let default = node.default.as_ref()?;
    if matches!(node.shape, Shape::Map(_)) && !default.explicit && !node.nullable {
        return None;
    }
    yaml_text::value(&default.value, Place::Block).map(shorten)
}

/// All that is known of a node, title and type aside: one paragraph of description and one line per fact.
pub(crate) fn facts(snapshot: &Snapshot, schema: &Schema, id: SchemaId, markup: Markup) -> String {
    let node = schema.node(id);
    let mut facts = Facts { snapshot, markup, description: String::new(), lines: Vec::new() };
    if let Some(removed) = &node.docs.removed {
        facts.line("Removed", facts.text(&removed.text));
    }
    if let Some(deprecated) = &node.docs.deprecated {
        facts.line("Deprecated", facts.text(&deprecated.text));
    }
    if let Some(description) = &node.docs.description {
        facts.description = facts.text(description.text.trim());
    }
    if let Some(default) = default_words(node) {
        facts.line("Default", facts.code(&default));
    }
    facts.rules(node);
    for example in node.docs.examples.iter().take(MAX_EXAMPLES) {
        let value = yaml_text::value(&example.value, Place::Block).map(|value| facts.code(&shorten(value)));
        let words = match (value, example.description.as_str()) {
            (Some(value), "") => value,
            (Some(value), description) => format!("{value} ({})", facts.text(description)),
            (None, "") => continue,
            (None, description) => facts.text(description),
        };
        facts.line("Example", words);
    }
    if node.docs.from_doc {
        // ytt reads only the second name, but people write the first (it is in the design documents).
        let hint = format!(
            "written as {}, which ytt ignores: it reads {}",
            facts.code("@schema/doc"),
            facts.code("@schema/desc")
        );
        facts.line("Note", hint);
    }
    facts.finish()
}

/// What the validations of a node allow, one line for each.
pub(crate) fn rules(snapshot: &Snapshot, node: &SchemaNode, markup: Markup) -> String {
    let mut facts = Facts { snapshot, markup, description: String::new(), lines: Vec::new() };
    facts.rules(node);
    facts.finish()
}

struct Facts<'s> {
    snapshot: &'s Snapshot,
    markup: Markup,
    description: String,
    lines: Vec<String>,
}

impl Facts<'_> {
    fn line(&mut self, label: &str, text: String) {
        self.lines.push(format!("{label}: {text}"));
    }

    fn code(&self, text: &str) -> String {
        code(text, self.markup)
    }

    fn text(&self, text: &str) -> String {
        match self.markup {
            Markup::Markdown => escape_markdown(text),
            Markup::Plain => text.to_owned(),
        }
    }

    fn finish(self) -> String {
        // In Markdown a single line break is none: two spaces at the end keep it.
        let lines = self.lines.join(match self.markup {
            Markup::Markdown => "  \n",
            Markup::Plain => "\n",
        });
        match (self.description.is_empty(), lines.is_empty()) {
            (true, _) => lines,
            (false, true) => self.description,
            (false, false) => format!("{}\n\n{lines}", self.description),
        }
    }

    fn rules(&mut self, node: &SchemaNode) {
        self.constraints(node);
        for rule in node.rules.iter().take(MAX_VALUES) {
            match rule.description.as_deref() {
                Some(description) => self.line("Must be", self.text(description)),
                None => self.line("Rule", self.code(&self.source(rule.span))),
            }
        }
        if let Some(condition) = &node.condition {
            self.line("Only if", self.code(&self.source(condition.span)));
        }
    }

    /// A function as it is written; of a lambda what it computes.
    fn source(&self, span: Span) -> String {
        let text = self.snapshot.text(span.file);
        let written = text.slice(span.range()).into_owned();
        let body = written.strip_prefix("lambda").and_then(|rest| rest.split_once(':')).map(|(_, body)| body);
        shorten(body.unwrap_or(&written).split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn constraints(&mut self, node: &SchemaNode) {
        // The condition of all of them has a line of its own.
        let condition = |constraint: &Constraint| condition(constraint, node);
        let mut range = Bounds::default();
        let mut length = Bounds::default();
        for constraint in &node.constraints {
            let shown = |value: &Node| yaml_text::value(value, Place::Block).map(|text| self.code(&shorten(text)));
            match &constraint.kind {
                ConstraintKind::Min(value) => range.set_low("at least", shown(value), condition(constraint)),
                ConstraintKind::Max(value) => range.set_high("at most", shown(value), condition(constraint)),
                ConstraintKind::ExclusiveMin(value) => range.set_low("more than", shown(value), condition(constraint)),
                ConstraintKind::ExclusiveMax(value) => range.set_high("less than", shown(value), condition(constraint)),
                ConstraintKind::MinLength(value) => {
                    length.set_low("at least", Some(value.to_string()), condition(constraint));
                }
                ConstraintKind::MaxLength(value) => {
                    length.set_high("at most", Some(value.to_string()), condition(constraint));
                }
                ConstraintKind::OneOf(values) => {
                    let list: Vec<_> = values.iter().take(MAX_VALUES).filter_map(shown).collect();
                    let more = values.len().saturating_sub(MAX_VALUES);
                    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                    let words = format!("{}{more}{}", list.join(", "), condition(constraint));
                    self.line("Allowed", words);
                }
                ConstraintKind::NotNull => self.line("Must be", format!("not null{}", condition(constraint))),
                ConstraintKind::OneNotNull(keys) => {
                    let keys = keys.as_ref().map(|keys| self.keys(keys));
                    let words = match keys {
                        Some(keys) => format!("exactly one of {keys} is not null"),
                        None => "exactly one of its keys is not null".to_owned(),
                    };
                    self.line("Rule", format!("{words}{}", condition(constraint)));
                }
                ConstraintKind::MultipleOf(number) => self.line("Multiple of", self.code(&number.to_string())),
                ConstraintKind::Pattern(pattern) => self.line("Pattern", self.code(&pattern.source)),
                ConstraintKind::Format(format) => self.line("Format", self.code(format)),
                ConstraintKind::UniqueItems => self.line("Items", "all different".to_owned()),
            }
        }
        if let Some(words) = range.words("") {
            self.line("Range", words);
        }
        // ytt counts the bytes of a text (reference 13.2).
        let unit = match node.shape {
            Shape::String => " bytes",
            Shape::Map(_) => " keys",
            Shape::Array(_) => " items",
            _ => "",
        };
        if let Some(words) = length.words(unit) {
            self.line("Length", words);
        }
    }

    fn keys(&self, keys: &[Key]) -> String {
        let list: Vec<_> = keys.iter().take(MAX_VALUES).map(|key| self.code(&key.to_string())).collect();
        list.join(", ")
    }
}

/// A lower and an upper bound, each `words value`.
#[derive(Default)]
struct Bounds {
    low: Option<(&'static str, String)>,
    high: Option<(&'static str, String)>,
    condition: &'static str,
}

impl Bounds {
    fn set_low(&mut self, words: &'static str, value: Option<String>, condition: &'static str) {
        self.low = value.map(|value| (words, value));
        self.condition = condition;
    }

    fn set_high(&mut self, words: &'static str, value: Option<String>, condition: &'static str) {
        self.high = value.map(|value| (words, value));
        self.condition = condition;
    }

    fn words(self, unit: &str) -> Option<String> {
        let condition = self.condition;
        Some(match (self.low, self.high) {
            (None, None) => return None,
            (Some(("at least", low)), Some(("at most", high))) => format!("{low} to {high}{unit}{condition}"),
            (Some((low_words, low)), Some((high_words, high))) => {
                format!("{low_words} {low}, {high_words} {high}{unit}{condition}")
            }
            (Some((words, value)), None) | (None, Some((words, value))) => {
                let unit = if value == "1" { unit.trim_end_matches('s') } else { unit };
                format!("{words} {value}{unit}{condition}")
            }
        })
    }
}

fn condition(constraint: &Constraint, node: &SchemaNode) -> &'static str {
    if constraint.conditional && node.condition.is_none() { " (under a condition)" } else { "" }
}

/// A value or name in the markup's code form.
pub(crate) fn code(text: &str, markup: Markup) -> String {
    match markup {
        Markup::Plain => text.to_owned(),
        Markup::Markdown if text.contains('`') => format!("`` {text} ``"),
        Markup::Markdown => format!("`{text}`"),
    }
}

/// Keeps what people write from turning into HTML; Markdown in descriptions is welcome.
fn escape_markdown(text: &str) -> String {
    text.replace('<', "&lt;")
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

/// Whether a value is a scalar that can be offered as it stands.
pub(crate) fn is_scalar(node: &Node) -> bool {
    matches!(
        node.value,
        NodeValue::Null | NodeValue::Bool(_) | NodeValue::Int(_) | NodeValue::Float(_) | NodeValue::String(_)
    )
}

/// As [`code`], but nothing for nothing.
pub(crate) fn code_if(text: &str, markup: Markup) -> String {
    if text.is_empty() { String::new() } else { code(text, markup) }
}
