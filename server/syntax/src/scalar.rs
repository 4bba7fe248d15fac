//! The text that a scalar stands for: escapes, folding, chomping.

use crate::ast::ValueKind;
use crate::resolve::Profile;
use crate::tree::Token;
use std::borrow::Cow;
use std::ops::Range;

mod origins;

pub use origins::Origins;

/// A scalar in any style.
#[derive(Clone, Copy, Debug)]
pub struct Scalar<'t> {
    pub(crate) style: ValueKind,
    pub(crate) token: Token<'t>,
    pub(crate) body: Option<Token<'t>>,
    /// Column of the entry that holds it (for explicit indentation indicators).
    pub(crate) column: u32,
}

impl<'t> Scalar<'t> {
    /// Plain, quoted or block.
    pub fn style(&self) -> ValueKind {
        self.style
    }

    /// The bytes of the scalar, including quotes; for a block scalar, header and lines.
    pub fn range(&self) -> Range<usize> {
        self.token.range().start..self.body.unwrap_or(self.token).range().end
    }

    /// As written.
    pub fn raw(&self) -> Cow<'t, str> {
        self.token.tree.text(self.range())
    }

    /// The text that it stands for. Borrowed if it is written literally.
    pub fn value(&self) -> Cow<'t, str> {
        self.value_in(Profile::Core12)
    }

    /// The text that it stands for in a profile. ytt's does not take the end of the file as a line break, so a block
    /// scalar that ends there has none (docs/ytt.md 4.5).
    pub fn value_in(&self, profile: Profile) -> Cow<'t, str> {
        match self.style {
            ValueKind::SingleQuoted => map_cow(self.token.text(), single_quoted),
            ValueKind::DoubleQuoted => map_cow(self.token.text(), double_quoted),
            ValueKind::Literal | ValueKind::Folded => Cow::Owned(self.block(profile)),
            _ => map_cow(self.token.text(), plain),
        }
    }

    fn block(&self, profile: Profile) -> String {
        let header = self.token.text();
        let mut indicator = None;
        let mut chomp = ' ';
        for c in header.chars().skip(1) {
            match c {
                '1'..='9' => indicator = c.to_digit(10).map(|digit| digit as usize),
                '+' | '-' => chomp = c,
                _ => {}
            }
        }
        let Some(body) = self.body else {
            return String::new();
        };
        let text = body.text();
        let end = body.range().end;
        // In other profiles the end of the text counts as a line break, as in the YAML test suite.
        let following = body.tree.text(end..body.tree.len().min(end + 1));
        let broken = text.ends_with(['\n', '\r'])
            || following.starts_with(['\n', '\r'])
            || following.is_empty() && profile.library().end_breaks_line();
        let indent = indicator.map(|digit| digit + self.column as usize);
        block(&text, indent, header.starts_with('>'), chomp, broken)
    }
}

fn map_cow<'t>(text: Cow<'t, str>, cook: impl Fn(&str) -> Cow<'_, str>) -> Cow<'t, str> {
    match text {
        Cow::Borrowed(text) => cook(text),
        Cow::Owned(text) => Cow::Owned(cook(&text).into_owned()),
    }
}

fn has_break(text: &str) -> bool {
    memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_some()
}

/// Lines of a text without their breaks (LF, CRLF or CR).
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(at) = memchr::memchr2(b'\n', b'\r', text.as_bytes()) else {
            rest = None;
            return Some(text);
        };
        let after = if text[at..].starts_with("\r\n") { at + 2 } else { at + 1 };
        rest = Some(&text[after..]);
        Some(&text[..at])
    })
}

const BLANKS: [char; 2] = [' ', '\t'];

/// Joins lines as flow scalars do: one break becomes a space; of several breaks, one is dropped.
fn fold<'a>(text: &'a str, mut piece: impl FnMut(&mut String, &'a str)) -> String {
    let mut out = String::with_capacity(text.len());
    let mut breaks = 0usize;
    let all: Vec<&str> = lines(text).collect();
    let last = all.len().saturating_sub(1);
    for (index, line) in all.into_iter().enumerate() {
        let mut line = line;
        if index > 0 {
            breaks += 1;
            line = line.trim_start_matches(BLANKS);
        }
        if index < last {
            line = trim_end(line);
        }
        if line.is_empty() && index > 0 && index < last {
            continue;
        }
        if breaks == 1 {
            out.push(' ');
        }
        for _ in 1..breaks {
            out.push('\n');
        }
        breaks = 0;
        piece(&mut out, line);
    }
    out
}

/// Removes blanks at the end of a line, except for one that a backslash protects.
fn trim_end(line: &str) -> &str {
    line.trim_end_matches(BLANKS)
}

fn plain(text: &str) -> Cow<'_, str> {
    if !has_break(text) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(fold(text, |out, line| out.push_str(line)))
}

fn single_quoted(text: &str) -> Cow<'_, str> {
    let inner = text.strip_prefix('\'').unwrap_or(text);
    let inner = match inner.strip_suffix('\'') {
        // An odd number of quotes at the end closes the scalar; an even number is text (and the scalar is open).
        Some(cut) if (inner.len() - inner.trim_end_matches('\'').len()) % 2 == 1 => cut,
        _ => inner,
    };
    if !has_break(inner) && !inner.contains('\'') {
        return Cow::Borrowed(inner);
    }
    Cow::Owned(fold(inner, |out, line| out.push_str(&line.replace("''", "'"))))
}

fn double_quoted(text: &str) -> Cow<'_, str> {
    let inner = text.strip_prefix('"').unwrap_or(text);
    let slashes = |text: &str| text.len() - text.trim_end_matches('\\').len();
    let inner = match inner.strip_suffix('"') {
        Some(cut) if slashes(cut) % 2 == 0 => cut,
        _ => inner,
    };
    if !has_break(inner) && !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut out = String::with_capacity(inner.len());
    let mut breaks = 0usize;
    let mut escaped_break = false;
    let all: Vec<&str> = lines(inner).collect();
    let last = all.len().saturating_sub(1);
    for (index, line) in all.into_iter().enumerate() {
        let mut line = line;
        if index > 0 {
            breaks += 1;
            line = line.trim_start_matches(BLANKS);
        }
        let mut goes_on = false;
        if index < last {
            let cut = trim_end(line);
            if slashes(line) % 2 == 1 {
                goes_on = true;
                line = &line[..line.len() - 1];
            } else if slashes(cut) % 2 == 1 && cut.len() < line.len() {
                // `\ ` keeps its blank.
                line = &line[..cut.len() + 1];
            } else {
                line = cut;
            }
        }
        if line.is_empty() && !goes_on && index > 0 && index < last {
            continue;
        }
        if breaks == 1 && !escaped_break {
            out.push(' ');
        }
        for _ in 1..breaks {
            out.push('\n');
        }
        breaks = 0;
        escaped_break = goes_on;
        unescape(line, &mut out);
    }
    Cow::Owned(out)
}

/// Bytes of `\u` with its four digits.
pub(crate) const HALF: usize = 6;

/// The second half of a surrogate pair that JSON writes as two escapes, if the text continues with it; `high` is the
/// first half. YAML includes all of JSON.
pub(crate) fn low_half(high: u32, rest: &[u8]) -> Option<u32> {
    let digits = rest.get(..HALF).filter(|_| (0xD800..0xDC00).contains(&high))?.strip_prefix(b"\\u")?;
    let low = u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    (0xDC00..0xE000).contains(&low).then_some(low)
}

/// The character of a surrogate pair.
fn joined(high: u32, low: u32) -> u32 {
    0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)
}

fn unescape(line: &str, out: &mut String) {
    let mut rest = line;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let Some(c) = after.chars().next() else {
            out.push('\\');
            return;
        };
        let digits = match c {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        rest = &after[c.len_utf8()..];
        if digits > 0 {
            let code = rest.get(..digits).filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
            match code.and_then(|hex| u32::from_str_radix(hex, 16).ok()) {
                Some(code) => {
                    rest = &rest[digits..];
                    let pair = low_half(code, rest.as_bytes()).map(|low| joined(code, low));
                    if pair.is_some() {
                        rest = rest.get(HALF..).unwrap_or_default();
                    }
                    let code = pair.unwrap_or(code);
                    out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                None => {
                    out.push('\\');
                    out.push(c);
                }
            }
            continue;
        }
        // Not all libraries know `\'`, but it has no other meaning.
        match escape(c).or((c == '\'').then_some(c)) {
            Some(meaning) => out.push(meaning),
            None => {
                out.push('\\');
                out.push(c);
            }
        }
    }
    out.push_str(rest);
}

/// The meaning of a one-letter escape in double quotes.
pub(crate) fn escape(c: char) -> Option<char> {
    Some(match c {
        '0' => '\0',
        'a' => '\x07',
        'b' => '\x08',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\x0b',
        'f' => '\x0c',
        'r' => '\r',
        'e' => '\x1b',
        ' ' => ' ',
        '"' => '"',
        '/' => '/',
        '\\' => '\\',
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        _ => return None,
    })
}

/// `broken`: a line break follows the last line. `chomp` is `+`, `-` or a space (clip).
fn block(text: &str, indent: Option<usize>, folded: bool, chomp: char, broken: bool) -> String {
    let text = match text.strip_suffix('\n').or_else(|| text.strip_suffix('\r')) {
        Some(cut) => cut.strip_suffix('\r').unwrap_or(cut),
        None => text,
    };
    let all: Vec<&str> = lines(text).collect();
    let spaces = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let indent = indent.unwrap_or_else(|| {
        let first = all.iter().find(|line| spaces(line) < line.len());
        first.or(all.iter().max_by_key(|line| line.len())).map_or(0, |line| spaces(line))
    });
    let cut = |line: &'_ str| -> usize { spaces(line).min(indent) };
    let content: Vec<&str> = all.iter().map(|line| &line[cut(line)..]).collect();
    let end = content.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    let mut out = String::with_capacity(text.len());
    let mut breaks = 0usize;
    let mut previous_deep = true;
    let mut first = true;
    for line in &content[..end] {
        if line.is_empty() {
            breaks += 1;
            continue;
        }
        let deep = !folded || line.starts_with(BLANKS);
        if first {
            breaks += 1;
        }
        if deep || previous_deep && !first {
            // Deeper lines and literal scalars keep every break.
            for _ in usize::from(first)..breaks {
                out.push('\n');
            }
        } else if breaks == 1 && !first {
            out.push(' ');
        } else {
            for _ in 1..breaks {
                out.push('\n');
            }
        }
        out.push_str(line);
        previous_deep = deep;
        first = false;
        breaks = 1;
    }
    let blank = content.len() - end;
    let last_broken = usize::from(broken);
    match chomp {
        '-' => {}
        '+' => {
            let breaks = if end == 0 { blank + last_broken - 1 } else { blank + last_broken };
            for _ in 0..breaks {
                out.push('\n');
            }
        }
        _ => {
            if end > 0 && (broken || blank > 0) {
                out.push('\n');
            }
        }
    }
    out
}
