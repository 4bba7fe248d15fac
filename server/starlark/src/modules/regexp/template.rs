//! What replaces a match: text with `$name`, `${name}` and `$$`, as in Go.

use std::sync::LazyLock;

use regex::Regex;
use regex::bytes::Captures;

/// The longest name at the beginning of a text. Go's letters are not those of Rust.
static NAME: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^[\p{L}\p{Nd}_]+").ok());

/// Writes what a template gives for a match.
pub(super) fn expand(template: &str, captures: &Captures<'_>, out: &mut Vec<u8>) {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('$') {
        out.extend_from_slice(before.as_bytes());
        rest = after;
        if let Some(after) = rest.strip_prefix('$') {
            out.push(b'$');
            rest = after;
        } else if let Some((name, after)) = reference(rest) {
            let group = match number(name) {
                Some(number) => captures.get(number),
                None => captures.name(name),
            };
            out.extend_from_slice(group.map_or(&[], |group| group.as_bytes()));
            rest = after;
        } else {
            // What names nothing is text, the dollar sign as well.
            out.push(b'$');
        }
    }
    out.extend_from_slice(rest.as_bytes());
}

/// The name after a dollar sign, and what follows it.
fn reference(text: &str) -> Option<(&str, &str)> {
    let braced = text.strip_prefix('{');
    let text = braced.unwrap_or(text);
    let (name, rest) = text.split_at_checked(NAME.as_ref()?.find(text)?.end())?;
    if braced.is_some() { Some((name, rest.strip_prefix('}')?)) } else { Some((name, rest)) }
}

/// The number of a group; names with leading zeros and high numbers are not numbers of groups.
fn number(name: &str) -> Option<usize> {
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit()) && (name == "0" || !name.starts_with('0'));
    name.parse().ok().filter(|number| is_number && *number < 1_000_000_000)
}
