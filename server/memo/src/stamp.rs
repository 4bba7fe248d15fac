//! Stamps: what tells one content of something from all others.

use std::sync::atomic::{AtomicU64, Ordering};

/// Given out once, when a content is made: equal stamps mean equal content. Later ones are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Stamp(u64);

impl Stamp {
    /// The next one; that of `Default` is never given out.
    pub fn next() -> Stamp {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Stamp(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// As a number, for those who mix it with others.
    pub fn number(self) -> u64 {
        self.0
    }
}
