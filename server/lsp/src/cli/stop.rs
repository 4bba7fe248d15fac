//! Why a command ends without its work.

use std::fmt::Display;

/// The reason in words, for its user. Every error becomes one with `?`.
#[derive(Debug)]
pub(crate) struct Stop(pub(crate) String);

impl<E: Display> From<E> for Stop {
    fn from(error: E) -> Stop {
        Stop(error.to_string())
    }
}
