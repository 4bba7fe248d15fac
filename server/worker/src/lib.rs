//! The evaluator that runs code in a separate process, and the messages between the two.
//!
//! The caller says how to start the process ([`Launch`]); the program it runs speaks [`wire`]. What a worker answers is
//! not trusted.
#![forbid(unsafe_code)]

mod client;
pub mod exit;
mod launch;
mod limits;
#[cfg(not(unix))]
#[path = "pipes_elsewhere.rs"]
mod pipes;
#[cfg(unix)]
#[path = "pipes_unix.rs"]
mod pipes;
mod portions;
mod process;
mod recorded;
mod refused;
mod seat;
mod turn;
pub mod wire;

pub use client::WorkerEvaluator;
pub use launch::{Confinement, Launch, spawn};
pub use limits::{Limits, SlowTime, stopped_after};
