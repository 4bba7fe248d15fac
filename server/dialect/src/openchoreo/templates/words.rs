//! The words of expressions, for colours.

use super::items::leads_to_literal;
use super::{OPENING, is_template, segments};
use crate::claim::WrittenSteps;
use crate::inside::{TextReader, TextWord, TextWordKind, TextsAt};
use crate::openchoreo::SEMANTICS;
use crate::openchoreo::claims::{GROUP, TYPES};
use crate::resources::{API_VERSION, KIND};
use lofting_cel::token::{Token, TokenKind, tokens};
use lofting_schema::Step;

/// How templates are read; None where there are none.
pub(in crate::openchoreo) fn reader(at: &TextsAt<'_>) -> Option<TextReader> {
    let (Some(Step::Key(first)), Some(Step::Key(second))) = (at.path.first(), at.path.get(1)) else { return None };
    if first.as_str() != Some("spec") || !is_template(second) || leads_to_literal(at.path) {
        return None;
    }
    let root = WrittenSteps::root(at.root, SEMANTICS.profile);
    let kind = root.key(KIND)?.value().scalar()?;
    let is_own = root.key(API_VERSION)?.value().scalar()?.value().starts_with(GROUP);
    (is_own && TYPES.contains(&kind.value().as_ref())).then_some(words as TextReader)
}

/// The words of the expressions in a text.
fn words(text: &str) -> Vec<TextWord> {
    let mut words = Vec::new();
    for segment in segments(text) {
        let (start, end) = (segment.inner.start, segment.inner.end);
        words.push((start - OPENING.len()..start, TextWordKind::Mark));
        let inner = text.get(segment.inner).unwrap_or_default();
        let tokens = tokens(inner);
        let mut before = None;
        for (index, token) in tokens.iter().enumerate() {
            let written = |token: &Token| inner.get(token.range.clone()).unwrap_or_default();
            let after = tokens.get(index + 1).map(written);
            let kind = kind(token.kind, written(token), before, after);
            words.extend(kind.map(|kind| (start + token.range.start..start + token.range.end, kind)));
            before = Some(written(token));
        }
        if segment.closed {
            words.push((end..end + 1, TextWordKind::Mark));
        }
    }
    words
}

/// What a token is according to itself and its neighbours; None for brackets and what separates.
fn kind(kind: TokenKind, written: &str, before: Option<&str>, after: Option<&str>) -> Option<TextWordKind> {
    Some(match kind {
        TokenKind::Word if after == Some("(") => TextWordKind::Function,
        TokenKind::Word if matches!(before, Some("." | ".?")) => TextWordKind::Field,
        TokenKind::Word if matches!(written, "true" | "false" | "null" | "in") => TextWordKind::Keyword,
        TokenKind::Word => TextWordKind::Variable,
        TokenKind::Integer | TokenKind::Float => TextWordKind::Number,
        TokenKind::Text | TokenKind::Bytes | TokenKind::OpenText => TextWordKind::String,
        TokenKind::Sign if matches!(written, "." | "," | "(" | ")" | "[" | "]" | "{" | "}" | ".?" | "[?" | "{?") => {
            return None;
        }
        TokenKind::Sign => TextWordKind::Operator,
        TokenKind::Stray => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::words;
    use crate::inside::check_words;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        check_words(words, text, expected);
    }

    #[test]
    fn expressions() {
        check(
            "a-${oc_name(metadata.name, 'x')}-${p.?n > 1 && true ? \"a\" : -2}",
            "Mark ${, Function oc_name, Variable metadata, Field name, String 'x', Mark }, Mark ${, Variable p, Field n, \
             Operator >, Number 1, Operator &&, Keyword true, Operator ?, String \"a\", Operator :, Operator -, Number 2, Mark }",
        );
        check("no expression", "");
    }

    #[test]
    fn half_typed() {
        check("${", "Mark ${");
        check("${a.", "Mark ${, Variable a");
        check("${\"a}", "Mark ${, String \"a}");
        check("${ö}", "Mark ${, Mark }");
    }
}
