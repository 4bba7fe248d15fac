//! Text that Markdown shows literally.

use lofting_text::{Breaks, visible};

/// Text on one line with everything escaped that has a meaning in CommonMark or GitHub's extensions. `starts`: it
/// begins a line, where more has a meaning. Needless escapes are avoided for clients that show the source:
/// `data_values` and `3.5` stay as they are.
pub fn literal(text: &str, starts: bool) -> String {
    let text = visible(text, Breaks::Spaces);
    let text = if starts { text.trim_start() } else { &text };
    let chars: Vec<char> = text.chars().collect();
    let at = |index: usize| chars.get(index).copied();
    // `1.` and `1)` begin an item.
    let digits = chars.iter().take_while(|c| c.is_ascii_digit()).count();
    let mut out = String::with_capacity(text.len() + 8);
    for (index, c) in chars.iter().copied().enumerate() {
        let before = index.checked_sub(1).and_then(at);
        let next = at(index + 1);
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let first = starts && index == 0;
        let special = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '|' | '~' => true,
            '_' => !(is_word(before) && is_word(next)),
            // Entities, and what the next piece may turn into one.
            '&' => next.is_none_or(|next| next == '#' || next.is_ascii_alphanumeric()),
            // Before a link it would make an image.
            '!' => next.is_none_or(|next| next == '['),
            '>' | '#' | '-' | '+' | '=' => first,
            // GitHub and VS Code make links of bare addresses.
            ':' => first || next == Some('/') || is_scheme(&chars[..index], next),
            '.' if index > 0 && index == digits => starts,
            '.' => ends_with(&chars[..index], "www") || (index == 0 && !starts && is_word(next)),
            ')' => starts && index > 0 && index == digits,
            '@' => before.is_some_and(|c| !c.is_whitespace()) && next.is_some_and(|c| !c.is_whitespace()),
            _ => false,
        };
        if special {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Whether the name of a scheme ends here: one without slashes, or whose slashes may come with the next piece.
fn is_scheme(before: &[char], next: Option<char>) -> bool {
    ["mailto", "xmpp"].iter().any(|scheme| ends_with(before, scheme))
        || next.is_none() && ["http", "https", "ftp"].iter().any(|scheme| ends_with(before, scheme))
}

fn ends_with(chars: &[char], word: &str) -> bool {
    let tail = chars.len().checked_sub(word.len()).map(|from| &chars[from..]);
    tail.is_some_and(|tail| tail.iter().zip(word.chars()).all(|(a, b)| a.to_ascii_lowercase() == b))
}

/// The longest run of backquotes.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Text in a code span; empty for empty text.
pub fn code_span(text: &str) -> String {
    let text = visible(text, Breaks::Shown);
    if text.is_empty() {
        return String::new();
    }
    let fence = "`".repeat(longest_run(&text) + 1);
    // One space on either side is stripped, unless there is nothing else.
    let edge = |c: char| c == '`' || c == ' ';
    let pad = text.starts_with(edge) || text.ends_with(edge);
    if pad && !text.chars().all(|c| c == ' ') {
        format!("{fence} {text} {fence}")
    } else {
        format!("{fence}{text}{fence}")
    }
}

/// Text in a fenced code block; `before` is the prefix of further lines, inside lists and quotations.
pub fn code_block(text: &str, language: &'static str, before: &str) -> String {
    let fence = "`".repeat((longest_run(text) + 1).max(3));
    let mut out = format!("{fence}{language}\n");
    for line in visible(text, Breaks::Kept).trim_end_matches('\n').split('\n') {
        out.push_str(&format!("{before}{line}\n"));
    }
    out.push_str(&format!("{before}{fence}"));
    out
}
