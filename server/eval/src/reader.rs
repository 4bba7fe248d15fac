//! Reads argument lists and expressions. All expressions are recognised; only literals get a value.

mod atoms;
mod statements;

use std::ops::Range;

use crate::expr::{Argument, Arguments, Expr, ExprKind, Expression, Keyword, NameUse, ReadError};
use crate::lexer::{Token, TokenKind, is_keyword, is_reserved, lex};

/// How deep brackets, lambdas and prefix operators may nest; the reader skips what is deeper.
pub const MAX_DEPTH: usize = crate::MAX_NESTING;

/// Reads the argument list of a call, without its parentheses: the text after `#@name `.
pub fn read_arguments(text: &str) -> Arguments {
    read_arguments_at(text, 0)
}

/// [`read_arguments`] with all ranges moved by `base` bytes.
pub fn read_arguments_at(text: &str, base: usize) -> Arguments {
    let mut reader = LiteralReader::new(text, base);
    let mut arguments = reader.arguments(None);
    arguments.range = base..base + text.len();
    arguments.errors = reader.take_errors();
    arguments.names = reader.names;
    arguments
}

/// Reads one expression: the text after `key: #@ `.
pub fn read_expression(text: &str) -> Expression {
    read_expression_at(text, 0)
}

/// [`read_expression`] with all ranges moved by `base` bytes.
pub fn read_expression_at(text: &str, base: usize) -> Expression {
    let mut reader = LiteralReader::new(text, base);
    let first = reader.test();
    let mut expr = first.unwrap_or_else(|| reader.missing());
    if reader.at_punct(",") {
        expr = reader.tuple_tail(expr);
    }
    if reader.peek().is_some() {
        reader.leftover("the expression");
    }
    Expression { expr, errors: reader.take_errors(), names: reader.names }
}

pub(crate) use statements::statement_error;

struct LiteralReader<'a> {
    text: &'a str,
    base: usize,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    errors: Vec<ReadError>,
    names: Vec<NameUse>,
}

impl<'a> LiteralReader<'a> {
    fn of(text: &'a str, base: usize, tokens: Vec<Token>) -> Self {
        LiteralReader { text, base, tokens, at: 0, depth: 0, errors: Vec::new(), names: Vec::new() }
    }

    fn new(text: &'a str, base: usize) -> Self {
        let mut reader = LiteralReader::of(text, base, lex(text, base));
        let comments: Vec<_> = reader.tokens.iter().filter(|token| token.kind == TokenKind::Comment).cloned().collect();
        // ytt appends the closing parenthesis to the text, so a comment at the end would hide it (docs/ytt.md 5.3).
        if let Some(comment) = comments.last() {
            let message = "`#` starts a comment here and hides the closing parenthesis; remove it".to_owned();
            reader.error(comment.range.clone(), message);
        }
        reader.tokens.retain(|token| !matches!(token.kind, TokenKind::Comment | TokenKind::Newline));
        reader
    }

    // ---- tokens ----

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn kind(&self) -> Option<TokenKind> {
        self.peek().map(|token| token.kind)
    }

    fn at_punct(&self, punct: &str) -> bool {
        matches!(self.kind(), Some(TokenKind::Punct(found)) if found == punct)
    }

    fn at_word(&self, word: &str) -> bool {
        self.kind() == Some(TokenKind::Name) && self.peek().is_some_and(|token| self.word(token) == word)
    }

    fn word(&self, token: &Token) -> &'a str {
        self.slice(&token.range)
    }

    fn slice(&self, range: &Range<usize>) -> &'a str {
        self.text.get(range.start.saturating_sub(self.base)..range.end.saturating_sub(self.base)).unwrap_or("")
    }

    fn bump(&mut self) -> Range<usize> {
        let range = self.peek().map_or_else(|| self.end(), |token| token.range.clone());
        self.at = (self.at + 1).min(self.tokens.len());
        range
    }

    fn eat(&mut self, punct: &str) -> bool {
        let found = self.at_punct(punct);
        if found {
            self.at += 1;
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.at += 1;
        }
        found
    }

    /// The end of the last consumed token.
    fn last_end(&self) -> usize {
        match self.at.checked_sub(1).and_then(|at| self.tokens.get(at)) {
            Some(token) => token.range.end,
            None => self.base,
        }
    }

    fn end(&self) -> Range<usize> {
        let end = self.base + self.text.len();
        end..end
    }

    fn missing(&self) -> Expr {
        let at = self.last_end();
        Expr { range: at..at, kind: ExprKind::Missing }
    }

    fn error(&mut self, range: Range<usize>, message: impl Into<String>) {
        self.errors.push(ReadError { range, message: message.into() });
    }

    fn take_errors(&mut self) -> Vec<ReadError> {
        let mut errors = std::mem::take(&mut self.errors);
        errors.sort_by_key(|error| error.range.start);
        errors
    }

    /// A token as messages show it.
    fn show(&self, token: &Token) -> String {
        match token.kind {
            TokenKind::String { .. } => "string".to_owned(),
            _ => format!("`{}`", self.word(token)),
        }
    }

    // ---- argument lists ----

    /// Reads up to the end of the text, or up to `closer` (not consumed).
    fn arguments(&mut self, closer: Option<&str>) -> Arguments {
        let mut list = Arguments::default();
        let mut seen = Seen::default();
        let mut complained = false;
        while let Some(token) = self.peek().cloned() {
            if let TokenKind::Punct(punct) = token.kind {
                if Some(punct) == closer {
                    break;
                }
                match punct {
                    "," => {
                        if !complained {
                            self.error(token.range.clone(), "there is nothing before this comma");
                        }
                        list.commas.push(token.range.start);
                        self.at += 1;
                        complained = false;
                        continue;
                    }
                    // A closing bracket of another kind belongs to the caller.
                    ")" | "]" | "}" if closer.is_some() => break,
                    _ => {}
                }
            }
            let before = self.at;
            let argument = self.argument(&mut list, &mut seen);
            if self.at == before && !argument {
                if !complained {
                    self.error(token.range.clone(), format!("unexpected {}", self.show(&token)));
                }
                self.at += 1;
                complained = true;
                continue;
            }
            complained = false;
            let Some(next) = self.peek().cloned() else {
                break;
            };
            match next.kind {
                TokenKind::Punct(",") => {
                    list.commas.push(next.range.start);
                    self.at += 1;
                }
                TokenKind::Punct(punct) if Some(punct) == closer => break,
                TokenKind::Punct(")" | "]" | "}") if closer.is_some() => break,
                _ => {
                    complained = true;
                    let message = format!("got {}, want a comma between arguments", self.show(&next));
                    self.error(next.range, message);
                }
            }
        }
        // Most lists have one argument, and files with thousands of annotations keep them all in memory.
        list.positional.shrink_to_fit();
        list.keywords.shrink_to_fit();
        list.names.shrink_to_fit();
        list.commas.shrink_to_fit();
        list
    }

    /// Reads one argument into `list`; returns false if none starts here.
    fn argument(&mut self, list: &mut Arguments, seen: &mut Seen) -> bool {
        let start = self.bump_preview();
        if self.eat("*") {
            let value = self.value_or_missing("a list is missing after `*`");
            if seen.kwargs {
                self.error(start.clone(), "`*args` may not follow `**kwargs`");
            } else if seen.args {
                self.error(start.clone(), "only one `*args` is allowed");
            }
            seen.args = true;
            list.starred = true;
            list.order.push(Argument::Star(value));
            return true;
        }
        if self.eat("**") {
            let value = self.value_or_missing("a dict is missing after `**`");
            if seen.kwargs {
                self.error(start.clone(), "only one `**kwargs` is allowed");
            }
            seen.kwargs = true;
            list.starred = true;
            list.order.push(Argument::StarStar(value));
            return true;
        }
        if self.kind() == Some(TokenKind::Name) && self.followed_by_equals() {
            let name_range = self.bump();
            let name = self.slice(&name_range).to_owned();
            self.at += 1;
            if is_reserved(&name) {
                self.error(name_range.clone(), format!("`{name}` is a reserved word and cannot be a name"));
            } else if list.keywords.iter().any(|keyword| keyword.name == name) {
                self.error(name_range.clone(), format!("keyword argument `{name}` is repeated"));
            } else if seen.kwargs {
                self.error(name_range.clone(), "a keyword argument may not follow `**kwargs`");
            }
            seen.named = true;
            let value = self.value_or_missing(&format!("the value of `{name}=` is missing"));
            list.order.push(Argument::Keyword(list.keywords.len()));
            list.keywords.push(Keyword { name, name_range, value });
            return true;
        }
        let Some(value) = self.test() else {
            return false;
        };
        if seen.kwargs || seen.args {
            self.error(value.range.clone(), "a positional argument may not follow `*args` or `**kwargs`");
        } else if seen.named {
            self.error(value.range.clone(), "a positional argument may not follow a named one; move it to the front");
        }
        list.order.push(Argument::Positional(list.positional.len()));
        list.positional.push(value);
        true
    }

    fn bump_preview(&self) -> Range<usize> {
        self.peek().map_or_else(|| self.end(), |token| token.range.clone())
    }

    fn followed_by_equals(&self) -> bool {
        matches!(self.tokens.get(self.at + 1).map(|token| token.kind), Some(TokenKind::Punct("=")))
    }

    fn value_or_missing(&mut self, message: &str) -> Expr {
        match self.test() {
            Some(value) => value,
            None => {
                let missing = self.missing();
                // The error is at the `=` or `*` that lacks its value, so that the range is visible.
                let at = self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map(|token| token.range.clone());
                self.error(at.unwrap_or_else(|| missing.range.clone()), message);
                missing
            }
        }
    }

    // ---- expressions ----

    /// An expression without a bare comma; None (and nothing consumed) if none starts here.
    fn test(&mut self) -> Option<Expr> {
        if self.depth >= MAX_DEPTH {
            return self.too_deep();
        }
        self.depth += 1;
        let expr = self.conditional();
        self.depth -= 1;
        expr
    }

    fn too_deep(&mut self) -> Option<Expr> {
        let start = self.peek()?.range.start;
        let range = start..self.end().end;
        if self.at < self.tokens.len() {
            self.error(range.clone(), format!("nested deeper than {MAX_DEPTH} levels"));
        }
        self.at = self.tokens.len();
        Some(Expr { range, kind: ExprKind::Code })
    }

    fn conditional(&mut self) -> Option<Expr> {
        if self.at_word("lambda") {
            return Some(self.lambda());
        }
        let mut expr = self.binary()?;
        // `a if b else c if d else e`: a loop instead of a recursion on the last part.
        while self.eat_word("if") {
            let start = expr.range.start;
            if self.binary().is_none() {
                self.error_here("a condition is missing after `if`");
            }
            let complete = self.eat_word("else");
            if !complete {
                self.error_here("a conditional expression needs an `else`");
            } else if self.at_word("lambda") {
                self.lambda();
            } else if self.binary().is_none() {
                self.error_here("a value is missing after `else`");
            }
            expr = self.code(start);
        }
        Some(expr)
    }

    fn lambda(&mut self) -> Expr {
        let start = self.bump().start;
        let first_name = self.names.len();
        let mut params = Vec::new();
        let mut bound = Vec::new();
        while let Some(token) = self.peek().cloned() {
            if self.at_punct(":") {
                break;
            }
            let stars = if self.eat("**") {
                "**"
            } else if self.eat("*") {
                "*"
            } else {
                ""
            };
            if self.kind() == Some(TokenKind::Name) && !self.peek().is_some_and(|t| is_keyword(self.word(t))) {
                let range = self.bump();
                let name = self.slice(&range);
                params.push(format!("{stars}{name}"));
                bound.push(name);
                if self.eat("=") && self.test().is_none() {
                    self.error_here("a default value is missing after `=`");
                }
            } else if stars.is_empty() {
                self.error(token.range.clone(), format!("got {}, want a parameter or `:`", self.show(&token)));
                break;
            }
            if !self.eat(",") {
                break;
            }
        }
        if self.eat(":") {
            if self.test().is_none() {
                self.error_here("the body of the lambda is missing after `:`");
            }
        } else {
            self.error_here("a lambda needs `:` after its parameters");
        }
        self.unbind(first_name, &bound);
        Expr { range: start..self.last_end(), kind: ExprKind::Lambda { params } }
    }

    /// Removes uses of names that the construct itself binds.
    fn unbind(&mut self, first: usize, bound: &[&str]) {
        let mut index = 0;
        self.names.retain(|used| {
            index += 1;
            index <= first || !bound.contains(&used.name.as_str())
        });
    }

    fn binary(&mut self) -> Option<Expr> {
        let mut expr = self.unary()?;
        let start = expr.range.start;
        while self.eat_operator() {
            self.operators_of_other_languages();
            if self.unary().is_none() {
                self.error_here("a value is missing after the operator");
            }
            expr = self.code(start);
        }
        Some(expr)
    }

    /// `&&` and `||`, whose first character was read, are the words `and` and `or` in Starlark.
    fn operators_of_other_languages(&mut self) {
        let [.., first, second] = self.tokens.get(..=self.at).unwrap_or_default() else { return };
        let (TokenKind::Punct(one @ ("&" | "|")), true) = (&first.kind, first.kind == second.kind) else { return };
        let (word, range) = (if *one == "&" { "and" } else { "or" }, first.range.start..second.range.end);
        let message = format!("code has the word `{word}` instead of `{one}{one}`");
        self.error(range, message);
        self.at += 1;
    }

    fn eat_operator(&mut self) -> bool {
        let found = match self.kind() {
            Some(TokenKind::Punct(punct)) => matches!(
                punct,
                "+" | "-"
                    | "*"
                    | "/"
                    | "//"
                    | "%"
                    | "&"
                    | "|"
                    | "^"
                    | "<<"
                    | ">>"
                    | "=="
                    | "!="
                    | "<"
                    | ">"
                    | "<="
                    | ">="
            ),
            Some(TokenKind::Name) => {
                if self.at_word("not") && self.tokens.get(self.at + 1).is_some_and(|next| self.word(next) == "in") {
                    self.at += 1;
                }
                self.at_word("and") || self.at_word("or") || self.at_word("in")
            }
            _ => false,
        };
        if found {
            self.at += 1;
        }
        found
    }

    fn unary(&mut self) -> Option<Expr> {
        let mut first: Option<Range<usize>> = None;
        let mut operators = 0;
        let mut sign = Some(1);
        loop {
            let token = self.peek()?.clone();
            match token.kind {
                TokenKind::Punct("-") => sign = sign.map(|sign: i128| -sign),
                TokenKind::Punct("+") => {}
                TokenKind::Punct("~") => sign = None,
                TokenKind::Punct("!") => {
                    self.error(token.range.clone(), "code has the word `not` instead of `!`");
                    sign = None;
                }
                TokenKind::Name if self.word(&token) == "not" => sign = None,
                _ => break,
            }
            first.get_or_insert(token.range);
            self.at += 1;
            operators += 1;
            if operators > MAX_DEPTH {
                return self.too_deep();
            }
            if self.peek().is_none() {
                break;
            }
        }
        let operand = self.primary();
        let Some(first) = first else { return operand };
        let Some(operand) = operand else {
            self.error(first.clone(), "a value is missing after the operator");
            return Some(self.code(first.start));
        };
        let range = first.start..operand.range.end;
        let kind = match (sign, operand.kind) {
            (Some(sign), ExprKind::Int(value)) => value.checked_mul(sign).map_or(ExprKind::Code, ExprKind::Int),
            (Some(sign), ExprKind::Float(value)) => ExprKind::Float(if sign < 0 { -value } else { value }),
            _ => ExprKind::Code,
        };
        Some(Expr { range, kind })
    }

    fn primary(&mut self) -> Option<Expr> {
        let mut expr = self.atom()?;
        let start = expr.range.start;
        loop {
            if self.eat(".") {
                if self.kind() == Some(TokenKind::Name) {
                    self.at += 1;
                } else {
                    self.error_here("a name is missing after `.`");
                }
            } else if self.at_punct("(") {
                let open = self.bump();
                self.nested(|reader| {
                    reader.arguments(Some(")"));
                });
                self.close(open, ")");
            } else if self.at_punct("[") {
                let open = self.bump();
                self.nested(Self::index);
                self.close(open, "]");
            } else {
                return Some(expr);
            }
            expr = self.code(start);
        }
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self)) {
        if self.depth >= MAX_DEPTH {
            self.too_deep();
            return;
        }
        self.depth += 1;
        read(self);
        self.depth -= 1;
    }

    fn index(&mut self) {
        let mut parts = 0;
        while self.test().is_some() || self.at_punct(":") || self.at_punct(",") {
            parts += 1;
            if !self.eat(":") && !self.eat(",") {
                return;
            }
        }
        if parts == 0 {
            self.error_here("an index is missing between the brackets");
        }
    }

    fn code(&self, start: usize) -> Expr {
        Expr { range: start..self.last_end().max(start), kind: ExprKind::Code }
    }

    /// Reports an error at the next token, or at the last one at the end of the text.
    fn error_here(&mut self, message: &str) {
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let range = self.peek().or(last).map_or_else(|| self.end(), |token| token.range.clone());
        self.error(range, message);
    }
}

#[derive(Default)]
struct Seen {
    named: bool,
    args: bool,
    kwargs: bool,
}
