//! Parsing of URLs and their text, after `Parse`, `String` and `Hostname` of Go's `net/url`.

use super::escape::{UrlFault, UrlPart, canonical, escape, unescape};

/// A URL in parts. Those of which Go keeps both what was written and what it means are kept as [`ParsedUrl::string`]
/// writes them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ParsedUrl {
    scheme: Vec<u8>,
    /// What follows a scheme without a slash, as written.
    opaque: Vec<u8>,
    user: Option<User>,
    /// Decoded, including the port.
    host: Vec<u8>,
    /// There was no `//`, so the text has none for an empty host.
    omits_host: bool,
    path: Vec<u8>,
    /// As written; it is empty after a question mark at the end.
    query: Option<Vec<u8>>,
    fragment: Vec<u8>,
}

/// Name and password, decoded.
#[derive(Clone, Debug)]
pub(super) struct User {
    pub(super) name: Vec<u8>,
    pub(super) password: Option<Vec<u8>>,
}

/// Why a text is not a URL, and the part of it that messages show.
#[derive(Debug)]
pub(super) struct UrlRefusal<'a> {
    pub(super) part: &'a [u8],
    pub(super) fault: UrlFault,
}

impl ParsedUrl {
    pub(super) fn parse(text: &[u8]) -> Result<Self, UrlRefusal<'_>> {
        let (part, fragment) = cut(text, b'#');
        let url = Self::without_fragment(part).map_err(|fault| UrlRefusal { part, fault })?;
        let fragment = canonical(fragment.unwrap_or_default(), UrlPart::Fragment);
        Ok(Self { fragment: fragment.map_err(|fault| UrlRefusal { part: text, fault })?, ..url })
    }

    fn without_fragment(text: &[u8]) -> Result<Self, UrlFault> {
        if text.iter().any(u8::is_ascii_control) {
            return Err(UrlFault::Control);
        }
        let (scheme, rest) = scheme(text)?;
        let (rest, query) = cut(rest, b'?');
        let mut url = Self { scheme: scheme.to_ascii_lowercase(), query: query.map(<[u8]>::to_vec), ..Self::default() };
        if !rest.starts_with(b"/") {
            if !scheme.is_empty() {
                url.opaque = rest.to_vec();
                return Ok(url);
            }
            // It would be read as a scheme, which it is not.
            if cut(rest, b'/').0.contains(&b':') {
                return Err(UrlFault::ColonInSegment);
            }
        }
        let mut path = rest;
        match rest.strip_prefix(b"//") {
            Some(rest) if !scheme.is_empty() || !rest.starts_with(b"/") => {
                let end = rest.iter().position(|byte| *byte == b'/').unwrap_or(rest.len());
                let (authority, rest) = rest.split_at_checked(end).unwrap_or_default();
                (url.user, url.host) = self::authority(authority)?;
                path = rest;
            }
            _ => url.omits_host = !scheme.is_empty(),
        }
        url.path = canonical(path, UrlPart::Path)?;
        Ok(url)
    }

    pub(super) fn user(&self) -> Option<&User> {
        self.user.as_ref()
    }

    pub(super) fn without_user(&self) -> Self {
        Self { user: None, ..self.clone() }
    }

    /// The URL as text.
    pub(crate) fn string(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if !self.scheme.is_empty() {
            out.extend_from_slice(&self.scheme);
            out.push(b':');
        }
        if self.opaque.is_empty() {
            self.write_authority(&mut out);
            self.write_path(&mut out);
        } else {
            out.extend_from_slice(&self.opaque);
        }
        if let Some(query) = &self.query {
            out.push(b'?');
            out.extend_from_slice(query);
        }
        if !self.fragment.is_empty() {
            out.push(b'#');
            out.extend_from_slice(&self.fragment);
        }
        out
    }

    fn write_authority(&self, out: &mut Vec<u8>) {
        let named = !self.host.is_empty() || self.user.is_some();
        // An empty host is only written where a path follows that was written after one.
        if named || !self.scheme.is_empty() && !self.omits_host && !self.path.is_empty() {
            out.extend_from_slice(b"//");
        }
        if let Some(user) = &self.user {
            out.extend(user_string(&user.name, user.password.as_deref()));
            out.push(b'@');
        }
        out.extend(escape(&self.host, UrlPart::Host));
    }

    fn write_path(&self, out: &mut Vec<u8>) {
        if !self.path.is_empty() && !self.path.starts_with(b"/") && !self.host.is_empty() {
            out.push(b'/');
        }
        // The beginning of a relative path must not look like a scheme.
        if out.is_empty() && cut(&self.path, b'/').0.contains(&b':') {
            out.extend_from_slice(b"./");
        }
        out.extend_from_slice(&self.path);
    }

    /// The host without port and brackets.
    pub(super) fn hostname(&self) -> &[u8] {
        let host = match self.host.iter().rposition(|byte| *byte == b':') {
            Some(colon) => match self.host.split_at_checked(colon) {
                Some((host, port)) if is_port(port) => host,
                _ => &self.host,
            },
            None => &self.host,
        };
        host.strip_prefix(b"[").and_then(|inner| inner.strip_suffix(b"]")).unwrap_or(host)
    }
}

/// The user part as the text of a URL has it.
pub(super) fn user_string(name: &[u8], password: Option<&[u8]>) -> Vec<u8> {
    let mut out = escape(name, UrlPart::User);
    if let Some(password) = password {
        out.push(b':');
        out.extend(escape(password, UrlPart::User));
    }
    out
}

/// What is before and after the first such byte.
fn cut(text: &[u8], separator: u8) -> (&[u8], Option<&[u8]>) {
    let mut parts = text.splitn(2, |byte| *byte == separator);
    (parts.next().unwrap_or_default(), parts.next())
}

/// Go's `getScheme`: the scheme, or nothing, and what follows it.
fn scheme(text: &[u8]) -> Result<(&[u8], &[u8]), UrlFault> {
    let end = text.iter().position(|byte| !(byte.is_ascii_alphanumeric() || b"+-.".contains(byte)));
    let parts = end.and_then(|end| text.split_at_checked(end));
    match parts.and_then(|(scheme, rest)| Some((scheme, rest.strip_prefix(b":")?))) {
        Some(([], _)) => Err(UrlFault::NoScheme),
        Some((scheme, rest)) if scheme.first().is_some_and(u8::is_ascii_alphabetic) => Ok((scheme, rest)),
        _ => Ok((b"", text)),
    }
}

/// Go's `parseAuthority`: user, and host with its port.
fn authority(text: &[u8]) -> Result<(Option<User>, Vec<u8>), UrlFault> {
    let mut parts = text.rsplitn(2, |byte| *byte == b'@');
    let host = host(parts.next().unwrap_or_default())?;
    let Some(user) = parts.next() else { return Ok((None, host)) };
    if !user.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(byte)) {
        return Err(UrlFault::UserInfo);
    }
    let (name, password) = cut(user, b':');
    let name = unescape(name, UrlPart::User)?;
    let password = password.map(|password| unescape(password, UrlPart::User)).transpose()?;
    Ok((Some(User { name, password }), host))
}

/// Go's `parseHost`: decoded, with the port.
fn host(text: &[u8]) -> Result<Vec<u8>, UrlFault> {
    let in_brackets = text.starts_with(b"[");
    let end = text.iter().rposition(|byte| *byte == if in_brackets { b']' } else { b':' });
    if in_brackets && end.is_none() {
        return Err(UrlFault::NoBracket);
    }
    let end = end.map_or(text.len(), |end| if in_brackets { end + 1 } else { end });
    let (name, port) = text.split_at_checked(end).unwrap_or((text, b""));
    if !is_port(port) {
        return Err(UrlFault::Port(port.to_vec()));
    }
    let inner = name.strip_suffix(b"]").filter(|_| in_brackets).unwrap_or_default();
    let zone = inner.windows(3).position(|three| three == b"%25").and_then(|zone| inner.split_at_checked(zone));
    let Some((address, zone)) = zone else { return unescape(text, UrlPart::Host) };
    let mut out = unescape(address, UrlPart::Host)?;
    out.extend(unescape(zone, UrlPart::Zone)?);
    out.push(b']');
    out.extend_from_slice(port);
    Ok(out)
}

/// Go's `validOptionalPort`
fn is_port(text: &[u8]) -> bool {
    text.is_empty() || text.strip_prefix(b":").is_some_and(|digits| digits.iter().all(u8::is_ascii_digit))
}
