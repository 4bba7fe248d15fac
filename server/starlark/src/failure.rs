//! Errors of our built-in functions.

use std::fmt;

use starlark::{Error, ErrorKind};

pub(crate) type Result<T> = starlark::Result<T>;

/// Fails with a message in ytt's words.
pub(crate) fn fail<T>(message: impl Into<String>) -> Result<T> {
    Err(error(message))
}

/// An error with a message in ytt's words.
pub(crate) fn error(message: impl Into<String>) -> Error {
    Error::new_other(Failure(message.into()))
}

/// Fails without blaming the user: ytt may well be able to do it.
pub(crate) fn unsupported<T>(message: impl Into<String>) -> Result<T> {
    Err(Error::new_other(Unsupported(message.into())))
}

#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

#[derive(Debug)]
pub(crate) struct Unsupported(pub(crate) String);

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unsupported {}

/// Fails because one of our limits was reached.
pub(crate) fn limit<T>(message: impl Into<String>) -> Result<T> {
    Err(Error::new_other(Limit(message.into())))
}

/// The failure, with the name of the function in which it occurred.
pub(crate) fn within(function: &str, failure: Error) -> Error {
    let message = format!("{function}: {}", failure.without_diagnostic());
    match failure.kind() {
        ErrorKind::Other(cause) if cause.downcast_ref::<Limit>().is_some() => Error::new_other(Limit(message)),
        ErrorKind::Other(cause) if cause.downcast_ref::<Unsupported>().is_some() => {
            Error::new_other(Unsupported(message))
        }
        _ => error(message),
    }
}

#[derive(Debug)]
pub(crate) struct Limit(pub(crate) String);

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Limit {}

/// A failure at a node of a template.
#[derive(Debug)]
pub(crate) struct NodeFailure {
    pub(crate) file: u32,
    pub(crate) node: u32,
    pub(crate) message: String,
}

impl NodeFailure {
    pub(crate) fn error(file: u32, node: u32, message: String) -> Error {
        Error::new_other(Self { file, node, message })
    }
}

impl fmt::Display for NodeFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for NodeFailure {}

/// A failure inside a file that was being loaded.
#[derive(Debug)]
pub(crate) struct LoadFailure {
    pub(crate) message: String,
    pub(crate) inner: lofting_eval::EvalError,
}

impl fmt::Display for LoadFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LoadFailure {}
