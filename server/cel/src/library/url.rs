//! URLs, as Go's `url.ParseRequestURI` reads them.

use super::{Call, Row};
use crate::cost::{Failure, first_text, one};
use crate::value::{Map, Value};
use std::fmt;
use std::net::Ipv6Addr;
use std::sync::Arc;

pub(super) const ROWS: &[Row] = &[
    Row { signatures: &["url(string) -> url"], price: first_text, run: read },
    Row { signatures: &["isURL(string) -> bool"], price: first_text, run: is_url },
    Row { signatures: &["(url).getScheme() -> string"], price: one, run: |call| part(call, |url| url.scheme.clone()) },
    Row { signatures: &["(url).getHost() -> string"], price: one, run: |call| part(call, |url| url.host.clone()) },
    Row {
        signatures: &["(url).getHostname() -> string"],
        price: one,
        run: |call| part(call, |url| url.host_and_port().0),
    },
    Row { signatures: &["(url).getPort() -> string"], price: one, run: |call| part(call, |url| url.host_and_port().1) },
    Row { signatures: &["(url).getEscapedPath() -> string"], price: one, run: |call| part(call, Url::escaped_path) },
    Row { signatures: &["(url).getQuery() -> map(string, list(string))"], price: one, run: query },
];

/// So many characters of a URL are shown.
const SHOWN: usize = 200;

/// Why a text is not a URL, in Go's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlError {
    /// The beginning of the text.
    url: String,
    mistake: UrlMistake,
}

/// What is wrong with a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UrlMistake {
    ControlCharacter,
    Empty,
    NoScheme,
    Uri,
    Escape,
    User,
    OpenBracket,
    Port,
    Host,
    HostCharacter,
}

impl fmt::Display for UrlMistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UrlMistake::ControlCharacter => "net/url: invalid control character in URL",
            UrlMistake::Empty => "empty url",
            UrlMistake::NoScheme => "missing protocol scheme",
            UrlMistake::Uri => "invalid URI for request",
            UrlMistake::Escape => "invalid URL escape",
            UrlMistake::User => "net/url: invalid userinfo",
            UrlMistake::OpenBracket => "missing ']' in host",
            UrlMistake::Port => "invalid port after host",
            UrlMistake::Host => "invalid host",
            UrlMistake::HostCharacter => "invalid character in host name",
        })
    }
}

impl std::error::Error for UrlMistake {}

impl fmt::Display for UrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "parse \"{}\": {}", self.url, self.mistake)
    }
}

impl std::error::Error for UrlError {}

impl From<UrlError> for Failure {
    fn from(error: UrlError) -> Self {
        Failure::Because(error.to_string())
    }
}

/// A URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Url {
    written: String,
    scheme: String,
    host: String,
    path: String,
    query: String,
}

impl Url {
    /// Reads an absolute URL or an absolute path.
    pub fn parse(text: &str) -> Result<Url, UrlError> {
        let refused = |mistake| UrlError { url: text.chars().take(SHOWN).collect(), mistake };
        if text.bytes().any(|byte| byte < 0x20 || byte == 0x7f) {
            return Err(refused(UrlMistake::ControlCharacter));
        }
        if text.is_empty() {
            return Err(refused(UrlMistake::Empty));
        }
        let mut url = Url {
            written: text.to_owned(),
            scheme: String::new(),
            host: String::new(),
            path: String::new(),
            query: String::new(),
        };
        if text == "*" {
            url.path = "*".to_owned();
            return Ok(url);
        }
        let (scheme, rest) = scheme(text).map_err(refused)?;
        url.scheme = scheme.to_ascii_lowercase();
        // A fragment is allowed, and belongs to neither path nor query.
        let rest = rest.split_once('#').map_or(rest, |(rest, _)| rest);
        let (mut rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        url.query = query.to_owned();
        if !rest.starts_with('/') {
            // Everything after the colon is one text.
            return if url.scheme.is_empty() { Err(refused(UrlMistake::Uri)) } else { Ok(url) };
        }
        if let Some(behind) = rest.strip_prefix("//").filter(|_| !url.scheme.is_empty()) {
            let (authority, path) = behind.split_at(behind.find('/').unwrap_or(behind.len()));
            url.host = host(authority).map_err(refused)?;
            rest = path;
        }
        unescape(rest).ok_or_else(|| refused(UrlMistake::Escape))?;
        url.path = rest.to_owned();
        Ok(url)
    }

    /// As it is written.
    pub fn as_written(&self) -> &str {
        &self.written
    }

    fn host_and_port(&self) -> (String, String) {
        let (mut host, mut port) = (self.host.as_str(), "");
        if let Some((before, behind)) = self.host.rsplit_once(':').filter(|(_, port)| is_port(port)) {
            (host, port) = (before, behind);
        }
        let inner = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        (inner.unwrap_or(host).to_owned(), port.to_owned())
    }

    fn escaped_path(&self) -> String {
        let is_kept = |byte: u8| {
            byte.is_ascii_alphanumeric()
                || matches!(
                    byte,
                    b'-' | b'_' | b'.' | b'~' | b'$' | b'&' | b'+' | b',' | b'/' | b':' | b';' | b'=' | b'@'
                )
        };
        let is_valid =
            |byte: u8| is_kept(byte) || matches!(byte, b'!' | b'\'' | b'(' | b')' | b'*' | b'[' | b']' | b'%');
        if self.path.bytes().all(is_valid) || self.path == "*" {
            return self.path.clone();
        }
        let plain = unescape(&self.path).unwrap_or_default();
        plain
            .iter()
            .map(|byte| if is_kept(*byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") })
            .collect()
    }
}

/// The scheme, which may be missing, and what follows it.
fn scheme(text: &str) -> Result<(&str, &str), UrlMistake> {
    for (at, c) in text.char_indices() {
        match c {
            'a'..='z' | 'A'..='Z' => {}
            '0'..='9' | '+' | '-' | '.' if at > 0 => {}
            ':' if at == 0 => return Err(UrlMistake::NoScheme),
            ':' => return Ok((text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default())),
            _ => break,
        }
    }
    Ok(("", text))
}

fn is_port(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The host and port: the text between `//` and the path.
fn host(authority: &str) -> Result<String, UrlMistake> {
    let host = match authority.rsplit_once('@') {
        None => authority,
        Some((user, host)) => {
            let is_valid = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&byte);
            if !user.bytes().all(is_valid) || unescape(user).is_none() {
                return Err(UrlMistake::User);
            }
            host
        }
    };
    if let Some(inner) = host.strip_prefix('[') {
        let (address, behind) = inner.rsplit_once(']').ok_or(UrlMistake::OpenBracket)?;
        if !(behind.is_empty() || behind.strip_prefix(':').is_some_and(is_port)) {
            return Err(UrlMistake::Port);
        }
        let address = address.split_once("%25").map_or(address, |(address, _)| address);
        address.parse::<Ipv6Addr>().map_err(|_| UrlMistake::Host)?;
        return Ok(host.to_owned());
    }
    if host.contains(['[', ']']) {
        return Err(UrlMistake::HostCharacter);
    }
    if host.split_once(':').is_some_and(|(_, port)| !is_port(port)) {
        return Err(UrlMistake::Port);
    }
    let plain = unescape(host).ok_or(UrlMistake::Escape)?;
    let is_refused =
        |byte: u8| byte.is_ascii() && !byte.is_ascii_alphanumeric() && !b"-_.~!$&'()*+,;=:[]<>\"".contains(&byte);
    // Only bytes that are not ASCII may be escaped here.
    let escapes_ascii = host
        .split('%')
        .skip(1)
        .any(|rest| !rest.starts_with(['8', '9', 'a', 'b', 'c', 'd', 'e', 'f', 'A', 'B', 'C', 'D', 'E', 'F']));
    if plain.iter().copied().any(is_refused) || escapes_ascii {
        return Err(UrlMistake::HostCharacter);
    }
    String::from_utf8(plain).map_err(|_| UrlMistake::HostCharacter)
}

/// The bytes that a text with `%20` stands for.
fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut parts = text.split('%');
    out.extend_from_slice(parts.next()?.as_bytes());
    for part in parts {
        let digits = part.get(..2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        out.push(u8::from_str_radix(digits, 16).ok()?);
        out.extend_from_slice(part.get(2..)?.as_bytes());
    }
    Some(out)
}

fn read(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Text(text)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::Url(Arc::new(Url::parse(text)?)))
}

fn is_url(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Text(text)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::Bool(Url::parse(text).is_ok()))
}

fn part(call: &Call<'_>, part: fn(&Url) -> String) -> Result<Value, Failure> {
    let [Value::Url(url)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::text(part(url)))
}

fn query(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Url(url)] = call.arguments else { return Err(call.refused()) };
    let mut found: indexmap::IndexMap<String, Vec<Value>> = indexmap::IndexMap::new();
    for part in url.query.split('&').filter(|part| !part.is_empty() && !part.contains(';')) {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let plain = |text: &str| unescape(&text.replace('+', " ")).and_then(|bytes| String::from_utf8(bytes).ok());
        if let (Some(key), Some(value)) = (plain(key), plain(value)) {
            found.entry(key).or_default().push(Value::text(value));
        }
    }
    let mut map = Map::default();
    for (key, values) in found {
        map.insert(Value::text(key), Value::list(values));
    }
    Ok(Value::Map(Arc::new(map)))
}

#[cfg(test)]
mod tests {
    use super::Url;

    #[test]
    fn urls_are_read_as_go_does() {
        for (text, host, name, port, path) in [
            ("https://user:x@h.example:80/a b?q=1", "h.example:80", "h.example", "80", "/a%20b"),
            ("http://[::1]:8080/%41/ä", "[::1]:8080", "::1", "8080", "/A/%C3%A4"),
            ("/only/path", "", "", "", "/only/path"),
            ("mailto:a@b", "", "", "", ""),
            ("http://h/p#f", "h", "h", "", "/p"),
            ("http://h:/x", "h:", "h", "", "/x"),
        ] {
            let url = Url::parse(text).expect(text);
            assert_eq!((url.host.as_str(), url.escaped_path().as_str()), (host, path), "{text}");
            assert_eq!(url.host_and_port(), (name.to_owned(), port.to_owned()), "{text}");
        }
        for wrong in [
            "",
            "a/b",
            ":x",
            "http://a b/",
            "http://a:b/",
            "http://[::1/",
            "http://h/%2",
            "http://a\n/",
            "http://h%20/",
        ] {
            assert!(Url::parse(wrong).is_err(), "{wrong}");
        }
    }
}
