//! Calls functions.

use std::sync::Arc;

use smol_str::SmolStr;

use super::statements::Flow;
use super::{Evaluator, MAX_LEVELS, Running};
use crate::arguments::{Arguments, Given};
use crate::attributes;
use crate::code::{Call, Expr, ExprKind, FunctionCode, ParameterKind, Range};
use crate::collections::Dict;
use crate::failure::{CodePlace, Result, fail, limit};
use crate::functions::Builtin;
use crate::object::Object;
use crate::value::{FunctionData, Value};

/// What is called.
enum Callee {
    Value(Value),
    Method(Value, &'static Builtin),
}

impl Evaluator<'_> {
    #[inline(never)]
    pub(super) fn call_expr(&mut self, running: &Running<'_>, call: &Call, range: Range) -> Result<Value> {
        let callee = self.callee(running, &call.callee)?;
        let place = range.of(running.code.file);
        if let Callee::Value(Value::Function(function)) = &callee
            && call.named.is_empty()
            && call.rest.is_none()
            && call.keywords.is_none()
            && takes(&function.0.code, call.positional.len())
        {
            return self.call_directly(running, &Arc::clone(&function.0), &call.positional, place);
        }
        let arguments = self.arguments(running, call)?;
        match callee {
            Callee::Value(value) => self.call_value(&value, arguments, Some(place)),
            Callee::Method(receiver, method) => self.call_builtin(method, &receiver, &arguments, Some(place)),
        }
    }

    fn callee(&mut self, running: &Running<'_>, callee: &Expr) -> Result<Callee> {
        let ExprKind::Attribute(object, name) = &callee.kind else {
            return Ok(Callee::Value(self.expr(running, callee)?));
        };
        let object = self.expr(running, object)?;
        if let Some(method) = attributes::method(&object, name) {
            return Ok(Callee::Method(object, method));
        }
        let value = attributes::attribute(&object, name);
        Ok(Callee::Value(value.map_err(|failure| failure.at(callee.range.of(running.code.file)))?))
    }

    fn arguments(&mut self, running: &Running<'_>, call: &Call) -> Result<Arguments> {
        let mut arguments = Arguments::default();
        arguments.positional.reserve(call.positional.len());
        for argument in &call.positional {
            arguments.positional.push(self.expr(running, argument)?);
        }
        for (name, argument) in &call.named {
            arguments.named.push((name.clone(), self.expr(running, argument)?));
        }
        if let Some(rest) = &call.rest {
            let value = self.expr(running, rest)?;
            let Ok(items) = value.items() else {
                return fail(format!("argument after * must be iterable, not {}", value.type_name()));
            };
            arguments.positional.extend(items);
        }
        if let Some(keywords) = &call.keywords {
            let value = self.expr(running, keywords)?;
            let Some(entries) = value.entries()? else {
                return fail(format!("argument after ** must be a mapping, not {}", value.type_name()));
            };
            for (key, value) in entries {
                let Value::String(name) = key else {
                    return fail(format!("keywords must be strings, not {}", key.type_name()));
                };
                arguments.named.push((name, value));
            }
        }
        Ok(arguments)
    }

    /// Calls a value; `place` is that of the call, if code calls it.
    pub(super) fn call_value(
        &mut self,
        callee: &Value,
        arguments: Arguments,
        place: Option<CodePlace>,
    ) -> Result<Value> {
        match callee {
            Value::Function(function) => self.call_function(&Arc::clone(&function.0), arguments, place),
            Value::Builtin(builtin) => self.call_builtin(builtin, &Value::None, &arguments, place),
            Value::Method(method) => self.call_builtin(method.function, &method.receiver, &arguments, place),
            Value::Object(object) => self.call_object(object, arguments, place),
            _ => fail(format!("invalid call of non-function ({})", callee.type_name())),
        }
    }

    fn enter(&mut self, height: usize, place: Option<CodePlace>) -> Result<()> {
        self.step()?;
        if self.called_at.len() >= self.limits.calls || self.levels + height > MAX_LEVELS {
            return limit("evaluation was stopped: the calls are nested too deeply");
        }
        self.levels += height;
        self.called_at.push(place);
        Ok(())
    }

    fn leave(&mut self, height: usize) {
        self.levels -= height;
        self.called_at.pop();
    }

    #[inline(never)]
    fn call_builtin(
        &mut self,
        builtin: &'static Builtin,
        receiver: &Value,
        arguments: &Arguments,
        place: Option<CodePlace>,
    ) -> Result<Value> {
        self.enter(1, place)?;
        let (values, named) = (arguments.positional.as_slice(), arguments.named.as_slice());
        let given = Given { name: builtin.short(), receiver, values, named };
        let result = (builtin.run)(self, &given);
        self.leave(1);
        let result = result.and_then(|value| self.made(value));
        result.map_err(|failure| failure.leaving(SmolStr::new_static(builtin.name)))
    }

    #[inline(never)]
    fn call_object(&mut self, object: &Object, arguments: Arguments, place: Option<CodePlace>) -> Result<Value> {
        self.enter(1, place)?;
        let result = self.environment.call(object, arguments, self);
        self.leave(1);
        let result = result.and_then(|value| self.made(value));
        result.map_err(|failure| match object.call_name() {
            Some(name) => failure.leaving(name),
            None => failure,
        })
    }

    /// Calls a function whose parameters are all given by position: the values of the arguments are its variables.
    #[inline(never)]
    fn call_directly(
        &mut self,
        running: &Running<'_>,
        function: &Arc<FunctionData>,
        arguments: &[Expr],
        place: CodePlace,
    ) -> Result<Value> {
        let base = self.locals.len();
        for argument in arguments {
            match self.expr(running, argument) {
                Ok(value) => self.locals.push(Some(value)),
                Err(failure) => {
                    self.locals.truncate(base);
                    return Err(failure);
                }
            }
        }
        self.body(function, base, Some(place))
    }

    #[inline(never)]
    fn call_function(
        &mut self,
        function: &Arc<FunctionData>,
        arguments: Arguments,
        place: Option<CodePlace>,
    ) -> Result<Value> {
        let base = self.locals.len();
        match bind(function, arguments) {
            Ok(values) => self.locals.extend(values),
            // The function does not run yet, so it is not among those that the failure leaves.
            Err(failure) => return Err(failure),
        }
        self.body(function, base, place)
    }

    /// Runs a function whose parameters are the last local variables.
    fn body(&mut self, function: &Arc<FunctionData>, base: usize, place: Option<CodePlace>) -> Result<Value> {
        let code = &function.code;
        if let Err(failure) = self.enter(code.height, place) {
            self.locals.truncate(base);
            return Err(failure);
        }
        self.locals.resize(base + code.locals.len(), None);
        let mut cells = Vec::new();
        if !code.captures.is_empty() || !code.shared.is_empty() {
            cells.extend(function.captured.iter().cloned());
            for shared in &code.shared {
                let value = self.locals.get_mut(base + shared).and_then(Option::take);
                cells.push(self.cell(value));
            }
        }
        let running = Running { code, globals: &function.globals, base, cells };
        let before = self.made;
        let result = self.block(&running, &code.body);
        // What it returns is still used, and that may refer to all that it made.
        self.begun -= match &result {
            Ok(Flow::Return(value)) if !value.holds_values() => value.size(),
            Ok(Flow::Return(_)) => self.made - before,
            _ => 0,
        }
        .min(self.begun);
        self.locals.truncate(base);
        self.leave(code.height);
        match result {
            Ok(Flow::Return(value)) => Ok(value),
            Ok(_) => Ok(Value::None),
            Err(failure) => Err(failure.leaving(code.name.clone())),
        }
    }
}

/// Whether a function can be called with so many values and nothing else.
fn takes(code: &FunctionCode, values: usize) -> bool {
    code.parameters.len() == values && code.parameters.iter().all(|parameter| parameter.kind == ParameterKind::Plain)
}

/// The values of a function's parameters.
fn bind(function: &FunctionData, arguments: Arguments) -> Result<Vec<Option<Value>>> {
    let code = &function.code;
    let name = &code.name;
    let Arguments { positional, named } = arguments;
    let of_kind = |kind| code.parameters.iter().filter(move |parameter| parameter.kind == kind);
    let plain = of_kind(ParameterKind::Plain).count();
    let rest = of_kind(ParameterKind::Rest).next().is_some();
    if positional.len() > plain && !rest {
        let given = positional.len();
        if code.parameters.is_empty() {
            return fail(format!("function {name} accepts no arguments ({given} given)"));
        }
        let optional = of_kind(ParameterKind::Plain).any(|parameter| parameter.default.is_some());
        let (most, plural) = (if optional { "at most " } else { "" }, if plain == 1 { "" } else { "s" });
        return fail(format!("function {name} accepts {most}{plain} positional argument{plural} ({given} given)"));
    }
    let mut values: Vec<Option<Value>> = vec![None; code.parameters.len()];
    let mut positional = positional.into_iter();
    for (slot, parameter) in values.iter_mut().zip(&code.parameters) {
        match parameter.kind {
            ParameterKind::Plain => *slot = positional.next(),
            ParameterKind::Rest => *slot = Some(Value::tuple(positional.by_ref().collect())),
            ParameterKind::Named | ParameterKind::Keywords => {}
        }
    }
    let mut keywords: Vec<(Value, Value)> = Vec::new();
    let mut extra: std::collections::HashSet<SmolStr> = std::collections::HashSet::new();
    let collects = of_kind(ParameterKind::Keywords).next().is_some();
    for (key, value) in named {
        let by_name = |parameter: &crate::code::Parameter| {
            matches!(parameter.kind, ParameterKind::Plain | ParameterKind::Named) && parameter.name == key
        };
        match code.parameters.iter().position(by_name).and_then(|place| values.get_mut(place)) {
            Some(Some(_)) => return fail(format!("function {name} got multiple values for parameter \"{key}\"")),
            Some(slot) => *slot = Some(value),
            None if !collects => {
                return fail(format!("function {name} got an unexpected keyword argument \"{key}\""));
            }
            None if !extra.insert(key.clone()) => {
                return fail(format!("function {name} got multiple values for parameter \"{key}\""));
            }
            None => keywords.push((Value::String(key), value)),
        }
    }
    let mut defaults = function.defaults.iter();
    let mut missing = Vec::new();
    for (slot, parameter) in values.iter_mut().zip(&code.parameters) {
        let default = parameter.default.as_ref().and_then(|_| defaults.next());
        match parameter.kind {
            ParameterKind::Keywords => *slot = Some(Value::Dict(Dict::of(std::mem::take(&mut keywords))?)),
            _ if slot.is_some() => {}
            _ => match default {
                Some(default) => *slot = Some(default.clone()),
                None => missing.push(parameter.name.as_str()),
            },
        }
    }
    if missing.is_empty() {
        return Ok(values);
    }
    let plural = if missing.len() == 1 { "" } else { "s" };
    fail(format!("function {name} missing {} argument{plural} ({})", missing.len(), missing.join(", ")))
}
