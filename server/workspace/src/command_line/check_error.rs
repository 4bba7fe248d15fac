//! Why files could not be checked.

use std::fmt;

/// Why a workspace cannot be checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckError {
    /// The path as given.
    pub path: String,
    /// Plain words.
    pub message: String,
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

impl std::error::Error for CheckError {}
