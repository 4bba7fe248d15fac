//! How workers are started, and what is known of one that runs.

use serde::{Deserialize, Serialize};
use std::any::Any;
use std::process::{Child, Command};

/// Starts workers.
pub trait Launch: Send + Sync {
    /// The command line of one. `confined`: with what the system can lay around a process from outside; asked for
    /// without once that did not get to its first word.
    ///
    /// # Errors
    /// The program is not known.
    fn command(&self, confined: bool) -> std::io::Result<Command>;

    /// Takes hold of one that was started, before it is given anything to do, so that it ends with this process. What
    /// is returned is dropped after the worker's end.
    ///
    /// # Errors
    /// The system refused.
    fn hold(&self, _child: &Child) -> std::io::Result<Box<dyn Any + Send>> {
        Ok(Box::new(()))
    }

    /// One is ready and said how it is confined.
    fn ready(&self, _confinement: &Confinement) {}
}

impl<F: Fn() -> Command + Send + Sync> Launch for F {
    fn command(&self, _confined: bool) -> std::io::Result<Command> {
        Ok(self())
    }
}

/// The layers of a worker's sandbox, as the worker reports them before it reads anything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// The layers that hold.
    pub holds: Vec<String>,
    /// The layers that do not, each with the reason.
    pub missing: Vec<(String, String)>,
}

impl Confinement {
    /// What is missing, for people; None if nothing is.
    pub fn gaps(&self) -> Option<String> {
        let gaps: Vec<String> = self.missing.iter().map(|(layer, why)| format!("{layer} ({why})")).collect();
        (!gaps.is_empty()).then(|| gaps.join(", "))
    }
}
