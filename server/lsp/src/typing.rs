//! The state of typing in a document.
//!
//! What is just being typed causes no findings on other lines. These are shown when the typing has paused or the
//! document was saved. Findings are only held back from publishing and answers; they are computed anyway: which ones
//! are held back depends only on the text and the position of the last edit.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lofting_check::Diagnostic;
use lofting_document::FileId;
use lofting_ide::{AHEAD, LastEdit};

use crate::view::View;

/// How long nothing may be typed before everything is shown. Longer than it takes to think about the next key, short
/// enough for users who have finished.
pub(crate) const PAUSE: Duration = Duration::from_secs(3);

/// Editors that open completion lists automatically request them within this time after a key. To request one on
/// purpose, the user presses another key, which takes longer.
const ASKED_BY_ITSELF: Duration = Duration::from_millis(250);

/// How long it takes on a busy machine until an editor has sent a request, received the answer and shown it.
const SEEN: Duration = Duration::from_millis(300);

/// No user types so many keys before an answer is visible.
const MOST_AHEAD: usize = 10;

/// How many recent keys determine the pace: after a pause before a word, the rest of it is typed as fast as the words
/// before.
const RECENT: usize = 6;

/// A typed character.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Typed {
    /// The offset after it.
    to: usize,
    at: Instant,
    /// The shortest time between two of the last keys.
    pace: Option<Duration>,
}

impl Typed {
    /// It was typed now.
    pub(crate) fn now(to: usize) -> Self {
        Self { to, at: Instant::now(), pace: None }
    }

    /// How many keys may follow before an answer is visible, at the pace of the last ones.
    pub(crate) fn ahead(self) -> usize {
        let pace = self.pace.map_or(u128::MAX, |pace| pace.as_millis().max(1));
        let keys = SEEN.as_millis().div_ceil(pace);
        usize::try_from(keys).unwrap_or(usize::MAX).clamp(AHEAD, MOST_AHEAD)
    }

    /// The offset after it, as long as an editor may automatically request a completion.
    pub(crate) fn just_now(self) -> Option<usize> {
        (self.at.elapsed() < ASKED_BY_ITSELF).then_some(self.to)
    }
}

/// When the last keys were pressed, oldest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Keys(VecDeque<Instant>);

impl Keys {
    /// Another one was pressed.
    pub(crate) fn press(&mut self, typed: Typed) -> Typed {
        if self.0.len() == RECENT {
            self.0.pop_front();
        }
        self.0.push_back(typed.at);
        let between = self.0.iter().zip(self.0.iter().skip(1));
        Typed { pace: between.map(|(one, next)| next.saturating_duration_since(*one)).min(), ..typed }
    }
}

/// The state of typing in a document.
#[derive(Debug, Clone)]
pub(crate) enum Typing {
    /// The user is typing, or has just opened it.
    Going {
        /// When it was last opened or edited.
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

    /// The findings to show: the same list if these are all.
    pub(crate) fn shown(&self, view: &View, file: FileId, found: Arc<[Diagnostic]>) -> Arc<[Diagnostic]> {
        match self {
            Self::Going { last, .. } => lofting_ide::without_half_typed(&view.snapshot, file, found, last.as_ref()),
            Self::Over => found,
        }
    }
}

/// When each document was last typed in, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Pauses {
    due: VecDeque<(Instant, PathBuf)>,
}

impl Pauses {
    /// Records that a document was opened or edited now.
    pub(crate) fn begin(&mut self, path: PathBuf) {
        let due = Instant::now() + PAUSE;
        // Successive keys in one document are one entry.
        match self.due.back_mut() {
            Some(last) if last.1 == path => last.0 = due,
            _ => self.due.push_back((due, path)),
        }
    }

    /// When [`Pauses::take`] may return something.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.due.front().map(|(due, _)| *due)
    }

    /// The next document in which nothing was typed for a while.
    pub(crate) fn take(&mut self) -> Option<PathBuf> {
        let is_due = self.deadline().is_some_and(|due| due <= Instant::now());
        if is_due { self.due.pop_front().map(|(_, path)| path) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::{ASKED_BY_ITSELF, Keys, Typed};
    use std::time::{Duration, Instant};

    #[test]
    fn what_is_asked_a_while_after_a_key_was_asked_on_purpose() {
        assert_eq!(Typed::now(3).just_now(), Some(3));
        let before = Instant::now().checked_sub(ASKED_BY_ITSELF).expect("the machine runs for longer than that");
        assert_eq!(Typed { to: 3, at: before, pace: None }.just_now(), None);
    }

    #[test]
    fn who_types_fast_is_further_ahead_of_what_is_shown() {
        let ahead = |millis: u64| Typed { pace: Some(Duration::from_millis(millis)), ..Typed::now(0) }.ahead();
        assert_eq!([0, 30, 60, 100, 200, 5000].map(ahead), [10, 10, 5, 3, 2, 2]);
        assert_eq!(Typed::now(0).ahead(), 2);
    }

    /// A pause before a word does not show how fast it will be typed.
    #[test]
    fn the_fastest_of_the_last_keys_counts() {
        let begin = Instant::now();
        let mut keys = Keys::default();
        let mut press = |millis: u64| {
            let at = begin + Duration::from_millis(millis);
            keys.press(Typed { to: 0, at, pace: None }).pace.map(|pace| pace.as_millis())
        };
        assert_eq!([0, 40, 70, 270].map(&mut press), [None, Some(40), Some(30), Some(30)]);
        assert_eq!([1270, 2270, 3270].map(&mut press), [Some(30); 3]);
        assert_eq!([4270, 5270].map(&mut press), [Some(200), Some(1000)]);
    }
}
