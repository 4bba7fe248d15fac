//! The faults of a section in shorthand.

use super::marker::{MarkedType, MarkerKind};
use lofting_document::Span;
use lofting_schema::re2::PatternError;
use smol_str::SmolStr;

/// A fault, or something doubtful, in a section.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// Where to report it.
    pub span: Span,
    /// The path of fields from the section's root to the definition, joined by dots.
    pub path: String,
    /// What is wrong.
    pub kind: FaultKind,
    /// It is in a custom type that is not used, so it does no harm.
    pub unread: bool,
}

/// The kinds of faults in definitions.
#[derive(Debug, Clone, PartialEq)]
pub enum FaultKind {
    /// A text without a type.
    EmptyExpression,
    /// An unknown type.
    UnknownType {
        /// As written.
        name: SmolStr,
        /// The type that was probably meant, as it is written.
        meant: Option<SmolStr>,
    },
    /// Custom types that contain each other.
    CyclicType {
        /// Their names, the first again at the end.
        circle: Vec<SmolStr>,
    },
    /// `object`.
    ObjectNotAllowed,
    /// `map[` without its closing bracket.
    InvalidMapType,
    /// `map[integer]string`
    MapKeyNotString {
        /// The type of the keys.
        key: SmolStr,
    },
    /// A definition that is neither a string nor a map.
    UnsupportedDefinition {
        /// The custom type that it defines; None for a field.
        of_type: Option<SmolStr>,
    },
    /// A word after the bar without `=`.
    MarkerWithoutValue {
        /// The word.
        word: SmolStr,
        /// The marker that was probably meant.
        marker: Option<&'static MarkerKind>,
    },
    /// An unknown marker.
    UnknownMarker {
        /// As written.
        name: SmolStr,
        /// The marker that was probably meant.
        meant: Option<&'static str>,
    },
    /// `required=`
    RequiredNotAllowed,
    /// A default that is not a value of its type.
    InvalidDefault {
        /// As written.
        value: SmolStr,
        /// The kind of the type.
        kind: MarkedType,
    },
    /// A value of `enum` that is not a value of the type.
    InvalidEnum {
        /// As written.
        value: SmolStr,
        /// The kind of the type.
        kind: MarkedType,
    },
    /// A value of the wrong kind for another marker.
    InvalidConstraint {
        /// The marker.
        marker: &'static MarkerKind,
        /// As written.
        value: SmolStr,
    },
    /// An example in brackets that is not JSON.
    InvalidExample,
    /// `$default` that is not a map.
    InvalidObjectDefault,
    /// A number that JSON cannot express.
    NotRepresentable {
        /// As written.
        value: SmolStr,
    },
    /// A marker that does not apply to values of the type.
    InertMarker {
        /// The marker.
        marker: &'static MarkerKind,
        /// The kind of the type.
        kind: MarkedType,
    },
    /// Bounds that no value satisfies.
    ImpossibleRange {
        /// Why.
        why: String,
    },
    /// An invalid regular expression.
    InvalidPattern(PatternError),
    /// A custom type that no field uses.
    UnusedType {
        /// Its name.
        name: SmolStr,
    },
    /// A quote or bracket that is not closed.
    Unclosed {
        /// The quote or bracket.
        sign: char,
    },
    /// A bar inside a value, where it does not separate.
    BarInValue,
    /// Double quotes that become part of the value, because the text between them is not a valid string.
    QuotesKept,
    /// A comma in single quotes, which separates nevertheless.
    CommaInQuotes,
    /// An example that becomes a boolean.
    ExampleIsBoolean {
        /// As written.
        value: SmolStr,
        /// The boolean it becomes.
        becomes: bool,
    },
}
