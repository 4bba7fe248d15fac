//! The next token that is neither white space nor comment, in either direction. Long runs of blank lines and comments
//! are skipped in the text: one look into the tree per line would be slow.

use lofting_syntax::{Kind, Token, Tree};
use lofting_text::Text;

/// How many bytes of text are looked at together; few in tests, so that short texts have several windows.
const WINDOW: usize = if cfg!(test) { 64 } else { 16 * 1024 };

/// The last token before `offset` that is neither white space nor comment.
pub(crate) fn significant_before<'t>(tree: &'t Tree, text: &Text, offset: usize) -> Option<Token<'t>> {
    let mut end = offset.min(tree.len());
    while end > 0 {
        let token = tree.token_at(end - 1)?;
        if token.kind() == Kind::BlockHeader {
            return Some(body_of(tree, token, offset).unwrap_or(token));
        }
        if !token.kind().is_trivia() {
            return Some(token);
        }
        let start = token.range().start.min(end - 1);
        end = if token.kind() == Kind::Newline { end_of_content_before(text, start) } else { start };
    }
    None
}

/// The first token from `offset` on that is neither white space nor comment.
pub(crate) fn significant_after<'t>(tree: &'t Tree, text: &Text, offset: usize) -> Option<Token<'t>> {
    let mut start = offset;
    while start < tree.len() {
        let token = tree.token_at(start)?;
        if !token.kind().is_trivia() {
            return Some(token);
        }
        start = token.range().end.max(start + 1);
        // The lines of a block scalar may follow directly, and may begin with `#`.
        let next = tree.token_at(start).filter(|next| next.range().start >= start && start < tree.len());
        if token.kind() == Kind::Newline && next.is_some_and(|next| next.kind().is_trivia()) {
            start = start_of_content_after(text, start);
        }
    }
    None
}

/// Lines of a block scalar may begin with `#`, and were skipped like comments.
fn body_of<'t>(tree: &'t Tree, header: Token<'t>, offset: usize) -> Option<Token<'t>> {
    let mut at = header.range().end;
    while at < offset {
        let token = tree.token_at(at)?;
        match token.kind() {
            Kind::BlockBody => return Some(token),
            Kind::Whitespace | Kind::Comment | Kind::Newline => at = token.range().end.max(at + 1),
            _ => return None,
        }
        if token.kind() == Kind::Newline {
            return tree.token_at(at).filter(|token| token.kind() == Kind::BlockBody && token.range().start < offset);
        }
    }
    None
}

fn is_content(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !line.starts_with('#')
}

/// Where the last line ends that ends at or before `end` and contains more than a comment; 0 if there is none.
fn end_of_content_before(text: &Text, end: usize) -> usize {
    let mut end = end;
    while end > 0 {
        let from = text.round_down(end.saturating_sub(WINDOW));
        let window = text.slice(from..end);
        let mut rest: &str = &window;
        loop {
            let Some(at) = rest.rfind(['\n', '\r']) else {
                // The first line of the window may begin before it.
                if from > 0 && rest.len() < window.len() {
                    break;
                }
                return if from > 0 || is_content(rest) { from + rest.len() } else { 0 };
            };
            if is_content(rest.get(at + 1..).unwrap_or_default()) {
                return from + rest.len();
            }
            rest = rest.get(..at).unwrap_or_default();
        }
        end = from + rest.len();
    }
    0
}

/// Where the first line begins, at or after `start` (the start of a line), that contains more than a comment.
fn start_of_content_after(text: &Text, start: usize) -> usize {
    let mut start = start;
    while start < text.len() {
        let window = text.slice(start..start.saturating_add(WINDOW));
        let last = start + window.len() >= text.len();
        let mut passed = 0;
        for line in window.split_inclusive(['\n', '\r']) {
            let whole = line.ends_with(['\n', '\r']);
            if is_content(line) || (!whole && !last) {
                break;
            }
            passed += line.len();
        }
        start += passed;
        if passed == 0 || passed < window.len() {
            return start;
        }
    }
    start
}

#[cfg(test)]
mod tests {
    use super::{significant_after, significant_before};
    use lofting_text::Text;

    /// Compares with a walk over all tokens, at every offset.
    fn check(content: &str) {
        let tree = lofting_syntax::parse(content);
        let text = Text::new(content);
        let mut tokens = Vec::new();
        let mut at = 0;
        while at < content.len() {
            let token = tree.token_at(at).expect("every byte is in a token");
            if !token.kind().is_trivia() {
                tokens.push(token.range());
            }
            at = token.range().end;
        }
        // Every offset of a short text, some of a long one.
        let step = 1 + content.len() / 100;
        for offset in (0..=content.len()).rev().step_by(step).filter(|offset| content.is_char_boundary(*offset)) {
            let before = significant_before(&tree, &text, offset).map(|token| token.range());
            let wanted = tokens.iter().rfind(|range| range.start < offset).cloned();
            assert_eq!(before, wanted, "before {offset} of {content:?}");
            let after = significant_after(&tree, &text, offset).map(|token| token.range());
            let wanted = tokens.iter().find(|range| range.end > offset).cloned();
            assert_eq!(after, wanted, "after {offset} of {content:?}");
        }
    }

    #[test]
    fn as_a_walk_over_all_tokens() {
        check("");
        check("a: 1\n\n# c\n  # d\nb: # e\n  - x # f\n\n");
        check("a: |\n  # text\n  # text\n# comment\n\nb: 1\r\n\r\n# c\r\n---\r\n# d");
        check("a: | # c\n  # text\n\n  b\n\n\nc: \"x\n  # y\n  z\"\n# end\n");
        check("# only\n\n   # comments\n");
        check("\u{feff}# c\nä: ö # ü\n\n");
        check(&format!("a: 1\n{}b: 2\n{}", "# some comment\n".repeat(50), "\n".repeat(400)));
    }
}
