//! What can be wrong with a section.

use super::marker::{Kind, MarkerKind};
use lofting_document::Span;
use smol_str::SmolStr;

/// Something wrong, or doubtful, in a section.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// What to point at.
    pub span: Span,
    /// The fields from the section's root to the definition, with dots between.
    pub path: String,
    /// What is wrong.
    pub kind: FaultKind,
    /// It is in a custom type that nothing uses, so that nobody reads it.
    pub unread: bool,
}

/// The ways in which definitions can be wrong.
#[derive(Debug, Clone, PartialEq)]
pub enum FaultKind {
    /// A text without a type.
    EmptyExpression,
    /// A type that there is not.
    UnknownType {
        /// As written.
        name: SmolStr,
        /// What is meant, where that is likely: a type as it is written.
        meant: Option<SmolStr>,
    },
    /// Custom types that consist of each other.
    CyclicType {
        /// Their names, the first again at the end.
        circle: Vec<SmolStr>,
    },
    /// `object`.
    ObjectNotAllowed,
    /// `map[` without its other bracket.
    InvalidMapType,
    /// `map[integer]string`
    MapKeyNotString {
        /// The type of the keys.
        key: SmolStr,
    },
    /// A definition that is neither text nor map.
    UnsupportedDefinition {
        /// The custom type it is of; none: a field.
        of_type: Option<SmolStr>,
    },
    /// A word behind the bar without `=`.
    MarkerWithoutValue {
        /// The word.
        word: SmolStr,
        /// The marker it may be.
        marker: Option<&'static MarkerKind>,
    },
    /// A marker that there is not.
    UnknownMarker {
        /// As written.
        name: SmolStr,
        /// What is meant, where that is likely.
        meant: Option<&'static str>,
    },
    /// `required=`
    RequiredNotAllowed,
    /// A default that is none of its type.
    InvalidDefault {
        /// As written.
        value: SmolStr,
        /// The kind of the type.
        kind: Kind,
    },
    /// One value of `enum` that is none of the type.
    InvalidEnum {
        /// As written.
        value: SmolStr,
        /// The kind of the type.
        kind: Kind,
    },
    /// A value of another marker of the wrong kind.
    InvalidConstraint {
        /// The marker.
        marker: &'static MarkerKind,
        /// As written.
        value: SmolStr,
    },
    /// An example in brackets that is no JSON.
    InvalidExample,
    /// `$default` that is no map.
    InvalidObjectDefault,
    /// A number that JSON cannot say.
    NotRepresentable {
        /// As written.
        value: SmolStr,
    },
    /// A marker that says nothing about values of the type.
    InertMarker {
        /// The marker.
        marker: &'static MarkerKind,
        /// The kind of the type.
        kind: Kind,
    },
    /// Bounds that no value keeps.
    ImpossibleRange {
        /// Why.
        why: String,
    },
    /// A regular expression that cannot be read.
    InvalidPattern,
    /// A custom type that no field uses.
    UnusedType {
        /// Its name.
        name: SmolStr,
    },
    /// A quote or bracket that nothing closes.
    Unclosed {
        /// Which.
        sign: char,
    },
    /// A bar inside of a value, where it does not separate.
    BarInValue,
    /// Double quotes that belong to the value, because what is between them is no sound text.
    QuotesKept,
    /// A comma in single quotes, which separates all the same.
    CommaInQuotes,
    /// An example that becomes a boolean.
    ExampleIsBoolean {
        /// As written.
        value: SmolStr,
        /// What it becomes.
        becomes: bool,
    },
}
