//! Why the value of a flag cannot be used.

use crate::disk::{ReadProblem, WalkProblem};
use lofting_check::LibraryRefError;
use std::fmt;
use std::path::PathBuf;

/// Why the value of a flag cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputProblem {
    /// A second new name: `a=b=c`.
    TwoNames,
    /// `-` where there is no standard input.
    NoStdin,
    /// It is the address of a page.
    OnTheWeb,
    /// It is empty.
    NoPath,
    /// There is nothing at the path.
    Missing,
    /// The file cannot be read.
    Unread(ReadProblem),
    /// The directory cannot be listed.
    Unlisted(WalkProblem),
    /// It is a directory with so many files, where one is asked for.
    NotOneFile(usize),
    /// It is a link.
    Link,
    /// There is a link in the directory.
    LinkBelow(PathBuf),
    /// The input sets together have more files than this.
    TooManyTogether(usize),
    /// It is not a pattern.
    Pattern,
    /// There is no `=` after the key of a data value.
    NoValue,
    /// A second `:` before this key.
    TwoLibraries(String),
    /// The address of a library is wrong.
    Library(LibraryRefError),
    /// A file mark is wrong.
    Mark(MarkProblem),
}

/// Why a file mark cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkProblem {
    /// It has no `:`, after which the key comes, or no `=`, after which the value comes.
    No(char),
    /// It has a key that there is not.
    Key(String),
    /// There is no such type.
    Type(String),
    /// A key that is only switched on has another value than `true`.
    OnlyTrue {
        /// The key.
        key: String,
        /// The value.
        value: String,
    },
    /// No file has the path.
    NoFile(String),
}

impl fmt::Display for InputProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputProblem::TwoNames => f.write_str("expected at most one '=' (new name=file)"),
            InputProblem::NoStdin => f.write_str("the standard input is not available here"),
            InputProblem::OnTheWeb => f.write_str("inputs on the web are not read: download the file first"),
            InputProblem::NoPath => f.write_str("a path is missing"),
            InputProblem::Missing => f.write_str("there is no such file or directory"),
            InputProblem::Unread(problem) => problem.fmt(f),
            InputProblem::Unlisted(problem) => problem.fmt(f),
            InputProblem::NotOneFile(count) => {
                write!(f, "the value is the text of one file, but this directory has {count}")
            }
            InputProblem::Link => f.write_str(
                "this is a symbolic link, which ytt refuses; --allow-symlink-destination allows where it leads",
            ),
            InputProblem::LinkBelow(link) => write!(f, "{}: {}", link.display(), InputProblem::Link),
            InputProblem::TooManyTogether(most) => {
                write!(f, "the input sets of the workspace have more than {most} files together")
            }
            InputProblem::Pattern => f.write_str("this is not a valid pattern"),
            InputProblem::NoValue => f.write_str("expected KEY=VALUE, but there is no '='"),
            InputProblem::TwoLibraries(key) => {
                write!(f, "expected at most one ':' between a library and the key in '{key}'")
            }
            InputProblem::Library(error) => error.fmt(f),
            InputProblem::Mark(problem) => problem.fmt(f),
        }
    }
}

impl fmt::Display for MarkProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MarkProblem::No(sign) => write!(f, "expected PATH:KEY=VALUE, but there is no '{sign}'"),
            MarkProblem::Key(key) => {
                write!(f, "unknown key '{key}' (known: path, exclude, type, for-output, exclusive-for-output)")
            }
            MarkProblem::Type(kind) => write!(
                f,
                "unknown type '{kind}' (known: yaml-template, yaml-plain, text-template, text-plain, starlark, data)"
            ),
            MarkProblem::OnlyTrue { key, value } => write!(f, "'{key}' can only be 'true', not '{value}'"),
            MarkProblem::NoFile(path) => write!(f, "no input file matches the path '{path}'"),
        }
    }
}

impl std::error::Error for InputProblem {}

impl std::error::Error for MarkProblem {}

impl From<ReadProblem> for InputProblem {
    fn from(problem: ReadProblem) -> Self {
        InputProblem::Unread(problem)
    }
}

impl From<WalkProblem> for InputProblem {
    fn from(problem: WalkProblem) -> Self {
        InputProblem::Unlisted(problem)
    }
}

impl From<LibraryRefError> for InputProblem {
    fn from(error: LibraryRefError) -> Self {
        InputProblem::Library(error)
    }
}
