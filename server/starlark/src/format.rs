//! How ytt prints values: `str`, `repr`, `%` and `.format`.

use lofting_eval::FragmentKind;
use starlark::values::dict::DictRef;
use starlark::values::float::StarlarkFloat;
use starlark::values::list::ListRef;
use starlark::values::tuple::TupleRef;
use starlark::values::{Heap, Value, ValueLike};

use crate::bytes;
use crate::failure::{Result, fail, limit};
use crate::modules::builtins::entries;
use crate::object::{Object, ObjectKind};

/// How deeply nested values are printed.
const MAX_DEPTH: usize = lofting_eval::MAX_NESTING;

/// What ytt's `type()` says of a value.
pub(crate) fn type_name(value: Value<'_>) -> &'static str {
    if let Some(object) = Object::from_value(value) {
        return object.type_name();
    }
    match value.get_type() {
        "native_function" | "native_method" => "builtin_function_or_method",
        // A method of the Starlark crate: only functions that are written in Starlark have parameters with names.
        "function" if value.parameters_spec().is_none() => "builtin_function_or_method",
        other => other,
    }
}

/// `str(value)`
pub(crate) fn str(value: Value<'_>) -> Result<String> {
    match value.unpack_str() {
        Some(text) => Ok(text.to_owned()),
        None => repr(value),
    }
}

/// `repr(value)`
pub(crate) fn repr(value: Value<'_>) -> Result<String> {
    let mut printer = Printer::default();
    printer.write(value);
    if printer.is_cut { limit("the value is nested too deeply to be printed") } else { Ok(printer.out) }
}

/// What `str` gives, for messages: what is nested too deeply is left out.
pub(crate) fn shown(value: Value<'_>) -> String {
    value.unpack_str().map_or_else(|| shown_quoted(value), str::to_owned)
}

/// What `repr` gives, for messages: what is nested too deeply is left out.
pub(crate) fn shown_quoted(value: Value<'_>) -> String {
    let mut printer = Printer::default();
    printer.write(value);
    printer.out
}

#[derive(Default)]
struct Printer<'v> {
    out: String,
    /// The lists and dicts that are being printed.
    open: Vec<Value<'v>>,
    /// Something was nested too deeply.
    is_cut: bool,
}

impl<'v> Printer<'v> {
    fn write(&mut self, value: Value<'v>) {
        if self.open.len() > MAX_DEPTH {
            self.out.push_str("...");
            self.is_cut = true;
        } else if let Some(text) = value.unpack_str() {
            quote(text, &mut self.out);
        } else if let Some(float) = value.downcast_ref::<StarlarkFloat>() {
            self.out.push_str(&float_text(float.0));
        } else if let Some(list) = ListRef::from_value(value) {
            if self.is_open(value) {
                return self.out.push_str("[...]");
            }
            self.sequence(value, "[", list.iter(), "]");
        } else if let Some(tuple) = TupleRef::from_value(value) {
            let close = if tuple.len() == 1 { ",)" } else { ")" };
            self.sequence(value, "(", tuple.iter(), close);
        } else if let Some(dict) = DictRef::from_value(value) {
            if self.is_open(value) {
                return self.out.push_str("{...}");
            }
            self.open.push(value);
            self.out.push('{');
            for (index, (key, item)) in dict.iter().enumerate() {
                if index > 0 {
                    self.out.push_str(", ");
                }
                self.write(key);
                self.out.push_str(": ");
                self.write(item);
            }
            self.out.push('}');
            self.open.pop();
        } else if type_name(value) == "function" {
            let name = value.function_name().unwrap_or("lambda");
            self.out.push_str(&format!("<function {name}>"));
        } else if let Some(object) = Object::from_value(value) {
            object_text(object, &mut self.out);
        } else if type_name(value) == "builtin_function_or_method" {
            let name = value.to_repr();
            self.out.push_str(&format!("<built-in function {name}>"));
        } else {
            self.out.push_str(&value.to_repr());
        }
    }

    /// Whether a list or dict contains itself, as Go's Starlark asks.
    fn is_open(&self, value: Value<'v>) -> bool {
        self.open.iter().any(|open| open.ptr_eq(value))
    }

    fn sequence(&mut self, value: Value<'v>, open: &str, items: impl Iterator<Item = Value<'v>>, close: &str) {
        self.open.push(value);
        self.out.push_str(open);
        for (index, item) in items.enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.write(item);
        }
        self.out.push_str(close);
        self.open.pop();
    }
}

/// Structs, and the objects that are structs in ytt, do not show their content.
fn object_text(object: &Object<'_>, out: &mut String) {
    out.push_str(&match object.kind() {
        ObjectKind::Struct(_)
        | ObjectKind::Assertion(_)
        | ObjectKind::Address(_)
        | ObjectKind::Network(..)
        | ObjectKind::Url(_)
        | ObjectKind::UserInfo(..) => "struct(...)".to_owned(),
        ObjectKind::Fragment(kind, _) => {
            let inner = match kind {
                FragmentKind::Map => "*yamlmeta.Map",
                FragmentKind::Array => "*yamlmeta.Array",
                FragmentKind::DocumentSet => "*yamlmeta.DocumentSet",
                FragmentKind::Empty => "<nil>",
            };
            format!("yamlfragment({inner})")
        }
        _ => object.to_string(),
    });
}

/// A string with Go's quoting.
fn quote(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\u{b}' => out.push_str("\\v"),
            c if (c as u32) < 0x20 || c as u32 == 0x7f => out.push_str(&format!("\\x{:02x}", c as u32)),
            c if bytes::has_parts(c.encode_utf8(&mut [0; 4])) => {
                bytes::of(c.encode_utf8(&mut [0; 4])).iter().for_each(|byte| out.push_str(&format!("\\x{byte:02x}")));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// A float with Go's `%g` and six significant digits.
pub(crate) fn float_text(value: f64) -> String {
    general(value, 6)
}

/// Go's `%g`: fixed or exponent form with `digits` significant digits, whichever is shorter.
fn general(value: f64, digits: usize) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    if value == 0.0 {
        return if value.is_sign_negative() { "-0" } else { "0" }.to_owned();
    }
    let scientific = format!("{value:.*e}", digits.saturating_sub(1));
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if exponent < -4 || exponent >= digits as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trim(mantissa), exponent.abs());
    }
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    trim(&format!("{value:.decimals$}")).to_owned()
}

/// Go's `%g` without a precision: the fewest digits that identify the number.
fn shortest(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return general(value, 6);
    }
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    // Without a precision, Go decides about the exponent form as if it were 6.
    if !(-4..6).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    format!("{value}")
}

fn trim(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

/// `format % args`
pub(crate) fn percent<'v>(format: &str, args: Value<'v>, heap: Heap<'v>) -> Result<String> {
    let mut out = String::new();
    let positional: Vec<Value<'v>> = match TupleRef::from_value(args) {
        Some(tuple) => tuple.iter().collect(),
        None => vec![args],
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
            let Some(entries) = entries(args, heap) else {
                return fail("format requires a mapping");
            };
            match entries.iter().find(|(key, _)| key.unpack_str() == Some(name)) {
                Some((_, value)) => *value,
                None => return fail(format!("key not found: {name}")),
            }
        } else {
            let Some(value) = positional.get(next) else {
                return fail("not enough arguments for format string");
            };
            *value
        };
        // A mapping is one argument, even if its entries are used by name.
        next += 1;
        let Some(verb) = rest.chars().next() else { return fail("incomplete format") };
        rest = rest.get(verb.len_utf8()..).unwrap_or("");
        convert(verb, value, &mut out)?;
    }
    out.push_str(rest);
    if next < positional.len() {
        return fail("too many arguments for format string");
    }
    Ok(bytes::joined(out))
}

fn convert(verb: char, value: Value<'_>, out: &mut String) -> Result<()> {
    match verb {
        's' => out.push_str(&str(value)?),
        'r' => out.push_str(&repr(value)?),
        'd' | 'i' | 'o' | 'x' | 'X' => {
            let number = match (integer(value), value.downcast_ref::<StarlarkFloat>()) {
                (Some(number), _) => number,
                (None, Some(float)) if verb == 'd' || verb == 'i' => float.0.trunc() as i128,
                _ => {
                    return fail(format!(
                        "%{verb} format requires integer: cannot convert {} to int",
                        type_name(value)
                    ));
                }
            };
            let (sign, size) = (if number < 0 { "-" } else { "" }, number.unsigned_abs());
            match verb {
                'o' => out.push_str(&format!("{sign}{size:o}")),
                'x' => out.push_str(&format!("{sign}{size:x}")),
                'X' => out.push_str(&format!("{sign}{size:X}")),
                _ => out.push_str(&number.to_string()),
            }
        }
        'e' | 'E' | 'f' | 'F' | 'g' | 'G' => {
            let Some(number) = number(value) else {
                return fail(format!("%{verb} format requires float, not {}", type_name(value)));
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
        'c' => match (value.unpack_str(), integer(value)) {
            (Some(text), _) if text.chars().count() == 1 => out.push_str(text),
            (Some(text), _) => {
                return fail(format!("%c format requires a single-character string, not {}", repr_text(text)));
            }
            (None, Some(code)) => match u32::try_from(code).ok().and_then(char::from_u32) {
                Some(character) => out.push(character),
                None => return fail(format!("%c format requires a valid Unicode code point, got {code}")),
            },
            _ => return fail(format!("%c format requires int or single-character string, not {}", type_name(value))),
        },
        other => return fail(format!("unknown conversion %{other}")),
    }
    Ok(())
}

fn repr_text(text: &str) -> String {
    let mut out = String::new();
    quote(text, &mut out);
    out
}

/// An integer of any size that fits 128 bits.
pub(crate) fn integer(value: Value<'_>) -> Option<i128> {
    if let Some(small) = value.unpack_i32() {
        return Some(i128::from(small));
    }
    if value.get_type() == "int" { value.to_repr().parse().ok() } else { None }
}

/// An integer or float as a float.
pub(crate) fn number(value: Value<'_>) -> Option<f64> {
    match value.downcast_ref::<StarlarkFloat>() {
        Some(float) => Some(float.0),
        None if value.get_type() == "int" => value.to_repr().parse().ok(),
        None => None,
    }
}

/// `text.format(*args, **kwargs)`
pub(crate) fn format<'v>(text: &str, positional: &[Value<'v>], named: &[(&str, Value<'v>)]) -> Result<String> {
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
            positional.get(automatic - 1).copied()
        } else if let Ok(index) = name.parse::<usize>() {
            manual = true;
            positional.get(index).copied()
        } else if name.contains(['.', '[', ']', ',']) {
            return fail(format!("format: attribute syntax x.y is not supported in replacement fields: {name}"));
        } else {
            match named.iter().find(|(known, _)| *known == name) {
                Some((_, value)) => Some(*value),
                None => return fail(format!("format: keyword {name} not found")),
            }
        };
        let Some(value) = value else { return fail("format: tuple index out of range") };
        match conversion {
            "s" => out.push_str(&str(value)?),
            "r" => out.push_str(&repr(value)?),
            other => return fail(format!("format: unknown conversion \"{other}\"")),
        }
    }
    out.push_str(rest);
    Ok(bytes::joined(out))
}
