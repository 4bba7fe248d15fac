//! Expressions. Operator precedence is ignored: only the operands matter here.

use super::reader::LineReader;
use super::tokens::Tok;
use super::{CallArgument, Operator, ScopeId, TermId, TermKind};
use crate::lexer::{TokenKind, is_keyword};
use crate::literal::read_string;
use crate::reader::MAX_DEPTH;
use std::ops::Range;

impl<'a> LineReader<'_, 'a> {
    /// `a, b`, or one expression.
    pub fn expression_list(&mut self) -> TermId {
        let first = self.test();
        if !self.at_punct(",") {
            return first;
        }
        let start = self.range_of(first).start;
        let mut items = vec![first];
        while self.eat(",") {
            if self.begins_nothing() {
                break;
            }
            items.push(self.test());
        }
        let end = self.last_end();
        self.push(start..end.max(start), TermKind::Sequence { items, type_name: "tuple" })
    }

    fn begins_nothing(&self) -> bool {
        self.peek().is_none_or(|token| match token.kind {
            TokenKind::Newline => true,
            TokenKind::Punct(text) => matches!(text, "=" | ")" | "]" | "}" | ";" | ":"),
            _ => false,
        })
    }

    /// An expression without a bare comma.
    pub fn test(&mut self) -> TermId {
        if self.depth >= MAX_DEPTH {
            self.at = self.tokens.len();
            return self.missing();
        }
        self.depth += 1;
        let term = if self.at_word("lambda") { self.lambda() } else { self.choice() };
        self.depth -= 1;
        term
    }

    fn lambda(&mut self) -> TermId {
        let start = self.peek().map_or(self.end, |token| token.range.start);
        self.at += 1;
        let scope = self.new_scope(start);
        self.parameters(":", scope, None);
        self.eat(":");
        let outer = std::mem::replace(&mut self.scope, scope);
        self.conditional += 1;
        let body = self.test();
        self.conditional -= 1;
        self.scope = outer;
        let end = self.last_end();
        if scope != outer {
            // Blanks after an unfinished body belong to it.
            self.end_scope(scope, self.peek().map_or(self.end, |token| token.range.start));
        }
        self.push(start..end.max(start), TermKind::Lambda { body })
    }

    fn choice(&mut self) -> TermId {
        let mut term = self.operation();
        while self.eat_word("if") {
            let condition = self.operation();
            self.code.ends.push(condition);
            let otherwise = if self.eat_word("else") {
                self.conditional += 1;
                let otherwise = if self.at_word("lambda") { self.test() } else { self.operation() };
                self.conditional -= 1;
                otherwise
            } else {
                self.missing()
            };
            let (then, range) = (term, self.range_of(term));
            if let Some(then) = self.code.terms.get_mut(then.0 as usize) {
                then.conditional = true;
            }
            term = self.push(range.start..self.last_end().max(range.start), TermKind::Choice { then, otherwise });
        }
        term
    }

    /// Operands with operators between them.
    pub fn operation(&mut self) -> TermId {
        let outer = self.conditional;
        let first = self.operand();
        let (mut operands, mut operators) = (vec![first], Vec::new());
        while let Some(operator) = self.operator() {
            if matches!(operator, Operator::And | Operator::Or) {
                self.conditional = outer + 1;
            }
            operators.push(operator);
            operands.push(self.operand());
        }
        self.conditional = outer;
        if operators.is_empty() {
            return first;
        }
        let start = self.range_of(first).start;
        self.push(start..self.last_end().max(start), TermKind::Operation { operands, operators })
    }

    fn operator(&mut self) -> Option<Operator> {
        let token = self.peek()?;
        let found = match (token.kind, token.text) {
            (TokenKind::Punct(_), "==" | "!=" | "<" | ">" | "<=" | ">=") => Operator::Comparison,
            (TokenKind::Punct(_), "+" | "-" | "*" | "/" | "//" | "%" | "&" | "|" | "^" | "<<" | ">>") => {
                Operator::Other
            }
            (TokenKind::Name, "and") => Operator::And,
            (TokenKind::Name, "or") => Operator::Or,
            (TokenKind::Name, "in") => Operator::In,
            (TokenKind::Name, "not") if self.ahead(1) == "in" => {
                self.at += 1;
                Operator::In
            }
            _ => return None,
        };
        self.at += 1;
        Some(found)
    }

    fn operand(&mut self) -> TermId {
        let start = self.peek().map(|token| token.range.start);
        let before = self.at;
        while self.at_punct("-") || self.at_punct("+") || self.at_punct("~") || self.at_word("not") {
            self.at += 1;
        }
        let signs = self.at > before;
        let term = self.primary();
        match start.filter(|_| signs) {
            Some(start) => {
                let end = self.last_end().max(start);
                self.push(start..end, TermKind::Operation { operands: vec![term], operators: Vec::new() })
            }
            None => term,
        }
    }

    fn primary(&mut self) -> TermId {
        let mut term = self.atom();
        loop {
            let start = self.range_of(term).start;
            if self.at_punct(".") {
                let dot_end = self.peek().map_or(self.end, |token| token.range.end);
                self.at += 1;
                // A keyword directly after the dot is the beginning of a name that is being typed.
                let after = self.peek().filter(|token| {
                    token.kind == TokenKind::Name && (!is_keyword(token.text) || token.range.start == dot_end)
                });
                let (name, name_range) = match after {
                    Some(token) => {
                        self.at += 1;
                        (token.text.to_owned(), token.range.clone())
                    }
                    None => (String::new(), dot_end..dot_end),
                };
                let range = start..name_range.end;
                term = self.push(range, TermKind::Attribute { of: term, name, name_range });
            } else if self.at_punct("(") {
                let open = self.peek().map_or(self.end, |token| token.range.end);
                self.at += 1;
                let (arguments, commas) = self.nested(Self::arguments).unwrap_or_default();
                let inside_end = if self.at_punct(")") {
                    let end = self.peek().map_or(self.end, |token| token.range.start);
                    self.at += 1;
                    end
                } else {
                    self.peek().map_or(self.end, |token| token.range.start)
                };
                let inside = open..inside_end.max(open);
                let range = start..self.last_end().max(inside.end);
                term = self.push(range, TermKind::Call { function: term, arguments, commas, inside });
            } else if self.at_punct("[") {
                self.at += 1;
                let (key, slice) = self.nested(Self::index).unwrap_or_default();
                let closed = self.eat("]");
                let range = start..self.last_end();
                term = self.push(range, TermKind::Index { of: term, key, slice, closed });
            } else {
                return term;
            }
        }
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            self.at = self.tokens.len();
            return None;
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        Some(found)
    }

    fn index(&mut self) -> (Option<TermId>, bool) {
        let (mut key, mut slice) = (None, false);
        while !self.at_punct("]") && self.peek().is_some() {
            if self.eat(":") {
                slice = true;
            } else if !self.begins_nothing() && !self.at_punct(",") {
                let before = self.at;
                let term = self.test();
                key.get_or_insert(term);
                if self.at == before {
                    break;
                }
            } else if !self.eat(",") {
                break;
            }
        }
        (key.filter(|_| !slice), slice)
    }

    /// Arguments up to a closing bracket (which is not consumed) or the end.
    pub fn arguments(&mut self) -> (Vec<CallArgument>, Vec<usize>) {
        let (mut arguments, mut commas) = (Vec::new(), Vec::new());
        while let Some(token) = self.peek() {
            match (token.kind, token.text) {
                (TokenKind::Punct(_), ")" | "]" | "}") => break,
                (TokenKind::Punct(_), ",") => {
                    commas.push(token.range.start);
                    self.at += 1;
                    continue;
                }
                (TokenKind::Newline, _) => {
                    self.at += 1;
                    continue;
                }
                _ => {}
            }
            let before = self.at;
            let starred = self.eat("*") || self.eat("**");
            let named = self.peek().filter(|token| token.kind == TokenKind::Name && self.ahead(1) == "=");
            let name = named.map(|token| {
                self.at += 2;
                (token.text.to_owned(), token.range.clone())
            });
            let value = if self.begins_nothing() || self.at_punct(",") { self.missing() } else { self.test() };
            if self.at == before {
                self.at += 1;
                continue;
            }
            arguments.push(CallArgument { name, starred, value });
        }
        (arguments, commas)
    }

    fn atom(&mut self) -> TermId {
        let Some(token) = self.peek() else { return self.missing() };
        let range = token.range.clone();
        let kind = match token.kind {
            TokenKind::Int => TermKind::Literal("int"),
            TokenKind::Float => TermKind::Literal("float"),
            TokenKind::String { .. } => {
                let (value, content) = self.string_of(token);
                TermKind::String { value, content }
            }
            TokenKind::Name => match token.text {
                "None" => TermKind::Literal("NoneType"),
                "True" | "False" => TermKind::Literal("bool"),
                word if is_keyword(word) && word != "load" => return self.missing(),
                word => TermKind::Name(word.to_owned()),
            },
            TokenKind::Punct("(") => return self.bracketed(")"),
            TokenKind::Punct("[") => return self.bracketed("]"),
            TokenKind::Punct("{") => return self.bracketed("}"),
            _ => return self.missing(),
        };
        self.at += 1;
        self.push(range, kind)
    }

    fn bracketed(&mut self, closer: &str) -> TermId {
        let start = self.peek().map_or(self.end, |token| token.range.start);
        self.at += 1;
        let found = self.nested(|reader| reader.items(start, closer));
        self.eat(closer);
        let range = start..self.last_end().max(start);
        match found {
            None => self.push(range, TermKind::Missing),
            Some(Items { elements, comprehension: true, .. }) => self.push(range, TermKind::Comprehension { elements }),
            Some(Items { elements, commas: 0, .. }) if closer == ")" && elements.len() == 1 => elements[0],
            Some(Items { elements, .. }) if closer == "}" => self.push(range, TermKind::Dict(elements)),
            Some(Items { elements, .. }) => {
                let type_name = if closer == ")" { "tuple" } else { "list" };
                self.push(range, TermKind::Sequence { items: elements, type_name })
            }
        }
    }

    fn items(&mut self, start: usize, closer: &str) -> Items {
        let (terms, scopes) = (self.code.terms.len(), self.code.scopes.len());
        let mut items = Items::default();
        while let Some(token) = self.peek() {
            match (token.kind, token.text) {
                (TokenKind::Punct(_), ")" | "]" | "}") => break,
                (TokenKind::Punct(_), ",") => {
                    items.commas += 1;
                    self.at += 1;
                    continue;
                }
                (TokenKind::Newline | TokenKind::Punct(":"), _) => {
                    self.at += 1;
                    continue;
                }
                (TokenKind::Name, "for") if !items.comprehension => {
                    self.comprehension(start, closer, terms, scopes);
                    items.comprehension = true;
                    continue;
                }
                _ => {}
            }
            let before = self.at;
            let element = self.test();
            if self.at == before {
                self.at += 1;
                continue;
            }
            items.elements.push(element);
        }
        items
    }

    /// `for x in y if z`. The element was read before it is known that it has a scope of its own, so it is moved there
    /// now.
    fn comprehension(&mut self, start: usize, closer: &str, first_term: usize, first_scope: usize) {
        let outer = self.scope;
        let scope = self.new_scope(start);
        let inner_scopes = first_scope..(scope.0 as usize).max(first_scope);
        for inner in self.code.scopes.get_mut(inner_scopes).unwrap_or_default() {
            if inner.parent == Some(outer) {
                inner.parent = Some(scope);
            }
        }
        for term in self.code.terms.get_mut(first_term..).unwrap_or_default() {
            if term.scope == outer {
                term.scope = scope;
            }
            term.conditional = true;
        }
        self.conditional += 1;
        let mut first = true;
        while self.peek().is_some() && !self.at_punct(closer) {
            if self.eat_word("for") {
                let from = self.code.terms.len();
                self.scope = scope;
                self.for_clause();
                if first {
                    // The first iterable is evaluated outside.
                    self.leave(from, scope, outer);
                }
                first = false;
            } else if self.eat_word("if") {
                self.scope = scope;
                let condition = self.operation();
                self.code.ends.push(condition);
            } else if self.peek().is_some_and(|token| token.kind == TokenKind::Newline) {
                self.at += 1;
            } else {
                break;
            }
        }
        self.conditional -= 1;
        self.scope = outer;
        if scope != outer {
            let end = self.peek().map_or(self.end, |token| token.range.start);
            self.end_scope(scope, end);
        }
    }

    fn leave(&mut self, from: usize, inner: ScopeId, outer: ScopeId) {
        for term in self.code.terms.get_mut(from..).unwrap_or_default() {
            if term.scope == inner {
                term.scope = outer;
            }
        }
    }

    /// The value of a string literal and the bytes between its quotes.
    pub fn string_of(&self, token: &Tok<'a>) -> (String, Range<usize>) {
        let literal = read_string(token.text);
        let start = token.range.start;
        (literal.value, start + literal.content.start..start + literal.content.end)
    }
}

#[derive(Default)]
struct Items {
    elements: Vec<TermId>,
    commas: usize,
    comprehension: bool,
}
