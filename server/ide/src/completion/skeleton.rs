//! The text after a key: the first line of its children, or all of them with their defaults.

use super::context::Style;
use crate::completion_item::{escape_choice, escape_snippet};
use crate::likely_values::is_accepted;
use crate::yaml_text::{self, ScalarContext};
use lofting_schema::{ArrayShape, ConstraintKind, MapShape, Rest, Schema, SchemaId, Shape};

/// Larger skeletons are not offered, because they would bury the user's text.
const MAX_LINES: usize = 40;
/// Deeper maps are left to their own completion.
const MAX_DEPTH: usize = 5;
/// A choice with more values becomes a plain placeholder.
const MAX_CHOICES: usize = 20;

/// Writes text for values that do not exist yet.
#[derive(Clone, Copy)]
pub(super) struct Skeleton<'a> {
    schema: &'a Schema,
    style: Style,
    flow: bool,
    snippets: bool,
}

/// Whether a map can have no keys at all.
fn is_always_empty(map: &MapShape) -> bool {
    map.keys.is_empty() && map.patterns.is_empty() && map.free.is_empty() && map.rest == Rest::Closed
}

/// A finished skeleton.
pub(super) struct Body {
    pub text: String,
    pub is_snippet: bool,
}

impl<'a> Skeleton<'a> {
    pub(super) fn new(schema: &'a Schema, style: Style, flow: bool, snippets: bool) -> Self {
        Skeleton { schema, style, flow, snippets }
    }

    /// The text after the colon of a key at `column`, so that its value can be typed at the end.
    pub(super) fn opening(&self, id: SchemaId, column: usize) -> String {
        let newline = self.style.newline;
        match self.schema.node(id).shape() {
            Shape::Map(map) if is_always_empty(map) => " {}".to_owned(),
            Shape::Map(_) if !self.flow => format!("{newline}{}", " ".repeat(column + self.style.indent)),
            Shape::Array(_) if !self.flow => format!("{newline}{}- ", " ".repeat(column + self.style.dash)),
            Shape::Map(_) => " {}".to_owned(),
            Shape::Array(_) => " []".to_owned(),
            _ => " ".to_owned(),
        }
    }

    /// What the value of a key at `column` has to have, starting after the colon: the only value that is allowed, or
    /// required keys. None if there are none.
    pub(super) fn of_required(&self, id: SchemaId, column: usize) -> Option<Body> {
        if let Some(value) = self.only_value(id) {
            return Some(Body { text: format!(" {value}"), is_snippet: false });
        }
        let mut writer = Writer { only_required: true, ..Writer::new(self) };
        if self.flow {
            return None;
        }
        match self.schema.node(id).shape() {
            Shape::Map(map) if writer.goes_into(map) => {
                writer.line(column + self.style.indent);
                writer.map(id, column + self.style.indent, 1);
            }
            // Without tab stops, the cursor has to be where the item begins.
            Shape::Array(array) if self.snippets => match self.schema.node(array.item).shape() {
                Shape::Map(map) if writer.goes_into(map) && array.prefix.is_empty() => {
                    let column = column + self.style.dash;
                    writer.line(column);
                    writer.out.push_str("- ");
                    writer.map(array.item, column + 2, 1);
                }
                _ => return None,
            },
            _ => return None,
        }
        writer.finish()
    }

    /// The value of a node that has only one.
    pub(super) fn only_value(&self, id: SchemaId) -> Option<String> {
        let node = self.schema.node(id);
        let place = self.style.scalars(self.flow);
        let listed = node.constraints.iter().find_map(|constraint| match &constraint.kind {
            ConstraintKind::OneOf(values) if !constraint.conditional => Some(values),
            _ => None,
        });
        let Some(values) = listed else {
            let words =
                node.constraints.iter().filter(|it| !it.conditional).find_map(|constraint| match &constraint.kind {
                    ConstraintKind::Pattern(pattern) => pattern.words(),
                    _ => None,
                })?;
            let [word] = words.as_slice() else { return None };
            return (!node.nullable).then(|| yaml_text::string(word, place));
        };
        let mut values = values.iter();
        let (only, None, false) = (values.next()?, values.next(), node.nullable) else { return None };
        yaml_text::scalar(&only.value, place)
    }

    /// The keys of a map that may be there together, the first at the cursor, the others on lines at `column`.
    pub(super) fn of_map(&self, id: SchemaId, column: usize) -> Option<Body> {
        let mut writer = Writer::new(self);
        writer.map(id, column, 1);
        writer.finish()
    }
}

struct Writer<'a> {
    skeleton: Skeleton<'a>,
    /// Optional keys are left out.
    only_required: bool,
    out: String,
    lines: usize,
    stops: usize,
}

impl<'a> Writer<'a> {
    fn new(skeleton: &Skeleton<'a>) -> Self {
        Writer { skeleton: *skeleton, only_required: false, out: String::new(), lines: 1, stops: 0 }
    }

    fn finish(self) -> Option<Body> {
        (self.lines <= MAX_LINES).then_some(Body { text: self.out, is_snippet: self.skeleton.snippets })
    }

    /// Whether keys of a map below are written.
    fn goes_into(&self, map: &MapShape) -> bool {
        map.keys.iter().any(|key| key.required || !self.only_required)
    }

    fn line(&mut self, column: usize) {
        self.lines += 1;
        self.out.push_str(self.skeleton.style.newline);
        self.out.extend(std::iter::repeat_n(' ', column));
    }

    fn literal(&mut self, text: &str) {
        if self.skeleton.snippets {
            self.out.push_str(&escape_snippet(text));
        } else {
            self.out.push_str(text);
        }
    }

    fn map(&mut self, id: SchemaId, column: usize, depth: usize) {
        let only_required = self.only_required;
        let current = self.skeleton.schema.keys_together(id).into_iter().filter(|key| {
            let docs = &self.skeleton.schema.node(key.schema).docs;
            let is_current = docs.deprecated.is_none() && docs.removed.is_none() && !docs.unoffered;
            is_current && (key.required || !only_required)
        });
        for (index, key) in current.enumerate() {
            if self.lines > MAX_LINES {
                return;
            }
            if index > 0 {
                self.line(column);
            }
            let semantics = self.skeleton.schema.semantics();
            self.literal(&yaml_text::declared_key(semantics, &key.key, ScalarContext::Block));
            self.out.push(':');
            let node = self.skeleton.schema.node(key.schema);
            match node.shape() {
                Shape::Map(inner) if self.goes_into(inner) && !node.nullable && depth < MAX_DEPTH => {
                    let column = column + self.skeleton.style.indent;
                    self.line(column);
                    self.map(key.schema, column, depth + 1);
                }
                Shape::Array(array) if self.only_required && !node.nullable && depth < MAX_DEPTH => {
                    self.array(array, column + self.skeleton.style.dash, depth + 1);
                }
                Shape::Map(inner) if self.only_required && !is_always_empty(inner) && !node.nullable => {
                    if self.skeleton.snippets {
                        self.line(column + self.skeleton.style.indent);
                        self.stop();
                    }
                }
                Shape::Map(_) | Shape::Array(_) if self.only_required => self.hole(),
                _ => self.scalar(key.schema),
            }
        }
    }

    /// The first item of an array at a column, below its key.
    fn array(&mut self, array: &ArrayShape, column: usize, depth: usize) {
        let item = match self.skeleton.schema.node(array.item).shape() {
            Shape::Map(map) if self.goes_into(map) && array.prefix.is_empty() => Some(array.item),
            _ => None,
        };
        if !self.skeleton.snippets {
            return;
        }
        self.line(column);
        self.out.push_str("- ");
        match item {
            Some(id) => self.map(id, column + 2, depth),
            None => self.stop(),
        }
    }

    /// A placeholder where the user continues, on the line of a key.
    fn hole(&mut self) {
        self.out.push(' ');
        if self.skeleton.snippets {
            self.stop();
        }
    }

    fn stop(&mut self) {
        self.stops += 1;
        self.out.push_str(&format!("${}", self.stops));
    }

    /// A value on the line of its key: the default as a placeholder, allowed values as a choice.
    fn scalar(&mut self, id: SchemaId) {
        let node = self.skeleton.schema.node(id);
        let default = self.skeleton.schema.effective_default(id);
        let default = Some(default).filter(|default| is_accepted(self.skeleton.schema, id, default));
        let default = default.and_then(|default| yaml_text::value(&default, ScalarContext::Block));
        self.out.push(' ');
        if let Some(value) = self.skeleton.only_value(id) {
            self.literal(&value);
            return;
        }
        if !self.skeleton.snippets {
            self.out.push_str(&default.unwrap_or_default());
            return;
        }
        self.stops += 1;
        let stop = self.stops;
        let allowed = node.constraints.iter().find_map(|constraint| match &constraint.kind {
            ConstraintKind::OneOf(values) if values.len() <= MAX_CHOICES => Some(values),
            _ => None,
        });
        let mut choices: Vec<String> = Vec::new();
        choices.extend(default.clone().filter(|_| allowed.is_some() || matches!(node.shape(), Shape::Bool)));
        let listed = allowed.into_iter().flatten().filter_map(|value| yaml_text::value(value, ScalarContext::Block));
        choices.extend(listed);
        if matches!(node.shape(), Shape::Bool) {
            choices.extend(["true".to_owned(), "false".to_owned()]);
        }
        let mut seen: Vec<String> = Vec::new();
        choices.retain(|choice| {
            let new = !seen.contains(choice);
            seen.push(choice.clone());
            new
        });
        if choices.len() > 1 {
            let list: Vec<String> = choices.iter().map(|choice| escape_choice(choice)).collect();
            self.out.push_str(&format!("${{{stop}|{}|}}", list.join(",")));
        } else {
            match default {
                Some(text) => self.out.push_str(&format!("${{{stop}:{}}}", escape_snippet(&text))),
                None => self.out.push_str(&format!("${stop}")),
            }
        }
    }
}
