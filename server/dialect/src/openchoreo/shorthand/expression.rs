//! The grammar of one definition: `[]string | default=["a"] minItems=1`.
//!
//! Parsing never fails: half-typed text gives an unknown type, or a marker without a value. All ranges are bytes of the
//! text of the YAML scalar.

use std::ops::Range;

/// A definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    /// The lists and maps around the innermost type, outermost first.
    pub layers: Vec<Layer>,
    /// The innermost type.
    pub core: Core,
    /// The range of the innermost type, without blanks.
    pub core_range: Range<usize>,
    /// The range of the whole type, without blanks.
    pub type_range: Range<usize>,
    /// The offset of the bar between the type and its markers.
    pub bar: Option<usize>,
    /// The markers after the bar.
    pub markers: Vec<Marker>,
}

/// A list or map around a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// List or map.
    pub kind: LayerKind,
    /// Its range, including everything inside it.
    pub range: Range<usize>,
}

/// What a layer is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LayerKind {
    /// `[]T`, `array<T>`
    List,
    /// `map<T>`, `map[string]T`
    Map {
        /// The range of the key type, if it is not `string`.
        wrong_key: Option<Range<usize>>,
    },
}

/// A type without lists and maps around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Core {
    /// A primitive type.
    Primitive(Primitive),
    /// The word `object`, which is not a type.
    Object,
    /// Any other text: possibly the name of a custom type.
    Named,
    /// `map[` without its closing bracket.
    BrokenMap,
    /// Nested beyond the limit.
    TooDeep,
}

/// The predefined types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Primitive {
    /// `string`
    String,
    /// `integer`
    Integer,
    /// `number`
    Number,
    /// `boolean`
    Boolean,
}

impl Primitive {
    /// All of them, in the order in which people need them.
    pub const ALL: [Primitive; 4] = [Primitive::String, Primitive::Integer, Primitive::Boolean, Primitive::Number];

    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            Primitive::String => "string",
            Primitive::Integer => "integer",
            Primitive::Number => "number",
            Primitive::Boolean => "boolean",
        }
    }

    fn named(name: &str) -> Option<Primitive> {
        Primitive::ALL.into_iter().find(|primitive| primitive.name() == name)
    }
}

/// A word after the bar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    /// Its range.
    pub range: Range<usize>,
    /// The text before the first `=`, or all of it.
    pub key: Range<usize>,
    /// The text after the `=`; None if there is none.
    pub value: Option<Range<usize>>,
    /// The offset of a quote or bracket that is not closed, so that the rest of the text belongs to this word.
    pub unclosed: Option<usize>,
}

/// The maximum depth of types that are parsed.
const LAYERS: usize = 64;

/// Parses a definition.
pub fn parse(text: &str) -> Expression {
    let bar = text.find('|');
    let type_range = trimmed(text, 0..bar.unwrap_or(text.len()));
    let (layers, core, core_range) = read_type(text, type_range.clone());
    let markers = bar.map(|bar| markers(text, bar + 1)).unwrap_or_default();
    Expression { layers, core, core_range, type_range, bar, markers }
}

/// A range without the white space at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let Some(inner) = text.get(range.clone()) else { return range };
    let start = range.start + (inner.len() - inner.trim_start().len());
    start..start + inner.trim().len()
}

fn read_type(text: &str, whole: Range<usize>) -> (Vec<Layer>, Core, Range<usize>) {
    let mut layers = Vec::new();
    let mut range = whole;
    loop {
        let word = text.get(range.clone()).unwrap_or_default();
        if let Some(primitive) = Primitive::named(word) {
            return (layers, Core::Primitive(primitive), range);
        }
        if word == "object" {
            return (layers, Core::Object, range);
        }
        if layers.len() >= LAYERS {
            return (layers, Core::TooDeep, range);
        }
        let (kind, inner) = if word.starts_with("[]") {
            (LayerKind::List, range.start + 2..range.end)
        } else if word.starts_with("array<") && word.ends_with('>') {
            (LayerKind::List, range.start + 6..range.end - 1)
        } else if word.starts_with("map<") && word.ends_with('>') {
            (LayerKind::Map { wrong_key: None }, range.start + 4..range.end - 1)
        } else if word.starts_with("map[") {
            let Some(end) = word.find(']') else { return (layers, Core::BrokenMap, range) };
            let key = trimmed(text, range.start + 4..range.start + end);
            let wrong_key = (text.get(key.clone()) != Some("string")).then_some(key);
            (LayerKind::Map { wrong_key }, range.start + end + 1..range.end)
        } else {
            return (layers, Core::Named, range);
        };
        layers.push(Layer { kind, range });
        range = trimmed(text, inner);
    }
}

/// The words from `start` on. White space separates them, except in quotes or brackets.
fn markers(text: &str, start: usize) -> Vec<Marker> {
    let mut markers = Vec::new();
    let mut word: Option<usize> = None;
    let mut scan = Scan::default();
    let mut push = |range: Range<usize>, unclosed: Option<usize>| {
        let written = text.get(range.clone()).unwrap_or_default();
        if written == "|" {
            return;
        }
        let equals = written.find('=').map(|at| range.start + at);
        let key = trimmed(text, range.start..equals.unwrap_or(range.end));
        let value = equals.map(|at| trimmed(text, at + 1..range.end));
        markers.push(Marker { range, key, value, unclosed });
    };
    for (at, c) in text.get(start..).unwrap_or_default().char_indices() {
        let at = start + at;
        if c.is_whitespace() && !scan.is_inside() {
            if let Some(begin) = word.take() {
                push(begin..at, None);
            }
            continue;
        }
        word.get_or_insert(at);
        scan.take(at, c);
    }
    if let Some(begin) = word {
        push(begin..text.trim_end().len().max(begin), scan.open());
    }
    markers
}

/// The open quotes and brackets.
#[derive(Default)]
struct Scan {
    quote: Option<(usize, char)>,
    escaped: bool,
    /// The offsets of open brackets. A closing bracket of any kind closes the last one.
    brackets: Vec<usize>,
}

impl Scan {
    fn take(&mut self, at: usize, c: char) {
        if let Some((_, quote)) = self.quote {
            if self.escaped {
                self.escaped = false;
            } else if c == '\\' {
                self.escaped = true;
            } else if c == quote {
                self.quote = None;
            }
            return;
        }
        match c {
            '\'' | '"' => self.quote = Some((at, c)),
            '{' | '[' => self.brackets.push(at),
            '}' | ']' => drop(self.brackets.pop()),
            _ => {}
        }
    }

    fn is_inside(&self) -> bool {
        self.quote.is_some() || !self.brackets.is_empty()
    }

    fn open(&self) -> Option<usize> {
        self.quote.map(|(at, _)| at).or(self.brackets.first().copied())
    }
}

#[cfg(test)]
mod tests;
