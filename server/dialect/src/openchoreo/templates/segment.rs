//! The expressions in a text.

use std::ops::Range;

/// How expressions begin.
pub(super) const OPENING: &str = "${";

/// An expression in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Segment {
    /// The bytes between `${` and `}`.
    pub inner: Range<usize>,
    /// Its end is written.
    pub closed: bool,
}

impl Segment {
    /// Whether there is nothing else in a text, except blanks.
    pub fn is_all_of(&self, text: &str) -> bool {
        let around = [text.get(..self.inner.start), text.get(self.inner.end..)];
        self.closed && around.map(|part| part.unwrap_or_default().trim()) == [OPENING, "}"]
    }
}

/// The expressions in a text. Their ends are found by counting braces outside quotes.
pub(super) fn segments(text: &str) -> Vec<Segment> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find(OPENING)) {
        let start = at + start + OPENING.len();
        let (mut depth, mut quote, mut escaped) = (1_usize, None, false);
        let mut end = None;
        for (offset, c) in text.get(start..).unwrap_or_default().char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' if quote.is_some() => escaped = true,
                _ if quote == Some(c) => quote = None,
                '"' | '\'' if quote.is_none() => quote = Some(c),
                '{' if quote.is_none() => depth += 1,
                '}' if quote.is_none() => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                end = Some(start + offset);
                break;
            }
        }
        found.push(Segment { inner: start..end.unwrap_or(text.len()), closed: end.is_some() });
        let Some(end) = end else { break };
        at = end + 1;
    }
    found
}
