//! How far the typing in a document has got.
//!
//! What is just being typed is not blamed on other lines. What is left out is told when the typing has paused or the
//! document was saved. Only what is published or answered is held back, nothing that is computed: leaving out depends
//! on the text and the place of the last edit alone.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lofting_check::Diagnostic;
use lofting_document::FileId;
use lofting_ide::{AHEAD, LastEdit};

use crate::view::View;

/// How long nothing may be typed before everything is told. Longer than somebody thinks about the next key, short
/// enough for who believes to be done.
pub(crate) const PAUSE: Duration = Duration::from_secs(3);

/// Editors that open lists by themselves ask for them within this time after a key. Who asks on purpose presses another
/// key for it, which takes longer.
const ASKED_BY_ITSELF: Duration = Duration::from_millis(250);

/// How long it takes on a busy machine until an editor has asked, got its answer and shown it.
const SEEN: Duration = Duration::from_millis(200);

/// Nobody types so many keys before an answer is seen.
const MOST_AHEAD: usize = 6;

/// A letter or sign that was typed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Typed {
    /// The offset behind it.
    to: usize,
    at: Instant,
    /// How long after the key before it.
    after: Option<Duration>,
}

impl Typed {
    /// It was typed now.
    pub(crate) fn now(to: usize) -> Self {
        Self { to, at: Instant::now(), after: None }
    }

    /// The same, with the key typed before it.
    pub(crate) fn behind(self, before: Option<Instant>) -> Self {
        Self { after: before.map(|before| self.at.saturating_duration_since(before)), ..self }
    }

    /// When it was typed.
    pub(crate) fn at(self) -> Instant {
        self.at
    }

    /// How many keys may follow before an answer is seen, at the pace of the last two.
    pub(crate) fn ahead(self) -> usize {
        let pace = self.after.map_or(u128::MAX, |after| after.as_millis().max(1));
        let keys = SEEN.as_millis().div_ceil(pace);
        usize::try_from(keys).unwrap_or(usize::MAX).clamp(AHEAD, MOST_AHEAD)
    }

    /// The offset behind it, as long as an editor may ask by itself what comes next.
    pub(crate) fn just_now(self) -> Option<usize> {
        (self.at.elapsed() < ASKED_BY_ITSELF).then_some(self.to)
    }
}

/// How far a document is.
#[derive(Debug, Clone)]
pub(crate) enum Typing {
    /// Somebody types, or has just opened it.
    Going {
        /// When it was opened or edited last.
        since: Instant,
        /// The last edit, if that is known.
        last: Option<LastEdit>,
    },
    /// It was saved, or nothing was typed for a while.
    Over,
}

impl Typing {
    /// It was opened or edited now.
    pub(crate) fn now(last: Option<LastEdit>) -> Self {
        Self::Going { since: Instant::now(), last }
    }

    /// What of all findings is to be shown: the same list if that is all of it.
    pub(crate) fn shown(&self, view: &View, file: FileId, found: Arc<[Diagnostic]>) -> Arc<[Diagnostic]> {
        match self {
            Self::Going { last, .. } => lofting_ide::without_half_typed(&view.snapshot, file, found, last.as_ref()),
            Self::Over => found,
        }
    }
}

/// When which documents were typed in, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Pauses {
    due: VecDeque<(Instant, PathBuf)>,
}

impl Pauses {
    /// Notes that a document was opened or edited now.
    pub(crate) fn begin(&mut self, path: PathBuf) {
        let due = Instant::now() + PAUSE;
        // A key after the other in one document is one entry.
        match self.due.back_mut() {
            Some(last) if last.1 == path => last.0 = due,
            _ => self.due.push_back((due, path)),
        }
    }

    /// When [`Pauses::take`] may give something.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.due.front().map(|(due, _)| *due)
    }

    /// The next document in which nothing may have been typed for a while.
    pub(crate) fn take(&mut self) -> Option<PathBuf> {
        let is_due = self.deadline().is_some_and(|due| due <= Instant::now());
        if is_due { self.due.pop_front().map(|(_, path)| path) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::{ASKED_BY_ITSELF, Typed};
    use std::time::{Duration, Instant};

    #[test]
    fn what_is_asked_a_while_after_a_key_was_asked_on_purpose() {
        assert_eq!(Typed::now(3).just_now(), Some(3));
        let before = Instant::now().checked_sub(ASKED_BY_ITSELF).expect("the machine runs for longer than that");
        assert_eq!(Typed { to: 3, at: before, after: None }.just_now(), None);
    }

    #[test]
    fn who_types_fast_is_further_ahead_of_what_is_shown() {
        let ahead = |millis: u64| Typed { after: Some(Duration::from_millis(millis)), ..Typed::now(0) }.ahead();
        assert_eq!([0, 30, 60, 100, 200, 5000].map(ahead), [6, 6, 4, 2, 2, 2]);
        assert_eq!(Typed::now(0).ahead(), 2);
    }
}
