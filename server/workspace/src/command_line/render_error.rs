//! Why an input set could not be rendered.

use crate::command_line::check_error::CheckError;
use std::fmt;

/// Why there is nothing to render.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenderError {
    /// The workspace cannot be checked.
    Check(CheckError),
    /// No input set is known, or none that this file belongs to.
    NoSet(Option<String>),
    /// There are several, with these titles.
    SeveralSets(Vec<String>),
    /// It is known, but cannot be rendered.
    NotRendered {
        /// Its title.
        title: String,
        /// Why.
        why: &'static str,
    },
    /// It is rendered several times, with other values.
    SeveralStages,
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RenderError::Check(error) => error.fmt(f),
            RenderError::NoSet(target) => {
                f.write_str("no input set is known")?;
                target.iter().try_for_each(|target| write!(f, " that {target} belongs to"))?;
                f.write_str("; name one in lofting.toml, pass the inputs with ytt's flags, or name a template")
            }
            RenderError::SeveralSets(titles) => {
                let titles: Vec<String> = titles.iter().map(|title| format!("`{title}`")).collect();
                write!(f, "there are several input sets; name one of {}", titles.join(", "))
            }
            RenderError::NotRendered { title, why } => {
                write!(f, "the input set {title} cannot be rendered: {why}")
            }
            RenderError::SeveralStages => {
                f.write_str("this input set has several stages; name one of their values files")
            }
        }
    }
}

impl std::error::Error for RenderError {}

impl From<CheckError> for RenderError {
    fn from(error: CheckError) -> Self {
        RenderError::Check(error)
    }
}
