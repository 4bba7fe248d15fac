//! Examines the tokens of one line of code: the block it opens, and what ytt refuses in it.

use lofting_eval::{EvalError, EvalErrorKind, Token, TokenKind, invalid_escape, is_reserved, lex, read_string};

use crate::mapped::Mapped;
use crate::nesting;
use crate::rewrite::{RewriteError, syntax};

/// What the tokens of a line of code tell.
pub(crate) struct Line {
    /// The tokens without comments and line ends.
    pub(crate) tokens: Vec<Token>,
    /// It ends in a colon: a block begins.
    pub(crate) opens: bool,
    /// The keyword it begins with, if that matters for blocks.
    pub(crate) keyword: Option<&'static str>,
}

/// Looks at the tokens of a line.
pub(crate) fn examine(code: &Mapped) -> Result<Line, RewriteError> {
    let text = &code.text;
    let mut tokens = lex(text, 0);
    let significant = |token: &Token| !matches!(token.kind, TokenKind::Comment | TokenKind::Newline);
    refuse(code, &tokens)?;
    nesting::check(text, &tokens).map_err(|(range, message)| RewriteError {
        error: EvalError::new(EvalErrorKind::Limit, message),
        origin: code.origin(range),
    })?;
    tokens.retain(significant);
    let word = |index: usize| tokens.get(index).and_then(|token| text.get(token.range.clone())).unwrap_or("");
    let keyword = ["end", "elif", "else", "if", "for", "def", "while", "return"].into_iter().find(|k| *k == word(0));
    let opens = matches!(tokens.last().map(|token| token.kind), Some(TokenKind::Punct(":")));
    if matches!(keyword, Some("if" | "elif" | "else" | "for" | "def" | "while")) && !has_colon(&tokens) {
        let mut error = syntax(code, 0..text.len(), "got newline, want ':'");
        error.error.hint = Some("missing colon at the end of 'if/for/def' statement?".to_owned());
        return Err(error);
    }
    Ok(Line { tokens, opens, keyword })
}

/// Whether there is a colon outside all brackets.
fn has_colon(tokens: &[Token]) -> bool {
    let mut depth = 0usize;
    tokens.iter().any(|token| {
        match token.kind {
            TokenKind::Punct("(" | "[" | "{") => depth += 1,
            TokenKind::Punct(")" | "]" | "}") => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && token.kind == TokenKind::Punct(":")
    })
}

/// Refuses code that ytt refuses and the interpreter would accept, or would explain badly.
fn refuse(code: &Mapped, tokens: &[Token]) -> Result<(), RewriteError> {
    for (index, token) in tokens.iter().enumerate() {
        let text = code.text.get(token.range.clone()).unwrap_or("");
        let next = tokens.get(index + 1).and_then(|next| code.text.get(next.range.clone())).unwrap_or("");
        match token.kind {
            TokenKind::Name if !text.is_ascii() && !text.chars().all(|c| c == '_' || c.is_alphanumeric()) => {
                return Err(syntax(code, token.range.clone(), format!("unexpected input character '{text}'")));
            }
            // It closes a block wherever it is written, also as an attribute or a parameter.
            TokenKind::Name if text == "end" && index > 0 => {
                let mut error =
                    syntax(code, token.range.clone(), "unexpected end: `end` closes a block and cannot be a name");
                error.error.hint = Some("read it with `[\"end\"]` or `getattr(..., \"end\")`".to_owned());
                return Err(error);
            }
            TokenKind::Name if text == "while" || text == "end" || !is_reserved(text) => {}
            TokenKind::Name if lofting_eval::is_keyword(text) && text != "pass" => {}
            TokenKind::Name => {
                let message = format!("use of reserved keyword '{text}' is not allowed");
                return Err(syntax(code, token.range.clone(), message));
            }
            TokenKind::String { closed: false } => {
                return Err(syntax(code, token.range.clone(), "unexpected end of string: it is never closed"));
            }
            TokenKind::String { .. } if text.starts_with(['b', 'B']) || text.starts_with("rb") => {
                return Err(syntax(
                    code,
                    token.range.clone(),
                    "got string literal, want newline (ytt has no byte strings)",
                ));
            }
            TokenKind::String { .. } => {
                if let Some(escape) = read_string(text).bad_escape {
                    let at = token.range.start + escape.start..token.range.start + escape.end;
                    let message = invalid_escape(text.get(escape).unwrap_or(""));
                    return Err(syntax(code, at, message));
                }
            }
            TokenKind::Punct("&") if next == "&" => {
                let mut error = syntax(code, token.range.clone(), "got '&', want primary expression");
                error.error.hint = Some("use 'and' instead of '&&' for logical-and".to_owned());
                return Err(error);
            }
            TokenKind::Punct("|") if next == "|" => {
                let mut error = syntax(code, token.range.clone(), "got '|', want primary expression");
                error.error.hint = Some("use 'or' instead of '||' for logical-or".to_owned());
                return Err(error);
            }
            TokenKind::Unknown | TokenKind::Punct("$" | "?" | "`" | "!" | "@" | "->") => {
                let message = format!("unexpected input character '{text}'");
                return Err(syntax(code, token.range.clone(), message));
            }
            _ => {}
        }
    }
    Ok(())
}
