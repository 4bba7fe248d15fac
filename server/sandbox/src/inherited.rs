//! Descriptors that the parent process left open.
//!
//! `close_range` would do it in one call, but no crate offers that without `unsafe`, because it may close what other code
//! owns. Numbers are closed one by one instead: the system lists those that are open.

use crate::gap::Gap;
use std::os::fd::RawFd;

/// The first descriptor after the three pipes.
const FIRST: RawFd = 3;

/// How many numbers are tried where the system does not list them.
const TRIED: RawFd = 65_536;

/// Closes all descriptors but the three standard ones. Call it before this process opens anything itself.
pub(crate) fn close_inherited() -> Result<(), Gap> {
    let open = listed().unwrap_or_else(|| (FIRST..TRIED).collect());
    for number in open {
        // One of them was that of the listing, which is closed already.
        let _ = nix::unistd::close(number);
    }
    match listed() {
        // The listing itself has a descriptor, which is closed by now.
        Some(left) => {
            left.into_iter().find(|number| is_open(*number)).map_or(Ok(()), |number| Err(Gap::Descriptor(number)))
        }
        None => Ok(()),
    }
}

fn is_open(number: RawFd) -> bool {
    nix::fcntl::fcntl(number, nix::fcntl::FcntlArg::F_GETFD).is_ok()
}

/// The open descriptors from [`FIRST`] on, and that of the listing.
fn listed() -> Option<Vec<RawFd>> {
    let directory = if cfg!(target_os = "linux") { "/proc/self/fd" } else { "/dev/fd" };
    let mut numbers = Vec::new();
    for entry in std::fs::read_dir(directory).ok()? {
        numbers.push(entry.ok()?.file_name().to_str()?.parse().ok()?);
    }
    numbers.retain(|number| *number >= FIRST);
    // A listing has at least itself.
    (!numbers.is_empty()).then_some(numbers)
}
