//! `@ytt:url`

use lofting_interpreter::Value;

use super::Args;
use crate::failure::{Result, fail};
use crate::object::{ObjectKind, Ours, object};
use crate::plain;

/// The parts of a URL that ytt shows.
#[derive(Clone, Debug, Default)]
pub(crate) struct ParsedUrl {
    scheme: String,
    user: Option<(String, Option<String>)>,
    /// Including the port.
    host: String,
    /// Path, query and fragment, as written.
    rest: String,
    has_authority: bool,
}

impl ParsedUrl {
    fn parse(text: &str) -> std::result::Result<Self, String> {
        if text.chars().any(|c| c.is_ascii_control()) {
            return Err(format!("parse {text:?}: net/url: invalid control character in URL"));
        }
        let mut url = ParsedUrl::default();
        let mut rest = text;
        if let Some((scheme, tail)) = text.split_once(':') {
            let valid = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
            if valid {
                url.scheme = scheme.to_ascii_lowercase();
                rest = tail;
            } else if scheme.is_empty() {
                return Err(format!("parse {text:?}: missing protocol scheme"));
            } else if !scheme.contains(['/', '?', '#']) {
                return Err(format!("parse {text:?}: first path segment in URL cannot contain colon"));
            }
        }
        if let Some(tail) = rest.strip_prefix("//") {
            url.has_authority = true;
            let end = tail.find(['/', '?', '#']).unwrap_or(tail.len());
            let (authority, tail) = tail.split_at_checked(end).unwrap_or((tail, ""));
            let (user, host) = match authority.rsplit_once('@') {
                Some((user, host)) => (Some(user), host),
                None => (None, authority),
            };
            url.user =
                match user.map(|user| user.split_once(':').map_or((user, None), |(name, word)| (name, Some(word)))) {
                    None => None,
                    Some((name, word)) => {
                        let name = unescape(name, false).map_err(|error| format!("parse {text:?}: {error}"))?;
                        let word = word.map(|word| unescape(word, false)).transpose();
                        Some((name, word.map_err(|error| format!("parse {text:?}: {error}"))?))
                    }
                };
            let port = if host.ends_with(']') { None } else { host.rsplit_once(':').map(|(_, port)| port) };
            if let Some(port) = port
                && !port.bytes().all(|byte| byte.is_ascii_digit())
            {
                return Err(format!("parse {text:?}: invalid port {:?} after host", format!(":{port}")));
            }
            if host.contains([' ', '<', '>', '"']) {
                return Err(format!("parse {text:?}: invalid character in host name"));
            }
            url.host = host.to_owned();
            rest = tail;
        }
        unescape(rest.split(['?', '#']).next().unwrap_or(""), false)
            .map_err(|error| format!("parse {text:?}: {error}"))?;
        url.rest = canonical(rest);
        Ok(url)
    }

    /// The URL as text.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        if !self.scheme.is_empty() {
            out.push_str(&self.scheme);
            out.push(':');
        }
        if self.has_authority {
            out.push_str("//");
            if let Some((name, word)) = &self.user {
                out.push_str(&user_text(name, word.as_deref()));
                out.push('@');
            }
            out.push_str(&self.host);
        }
        out.push_str(&self.rest);
        out
    }

    /// `.user`
    pub(crate) fn user(&self) -> Value {
        match &self.user {
            None => Value::None,
            Some((name, word)) => {
                let kind = ObjectKind::UserInfo(name.as_str().into(), word.as_deref().map(Into::into));
                object(kind, Vec::new())
            }
        }
    }

    fn hostname(&self) -> &str {
        if let Some(inner) = self.host.strip_prefix('[') {
            return inner.split(']').next().unwrap_or("");
        }
        self.host.split(':').next().unwrap_or("")
    }
}

/// Path and fragment with everything escaped that needs it; the query unchanged.
fn canonical(rest: &str) -> String {
    let (before, fragment) = rest.split_once('#').map_or((rest, None), |(before, fragment)| (before, Some(fragment)));
    let (path, query) = before.split_once('?').map_or((before, None), |(path, query)| (path, Some(query)));
    let mut out = escape(path, b"-_.~$&+,/:;=@%!'()*[]", false);
    if let Some(query) = query {
        out.push('?');
        out.push_str(query);
    }
    if let Some(fragment) = fragment.filter(|fragment| !fragment.is_empty()) {
        out.push('#');
        out.push_str(&escape(fragment, b"-_.~$&+,/:;=?@%!'()*[]", false));
    }
    out
}

fn user_text(name: &str, word: Option<&str>) -> String {
    let name = escape(name, b"-_.~$&+,;=", false);
    match word {
        Some(word) => format!("{name}:{}", escape(word, b"-_.~$&+,;=", false)),
        None => name,
    }
}

/// Percent-encodes everything except letters, digits and `keep`.
fn escape(text: &str, keep: &[u8], space_as_plus: bool) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || keep.contains(&byte) {
            out.push(byte as char);
        } else if byte == b' ' && space_as_plus {
            out.push('+');
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

fn unescape(text: &str, plus_as_space: bool) -> std::result::Result<String, String> {
    let mut out = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'%' => {
                let digits = text.get(at + 1..at + 3).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
                let Some(value) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) else {
                    let rest: String = text.get(at..).unwrap_or("%").chars().take(3).collect();
                    return Err(format!("invalid URL escape {rest:?}"));
                };
                out.push(value);
                at += 3;
                continue;
            }
            b'+' if plus_as_space => out.push(b' '),
            _ => out.push(byte),
        }
        at += 1;
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

const SEGMENT: &[u8] = b"-_.~$&+=:@";
const QUERY: &[u8] = b"-_.~";

pub(super) fn invoke(args: Args) -> Result<Value> {
    args.exactly(1)?;
    let decoded = |plus: bool| match unescape(args.text(0)?, plus) {
        Ok(text) => Ok(text),
        Err(error) => fail(format!("{}: {error}", args.name)),
    };
    let text = match args.name {
        "url.path_segment_encode" => escape(args.text(0)?, SEGMENT, false),
        "url.path_segment_decode" => decoded(false)?,
        "url.query_param_value_encode" => escape(args.text(0)?, QUERY, true),
        "url.query_param_value_decode" => decoded(true)?,
        "url.query_params_encode" => params_encode(args.first())?,
        "url.query_params_decode" => return params_decode(args.text(0)?),
        "url.parse" => {
            return match ParsedUrl::parse(args.text(0)?) {
                Ok(url) => Ok(object(ObjectKind::Url(url.into()), Vec::new())),
                Err(error) => fail(format!("url.parse: {error}")),
            };
        }
        name => {
            let Some(ours) = Ours::of(args.first()) else { return fail("url: no URL") };
            match (name, ours.kind) {
                ("url.value.hostname", ObjectKind::Url(url)) => url.hostname().to_owned(),
                ("url.value.without_user", ObjectKind::Url(url)) => {
                    let url = ParsedUrl { user: None, ..(**url).clone() };
                    return Ok(object(ObjectKind::Url(url.into()), Vec::new()));
                }
                ("url.user.string", ObjectKind::UserInfo(name, word)) => user_text(name, word.as_deref()),
                (_, kind) => kind.address_text(),
            }
        }
    };
    Ok(Value::text(text))
}

fn params_encode(value: &Value) -> Result<String> {
    let Some(given) = plain::mapping(value) else {
        let type_name = value.type_name();
        return fail(format!("url.query_params_encode: expected argument to be a map, but was {type_name}"));
    };
    let mut entries: Vec<(String, Vec<String>)> = Vec::new();
    for (key, values) in given {
        let Some(key) = key.as_text() else { return fail("url.query_params_encode: expected keys to be strings") };
        let Some(items) = plain::sequence(&values) else {
            let type_name = values.type_name();
            return fail(format!("url.query_params_encode: expected map value to be array, but was {type_name}"));
        };
        let texts: Option<Vec<String>> = items.iter().map(|item| item.as_text().map(str::to_owned)).collect();
        let Some(texts) = texts else {
            return fail("url.query_params_encode: expected values to be lists of strings");
        };
        entries.push((key.to_owned(), texts));
    }
    entries.sort();
    let pairs = entries.iter().flat_map(|(key, values)| values.iter().map(move |value| (key, value)));
    Ok(pairs
        .map(|(key, value)| format!("{}={}", escape(key, QUERY, true), escape(value, QUERY, true)))
        .collect::<Vec<_>>()
        .join("&"))
}

fn params_decode(text: &str) -> Result<Value> {
    let mut entries: Vec<(String, Vec<String>)> = Vec::new();
    // A semicolon is a separator as well.
    for pair in text.split(['&', ';']).filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (key, value) = match (unescape(key, true), unescape(value, true)) {
            (Ok(key), Ok(value)) => (key, value),
            (Err(error), _) | (_, Err(error)) => return fail(format!("url.query_params_decode: {error}")),
        };
        match entries.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) => values.push(value),
            None => entries.push((key, vec![value])),
        }
    }
    entries.sort();
    let texts = |values: Vec<String>| Value::list(values.into_iter().map(Value::from).collect());
    Ok(plain::dict(entries.into_iter().map(|(key, values)| (key.into(), texts(values)))))
}
