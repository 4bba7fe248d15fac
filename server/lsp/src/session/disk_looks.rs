//! When to check the disk.

use std::time::{Duration, Instant};

/// Shortest time between two checks of the disk for clients that do not watch files.
const DISK_PAUSE: Duration = Duration::from_secs(1);

/// After a slow check of the disk, the pause is this many times as long as the check.
const DISK_SHARE: u32 = 50;

/// When to check the disk for clients that do not watch files.
#[derive(Default)]
pub(crate) struct DiskLooks {
    /// The earliest time.
    earliest: Option<Instant>,
    pub(crate) due: Option<Instant>,
}

impl DiskLooks {
    /// Requests a check as soon as one is allowed.
    pub(crate) fn ask(&mut self) {
        let now = Instant::now();
        self.due.get_or_insert(self.earliest.map_or(now, |earliest| earliest.max(now)));
    }

    pub(crate) fn is_due(&self) -> bool {
        self.due.is_some_and(|due| due <= Instant::now())
    }

    /// Notes that a check ended after this time.
    pub(crate) fn looked(&mut self, took: Duration) {
        self.earliest = Some(Instant::now() + DISK_PAUSE.max(took * DISK_SHARE));
        self.due = None;
    }
}
