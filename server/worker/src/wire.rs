//! The messages between the server and its worker process: one JSON value per line, in turns.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

use crate::launch::Confinement;
use lofting_eval::{
    Call, Data, EvalError, Evaluated, Evaluation, EvaluationId, LibraryAnswer, LibraryFile, LibraryRequest,
};

/// The version of the messages. Both ends are the same program, but the file on disk can be replaced while the server
/// runs.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What the server sends.
#[derive(Debug, Serialize, Deserialize)]
pub enum ToWorker<'a> {
    /// Answered by [`FromWorker::Evaluated`], perhaps after requests for files.
    Evaluate(Box<Evaluation>),
    /// Answered by [`FromWorker::Called`]. While the worker waits for [`ToWorker::Ran`], functions of the waiting
    /// template can be called and further files evaluated.
    Call {
        /// The evaluation whose functions are called.
        evaluation: EvaluationId,
        /// Values that arguments of several calls refer to.
        shared: Cow<'a, [Data]>,
        /// The calls.
        calls: Cow<'a, [Call]>,
    },
    /// Forgets an evaluation. Not answered.
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
    /// Asks for a file that `load` names.
    Library(String),
    /// Asks for a file that `data.read` names.
    Read(String),
    /// Asks for the listing of `data.list`.
    List(String),
    /// Asks for the directory of a private library.
    Find {
        /// The directory of the file that names it.
        from: String,
        /// Its name.
        name: String,
    },
    /// Asks for the evaluation of a private library.
    Run(Box<LibraryRequest>),
}
