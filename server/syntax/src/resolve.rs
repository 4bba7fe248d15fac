//! Determines the type of a scalar, by one of several rule sets.

#[cfg(test)]
mod tests;
mod timestamp;

pub use timestamp::is_timestamp;

use crate::ast::ValueKind;
use crate::error::SyntaxError;
use crate::scalar::Scalar;
use crate::tree::Tree;

/// The rule set that decides the type of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// ytt: YAML 1.1 as its fork of go-yaml v2 reads it.
    Ytt,
    /// YAML 1.1 as go-yaml v2 reads it, for files whose comments have no meaning.
    Yaml11,
    /// YAML 1.2 core schema.
    Core12,
    /// JSON: `null`, `true`, `false` and JSON numbers; everything else is a string.
    Json,
}

/// What reads a text as YAML: decides which texts can be read at all, and where values end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Library {
    /// The grammar of YAML 1.2.
    Grammar,
    /// yaml.v2 for Go, with which ytt, Kubernetes and OpenChoreo read. It is older than YAML 1.2: it refuses some of it, and
    /// reads some texts that are not in the grammar.
    GoYaml,
}

impl Library {
    /// Whether the end of the text counts as a line break after the last line of a block scalar.
    pub fn end_breaks_line(self) -> bool {
        self == Library::Grammar
    }

    /// Whether a tag without a value is that of the empty text.
    pub fn tags_empty_text(self) -> bool {
        self == Library::GoYaml
    }

    /// Whether a colon between brackets belongs to the text before it wherever no white space follows.
    pub fn colons_need_space(self) -> bool {
        self == Library::GoYaml
    }

    /// Whether NEL, LS and PS end lines, as in YAML 1.1.
    pub fn ends_lines_at_separators(self) -> bool {
        self == Library::GoYaml
    }

    /// Whether a text with this error is read all the same.
    pub(crate) fn accepts(self, tree: &Tree, error: &SyntaxError) -> bool {
        self == Library::GoYaml && crate::faults::accepted_by_go(tree, error)
    }
}

impl Profile {
    /// What reads the text.
    pub const fn library(self) -> Library {
        match self {
            Profile::Ytt | Profile::Yaml11 => Library::GoYaml,
            Profile::Core12 | Profile::Json => Library::Grammar,
        }
    }

    /// Whether `: value` has the key null.
    pub fn allows_missing_key(self) -> bool {
        self != Profile::Ytt
    }

    /// Whether ytt reads the documents, which merges maps in its own way and gives its own meaning to what is unusual.
    pub fn is_of_ytt(self) -> bool {
        self == Profile::Ytt
    }
}

/// The typed value of a scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Resolved {
    /// Null.
    Null,
    /// Boolean.
    Bool(bool),
    /// Integer.
    Int(i128),
    /// Floating point number.
    Float(f64),
    /// The text itself.
    String,
}

impl Resolved {
    /// Short tag of the type, as go-yaml names it in messages: `!!int`.
    pub fn tag(self) -> &'static str {
        match self {
            Resolved::Null => "!!null",
            Resolved::Bool(_) => "!!bool",
            Resolved::Int(_) => "!!int",
            Resolved::Float(_) => "!!float",
            Resolved::String => "!!str",
        }
    }
}

/// A tag that does not fit its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagError {
    /// The tag, in its short form if it has one: `!!int`.
    pub tag: String,
    /// The explanation in plain words.
    pub message: String,
}

/// The type of an unquoted, untagged scalar.
pub fn resolve_plain(profile: Profile, text: &str) -> Resolved {
    match profile {
        Profile::Ytt | Profile::Yaml11 => ytt(text),
        Profile::Core12 => core(text),
        Profile::Json => json(text),
    }
}

/// The type of a scalar, with its tag (as written, or in full) if it has one.
pub fn resolve(profile: Profile, scalar: &Scalar<'_>, tag: Option<&str>) -> Result<Resolved, TagError> {
    resolve_text(profile, scalar.style() == ValueKind::Plain, &scalar.value(), tag)
}

/// The type of a text, with its tag if it has one. `plain`: the text is neither quoted nor a block scalar. A missing
/// value counts as the empty plain text.
pub fn resolve_text(profile: Profile, plain: bool, text: &str, tag: Option<&str>) -> Result<Resolved, TagError> {
    let Some(tag) = tag else {
        return Ok(if plain { resolve_plain(profile, text) } else { Resolved::String });
    };
    let short = short_tag(tag);
    let fail = |message: String| Err(TagError { tag: short.clone(), message });
    // A tag applies to quoted text, too (`!!int "7"` is 7).
    let natural = resolve_plain(profile, text);
    match (short.as_str(), natural) {
        ("!!binary", _) => match decode_base64(text) {
            Some(_) => Ok(Resolved::String),
            None => fail("the text of a !!binary value must be base64".to_owned()),
        },
        ("!!int", Resolved::Int(_))
        | ("!!float", Resolved::Float(_))
        | ("!!bool", Resolved::Bool(_))
        | ("!!null", Resolved::Null) => Ok(natural),
        // With `!!float`, go-yaml converts integers of the machine's signed size.
        ("!!float", Resolved::Int(int)) if i64::try_from(int).is_ok() => Ok(Resolved::Float(int as f64)),
        // A date stays text.
        ("!!timestamp", _) if is_timestamp(text) => Ok(Resolved::String),
        ("!!timestamp", _) if !matches!(profile, Profile::Ytt | Profile::Yaml11) => Ok(Resolved::String),
        ("!!int" | "!!float" | "!!bool" | "!!null" | "!!timestamp", _) => {
            fail(format!("`{text}` is {}, it cannot be read as {short}", described(natural)))
        }
        // With `!!str` and unknown tags, the text stays a string.
        _ => Ok(Resolved::String),
    }
}

fn described(resolved: Resolved) -> &'static str {
    match resolved {
        Resolved::Null => "null",
        Resolved::Bool(_) => "a boolean",
        Resolved::Int(_) => "an integer",
        Resolved::Float(_) => "a float",
        Resolved::String => "text",
    }
}

/// Whether a tag belongs to an application (`!Ref`), which alone knows the meaning of the value. YAML's own tags do
/// not, nor does `!`, which marks a string.
pub fn is_of_application(tag: &str) -> bool {
    !short_tag(tag).starts_with("!!") && !matches!(tag, "!" | "!<!>")
}

/// `!!int` for `tag:yaml.org,2002:int` and `!<tag:yaml.org,2002:int>`; other tags as they are.
pub fn short_tag(tag: &str) -> String {
    let inner = tag.strip_prefix("!<").and_then(|rest| rest.strip_suffix('>')).unwrap_or(tag);
    match inner.strip_prefix("tag:yaml.org,2002:") {
        Some(name) => format!("!!{name}"),
        None => inner.to_owned(),
    }
}

/// The text of a `!!binary` value that stands for these bytes, as yaml.v2 writes it: lines of 70 characters if it has more.
pub fn encode_base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const LINE: usize = 70;
    let length = bytes.len().div_ceil(3) * 4;
    let mut out = String::with_capacity(length + length / LINE + 1);
    let mut column = 0;
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            if column == LINE {
                out.push('\n');
                column = 0;
            }
            let value = (bits >> (18 - 6 * digit) & 63) as usize;
            let letter = if digit > group.len() { b'=' } else { ALPHABET.get(value).copied().unwrap_or(b'=') };
            out.push(char::from(letter));
            column += 1;
        }
    }
    if length >= LINE {
        out.push('\n');
    }
    out
}

/// The bytes of a `!!binary` value, as Go reads them (standard alphabet, padded, line breaks ignored).
pub fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b'\n' | b'\r')).collect();
    if !digits.len().is_multiple_of(4) {
        return None;
    }
    let padding = digits.iter().rev().take_while(|&&byte| byte == b'=').count();
    if padding > 2 {
        return None;
    }
    let mut out = Vec::with_capacity(digits.len() / 4 * 3);
    let mut bits = 0u32;
    for (index, &byte) in digits.iter().enumerate() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' if index + padding >= digits.len() => 0,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        if index % 4 == 3 {
            out.extend_from_slice(&bits.to_be_bytes()[1..]);
            bits = 0;
        }
    }
    out.truncate(out.len() - padding);
    Some(out)
}

// ---- ytt ----

fn null_word(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

fn special_float(text: &str) -> Option<f64> {
    Some(match text {
        ".nan" | ".NaN" | ".NAN" => f64::NAN,
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => f64::INFINITY,
        "-.inf" | "-.Inf" | "-.INF" => f64::NEG_INFINITY,
        _ => return None,
    })
}

/// YAML 1.1's words for booleans, in the three spellings that go-yaml knows.
fn truth_word(text: &str) -> Option<bool> {
    Some(match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => true,
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => false,
        _ => return None,
    })
}

/// The length of the longest word with a special meaning.
const LONGEST_WORD: usize = 5;

fn ytt(text: &str) -> Resolved {
    // Nearly all text is a longer word or a plain number.
    let numeric = matches!(text.as_bytes().first(), Some(b'.' | b'0'..=b'9' | b'+' | b'-'));
    if !numeric && text.len() > LONGEST_WORD {
        return Resolved::String;
    }
    if let Some(int) = small_integer(text) {
        return Resolved::Int(int);
    }
    if null_word(text) {
        return Resolved::Null;
    }
    if let Some(truth) = truth_word(text) {
        return Resolved::Bool(truth);
    }
    if let Some(float) = special_float(text) {
        return Resolved::Float(float);
    }
    // The first character decides what the text may be.
    match text.as_bytes().first() {
        Some(b'.') if underscores_separate_digits(text) => {
            decimal_float(&text.replace('_', "")).map_or(Resolved::String, Resolved::Float)
        }
        Some(b'0'..=b'9' | b'+' | b'-') => {
            let digits = text.replace('_', "");
            if let Some(int) = go_integer(&digits) {
                return Resolved::Int(int);
            }
            decimal_float(&digits).map_or(Resolved::String, Resolved::Float)
        }
        _ => Resolved::String,
    }
}

/// Whether each underscore is between two digits, as Go's `ParseFloat` requires.
fn underscores_separate_digits(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    memchr::memchr_iter(b'_', bytes).all(|at| is_digit(at.checked_sub(1)) && is_digit(Some(at + 1)))
}

/// A decimal number with so few digits that it fits any size of integer, and without a leading zero.
fn small_integer(text: &str) -> Option<i128> {
    let bytes = text.as_bytes();
    let plain =
        matches!(bytes, [b'1'..=b'9', ..] | [b'0']) && bytes.len() <= 18 && bytes.iter().all(u8::is_ascii_digit);
    plain.then(|| i128::from(bytes.iter().fold(0u64, |value, digit| value * 10 + u64::from(digit - b'0'))))
}

/// An integer as Go's `ParseInt` and `ParseUint` read it with base 0: a prefix states the base, a leading 0 means
/// octal; signed or (without a sign) unsigned 64 bits.
fn go_integer(text: &str) -> Option<i128> {
    let (negative, signed, digits) = match text.as_bytes().first()? {
        b'-' => (true, true, &text[1..]),
        b'+' => (false, true, &text[1..]),
        _ => (false, false, text),
    };
    let lower = digits.get(..2).map(str::to_ascii_lowercase);
    let (radix, digits) = match lower.as_deref() {
        Some("0x") => (16, &digits[2..]),
        Some("0o") => (8, &digits[2..]),
        Some("0b") => (2, &digits[2..]),
        _ if digits.len() > 1 && digits.starts_with('0') => (8, &digits[1..]),
        _ => (10, digits),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| (byte as char).is_digit(radix)) {
        return None;
    }
    let value = i128::from_str_radix(digits, radix).ok()?;
    let value = if negative { -value } else { value };
    let fits = i64::try_from(value).is_ok() || !signed && u64::try_from(value).is_ok();
    fits.then_some(value)
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, if it is finite.
fn decimal_float(text: &str) -> Option<f64> {
    let rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match rest.find(['e', 'E']) {
        Some(at) => (&rest[..at], Some(&rest[at + 1..])),
        None => (rest, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let shape = match mantissa.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction) && !(whole.is_empty() && fraction.is_empty()),
        None => !mantissa.is_empty() && digits(mantissa),
    };
    let exponent_shape = exponent.is_none_or(|exponent| {
        let bare = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        !bare.is_empty() && digits(bare)
    });
    if !shape || !exponent_shape {
        return None;
    }
    // Overflow is an error in Go, so the text stays a string.
    text.parse::<f64>().ok().filter(|float| float.is_finite())
}

// ---- YAML 1.2 core schema ----

fn core(text: &str) -> Resolved {
    if null_word(text) {
        return Resolved::Null;
    }
    match text {
        "true" | "True" | "TRUE" => return Resolved::Bool(true),
        "false" | "False" | "FALSE" => return Resolved::Bool(false),
        _ => {}
    }
    if let Some(float) = special_float(text) {
        return Resolved::Float(float);
    }
    let based = match text.get(..2) {
        Some("0o") => Some((8, &text[2..])),
        Some("0x") => Some((16, &text[2..])),
        _ => None,
    };
    if let Some((radix, digits)) = based {
        let shape = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
        let value = i128::from_str_radix(digits, radix).ok().filter(|_| shape);
        return value.map_or(Resolved::String, Resolved::Int);
    }
    let bare = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !bare.is_empty()
        && bare.bytes().all(|byte| byte.is_ascii_digit())
        && let Ok(int) = text.parse()
    {
        return Resolved::Int(int);
    }
    decimal_float(text).map_or(Resolved::String, Resolved::Float)
}

// ---- JSON, and the strict reading of ytt ----

fn json(text: &str) -> Resolved {
    match text {
        "" | "null" => return Resolved::Null,
        "true" => return Resolved::Bool(true),
        "false" => return Resolved::Bool(false),
        _ => {}
    }
    let Some(is_whole) = json_number(text) else { return Resolved::String };
    if is_whole && let Ok(int) = text.parse() {
        return Resolved::Int(int);
    }
    decimal_float(text).map_or(Resolved::String, Resolved::Float)
}

/// Whether a number as JSON writes it has neither fraction nor exponent; `None` for other text.
fn json_number(text: &str) -> Option<bool> {
    let bare = text.strip_prefix('-').unwrap_or(text);
    let (whole, rest) = bare.split_at_checked(bare.find(['.', 'e', 'E']).unwrap_or(bare.len()))?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (fraction, exponent) = match rest.split_once(['e', 'E']) {
        Some((fraction, exponent)) => (fraction, exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        None => (rest, "0"),
    };
    let is_number = digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && (fraction.is_empty() || fraction.strip_prefix('.').is_some_and(digits))
        && digits(exponent);
    is_number.then_some(rest.is_empty())
}

/// How `--strict` of ytt would read an unquoted, untagged scalar: empty is null; then `true`, `false` and JSON-like
/// numbers; everything else is a string.
pub fn resolve_strict(text: &str) -> Resolved {
    match text {
        "null" => Resolved::String,
        _ => json(text),
    }
}

/// Why ytt's `--strict` refuses an unquoted, untagged scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrictProblem {
    /// The usual reading differs from the strict one; holds the tag of the usual reading.
    Ambiguous(&'static str),
    /// Text with white space must be quoted.
    Whitespace,
    /// Text with a colon must be quoted.
    Colon,
    /// Text with `---` must be quoted.
    TripleDash,
}

/// Whether and why ytt's `--strict` refuses an unquoted, untagged scalar.
pub fn strict_problem(text: &str) -> Option<StrictProblem> {
    let (usual, strict) = (ytt(text), resolve_strict(text));
    let is_too_large = json_number(text) == Some(true) && !matches!(usual, Resolved::Int(_));
    if usual.tag() != strict.tag() || is_too_large {
        return Some(StrictProblem::Ambiguous(usual.tag()));
    }
    if strict != Resolved::String {
        return None;
    }
    if json_number(text).is_some() {
        // It is beyond the largest number, so that the strict reading fails.
        return Some(StrictProblem::Ambiguous(usual.tag()));
    }
    if is_timestamp(text) {
        return Some(StrictProblem::Ambiguous("!!timestamp"));
    }
    if text.contains(char::is_whitespace) {
        return Some(StrictProblem::Whitespace);
    }
    if text.contains(':') {
        return Some(StrictProblem::Colon);
    }
    text.contains("---").then_some(StrictProblem::TripleDash)
}

// ---- writing ----

/// Whether a string must be quoted in block style: unquoted it would be read as another type or another text.
pub fn needs_quotes(profile: Profile, text: &str) -> bool {
    if resolve_plain(profile, text) != Resolved::String || text == "<<" {
        return true;
    }
    let first = text.chars().next().unwrap_or(' ');
    let second = text.chars().nth(1);
    let indicator = match first {
        '-' | '?' | ':' => second.is_none_or(|c| c == ' ' || c == '\t'),
        _ => "!&*|>@`%\"'#,[]{}".contains(first),
    };
    indicator
        || text.starts_with("---")
        || text.starts_with("...")
        || text.starts_with(char::is_whitespace)
        || text.ends_with(char::is_whitespace)
        || text.ends_with(':')
        || text.contains(": ")
        || text.contains(":\t")
        || text.contains(" #")
        || text.contains("\t#")
        || text.chars().any(|c| c.is_control() && c != '\t' || c == '\u{feff}' || c == '\u{2028}')
}

/// Like [`needs_quotes`], inside `[...]` or `{...}`.
pub fn needs_quotes_in_flow(profile: Profile, text: &str) -> bool {
    needs_quotes(profile, text) || is_cut_in_flow(text)
}

/// Whether some reader ends a plain scalar with this text early inside `[...]` or `{...}`, or refuses it there. Readers
/// of YAML 1.1 end one at any `?`.
pub fn is_cut_in_flow(text: &str) -> bool {
    text.contains([',', '[', ']', '{', '}', '?']) || text.starts_with(['-', ':']) && !begins_number(text)
}

/// Whether a text is a negative number, whose sign begins no item.
fn begins_number(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
}
