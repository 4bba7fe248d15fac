//! Statements, of which only mistakes are wanted: the reader of the code of a file takes any text.

use super::LiteralReader;
use crate::expr::{Expr, ExprKind, ReadError};
use crate::lexer::{Token, TokenKind, is_keyword, is_reserved};

/// The first mistake in the statements of a logical line. `tokens` are those of the text, which has no comments and no line
/// breaks between them.
pub(crate) fn statement_error(text: &str, tokens: Vec<Token>) -> Option<ReadError> {
    let mut reader = LiteralReader::of(text, 0, tokens);
    reader.statements();
    reader.take_errors().into_iter().next()
}

/// What assigns and computes at once.
const UPDATES: [&str; 11] = ["+=", "-=", "*=", "/=", "//=", "%=", "&=", "|=", "^=", "<<=", ">>="];

/// Statements of Python that code does not have, with what it has instead.
const FOREIGN: [(&str, &str); 8] = [
    ("import", "code has `load(\"FILE\", \"name\")` instead of `import`"),
    ("from", "code has `load(\"FILE\", \"name\")` instead of `from`"),
    ("try", "code cannot catch errors: it has no `try`"),
    ("raise", "code has `assert.fail(\"why\")` instead of `raise`"),
    ("class", "code has no classes: `struct.make(key=1)` makes a value with attributes"),
    ("with", "code has no `with`"),
    ("del", "code has `.pop(\"key\")` instead of `del`"),
    ("yield", "code has no `yield`: a function returns a list"),
];

impl LiteralReader<'_> {
    /// Reads statements until one has a mistake.
    fn statements(&mut self) {
        while self.peek().is_some() && self.errors.is_empty() {
            if self.eat(";") {
                continue;
            }
            if self.eat_word("end") {
                continue;
            }
            self.statement();
            if self.errors.is_empty() && self.peek().is_some() && !self.at_punct(";") {
                self.leftover("the statement");
            }
        }
    }

    fn statement(&mut self) {
        let Some(token) = self.peek().filter(|token| token.kind == TokenKind::Name).cloned() else {
            return self.simple();
        };
        match self.word(&token) {
            word @ ("if" | "elif" | "while") => {
                self.at += 1;
                self.bound();
                if self.test().is_none() {
                    self.error_here(&format!("a condition is missing after `{word}`"));
                }
                self.body();
            }
            "else" => {
                self.at += 1;
                self.bound();
                if self.at_word("if") {
                    self.error_here("code has `elif` instead of `else if`");
                }
                self.body();
            }
            "for" => self.for_loop(),
            "def" => self.definition(),
            "load" if self.tokens.get(self.at + 1).is_some_and(|next| next.kind == TokenKind::Punct("(")) => {
                self.load()
            }
            "return" => {
                self.at += 1;
                if self.peek().is_some() && !self.at_punct(";") {
                    self.values("a value");
                }
            }
            "pass" | "break" | "continue" => self.at += 1,
            "elseif" | "elsif" if self.tokens.len() > self.at + 2 && !self.is_used_as_name() => {
                self.error_here("code has the word `elif` here");
            }
            word if is_reserved(word) && !is_keyword(word) && !self.is_used_as_name() => {
                let known = FOREIGN.iter().find(|(foreign, _)| *foreign == word).map(|(_, instead)| *instead);
                let other = || format!("`{word}` is a reserved word, and no statement of code");
                let message = known.map_or_else(other, str::to_owned);
                self.error(token.range, message);
            }
            _ => self.simple(),
        }
    }

    /// Whether what follows the next word shows that it is meant as a name, which has a message of its own.
    fn is_used_as_name(&self) -> bool {
        let next = self.tokens.get(self.at + 1).map(|token| token.kind);
        matches!(next, None | Some(TokenKind::Punct("=" | "." | "(" | "[" | ",")))
    }

    /// The `/end` of `if/end`.
    fn bound(&mut self) {
        if self.at_punct("/") && self.tokens.get(self.at + 1).is_some_and(|next| self.word(next) == "end") {
            self.at += 2;
        }
    }

    /// The colon after the head of a block, and statements on the same line. A colon that is missing at the end is reported
    /// with the block.
    fn body(&mut self) {
        if self.errors.is_empty() && self.peek().is_some() && !self.eat(":") {
            self.leftover("the head of the block");
        }
        self.statements();
    }

    /// `load("FILE", "name", own="other")`
    fn load(&mut self) {
        let word = self.bump();
        let open = self.bump();
        let given = self.arguments(Some(")"));
        self.close(open, ")");
        let is_text = |value: &Expr| matches!(value.kind, ExprKind::String(_));
        let texts = given.positional.iter().chain(given.keywords.iter().map(|keyword| &keyword.value));
        if let Some(wrong) = texts.clone().find(|value| !is_text(value)) {
            let range = wrong.range.clone();
            self.error(range, "`load` takes nothing but strings: load(\"FILE\", \"name\")");
        } else if given.starred || given.positional.is_empty() || texts.count() < 2 {
            self.error(word, "`load` needs a file and the names that it takes from it: load(\"FILE\", \"name\")");
        }
    }

    fn for_loop(&mut self) {
        self.at += 1;
        self.bound();
        let before = self.at;
        self.loop_variables();
        let reserved = self.peek().filter(|token| is_reserved(self.word(token)) && self.word(token) != "in").cloned();
        if let Some(token) = reserved.filter(|token| token.kind == TokenKind::Name) {
            let message = format!("`{}` is a reserved word and cannot be a name", self.word(&token));
            self.error(token.range, message);
        } else if self.at == before {
            self.error_here("a variable is missing after `for`");
        } else if self.eat_word("in") {
            self.values("what to loop over");
        } else {
            self.error_here("`in` is missing after the variable of the loop");
        }
        self.body();
    }

    fn definition(&mut self) {
        self.at += 1;
        self.bound();
        let is_name = self.peek().is_some_and(|token| token.kind == TokenKind::Name && !is_reserved(self.word(token)));
        if !is_name {
            return self.error_here("a name is missing after `def`");
        }
        self.at += 1;
        if !self.at_punct("(") {
            return self.error_here("`(` is missing after the name of the function");
        }
        let open = self.bump();
        self.parameters();
        if self.errors.is_empty() {
            self.close(open, ")");
        }
        self.body();
    }

    fn parameters(&mut self) {
        let mut names: Vec<&str> = Vec::new();
        let (mut optional, mut starred) = (false, false);
        while let Some(token) = self.peek().cloned().filter(|_| !self.at_punct(")") && self.errors.is_empty()) {
            let stars = self.eat("**") || self.eat("*");
            starred |= stars;
            let name = self.peek().filter(|token| token.kind == TokenKind::Name).cloned();
            match name {
                Some(name) if !is_reserved(self.word(&name)) => {
                    self.at += 1;
                    let word = self.slice(&name.range);
                    if names.contains(&word) {
                        self.error(name.range.clone(), format!("the parameter `{word}` is repeated"));
                    }
                    names.push(word);
                    if self.at_punct(":") {
                        self.error_here("parameters have no types in code");
                    } else if self.eat("=") {
                        optional = true;
                        if self.test().is_none() {
                            self.error_here("a default value is missing after `=`");
                        }
                    } else if optional && !starred {
                        let message = "a parameter without a default cannot follow one that has a default";
                        self.error(name.range, message);
                    }
                }
                // A star alone separates parameters that have to be named.
                _ if stars && self.at_punct(",") => {}
                Some(name) => {
                    let message = format!("`{}` is a reserved word and cannot be a name", self.word(&name));
                    self.error(name.range, message);
                }
                None => self.error(token.range.clone(), format!("got {}, want a parameter", self.show(&token))),
            }
            if !self.eat(",") && self.errors.is_empty() && !self.at_punct(")") && self.peek().is_some() {
                self.error_here("a comma is missing between the parameters");
            }
        }
    }

    /// One value, or several with commas between them.
    fn values(&mut self, what: &str) {
        match self.test() {
            Some(first) if self.at_punct(",") => {
                self.tuple_tail(first);
            }
            Some(_) => {}
            None => self.error_here(&format!("{what} is missing here")),
        }
    }

    /// An expression, or an assignment.
    fn simple(&mut self) {
        let Some(mut target) = self.test() else {
            let shown = self.peek().map_or_else(String::new, |token| self.show(token));
            return self.error_here(&format!("unexpected {shown}: a statement begins here"));
        };
        if self.at_punct(",") {
            target = self.tuple_tail(target);
        }
        let Some(TokenKind::Punct(sign)) = self.kind() else { return };
        if sign == ":" && matches!(target.kind, ExprKind::Code) && self.tokens.len() > self.at + 1 {
            return self.error_here("variables have no types in code");
        }
        if sign != "=" && !UPDATES.contains(&sign) {
            return;
        }
        if !matches!(target.kind, ExprKind::Code | ExprKind::Tuple(_) | ExprKind::List(_)) {
            return self.error(target.range, "nothing can be assigned to a value");
        }
        self.at += 1;
        match self.test() {
            Some(first) if self.at_punct(",") => {
                self.tuple_tail(first);
            }
            Some(_) => {}
            None => {
                let at = self.tokens.get(self.at - 1).map(|token| token.range.clone());
                self.error(at.unwrap_or_else(|| self.end()), format!("a value is missing after `{sign}`"));
            }
        }
        if self.at_punct("=") {
            self.error_here("a statement assigns once: write one line for each name");
        }
    }

    /// Reports what follows something that is complete.
    pub(super) fn leftover(&mut self, after: &str) {
        let Some(token) = self.peek().cloned() else { return };
        let message = match (token.kind, self.word(&token)) {
            (TokenKind::Name, "is") => "code has `==` instead of `is`".to_owned(),
            (TokenKind::Punct("="), _) => "`=` assigns, and can only follow a name: code compares with `==`".to_owned(),
            _ => format!("unexpected {} after {after}", self.show(&token)),
        };
        self.error(token.range, message);
    }
}
