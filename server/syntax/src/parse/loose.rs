//! Quoted and flow scalars that continue at the column of their key, or left of it.
//!
//! The grammar requires all their lines to be deeper, and half-typed text needs that rule: when a quote has just been
//! opened, the lines below are siblings, not text. But the YAML libraries of Go, C and Python accept such lines, and
//! files written by programs rely on it. So a text whose quotes or brackets seem to be open is read once more, ignoring
//! columns; if it has no errors at all then, that is its meaning. This depends only on the text. Of a text that may
//! have such lines, both trees are kept, and an edit reads in each of them what it can have changed.

use super::input::Input;
use super::reuse::Reuse;
use super::{Parser, scan};
use crate::error::ErrorCode;
use crate::faults::{first_unclosed, has_errors};
use crate::tree::Tree;

/// How many lines are searched for the end of an open quote or bracket before the text is read again.
const LINES: usize = 2000;

/// The tree of the same text read without regard to columns, if that has no errors. `earlier`: what may be reused of such a
/// tree of the text before an edit.
pub(super) fn settle(tree: Tree, earlier: Option<Reuse<'_>>) -> Tree {
    let Some((code, at)) = first_unclosed(&tree) else { return tree };
    let text = tree.source.slice(at..tree.len());
    let goes_on = match code {
        ErrorCode::UnclosedQuote => quote_goes_on(&text),
        _ => brackets_go_on(&text),
    };
    if !goes_on {
        return tree;
    }
    drop(text);
    let green = match earlier {
        Some(earlier) => Parser { loose: true, ..Parser::new(Input::window(&tree.source), Some(earlier)) }.run(),
        None => Parser { loose: true, ..Parser::new(Input::whole(&tree.to_text()), None) }.run(),
    };
    let loose = Tree { green, loose: true, other: Some(tree.green.clone()), ..tree.clone() };
    if has_errors(&loose) { Tree { other: Some(loose.green), ..tree } } else { loose }
}

/// Whether a later line seems to close the quote that the text begins with: a quote at the end of a line. A quote that
/// was only just typed would be closed by the next value's opening quote, which has text after it.
fn quote_goes_on(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some(&quote) = bytes.first() else { return false };
    for line in text.split('\n').skip(1).take(LINES) {
        let line = line.strip_suffix('\r').unwrap_or(line).as_bytes();
        if scan::marker(line) {
            return false;
        }
        let Some(end) = scan::quote_end(line, 0, quote) else { continue };
        let (before, after) = (line.get(..end - 1).unwrap_or(&[]), line.get(end..).unwrap_or(&[]));
        let begins =
            before.last().is_some_and(|byte| scan::is_blank(*byte)) && !before.iter().all(|b| scan::is_blank(*b));
        let rest = after.iter().position(|byte| !scan::is_blank(*byte)).and_then(|at| after.get(at));
        return !begins && matches!(rest, None | Some(b'#' | b',' | b']' | b'}'));
    }
    false
}

/// Whether a later line seems to close the bracket that the text begins with, with no line before it that begins like a
/// key or an item in block style.
fn brackets_go_on(text: &str) -> bool {
    let mut open = 0usize;
    for (number, line) in text.split('\n').take(LINES).enumerate() {
        let content = line.trim();
        let key_end =
            content.find(|c: char| !(c.is_ascii_alphanumeric() || "_-./".contains(c))).unwrap_or(content.len());
        let after = content.get(key_end..).unwrap_or("");
        let is_entry = key_end > 0 && (after == ":" || after.starts_with(": ")) || content.starts_with("- ");
        if number > 0 && (is_entry || scan::marker(line.as_bytes())) && !content.ends_with([',', '}', ']']) {
            return false;
        }
        for byte in content.bytes() {
            match byte {
                b'[' | b'{' => open += 1,
                b']' | b'}' => open = open.saturating_sub(1),
                _ => {}
            }
        }
        if open == 0 {
            return number > 0;
        }
    }
    false
}
