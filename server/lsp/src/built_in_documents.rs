//! Built-in schemas as read-only documents, for editors that show documents which only the server has.

use std::ops::Range;

use gen_lsp_types as lsp;
use lofting_text::Text;
use lofting_workspace::Snapshot;

/// The scheme of their URIs: `lofting-schema:/kubernetes/1.37/apps/v1/Deployment.json`.
pub(crate) const SCHEME: &str = "lofting-schema";

/// The URI of a built-in text by its name.
pub(crate) fn uri(name: &str) -> lsp::Uri {
    lsp::Uri::from(format!("{SCHEME}:/{}", lofting_workspace::uri_encoded(name).replace("%2F", "/")))
}

/// The name in a URI of this scheme. Some clients add an empty host.
pub(crate) fn name(uri: &lsp::Uri) -> Option<String> {
    let rest = uri.as_ref().strip_prefix(SCHEME)?.strip_prefix(':')?;
    Some(lofting_workspace::uri_decoded(rest.trim_start_matches('/')))
}

/// The text of a document, as it is shown.
pub(crate) fn text(snapshot: &Snapshot, uri: &lsp::Uri) -> Option<String> {
    Some(laid_out(&snapshot.built_in_text(&name(uri)?)?, 0..0).0)
}

/// A built-in text as it is shown, with the range of what is at `range` in it.
pub(crate) fn shown(text: &Text, range: Range<usize>) -> (Text, Range<usize>) {
    let (shown, range) = laid_out(&text.to_string(), range);
    (Text::new(&shown), range)
}

/// JSON on many lines; where a byte range of the text is then. Text that is not JSON is laid out as far as possible.
fn laid_out(text: &str, range: Range<usize>) -> (String, Range<usize>) {
    let mut shown = String::with_capacity(text.len() * 2);
    let (mut start, mut end) = (None, None);
    let mut depth = 0_usize;
    let mut quoted = Quoted::No;
    let mut is_empty = false;
    for (at, character) in text.char_indices() {
        if quoted == Quoted::No && character.is_ascii_whitespace() {
            continue;
        }
        let closes = quoted == Quoted::No && matches!(character, '}' | ']');
        depth = depth.saturating_sub(usize::from(closes));
        if closes != is_empty {
            line(&mut shown, depth);
        }
        is_empty = false;
        if at >= range.start {
            start.get_or_insert(shown.len());
        }
        if at >= range.end {
            end.get_or_insert(shown.len());
        }
        shown.push(character);
        quoted = quoted.after(character);
        match character {
            '{' | '[' if quoted == Quoted::No => {
                depth += 1;
                is_empty = true;
            }
            ',' if quoted == Quoted::No => line(&mut shown, depth),
            ':' if quoted == Quoted::No => shown.push(' '),
            _ => {}
        }
    }
    shown.push('\n');
    let last = shown.len() - 1;
    let start = start.unwrap_or(last);
    // White space after the range is not part of it.
    let end = end.map_or(last, |end| shown.get(..end).map_or(end, |before| before.trim_end().len()));
    (shown, start..end.max(start))
}

fn line(shown: &mut String, depth: usize) {
    shown.push('\n');
    shown.extend(std::iter::repeat_n("  ", depth.min(100)));
}

/// Whether a character is inside a string.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoted {
    No,
    Yes,
    /// After a backslash.
    Escaped,
}

impl Quoted {
    fn after(self, character: char) -> Quoted {
        match (self, character) {
            (Quoted::No, '"') | (Quoted::Escaped, _) => Quoted::Yes,
            (Quoted::Yes, '"') | (Quoted::No, _) => Quoted::No,
            (Quoted::Yes, '\\') => Quoted::Escaped,
            (Quoted::Yes, _) => Quoted::Yes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_laid_out_and_places_are_kept() {
        let text = r#"{"a":{"b,{":[1,2],"c":{}},
"d":"x\"y"}"#;
        let (shown, _) = laid_out(text, 0..0);
        let want =
            "{\n  \"a\": {\n    \"b,{\": [\n      1,\n      2\n    ],\n    \"c\": {}\n  },\n  \"d\": \"x\\\"y\"\n}\n";
        assert_eq!(shown, want);
        for part in ["\"a\"", "\"b,{\"", "2", "{}", "\"d\"", "\"x\\\"y\""] {
            let at = text.find(part).expect("it is there");
            let (shown, range) = laid_out(text, at..at + part.len());
            assert_eq!(&shown[range], part);
        }
        for broken in ["", "}", "{\"", "]]{", "\"\\"] {
            let (shown, range) = laid_out(broken, 0..broken.len());
            assert!(shown.get(range).is_some(), "{broken}");
        }
    }

    #[test]
    fn names_are_in_uris() {
        let name_of = |text: &str| name(&lsp::Uri::from(text.to_owned()));
        let place = "kubernetes/1.37/apps/v1/Deployment.json";
        assert_eq!(name(&uri(place)).as_deref(), Some(place));
        assert_eq!(name_of("lofting-schema:///a/b.json").as_deref(), Some("a/b.json"));
        assert_eq!(name_of("file:///a/b.json"), None);
    }
}
