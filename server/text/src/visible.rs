//! Makes text from an untrusted source safe to show.
//!
//! A file name, a value or a message from user code can hold characters that are invisible but have an effect: escape
//! sequences of terminals, marks that change the direction of writing, joiners without width. Text shown to a person
//! has these characters replaced by an escape such as `\u{1b}`. Text handed to programs is left as it is.

use std::borrow::Cow;

/// How line breaks and tabs are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breaks {
    /// They are kept: the text may have several lines. `\r\n` becomes `\n`.
    Kept,
    /// They are escaped as `\n`, `\r` and `\t`: the text is a name or a value on one line.
    Shown,
    /// They become a space: the text is a sentence or a title on one line.
    Spaces,
}

/// Whether a character is invisible or changes how its neighbours look: control characters, Unicode's default-ignorable
/// characters, marks of direction, and line and paragraph separators.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// The text with every hidden character escaped. Joiners between letters that need them (emoji, Persian, the scripts of
/// India) and the variation selector that turns a character into an emoji are kept.
pub fn visible(text: &str, breaks: Breaks) -> Cow<'_, str> {
    if text.chars().any(is_hidden) { Cow::Owned(visible_at(text, breaks, &mut [])) } else { Cow::Borrowed(text) }
}

/// Like [`visible`], and also maps `offsets` (bytes of `text`, ascending) to the offsets of the same places in the
/// result.
pub fn visible_at(text: &str, breaks: Breaks, offsets: &mut [usize]) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut offsets = offsets.iter_mut().peekable();
    let mut before: Option<char> = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        while let Some(offset) = offsets.next_if(|offset| **offset <= at) {
            *offset = out.len();
        }
        let next = chars.peek().map(|(_, next)| *next);
        match (c, breaks) {
            ('\r', Breaks::Kept) if next == Some('\n') => {}
            ('\n' | '\t', Breaks::Kept) => out.push(c),
            ('\n' | '\r' | '\t', Breaks::Spaces) => out.push(' '),
            ('\n', _) => out.push_str("\\n"),
            ('\r', _) => out.push_str("\\r"),
            ('\t', _) => out.push_str("\\t"),
            _ if is_hidden(c) && !is_needed(before, c, next) => out.extend(c.escape_unicode()),
            _ => out.push(c),
        }
        before = Some(c);
    }
    for offset in offsets {
        *offset = out.len();
    }
    out
}

/// Whether a hidden character is legitimate between these neighbours, as a joiner in an emoji is.
fn is_needed(before: Option<char>, c: char, next: Option<char>) -> bool {
    let joins = |c: char| !c.is_ascii() && (!is_hidden(c) || c == '\u{fe0f}');
    match c {
        '\u{200c}' | '\u{200d}' => before.is_some_and(joins) && next.is_some_and(joins),
        '\u{fe0e}' | '\u{fe0f}' => before.is_some_and(|before| !is_hidden(before)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Breaks, is_hidden, visible, visible_at};
    use proptest::prelude::*;

    #[test]
    fn what_is_hidden_is_what_unicode_says() {
        let hidden = regex::Regex::new(
            r"\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}|\p{Cc}|\p{Zl}|\p{Zp}|[\x{fff9}-\x{fffb}]",
        )
        .expect("a regular expression");
        let mut buffer = [0; 4];
        let wrong: Vec<char> =
            (char::MIN..=char::MAX).filter(|c| is_hidden(*c) != hidden.is_match(c.encode_utf8(&mut buffer))).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    #[test]
    fn hidden_characters_are_shown() {
        for (text, breaks, expected) in [
            ("plain \\ text", Breaks::Kept, "plain \\ text"),
            ("a\x1b[31mb\u{9b}c\x07", Breaks::Kept, "a\\u{1b}[31mb\\u{9b}c\\u{7}"),
            ("a\r\nb\tc\rd", Breaks::Kept, "a\nb\tc\\rd"),
            ("a\r\nb\tc", Breaks::Shown, "a\\r\\nb\\tc"),
            ("a\nb\tc", Breaks::Spaces, "a b c"),
            ("a\u{202e}b\u{2066}c\u{2028}d", Breaks::Kept, "a\\u{202e}b\\u{2066}c\\u{2028}d"),
            ("a\u{200b}b\u{feff}c\u{e0041}", Breaks::Kept, "a\\u{200b}b\\u{feff}c\\u{e0041}"),
            ("pass\u{200d}word", Breaks::Kept, "pass\\u{200d}word"),
            ("👩‍👧 می‌خواهم ❤️", Breaks::Kept, "👩‍👧 می‌خواهم ❤️"),
            ("a\u{fe0f}\u{fe0f}", Breaks::Kept, "a\u{fe0f}\\u{fe0f}"),
        ] {
            assert_eq!(visible(text, breaks), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_hidden_is_left_and_offsets_follow(text in "(.|\\s|\u{1b}|\u{202e}|\u{200d}|\r\n){0,40}", cut: prop::sample::Index) {
            let offset = text.char_indices().map(|(at, _)| at).chain([text.len()]).nth(cut.index(text.chars().count() + 1));
            let mut offsets = [offset.unwrap_or_default()];
            for breaks in [Breaks::Kept, Breaks::Shown, Breaks::Spaces] {
                let shown = visible_at(&text, breaks, &mut offsets.clone());
                let allowed = |c: char| matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}')
                    || (breaks == Breaks::Kept && matches!(c, '\n' | '\t'));
                prop_assert!(shown.chars().all(|c| !is_hidden(c) || allowed(c)), "{shown:?}");
                prop_assert_eq!(&visible(&text, breaks), &shown);
            }
            // For characters that are judged without their neighbours, escaping a prefix gives the offset in the result
            // directly.
            let plain: String = text.chars().filter(|c| !matches!(c, '\u{200c}' | '\u{200d}' | '\r' | '\u{fe0e}' | '\u{fe0f}')).collect();
            let offset = plain.char_indices().map(|(at, _)| at).chain([plain.len()]).nth(cut.index(plain.chars().count() + 1));
            offsets = [offset.unwrap_or_default()];
            let before = visible(&plain[..offsets[0]], Breaks::Kept).into_owned();
            let shown = visible_at(&plain, Breaks::Kept, &mut offsets);
            prop_assert_eq!(&shown[..offsets[0]], before);
        }
    }
}
