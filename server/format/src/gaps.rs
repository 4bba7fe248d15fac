//! White space between two tokens of one line.

use lofting_syntax::Kind;

/// How many spaces there should be between two tokens; `None` to keep what is written. `blank_after`: white space or
/// nothing follows the second token, or will.
///
/// Space before a comment stays, because people align comments. What could become part of a name keeps its distance:
/// `*a :` would be another alias without it.
pub(crate) fn between(first: Kind, second: Kind, written: usize, blank_after: bool) -> Option<usize> {
    use Kind::{Anchor, Colon, Comma, Comment, Dash, DocStart, Question, Tag};
    let opens = matches!(first, Kind::OpenBrace | Kind::OpenBracket);
    let closes = matches!(second, Kind::CloseBrace | Kind::CloseBracket);
    let is_closed =
        matches!(first, Kind::Plain | Kind::SingleQuoted | Kind::DoubleQuoted | Kind::CloseBrace | Kind::CloseBracket);
    match (first, second) {
        (_, Comment) => None,
        (_, Colon) => (is_closed && blank_after).then_some(0),
        (_, Comma) => is_closed.then_some(0),
        (Colon | Anchor | Tag, _) if closes => None,
        _ if opens || closes => Some(written.min(1)),
        (Colon | Comma | Dash | Question | DocStart | Anchor | Tag, _) => Some(1),
        _ => None,
    }
}
