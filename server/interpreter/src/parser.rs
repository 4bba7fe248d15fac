//! Reads code: statements.

mod expressions;

use std::sync::Arc;

use lofting_eval::{MAX_NESTING, read_string};
use smol_str::SmolStr;

use crate::bytes;
use crate::code::{
    AssignTarget, Block, Expr, ExprKind, FunctionCode, Home, Load, Loop, Operator, Parameter, ParameterKind, Range,
    Statement, StatementKind, Variable,
};
use crate::failure::{Failure, FailureKind, Result};
use crate::tokens::{Symbol, described, symbols};

/// How deeply statements and expressions may nest: they are read, run and dropped by recursion.
pub const MAX_HEIGHT: usize = 2 * MAX_NESTING;

/// Reads the code of a file.
///
/// # Errors
///
/// The text is not valid code.
pub(crate) fn parse(text: &str, file: u32) -> Result<FunctionCode> {
    let symbols = symbols(text, file)?;
    let mut parser = Parser { symbols, at: 0, file, depth: 0 };
    let mut body = Vec::new();
    while parser.peek() != Symbol::End {
        parser.statement(&mut body)?;
    }
    let code = FunctionCode::new("<toplevel>".into(), file, Vec::new(), body);
    Ok(code)
}

struct Parser<'a> {
    symbols: Vec<(Symbol<'a>, Range)>,
    at: usize,
    file: u32,
    /// How many statements, brackets and operators are being read.
    depth: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Symbol<'a> {
        self.symbols.get(self.at).map_or(Symbol::End, |(symbol, _)| *symbol)
    }

    /// The symbol after the next one.
    fn peek_second(&self) -> Symbol<'a> {
        self.symbols.get(self.at + 1).map_or(Symbol::End, |(symbol, _)| *symbol)
    }

    fn range(&self) -> Range {
        self.symbols.get(self.at).or(self.symbols.last()).map_or(Range::default(), |(_, range)| *range)
    }

    /// The range of the symbol that was taken last.
    fn last(&self) -> Range {
        let last = self.at.checked_sub(1).and_then(|at| self.symbols.get(at));
        last.map_or(Range::default(), |(_, range)| *range)
    }

    fn next(&mut self) -> Symbol<'a> {
        let symbol = self.peek();
        self.at += 1;
        symbol
    }

    /// Takes the word, if it is next.
    fn take(&mut self, word: &str) -> bool {
        let is_next = self.sees(word);
        self.at += usize::from(is_next);
        is_next
    }

    fn sees(&self, word: &str) -> bool {
        matches!(self.peek(), Symbol::Word(next) if next == word)
    }

    fn expect(&mut self, word: &str) -> Result<Range> {
        if self.take(word) { Ok(self.last()) } else { Err(self.unexpected(&format!("'{word}'"))) }
    }

    fn failure(&self, message: impl Into<String>, range: Range) -> Failure {
        Failure::new(FailureKind::Syntax, message).at(range.of(self.file))
    }

    fn unexpected(&self, wanted: &str) -> Failure {
        self.failure(format!("got {}, want {wanted}", described(self.peek())), self.range())
    }

    /// Reads something that is nested.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_HEIGHT {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn too_deep(&self) -> Failure {
        let message = format!("nested deeper than {MAX_HEIGHT} levels");
        Failure::new(FailureKind::Limit, message).at(self.range().of(self.file))
    }

    /// An expression, unless it is too deep to be run.
    fn made(&self, kind: ExprKind, range: Range) -> Result<Expr> {
        let expr = Expr::new(kind, range);
        if expr.height() > MAX_HEIGHT { Err(self.too_deep()) } else { Ok(expr) }
    }

    fn statement(&mut self, block: &mut Block) -> Result<()> {
        let start = self.range();
        let Symbol::Word(keyword) = self.peek() else { return self.simple_line(block) };
        let kind = match keyword {
            "if" => self.nested(Self::conditional)?,
            "for" => {
                self.next();
                let target = self.targets()?;
                self.expect("in")?;
                let over = self.expressions()?;
                StatementKind::For(Box::new(Loop { target, over }), self.block()?)
            }
            "while" => {
                self.next();
                StatementKind::While(self.test()?, self.block()?)
            }
            "def" => self.definition()?,
            _ => return self.simple_line(block),
        };
        block.push(Statement { kind, range: start.to(self.last()) });
        Ok(())
    }

    fn conditional(&mut self) -> Result<StatementKind> {
        let mut branches = Vec::new();
        self.next();
        branches.push((self.test()?, self.block()?));
        while self.take("elif") {
            branches.push((self.test()?, self.block()?));
        }
        let rest = if self.take("else") { self.block()? } else { Vec::new() };
        Ok(StatementKind::If(branches, rest))
    }

    fn definition(&mut self) -> Result<StatementKind> {
        self.next();
        let name = self.variable()?;
        self.expect("(")?;
        let parameters = self.parameters(")")?;
        self.expect(")")?;
        let body = self.block()?;
        let code = FunctionCode::new(name.name.clone(), self.file, parameters, body);
        Ok(StatementKind::Def(name, Arc::new(code)))
    }

    /// `:` and what belongs to it: the rest of the line, or an indented block.
    fn block(&mut self) -> Result<Block> {
        self.expect(":")?;
        let mut block = Vec::new();
        if self.peek() != Symbol::Newline {
            self.simple_line(&mut block)?;
            return Ok(block);
        }
        self.next();
        if self.peek() != Symbol::Indent {
            return Err(self.unexpected("indent"));
        }
        self.next();
        while self.peek() != Symbol::Dedent {
            if self.peek() == Symbol::End {
                return Err(self.unexpected("outdent"));
            }
            self.nested(|parser| parser.statement(&mut block))?;
        }
        self.next();
        Ok(block)
    }

    /// Statements on one line, separated by semicolons.
    fn simple_line(&mut self, block: &mut Block) -> Result<()> {
        loop {
            let start = self.range();
            let kind = self.small()?;
            block.push(Statement { kind, range: start.to(self.last()) });
            if !self.take(";") || self.peek() == Symbol::Newline {
                break;
            }
        }
        match self.peek() {
            Symbol::Newline => {
                self.next();
                Ok(())
            }
            _ => Err(self.unexpected("newline")),
        }
    }

    fn small(&mut self) -> Result<StatementKind> {
        if let Symbol::Word(keyword) = self.peek() {
            match keyword {
                "return" => {
                    self.next();
                    let ends = matches!(self.peek(), Symbol::Newline | Symbol::Word(";"));
                    return Ok(StatementKind::Return(if ends { None } else { Some(self.expressions()?) }));
                }
                "break" | "continue" | "pass" => {
                    self.next();
                    return Ok(match keyword {
                        "break" => StatementKind::Break,
                        "continue" => StatementKind::Continue,
                        _ => StatementKind::Pass,
                    });
                }
                "load" => return self.load(),
                _ => {}
            }
        }
        let start = self.range();
        let first = self.expressions()?;
        let Symbol::Word(sign) = self.peek() else { return Ok(StatementKind::Expr(first)) };
        if sign == "=" {
            let target = self.target(first)?;
            self.next();
            return Ok(StatementKind::Assign(target, self.expressions()?));
        }
        let update = sign.strip_suffix('=').and_then(Operator::binary).filter(|_| !matches!(sign, "==" | "<=" | ">="));
        let Some((operator, _)) = update else { return Ok(StatementKind::Expr(first)) };
        if matches!(first.kind, ExprKind::List(_) | ExprKind::Tuple(_)) {
            return Err(
                self.failure("can't use list or tuple expression in augmented assignment", start.to(self.last()))
            );
        }
        let target = self.target(first)?;
        self.next();
        Ok(StatementKind::Update(target, operator, self.expressions()?))
    }

    fn load(&mut self) -> Result<StatementKind> {
        self.next();
        self.expect("(")?;
        let Symbol::String(path) = self.peek() else {
            return Err(self.failure("first operand of load statement must be a string literal", self.range()));
        };
        self.next();
        let mut names = Vec::new();
        while self.take(",") {
            if self.sees(")") {
                break;
            }
            let range = self.range();
            match self.peek() {
                Symbol::String(literal) => {
                    self.next();
                    let name = string(literal);
                    // The quotes are not part of the name.
                    let inner = Range { start: range.start + 1, end: range.end.saturating_sub(1).max(range.start + 1) };
                    names.push((Variable { name: name.clone(), range: inner, home: Home::Unknown }, name));
                }
                Symbol::Name(_) => {
                    let variable = self.variable()?;
                    self.expect("=")?;
                    let Symbol::String(literal) = self.peek() else {
                        return Err(self.failure(
                            format!(
                                "original name of loaded symbol must be quoted: {}=\"originalname\"",
                                variable.name
                            ),
                            self.range(),
                        ));
                    };
                    self.next();
                    names.push((variable, string(literal)));
                }
                _ => return Err(self.failure("load operand must be \"name\" or localname=\"name\"", self.range())),
            }
        }
        self.expect(")")?;
        if names.is_empty() {
            return Err(self.failure("load statement must import at least 1 symbol", self.last()));
        }
        Ok(StatementKind::Load(Box::new(Load { path: string(path), names })))
    }

    fn variable(&mut self) -> Result<Variable> {
        let range = self.range();
        match self.peek() {
            Symbol::Name(name) => {
                self.next();
                Ok(Variable { name: SmolStr::new(name), range, home: Home::Unknown })
            }
            _ => Err(self.unexpected("identifier")),
        }
    }

    /// What a loop assigns to: one target, or several.
    fn targets(&mut self) -> Result<AssignTarget> {
        let start = self.range();
        let first = self.primary()?;
        let mut targets = vec![self.target(first)?];
        let mut several = false;
        while self.take(",") {
            several = true;
            if self.sees("in") {
                break;
            }
            let next = self.primary()?;
            targets.push(self.target(next)?);
        }
        match targets.pop() {
            Some(only) if !several => Ok(only),
            last => {
                targets.extend(last);
                Ok(AssignTarget::Several(targets, start.to(self.last())))
            }
        }
    }

    /// The expression as a target of an assignment.
    fn target(&self, expr: Expr) -> Result<AssignTarget> {
        let range = expr.range;
        Ok(match expr.kind {
            ExprKind::Variable(variable) => AssignTarget::Variable(variable),
            ExprKind::Index(parts) => AssignTarget::Index(parts, range),
            ExprKind::Attribute(object, name) => AssignTarget::Attribute(object, name, range),
            ExprKind::List(items) | ExprKind::Tuple(items) => {
                let targets: Result<Vec<AssignTarget>> = items.into_iter().map(|item| self.target(item)).collect();
                AssignTarget::Several(targets?, range)
            }
            _ => return Err(self.failure("can't assign to this expression", range)),
        })
    }

    /// Parameters up to this word, which is not taken.
    fn parameters(&mut self, end: &str) -> Result<Vec<Parameter>> {
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut named_follow = false;
        while !self.sees(end) {
            let range = self.range();
            let parameter = if self.take("*") {
                if named_follow {
                    return Err(self.failure("multiple * parameters not allowed", range));
                }
                named_follow = true;
                if self.sees(",") {
                    self.next();
                    if self.sees(end) || self.sees("**") {
                        return Err(self.failure("bare * must be followed by keyword-only parameters", range));
                    }
                    continue;
                }
                Parameter { name: self.variable()?.name, kind: ParameterKind::Rest, default: None }
            } else if self.take("**") {
                Parameter { name: self.variable()?.name, kind: ParameterKind::Keywords, default: None }
            } else {
                let name = self.variable()?.name;
                let kind = if named_follow { ParameterKind::Named } else { ParameterKind::Plain };
                let default = if self.take("=") { Some(self.test()?) } else { None };
                let optional = |parameter: &Parameter| parameter.kind == kind && parameter.default.is_some();
                if kind == ParameterKind::Plain && default.is_none() && parameters.iter().any(optional) {
                    return Err(self.failure("required parameter may not follow optional", range));
                }
                Parameter { name, kind, default }
            };
            if parameters.last().is_some_and(|last| last.kind == ParameterKind::Keywords) {
                return Err(self.failure("parameter may not follow **", range));
            }
            if parameters.iter().any(|known| known.name == parameter.name) {
                return Err(self.failure(format!("duplicate parameter: {}", parameter.name), range));
            }
            parameters.push(parameter);
            if !self.take(",") {
                break;
            }
        }
        Ok(parameters)
    }
}

/// The value of a string literal.
fn string(literal: &str) -> SmolStr {
    bytes::text(&read_string(literal).spelled).into()
}
