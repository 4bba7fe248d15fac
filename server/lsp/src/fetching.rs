//! Fetching schemas: which hosts are allowed.
//!
//! Only the user decides about hosts: on the command line, in the environment, or in settings of the editor that are
//! the user's own. Nothing in a repository can.

use parking_lot::Mutex;
use std::fmt;
use std::path::{Path, PathBuf};

use clap::Args;
use lofting_fetch::{Cache, Consent, FetchError, Fetcher, HostPattern, Limits, Policy, default_folder};
use lofting_workspace::{Answer, BuiltIn, Fetch, FetchedDocument, Mirror, NotFetched, Wish};

use crate::built_in;

/// The environment variable with allowed hosts, separated by commas.
pub(crate) const VARIABLE: &str = "LOFTING_ALLOWED_HOSTS";

// Arguments about fetching on the command line.
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
    /// Do not use the built-in schemas. `[catalogue] built-in = false` in lofting.toml does the same.
    #[arg(long)]
    no_built_in: bool,
    /// A folder with copies of the schemas below a URL (`URL=FOLDER`). May be given several times.
    #[arg(long, value_name = "URL=FOLDER")]
    schema_dir: Vec<String>,
}

/// Arguments about fetching that cannot be used.
#[derive(Debug)]
pub(crate) enum WrongFetching {
    /// `--schema-dir` is not a URL with a folder.
    Mirror(String),
    /// The folder of `--schema-dir` is not there.
    Folder {
        /// As it was given.
        given: String,
        /// The folder.
        folder: PathBuf,
    },
    /// `--allow-host` is not a host.
    Host(String),
}

impl fmt::Display for WrongFetching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrongFetching::Mirror(given) => {
                write!(f, "--schema-dir {given}: it should be `URL=FOLDER`, such as `https://example.com=schemas`")
            }
            WrongFetching::Folder { given, folder } => {
                write!(f, "--schema-dir {given}: there is no folder `{}`", folder.display())
            }
            WrongFetching::Host(given) => {
                write!(f, "--allow-host {given}: it should be a host, as `example.com` or `*.example.com`")
            }
        }
    }
}

impl std::error::Error for WrongFetching {}

impl FetchArguments {
    /// The folders that stand for URLs, relative to `here`.
    pub(crate) fn mirrors(&self, here: &Path) -> Result<Vec<Mirror>, WrongFetching> {
        let mirror = |text: &String| {
            let mirror = Mirror::parse(text, here).ok_or_else(|| WrongFetching::Mirror(text.clone()))?;
            let folder = || WrongFetching::Folder { given: text.clone(), folder: mirror.folder.clone() };
            if mirror.is_there() { Ok(mirror) } else { Err(folder()) }
        };
        self.schema_dir.iter().map(mirror).collect()
    }

    /// The built-in schemas, unless the user switches them off.
    pub(crate) fn built_in(&self) -> Option<BuiltIn> {
        built_in::catalogue().filter(|_| !self.no_built_in)
    }

    /// The fetcher for this call; None if there is no place for copies. `schema` is named by the user, so its host is
    /// allowed.
    pub(crate) fn fetcher(&self, schema: Option<&str>) -> Result<Option<WebFetcher>, WrongFetching> {
        let mut settings = FetchSettings::of_environment();
        for host in &self.allow_host {
            settings.hosts.push(HostPattern::parse(host).ok_or_else(|| WrongFetching::Host(host.clone()))?);
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
    NotFetched {
        why: error.to_string(),
        help: error.host_to_allow().map(allow),
        is_refusal: error.is_refusal(),
        is_missing: error.is_missing(),
    }
}

/// Uses copies as they are, and notes which are old.
pub(crate) struct AtHand<'f> {
    pub(crate) fetcher: &'f WebFetcher,
    pub(crate) old: Mutex<Vec<Wish>>,
}

impl Fetch for AtHand<'_> {
    fn fetch(&self, wish: &Wish) -> Answer {
        let Some(copy) = self.fetcher.fetcher.at_hand(&wish.url, consent(wish)) else {
            return self.fetcher.fetch(wish);
        };
        if copy.is_due {
            self.old.lock().push(wish.clone());
        }
        Ok(FetchedDocument { path: copy.path, outdated: None })
    }
}
