//! Reads the cursor's line from its text alone. Half a line says more about what is being typed than its tree: `image`
//! may be a key without its colon, a value, or the start of a text that continues below, and only the place decides
//! which.

use std::ops::Range;

#[cfg(test)]
mod tests;

/// The layout of one line in block style: `  - key: value # comment`. All ranges are bytes of the line, without its
/// line break.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Leading white space, tabs included.
    pub indent: usize,
    /// The columns of the dashes of `- - `, from left to right.
    pub dashes: Vec<usize>,
    /// Where the content begins: after indentation, dashes and their white space, an anchor and a tag.
    pub content: usize,
    /// An anchor or tag before the content; the range covers both.
    pub properties: Option<Range<usize>>,
    /// The key as written, quotes included, and its colon.
    pub key: Option<(Range<usize>, usize)>,
    /// The part that is neither key nor comment, without surrounding white space.
    pub value: Range<usize>,
    /// Where the comment begins, at its `#`.
    pub comment: Option<usize>,
}

impl Layout {
    /// The column of the map for a key on this line, whether present or still to be typed.
    pub fn column(&self) -> usize {
        match (&self.key, &self.properties) {
            (Some((key, _)), _) => key.start,
            (None, Some(properties)) => properties.start,
            (None, None) => self.content,
        }
    }

    /// Whether there is only white space and dashes.
    pub fn is_empty(&self) -> bool {
        self.key.is_none() && self.value.is_empty() && self.properties.is_none()
    }
}

/// Reads a line.
pub(crate) fn layout(line: &str) -> Layout {
    let bytes = line.as_bytes();
    let indent = blanks(bytes, 0);
    let mut at = indent;
    let mut dashes = Vec::new();
    while bytes.get(at) == Some(&b'-') && bytes.get(at + 1).is_none_or(|next| is_blank(*next)) {
        dashes.push(at);
        at = blanks(bytes, at + 1);
    }
    let properties_start = at;
    let mut properties_end = at;
    while let Some(b'&' | b'!') = bytes.get(at) {
        properties_end = word_end(bytes, at);
        at = blanks(bytes, properties_end);
    }
    let properties = (properties_end > properties_start).then_some(properties_start..properties_end);
    let mut layout = Layout { indent, dashes, content: at, properties, key: None, value: at..at, comment: None };
    if let Some((key, colon)) = key(bytes, at) {
        layout.key = Some((key, colon));
        at = colon + 1;
    }
    let start = blanks(bytes, at);
    let (end, comment) = value_end(bytes, start);
    layout.comment = comment;
    layout.value = start..end.max(start);
    if layout.value.is_empty() && layout.key.is_some() {
        // An empty value is directly after the colon, however much white space follows.
        layout.value = at..at;
    }
    layout
}

/// The end of a quoted scalar that begins at `start`, after its closing quote; `None` if it does not close on this
/// line.
pub(crate) fn quoted_end(bytes: &[u8], start: usize) -> Option<usize> {
    let quote = *bytes.get(start)?;
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\\' && quote == b'"' {
            at += 2;
            continue;
        }
        if byte == quote {
            if quote == b'\'' && bytes.get(at + 1) == Some(&b'\'') {
                at += 2;
                continue;
            }
            return Some(at + 1);
        }
        at += 1;
    }
    None
}

/// A key that begins at `start`, with its colon.
fn key(bytes: &[u8], start: usize) -> Option<(Range<usize>, usize)> {
    match *bytes.get(start)? {
        b'"' | b'\'' => {
            let end = quoted_end(bytes, start)?;
            let colon = blanks(bytes, end);
            is_colon(bytes, colon).then_some((start..end, colon))
        }
        b'{' | b'[' | b'#' | b'|' | b'>' => None,
        _ => {
            let mut at = start;
            while at < bytes.len() {
                if is_colon(bytes, at) {
                    let end = trim_end(bytes, start, at);
                    return Some((start..end, at));
                }
                if is_comment(bytes, at) {
                    return None;
                }
                at += 1;
            }
            None
        }
    }
}

/// The end of a value that begins at `start`, and the start of the comment after it.
fn value_end(bytes: &[u8], start: usize) -> (usize, Option<usize>) {
    let mut at = start;
    if let Some(b'"' | b'\'') = bytes.get(at) {
        match quoted_end(bytes, at) {
            Some(end) => at = end,
            // An open quote takes the rest of the line, including `#`.
            None => return (bytes.len(), None),
        }
    }
    let flow = matches!(bytes.get(start), Some(b'{' | b'['));
    while at < bytes.len() {
        if is_comment(bytes, at) {
            return (trim_end(bytes, start, at), Some(at));
        }
        match bytes[at] {
            // Inside brackets a `#` may be quoted; in plain text a quote is an ordinary character.
            b'"' | b'\'' if flow => at = quoted_end(bytes, at).unwrap_or(bytes.len()),
            _ => at += 1,
        }
    }
    (trim_end(bytes, start, bytes.len()), None)
}

fn is_colon(bytes: &[u8], at: usize) -> bool {
    bytes.get(at) == Some(&b':') && bytes.get(at + 1).is_none_or(|next| is_blank(*next))
}

/// A comment needs white space or the line start before it.
fn is_comment(bytes: &[u8], at: usize) -> bool {
    bytes.get(at) == Some(&b'#') && (at == 0 || is_blank(bytes[at - 1]))
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

fn blanks(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    start + rest.iter().take_while(|byte| is_blank(**byte)).count()
}

fn word_end(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    start + rest.iter().take_while(|byte| !is_blank(**byte)).count()
}

fn trim_end(bytes: &[u8], start: usize, end: usize) -> usize {
    let mut end = end;
    while end > start && is_blank(bytes[end - 1]) {
        end -= 1;
    }
    end
}
