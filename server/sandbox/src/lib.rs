//! Takes rights away from the process that calls it, layer by layer, and says which layers hold.
//!
//! For the process that runs code of a workspace: it needs memory, the clock and its three pipes, and nothing else.
//! Each layer is best effort, for none exists everywhere; who starts the process decides what it makes of a gap.

mod input;
#[cfg(unix)]
mod limits;
#[cfg(target_os = "linux")]
mod linux;
mod outside;

pub use input::hung_up;
pub use outside::{Held, command, hold};

/// Bytes of address space that the process may have, where the system can bound it.
pub const ADDRESS_SPACE: u64 = 768 << 20;

/// One layer, in the order in which they are laid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// The working directory is the root: no relative path leads into a workspace.
    Directory,
    /// Bounds on memory; no core files, no growing files.
    Limits,
    /// The system lets the process touch no file and connect to nothing: Landlock, or Seatbelt around the process.
    Access,
    /// No new descriptors, processes or threads.
    Descriptors,
    /// All system calls but those that computing needs fail.
    Calls,
    /// Calls that nothing makes by accident end the process.
    Kills,
}

impl Layer {
    /// All layers.
    pub const ALL: [Layer; 6] =
        [Layer::Directory, Layer::Limits, Layer::Access, Layer::Descriptors, Layer::Calls, Layer::Kills];

    /// What the layer is about, for a log.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Directory => "working directory",
            Layer::Limits => "memory limit",
            Layer::Access => "no file access",
            Layer::Descriptors => "no new files or processes",
            Layer::Calls => "few system calls",
            Layer::Kills => "end at forbidden system calls",
        }
    }
}

/// What became of one layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The layer.
    pub layer: Layer,
    /// Why it does not hold, in the system's words; None if it holds.
    pub missing: Option<String>,
}

/// A sandbox that is half closed: threads can still be started.
#[derive(Debug)]
pub struct Sandbox {
    layers: Vec<Layer>,
    outcomes: Vec<Outcome>,
}

impl Sandbox {
    /// Lays those of the `layers` that bind only the calling thread and its children. Call it before any other thread
    /// exists.
    pub fn open(layers: &[Layer]) -> Sandbox {
        let mut sandbox = Sandbox { layers: layers.to_vec(), outcomes: Vec::new() };
        sandbox.lay(Layer::Directory, || std::env::set_current_dir("/").map_err(|error| error.to_string()));
        sandbox.lay(Layer::Limits, limits_of_memory);
        sandbox.lay(Layer::Access, no_access);
        sandbox
    }

    /// Lays the rest, for all threads, and tells what holds. All threads must have come to rest: one that is still
    /// starting needs calls which are refused from here on.
    pub fn close(mut self) -> Vec<Outcome> {
        self.lay(Layer::Descriptors, no_descriptors);
        // The shorter list first: the longer one no longer lets a filter be installed.
        self.lay(Layer::Kills, kills);
        self.lay(Layer::Calls, few_calls);
        self.outcomes
    }

    fn lay(&mut self, layer: Layer, lay: impl FnOnce() -> Result<(), String>) {
        if self.layers.contains(&layer) {
            self.outcomes.push(Outcome { layer, missing: lay().err() });
        }
    }
}

#[cfg(not(unix))]
const NOT_HERE: &str = "this system has no such limit";

#[cfg(unix)]
use limits::{limits_of_memory, no_descriptors};
#[cfg(target_os = "linux")]
use linux::{few_calls, kills, no_access};

#[cfg(not(unix))]
fn limits_of_memory() -> Result<(), String> {
    Err(NOT_HERE.to_owned())
}

#[cfg(not(unix))]
fn no_descriptors() -> Result<(), String> {
    Err(NOT_HERE.to_owned())
}

/// Seatbelt is laid around the process by who starts it: here it can only be tried.
#[cfg(target_os = "macos")]
fn no_access() -> Result<(), String> {
    match std::fs::read_dir("/") {
        Ok(_) => Err("the process was not started with sandbox-exec".to_owned()),
        Err(_) => Ok(()),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn no_access() -> Result<(), String> {
    Err("this system has no such layer".to_owned())
}

#[cfg(not(target_os = "linux"))]
fn kills() -> Result<(), String> {
    Err("this system has no filter for system calls".to_owned())
}

#[cfg(not(target_os = "linux"))]
fn few_calls() -> Result<(), String> {
    Err("this system has no filter for system calls".to_owned())
}
