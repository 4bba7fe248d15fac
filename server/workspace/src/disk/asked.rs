//! Counts what is asked of the disk. What was found out without asking depends on nothing but what was known before.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

static ASKED: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Whether this thread reads what is known already.
    static IS_KNOWN: Cell<bool> = const { Cell::new(false) };
}

/// Something is asked.
pub(super) fn ask() {
    if !IS_KNOWN.get() {
        ASKED.fetch_add(1, Ordering::Relaxed);
    }
}

/// How much this process has asked so far.
pub(crate) fn asked() -> usize {
    ASKED.load(Ordering::Relaxed)
}

/// Reads what a scan has seen, which does not count.
pub(crate) fn known<T>(read: impl FnOnce() -> T) -> T {
    let before = IS_KNOWN.replace(true);
    let end = EndOfKnown(before);
    let made = read();
    drop(end);
    made
}

/// Ends what is known, even if reading panics.
struct EndOfKnown(bool);

impl Drop for EndOfKnown {
    fn drop(&mut self) {
        IS_KNOWN.set(self.0);
    }
}
