//! The worker as it is released, except that its input may tell it to misbehave: `probe NAME` makes the thread that
//! evaluates, at the moment when it would read a request, do what code that broke out would.
//!
//! `hostile-worker worker LAYERS` is a worker with some of the layers, separated by commas. `hostile-worker program NAME`
//! is a program that has read its input and confines itself, with code that breaks out then. `hostile-worker parent
//! LAYERS` starts one that computes for ever, and dies. `hostile-worker without CALLS ERRNO ARGUMENT…` runs itself with
//! the arguments on a system that lacks system calls.

#[cfg(target_os = "linux")]
mod attempts;
#[cfg(target_os = "linux")]
mod modes;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    modes::run(&arguments)
}

/// Only Linux has all layers.
#[cfg(not(target_os = "linux"))]
fn main() {}
