//! What is wrong with the argument of an annotation.

use super::nearest;
use lofting_diagnostic::words::with_article;
use lofting_schema::format;
use std::fmt;

/// What is wrong with the argument of an annotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum WrongArgument {
    /// It is of another type.
    Type {
        /// The keyword.
        name: String,
        /// What it takes.
        expected: &'static str,
        /// The type that it has.
        found: String,
    },
    /// This is not a regular expression.
    Pattern(String),
    /// There is no format with this name.
    Format(String),
    /// `expects=` and `missing_ok=` are together.
    TwoCounts,
    /// `allowed=` is of another type.
    Allowed,
    /// `expects=` has no number.
    NoCount,
    /// `expects=` has a negative number.
    Negative,
    /// `expects=` has this text.
    Count(String),
    /// `expects=` is of another type.
    Expects,
}

impl WrongArgument {
    /// An argument of another type than the keyword takes.
    pub(super) fn of_type(name: &str, expected: &'static str, found: &str) -> WrongArgument {
        WrongArgument::Type { name: name.to_owned(), expected, found: found.to_owned() }
    }
}

impl fmt::Display for WrongArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrongArgument::Type { name, expected, found } => {
                write!(f, "`{name}=` takes {expected}, but is {}", with_article(found))
            }
            WrongArgument::Pattern(source) => write!(f, "`{source}` is not a valid regular expression"),
            WrongArgument::Format(name) => {
                write!(f, "there is no format `{name}`")?;
                let meant = nearest(name, &format::PROPOSED);
                meant.iter().try_for_each(|known| write!(f, ": did you mean `{known}`?"))
            }
            WrongArgument::TwoCounts => f.write_str("`expects=` and `missing_ok=` exclude each other"),
            WrongArgument::Allowed => f.write_str("`allowed=` takes a regular expression, \"any\" or a function"),
            WrongArgument::NoCount => f.write_str("`expects=` needs at least one number"),
            WrongArgument::Negative => f.write_str("`expects=` counts keys: the number cannot be negative"),
            WrongArgument::Count(text) => {
                write!(f, "`{text}` is not a number of keys: write a number or \"n+\"")
            }
            WrongArgument::Expects => f.write_str("`expects=` takes a number, \"n+\", a function, or a list of these"),
        }
    }
}

impl std::error::Error for WrongArgument {}
