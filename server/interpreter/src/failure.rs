//! Why code cannot be read or run.

use std::any::Any;
use std::fmt;

use smol_str::SmolStr;

/// The result of anything that code can make fail.
pub type Result<T> = std::result::Result<T, Failure>;

/// The sort of a [`Failure`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The text is not valid code.
    Syntax,
    /// A name is not defined.
    Name,
    /// Running it failed.
    Runtime,
    /// It can be valid code, but cannot be run here.
    Unsupported,
    /// It needs more steps, memory or depth than its host allows. Code cannot catch this.
    Limit,
    /// Its host asked it to stop.
    Interrupted,
}

/// Bytes of a file of code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodePlace {
    /// The number that the host gave the file.
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// After the last byte.
    pub end: u32,
}

/// A function that was running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftFunction {
    /// Its name.
    pub function: SmolStr,
    /// The call or operation that it was at; None in functions that are not written in Starlark.
    pub place: Option<CodePlace>,
}

/// A failure with the functions that were running. One pointer, so that results stay small.
pub struct Failure(Box<Details>);

struct Details {
    kind: FailureKind,
    message: String,
    hint: Option<String>,
    /// Where it happened in the function that is being left.
    place: Option<CodePlace>,
    frames: Vec<LeftFunction>,
    cause: Option<Box<dyn Any + Send + Sync>>,
}

impl Failure {
    /// A failure with a message.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        let message = message.into();
        Self(Box::new(Details { kind, message, hint: None, place: None, frames: Vec::new(), cause: None }))
    }

    /// A failure of running code.
    pub fn runtime(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Runtime, message)
    }

    /// A limit that was reached.
    pub fn limit(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Limit, message)
    }

    /// The failure with advice.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// The failure with what its host knows about it.
    #[must_use]
    pub fn with_cause(mut self, cause: impl Any + Send + Sync) -> Self {
        self.0.cause = Some(Box::new(cause));
        self
    }

    /// The failure with the name of the function whose argument is at fault.
    #[must_use]
    pub fn within(mut self, function: &str) -> Self {
        self.0.message = format!("{function}: {}", self.0.message);
        self
    }

    /// What sort of failure it is.
    pub fn kind(&self) -> FailureKind {
        self.0.kind
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// How to fix it, if that is known.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// What the host knows about it ([`Failure::with_cause`]).
    pub fn cause<T: Any>(&self) -> Option<&T> {
        self.0.cause.as_ref()?.downcast_ref()
    }

    /// The functions that were left, innermost first; the code of the file itself is not among them.
    pub fn frames(&self) -> &[LeftFunction] {
        &self.0.frames
    }

    /// Where it happened in the code around all frames.
    pub fn place(&self) -> Option<CodePlace> {
        self.0.place
    }

    /// Notes where it happened, unless that is known more precisely.
    #[must_use]
    pub(crate) fn at(mut self, place: CodePlace) -> Self {
        self.0.place.get_or_insert(place);
        self
    }

    /// Notes that it ends a function.
    #[must_use]
    pub(crate) fn leaving(mut self, function: impl Into<SmolStr>) -> Self {
        let place = self.0.place.take();
        self.0.frames.push(LeftFunction { function: function.into(), place });
        self
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {} at {:?} {:?}", self.0.kind, self.0.message, self.0.place, self.0.frames)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Failure {}

/// Fails with a message.
pub fn fail<T>(message: impl Into<String>) -> Result<T> {
    Err(Failure::runtime(message))
}

/// Fails because a limit was reached.
pub fn limit<T>(message: impl Into<String>) -> Result<T> {
    Err(Failure::limit(message))
}

/// Fails because code needs too much memory.
pub fn too_much_memory<T>() -> Result<T> {
    limit("evaluation was stopped: too much memory")
}
