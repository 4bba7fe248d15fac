//! All markers, as data: the values they take, the kinds they apply to, and their meaning.

/// The kind of values that a definition describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
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
    pub about: &'static [Kind],
    /// Its meaning, for people.
    pub meaning: &'static str,
}

const NUMBERS: &[Kind] = &[Kind::Integer, Kind::Number];
const STRINGS: &[Kind] = &[Kind::String];
const ARRAYS: &[Kind] = &[Kind::Array];
const OBJECTS: &[Kind] = &[Kind::Object];

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
    of("format", Takes::Text, STRINGS, "The name of a format, such as `email` or `date-time`."),
    of("minItems", Takes::Length, ARRAYS, "The fewest items."),
    of("maxItems", Takes::Length, ARRAYS, "The most items."),
    of("minProperties", Takes::Length, OBJECTS, "The fewest keys."),
    of("maxProperties", Takes::Length, OBJECTS, "The most keys."),
    of("title", Takes::Text, &[], "A short name."),
    of("example", Takes::Example, &[], "A value somebody might give."),
];

const fn of(name: &'static str, takes: Takes, about: &'static [Kind], meaning: &'static str) -> MarkerKind {
    MarkerKind { name, takes, about, meaning }
}

/// The prefix of markers that are ignored: notes for tools.
pub const NOTE: &str = "oc:";

impl MarkerKind {
    /// The marker with this name.
    pub fn named(name: &str) -> Option<&'static MarkerKind> {
        MARKERS.iter().find(|marker| marker.name == name)
    }

    /// Whether it applies to values of a kind.
    pub fn says_of(&self, kind: Kind) -> bool {
        self.about.is_empty() || kind == Kind::Unknown || self.about.contains(&kind)
    }
}

impl Kind {
    /// The kind in a word.
    pub fn word(self) -> &'static str {
        match self {
            Kind::String => "string",
            Kind::Integer => "integer",
            Kind::Number => "number",
            Kind::Boolean => "boolean",
            Kind::Array => "array",
            Kind::Object => "map",
            Kind::Unknown => "value",
        }
    }
}
