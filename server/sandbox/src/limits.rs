//! Limits that every Unix has, more or less.

use rustix::process::{Resource, Rlimit, setrlimit};

fn limit(resource: Resource, value: u64) -> Result<(), String> {
    setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) }).map_err(|error| error.to_string())
}

/// Bounds memory and everything that could be used instead of it. All are tried, the first failure is told.
pub(crate) fn limits_of_memory() -> Result<(), String> {
    // A stream that leads into a file would now end the process at its first byte: who starts it uses pipes.
    let others = limit(Resource::Core, 0).and(limit(Resource::Fsize, 0));
    #[cfg(target_os = "linux")]
    let others = others.and(limit(Resource::Memlock, 0)).and(limit(Resource::Msgqueue, 0));
    memory().and(others)
}

#[cfg(not(target_os = "macos"))]
fn memory() -> Result<(), String> {
    limit(Resource::As, crate::ADDRESS_SPACE)
}

/// The limit can be set there and binds nothing.
#[cfg(target_os = "macos")]
fn memory() -> Result<(), String> {
    Err("this system does not bound the address space".to_owned())
}

/// After everything that opens something for a moment, and after the threads.
pub(crate) fn no_descriptors() -> Result<(), String> {
    // With 0 the system would refuse to wait for even one descriptor.
    limit(Resource::Nofile, 1).and(limit(Resource::Nproc, 0))
}
