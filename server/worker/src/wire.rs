//! Messages between the server and its worker process: one JSON value per line, in turns.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

use crate::launch::Confinement;
use lofting_eval::{
    Call, Data, EvalError, Evaluated, Evaluation, EvaluationId, LibraryAnswer, LibraryFile, LibraryRequest,
};

/// The version of the messages: both ends are one program, but that can be replaced while it runs.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What the server sends.
#[derive(Debug, Serialize, Deserialize)]
pub enum ToWorker<'a> {
    /// Answered by [`FromWorker::Evaluated`], perhaps after requests for files.
    Evaluate(Box<Evaluation>),
    /// Answered by [`FromWorker::Called`]. While the worker waits for [`ToWorker::Ran`] the functions of
    /// the waiting template can be called, and further files be evaluated.
    Call {
        /// Whose functions.
        evaluation: EvaluationId,
        /// What arguments refer to.
        shared: Cow<'a, [Data]>,
        /// The calls.
        calls: Cow<'a, [Call]>,
    },
    /// Not answered.
    Release(EvaluationId),
    /// The answer to [`FromWorker::Library`].
    Library(LibraryFile),
    /// The answer to [`FromWorker::Read`].
    Read(Option<String>),
    /// The answer to [`FromWorker::List`].
    List(Vec<String>),
    /// The answer to [`FromWorker::Find`].
    Found(Option<String>),
    /// The answer to [`FromWorker::Run`].
    Ran(Box<Result<LibraryAnswer, EvalError>>),
}

/// What the worker sends.
#[derive(Debug, Serialize, Deserialize)]
pub enum FromWorker {
    /// The first message, before anything is read.
    Ready {
        /// [`VERSION`] of the worker.
        version: String,
        /// The layers of the worker's sandbox.
        confinement: Confinement,
    },
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
    /// The directory of a private library is needed.
    Find {
        /// The directory of the file that names it.
        from: String,
        /// Its name.
        name: String,
    },
    /// A private library is needed.
    Run(Box<LibraryRequest>),
}
