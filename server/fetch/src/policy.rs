//! Which URLs may be fetched.

use crate::error::FetchError;
use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr};
use ureq::http::Uri;

/// On whose word a document is fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Consent {
    /// Something names it, perhaps a file of an untrusted repository: the user has to allow the host.
    #[default]
    Host,
    /// The user chose the file or setting that names it: any host is allowed as long as its address is public.
    Given,
}

/// A host, or a pattern of hosts, that the user allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostPattern {
    name: Name,
    port: u16,
    /// The scheme is `http:` instead of `https:`.
    is_plain: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Name {
    /// This host, in lower case.
    Is(String),
    /// All subdomains of this host: `.example.com`.
    Below(String),
    /// All hosts.
    Any,
}

/// Port of `https:` where none is written.
const HTTPS: u16 = 443;

/// Port of `http:` where none is written.
const HTTP: u16 = 80;

impl HostPattern {
    /// Reads what a user writes: `example.com`, `example.com:8443`, `*.example.com`, `*`, or `http://localhost:8080`
    /// for a server on this machine. `None` for anything else.
    pub fn parse(text: &str) -> Option<HostPattern> {
        let text = text.trim();
        let (is_plain, rest) = match (text.strip_prefix("http://"), text.strip_prefix("https://")) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            _ => (false, text),
        };
        let (name, port) = split_port(rest.strip_suffix('/').unwrap_or(rest))?;
        let port = port.unwrap_or(if is_plain { HTTP } else { HTTPS });
        let name = name.to_ascii_lowercase();
        let name = match name.strip_prefix('*') {
            Some("") => Name::Any,
            Some(below) if is_host(below.strip_prefix('.')?) => Name::Below(below.to_owned()),
            None if is_host(&name) => Name::Is(name),
            _ => return None,
        };
        let is_local = matches!(&name, Name::Is(name) if names_this_machine(name));
        (!is_plain || is_local).then_some(HostPattern { name, port, is_plain })
    }

    /// The host of a URL; `None` if it has none.
    pub fn of_url(url: &str) -> Option<HostPattern> {
        let uri: Uri = secure(url).parse().ok()?;
        let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'))?;
        HostPattern::parse(&format!("{}://{authority}", uri.scheme_str()?))
    }

    fn covers(&self, host: &str, port: u16, is_plain: bool) -> bool {
        let is_named = match &self.name {
            Name::Is(name) => name == host,
            Name::Below(ending) => host.strip_suffix(ending.as_str()).is_some_and(|before| !before.is_empty()),
            Name::Any => true,
        };
        // Allowing all hosts includes every port.
        is_named && self.is_plain == is_plain && (self.port == port || self.name == Name::Any)
    }
}

/// The URL with `https:` instead of `http:`, unless the host is this machine: the names of many schemas date from
/// before encryption was usual.
pub(crate) fn secure(url: &str) -> Cow<'_, str> {
    let Some(rest) = url.strip_prefix("http://") else { return Cow::Borrowed(url) };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    match split_port(authority) {
        Some((name, _)) if names_this_machine(&name.to_ascii_lowercase()) => Cow::Borrowed(url),
        _ => Cow::Owned(format!("https://{rest}")),
    }
}

/// Splits the port off; IPv6 addresses are in brackets.
fn split_port(text: &str) -> Option<(&str, Option<u16>)> {
    let inside = text.rfind(']').map_or(0, |end| end + 1);
    match text.get(inside..)?.rfind(':') {
        Some(at) => Some((text.get(..inside + at)?, Some(text.get(inside + at + 1..)?.parse().ok()?))),
        None => Some((text, None)),
    }
}

/// Whether a text can be the name or the address of a host. Names are compared as text, so unusual spellings are
/// refused.
fn is_host(text: &str) -> bool {
    let bracketed = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    match bracketed {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte)),
    }
}

/// Whether a name says that the host is this machine.
fn names_this_machine(name: &str) -> bool {
    name == "localhost" || name == "[::1]" || name.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback())
}

/// Which addresses a host may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Addresses {
    /// Any: the user allowed this very host.
    All,
    Public,
    /// Addresses of this machine only.
    Loopback,
}

impl Addresses {
    pub fn admit(self, address: IpAddr) -> bool {
        match self {
            Addresses::All => true,
            Addresses::Public => crate::address::is_public(address),
            Addresses::Loopback => address.is_loopback(),
        }
    }
}

/// A URL that the policy admits.
#[derive(Debug, Clone)]
pub(crate) struct Admitted {
    pub uri: Uri,
    /// The host as the user would write it to allow it.
    pub host: String,
    pub addresses: Addresses,
    pub is_plain: bool,
}

/// What the user allows to be fetched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    /// Hosts that the user allows.
    pub hosts: Vec<HostPattern>,
    /// No requests are made; copies may be used.
    pub offline: bool,
}

impl Policy {
    /// Decides whether a URL may be fetched. Resolves no host name.
    pub(crate) fn admit(&self, url: &str, consent: Consent) -> Result<Admitted, FetchError> {
        let scheme = url.split_once("://").ok_or(FetchError::NoUrl)?.0.to_ascii_lowercase();
        let is_plain = match scheme.as_str() {
            "https" => false,
            "http" => true,
            _ => return Err(FetchError::Scheme { scheme }),
        };
        let uri: Uri = url.parse().map_err(|_| FetchError::NoUrl)?;
        let authority = uri.authority().ok_or(FetchError::NoUrl)?;
        if authority.as_str().contains('@') {
            return Err(FetchError::Credentials);
        }
        let name = authority.host().to_ascii_lowercase();
        if !is_host(&name) {
            return Err(FetchError::NoUrl);
        }
        let usual = if is_plain { HTTP } else { HTTPS };
        let port = authority.port_u16().unwrap_or(usual);
        let host = if port == usual { name.clone() } else { format!("{name}:{port}") };
        let mut covering = self.hosts.iter().filter(|pattern| pattern.covers(&name, port, is_plain)).peekable();
        let is_given = consent == Consent::Given && !is_plain;
        let named_address = name.trim_matches(['[', ']']).parse::<IpAddr>().ok();
        let addresses = if covering.peek().is_none() {
            match (is_given, is_plain) {
                (true, _) => Addresses::Public,
                // `http:` is only for this machine, and no setting changes that.
                (false, true) if !names_this_machine(&name) => return Err(FetchError::Scheme { scheme }),
                (false, true) => return Err(FetchError::NotAllowed { host: format!("http://{host}") }),
                (false, false) => return Err(FetchError::NotAllowed { host }),
            }
        } else if is_plain {
            Addresses::Loopback
        } else if covering.any(|pattern| matches!(pattern.name, Name::Is(_))) {
            Addresses::All
        } else {
            Addresses::Public
        };
        // A proxy would resolve the name by itself, so an address cannot be checked.
        let is_here = || names_this_machine(&name) && addresses == Addresses::Public;
        if is_here() || named_address.is_some_and(|address| !addresses.admit(address)) {
            return Err(FetchError::NotPublic { host });
        }
        Ok(Admitted { uri, host, addresses, is_plain })
    }
}

#[cfg(test)]
mod tests {
    use super::{Consent, HostPattern, Policy};

    fn admits(hosts: &[&str], url: &str) -> String {
        let hosts = hosts.iter().map(|host| HostPattern::parse(host).expect(host)).collect();
        match (Policy { hosts, offline: false }).admit(url, Consent::Host) {
            Ok(admitted) => format!("{:?}", admitted.addresses),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn hosts_are_allowed_one_by_one_or_by_pattern() {
        let not = |host: &str| format!("nothing is fetched from `{host}` unless you allow it");
        for (hosts, url, want) in [
            (&["a.b"][..], "https://a.b/c.json", "All".to_owned()),
            (&["https://a.b/"], "https://A.B/c.json", "All".to_owned()),
            (&["a.b"], "https://x.a.b/c.json", not("x.a.b")),
            (&["a.b"], "https://a.b.c/c.json", not("a.b.c")),
            (&["a.b"], "https://a.b.:443/", not("a.b.")),
            (&["a.b"], "https://a.b:443/", "All".to_owned()),
            (&["a.b"], "https://a.b:8443/", not("a.b:8443")),
            (&["a.b:8443"], "https://a.b:8443/", "All".to_owned()),
            (&["*.a.b"], "https://x.y.a.b/", "Public".to_owned()),
            (&["*.a.b"], "https://a.b/", not("a.b")),
            (&["*.a.b"], "https://xa.b/", not("xa.b")),
            (&["*"], "https://a.b:8443/", "Public".to_owned()),
            (&["*", "a.b"], "https://a.b/", "All".to_owned()),
            (&["*"], "http://a.b/", "only `https:` is fetched, not `http:`".to_owned()),
            (&["*"], "http://localhost/", not("http://localhost")),
            (&["localhost"], "http://localhost/", not("http://localhost")),
            (&["http://localhost:80"], "http://localhost/", "Loopback".to_owned()),
            (&["http://localhost:80"], "https://localhost/", not("localhost")),
            (&["http://localhost:80"], "http://localhost:81/", not("http://localhost:81")),
            (&["http://[::1]:8080"], "http://[::1]:8080/x", "Loopback".to_owned()),
            (&["a.b"], "https://a.b@evil/", "a URL with a user name or a password is not fetched".to_owned()),
            (&["*"], "file:///etc/passwd", "only `https:` is fetched, not `file:`".to_owned()),
            (&["*"], "ftp://a.b/", "only `https:` is fetched, not `ftp:`".to_owned()),
            (&["*"], "a.b/c", "this is not a URL that can be fetched".to_owned()),
            (&["*"], "https://", "this is not a URL that can be fetched".to_owned()),
            (&["*"], "https://a b/", "this is not a URL that can be fetched".to_owned()),
        ] {
            assert_eq!(admits(hosts, url), want, "{hosts:?} {url}");
        }
    }

    #[test]
    fn who_was_chosen_by_the_user_leads_to_public_hosts_only() {
        let admit = |url| Policy::default().admit(url, Consent::Given).map(|admitted| admitted.addresses);
        assert!(matches!(admit("https://a.b/"), Ok(super::Addresses::Public)));
        assert!(admit("http://localhost/").is_err());
        assert!(admit("file:///x").is_err());
    }

    #[test]
    fn what_is_no_pattern() {
        for text in ["", "*a", "a*", "*.", "http://a.b", "http://*", "a.b/c", "a b", "a@b", "a.b:x", "[::1", "[1]"] {
            assert_eq!(HostPattern::parse(text), None, "{text}");
        }
        assert_eq!(HostPattern::of_url("https://a.b/c#d"), HostPattern::parse("a.b"));
        assert_eq!(HostPattern::of_url("http://localhost:80/c"), HostPattern::parse("http://localhost"));
        assert_eq!(HostPattern::of_url("http://a.b/c"), HostPattern::parse("a.b"));
        assert_eq!(HostPattern::of_url("https://x@a.b/c"), None);
    }
}
