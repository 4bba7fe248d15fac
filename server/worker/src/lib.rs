//! The evaluator whose code runs in a process of its own, and the messages between both.
//!
//! Whoever starts the process says how ([`Launch`]); the program it runs speaks [`wire`]. What a worker answers is
//! not trusted.
#![forbid(unsafe_code)]

mod client;
mod launch;
mod process;
mod recorded;
mod refused;
mod turn;
pub mod wire;

pub use client::{Limits, WorkerEvaluator};
pub use launch::{Confinement, Launch};
