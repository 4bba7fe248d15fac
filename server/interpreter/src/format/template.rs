//! Texts with places for values: `%` and `.format`.

use num_bigint::BigInt;
use num_traits::FromPrimitive;
use smol_str::SmolStr;

use super::{bounded, repr, shortest, shown_quoted, str};
use crate::bytes;
use crate::failure::{Result, fail};
use crate::integers;
use crate::value::Value;

/// `format % args`
pub(crate) fn percent(format: &str, args: &Value) -> Result<String> {
    let mut out = String::new();
    let positional: &[Value] = match args {
        Value::Tuple(items) => items,
        only => std::slice::from_ref(only),
    };
    let mut next = 0;
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(rest.get(..at).unwrap_or(""));
        rest = rest.get(at + 1..).unwrap_or("");
        if let Some(tail) = rest.strip_prefix('%') {
            out.push('%');
            rest = tail;
            continue;
        }
        let value = if let Some(tail) = rest.strip_prefix('(') {
            let Some((name, tail)) = tail.split_once(')') else {
                return fail("incomplete format key");
            };
            rest = tail;
            let found = match args {
                Value::Dict(dict) => dict.get_text(name),
                args => match args.entries()? {
                    Some(entries) => {
                        entries.into_iter().find(|(key, _)| key.as_text() == Some(name)).map(|found| found.1)
                    }
                    None => return fail("format requires a mapping"),
                },
            };
            match found {
                Some(value) => value,
                None => return fail(format!("key not found: {name}")),
            }
        } else {
            let Some(value) = positional.get(next) else {
                return fail("not enough arguments for format string");
            };
            value.clone()
        };
        // A mapping is one argument, even if its entries are used by name.
        next += 1;
        let Some(verb) = rest.chars().next() else { return fail("incomplete format") };
        rest = rest.get(verb.len_utf8()..).unwrap_or("");
        convert(verb, &value, &mut out)?;
        bounded(&out)?;
    }
    out.push_str(rest);
    if next < positional.len() {
        return fail("too many arguments for format string");
    }
    Ok(bytes::joined(out))
}

fn convert(verb: char, value: &Value, out: &mut String) -> Result<()> {
    match verb {
        's' => out.push_str(&str(value)?),
        'r' => out.push_str(&repr(value)?),
        'd' | 'i' | 'o' | 'x' | 'X' => {
            let number = match (integers::big(value), value) {
                (Some(number), _) => number.into_owned(),
                (None, Value::Float(float)) if verb == 'd' || verb == 'i' => {
                    BigInt::from_f64(float.trunc()).unwrap_or_default()
                }
                _ => {
                    return fail(format!(
                        "%{verb} format requires integer: cannot convert {} to int",
                        value.type_name()
                    ));
                }
            };
            out.push_str(&match verb {
                'o' => format!("{number:o}"),
                'x' => format!("{number:x}"),
                'X' => format!("{number:X}"),
                _ => number.to_string(),
            });
        }
        'e' | 'E' | 'f' | 'F' | 'g' | 'G' => {
            let Some(number) = integers::to_f64(value) else {
                return fail(format!("%{verb} format requires float, not {}", value.type_name()));
            };
            let text = match verb {
                'e' | 'E' => {
                    let text = format!("{number:.6e}");
                    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
                    let exponent: i32 = exponent.parse().unwrap_or(0);
                    format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
                }
                'f' | 'F' => format!("{number:.6}"),
                _ => shortest(number),
            };
            out.push_str(&if verb.is_ascii_uppercase() { text.to_uppercase() } else { text });
        }
        'c' => match (value.as_text(), integers::to_i128(value)) {
            (Some(text), _) if text.chars().count() == 1 => out.push_str(text),
            (Some(_), _) => {
                return fail(format!("%c format requires a single-character string, not {}", shown_quoted(value)));
            }
            (None, Some(code)) => match u32::try_from(code).ok().and_then(char::from_u32) {
                Some(character) => out.push(character),
                None => return fail(format!("%c format requires a valid Unicode code point, got {code}")),
            },
            _ => return fail(format!("%c format requires int or single-character string, not {}", value.type_name())),
        },
        other => return fail(format!("unknown conversion %{other}")),
    }
    Ok(())
}

/// `text.format(*args, **kwargs)`
pub(crate) fn format(text: &str, positional: &[Value], named: &[(SmolStr, Value)]) -> Result<String> {
    let mut out = String::new();
    let mut automatic = 0;
    let mut manual = false;
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(rest.get(..at).unwrap_or(""));
        let mark = rest.get(at..at + 1).unwrap_or("");
        rest = rest.get(at + 1..).unwrap_or("");
        if let Some(tail) = rest.strip_prefix(mark) {
            out.push_str(mark);
            rest = tail;
            continue;
        }
        if mark == "}" {
            return fail("format: single '}' in format");
        }
        let Some((field, tail)) = rest.split_once('}') else { return fail("format: unmatched '{' in format") };
        rest = tail;
        let (field, specification) = field.split_once(':').map_or((field, ""), |(f, s)| (f, s));
        if !specification.is_empty() {
            return fail("format spec features not supported in replacement fields: ".to_owned() + specification);
        }
        let (name, conversion) = field.split_once('!').map_or((field, "s"), |(name, c)| (name, c));
        let counted = name.is_empty();
        if counted && manual || automatic > 0 && name.parse::<usize>().is_ok() {
            return fail(if counted {
                "format: cannot switch from manual field specification to automatic field numbering"
            } else {
                "format: cannot switch from automatic field numbering to manual field specification"
            });
        }
        let value = if counted {
            automatic += 1;
            positional.get(automatic - 1)
        } else if let Ok(index) = name.parse::<usize>() {
            manual = true;
            positional.get(index)
        } else if name.contains(['.', '[', ']', ',']) {
            return fail(format!("format: attribute syntax x.y is not supported in replacement fields: {name}"));
        } else {
            match named.iter().find(|(known, _)| *known == name) {
                Some((_, value)) => Some(value),
                None => return fail(format!("format: keyword {name} not found")),
            }
        };
        let Some(value) = value else { return fail("format: tuple index out of range") };
        match conversion {
            "s" => out.push_str(&str(value)?),
            "r" => out.push_str(&repr(value)?),
            other => return fail(format!("format: unknown conversion \"{other}\"")),
        }
        bounded(&out)?;
    }
    out.push_str(rest);
    Ok(bytes::joined(out))
}
