//! Reads expressions.

use std::sync::Arc;

use lofting_eval::{Number, read_number};
use smol_str::SmolStr;

use super::{Parser, string};
use crate::code::{
    AssignTarget, Body, COMPARISON, Call, Clause, Comprehension, Expr, ExprKind, FunctionCode, Operator, Range,
    Statement, StatementKind,
};
use crate::failure::Result;
use crate::integers;
use crate::tokens::Symbol;
use crate::value::Value;

impl Parser<'_> {
    /// One expression, or several as a tuple without parentheses.
    pub(super) fn expressions(&mut self) -> Result<Expr> {
        let first = self.test()?;
        if !self.sees(",") {
            return Ok(first);
        }
        let start = first.range;
        let mut items = vec![first];
        while self.take(",") {
            if !self.begins_expression() {
                break;
            }
            items.push(self.test()?);
        }
        self.made(ExprKind::Tuple(items), start.to(self.last()))
    }

    fn begins_expression(&self) -> bool {
        match self.peek() {
            Symbol::Name(_) | Symbol::String(_) | Symbol::Number(_) => true,
            Symbol::Word(word) => matches!(word, "(" | "[" | "{" | "-" | "+" | "~" | "not" | "lambda"),
            _ => false,
        }
    }

    /// A whole expression, except for tuples without parentheses.
    pub(super) fn test(&mut self) -> Result<Expr> {
        self.nested(Self::conditional_expression)
    }

    fn conditional_expression(&mut self) -> Result<Expr> {
        if self.sees("lambda") {
            return self.lambda(Self::test);
        }
        let value = self.or()?;
        if !self.take("if") {
            return Ok(value);
        }
        let condition = self.or()?;
        if !self.take("else") {
            return Err(self.failure("conditional expression without else clause", value.range.to(self.last())));
        }
        let otherwise = self.test()?;
        let range = value.range.to(otherwise.range);
        self.made(ExprKind::Conditional(Box::new((condition, value, otherwise))), range)
    }

    fn lambda(&mut self, body: impl FnOnce(&mut Self) -> Result<Expr>) -> Result<Expr> {
        let start = self.range();
        self.next();
        let parameters = self.parameters(":")?;
        self.expect(":")?;
        let value = body(self)?;
        let range = start.to(value.range);
        let body = vec![Statement { range: value.range, kind: StatementKind::Return(Some(value)) }];
        self.made(ExprKind::Lambda(Arc::new(FunctionCode::new("lambda".into(), self.file, parameters, body))), range)
    }

    fn or(&mut self) -> Result<Expr> {
        let mut left = self.and()?;
        while self.take("or") {
            let right = self.and()?;
            let range = left.range.to(right.range);
            left = self.made(ExprKind::Or(Box::new((left, right))), range)?;
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Expr> {
        let mut left = self.not()?;
        while self.take("and") {
            let right = self.not()?;
            let range = left.range.to(right.range);
            left = self.made(ExprKind::And(Box::new((left, right))), range)?;
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Expr> {
        if !self.sees("not") {
            return self.binary(COMPARISON);
        }
        let start = self.range();
        self.next();
        let operand = self.nested(Self::not)?;
        let range = start.to(operand.range);
        self.made(ExprKind::Not(Box::new(operand)), range)
    }

    /// Operators that bind at least so strongly.
    fn binary(&mut self, least: u8) -> Result<Expr> {
        let mut left = self.unary()?;
        let mut compared = false;
        loop {
            let Symbol::Word(sign) = self.peek() else { return Ok(left) };
            let not_in = sign == "not" && self.peek_second() == Symbol::Word("in");
            let found = if not_in { Some((Operator::NotIn, COMPARISON)) } else { Operator::binary(sign) };
            let Some((operator, strength)) = found.filter(|(_, strength)| *strength >= least) else { return Ok(left) };
            if strength == COMPARISON && std::mem::replace(&mut compared, true) {
                let message = format!("comparisons cannot be chained: got '{sign}' after another one");
                return Err(self.failure(message, self.range()));
            }
            self.at += 1 + usize::from(not_in);
            let right = self.nested(|parser| parser.binary(strength + 1))?;
            let range = left.range.to(right.range);
            left = self.made(ExprKind::Binary(operator, Box::new((left, right))), range)?;
        }
    }

    fn unary(&mut self) -> Result<Expr> {
        let operator = match self.peek() {
            Symbol::Word("-") => Operator::Subtract,
            Symbol::Word("+") => Operator::Add,
            Symbol::Word("~") => Operator::Invert,
            _ => return self.primary(),
        };
        let start = self.range();
        self.next();
        let operand = self.nested(Self::unary)?;
        let range = start.to(operand.range);
        self.made(ExprKind::Unary(operator, Box::new(operand)), range)
    }

    /// An operand with the attributes, calls and indices after it.
    pub(super) fn primary(&mut self) -> Result<Expr> {
        let start = self.range();
        let mut value = self.operand()?;
        loop {
            if self.take(".") {
                let name = self.variable()?;
                value = self.made(ExprKind::Attribute(Box::new(value), name.name), start.to(name.range))?;
            } else if self.sees("(") {
                let call = self.nested(|parser| parser.call(value))?;
                value = self.made(ExprKind::Call(Box::new(call)), start.to(self.last()))?;
            } else if self.take("[") {
                let kind = self.nested(|parser| parser.subscript(value))?;
                let end = self.expect("]")?;
                value = self.made(kind, start.to(end))?;
            } else {
                return Ok(value);
            }
        }
    }

    fn subscript(&mut self, value: Expr) -> Result<ExprKind> {
        let mut parts = [None, None, None];
        if !self.sees(":") {
            let index = self.expressions()?;
            if !self.sees(":") {
                return Ok(ExprKind::Index(Box::new((value, index))));
            }
            parts[0] = Some(index);
        }
        self.next();
        if !self.sees(":") && !self.sees("]") {
            parts[1] = Some(self.test()?);
        }
        if self.take(":") && !self.sees("]") {
            parts[2] = Some(self.test()?);
        }
        Ok(ExprKind::Slice(Box::new((value, parts))))
    }

    fn call(&mut self, callee: Expr) -> Result<Call> {
        self.next();
        let mut call = Call { callee, positional: Vec::new(), named: Vec::new(), rest: None, keywords: None };
        while !self.sees(")") {
            let start = self.range();
            if self.take("**") {
                if call.keywords.is_some() {
                    return Err(self.failure("multiple **kwargs not allowed", start));
                }
                call.keywords = Some(self.test()?);
            } else if self.take("*") {
                if call.keywords.is_some() {
                    return Err(self.failure("*args may not follow **kwargs", start));
                }
                if call.rest.is_some() {
                    return Err(self.failure("multiple *args not allowed", start));
                }
                call.rest = Some(self.test()?);
            } else if let (Symbol::Name(name), Symbol::Word("=")) = (self.peek(), self.peek_second()) {
                if call.keywords.is_some() {
                    return Err(self.failure("keyword argument may not follow **kwargs", start));
                }
                self.at += 2;
                let name = SmolStr::new(name);
                if call.named.iter().any(|(known, _)| *known == name) {
                    return Err(self.failure(format!("keyword argument {name} repeated"), start));
                }
                call.named.push((name, self.test()?));
            } else {
                let wrong = match (&call.rest, &call.keywords, call.named.is_empty()) {
                    (_, Some(_), _) => Some("argument may not follow **kwargs"),
                    (Some(_), ..) => Some("argument may not follow *args"),
                    (.., false) => Some("positional argument may not follow named"),
                    _ => None,
                };
                if let Some(wrong) = wrong {
                    return Err(self.failure(wrong, start));
                }
                call.positional.push(self.test()?);
            }
            if !self.take(",") {
                break;
            }
        }
        if !self.sees(")") {
            return Err(self.unexpected("',' or ')'"));
        }
        self.next();
        Ok(call)
    }

    fn operand(&mut self) -> Result<Expr> {
        let range = self.range();
        match self.peek() {
            Symbol::Name(_) => {
                let variable = self.variable()?;
                self.made(ExprKind::Variable(variable), range)
            }
            Symbol::Number(text) => {
                self.next();
                let value = match read_number(text) {
                    Number::Int(number) => integers::from_i128(number),
                    Number::Float(number) => Value::Float(number),
                    Number::TooLarge => {
                        let digits = text.get(2..).unwrap_or("");
                        match text.get(..2).unwrap_or("").to_ascii_lowercase().as_str() {
                            "0x" => integers::from_digits(false, digits, 16),
                            "0o" => integers::from_digits(false, digits, 8),
                            "0b" => integers::from_digits(false, digits, 2),
                            _ => integers::from_digits(false, text, 10),
                        }
                        .map_err(|failure| failure.at(range.of(self.file)))?
                    }
                    Number::Invalid => return Err(self.failure(format!("invalid number: {text}"), range)),
                };
                self.made(ExprKind::Constant(value), range)
            }
            Symbol::String(text) => {
                self.next();
                self.made(ExprKind::Constant(Value::String(string(text))), range)
            }
            Symbol::Word("(") => {
                self.next();
                if self.take(")") {
                    return self.made(ExprKind::Tuple(Vec::new()), range.to(self.last()));
                }
                let mut inner = self.nested(Self::expressions)?;
                self.expect(")")?;
                // The parentheses belong to the expression, so that they are part of what an error points at.
                inner.range = range.to(self.last());
                Ok(inner)
            }
            Symbol::Word("[") => self.nested(Self::list),
            Symbol::Word("{") => self.nested(Self::dict),
            _ => Err(self.unexpected("primary expression")),
        }
    }

    fn list(&mut self) -> Result<Expr> {
        let start = self.range();
        self.next();
        if self.take("]") {
            return self.made(ExprKind::List(Vec::new()), start.to(self.last()));
        }
        let first = self.test()?;
        if self.sees("for") {
            return self.comprehension(Body::List(first), start, "]");
        }
        let mut items = vec![first];
        while self.take(",") && !self.sees("]") {
            items.push(self.test()?);
        }
        if !self.sees("]") {
            return Err(self.unexpected("',' or ']'"));
        }
        self.next();
        self.made(ExprKind::List(items), start.to(self.last()))
    }

    fn dict(&mut self) -> Result<Expr> {
        let start = self.range();
        self.next();
        let mut entries = Vec::new();
        while !self.sees("}") {
            let key = self.test()?;
            self.expect(":")?;
            let value = self.test()?;
            if entries.is_empty() && self.sees("for") {
                return self.comprehension(Body::Dict(key, value), start, "}");
            }
            entries.push((key, value));
            if !self.take(",") {
                break;
            }
        }
        if !self.sees("}") {
            return Err(self.unexpected("',' or '}'"));
        }
        self.next();
        self.made(ExprKind::Dict(entries), start.to(self.last()))
    }

    fn comprehension(&mut self, body: Body, start: Range, end: &str) -> Result<Expr> {
        let mut clauses = Vec::new();
        while !self.sees(end) {
            if self.take("for") {
                let target: AssignTarget = self.targets()?;
                self.expect("in")?;
                // A condition after it would otherwise be read as part of the expression.
                clauses.push(Clause::For(target, self.nested(Self::or)?));
            } else if self.take("if") {
                let condition = if self.sees("lambda") { self.lambda(Self::or)? } else { self.nested(Self::or)? };
                clauses.push(Clause::If(condition));
            } else {
                return Err(self.unexpected(&format!("'{end}', 'for' or 'if'")));
            }
        }
        self.next();
        self.made(ExprKind::Comprehension(Box::new(Comprehension { clauses, body })), start.to(self.last()))
    }
}
