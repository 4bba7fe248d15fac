//! Limits that every Unix has in some form.

#[cfg(target_os = "macos")]
use crate::elsewhere::memory;
use crate::gap::Gap;
use rustix::process::{Resource, Rlimit, setrlimit};

fn limit(resource: Resource, value: u64) -> Result<(), Gap> {
    setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) })
        .map_err(|error| Gap::Refused(error.into()))
}

/// Limits memory and everything that could be used instead of it. All limits are tried; the first failure is reported.
pub(crate) fn limits_of_memory() -> Result<(), Gap> {
    // From here on, writing to a file would end the process at its first byte, so its output must be a pipe.
    let others = limit(Resource::Core, 0).and(limit(Resource::Fsize, 0));
    #[cfg(target_os = "linux")]
    let others = others.and(limit(Resource::Memlock, 0)).and(limit(Resource::Msgqueue, 0));
    memory().and(others)
}

#[cfg(not(target_os = "macos"))]
fn memory() -> Result<(), Gap> {
    limit(Resource::As, crate::ADDRESS_SPACE)
}

/// Limits the memory of a program that computes after it has read its input. What it prints may go to a file.
#[cfg(target_os = "linux")]
pub(crate) fn limits_of_program() -> Result<(), Gap> {
    // What the user has limited further stays so.
    let set = nix::sys::resource::getrlimit(nix::sys::resource::Resource::RLIMIT_AS);
    let (current, _) = set.map_err(|error| Gap::Refused(error.into()))?;
    limit(Resource::Core, 0).and(limit(Resource::As, current.min(crate::ADDRESS_SPACE_OF_PROGRAM)))
}

/// Must come after everything that opens something temporarily, and after the threads are started.
pub(crate) fn no_descriptors() -> Result<(), Gap> {
    // With 0, the system would refuse to poll even one descriptor.
    limit(Resource::Nofile, 1).and(limit(Resource::Nproc, 0))
}
