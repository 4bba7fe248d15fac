//! Why there is no answer.

use std::fmt;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// The file cannot be read: its name, and why.
    Unreadable(String, String),
    /// The file has changed since the caller read it: its name, and its version.
    OtherVersion(String, String),
    /// There is no such line or column.
    NoSuchPlace(String),
    /// Nothing is known about the place.
    NothingThere(String),
    /// It cannot be done, for this reason.
    Refused(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Unreadable(file, why) => write!(f, "{file}: {why}"),
            Problem::OtherVersion(file, version) => {
                write!(f, "{file}: the text has changed: its version is {version}")
            }
            Problem::NoSuchPlace(why) | Problem::NothingThere(why) | Problem::Refused(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Problem {}
