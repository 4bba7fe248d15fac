//! Strings. A character is a code point.

use super::{Call, Row};
use crate::cost::{Failure, both_texts, first_text, first_text_twice, one, second_text, traversal};
use crate::value::Value;

pub(super) const ROWS: &[Row] = &[
    Row { signatures: &["size(string) -> int", "(string).size() -> int"], price: first_text, run: size },
    Row {
        signatures: &[
            "size(bytes) -> int",
            "(bytes).size() -> int",
            "size(list(T)) -> int",
            "(list(T)).size() -> int",
            "size(map(K, V)) -> int",
            "(map(K, V)).size() -> int",
        ],
        price: one,
        run: size,
    },
    Row { signatures: &["(string).contains(string) -> bool"], price: both_texts, run: contains },
    Row { signatures: &["(string).startsWith(string) -> bool"], price: second_text, run: starts_with },
    Row { signatures: &["(string).endsWith(string) -> bool"], price: second_text, run: ends_with },
    Row { signatures: &["(string).charAt(int) -> string"], price: first_text, run: char_at },
    Row {
        signatures: &["(string).indexOf(string) -> int", "(string).indexOf(string, int) -> int"],
        price: first_text,
        run: index_of,
    },
    Row {
        signatures: &["(string).lastIndexOf(string) -> int", "(string).lastIndexOf(string, int) -> int"],
        price: first_text,
        run: last_index_of,
    },
    Row { signatures: &["(string).lowerAscii() -> string"], price: first_text, run: lower },
    Row { signatures: &["(string).upperAscii() -> string"], price: first_text, run: upper },
    Row { signatures: &["(string).trim() -> string"], price: first_text, run: trim },
    Row {
        signatures: &["(string).replace(string, string) -> string", "(string).replace(string, string, int) -> string"],
        price: first_text_twice,
        run: replace,
    },
    Row {
        signatures: &["(string).split(string) -> list(string)", "(string).split(string, int) -> list(string)"],
        price: first_text_twice,
        run: split,
    },
    Row {
        signatures: &["(string).substring(int) -> string", "(string).substring(int, int) -> string"],
        price: first_text,
        run: substring,
    },
    Row {
        signatures: &["(list(string)).join() -> string", "(list(string)).join(string) -> string"],
        price: traversal,
        run: join,
    },
    Row { signatures: &["strings.quote(string) -> string"], price: first_text, run: quote },
];

fn whole(number: usize) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

fn size(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [value] = call.arguments else { return Err(call.refused()) };
    Ok(whole(value.size()))
}

fn contains(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Text(text), Value::Text(part)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::Bool(text.contains(&**part)))
}

fn starts_with(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Text(text), Value::Text(part)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::Bool(text.starts_with(&**part)))
}

fn ends_with(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Text(text), Value::Text(part)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::Bool(text.ends_with(&**part)))
}

fn out_of_range(index: i64) -> Failure {
    Failure::Because(format!("the index {index} is out of range"))
}

/// The byte at which the character with this number starts; the end of the text has a number, too.
fn place(text: &str, index: i64) -> Result<usize, Failure> {
    let number = usize::try_from(index).map_err(|_| out_of_range(index))?;
    let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    ends.into_iter().nth(number).ok_or_else(|| out_of_range(index))
}

fn char_at(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Text(text), Value::Int(index)] = call.arguments else { return Err(call.refused()) };
    let rest = text.get(place(text, *index)?..).unwrap_or_default();
    Ok(Value::text(rest.chars().take(1).collect::<String>()))
}

/// The number of the character that starts at a byte.
fn number_at(text: &str, at: usize) -> Value {
    whole(text.get(..at).unwrap_or_default().chars().count())
}

const NOWHERE: Value = Value::Int(-1);

fn index_of(call: &mut Call<'_>) -> Result<Value, Failure> {
    let (text, part, from) = match call.arguments {
        [Value::Text(text), Value::Text(part)] => (text, part, 0),
        [Value::Text(text), Value::Text(part), Value::Int(from)] => (text, part, *from),
        _ => return Err(call.refused()),
    };
    if part.is_empty() {
        return Ok(Value::Int(from));
    }
    if from < 0 {
        return Err(out_of_range(from));
    }
    let Ok(start) = place(text, from) else { return Ok(NOWHERE) };
    let found = text.get(start..).unwrap_or_default().find(&**part);
    Ok(found.map_or(NOWHERE, |found| number_at(text, start + found)))
}

fn last_index_of(call: &mut Call<'_>) -> Result<Value, Failure> {
    let (text, part, from) = match call.arguments {
        [Value::Text(text), Value::Text(part)] => (text, part, None),
        [Value::Text(text), Value::Text(part), Value::Int(from)] => (text, part, Some(*from)),
        _ => return Err(call.refused()),
    };
    if part.is_empty() {
        return Ok(from.map_or_else(|| number_at(text, text.len()), Value::Int));
    }
    let end = match from {
        None => text.len(),
        Some(from) if from < 0 => return Err(out_of_range(from)),
        // The part may begin at the last place that is looked at.
        Some(from) => match place(text, from) {
            Ok(last) if last < text.len() => (last + part.len()).min(text.len()),
            _ => return Ok(NOWHERE),
        },
    };
    // The end may lie in a character: then nothing that ends there can be equal.
    let end = (0..=end).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    let found = text.get(..end).unwrap_or_default().rfind(&**part);
    Ok(found.map_or(NOWHERE, |found| number_at(text, found)))
}

fn lower(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Text(text)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::text(text.to_ascii_lowercase()))
}

fn upper(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Text(text)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::text(text.to_ascii_uppercase()))
}

fn trim(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Text(text)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::text(text.trim()))
}

fn replace(call: &mut Call<'_>) -> Result<Value, Failure> {
    let (text, old, new, limit) = match call.arguments {
        [Value::Text(text), Value::Text(old), Value::Text(new)] => (text, old, new, -1),
        [Value::Text(text), Value::Text(old), Value::Text(new), Value::Int(limit)] => (text, old, new, *limit),
        _ => return Err(call.refused()),
    };
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let count = text.matches(&**old).count().min(limit);
    call.meter.spend_text(count.saturating_mul(new.len()))?;
    Ok(Value::text(text.replacen(&**old, new, limit)))
}

fn split(call: &mut Call<'_>) -> Result<Value, Failure> {
    let (text, separator, limit) = match call.arguments {
        [Value::Text(text), Value::Text(separator)] => (text, separator, -1),
        [Value::Text(text), Value::Text(separator), Value::Int(limit)] => (text, separator, *limit),
        _ => return Err(call.refused()),
    };
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let parts: Vec<Value> = match (limit, separator.is_empty()) {
        (0, _) => Vec::new(),
        (_, false) => text.splitn(limit, &**separator).map(Value::text).collect(),
        (_, true) => {
            let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
            let mut start = 0;
            let mut parts = Vec::new();
            for end in ends {
                let end = if parts.len() + 1 == limit { text.len() } else { end };
                parts.push(Value::text(text.get(start..end).unwrap_or_default()));
                start = end;
                if end == text.len() {
                    break;
                }
            }
            parts
        }
    };
    Ok(Value::list(parts))
}

fn substring(call: &mut Call<'_>) -> Result<Value, Failure> {
    let (text, from, to) = match call.arguments {
        [Value::Text(text), Value::Int(from)] => (text, *from, None),
        [Value::Text(text), Value::Int(from), Value::Int(to)] => (text, *from, Some(*to)),
        _ => return Err(call.refused()),
    };
    if let Some(to) = to.filter(|to| *to < from) {
        return Err(Failure::Because(format!("a part of a string cannot go from {from} to {to}")));
    }
    let start = place(text, from)?;
    let end = to.map_or(Ok(text.len()), |to| place(text, to))?;
    Ok(Value::text(text.get(start..end).unwrap_or_default()))
}

fn join(call: &mut Call<'_>) -> Result<Value, Failure> {
    let (list, separator) = match call.arguments {
        [Value::List(list)] => (list, ""),
        [Value::List(list), Value::Text(separator)] => (list, &**separator),
        _ => return Err(call.refused()),
    };
    let parts: Option<Vec<&str>> =
        list.items.iter().map(|item| if let Value::Text(text) = item { Some(&**text) } else { None }).collect();
    let parts = parts.ok_or_else(|| call.refused())?;
    call.meter.spend_text(parts.len().saturating_mul(separator.len()))?;
    Ok(Value::text(parts.join(separator)))
}

/// The text in quotes, with escapes for what is not printable.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

fn quote(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Text(text)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::text(quoted(text)))
}
