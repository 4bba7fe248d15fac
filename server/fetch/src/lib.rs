//! Fetches documents of the web, from hosts that the user allows, and keeps copies of them on disk.
//!
//! This is the one crate that opens connections. It knows nothing of what it fetches.
//!
//! Who asks names a URL and on whose word it is asked for ([`Consent`]). A [`Policy`] says whether that is enough, for the
//! URL and again for each place that a server redirects to. What was fetched lies in a [`Cache`], and for a day nobody is
//! asked again; later the server is asked whether the copy is still the same. If it does not answer, the copy is used and
//! [`Fetched::outdated`] says why.

mod address;
mod cache;
mod client;
mod error;
mod policy;

pub use cache::{Cache, default_folder};
pub use error::FetchError;
pub use policy::{Consent, HostPattern, Policy};

use client::{Answer, Client};
use std::path::PathBuf;
use std::time::Duration;

/// How much may be asked of the network.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of a document at most.
    pub bytes: u64,
    /// Time for a connection.
    pub connect: Duration,
    /// Time for a document, with everything before it.
    pub whole: Duration,
    /// Redirects that are followed for a document.
    pub redirects: usize,
    /// How long a copy counts as the document itself.
    pub fresh: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            bytes: 20 * 1024 * 1024,
            connect: Duration::from_secs(10),
            whole: Duration::from_secs(30),
            redirects: 5,
            fresh: Duration::from_secs(24 * 60 * 60),
        }
    }
}

/// A document that lies on disk now.
#[derive(Debug)]
pub struct Fetched {
    /// Where.
    pub path: PathBuf,
    /// Why it may not be what the server has now: it was asked, and this is what came of it.
    pub outdated: Option<FetchError>,
}

/// Fetches documents.
#[derive(Debug)]
pub struct Fetcher {
    policy: Policy,
    cache: Cache,
    client: Client,
    fresh: Duration,
}

impl Fetcher {
    /// One that asks whom the policy allows, and keeps copies in the cache.
    pub fn new(policy: Policy, cache: Cache, limits: Limits) -> Fetcher {
        Fetcher { client: Client::new(limits), fresh: limits.fresh, policy, cache }
    }

    /// The document of a URL as it lies on disk, however old, without asking anybody. `None`: there is no copy, or it may
    /// not be had at all.
    pub fn at_hand(&self, url: &str, consent: Consent) -> Option<AtHand> {
        let url = &policy::secure(document_of(url));
        self.policy.admit(url, consent).ok()?;
        let copy = self.cache.copy(url)?;
        Some(AtHand { is_due: !self.policy.offline && copy.age() >= self.fresh, path: copy.path })
    }

    /// The document of a URL, from its server unless a copy will do. Takes as long as the limits say.
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
                let path = self.cache.store(url, &body, &validators)?;
                Ok(Fetched { path, outdated: None })
            }
            (Ok(Answer::Unchanged), Some(copy)) => {
                // If the date cannot be noted, the server is asked again the next time.
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
    /// Where it lies.
    pub path: PathBuf,
    /// Its server should be asked whether it is still the same.
    pub is_due: bool,
}

/// The URL of the document that a URL leads into.
fn document_of(url: &str) -> &str {
    url.split('#').next().unwrap_or_default()
}
