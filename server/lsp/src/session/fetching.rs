//! When the server fetches schemas: on a thread of its own, while the user is not typing.

use parking_lot::Mutex;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lofting_workspace::{Answer, Answered, Wish, fetch_all};

use crate::fetching::{AtHand, FetchSettings, WebFetcher};
use crate::session::Session;
use crate::session::consequences::Changed;
use crate::typing::Typing;

/// How long after a failure a document is requested again.
const RETRY: Duration = Duration::from_secs(5 * 60);

/// When the server fetches.
#[derive(Default)]
pub(crate) struct Fetching {
    settings: Option<FetchSettings>,
    fetcher: Option<Arc<WebFetcher>>,
    /// Something changed that may need a document.
    pub(crate) is_due: bool,
    is_running: bool,
    /// Incremented with every change of the settings: answers from before are discarded.
    round: u64,
    /// When failed documents are requested again.
    pub(crate) retry: Option<Instant>,
}

/// The result of a fetching thread.
#[derive(Default)]
struct Brought {
    answers: Vec<Answered>,
    /// Copies that were taken as they are and should be asked about.
    old: Vec<Wish>,
}

impl Session {
    /// Uses these settings from now on.
    pub(crate) fn set_fetching(&mut self, mut settings: FetchSettings) {
        settings.hosts.extend(FetchSettings::of_environment().hosts);
        if self.fetching.settings.as_ref() == Some(&settings) {
            return;
        }
        self.fetching.fetcher = WebFetcher::new(&settings).map(Arc::new);
        self.fetching.settings = Some(settings);
        self.fetching.round += 1;
        if self.fetching.fetcher.is_some() {
            self.workspace.answer_wishes();
        }
    }

    /// Fetches what open documents need, unless the user is typing: meanwhile the names of schemas may be half-typed.
    pub(crate) fn fetch(&mut self) {
        if self.fetching.retry.is_some_and(|at| at <= Instant::now()) {
            self.fetching.retry = None;
            self.fetching.is_due = true;
            self.workspace.wish_again();
        }
        let is_typed = |typing: &Typing| matches!(typing, Typing::Going { last: Some(_), .. });
        let waits = self.fetching.is_running || self.documents.values().any(|document| is_typed(&document.typing));
        if !self.fetching.is_due || waits {
            return;
        }
        let Some(fetcher) = self.fetching.fetcher.clone() else { return };
        self.fetching.is_due = false;
        self.fetching.is_running = true;
        let (snapshot, files) =
            (self.workspace.snapshot(), self.documents.values().map(|open| open.file).collect::<Vec<_>>());
        let work = move || {
            let wishes = snapshot.wishes(&files);
            let at_hand = AtHand { fetcher: &fetcher, old: Mutex::default() };
            let answers = fetch_all(wishes, &at_hand);
            Brought { answers, old: at_hand.old.into_inner() }
        };
        let round = self.fetching.round;
        self.elsewhere("fetch", work, move |session, brought| {
            session.fetching.is_running = false;
            let Brought { answers, old } = brought.unwrap_or_default();
            session.fetched(round, answers);
            session.ask_about(round, old);
        });
    }

    /// Asks the servers whether copies are up to date.
    fn ask_about(&mut self, round: u64, old: Vec<Wish>) {
        let Some(fetcher) = self.fetching.fetcher.clone().filter(|_| !old.is_empty()) else { return };
        let work = move || fetch_all(old, &*fetcher);
        self.elsewhere("fetch again", work, move |session, answers| {
            session.fetched(round, answers.unwrap_or_default())
        });
    }

    /// What was fetched is there, and what it refers to may be wanted.
    fn fetched(&mut self, round: u64, answers: Vec<Answered>) {
        if round != self.fetching.round {
            return;
        }
        let failed = |answer: &Answer| answer.as_ref().is_err_and(|problem| !problem.is_refusal);
        if answers.iter().any(|answered| failed(answered.answer())) {
            self.fetching.retry.get_or_insert_with(|| Instant::now() + RETRY);
        }
        self.before_change();
        if self.workspace.take_answers(answers) {
            self.changed(Changed::Surroundings);
        }
    }
}
