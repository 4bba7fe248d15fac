//! Whether the process at the other end of standard input is still there.

use std::time::Duration;

/// Waits until the writing end of standard input is closed, but no longer than `wait`. Returns whether it is closed,
/// even while unread text is left, which a read would have to consume first.
pub fn hung_up(wait: Duration) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let input = std::io::stdin();
    // No events are requested: a hang-up is reported anyway.
    let mut watched = [PollFd::new(&input, PollFlags::empty())];
    let timeout = Timespec::try_from(wait).ok();
    match poll(&mut watched, timeout.as_ref()) {
        Ok(count) => count > 0,
        // Stopping and continuing the process interrupts the wait. Other errors are not expected and must not turn the
        // caller's loop into a busy one.
        Err(rustix::io::Errno::INTR) => false,
        Err(_) => {
            std::thread::sleep(wait);
            false
        }
    }
}
