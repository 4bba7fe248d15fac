//! The messages between the server and its worker process, in turns: each is its length in bytes (four, the lowest
//! first) and its content. Values in them are flat, so that reading a message does not recurse.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Error, ErrorKind, Read, Write};
use std::time::Duration;

use crate::launch::Confinement;
use lofting_eval::{
    Call, Data, EvalError, Evaluated, Evaluation, EvaluationId, FileAnswer, FileQuestion, LibraryAnswer,
    LibraryRequest, Portion,
};

/// The version of the messages. Both ends are the same program, but the file on disk can be replaced while the server
/// runs.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// How many bytes the length of a message takes.
pub(crate) const HEAD: usize = 4;

/// The length of the content of the message that begins here, once it is there.
#[cfg(unix)]
pub(crate) fn length(read: &[u8]) -> Option<usize> {
    read.first_chunk::<HEAD>().and_then(|head| usize::try_from(u32::from_le_bytes(*head)).ok())
}

/// Writes a message.
///
/// # Errors
///
/// The other side no longer reads, or the message takes 4 GiB or more.
pub fn send(output: &mut impl Write, message: &impl Serialize) -> std::io::Result<()> {
    // One buffer and one call of the system.
    let mut bytes = postcard::to_extend(message, vec![0; HEAD]).map_err(Error::other)?;
    let length = u32::try_from(bytes.len() - HEAD).map_err(Error::other)?;
    if let Some(head) = bytes.first_chunk_mut() {
        *head = length.to_le_bytes();
    }
    output.write_all(&bytes)?;
    output.flush()
}

/// The content of the next message of at most `limit` bytes; None at the end of the input.
///
/// # Errors
///
/// The input ends inside the message, or the message is longer.
pub fn receive(input: &mut impl Read, limit: usize) -> std::io::Result<Option<Vec<u8>>> {
    let mut head = [0; HEAD];
    match input.read_exact(&mut head) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let length = u32::from_le_bytes(head);
    if length as usize > limit {
        return Err(Error::new(ErrorKind::InvalidData, "the message is too long"));
    }
    // The buffer grows with what arrives: a length alone reserves nothing.
    let mut content = Vec::new();
    match input.take(u64::from(length)).read_to_end(&mut content)? {
        read if read == length as usize => Ok(Some(content)),
        _ => Err(ErrorKind::UnexpectedEof.into()),
    }
}

/// The message with this content.
///
/// # Errors
///
/// The content is not a message of this type.
pub fn parse<M: DeserializeOwned>(content: &[u8]) -> std::io::Result<M> {
    postcard::from_bytes(content).map_err(|error| Error::new(ErrorKind::InvalidData, error))
}

/// The hash of a message, or of a part of one, by which it is compared with later ones in the same process.
pub fn hash(value: &impl Serialize) -> u64 {
    let mut hasher = DefaultHasher::new();
    postcard::to_allocvec(value).unwrap_or_default().hash(&mut hasher);
    hasher.finish()
}

/// What the server sends.
#[derive(Debug, Serialize, Deserialize)]
pub enum ToWorker<'a> {
    /// Answered by [`FromWorker::Evaluated`], perhaps after requests for files.
    Evaluate(Box<Cow<'a, Evaluation>>),
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
    /// Portions that arguments of later calls contain, each after those that it contains itself. Not answered.
    Keep {
        /// The numbers of those that are no longer needed.
        forgotten: Vec<u64>,
        /// Further ones.
        portions: Vec<Cow<'a, Portion>>,
    },
    /// How long each further request may take, except for the time that it waits for answers: code that takes longer ends
    /// with an error. Not answered.
    Time(Duration),
    /// Forgets an evaluation. Not answered.
    Release(EvaluationId),
    /// The answer to [`FromWorker::LookUp`].
    Found(FileAnswer),
    /// The answer to [`FromWorker::Run`].
    Ran(Box<Result<LibraryAnswer, EvalError>>),
    /// The answers to [`FromWorker::Call`].
    CalledThere(Vec<Result<Data, EvalError>>),
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
    /// Asks about files.
    LookUp(FileQuestion),
    /// Asks for the evaluation of a private library.
    Run(Box<LibraryRequest>),
    /// Asks for calls of functions that belong to another evaluation.
    Call {
        /// That evaluation.
        evaluation: EvaluationId,
        /// The calls.
        calls: Vec<Call>,
    },
}
