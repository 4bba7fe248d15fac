//! Why a document was not fetched.

use std::fmt;
use std::io;

/// Why a document was not fetched. `Display` continues a sentence that names the document: "it cannot be read: …".
#[derive(Debug)]
#[non_exhaustive]
pub enum FetchError {
    /// The text is not a URL with a host.
    NoUrl,
    /// The scheme is neither `https` nor one that the user allows for this host.
    Scheme {
        /// The scheme.
        scheme: String,
    },
    /// The URL contains a user name or a password.
    Credentials,
    /// The user has not allowed this host.
    NotAllowed {
        /// The host as the user would write it to allow it, with the port unless it is the usual one.
        host: String,
    },
    /// The host has no public address, and the user allowed it only through a pattern that fits more than this host.
    NotPublic {
        /// The host.
        host: String,
    },
    /// The policy is offline, and there is no copy.
    Offline,
    /// The server redirects to a URL that must not be fetched.
    Redirected {
        /// The target of the redirect.
        to: String,
        /// Why the target must not be fetched.
        why: Box<FetchError>,
    },
    /// There are more redirects than allowed.
    Redirects,
    /// The server answered with this status, such as 403 or 404.
    Status(u16),
    /// The server sent an HTML page.
    Page,
    /// The document is too large.
    TooLarge {
        /// The allowed size in bytes.
        limit: u64,
    },
    /// It took too long.
    TimedOut,
    /// All requests together have reached a limit, which is named.
    Spent(String),
    /// The connection failed, for the reason given.
    NoAnswer(String),
    /// The copy cannot be written to disk.
    Cache(io::Error),
}

impl FetchError {
    /// The host to allow, if that is all that is missing.
    pub fn host_to_allow(&self) -> Option<&str> {
        match self {
            FetchError::NotAllowed { host } | FetchError::NotPublic { host } => Some(host),
            FetchError::Redirected { why, .. } => why.host_to_allow(),
            _ => None,
        }
    }

    /// Whether the server says that there is no such document.
    pub fn is_missing(&self) -> bool {
        matches!(self, FetchError::Status(404 | 410))
    }

    /// Whether no request was made: as long as the policy is the same, the result is the same.
    pub fn is_refusal(&self) -> bool {
        match self {
            FetchError::NoUrl
            | FetchError::Scheme { .. }
            | FetchError::Credentials
            | FetchError::NotAllowed { .. }
            | FetchError::Offline => true,
            FetchError::Redirected { why, .. } => why.is_refusal(),
            _ => false,
        }
    }
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FetchError::NoUrl => f.write_str("this is not a URL that can be fetched"),
            FetchError::Scheme { scheme } => write!(f, "only `https:` is fetched, not `{scheme}:`"),
            FetchError::Credentials => f.write_str("a URL with a user name or a password is not fetched"),
            FetchError::NotAllowed { host } => write!(f, "nothing is fetched from `{host}` unless you allow it"),
            FetchError::NotPublic { host } => {
                write!(f, "`{host}` is in a private network, where nothing is fetched unless you allow this very host")
            }
            FetchError::Offline => f.write_str("nothing is fetched offline, and there is no copy of it"),
            FetchError::Redirected { to, why } => write!(f, "its server redirects to `{to}`: {why}"),
            FetchError::Redirects => f.write_str("its server redirects too often"),
            FetchError::Status(404 | 410) => f.write_str("its server has no such document"),
            FetchError::Status(status) => write!(f, "its server answers with the status {status}"),
            FetchError::Page => f.write_str("its server answers with a web page"),
            FetchError::TooLarge { limit } => write!(f, "it is larger than {} MB", limit.div_ceil(1024 * 1024)),
            FetchError::TimedOut => f.write_str("its server takes too long"),
            FetchError::Spent(limit) => {
                write!(
                    f,
                    "the limit for all documents together is reached ({limit}); what is still missing is fetched next time"
                )
            }
            FetchError::NoAnswer(why) => write!(f, "its server cannot be reached: {why}"),
            FetchError::Cache(error) => write!(f, "the copy cannot be stored: {error}"),
        }
    }
}

impl std::error::Error for FetchError {}

impl From<io::Error> for FetchError {
    fn from(error: io::Error) -> Self {
        FetchError::Cache(error)
    }
}
