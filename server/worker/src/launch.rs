//! How workers are started, and what is known about a running one.

use serde::{Deserialize, Serialize};
use std::any::Any;
use std::process::{Child, Command, Stdio};

/// The address space that the allocator of a worker reserves at a time, in KiB. By default, it is more than
/// [a worker may have](lofting_sandbox::ADDRESS_SPACE).
const RESERVED: &str = "65536";

/// Starts the process of a worker. Neither user code nor an escape from its sandbox sees the environment. Why a worker
/// died is read from what it printed last; one that prints more than a pipe holds waits until it is killed.
///
/// # Errors
///
/// The system starts no process.
pub fn spawn(mut command: Command) -> std::io::Result<Child> {
    command
        .env_clear()
        .env("MIMALLOC_ARENA_RESERVE", RESERVED)
        // The allocator of glibc, which serves nearly nothing, reserves 64 MB for each thread.
        .env("MALLOC_ARENA_MAX", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

/// Starts workers.
pub trait Launch: Send + Sync {
    /// A process that was [started](spawn) before it was known whether a worker is needed. It is given out once, and is the
    /// first worker.
    fn ahead(&self) -> Option<Child> {
        None
    }

    /// The command line of a worker. With `confined`, it includes what the system can lay around a process from
    /// outside; if such a worker never says its first word, an unconfined one is started.
    ///
    /// # Errors
    ///
    /// The program's path is not known.
    fn command(&self, confined: bool) -> std::io::Result<Command>;

    /// Ties a started worker to this process before it gets any work, so that it ends when this process does. The
    /// returned value is dropped after the worker's end.
    ///
    /// # Errors
    ///
    /// The system refused.
    fn hold(&self, _child: &Child) -> std::io::Result<Box<dyn Any + Send>> {
        Ok(Box::new(()))
    }

    /// Called when a worker is ready, with the state of its sandbox.
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
    /// The missing layers as a text for people; None if nothing is missing.
    pub fn gaps(&self) -> Option<String> {
        let gaps: Vec<String> = self.missing.iter().map(|(layer, why)| format!("{layer} ({why})")).collect();
        (!gaps.is_empty()).then(|| gaps.join(", "))
    }
}
