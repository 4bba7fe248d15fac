//! What a template asks of a private library (docs/ytt.md 15).

use serde::{Deserialize, Serialize};

use crate::data::{Data, Fragment};
use crate::evaluator::{Call, EvalError, Place};

/// Calls functions of the template that asked for a library, while it waits: functions in a schema it
/// gave to the library have [`crate::EvaluationId::CALLER`]. A call of that evaluation does the same while a
/// worker process waits.
pub type Caller<'c> = dyn FnMut(&[Call]) -> Vec<Result<Data, EvalError>> + 'c;

/// A library with what a template gave to it, and what the template wants of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LibraryRequest {
    /// The library's directory inside ytt, ending in a slash.
    pub directory: String,
    /// Its name as the template wrote it.
    pub name: String,
    /// The `alias=` of this instance.
    pub alias: Option<String>,
    /// How its files are read.
    pub options: LibraryOptions,
    /// `with_data_values_schema` and `with_data_values`, in the order of the calls.
    pub given: Vec<Given>,
    /// What is wanted.
    pub wanted: Wanted,
}

/// Keywords of `library.get`; None where nothing is said and the run's own flags count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LibraryOptions {
    /// `ignore_unknown_comments=`
    pub ignore_unknown_comments: Option<bool>,
    /// `implicit_map_key_overrides=`
    pub implicit_map_key_overrides: Option<bool>,
    /// `strict=`
    pub strict: Option<bool>,
    /// `dangerous_data_values_disable_validation=`
    pub disable_validation: Option<bool>,
}

/// A value that a template gave to a library.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Given {
    /// How it is meant.
    pub kind: GivenKind,
    /// The value.
    pub value: Data,
    /// The call that gave it.
    pub place: Option<Place>,
}

/// How a value given to a library is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GivenKind {
    /// `with_data_values_schema(...)`
    Schema,
    /// `with_data_values(...)`
    Values,
    /// `with_data_values(..., plain=True)`
    PlainValues,
}

/// What is wanted of a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wanted {
    /// Its final data values.
    Values,
    /// Its documents: all templates rendered, overlays applied.
    Documents,
}

/// The answer to a [`LibraryRequest`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LibraryAnswer {
    /// As a struct.
    Values(Data),
    /// As a document set.
    Documents(Fragment),
}
