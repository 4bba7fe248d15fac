//! What is wrong in statements, as far as each one alone tells. What is compared with other lines, such as names and the ends
//! of blocks, is not.

use super::tokens::Line;
use super::{PieceKind, StatementMistake};
use crate::lexer::{Token, TokenKind};
use crate::reader::statement_error;

/// The first mistake in a logical line of statements, or of what a text template writes. `has_annotations`: so has the file.
pub(super) fn mistake(line: &Line<'_>, has_annotations: bool) -> Option<StatementMistake> {
    if line.kind == PieceKind::Arguments || line.has_split_string {
        return None;
    }
    // A statement goes on below the annotations of a node, which the reader takes for its end.
    if has_annotations && !is_balanced(line) {
        return None;
    }
    // The tokens in a text without what separates pieces, and for each where it begins there and in the file.
    let mut text = String::new();
    let (mut tokens, mut places): (Vec<Token>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
    let mut end = None;
    for token in line.tokens.iter().filter(|token| token.kind != TokenKind::Newline) {
        if end.is_some_and(|end| end != token.range.start) {
            text.push(' ');
        }
        let start = text.len();
        text.push_str(token.text);
        tokens.push(Token { kind: token.kind, range: start..text.len() });
        places.push((start, token.range.start));
        end = Some(token.range.end);
    }
    let error = statement_error(&text, tokens)?;
    let in_file = |offset: usize| {
        let at = places.partition_point(|(start, _)| *start <= offset).checked_sub(1)?;
        places.get(at).map(|(start, in_file)| in_file + offset - start)
    };
    let start = in_file(error.range.start)?;
    let last = in_file(error.range.end.saturating_sub(1).max(error.range.start))?;
    let range = start..if error.range.is_empty() { start } else { last + 1 };
    Some(StatementMistake { statement: line.range.clone(), range, message: error.message })
}

/// Whether a line has as many closing brackets as opening ones.
fn is_balanced(line: &Line<'_>) -> bool {
    let count = |brackets: [&str; 3]| {
        let is_one = |kind: TokenKind| matches!(kind, TokenKind::Punct(found) if brackets.contains(&found));
        line.tokens.iter().filter(|token| is_one(token.kind)).count()
    };
    count(["(", "[", "{"]) == count([")", "]", "}"])
}
