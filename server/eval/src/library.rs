//! What a template requests of a private library (docs/ytt.md 15).

use serde::{Deserialize, Serialize};

use crate::data::{Data, Fragment};
use crate::evaluator::{Call, CodeRange, EvalError};

/// Calls functions of the template that waits for a library. Functions in values that it passed to the library belong
/// to the evaluation [`crate::EvaluationId::CALLER`]; while a worker process waits, the evaluator can call that
/// evaluation as well.
pub type Caller<'c> = dyn FnMut(&[Call]) -> Vec<Result<Data, EvalError>> + 'c;

/// A request for a library: what the template passed to it, and what the template wants from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LibraryRequest {
    /// The library's directory inside ytt, ending in a slash.
    pub directory: String,
    /// Its name as the template wrote it.
    pub name: String,
    /// The `alias=` of this instance.
    pub alias: Option<String>,
    /// Options for reading its files.
    pub options: LibraryOptions,
    /// The values of `with_data_values_schema` and `with_data_values`, in the order of the calls.
    pub given: Vec<Given>,
    /// What the template wants.
    pub wanted: LibraryOutput,
}

/// Keywords of `library.get`; None where the keyword is absent and the command line's flags apply.
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

/// A value that a template passes to a library.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Given {
    /// Its role.
    pub kind: GivenKind,
    /// The value.
    pub value: Data,
    /// The call that passed it.
    pub place: Option<CodeRange>,
}

/// The role of a value that is passed to a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GivenKind {
    /// `with_data_values_schema(...)`
    Schema,
    /// `with_data_values(...)`
    Values,
    /// `with_data_values(..., plain=True)`
    PlainValues,
}

/// What a template wants from a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LibraryOutput {
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
