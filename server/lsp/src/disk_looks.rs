//! When to look at the disk.

use std::time::{Duration, Instant};

/// Shortest time between two looks at the disk for clients that do not watch files.
const DISK_PAUSE: Duration = Duration::from_secs(1);

/// A look at the disk that takes long is followed by a pause this many times as long.
const DISK_SHARE: u32 = 50;

/// When to look at the disk for clients that watch nothing.
#[derive(Default)]
pub(crate) struct DiskLooks {
    /// Not before.
    earliest: Option<Instant>,
    pub(crate) due: Option<Instant>,
}

impl DiskLooks {
    /// Asks for a look as soon as one is allowed.
    pub(crate) fn ask(&mut self) {
        let now = Instant::now();
        self.due.get_or_insert(self.earliest.map_or(now, |earliest| earliest.max(now)));
    }

    pub(crate) fn is_due(&self) -> bool {
        self.due.is_some_and(|due| due <= Instant::now())
    }

    /// A look that took so long is over.
    pub(crate) fn looked(&mut self, took: Duration) {
        self.earliest = Some(Instant::now() + DISK_PAUSE.max(took * DISK_SHARE));
        self.due = None;
    }
}
