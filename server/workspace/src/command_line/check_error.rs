//! Why files could not be checked.

use crate::disk::ReadProblem;
use crate::files::fetched::NotFetched;
use std::fmt;

/// Why a workspace cannot be checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckError {
    /// The path as given.
    pub path: String,
    /// What is wrong with it.
    pub problem: CheckProblem,
}

/// What is wrong with a path on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckProblem {
    /// There is nothing at it.
    Missing,
    /// It cannot be read.
    Unread(ReadProblem),
    /// A schema is on the web, and no folder stands for its address.
    NoMirror,
    /// A schema on the web was not fetched.
    NotFetched(NotFetched),
    /// There is no language with this name.
    NoLanguage {
        /// The name.
        name: String,
        /// All names.
        known: Vec<&'static str>,
    },
    /// It has no schema of this language.
    NoSchemaOf(&'static str),
    /// It has no schema at this fragment.
    NoFragment(String),
    /// Nothing in it says that it is a schema.
    NoSchema,
    /// It has no schema at the place.
    NoSchemaThere,
    /// It has no document with the number.
    NoDocument,
    /// It has several schemas, at these places.
    SeveralSchemas(Vec<String>),
}

impl CheckError {
    /// One about a path.
    pub(crate) fn of(path: &str, problem: CheckProblem) -> CheckError {
        CheckError { path: path.to_owned(), problem }
    }
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.problem)
    }
}

impl fmt::Display for CheckProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckProblem::Missing => f.write_str("there is no such file or directory"),
            CheckProblem::Unread(problem) => problem.fmt(f),
            CheckProblem::NoMirror => f.write_str("it has no mirror folder: name one with `--schema-dir URL=FOLDER`"),
            CheckProblem::NotFetched(NotFetched { why, help, .. }) => {
                f.write_str(why)?;
                help.iter().try_for_each(|help| write!(f, "; {help}"))
            }
            CheckProblem::NoLanguage { name, known } => {
                write!(f, "there is no language {name:?}, only {}", known.join(", "))
            }
            CheckProblem::NoSchemaOf(language) => write!(f, "there is no schema of {language} in it"),
            CheckProblem::NoFragment(fragment) => write!(f, "there is no schema at `#{fragment}` in it"),
            CheckProblem::NoSchema => {
                f.write_str("nothing in it says that it is a schema; if it is one, name its language with `--language`")
            }
            CheckProblem::NoSchemaThere => f.write_str("there is no schema in this place"),
            CheckProblem::NoDocument => f.write_str("there is no such document"),
            CheckProblem::SeveralSchemas(places) => {
                write!(f, "there are several schemas in it; say which: {}", places.join(", "))
            }
        }
    }
}

impl std::error::Error for CheckProblem {}

impl std::error::Error for CheckError {}
