//! HTTP requests.

use crate::Limits;
use crate::budget::Budget;
use crate::cache::Validators;
use crate::error::FetchError;
use crate::policy::{Addresses, Admitted, Consent, Policy};
use iri_string::types::{IriAbsoluteStr, IriReferenceStr};
use std::io::Read;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use ureq::config::Config;
use ureq::http::header::{
    CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, LOCATION,
};
use ureq::http::{HeaderName, Response, StatusCode, Uri};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Body, Proxy};

/// The accepted kinds of documents, best first.
const ACCEPTED: &str = "application/schema+json, application/json, application/yaml, text/*;q=0.5, */*;q=0.1";

/// The `User-Agent` of requests.
const NAME: &str = concat!("lofting/", env!("CARGO_PKG_VERSION"));

/// The answer of a server.
#[derive(Debug)]
pub(crate) enum Answer {
    New {
        body: Vec<u8>,
        validators: Validators,
    },
    /// The known copy is up to date.
    Unchanged,
}

/// Fetches documents over HTTP.
#[derive(Debug)]
pub(crate) struct Client {
    limits: Limits,
    budget: Budget,
    certificates: OnceLock<Arc<Vec<Certificate<'static>>>>,
}

impl Client {
    pub fn new(limits: Limits) -> Client {
        Client { limits, budget: Budget::new(limits.total), certificates: OnceLock::new() }
    }

    /// Gets the document of a URL, unless it is still the known version. Every redirect is checked against the policy
    /// again.
    pub fn get(
        &self,
        url: &str,
        consent: Consent,
        policy: &Policy,
        known: Option<&Validators>,
    ) -> Result<Answer, FetchError> {
        let first = policy.admit(url, consent)?;
        let begin = Instant::now();
        let until = begin + self.budget.begin()?.min(self.limits.whole);
        let answer = self.follow(first, consent, policy, known, until);
        self.budget.end(begin.elapsed());
        answer
    }

    /// Asks, and asks again where the server redirects to.
    fn follow(
        &self,
        mut next: Admitted,
        consent: Consent,
        policy: &Policy,
        known: Option<&Validators>,
        end: Instant,
    ) -> Result<Answer, FetchError> {
        for _ in 0..=self.limits.redirects {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(FetchError::TimedOut);
            }
            let response = self.ask(&next, left, known)?;
            let Some(to) = redirected(&response) else { return self.answer(response) };
            let to = to.ok().and_then(|to| resolved(&next.uri, to)).ok_or(FetchError::NoUrl)?;
            let refused = |why| FetchError::Redirected { to: to.clone(), why: Box::new(why) };
            let then = policy.admit(&to, consent).map_err(refused)?;
            if then.is_plain && !next.is_plain {
                return Err(refused(FetchError::Scheme { scheme: "http".to_owned() }));
            }
            next = then;
        }
        Err(FetchError::Redirects)
    }

    /// Makes one request.
    fn ask(
        &self,
        admitted: &Admitted,
        left: Duration,
        known: Option<&Validators>,
    ) -> Result<Response<Body>, FetchError> {
        // A request without encryption stays on this machine, so no proxy is used.
        let proxy = if admitted.is_plain { None } else { Proxy::try_from_env() };
        let tls = if admitted.is_plain {
            TlsConfig::default()
        } else {
            TlsConfig::builder()
                .root_certs(RootCerts::Specific(self.certificates()?))
                .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
                .build()
        };
        let resolver =
            Admitting { addresses: admitted.addresses, proxy: proxy.clone(), inner: DefaultResolver::default() };
        let config = Config::builder()
            .https_only(!admitted.is_plain)
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(left))
            .timeout_resolve(Some(self.limits.connect))
            .timeout_connect(Some(self.limits.connect))
            .user_agent(NAME)
            .accept(ACCEPTED)
            .proxy(proxy)
            .tls_config(tls)
            .build();
        let agent = Agent::with_parts(config, DefaultConnector::default(), resolver);
        let mut request = agent.get(admitted.uri.clone());
        for (name, value) in known.into_iter().flat_map(conditions) {
            request = request.header(name, value);
        }
        request.call().map_err(|error| failure(error, admitted, self.limits.bytes))
    }

    /// The meaning of a response that is not a redirect.
    fn answer(&self, mut response: Response<Body>) -> Result<Answer, FetchError> {
        if response.status() == StatusCode::NOT_MODIFIED {
            return Ok(Answer::Unchanged);
        }
        if response.status() != StatusCode::OK {
            return Err(FetchError::Status(response.status().as_u16()));
        }
        let header = |name: HeaderName| response.headers().get(name).and_then(|value| value.to_str().ok());
        if header(CONTENT_TYPE).is_some_and(|kind| kind.trim_start().to_ascii_lowercase().starts_with("text/html")) {
            return Err(FetchError::Page);
        }
        let limit = self.limits.bytes;
        if header(CONTENT_LENGTH).and_then(|length| length.parse().ok()).is_some_and(|length: u64| length > limit) {
            return Err(FetchError::TooLarge { limit });
        }
        let validators =
            Validators { etag: header(ETAG).map(str::to_owned), modified: header(LAST_MODIFIED).map(str::to_owned) };
        let body = self.body(response.body_mut().with_config().limit(limit).reader())?;
        Ok(Answer::New { body, validators })
    }

    /// Reads a body. What it costs is counted while it arrives: a server may break off at any time.
    fn body(&self, mut reader: impl Read) -> Result<Vec<u8>, FetchError> {
        let mut body = Vec::new();
        let mut part = vec![0; 64 * 1024];
        loop {
            match reader.read(&mut part) {
                Ok(0) => return Ok(body),
                Ok(size) => {
                    self.budget.receive(size)?;
                    body.extend_from_slice(&part[..size]);
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(in_words(error.into(), self.limits.bytes)),
            }
        }
    }

    /// The certificate authorities to trust: those of the system, or those that `SSL_CERT_FILE` and `SSL_CERT_DIR`
    /// name.
    fn certificates(&self) -> Result<Arc<Vec<Certificate<'static>>>, FetchError> {
        let read = || {
            let found = rustls_native_certs::load_native_certs().certs;
            Arc::new(found.iter().map(|found| Certificate::from_der(found).to_owned()).collect())
        };
        match self.certificates.get_or_init(read) {
            found if found.is_empty() => Err(FetchError::NoAnswer(
                "the system has no certificates; name a file with them in SSL_CERT_FILE".to_owned(),
            )),
            found => Ok(found.clone()),
        }
    }
}

/// Request headers that ask for the document only if it differs from the known version.
fn conditions(known: &Validators) -> impl Iterator<Item = (HeaderName, &str)> {
    let etag = known.etag.as_deref().map(|etag| (IF_NONE_MATCH, etag));
    let modified = known.modified.as_deref().map(|modified| (IF_MODIFIED_SINCE, modified));
    etag.into_iter().chain(modified)
}

/// Where a response redirects to, if it does. `Err` for a redirect without a target.
fn redirected(response: &Response<Body>) -> Option<Result<&str, ()>> {
    let sends = matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308);
    sends.then(|| response.headers().get(LOCATION).and_then(|to| to.to_str().ok()).ok_or(()))
}

/// Resolves a reference against a URL, without its fragment.
fn resolved(base: &Uri, reference: &str) -> Option<String> {
    let base = base.to_string();
    let (base, reference) = (IriAbsoluteStr::new(&base).ok()?, IriReferenceStr::new(reference).ok()?);
    let url = reference.resolve_against(base).to_string();
    Some(crate::document_of(&url).to_owned())
}

/// A resolver that keeps only the addresses that the policy admits. The connection goes to one of these and to no
/// other, so that a name cannot mean something else a moment later.
#[derive(Debug)]
struct Admitting {
    addresses: Addresses,
    /// Set by the user, so its own address may be anywhere. It resolves the names of servers itself.
    proxy: Option<Proxy>,
    inner: DefaultResolver,
}

impl Resolver for Admitting {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.inner.resolve(uri, config, timeout)?;
        if self.proxy.as_ref().is_some_and(|proxy| proxy.uri().authority() == uri.authority()) {
            return Ok(found);
        }
        let mut admitted = self.inner.empty();
        found.iter().filter(|address| self.addresses.admit(address.ip())).for_each(|address| admitted.push(*address));
        if admitted.is_empty() { Err(ureq::Error::Other(Box::new(NoAddress))) } else { Ok(admitted) }
    }
}

/// The policy admits none of a host's addresses.
#[derive(Debug)]
struct NoAddress;

impl std::fmt::Display for NoAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the user's settings allow none of its addresses")
    }
}

impl std::error::Error for NoAddress {}

/// Translates a transport error.
fn failure(error: ureq::Error, admitted: &Admitted, limit: u64) -> FetchError {
    match error {
        ureq::Error::Other(error) if error.is::<NoAddress>() => FetchError::NotPublic { host: admitted.host.clone() },
        error => in_words(error, limit),
    }
}

fn in_words(error: ureq::Error, limit: u64) -> FetchError {
    match error {
        ureq::Error::Timeout(_) => FetchError::TimedOut,
        ureq::Error::BodyExceedsLimit(_) => FetchError::TooLarge { limit },
        ureq::Error::HostNotFound => FetchError::NoAnswer("there is no host with this name".to_owned()),
        ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::TimedOut => FetchError::TimedOut,
        ureq::Error::Io(error) => match error.downcast::<ureq::Error>() {
            Ok(inner) => in_words(inner, limit),
            Err(error) => FetchError::NoAnswer(error.to_string()),
        },
        error => FetchError::NoAnswer(error.to_string()),
    }
}
