//! How ytt's YAML writer spells text: plain if it reads back as the same text; double quoted if it does not; literal if
//! it has line breaks; single quoted if its characters do not allow a plain scalar. These are the rules of the emitter
//! that ytt uses (Go's yaml.v2), so that our output equals ytt's.

use lofting_eval::bytes;
use lofting_syntax::resolve::{Profile, Resolved, encode_base64, is_timestamp, resolve_plain};
use std::borrow::Cow;
use std::fmt::Write as _;

/// Which spellings the characters of a text allow.
#[derive(Debug, Clone, Copy)]
struct Allowed {
    plain: bool,
    single: bool,
    block: bool,
}

/// The text that is written for a text: base64 for bytes that are not UTF-8.
pub(super) fn content(text: &str) -> Cow<'_, str> {
    if bytes::has_parts(text) { Cow::Owned(encode_base64(&bytes::of(text))) } else { Cow::Borrowed(text) }
}

/// Appends `text` as a map key or as a flow-free value. `indent` is the column of further lines; `None` where only one
/// line is possible (keys).
pub(super) fn write_text(out: &mut String, text: &str, indent: Option<usize>) {
    let content = content(text);
    if let Cow::Owned(base64) = &content {
        out.push_str("!!binary ");
        match indent {
            Some(indent) if base64.contains('\n') => write_literal(out, base64, indent),
            _ => out.push_str(base64),
        }
        return;
    }
    let allowed = analyze(text);
    if text.contains('\n') {
        match indent {
            Some(indent) if allowed.block => return write_literal(out, text, indent),
            _ => return write_double_quoted(out, text),
        }
    }
    if !reads_as_text(text) {
        return write_double_quoted(out, text);
    }
    // An empty text never reaches this point: it would read as null.
    if allowed.plain {
        out.push_str(text);
    } else if allowed.single {
        write_single_quoted(out, text, indent.unwrap_or_default());
    } else {
        write_double_quoted(out, text);
    }
}

/// Whether yaml.v2 itself would read the plain spelling as this text. It reads dates and the base-60 numbers of YAML
/// 1.1 as something else.
fn reads_as_text(text: &str) -> bool {
    matches!(resolve_plain(Profile::Ytt, text), Resolved::String) && !is_timestamp(text) && !is_base60(text)
}

/// `[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?`
fn is_base60(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let mut parts = unsigned.split(':');
    let Some(first) = parts.next() else { return false };
    if !first.starts_with(|c: char| c.is_ascii_digit()) || !first.chars().all(|c| c.is_ascii_digit() || c == '_') {
        return false;
    }
    let rest: Vec<&str> = parts.collect();
    let Some((last, middle)) = rest.split_last() else { return false };
    let sixty = |part: &str| match part.as_bytes() {
        [one] => one.is_ascii_digit(),
        [ten, one] => (b'0'..=b'5').contains(ten) && one.is_ascii_digit(),
        _ => false,
    };
    let (whole, fraction) = last.split_once('.').unwrap_or((last, ""));
    middle.iter().all(|part| sixty(part)) && sixty(whole) && fraction.chars().all(|c| c.is_ascii_digit() || c == '_')
}

/// The line breaks of YAML 1.1.
pub(super) fn is_break(c: char) -> bool {
    matches!(c, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
}

fn analyze(text: &str) -> Allowed {
    if text.is_empty() {
        return Allowed { plain: false, single: true, block: false };
    }
    let mut indicators = text.starts_with("---") || text.starts_with("...");
    let (mut special, mut line_breaks) = (false, false);
    let (mut break_space, mut space_break) = (false, false);
    let (mut previous_space, mut previous_break, mut after_blank) = (false, false, true);
    let mut chars = text.chars().peekable();
    let mut first = true;
    while let Some(c) = chars.next() {
        let before_blank = chars.peek().is_none_or(|next| matches!(next, ' ' | '\t'));
        indicators |= match c {
            ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`' => first,
            '?' | '-' => first && before_blank,
            ':' => before_blank,
            '#' => first || after_blank,
            _ => false,
        };
        special |= !is_printable(c);
        if c == ' ' {
            break_space |= previous_break;
            (previous_space, previous_break) = (true, false);
        } else if is_break(c) {
            line_breaks = true;
            space_break |= previous_space;
            (previous_space, previous_break) = (false, true);
        } else {
            (previous_space, previous_break) = (false, false);
        }
        after_blank = matches!(c, ' ' | '\t' | '\0') || is_break(c);
        first = false;
    }
    let edge = |c: Option<char>| c.is_some_and(|c| c == ' ' || is_break(c));
    let trailing_space = text.ends_with(' ');
    let edges = edge(text.chars().next()) || edge(text.chars().next_back());
    let broken = space_break || special;
    Allowed {
        plain: !(indicators || edges || break_space || broken || line_breaks),
        single: !(break_space || broken),
        block: !(trailing_space || broken),
    }
}

fn write_literal(out: &mut String, text: &str, indent: usize) {
    out.push('|');
    if text.starts_with(|c: char| c == ' ' || is_break(c)) {
        out.push('2');
    }
    if !text.ends_with(is_break) {
        out.push('-');
    } else {
        let before = text.char_indices().next_back().map_or("", |(at, _)| text.get(..at).unwrap_or_default());
        if before.is_empty() || before.ends_with(is_break) {
            out.push('+');
        }
    }
    out.push('\n');
    write_lines(out, text.strip_suffix('\n').unwrap_or(text), indent, true);
}

/// Appends a text with `indent` blanks before what follows a line break, other than a further break. `begins`: before
/// its first character as well.
fn write_lines(out: &mut String, text: &str, indent: usize, begins: bool) {
    let mut at_start = begins;
    for c in text.chars() {
        if at_start && !is_break(c) {
            out.extend(std::iter::repeat_n(' ', indent));
        }
        at_start = is_break(c);
        out.push(c);
    }
}

/// Of the line breaks, only those of Unicode are written in single quotes.
fn write_single_quoted(out: &mut String, text: &str, indent: usize) {
    out.push('\'');
    write_lines(out, &text.replace('\'', "''"), indent, false);
    out.push('\'');
}

/// A text in double quotes, on one line.
pub fn double_quoted(text: &str) -> String {
    format!("\"{}\"", inside_double_quotes(text))
}

/// A text as it is written between double quotes.
pub fn inside_double_quotes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // YAML 1.2 prints emoji and the like, unlike ytt's writer.
    write_inside_double_quotes(&mut out, text, |c| is_printable(c) || c >= '\u{10000}');
    out
}

fn write_double_quoted(out: &mut String, text: &str) {
    out.push('"');
    write_inside_double_quotes(out, text, is_printable);
    out.push('"');
}

fn write_inside_double_quotes(out: &mut String, text: &str, is_printable: impl Fn(char) -> bool) {
    // yaml.v2 looks for the mark at the beginning of the text instead of at the character.
    let is_marked = text.starts_with('\u{feff}');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if is_printable(c) && !is_break(c) && !is_marked => out.push(c),
            '\0' => out.push_str("\\0"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            '\u{1b}' => out.push_str("\\e"),
            '\u{85}' => out.push_str("\\N"),
            '\u{a0}' => out.push_str("\\_"),
            '\u{2028}' => out.push_str("\\L"),
            '\u{2029}' => out.push_str("\\P"),
            c => {
                let code = u32::from(c);
                let written = match code {
                    0..=0xff => write!(out, "\\x{code:02X}"),
                    0x100..=0xffff => write!(out, "\\u{code:04X}"),
                    _ => write!(out, "\\U{code:08X}"),
                };
                debug_assert!(written.is_ok(), "writing to a String cannot fail");
            }
        }
    }
}
