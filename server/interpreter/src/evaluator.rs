//! Runs code.

mod calls;
mod expressions;
mod iteration;
mod statements;

use std::sync::Arc;

use crate::alive::Count;
use crate::arguments::Arguments;
use crate::code::FunctionCode;
use crate::collections::{Dict, DictKey, List};
use crate::failure::{CodePlace, Failure, FailureKind, Result, limit, too_much_memory};
use crate::module::{Cell, Globals, Module, Region};
use crate::object::Object;
use crate::program::Program;
use crate::value::Value;

/// What running code asks its host for.
pub trait Environment {
    /// The module that `load` names.
    ///
    /// # Errors
    ///
    /// It cannot be loaded.
    fn load(&self, path: &str) -> Result<Module>;

    /// `print`
    fn print(&self, line: String);

    /// Calls a value of the host.
    ///
    /// # Errors
    ///
    /// It is not a function, or the function fails.
    fn call(&self, function: &Object, arguments: Arguments, evaluator: &mut Evaluator<'_>) -> Result<Value>;

    /// Calls `visit` with the values that the host keeps for the code that runs, apart from those of objects. Whether it
    /// could do so now.
    fn held(&self, visit: &mut dyn FnMut(&Value)) -> bool {
        let _ = visit;
        true
    }
}

/// What code may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Calls and rounds of loops.
    pub steps: u64,
    /// Bytes of values that are alive.
    pub bytes: usize,
    /// Calls that run inside each other. A thread with [`lofting_eval::STACK`] bytes of stack has room for 2,000.
    pub calls: usize,
}

/// Whether the host wants an evaluation to end. It is asked often, so it has to be quick.
pub type Stop<'e> = &'e dyn Fn() -> bool;

/// After how many steps the host is asked whether to go on.
const STEPS_BETWEEN: u64 = 16;

/// How deeply statements and expressions may nest, those of all running functions together. Each takes at most 3 KB of
/// stack.
const MAX_LEVELS: usize = 40_000;

/// Fails because the host wants the evaluation to end.
fn interrupted() -> Result<()> {
    Err(Failure::new(FailureKind::Interrupted, "evaluation was stopped: it took too long"))
}

/// Runs the code of a file, and functions of files that ran.
pub struct Evaluator<'e> {
    environment: &'e dyn Environment,
    limits: Limits,
    /// Whether the host wants the evaluation to end.
    stop: Option<Stop<'e>>,
    steps: u64,
    /// At least the bytes of the values that are alive.
    bytes: usize,
    /// The bytes of all values that were made, whether or not they are still used.
    made: usize,
    /// What `made` was when the statement began that runs now, less what was made before and is still used in it.
    begun: usize,
    /// What the statements around it made that they may still use.
    pending: usize,
    levels: usize,
    /// The local variables of all running functions.
    locals: Vec<Option<Value>>,
    /// Where each running function was called; None for those that the host called.
    called_at: Vec<Option<CodePlace>>,
    region: Arc<Region>,
}

/// A running function.
struct Running<'a> {
    code: &'a FunctionCode,
    globals: &'a Arc<Globals>,
    /// Where its local variables begin.
    base: usize,
    /// The variables that it captured, then those that inner functions use.
    cells: Vec<Arc<Cell>>,
}

impl<'e> Evaluator<'e> {
    /// An evaluator in an environment; `stop` can end what it runs.
    pub fn new(environment: &'e dyn Environment, limits: Limits, stop: Option<Stop<'e>>) -> Self {
        Self {
            environment,
            limits,
            stop,
            steps: 0,
            bytes: 0,
            made: 0,
            begun: 0,
            pending: 0,
            levels: 0,
            locals: Vec::new(),
            called_at: Vec::new(),
            region: Arc::default(),
        }
    }

    /// Runs the code of a file.
    ///
    /// # Errors
    ///
    /// It fails, or reaches a limit.
    pub fn run(&mut self, program: &Program) -> Result<Module> {
        let code = &program.code;
        let globals = Arc::new(Globals::new(program.globals.clone()));
        self.region.globals(&globals);
        let base = self.locals.len();
        self.locals.resize(base + code.locals.len(), None);
        let cells = code.shared.iter().map(|_| self.cell(None)).collect();
        let running = Running { code, globals: &globals, base, cells };
        let result = self.block(&running, &code.body);
        self.locals.truncate(base);
        result.map(|_| Module::new(Arc::clone(&globals), program.loaded.clone(), Arc::clone(&self.region)))
    }

    /// Calls a function.
    ///
    /// # Errors
    ///
    /// It is not a function, or it fails.
    pub fn call(&mut self, function: &Value, arguments: Arguments) -> Result<Value> {
        self.call_value(function, arguments, None)
    }

    /// Where the functions that run were called by code, innermost first.
    pub fn called_at(&self) -> impl Iterator<Item = CodePlace> {
        self.called_at.iter().rev().filter_map(|place| *place)
    }

    /// At least the bytes of the values that are alive.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Keeps a module for as long as the values that this evaluator makes: some of them are values of the module.
    pub fn keep(&self, module: Module) {
        self.region.needs(module);
    }

    /// What keeps the values alive that this evaluator makes; see [`Module`].
    pub fn keeper(&self) -> Module {
        Module::new(Arc::default(), Vec::new(), Arc::clone(&self.region))
    }

    pub(crate) fn print(&self, line: String) {
        self.environment.print(line);
    }

    /// A call, or a round of a loop.
    fn step(&mut self) -> Result<()> {
        self.steps += 1;
        if self.steps > self.limits.steps {
            return limit("evaluation was stopped: too many steps");
        }
        if self.steps.is_multiple_of(STEPS_BETWEEN) && self.stop.is_some_and(|stop| stop()) {
            return interrupted();
        }
        Ok(())
    }

    /// Counts bytes of values.
    fn charge(&mut self, bytes: usize) -> Result<()> {
        self.bytes = self.bytes.saturating_add(bytes);
        self.made = self.made.saturating_add(bytes);
        if self.bytes > self.limits.bytes { self.count() } else { Ok(()) }
    }

    /// Counts the values that are alive.
    #[cold]
    fn count(&mut self) -> Result<()> {
        let mut count = Count::default();
        self.locals.iter().flatten().for_each(|value| count.add(value));
        self.region.count(&mut count);
        if !self.environment.held(&mut |value| count.add(value)) {
            return too_much_memory();
        }
        let Some(reached) = count.bytes(self.stop) else { return interrupted() };
        self.bytes = reached.saturating_add(self.pending).saturating_add(self.made - self.begun).min(self.bytes);
        if self.bytes > self.limits.bytes / 4 * 3 { too_much_memory() } else { Ok(()) }
    }

    /// Runs statements inside the one that runs now, which may still use what it made so far.
    fn inside<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let used = self.made.saturating_sub(self.begun);
        self.pending = self.pending.saturating_add(used);
        let result = run(self);
        self.pending = self.pending.saturating_sub(used);
        self.begun = self.made.saturating_sub(used);
        result
    }

    /// Counts a new value.
    fn made(&mut self, value: Value) -> Result<Value> {
        match value.size() {
            0 => {}
            bytes => self.charge(bytes)?,
        }
        Ok(value)
    }

    /// A variable that functions share.
    fn cell(&self, value: Option<Value>) -> Arc<Cell> {
        let cell = Arc::new(Cell::new(value));
        // Functions are assigned to it that refer to it.
        self.region.cell(&cell);
        cell
    }

    /// Values are going to be added to a list.
    pub(crate) fn adds_to_list(&mut self, list: &List, values: &[Value]) -> Result<()> {
        self.charge(std::mem::size_of_val(values))?;
        if values.iter().any(Value::holds_values) && list.suspect() {
            self.region.list(list);
        }
        Ok(())
    }

    /// Adds values to the end of a list.
    pub(crate) fn extend(&mut self, list: &List, values: Vec<Value>) -> Result<()> {
        self.adds_to_list(list, &values)?;
        list.change(|items| items.extend(values))
    }

    /// Gives a key of a dict a value.
    pub(crate) fn insert(&mut self, dict: &Dict, key: DictKey, value: Value) -> Result<()> {
        self.charge(2 * std::mem::size_of::<Value>() + 16)?;
        if value.holds_values() && dict.suspect() {
            self.region.dict(dict);
        }
        let before = dict.change(|entries| entries.insert(key, value))?;
        // Dropped when the dict is free again.
        drop(before);
        Ok(())
    }
}
