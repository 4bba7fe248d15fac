//! Values as JSON that tells their types: `{"int": 1}`, `{"list": [{"string": "a"}]}`.

use crate::time::{Span, Timestamp};
use crate::value::{List, ListKind, Map, Value};
use serde_json::{Value as Json, json};
use std::sync::Arc;

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn base64(bytes: &[u8]) -> String {
    let mut out = String::new();
    for part in bytes.chunks(3) {
        let all = part.iter().chain([&0; 2]).take(3).fold(0u32, |all, byte| all << 8 | u32::from(*byte));
        for number in 0..4 {
            let digit = usize::try_from(all >> (18 - 6 * number) & 63).unwrap_or(0);
            let is_filled = number <= part.len();
            out.push(if is_filled { BASE64.get(digit).map_or('=', |digit| char::from(*digit)) } else { '=' });
        }
    }
    out
}

/// The bytes that a text in base 64 stands for.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=').bytes();
    let digits =
        digits.map(|byte| BASE64.iter().position(|own| *own == byte).and_then(|digit| u32::try_from(digit).ok()));
    let digits: Vec<u32> = digits.collect::<Option<_>>()?;
    let mut out = Vec::with_capacity(digits.len());
    for part in digits.chunks(4) {
        let all = part.iter().chain([&0; 3]).take(4).fold(0u32, |all, digit| all << 6 | digit);
        let bytes = all.to_be_bytes();
        out.extend(bytes.iter().skip(1).take(part.len() - 1));
    }
    Some(out)
}

/// A value with its type.
pub(crate) fn written(value: &Value) -> Json {
    match value {
        Value::Null => json!({"null": null}),
        Value::Bool(value) => json!({"bool": value}),
        Value::Int(value) => json!({"int": value}),
        Value::Uint(value) => json!({"uint": value}),
        Value::Double(value) if value.is_finite() => json!({"double": value}),
        Value::Double(value) if value.is_nan() => json!({"double": "NaN"}),
        Value::Double(value) => json!({"double": if *value > 0.0 { "Infinity" } else { "-Infinity" }}),
        Value::Text(text) => json!({"string": &**text}),
        Value::Bytes(bytes) => json!({"bytes": base64(bytes)}),
        Value::List(list) => json!({"list": list.items.iter().map(written).collect::<Vec<_>>()}),
        Value::Map(map) => {
            let entries = map.entries.values();
            let entries = entries.map(|(key, value)| json!({"key": written(key), "value": written(value)}));
            json!({"map": entries.collect::<Vec<_>>()})
        }
        Value::Duration(span) => json!({"duration": span.to_seconds()}),
        Value::Timestamp(time) => json!({"timestamp": time.to_string()}),
        Value::Type(name) => json!({"type": &**name}),
        Value::Optional(value) => json!({"optional": value.as_deref().map(written)}),
        Value::Ip(ip) => opaque(value, &ip.to_string()),
        Value::Cidr(cidr) => opaque(value, &cidr.to_string()),
        Value::Url(url) => opaque(value, url.as_written()),
        Value::Semver(version) => opaque(value, version.as_written()),
        Value::Format(format) => opaque(value, format.name),
        Value::Quantity(_) => opaque(value, ""),
    }
}

fn opaque(value: &Value, text: &str) -> Json {
    json!({"opaque": value.type_name(), "text": text})
}

/// The value that JSON with a type stands for.
pub(crate) fn read(json: &Json) -> Option<Value> {
    let (kind, value) = json.as_object()?.iter().next()?;
    Some(match kind.as_str() {
        "null" => Value::Null,
        "bool" => Value::Bool(value.as_bool()?),
        "int" => Value::Int(value.as_i64()?),
        "uint" => Value::Uint(value.as_u64()?),
        "double" => Value::Double(match value.as_str() {
            Some("NaN") => f64::NAN,
            Some("Infinity") => f64::INFINITY,
            Some("-Infinity") => f64::NEG_INFINITY,
            Some(_) => return None,
            None => value.as_f64()?,
        }),
        "string" => Value::text(value.as_str()?),
        "bytes" => Value::Bytes(from_base64(value.as_str()?)?.into()),
        "list" => {
            let items = value.as_array()?.iter().map(read).collect::<Option<Vec<_>>>()?;
            Value::List(Arc::new(List { items, kind: ListKind::Atomic }))
        }
        "map" => {
            let mut map = Map::default();
            for entry in value.as_array()? {
                map.insert(read(entry.get("key")?)?, read(entry.get("value")?)?).then_some(())?;
            }
            Value::Map(Arc::new(map))
        }
        "type" => Value::Type(value.as_str()?.into()),
        "duration" => Value::Duration(Span::parse(value.as_str()?)?),
        "timestamp" => Value::Timestamp(Timestamp::parse(value.as_str()?)?),
        "optional" if value.is_null() => Value::Optional(None),
        "optional" => Value::present(read(value)?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{base64, from_base64, read, written};
    use serde_json::json;

    #[test]
    fn bytes_are_written_and_read() {
        for (bytes, text) in
            [(&b""[..], ""), (b"a", "YQ=="), (b"ab", "YWI="), (b"abc", "YWJj"), (&[255, 254, 253, 0], "//79AA==")]
        {
            assert_eq!(base64(bytes), text);
            assert_eq!(from_base64(text).as_deref(), Some(bytes));
        }
        assert_eq!(from_base64("*"), None);
    }

    #[test]
    fn what_is_written_is_read() {
        for json in [
            json!({"list": [{"int": 1}, {"double": "NaN"}, {"optional": null}]}),
            json!({"map": [{"key": {"bool": true}, "value": {"bytes": "YQ=="}}]}),
            json!({"duration": "1.5s"}),
            json!({"timestamp": "2020-01-01T00:00:00Z"}),
            json!({"optional": {"string": "a"}}),
        ] {
            assert_eq!(written(&read(&json).expect("a value")), json);
        }
        assert!(read(&json!({"int": "1"})).is_none() && read(&json!(1)).is_none());
    }
}
