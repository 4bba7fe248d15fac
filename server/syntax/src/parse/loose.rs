//! Quoted and flow scalars that continue at the column of their key, or left of it.
//!
//! The grammar requires all their lines to be deeper, and half-typed text needs that rule: when a quote has just been
//! opened, the lines below are siblings, not text. But the YAML libraries of Go, C and Python accept such lines, and
//! files written by programs rely on it. So a text whose quotes or brackets seem to be open is read once more, ignoring
//! columns; if it has no errors at all then, or only what ytt's library accepts, that is its meaning. This depends only on
//! the text. Of a text that may have such lines, both trees are kept, and an edit reads in each of them what it can have
//! changed.

use super::input::Input;
use super::reuse::Reuse;
use super::{Parser, scan};
use crate::error::ErrorCode;
use crate::faults::{first_unclosed, is_faulty};
use crate::scalar::lines;
use crate::tree::Tree;

/// How many lines are searched for the end of an open quote or bracket before the text is read again.
const LINES: usize = 20_000;

/// The tree of the text read without regard to columns, if no error remains that ytt's library reports, too. `earlier`:
/// what may be reused of such a tree of the text before an edit.
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
    if is_faulty(&loose) { Tree { other: Some(loose.green), ..tree } } else { loose }
}

/// Whether a later line seems to close the quote that the text begins with: a quote at the end of a line. A quote that
/// was only just typed would be closed by the next value's opening quote, which has text after it, or is the end of its
/// line after a colon and the like.
fn quote_goes_on(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some(&quote) = bytes.first() else { return false };
    for line in lines(text).skip(1).take(LINES) {
        let line = line.as_bytes();
        if scan::marker(line) {
            return false;
        }
        let Some(end) = scan::quote_end(line, 0, quote) else { continue };
        let (before, after) = (line.get(..end - 1).unwrap_or(&[]), line.get(end..).unwrap_or(&[]));
        let begins = before.last().is_some_and(|byte| scan::is_blank(*byte))
            && matches!(before.trim_ascii_end().last(), Some(b':' | b'-' | b'?' | b',' | b'[' | b'{'));
        let rest = after.iter().position(|byte| !scan::is_blank(*byte)).and_then(|at| after.get(at));
        return !begins && matches!(rest, None | Some(b'#' | b',' | b']' | b'}'));
    }
    false
}

/// Whether a later line seems to close the bracket that the text begins with. Brackets in quotes and comments do not
/// count. Where keys or items in block style follow a bracket that was only just typed, something is wrong with them
/// as its entries, so that is left to the second reading.
fn brackets_go_on(text: &str) -> bool {
    let (mut open, mut quote) = (0usize, None);
    for (number, line) in lines(text).take(LINES).enumerate() {
        if number > 0 && scan::marker(line.as_bytes()) {
            return false;
        }
        if line_closes(line.as_bytes(), &mut open, &mut quote) {
            return number > 0;
        }
    }
    false
}

/// Counts the brackets of a line; true if no bracket is open after one of them. `quote`: the quote that is open.
fn line_closes(line: &[u8], open: &mut usize, quote: &mut Option<u8>) -> bool {
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        if let Some(mark) = *quote {
            match scan::quote_end(line, at, mark) {
                Some(end) => at = end,
                None => return false,
            }
            *quote = None;
            continue;
        }
        let back = |by: usize| at.checked_sub(by).and_then(|at| line.get(at)).copied().unwrap_or(b' ');
        let before = back(1);
        // A colon directly before a quote is that of a key only where the key is quoted or in brackets.
        let behind_key = before == b':' && matches!(back(2), b'"' | b'\'' | b']' | b'}');
        match byte {
            b'[' | b'{' => *open += 1,
            b']' | b'}' => {
                *open = open.saturating_sub(1);
                if *open == 0 {
                    return true;
                }
            }
            b'"' | b'\'' if scan::is_blank(before) || scan::is_flow_indicator(before) || behind_key => {
                *quote = Some(byte);
            }
            b'#' if scan::is_blank(before) => return false,
            _ => {}
        }
        at += 1;
    }
    false
}
