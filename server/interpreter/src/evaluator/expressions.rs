//! Evaluates expressions.

use super::iteration::Iteration;
use super::{Evaluator, Running};
use crate::attributes;
use crate::code::{Body, Clause, Comprehension, Expr, ExprKind, Home, Variable};
use crate::collections::{Dict, DictKey};
use crate::failure::{Failure, Result, fail};
use crate::format::shown_quoted;
use crate::operators;
use crate::value::Value;

impl Evaluator<'_> {
    pub(super) fn expr(&mut self, running: &Running<'_>, expr: &Expr) -> Result<Value> {
        match &expr.kind {
            ExprKind::Constant(value) => Ok(value.clone()),
            ExprKind::Variable(variable) => {
                self.variable(running, variable).map_err(|failure| failure.at(expr.range.of(running.code.file)))
            }
            ExprKind::Binary(operator, parts) => {
                let left = self.expr(running, &parts.0)?;
                let right = self.expr(running, &parts.1)?;
                let value = operators::binary(*operator, &left, &right).and_then(|value| self.made(value));
                value.map_err(|failure| failure.at(expr.range.of(running.code.file)))
            }
            ExprKind::Call(call) => self
                .call_expr(running, call, expr.range)
                .map_err(|failure| failure.at(expr.range.of(running.code.file))),
            ExprKind::Attribute(..) | ExprKind::Index(_) | ExprKind::Slice(_) => {
                self.part(running, expr).map_err(|failure| failure.at(expr.range.of(running.code.file)))
            }
            ExprKind::And(parts) => {
                let left = self.expr(running, &parts.0)?;
                if left.truth() { self.expr(running, &parts.1) } else { Ok(left) }
            }
            ExprKind::Or(parts) => {
                let left = self.expr(running, &parts.0)?;
                if left.truth() { Ok(left) } else { self.expr(running, &parts.1) }
            }
            ExprKind::Not(operand) => Ok(Value::Bool(!self.expr(running, operand)?.truth())),
            ExprKind::Conditional(parts) => {
                let truth = self.expr(running, &parts.0)?.truth();
                self.expr(running, if truth { &parts.1 } else { &parts.2 })
            }
            _ => self.larger(running, expr),
        }
    }

    /// What makes collections and functions.
    #[inline(never)]
    fn larger(&mut self, running: &Running<'_>, expr: &Expr) -> Result<Value> {
        let at = |failure: Failure| failure.at(expr.range.of(running.code.file));
        let value = match &expr.kind {
            ExprKind::Unary(operator, operand) => {
                let operand = self.expr(running, operand)?;
                operators::unary(*operator, &operand).map_err(at)?
            }
            ExprKind::List(items) => Value::list(self.all(running, items)?),
            ExprKind::Tuple(items) => Value::tuple(self.all(running, items)?),
            ExprKind::Dict(entries) => self.dict(running, entries)?,
            ExprKind::Comprehension(comprehension) => self.comprehension(running, comprehension)?,
            ExprKind::Lambda(code) => return self.function(running, code),
            _ => Value::None,
        };
        self.made(value).map_err(at)
    }

    fn all(&mut self, running: &Running<'_>, items: &[Expr]) -> Result<Vec<Value>> {
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            values.push(self.expr(running, item)?);
        }
        Ok(values)
    }

    pub(super) fn variable(&self, running: &Running<'_>, variable: &Variable) -> Result<Value> {
        let (value, kind) = match variable.home {
            Home::Local(local) => (self.locals.get(running.base + local).cloned().flatten(), "local"),
            Home::Global(global) => (running.globals.get(global), "global"),
            Home::Cell(cell) => (running.cells.get(cell).and_then(|cell| cell.get()), "local"),
            Home::Unknown => (None, ""),
        };
        match value {
            Some(value) => Ok(value),
            None => fail(format!("{kind} variable {} referenced before assignment", variable.name)),
        }
    }

    /// The value of a local variable, without cloning it.
    pub(super) fn peek(&self, running: &Running<'_>, expr: &Expr) -> Option<&Value> {
        match &expr.kind {
            ExprKind::Variable(Variable { home: Home::Local(local), .. }) => {
                self.locals.get(running.base + local)?.as_ref()
            }
            _ => None,
        }
    }

    /// An attribute, an item or a slice of a value.
    #[inline(never)]
    fn part(&mut self, running: &Running<'_>, expr: &Expr) -> Result<Value> {
        match &expr.kind {
            ExprKind::Attribute(object, name) => match self.peek(running, object) {
                Some(object) => attributes::attribute(object, name),
                None => attributes::attribute(&self.expr(running, object)?, name),
            },
            ExprKind::Index(parts) => {
                if let ExprKind::Constant(index) = &parts.1.kind
                    && let Some(object) = self.peek(running, &parts.0)
                {
                    return operators::index(object, index);
                }
                let object = self.expr(running, &parts.0)?;
                let index = self.expr(running, &parts.1)?;
                operators::index(&object, &index)
            }
            ExprKind::Slice(parts) => {
                let object = self.expr(running, &parts.0)?;
                let mut bounds = [None, None, None];
                for (bound, part) in bounds.iter_mut().zip(&parts.1) {
                    if let Some(part) = part {
                        *bound = Some(self.expr(running, part)?);
                    }
                }
                let value = operators::slice(&object, bounds)?;
                self.made(value)
            }
            _ => Ok(Value::None),
        }
    }

    fn dict(&mut self, running: &Running<'_>, entries: &[(Expr, Expr)]) -> Result<Value> {
        let mut made = crate::collections::Entries::default();
        for (key, value) in entries {
            let at = |failure: Failure| failure.at(key.range.of(running.code.file));
            let name = DictKey::new(self.expr(running, key)?).map_err(at)?;
            let value = self.expr(running, value)?;
            if made.contains_key(&name) {
                return fail(format!("duplicate key: {}", shown_quoted(name.value()))).map_err(at);
            }
            made.insert(name, value);
        }
        Ok(Value::Dict(Dict::from_entries(made)))
    }

    fn comprehension(&mut self, running: &Running<'_>, comprehension: &Comprehension) -> Result<Value> {
        let mut made = match &comprehension.body {
            Body::List(_) => Made::List(Vec::new()),
            Body::Dict(..) => Made::Dict(crate::collections::Entries::default()),
        };
        self.clauses(running, comprehension, 0, &mut made)?;
        Ok(match made {
            Made::List(items) => Value::list(items),
            Made::Dict(entries) => Value::Dict(Dict::from_entries(entries)),
        })
    }

    /// Recursion follows the clauses that are written.
    fn clauses(
        &mut self,
        running: &Running<'_>,
        comprehension: &Comprehension,
        clause: usize,
        made: &mut Made,
    ) -> Result<()> {
        match comprehension.clauses.get(clause) {
            Some(Clause::If(condition)) => {
                if self.expr(running, condition)?.truth() {
                    self.clauses(running, comprehension, clause + 1, made)?;
                }
                Ok(())
            }
            Some(Clause::For(target, over)) => {
                let at = |failure: Failure| failure.at(over.range.of(running.code.file));
                let value = self.expr(running, over)?;
                for item in Iteration::new(&value).map_err(at)? {
                    self.step().map_err(at)?;
                    self.assign(running, target, item)?;
                    self.clauses(running, comprehension, clause + 1, made)?;
                }
                Ok(())
            }
            None => {
                self.charge(std::mem::size_of::<Value>())?;
                match (&comprehension.body, made) {
                    (Body::List(item), Made::List(items)) => items.push(self.expr(running, item)?),
                    (Body::Dict(key, value), Made::Dict(entries)) => {
                        let name = self.expr(running, key)?;
                        let name = DictKey::new(name).map_err(|failure| failure.at(key.range.of(running.code.file)))?;
                        entries.insert(name, self.expr(running, value)?);
                    }
                    _ => {}
                }
                Ok(())
            }
        }
    }
}

/// The collection that a comprehension makes.
enum Made {
    List(Vec<Value>),
    Dict(crate::collections::Entries),
}
