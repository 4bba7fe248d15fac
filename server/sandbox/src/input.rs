//! Whether somebody is still there to ask.

use std::time::Duration;

/// Waits until the writing end of standard input is closed, or for as long as `wait`. True if it is closed: also while
/// unread text is left, which reading would find only afterwards.
#[cfg(unix)]
pub fn hung_up(wait: Duration) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let input = std::io::stdin();
    // No events are asked for: the end is told unasked.
    let mut watched = [PollFd::new(&input, PollFlags::empty())];
    let timeout = Timespec::try_from(wait).ok();
    match poll(&mut watched, timeout.as_ref()) {
        Ok(count) => count > 0,
        // A stop and continue interrupts the wait; others are not expected, and must not become a busy loop.
        Err(rustix::io::Errno::INTR) => false,
        Err(_) => {
            std::thread::sleep(wait);
            false
        }
    }
}

/// Waits; this system does not tell.
#[cfg(not(unix))]
pub fn hung_up(wait: Duration) -> bool {
    std::thread::sleep(wait);
    false
}
