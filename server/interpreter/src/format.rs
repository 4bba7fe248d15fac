//! How values are printed: `str` and `repr`.

mod template;

use crate::bytes;
use crate::failure::{Result, limit, too_much_memory};
use crate::operators::MAX_BYTES;
use crate::value::{MAX_DEPTH, Value};

pub(crate) use template::{format, percent};

/// `str(value)`
///
/// # Errors
///
/// The value is too large to be printed.
pub fn str(value: &Value) -> Result<String> {
    match value.as_text() {
        Some(text) => Ok(text.to_owned()),
        None => repr(value),
    }
}

/// `repr(value)`
///
/// # Errors
///
/// The value is too large to be printed.
pub fn repr(value: &Value) -> Result<String> {
    let mut printer = Printer::default();
    printer.write(value);
    bounded(&printer.out)?;
    if printer.printed > MAX_PRINTED {
        return too_much_memory();
    }
    if printer.is_cut { limit("the value is nested too deeply to be printed") } else { Ok(printer.out) }
}

/// What `str` gives, for messages: what is nested too deeply is left out.
pub fn shown(value: &Value) -> String {
    value.as_text().map_or_else(|| shown_quoted(value), str::to_owned)
}

/// What `repr` gives, for messages: what is nested too deeply is left out.
pub fn shown_quoted(value: &Value) -> String {
    let mut printer = Printer::default();
    printer.write(value);
    printer.out
}

/// The beginning of what `repr` gives: about so many bytes, or all of it.
pub fn beginning(value: &Value, bytes: usize) -> String {
    let mut printer = Printer { most: bytes, ..Printer::default() };
    printer.write(value);
    printer.out
}

/// Fails if a text is too long.
fn bounded(text: &str) -> Result<()> {
    if text.len() > MAX_BYTES { too_much_memory() } else { Ok(()) }
}

/// How many values are printed at once.
const MAX_PRINTED: usize = 2_000_000;

struct Printer {
    out: String,
    /// After how many bytes nothing more is printed.
    most: usize,
    /// The collections that are being printed.
    open: Vec<Value>,
    /// How many values were printed.
    printed: usize,
    /// Something was nested too deeply.
    is_cut: bool,
}

impl Default for Printer {
    fn default() -> Self {
        Self { out: String::new(), most: MAX_BYTES, open: Vec::new(), printed: 0, is_cut: false }
    }
}

impl Printer {
    fn write(&mut self, value: &Value) {
        if self.open.len() > MAX_DEPTH {
            self.out.push_str("...");
            self.is_cut = true;
            return;
        }
        // What is printed several times at every level can get very long.
        self.printed += 1;
        if self.printed > MAX_PRINTED || self.out.len() > self.most {
            return;
        }
        match value {
            Value::None => self.out.push_str("None"),
            Value::Bool(truth) => self.out.push_str(if *truth { "True" } else { "False" }),
            Value::Int(number) => self.out.push_str(&number.to_string()),
            Value::Big(number) => self.out.push_str(&number.to_string()),
            Value::Float(number) => self.out.push_str(&float_text(*number)),
            Value::String(text) => quote(cut(text, self.most), &mut self.out),
            Value::List(_) if self.is_open(value) => self.out.push_str("[...]"),
            Value::Dict(_) if self.is_open(value) => self.out.push_str("{...}"),
            Value::List(list) => self.sequence(value, "[", &list.to_vec(), "]"),
            Value::Tuple(items) => self.sequence(value, "(", items, if items.len() == 1 { ",)" } else { ")" }),
            Value::Set(set) => self.sequence(value, "set([", &set.to_vec(), "])"),
            Value::Dict(dict) => {
                self.open.push(value.clone());
                self.out.push('{');
                for (index, (key, item)) in dict.entries().iter().enumerate() {
                    if index > 0 {
                        self.out.push_str(", ");
                    }
                    self.write(key);
                    self.out.push_str(": ");
                    self.write(item);
                }
                self.out.push('}');
                self.open.pop();
            }
            Value::Range(range) => {
                self.out.push_str(&match (range.start, range.stop, range.step) {
                    (0, stop, 1) => format!("range({stop})"),
                    (start, stop, 1) => format!("range({start}, {stop})"),
                    (start, stop, step) => format!("range({start}, {stop}, {step})"),
                });
            }
            Value::Elements(elements) => {
                quote(&elements.0, &mut self.out);
                self.out.push_str(elements.1.call());
            }
            Value::Function(function) => self.out.push_str(&format!("<function {}>", function.name())),
            Value::Builtin(function) => self.out.push_str(&format!("<built-in function {}>", function.name)),
            Value::Method(method) => self.out.push_str(&format!("<built-in function {}>", method.function.name)),
            Value::Object(object) => self.out.push_str(&object.text()),
        }
    }

    /// Whether a list or dict contains itself, as Go's Starlark asks.
    fn is_open(&self, value: &Value) -> bool {
        self.open.iter().any(|open| open.is_same(value))
    }

    fn sequence(&mut self, value: &Value, open: &str, items: &[Value], close: &str) {
        self.open.push(value.clone());
        self.out.push_str(open);
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.write(item);
        }
        self.out.push_str(close);
        self.open.pop();
    }
}

/// The first bytes of a text, up to the next whole character.
fn cut(text: &str, bytes: usize) -> &str {
    let end = (bytes..text.len()).find(|end| text.is_char_boundary(*end));
    text.get(..end.unwrap_or(text.len())).unwrap_or(text)
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
pub fn float_text(value: f64) -> String {
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
