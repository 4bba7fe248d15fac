//! The innermost parts of expressions: literals, names, and bracketed forms.

use std::ops::Range;

use super::LiteralReader;
use crate::expr::{Expr, ExprKind, NameUse};
use crate::lexer::{TokenKind, is_keyword, is_reserved};
use crate::literal::{Number, invalid_escape, read_number, read_string};

impl LiteralReader<'_> {
    pub(super) fn atom(&mut self) -> Option<Expr> {
        let token = self.peek()?.clone();
        let range = token.range.clone();
        let kind = match token.kind {
            TokenKind::Int | TokenKind::Float => self.number(&range),
            TokenKind::String { closed } => self.string(&range, closed),
            TokenKind::Name => {
                let word = self.word(&token);
                match word {
                    "None" => ExprKind::None,
                    "True" => ExprKind::Bool(true),
                    "False" => ExprKind::Bool(false),
                    _ if is_keyword(word) && word != "load" => return None,
                    _ => {
                        if is_reserved(word) {
                            self.error(range.clone(), format!("`{word}` is a reserved word and cannot be used"));
                        }
                        self.names.push(NameUse { name: word.to_owned(), range: range.clone() });
                        ExprKind::Code
                    }
                }
            }
            TokenKind::Punct("(") => return Some(self.parenthesised()),
            TokenKind::Punct("[") => return Some(self.list()),
            TokenKind::Punct("{") => return Some(self.dict()),
            _ => return None,
        };
        self.at += 1;
        Some(Expr { range, kind })
    }

    pub(super) fn number(&mut self, range: &Range<usize>) -> ExprKind {
        match read_number(self.slice(range)) {
            Number::Int(value) => ExprKind::Int(value),
            Number::Float(value) => ExprKind::Float(value),
            Number::TooLarge => ExprKind::Code,
            Number::Invalid => {
                self.error(range.clone(), format!("`{}` is not a number", self.slice(range)));
                ExprKind::Code
            }
        }
    }

    pub(super) fn string(&mut self, range: &Range<usize>, closed: bool) -> ExprKind {
        let literal = read_string(self.slice(range));
        if let Some(escape) = &literal.bad_escape {
            let at = range.start + escape.start..range.start + escape.end;
            let shown = self.slice(&at).to_owned();
            self.error(at, invalid_escape(&shown));
        }
        if literal.bytes {
            self.error(range.clone(), "ytt has no byte strings; remove the `b`");
        }
        if !closed {
            self.error(range.clone(), "this string is never closed");
        }
        ExprKind::String(literal.value)
    }

    pub(super) fn parenthesised(&mut self) -> Expr {
        let open = self.bump();
        let mut items = Vec::new();
        let mut commas = 0;
        self.items(
            ")",
            |reader| {
                let item = reader.test();
                item.map(|item| items.push(item)).is_some()
            },
            &mut commas,
        );
        self.close(open.clone(), ")");
        let range = open.start..self.last_end();
        match (items.len(), commas, items.pop()) {
            (1, 0, Some(only)) => Expr { range, kind: only.kind },
            (_, _, last) => {
                items.extend(last);
                Expr { range, kind: ExprKind::Tuple(items) }
            }
        }
    }

    /// `a, b` without parentheses, after its first item.
    pub(super) fn tuple_tail(&mut self, first: Expr) -> Expr {
        let start = first.range.start;
        let mut items = vec![first];
        while self.eat(",") {
            match self.test() {
                Some(item) => items.push(item),
                None => break,
            }
        }
        Expr { range: start..self.last_end(), kind: ExprKind::Tuple(items) }
    }

    pub(super) fn list(&mut self) -> Expr {
        let open = self.bump();
        let first_name = self.names.len();
        let mut items = Vec::new();
        let mut commas = 0;
        self.items(
            "]",
            |reader| {
                let item = reader.test();
                item.map(|item| items.push(item)).is_some()
            },
            &mut commas,
        );
        let comprehension = self.comprehension(first_name);
        self.close(open.clone(), "]");
        let kind = if comprehension { ExprKind::Code } else { ExprKind::List(items) };
        Expr { range: open.start..self.last_end(), kind }
    }

    pub(super) fn dict(&mut self) -> Expr {
        let open = self.bump();
        let first_name = self.names.len();
        let mut entries = Vec::new();
        let mut commas = 0;
        self.items(
            "}",
            |reader| {
                let Some(key) = reader.test() else {
                    return false;
                };
                let value = if reader.eat(":") {
                    reader.value_or_missing("the value of this key is missing")
                } else {
                    let at = key.range.clone();
                    reader.error(at, "a dict entry needs `: value` after its key");
                    reader.missing()
                };
                entries.push((key, value));
                true
            },
            &mut commas,
        );
        let comprehension = self.comprehension(first_name);
        self.close(open.clone(), "}");
        let kind = if comprehension { ExprKind::Code } else { ExprKind::Dict(entries) };
        Expr { range: open.start..self.last_end(), kind }
    }

    /// Items between commas up to `closer`, another closer, `for`, or the end.
    pub(super) fn items(&mut self, closer: &str, mut item: impl FnMut(&mut Self) -> bool, commas: &mut usize) {
        let mut complained = false;
        while let Some(token) = self.peek().cloned() {
            match token.kind {
                TokenKind::Punct(")" | "]" | "}") => return,
                TokenKind::Punct(",") => {
                    if !complained {
                        self.error(token.range.clone(), "there is nothing before this comma");
                    }
                    self.at += 1;
                    continue;
                }
                _ => {}
            }
            let before = self.at;
            if !item(self) && self.at == before {
                if !complained {
                    self.error(token.range.clone(), format!("unexpected {}", self.show(&token)));
                }
                complained = true;
                self.at += 1;
                continue;
            }
            complained = false;
            if self.eat(",") {
                *commas += 1;
                continue;
            }
            let Some(next) = self.peek().cloned() else {
                return;
            };
            match next.kind {
                TokenKind::Punct(")" | "]" | "}") => return,
                TokenKind::Name if self.word(&next) == "for" && closer != ")" => return,
                // `name=` after a missing bracket belongs to the outer arguments.
                TokenKind::Name if self.followed_by_equals() => return,
                _ => {
                    complained = true;
                    let message = format!("got {}, want a comma or `{closer}`", self.show(&next));
                    self.error(next.range, message);
                }
            }
        }
    }

    /// `for x in y if z ...` after the element; false if there is none.
    pub(super) fn comprehension(&mut self, first_name: usize) -> bool {
        if !self.at_word("for") {
            return false;
        }
        let mut bound = Vec::new();
        let mut outer = Vec::new();
        loop {
            if self.eat_word("for") {
                let variables = self.names.len();
                self.loop_variables();
                bound.extend(self.names.drain(variables..).map(|used| used.name));
                if !self.eat_word("in") {
                    self.error_here("`in` is missing after the loop variable");
                }
                let names = self.names.len();
                if self.binary().is_none() {
                    self.error_here("what to loop over is missing");
                }
                if bound.len() == 1 || outer.is_empty() {
                    // The first iterable is evaluated outside the loop's scope.
                    outer.extend(self.names.drain(names..));
                }
            } else if self.eat_word("if") {
                if self.binary().is_none() {
                    self.error_here("a condition is missing after `if`");
                }
            } else {
                break;
            }
        }
        let bound: Vec<&str> = bound.iter().map(String::as_str).collect();
        self.unbind(first_name, &bound);
        self.names.extend(outer);
        self.names.sort_by_key(|used| used.range.start);
        true
    }

    pub(super) fn loop_variables(&mut self) {
        while let Some(token) = self.peek().cloned() {
            match token.kind {
                TokenKind::Punct("(" | ")" | "," | "[" | "]") => self.at += 1,
                TokenKind::Name if !is_keyword(self.word(&token)) => {
                    let name = self.word(&token).to_owned();
                    self.names.push(NameUse { name, range: token.range });
                    self.at += 1;
                }
                _ => return,
            }
        }
    }

    /// Consumes `closer`, or reports an error.
    pub(super) fn close(&mut self, open: Range<usize>, closer: &str) {
        if self.eat(closer) {
            return;
        }
        let opener = self.slice(&open);
        match self.peek().cloned() {
            Some(token) if matches!(token.kind, TokenKind::Punct(")" | "]" | "}")) => {
                let message = format!("got {}, want `{closer}` to close `{opener}`", self.show(&token));
                self.error(token.range, message);
                // Treat it as a mistyped closer, so that one slip gives one error.
                self.at += 1;
            }
            _ => self.error(open.clone(), format!("`{opener}` is never closed; add `{closer}`")),
        }
    }
}
