//! Messages between the server and its worker process: one JSON value per line, in turns.

use serde::{Deserialize, Serialize};

use crate::data::Data;
use crate::evaluator::{Call, EvalError, Evaluated, Evaluation, EvaluationId, LibraryFile};

/// What the server sends.
#[derive(Debug, Serialize, Deserialize)]
pub enum ToWorker {
    /// Answered by [`FromWorker::Evaluated`], perhaps after requests for files.
    Evaluate(Box<Evaluation>),
    /// Answered by [`FromWorker::Called`].
    Call {
        /// Whose functions.
        evaluation: EvaluationId,
        /// The calls.
        calls: Vec<Call>,
    },
    /// Not answered.
    Release(EvaluationId),
    /// The answer to [`FromWorker::Library`].
    Library(LibraryFile),
    /// The answer to [`FromWorker::Read`].
    Read(Option<String>),
    /// The answer to [`FromWorker::List`].
    List(Vec<String>),
}

/// What the worker sends.
#[derive(Debug, Serialize, Deserialize)]
pub enum FromWorker {
    /// The end of an evaluation.
    Evaluated(Box<Evaluated>),
    /// The answers to calls.
    Called(Vec<Result<Data, EvalError>>),
    /// A file is needed for `load`.
    Library(String),
    /// A file is needed for `data.read`.
    Read(String),
    /// A listing is needed for `data.list`.
    List(String),
}
