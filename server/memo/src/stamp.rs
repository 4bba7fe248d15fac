//! Stamps: numbers that identify one version of some content.

use std::sync::atomic::{AtomicU64, Ordering};

/// Given out once, when a content is made: equal stamps mean equal content, and later stamps are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Stamp(u64);

impl Stamp {
    /// The next stamp. The one of `Default` is never given out.
    pub fn next() -> Stamp {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Stamp(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// The stamp of what is made of this content, as long as it is not made. Never given out.
    pub fn before(self) -> Stamp {
        Stamp(self.0 | 1 << (u64::BITS - 1))
    }

    /// The stamp as a number, to be mixed into a hash.
    pub fn number(self) -> u64 {
        self.0
    }
}
