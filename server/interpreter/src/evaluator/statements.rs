//! Runs statements.

use std::sync::Arc;

use smol_str::SmolStr;

use super::iteration::Iteration;
use super::{Evaluator, Running};
use crate::code::{AssignTarget, Expr, Home, Load, Loop, Operator, Range, Statement, StatementKind, Variable};
use crate::collections::DictKey;
use crate::failure::{Failure, Result, fail};
use crate::module::Module;
use crate::operators;
use crate::value::Value;

/// How a statement ends.
pub(super) enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
}

/// What was meant by a name that a module does not give.
fn missing_in(module: &Module, path: &str, name: &str) -> Option<String> {
    let given: Vec<SmolStr> = module.given().cloned().collect();
    if let ([only], Some(own)) = (given.as_slice(), path.strip_prefix("@ytt:"))
        && only == own
    {
        return Some(format!(
            "this gives the module as a whole: `load(\"{path}\", \"{own}\")`, and `{own}.…` for what is in it"
        ));
    }
    if module.passes_over(name) {
        return Some(format!(
            "this file loads `{name}` itself, which it does not pass on: load it from where it is defined"
        ));
    }
    let near = crate::spelling::nearest(name, given.iter().map(SmolStr::as_str))?;
    Some(format!("did you mean `{near}`?"))
}

impl Evaluator<'_> {
    pub(super) fn block(&mut self, running: &Running<'_>, block: &[Statement]) -> Result<Flow> {
        self.inside(|this| {
            for statement in block {
                this.begun = this.made;
                match this.statement(running, statement)? {
                    Flow::Next => {}
                    flow => return Ok(flow),
                }
            }
            Ok(Flow::Next)
        })
    }

    fn statement(&mut self, running: &Running<'_>, statement: &Statement) -> Result<Flow> {
        match &statement.kind {
            StatementKind::Expr(expr) => {
                self.expr(running, expr)?;
            }
            StatementKind::Assign(target, value) => {
                let value = self.expr(running, value)?;
                self.assign(running, target, value)?;
            }
            StatementKind::Update(target, operator, value) => {
                self.update(running, target, *operator, value, statement.range)?;
            }
            StatementKind::If(branches, rest) => {
                for (condition, body) in branches {
                    if self.expr(running, condition)?.truth() {
                        return self.block(running, body);
                    }
                }
                return self.block(running, rest);
            }
            StatementKind::For(head, body) => return self.for_loop(running, head, body),
            StatementKind::While(condition, body) => {
                while self.expr(running, condition)?.truth() {
                    self.step().map_err(|failure| failure.at(condition.range.of(running.code.file)))?;
                    match self.block(running, body)? {
                        Flow::Next | Flow::Continue => {}
                        Flow::Break => break,
                        flow @ Flow::Return(_) => return Ok(flow),
                    }
                }
            }
            StatementKind::Def(variable, code) => {
                let function = self.function(running, code)?;
                self.set(running, variable, function);
            }
            StatementKind::Return(None) => return Ok(Flow::Return(Value::None)),
            StatementKind::Return(Some(value)) => return Ok(Flow::Return(self.expr(running, value)?)),
            StatementKind::Break => return Ok(Flow::Break),
            StatementKind::Continue => return Ok(Flow::Continue),
            StatementKind::Pass => {}
            StatementKind::Load(load) => {
                self.load(running, load).map_err(|failure| failure.at(statement.range.of(running.code.file)))?;
            }
        }
        Ok(Flow::Next)
    }

    fn for_loop(&mut self, running: &Running<'_>, head: &Loop, body: &[Statement]) -> Result<Flow> {
        let over = self.expr(running, &head.over)?;
        let at = |failure: Failure| failure.at(head.over.range.of(running.code.file));
        let items = Iteration::new(&over).map_err(at)?;
        for item in items {
            self.step().map_err(at)?;
            self.assign(running, &head.target, item)?;
            match self.block(running, body)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => break,
                flow @ Flow::Return(_) => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn load(&mut self, running: &Running<'_>, load: &Load) -> Result<()> {
        let module = self.environment.load(&load.path)?;
        self.keep(module.clone());
        for (variable, name) in &load.names {
            match module.get(name) {
                Some(value) => self.set(running, variable, value),
                None => {
                    let failure = Failure::runtime(format!("load: name {name} not found in module {}", load.path));
                    return Err(match missing_in(&module, &load.path, name) {
                        Some(hint) => failure.with_hint(hint),
                        None => failure,
                    });
                }
            }
        }
        Ok(())
    }

    pub(super) fn set(&mut self, running: &Running<'_>, variable: &Variable, value: Value) {
        match variable.home {
            Home::Local(local) => {
                if let Some(slot) = self.locals.get_mut(running.base + local) {
                    *slot = Some(value);
                }
            }
            Home::Global(global) => running.globals.set(global, value),
            Home::Cell(cell) => {
                if let Some(cell) = running.cells.get(cell) {
                    cell.set(value);
                }
            }
            Home::Unknown => {}
        }
    }

    pub(super) fn assign(&mut self, running: &Running<'_>, target: &AssignTarget, value: Value) -> Result<()> {
        let file = running.code.file;
        match target {
            AssignTarget::Variable(variable) => {
                self.set(running, variable, value);
                Ok(())
            }
            AssignTarget::Index(parts, range) => {
                let object = self.expr(running, &parts.0)?;
                let index = self.expr(running, &parts.1)?;
                self.set_index(&object, &index, value).map_err(|failure| failure.at(range.of(file)))
            }
            AssignTarget::Attribute(object, name, range) => {
                let object = self.expr(running, object)?;
                let message = format!("can't assign to .{name} field of {}", object.type_name());
                Err(Failure::runtime(message).at(range.of(file)))
            }
            AssignTarget::Several(targets, range) => {
                let values = match &value {
                    Value::String(_) => None,
                    Value::Range(range) if range.count > targets.len() => Some(Err(range.count)),
                    value => value.items().ok().map(Ok),
                };
                let given = match values {
                    None => {
                        let message = format!("got {} in sequence assignment", value.type_name());
                        return Err(Failure::runtime(message).at(range.of(file)));
                    }
                    Some(Ok(values)) if values.len() == targets.len() => {
                        for (target, value) in targets.iter().zip(values) {
                            self.assign(running, target, value)?;
                        }
                        return Ok(());
                    }
                    Some(Ok(values)) => values.len(),
                    Some(Err(count)) => count,
                };
                let amount = if given > targets.len() { "many" } else { "few" };
                let message = format!("too {amount} values to unpack (got {given}, want {})", targets.len());
                Err(Failure::runtime(message).at(range.of(file)))
            }
        }
    }

    fn set_index(&mut self, object: &Value, index: &Value, value: Value) -> Result<()> {
        match object {
            Value::Dict(dict) => self.insert(dict, DictKey::new(index.clone())?, value),
            Value::List(list) => {
                let place = operators::place(object, index)?;
                self.adds_to_list(list, std::slice::from_ref(&value))?;
                let before = list.change(|items| items.get_mut(place).map(|item| std::mem::replace(item, value)))?;
                drop(before);
                Ok(())
            }
            _ => fail(format!("{} value does not support item assignment", object.type_name())),
        }
    }

    /// `target operator= value`
    fn update(
        &mut self,
        running: &Running<'_>,
        target: &AssignTarget,
        operator: Operator,
        value: &Expr,
        range: Range,
    ) -> Result<()> {
        let at = |failure: Failure| failure.at(range.of(running.code.file));
        match target {
            AssignTarget::Variable(variable) => {
                let before = self.variable(running, variable).map_err(at)?;
                let value = self.expr(running, value)?;
                let after = self.updated(operator, before, value).map_err(at)?;
                self.set(running, variable, after);
                Ok(())
            }
            AssignTarget::Index(parts, _) => {
                let object = self.expr(running, &parts.0)?;
                let index = self.expr(running, &parts.1)?;
                let before = operators::index(&object, &index).map_err(at)?;
                let value = self.expr(running, value)?;
                let after = self.updated(operator, before, value).map_err(at)?;
                self.set_index(&object, &index, after).map_err(at)
            }
            AssignTarget::Attribute(_, name, _) => fail(format!("can't assign to .{name}")).map_err(at),
            AssignTarget::Several(..) => fail("cannot update several values").map_err(at),
        }
    }

    fn updated(&mut self, operator: Operator, before: Value, value: Value) -> Result<Value> {
        if let (Operator::Add, Value::List(list)) = (operator, &before)
            && let Ok(items) = value.items()
        {
            self.extend(list, items)?;
            return Ok(before);
        }
        let after = operators::binary(operator, &before, &value)?;
        self.made(after)
    }

    /// A function, with the values of its defaults and the variables it captures.
    pub(super) fn function(&mut self, running: &Running<'_>, code: &Arc<crate::code::FunctionCode>) -> Result<Value> {
        let mut defaults = Vec::new();
        for default in code.parameters.iter().filter_map(|parameter| parameter.default.as_ref()) {
            defaults.push(self.expr(running, default)?);
        }
        let captured = code.captures.iter().filter_map(|cell| running.cells.get(*cell).cloned()).collect();
        let data = crate::value::FunctionData {
            code: Arc::clone(code),
            globals: Arc::clone(running.globals),
            defaults: crate::drop::Items(defaults),
            captured,
        };
        self.made(Value::Function(crate::value::Function(Arc::new(data))))
    }
}
