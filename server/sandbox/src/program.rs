//! A program that confines itself once it has read everything, so that it can run code without a second process.
//!
//! From then on it can compute, start threads and write to standard output and standard error. Nothing can be opened,
//! read, connected or started, and no process can be reached. What it holds in memory, such as its environment, code could
//! only print, and the code that runs is not given it.

use std::fmt;

use crate::gap::Gap;

/// The system does not provide what confines a program.
#[derive(Debug)]
pub struct Unconfined(Gap);

impl fmt::Display for Unconfined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Unconfined {}

/// Whether systems of this kind provide what is needed: filters are made for these processors.
pub const CAN_BE_CONFINED: bool =
    cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")));

/// Takes away all rights that computing and printing do not need, for good. The filters of system calls bind all threads;
/// Landlock, which takes away once more what the filters forbid, this thread and those that it starts. All others must
/// be idle: one that is still starting needs calls that are refused from here on.
///
/// # Errors
///
/// A layer is missing. Landlock is the one that systems lack; then the program has only bound its memory, and can still
/// start a worker. Should the system refuse a filter after that, it cannot, and reports it.
pub fn confine() -> Result<(), Unconfined> {
    crate::limits_of_program()
        .and_then(|()| crate::no_access())
        .and_then(|()| crate::kills())
        .and_then(|()| crate::few_calls_of_program())
        .map_err(Unconfined)
}
