//! Fetching schemas: which hosts are allowed, and when to fetch.
//!
//! Only the user decides about hosts: on the command line, in the environment, or in settings of the editor that are
//! the user's own. Nothing in a repository can. The server fetches on a thread of its own while nobody types.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;
use lofting_fetch::{Cache, Consent, FetchError, Fetcher, HostPattern, Limits, Policy, default_folder};
use lofting_workspace::{Answer, Answered, Fetch, FetchedDocument, NotFetched, Wish, fetch_all};

use crate::session::Session;
use crate::typing::Typing;

/// The environment variable with allowed hosts, separated by commas.
const VARIABLE: &str = "LOFTING_ALLOWED_HOSTS";

/// How long after a failure a document is requested again.
const RETRY: Duration = Duration::from_secs(5 * 60);

/// Arguments about fetching on the command line.
#[derive(Args, Debug, Default, Clone)]
#[command(next_help_heading = "Fetching schemas")]
pub(crate) struct FetchArguments {
    /// A host from which schemas may be fetched: `example.com`, `*.example.com`, `http://localhost:8080`. May be given
    /// several times. LOFTING_ALLOWED_HOSTS=HOST,HOST does the same for every call.
    #[arg(long, value_name = "HOST")]
    allow_host: Vec<String>,
    /// The URL of a catalogue that maps file names to schemas. SchemaStore's is
    /// <https://www.schemastore.org/api/json/catalog.json>. Schemas that it names are fetched from any public host.
    #[arg(long, value_name = "URL")]
    pub(crate) catalogue: Option<String>,
    /// Fetch nothing, but use schemas that were fetched before.
    #[arg(long)]
    offline: bool,
}

impl FetchArguments {
    /// The fetcher for this call; None if there is no place for copies. `schema` is named by the user, so its host is
    /// allowed.
    pub(crate) fn fetcher(&self, schema: Option<&str>) -> Result<Option<WebFetcher>, String> {
        let mut settings = FetchSettings::of_environment();
        for host in &self.allow_host {
            let wrong = || format!("--allow-host {host}: it should be a host, as `example.com` or `*.example.com`");
            settings.hosts.push(HostPattern::parse(host).ok_or_else(wrong)?);
        }
        settings.hosts.extend(schema.and_then(HostPattern::of_url));
        settings.offline = self.offline;
        Ok(WebFetcher::new(&settings))
    }
}

/// The user's settings about fetching.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FetchSettings {
    /// `lofting.fetch.allowedHosts`
    pub(crate) hosts: Vec<HostPattern>,
    /// `lofting.fetch.cache`; None for the system's cache directory.
    pub(crate) cache: Option<PathBuf>,
    /// Nothing is fetched.
    pub(crate) offline: bool,
}

impl FetchSettings {
    /// The settings in the environment. Invalid hosts allow nothing.
    pub(crate) fn of_environment() -> FetchSettings {
        let written = std::env::var(VARIABLE).unwrap_or_default();
        FetchSettings { hosts: written.split(',').filter_map(HostPattern::parse).collect(), ..FetchSettings::default() }
    }
}

/// Fetches schemas within the user's settings.
#[derive(Debug)]
pub(crate) struct WebFetcher {
    fetcher: Fetcher,
}

impl WebFetcher {
    /// None if the user has no place for copies.
    pub(crate) fn new(settings: &FetchSettings) -> Option<WebFetcher> {
        let cache = Cache::in_folder(settings.cache.clone().or_else(default_folder)?);
        let policy = Policy { hosts: settings.hosts.clone(), offline: settings.offline };
        Some(WebFetcher { fetcher: Fetcher::new(policy, cache, Limits::default()) })
    }
}

impl Fetch for WebFetcher {
    fn fetch(&self, wish: &Wish) -> Answer {
        match self.fetcher.fetch(&wish.url, consent(wish)) {
            Ok(fetched) => {
                let outdated = fetched.outdated.map(|error| error.to_string());
                Ok(FetchedDocument { path: fetched.path, outdated })
            }
            Err(error) => Err(not_fetched(&error)),
        }
    }
}

fn consent(wish: &Wish) -> Consent {
    if wish.is_chosen { Consent::Given } else { Consent::Host }
}

fn not_fetched(error: &FetchError) -> NotFetched {
    let allow = |host: &str| {
        format!(
            "allow `{host}` with the setting `lofting.fetch.allowedHosts`, the flag `--allow-host` or {VARIABLE}, or name a \
             folder that stands for the URL: `[schemas.mirror]` in lofting.toml, `--schema-dir URL=FOLDER`"
        )
    };
    NotFetched { why: error.to_string(), help: error.host_to_allow().map(allow), is_refusal: error.is_refusal() }
}

/// Uses copies as they are, and notes which are old.
struct AtHand<'f> {
    fetcher: &'f WebFetcher,
    old: Mutex<Vec<Wish>>,
}

impl Fetch for AtHand<'_> {
    fn fetch(&self, wish: &Wish) -> Answer {
        let Some(copy) = self.fetcher.fetcher.at_hand(&wish.url, consent(wish)) else {
            return self.fetcher.fetch(wish);
        };
        if copy.is_due {
            self.old.lock().unwrap_or_else(PoisonError::into_inner).push(wish.clone());
        }
        Ok(FetchedDocument { path: copy.path, outdated: None })
    }
}

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

    /// Fetches what open documents need, unless the user is typing: names of schemas may be half-typed then.
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
            Brought { answers, old: at_hand.old.into_inner().unwrap_or_else(PoisonError::into_inner) }
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
            self.surroundings_changed();
        }
    }
}
