//! Takes rights away from the calling process, layer by layer, and reports which layers hold.
//!
//! It is for processes that run code from a workspace. A worker needs memory, the clock and its three pipes, and nothing
//! else. Each layer is best effort, because none exists on all systems; the process that starts a worker decides how to
//! deal with a gap. A program that has read its whole input needs even less, and can confine itself ([`program`]): all
//! or nothing.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
mod gap;
#[cfg(unix)]
mod inherited;
#[cfg(unix)]
mod input;
#[cfg(unix)]
mod limits;
#[cfg(target_os = "linux")]
mod linux;
mod output;
mod outside;
pub mod program;

use gap::Gap;

#[cfg(not(unix))]
pub use elsewhere::hung_up;
#[cfg(unix)]
pub use input::hung_up;
pub use output::Output;
pub use outside::{Held, command, hold};

/// Address space of the process in bytes, on systems that can limit it.
pub const ADDRESS_SPACE: u64 = 768 << 20;

/// Address space of a [program] in bytes: it holds its whole input and output, and each of its threads has a stack.
pub const ADDRESS_SPACE_OF_PROGRAM: u64 = 6 << 30;

/// One layer of the sandbox, in the order in which they are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// Descriptors that the process inherited by mistake, such as files and connections of an editor, are closed.
    Inherited,
    /// The working directory is the root directory, so that no relative path leads into a workspace.
    Directory,
    /// Limits on memory; no core files, and files cannot grow.
    Limits,
    /// No access to files and no connections: Landlock on Linux, Seatbelt around the process on macOS.
    Access,
    /// No new descriptors, processes or threads.
    Descriptors,
    /// All system calls except those that computing needs fail.
    Calls,
    /// System calls that nothing makes by accident end the process.
    Kills,
}

impl Layer {
    /// All layers.
    pub const ALL: [Layer; 7] = [
        Layer::Inherited,
        Layer::Directory,
        Layer::Limits,
        Layer::Access,
        Layer::Descriptors,
        Layer::Calls,
        Layer::Kills,
    ];

    /// The layer's name, for a log.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Inherited => "no inherited descriptors",
            Layer::Directory => "working directory",
            Layer::Limits => "memory limit",
            Layer::Access => "no file access",
            Layer::Descriptors => "no new files or processes",
            Layer::Calls => "few system calls",
            Layer::Kills => "end at forbidden system calls",
        }
    }
}

/// Whether one layer holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The layer.
    pub layer: Layer,
    /// Why it does not hold, in the system's words; None if it holds.
    pub missing: Option<String>,
}

/// A sandbox whose first half is applied: threads can still be started.
#[derive(Debug)]
pub struct Sandbox {
    layers: Vec<Layer>,
    outcomes: Vec<Outcome>,
}

impl Sandbox {
    /// Applies those of the `layers` that bind only the calling thread and its children. Call it before any other
    /// thread exists.
    pub fn open(layers: &[Layer]) -> Sandbox {
        let mut sandbox = Sandbox { layers: layers.to_vec(), outcomes: Vec::new() };
        // First of all: what is open now is not ours, and later layers open something for a moment.
        sandbox.lay(Layer::Inherited, close_inherited);
        sandbox.lay(Layer::Directory, || std::env::set_current_dir("/").map_err(Gap::Refused));
        sandbox.lay(Layer::Limits, limits_of_memory);
        sandbox.lay(Layer::Access, no_access);
        sandbox
    }

    /// Applies the rest, for all threads, and reports what holds. Every thread must be idle by then: one that is still
    /// starting needs system calls that are refused from here on.
    pub fn close(mut self) -> Vec<Outcome> {
        self.lay(Layer::Descriptors, no_descriptors);
        // The shorter list goes first, because the longer one no longer allows a filter to be installed.
        self.lay(Layer::Kills, kills);
        self.lay(Layer::Calls, few_calls);
        self.outcomes
    }

    fn lay(&mut self, layer: Layer, lay: impl FnOnce() -> Result<(), Gap>) {
        if self.layers.contains(&layer) {
            self.outcomes.push(Outcome { layer, missing: lay().err().map(|gap| gap.to_string()) });
        }
    }
}

#[cfg(not(unix))]
use elsewhere::{close_inherited, limits_of_memory, no_descriptors};
#[cfg(not(target_os = "linux"))]
use elsewhere::{few_calls, few_calls_of_program, kills, limits_of_program, no_access};
#[cfg(unix)]
use inherited::close_inherited;
#[cfg(unix)]
use limits::{limits_of_memory, no_descriptors};
#[cfg(target_os = "linux")]
use {
    limits::limits_of_program,
    linux::{few_calls, few_calls_of_program, kills, no_access},
};
