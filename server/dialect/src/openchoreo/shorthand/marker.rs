//! All markers, as data: the values they take, the kinds they apply to, and their meaning.

use super::literal;

/// The kind of values that a definition describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkedType {
    /// Text.
    String,
    /// Integers.
    Integer,
    /// Numbers.
    Number,
    /// Booleans.
    Boolean,
    /// Lists.
    Array,
    /// Maps and objects.
    Object,
    /// Unknown, because the type is wrong.
    Unknown,
}

/// What a marker takes after its `=`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// A value of the type.
    Literal,
    /// Values of the type, between commas.
    Literals,
    /// A number.
    Number,
    /// A boolean.
    Flag,
    /// An integer.
    Length,
    /// Text, quoted or not.
    Text,
    /// Anything.
    Example,
}

/// A marker.
#[derive(Debug, PartialEq, Eq)]
pub struct MarkerKind {
    /// Its name, which is also that of the keyword in OpenAPI.
    pub name: &'static str,
    /// Its value.
    pub takes: Takes,
    /// The kinds of values it applies to; empty for all.
    pub about: &'static [MarkedType],
    /// Its meaning, for people.
    pub meaning: &'static str,
}

const NUMBERS: &[MarkedType] = &[MarkedType::Integer, MarkedType::Number];
const STRINGS: &[MarkedType] = &[MarkedType::String];
const ARRAYS: &[MarkedType] = &[MarkedType::Array];
const OBJECTS: &[MarkedType] = &[MarkedType::Object];

/// The marker whose value decides which kinds it applies to.
const FORMAT: &str = "format";

/// The formats of numbers: defaults are compared with them.
const NUMBER_FORMATS: &[&str] = &["int32", "int64", "float", "double"];

/// All markers, the most common ones first.
pub static MARKERS: &[MarkerKind] = &[
    of("default", Takes::Literal, &[], "The value where none is given. A field without a default is required."),
    of("description", Takes::Text, &[], "What the field is for."),
    of("enum", Takes::Literals, &[], "The values there are, between commas."),
    of("minimum", Takes::Number, NUMBERS, "The least number."),
    of("maximum", Takes::Number, NUMBERS, "The greatest number."),
    of("exclusiveMinimum", Takes::Flag, NUMBERS, "Whether `minimum` itself is too small."),
    of("exclusiveMaximum", Takes::Flag, NUMBERS, "Whether `maximum` itself is too large."),
    of("multipleOf", Takes::Number, NUMBERS, "The number is a multiple of this one."),
    of("minLength", Takes::Length, STRINGS, "The fewest characters."),
    of("maxLength", Takes::Length, STRINGS, "The most characters."),
    of("pattern", Takes::Text, STRINGS, "A regular expression (RE2) that is found in the text."),
    of(FORMAT, Takes::Text, STRINGS, "The name of a format, such as `email` or `date-time`."),
    of("minItems", Takes::Length, ARRAYS, "The fewest items."),
    of("maxItems", Takes::Length, ARRAYS, "The most items."),
    of("minProperties", Takes::Length, OBJECTS, "The fewest keys."),
    of("maxProperties", Takes::Length, OBJECTS, "The most keys."),
    of("title", Takes::Text, &[], "A short name."),
    of("example", Takes::Example, &[], "An example of a value."),
];

const fn of(name: &'static str, takes: Takes, about: &'static [MarkedType], meaning: &'static str) -> MarkerKind {
    MarkerKind { name, takes, about, meaning }
}

/// The prefix of markers that are ignored: notes for tools.
pub const NOTE: &str = "oc:";

impl MarkerKind {
    /// The marker with this name.
    pub fn named(name: &str) -> Option<&'static MarkerKind> {
        MARKERS.iter().find(|marker| marker.name == name)
    }

    /// Whether it applies to values of a kind, with any value that it may have.
    pub fn may_say_of(&self, kind: MarkedType) -> bool {
        self.says_of(kind, "") || self.name == FORMAT && NUMBERS.contains(&kind)
    }

    /// Whether it applies to values of a kind, with the value that it has.
    pub fn says_of(&self, kind: MarkedType, value: &str) -> bool {
        let is_of_numbers = || NUMBERS.contains(&kind) && NUMBER_FORMATS.contains(&literal::unquoted(value).as_ref());
        let is_about = self.about.is_empty() || kind == MarkedType::Unknown || self.about.contains(&kind);
        is_about || self.name == FORMAT && is_of_numbers()
    }
}

impl MarkedType {
    /// The kind in a word.
    pub fn word(self) -> &'static str {
        match self {
            MarkedType::String => "string",
            MarkedType::Integer => "integer",
            MarkedType::Number => "number",
            MarkedType::Boolean => "boolean",
            MarkedType::Array => "array",
            MarkedType::Object => "map",
            MarkedType::Unknown => "value",
        }
    }
}
