//! `@ytt:url`

mod escape;
mod parsed;

use std::collections::BTreeMap;
use std::fmt;

use lofting_interpreter::{Value, bytes, format};

use self::escape::{UrlFault, UrlPart, escape, unescape};
use self::parsed::{UrlRefusal, user_string};
use super::Args;
use crate::failure::{Result, fail};
use crate::object::{ObjectKind, Ours, object};
use crate::plain;

pub(crate) use self::parsed::ParsedUrl;

pub(super) fn invoke(args: Args) -> Result<Value> {
    args.exactly(1)?;
    let encoded = |part| Ok(encoded(args.text(0)?, part));
    let decoded = |part| match unescape(&bytes::of(args.text(0)?), part) {
        Ok(decoded) => Ok(bytes::text(&decoded)),
        Err(fault) => fail(format!("{}: {fault}", args.name)),
    };
    let text = match args.name {
        "url.path_segment_encode" => encoded(UrlPart::PathSegment)?,
        "url.path_segment_decode" => decoded(UrlPart::PathSegment)?,
        "url.query_param_value_encode" => encoded(UrlPart::Query)?,
        "url.query_param_value_decode" => decoded(UrlPart::Query)?,
        "url.query_params_encode" => params_encode(args.first())?,
        "url.query_params_decode" => return params_decode(args.text(0)?),
        "url.parse" => {
            return match ParsedUrl::parse(&bytes::of(args.text(0)?)) {
                Ok(url) => Ok(object(ObjectKind::Url(url.into()), Vec::new())),
                Err(refusal) => fail(format!("url.parse: {refusal}")),
            };
        }
        name => {
            let Some(ours) = Ours::of(args.first()) else { return fail("url: no URL") };
            match (name, ours.kind) {
                ("url.value.hostname", ObjectKind::Url(url)) => bytes::text(url.hostname()),
                ("url.value.without_user", ObjectKind::Url(url)) => {
                    return Ok(object(ObjectKind::Url(url.without_user().into()), Vec::new()));
                }
                ("url.user.string", ObjectKind::UserInfo(name, password)) => {
                    let password = password.as_deref().map(bytes::of);
                    bytes::text(&user_string(&bytes::of(name), password.as_deref()))
                }
                (_, kind) => kind.address_text(),
            }
        }
    };
    Ok(Value::text(text))
}

/// `.user` of a URL.
pub(crate) fn user(url: &ParsedUrl) -> Value {
    match url.user() {
        None => Value::None,
        Some(user) => {
            let password = user.password.as_deref().map(|password| bytes::text(password).into());
            object(ObjectKind::UserInfo(bytes::text(&user.name).into(), password), Vec::new())
        }
    }
}

impl fmt::Display for UrlRefusal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "parse {}: {}", quoted(self.part), self.fault)
    }
}

impl std::error::Error for UrlRefusal<'_> {}

impl fmt::Display for UrlFault {
    /// In the words of Go.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UrlFault::Control => f.write_str("net/url: invalid control character in URL"),
            UrlFault::NoScheme => f.write_str("missing protocol scheme"),
            UrlFault::ColonInSegment => f.write_str("first path segment in URL cannot contain colon"),
            UrlFault::NoBracket => f.write_str("missing ']' in host"),
            UrlFault::Port(port) => write!(f, "invalid port {} after host", quoted(port)),
            UrlFault::UserInfo => f.write_str("net/url: invalid userinfo"),
            UrlFault::Escape(text) => write!(f, "invalid URL escape {}", quoted(text)),
            UrlFault::Host(byte) => write!(f, "invalid character {} in host name", quoted(&[*byte])),
        }
    }
}

impl std::error::Error for UrlFault {}

fn quoted(text: &[u8]) -> String {
    format::shown_quoted(&Value::text(bytes::text(text)))
}

fn encoded(text: &str, part: UrlPart) -> String {
    bytes::text(&escape(&bytes::of(text), part))
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
    entries.sort_by_cached_key(|(key, _)| bytes::of(key).into_owned());
    let pairs = entries.iter().flat_map(|(key, values)| values.iter().map(move |value| (key, value)));
    Ok(pairs
        .map(|(key, value)| format!("{}={}", encoded(key, UrlPart::Query), encoded(value, UrlPart::Query)))
        .collect::<Vec<_>>()
        .join("&"))
}

fn params_decode(text: &str) -> Result<Value> {
    let mut entries: BTreeMap<Vec<u8>, Vec<Value>> = BTreeMap::new();
    let text = bytes::of(text);
    // A semicolon is a separator as well.
    for pair in text.split(|byte| matches!(byte, b'&' | b';')).filter(|pair| !pair.is_empty()) {
        let mut parts = pair.splitn(2, |byte| *byte == b'=').map(|part| unescape(part, UrlPart::Query));
        match (parts.next().unwrap_or(Ok(Vec::new())), parts.next().unwrap_or(Ok(Vec::new()))) {
            (Ok(key), Ok(value)) => entries.entry(key).or_default().push(bytes::text(&value).into()),
            (Err(fault), _) | (_, Err(fault)) => {
                return fail(format!("url.query_params_decode: {fault}"));
            }
        }
    }
    let entries = entries.into_iter().map(|(key, values)| (bytes::text(&key).into(), Value::list(values)));
    Ok(plain::dict(entries))
}
