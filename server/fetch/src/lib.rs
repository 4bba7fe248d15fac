//! Fetches documents from hosts that the user allows, and keeps copies of them on disk.
//!
//! This is the one crate that opens connections. It knows nothing of the documents' content.
//!
//! A caller names a URL, and who allows it to be fetched ([`Consent`]). A [`Policy`] decides whether that is enough,
//! for the URL and again for the target of each redirect. Fetched documents are kept in a [`Cache`]. For a day a copy
//! is used without asking; later the server is asked whether the copy is still up to date. If the server does not
//! answer, the copy is used and [`Fetched::outdated`] says why.

mod address;
mod budget;
mod cache;
mod client;
mod error;
mod policy;

pub use budget::Total;
pub use cache::{Cache, default_folder};
pub use error::FetchError;
pub use lofting_disk::CopyLimits;
pub use policy::{Consent, HostPattern, Policy};

use client::{Answer, Client};
use std::path::PathBuf;
use std::time::Duration;

/// Limits on the use of the network.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Size of a document in bytes.
    pub bytes: u64,
    /// Time to connect.
    pub connect: Duration,
    /// Time for a document in all, with every redirect.
    pub whole: Duration,
    /// How many redirects are followed for one document.
    pub redirects: usize,
    /// How long a copy is used before its server is asked again.
    pub fresh: Duration,
    /// Limits on all documents together.
    pub total: Total,
    /// Limits on the copies.
    pub kept: CopyLimits,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            bytes: 20 * 1024 * 1024,
            connect: Duration::from_secs(10),
            whole: Duration::from_secs(30),
            redirects: 5,
            fresh: Duration::from_secs(24 * 60 * 60),
            total: Total::default(),
            kept: CopyLimits::default(),
        }
    }
}

/// A document that is on disk now.
#[derive(Debug)]
pub struct Fetched {
    /// Its path.
    pub path: PathBuf,
    /// Why the copy may be outdated: the server was asked, and the request failed.
    pub outdated: Option<FetchError>,
}

/// Fetches documents.
#[derive(Debug)]
pub struct Fetcher {
    policy: Policy,
    cache: Cache,
    client: Client,
    fresh: Duration,
    kept: CopyLimits,
}

impl Fetcher {
    /// A fetcher that follows this policy and keeps copies in this cache.
    pub fn new(policy: Policy, cache: Cache, limits: Limits) -> Fetcher {
        Fetcher { client: Client::new(limits), fresh: limits.fresh, kept: limits.kept, policy, cache }
    }

    /// The copy of a document, however old, without any request. `None` if there is no copy or the policy forbids its
    /// use.
    pub fn at_hand(&self, url: &str, consent: Consent) -> Option<AtHand> {
        let url = &policy::secure(document_of(url));
        self.policy.admit(url, consent).ok()?;
        let copy = self.cache.copy(url)?;
        Some(AtHand { is_due: !self.policy.offline && copy.age() >= self.fresh, path: copy.path })
    }

    /// Gets the document of a URL: the copy if it is recent, else from the server. Blocks for as long as the limits
    /// allow.
    pub fn fetch(&self, url: &str, consent: Consent) -> Result<Fetched, FetchError> {
        let url = &policy::secure(document_of(url));
        self.policy.admit(url, consent)?;
        let copy = self.cache.copy(url);
        if let Some(copy) = copy.as_ref().filter(|copy| self.policy.offline || copy.age() < self.fresh) {
            return Ok(Fetched { path: copy.path.clone(), outdated: None });
        }
        if self.policy.offline {
            return Err(FetchError::Offline);
        }
        let known = copy.as_ref().map(|copy| &copy.validators);
        match (self.client.get(url, consent, &self.policy, known), copy) {
            (Ok(Answer::New { body, validators }), _) => {
                let path = self.cache.store(url, &body, &validators, self.kept)?;
                Ok(Fetched { path, outdated: None })
            }
            (Ok(Answer::Unchanged), Some(copy)) => {
                // If the date cannot be noted, the server is simply asked again the next time.
                let _ = self.cache.confirm(url, &copy.validators);
                Ok(Fetched { path: copy.path, outdated: None })
            }
            (Ok(Answer::Unchanged), None) => {
                Err(FetchError::NoAnswer("it says that a document is unchanged that it never gave".to_owned()))
            }
            (Err(error), Some(copy)) => Ok(Fetched { path: copy.path, outdated: Some(error) }),
            (Err(error), None) => Err(error),
        }
    }
}

/// A copy of a document.
#[derive(Debug)]
pub struct AtHand {
    /// Its path.
    pub path: PathBuf,
    /// The server should be asked whether it is up to date.
    pub is_due: bool,
}

/// A URL without its fragment.
fn document_of(url: &str) -> &str {
    url.split('#').next().unwrap_or_default()
}
