//! Failures of our built-in functions.

use lofting_eval::EvalError;
use lofting_interpreter::{Failure, FailureKind};

pub(crate) use lofting_interpreter::{Result, fail, limit};

/// Fails without blaming the user: ytt may well be able to do it.
pub(crate) fn unsupported<T>(message: impl Into<String>) -> Result<T> {
    Err(Failure::new(FailureKind::Unsupported, message))
}

/// Where in a template something failed.
#[derive(Debug)]
pub(crate) struct NodeFailure {
    pub(crate) file: u32,
    pub(crate) node: u32,
}

impl NodeFailure {
    /// A failure at a node of a template.
    pub(crate) fn failure(file: u32, node: u32, message: String) -> Failure {
        Failure::runtime(message).with_cause(Self { file, node })
    }
}

/// What failed inside a file that was being loaded, or in another evaluation.
#[derive(Debug)]
pub(crate) struct LoadFailure {
    pub(crate) inner: EvalError,
    /// A file was being loaded: the code that failed is what is inside.
    pub(crate) loading: bool,
}

impl LoadFailure {
    /// A failure because of another one.
    pub(crate) fn failure(message: String, inner: EvalError) -> Failure {
        Failure::runtime(message).with_cause(Self { inner, loading: false })
    }

    /// A failure in a file that is being loaded as `path`.
    pub(crate) fn of_file(path: &str, inner: EvalError) -> Failure {
        Failure::runtime(format!("cannot load {path}: {}", inner.message)).with_cause(Self { inner, loading: true })
    }
}
