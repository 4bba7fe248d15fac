//! Statements: what opens and closes blocks, and what binds names.

use super::reader::{Block, LineReader, hold_until};
use super::{BindingKind, Function, Load, LoadedName, Parameter, ScopeId, TermId, TermKind};
use crate::lexer::{TokenKind, is_keyword};
use std::ops::Range;

impl LineReader<'_, '_> {
    /// All statements of a logical line.
    pub fn statements(&mut self) {
        while let Some(token) = self.peek() {
            let before = self.at;
            match token.kind {
                TokenKind::Newline | TokenKind::Punct(";") => self.at += 1,
                _ => self.statement(),
            }
            if self.at == before {
                self.at += 1;
            }
        }
    }

    /// The value of a node.
    pub fn value(&mut self) {
        self.expression_list();
        self.leftovers();
    }

    /// The arguments of an annotation.
    pub fn annotation_arguments(&mut self) {
        while self.peek().is_some() {
            let before = self.at;
            self.arguments();
            if self.at == before {
                self.at += 1;
            }
        }
    }

    /// An expression ended early; the rest of the line is still read for the names in it.
    fn leftovers(&mut self) {
        while self.peek().is_some() {
            let before = self.at;
            self.expression_list();
            if self.at == before {
                self.at += 1;
            }
        }
    }

    fn statement(&mut self) {
        let Some(first) = self.peek() else { return };
        let start = first.range.start;
        if first.kind != TokenKind::Name {
            return self.simple();
        }
        match first.text {
            "end" => {
                self.at += 1;
                if let Some(scope) = self.blocks.close(&mut self.code.bindings, start) {
                    self.end_scope(scope, start);
                }
                self.scope = self.blocks.scope();
                self.conditional = usize::from(self.blocks.is_inside());
            }
            "def" => self.function(start),
            "if" | "while" | "elif" => {
                let elif = first.text == "elif";
                self.at += 1;
                let bound = self.eat_end();
                let condition = self.test();
                self.code.ends.push(condition);
                self.block(bound, !elif, None, 0..0);
            }
            "else" => {
                self.at += 1;
                let bound = self.eat_end();
                self.block(bound, false, None, 0..0);
            }
            "for" => {
                self.at += 1;
                let bound = self.eat_end();
                let first = self.code.bindings.len();
                self.for_clause();
                let variables = first..self.code.bindings.len();
                self.block(bound, true, None, variables);
            }
            "return" => self.returns(),
            "load" if self.ahead(1) == "(" => self.load(start),
            "break" | "continue" | "pass" => self.at += 1,
            _ => self.simple(),
        }
    }

    /// The `/end` of `if/end`.
    fn eat_end(&mut self) -> bool {
        let found = self.at_punct("/") && self.ahead(1) == "end";
        self.at += if found { 2 } else { 0 };
        found
    }

    /// After the head of a block: its body is on the same line, or the block stays open.
    fn block(&mut self, bound: bool, opens: bool, scope: Option<ScopeId>, variables: Range<usize>) {
        let colon = self.eat(":");
        let more = self.peek().is_some_and(|token| token.kind != TokenKind::Newline);
        if bound {
            // `else/end` and `elif/end` end the block that they continue.
            if !opens {
                self.blocks.close(&mut self.code.bindings, self.end);
            }
            hold_until(&mut self.code.bindings, variables, self.node_end);
            self.blocks.bind_to_node(scope, self.node_end);
            return;
        }
        if colon && more {
            // `if x: y = 1` closes itself at the end of the line.
            let (outer, line_end) = (self.scope, self.end);
            hold_until(&mut self.code.bindings, variables, line_end);
            self.scope = scope.unwrap_or(outer);
            self.conditional += 1;
            while self.peek().is_some_and(|token| token.kind != TokenKind::Newline) {
                let before = self.at;
                self.simple_or_return();
                if self.at == before {
                    self.at += 1;
                }
            }
            self.conditional -= 1;
            self.scope = outer;
            if let Some(scope) = scope {
                self.end_scope(scope, line_end);
            }
            return;
        }
        // Without its colon the head is half-typed. Most likely a body will follow.
        if opens {
            self.blocks.open(Block { scope, variables });
        }
        self.scope = self.blocks.scope();
        self.conditional = usize::from(self.blocks.is_inside());
    }

    fn returns(&mut self) {
        self.at += 1;
        let value = self.expression_list();
        let scope = self.scope;
        // The innermost function is the one that begins last, or one around that.
        if let Some(function) = self.code.functions.iter_mut().rev().find(|function| function.scope == scope) {
            function.returns.push(value);
        }
    }

    fn simple_or_return(&mut self) {
        if self.at_word("return") {
            self.returns();
        } else {
            self.simple();
        }
    }

    /// `for a, b in values`, in statements and comprehensions. The variables belong to the current scope.
    pub fn for_clause(&mut self) {
        let mut names = Vec::new();
        let mut nested = 0usize;
        while let Some(token) = self.peek() {
            match token.kind {
                TokenKind::Punct("(" | "[") => nested += 1,
                TokenKind::Punct("," | ")" | "]") => {}
                TokenKind::Name if !is_keyword(token.text) => {
                    names.push((token.text, token.range.clone()));
                }
                _ => break,
            }
            self.at += 1;
        }
        let scope = self.scope;
        if !self.eat_word("in") {
            for (name, range) in names {
                self.bind(name, range, BindingKind::Other);
            }
            return;
        }
        let of = self.operation();
        self.scope = scope;
        let parts = names.len() > 1;
        for (index, (name, range)) in names.into_iter().enumerate() {
            let kind = match (parts, nested) {
                (false, _) => BindingKind::Item(of),
                (true, 0 | 1) => BindingKind::ItemPart(of, index),
                (true, _) => BindingKind::Other,
            };
            self.bind(name, range, kind);
        }
    }

    fn function(&mut self, start: usize) {
        self.at += 1;
        let bound = self.eat_end();
        let named = self.peek().filter(|token| token.kind == TokenKind::Name);
        let (name, name_range) = match named {
            Some(token) => {
                self.at += 1;
                (token.text.to_owned(), token.range.clone())
            }
            None => (String::new(), self.last_end()..self.last_end()),
        };
        let id = self.next_function();
        let outer = self.scope;
        if !name.is_empty() {
            self.bind(&name, name_range.clone(), BindingKind::Function(id));
        }
        let scope = self.new_scope(self.last_end());
        let mut parameters = Vec::new();
        if self.eat("(") {
            self.scope = outer;
            parameters = self.parameters(")", scope, Some(id));
            self.eat(")");
        }
        let head = start..self.last_end();
        self.code.functions.push(Function { name, name_range, head, parameters, scope, returns: Vec::new() });
        self.scope = outer;
        self.block(bound, true, Some(scope), 0..0);
    }

    /// Parameters up to `closer` (not consumed). Their default values are read in the current scope; the parameters
    /// belong to `scope`.
    pub fn parameters(&mut self, closer: &str, scope: ScopeId, function: Option<super::FunctionId>) -> Vec<Parameter> {
        let mut parameters: Vec<Parameter> = Vec::new();
        let outer = self.scope;
        while let Some(token) = self.peek() {
            if self.at_punct(closer) || token.kind == TokenKind::Newline {
                break;
            }
            let stars = match token.kind {
                TokenKind::Punct(stars @ ("*" | "**")) => {
                    self.at += 1;
                    stars
                }
                _ => "",
            };
            let Some(name) = self.peek().filter(|token| token.kind == TokenKind::Name && !is_keyword(token.text))
            else {
                if stars.is_empty() {
                    self.at += 1;
                }
                continue;
            };
            self.at += 1;
            let mut written = format!("{stars}{}", name.text);
            if self.eat("=") {
                let from = self.at;
                self.test();
                written.push('=');
                let mut end = None;
                let default = self.tokens.get(from..self.at).unwrap_or(&[]);
                for token in default.iter().filter(|token| token.kind != TokenKind::Newline) {
                    if end.is_some_and(|end| end < token.range.start) {
                        written.push(' ');
                    }
                    written.push_str(token.text);
                    end = Some(token.range.end);
                }
            }
            let index = parameters.len();
            self.scope = scope;
            self.bind(name.text, name.range.clone(), BindingKind::Parameter { function, index });
            self.scope = outer;
            parameters.push(Parameter {
                name: name.text.to_owned(),
                written,
                range: name.range.clone(),
                starred: !stars.is_empty(),
            });
            self.eat(",");
        }
        parameters
    }

    fn load(&mut self, start: usize) {
        self.at += 2;
        let mut load = Load {
            module: String::new(),
            module_range: self.last_end()..self.last_end(),
            range: start..start,
            names: Vec::new(),
        };
        let index = self.code.loads.len();
        let mut first = true;
        while let Some(token) = self.peek() {
            match token.kind {
                TokenKind::Punct(")") => {
                    self.at += 1;
                    break;
                }
                TokenKind::Newline if self.tokens.get(self.at + 1).is_none() => break,
                TokenKind::String { .. } => {
                    let (value, content) = self.string_of(token);
                    self.at += 1;
                    if first {
                        load.module = value;
                        load.module_range = content;
                    } else {
                        load.names.push(LoadedName {
                            local: value.clone(),
                            local_range: content.clone(),
                            name: value,
                            name_range: content,
                        });
                    }
                    first = false;
                }
                TokenKind::Name if self.ahead(1) == "=" => {
                    self.at += 2;
                    let after = self.peek().filter(|token| matches!(token.kind, TokenKind::String { .. }));
                    let (name, name_range) = match after {
                        Some(string) => {
                            self.at += 1;
                            self.string_of(string)
                        }
                        None => (String::new(), self.last_end()..self.last_end()),
                    };
                    let local = token.text.to_owned();
                    load.names.push(LoadedName { local, local_range: token.range.clone(), name, name_range });
                }
                _ => self.at += 1,
            }
        }
        load.range.end = self.last_end();
        for (number, name) in load.names.iter().enumerate() {
            self.bind(&name.local, name.local_range.clone(), BindingKind::Loaded(index, number));
        }
        self.code.loads.push(load);
    }

    /// `a = value`, `a, b = value`, `a += value`, or an expression.
    fn simple(&mut self) {
        let target = self.expression_list();
        let assigns = self.peek().and_then(|token| match token.kind {
            TokenKind::Punct(
                mark @ ("=" | "+=" | "-=" | "*=" | "/=" | "//=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>="),
            ) => Some(mark),
            _ => None,
        });
        let Some(mark) = assigns else { return };
        self.at += 1;
        let value = self.expression_list();
        self.assign(target, value, mark == "=");
    }

    fn assign(&mut self, target: TermId, value: TermId, plain: bool) {
        let kind_of =
            |id: TermId, code: &super::Code| code.term(id).map(|term| (term.kind.clone(), term.range.clone()));
        self.code.ends.push(target);
        match kind_of(target, self.code) {
            Some((TermKind::Name(name), range)) => {
                let kind = if plain { BindingKind::Value(value) } else { BindingKind::Other };
                self.bind(&name, range, kind);
            }
            Some((TermKind::Sequence { items, .. }, _)) => {
                let values = match kind_of(value, self.code) {
                    Some((TermKind::Sequence { items: values, .. }, _)) if values.len() == items.len() => values,
                    _ => Vec::new(),
                };
                for (index, item) in items.into_iter().enumerate() {
                    self.code.ends.push(item);
                    let Some((TermKind::Name(name), range)) = kind_of(item, self.code) else { continue };
                    let kind = values.get(index).map_or(BindingKind::Other, |value| BindingKind::Value(*value));
                    self.bind(&name, range, kind);
                }
            }
            // Assignments to items and attributes are not followed.
            _ => {}
        }
    }
}
