//! Work that begins once nothing has changed for a moment, and that the next change ends.

use std::time::{Duration, Instant};

use crate::cancel::CancelFlag;

/// How long nothing may have changed: longer than the time between two keys in normal typing, short enough to see the
/// result while looking at the line.
const PAUSE: Duration = Duration::from_millis(500);

/// When the work is due, and whether it is being done.
#[derive(Default)]
pub(crate) struct Debounced {
    due: Option<Instant>,
    under_way: Option<CancelFlag>,
}

impl Debounced {
    /// Notes a change, after which the work has to be done again. `wanted`: whether it has to be done at all.
    pub(crate) fn invalidate(&mut self, wanted: bool) {
        if wanted {
            self.due = Some(Instant::now() + PAUSE);
        }
        if let Some(cancel) = &self.under_way {
            cancel.make_stale();
        }
    }

    /// When it is to begin, even without an event.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.due.filter(|_| self.under_way.is_none())
    }

    /// Whether nothing has changed for long enough.
    pub(crate) fn is_due(&self) -> bool {
        self.deadline().is_some_and(|due| due <= Instant::now())
    }

    /// It begins now. The flag is set by the next change.
    pub(crate) fn begin(&mut self) -> CancelFlag {
        let cancel = CancelFlag::default();
        self.due = None;
        self.under_way = Some(cancel.clone());
        cancel
    }

    /// It has ended.
    pub(crate) fn over(&mut self) {
        self.under_way = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_ends_the_work_and_it_begins_again_when_it_is_over() {
        let mut work = Debounced::default();
        work.invalidate(false);
        assert!(work.deadline().is_none(), "nobody wants it");
        work.invalidate(true);
        assert!(work.deadline().is_some() && !work.is_due());
        let cancel = work.begin();
        assert!(work.deadline().is_none());
        work.invalidate(true);
        assert!(cancel.is_set());
        assert!(work.deadline().is_none());
        work.over();
        assert!(work.deadline().is_some());
    }
}
