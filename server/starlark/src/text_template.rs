//! Text templates, with code in `(@ @)` (docs/ytt.md 7.4).

use std::ops::Range;

/// A piece of a text template; ranges are bytes of the whole text.
pub(crate) enum TemplatePiece<'a> {
    /// Literal text.
    Text(&'a str),
    /// `(@= expression @)`
    Expression(Range<usize>),
    /// `(@ code @)`
    Code(Range<usize>),
}

/// An error in a text template.
pub(crate) struct TextError {
    pub(crate) range: Range<usize>,
    pub(crate) message: String,
}

impl TextError {
    /// A sign of two characters that cannot be at a place. ytt names that of the second one.
    fn unexpected(text: &str, at: usize, sign: &str) -> TextError {
        TextError { range: at..at + 2, message: format!("Unexpected code {sign} {}", position(text, at + 1)) }
    }
}

/// Splits a text into its pieces.
pub(crate) fn pieces(text: &str) -> Result<Vec<TemplatePiece<'_>>, TextError> {
    let mut pieces = Vec::new();
    let mut at = 0;
    let mut trim_next = false;
    loop {
        let rest = text.get(at..).unwrap_or("");
        let open = rest.find("(@");
        let mut plain = rest.get(..open.unwrap_or(rest.len())).unwrap_or("");
        if let Some(stray) = plain.find("@)") {
            return Err(TextError::unexpected(text, at + stray, "closing '@)'"));
        }
        if trim_next {
            plain = plain.trim_start();
        }
        let Some(open) = open.map(|open| at + open) else {
            push(&mut pieces, plain);
            return Ok(pieces);
        };
        let inner = text.get(open + 2..).unwrap_or("");
        if inner.starts_with(')') {
            // ytt takes the sign for that of both brackets, and ends with an internal error.
            return Err(TextError::unexpected(text, open + 1, "closing '@)'"));
        }
        let close = inner.find("@)").map(|close| open + 2 + close);
        let body = text.get(open + 2..close.unwrap_or(text.len())).unwrap_or("");
        if let Some(again) = body.find("(@") {
            return Err(TextError::unexpected(text, open + 2 + again, "opening '(@'"));
        }
        let Some(close) = close else {
            let message = format!("Missing code closing '@)' {}", position(text, text.len()));
            return Err(TextError { range: open..open + 2, message });
        };
        let mut range = open + 2..close;
        if body.starts_with('-') {
            plain = plain.trim_end();
            range.start += 1;
        }
        // One hyphen alone trims both sides.
        trim_next = body.ends_with('-');
        if trim_next {
            range.end = (range.end - 1).max(range.start);
        }
        push(&mut pieces, plain);
        let body = text.get(range.clone()).unwrap_or("");
        if let Some(expression) = body.strip_prefix('=') {
            // ytt takes a hyphen after the sign for one that trims, which it is not.
            let signs = 1 + usize::from(expression.starts_with('-'));
            pieces.push(TemplatePiece::Expression(range.start + signs..range.end));
        } else if !body.starts_with('#') {
            pieces.push(TemplatePiece::Code(range));
        }
        at = close + 2;
    }
}

fn push<'a>(pieces: &mut Vec<TemplatePiece<'a>>, text: &'a str) {
    if !text.is_empty() {
        pieces.push(TemplatePiece::Text(text));
    }
}

/// `at line L col C` as ytt counts them.
fn position(text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|letter| *letter != '\n').count() + 1;
    format!("at line {line} col {column}")
}
