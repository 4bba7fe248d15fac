//! Evaluates templates and calls their functions.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use lofting_eval::{
    Call, Data, EvalError, EvalErrorKind, Evaluated, Evaluation, Fragment, LibraryFiles, MAX_NESTING, NameValue,
    NoFiles, Outcome,
};
use lofting_interpreter::{Arguments, Evaluator, Limits, Module, Program, Stop, Value, format};

use crate::context;
use crate::convert::{self, Export, Known, MAX_TEXT, cut};
use crate::host::{Host, Sources};
use crate::kept_portions::KeptPortions;
use crate::loaded::LoadedModules;
use crate::loader::{Home, Loader};
use crate::mapped::Mapped;
use crate::names::Names;
use crate::object::{ObjectKind, Ours};
use crate::programs::Runnable;
use crate::{compile, messages};

/// Limits enforced inside the evaluator. Single operations on large values can take a long time nevertheless, so the process
/// around it needs limits of its own.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Calls and loop iterations of one evaluation or call.
    pub ticks: u64,
    /// Bytes of Starlark values.
    pub heap: usize,
    /// Nested calls.
    pub depth: usize,
    /// Bytes of a file's code.
    pub source: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { ticks: 5_000_000, heap: 128 << 20, depth: MAX_NESTING, source: 1 << 20 }
    }
}

impl Bounds {
    pub(crate) fn limits(self) -> Limits {
        Limits { steps: self.ticks, bytes: self.heap, calls: self.depth }
    }
}

/// An evaluation whose functions can be called.
pub struct Session {
    /// Functions and objects that have a handle.
    handles: Vec<Value>,
    /// What their values live in.
    _module: Module,
    made: Mutex<Made>,
    sources: Arc<Sources>,
    bounds: Bounds,
}

/// How many calls may leave functions behind, and how many functions each may leave.
const MAX_MADE: usize = 500;
const MAX_MADE_EACH: u32 = 1 << 12;

/// Functions that calls created, in annotations of the nodes that they returned.
#[derive(Default)]
struct Made {
    /// For each call, by its hash: the first handle, and the values.
    calls: HashMap<u64, MadeByCall>,
}

struct MadeByCall {
    first: u32,
    values: Vec<Value>,
    /// What the values live in.
    _keeper: Module,
}

impl Made {
    /// The first handle for functions that a call creates, computed from the call itself: repeating the call after a
    /// repeated evaluation gives the same handles, and different calls do not share any.
    fn first(&self, shared: &[Data], call: &Call) -> Option<(u64, u32)> {
        let mut hasher = DefaultHasher::new();
        format!("{call:?}{shared:?}").hash(&mut hasher);
        let identity = hasher.finish();
        let first = (1 << 31) | (identity as u32 & 0x7fff_ffff & !(MAX_MADE_EACH - 1));
        let taken = self.calls.iter().any(|(known, made)| *known != identity && made.first == first);
        (!taken && self.calls.len() < MAX_MADE).then_some((identity, first))
    }

    fn values(&self) -> Vec<(u32, Value)> {
        let of_call = |made: &MadeByCall| {
            made.values.iter().zip(made.first..).map(|(value, handle)| (handle, value.clone())).collect::<Vec<_>>()
        };
        self.calls.values().flat_map(of_call).collect()
    }
}

/// Evaluates a template. There is a session if it succeeded and left functions that can be called.
pub fn evaluate(evaluation: &Evaluation, files: &dyn LibraryFiles, bounds: Bounds) -> (Evaluated, Option<Session>) {
    evaluate_with(evaluation, files, &LoadedModules::default(), bounds, None)
}

/// Evaluates a template after others, whose modules it uses as long as they would be loaded with the same result.
/// `stop` is asked again and again whether to end it.
pub fn evaluate_with(
    evaluation: &Evaluation,
    files: &dyn LibraryFiles,
    kept: &LoadedModules,
    bounds: Bounds,
    stop: Option<Stop<'_>>,
) -> (Evaluated, Option<Session>) {
    let host = Host {
        data_values: evaluation.data_values.as_ref(),
        implicit_map_key_overrides: evaluation.implicit_map_key_overrides,
        proposed: evaluation.proposed,
        kept: Some(kept),
        stop,
        ..Host::new(files, Arc::new(Sources::numbered(&kept.next_file)), bounds)
    };
    let home = Home::of(&evaluation.program.path, &evaluation.library);
    let result = runnable(evaluation, &host, kept).and_then(|runnable| run(&host, &runnable.program, home, bounds));
    let printed = host.printed.take();
    let (result, session) = match result {
        Ok((outcome, session)) => (Ok(outcome), session),
        Err(error) => (Err(error), None),
    };
    (Evaluated { result, id: None, printed }, session)
}

/// The program that an evaluation runs, in the form that the interpreter reads.
///
/// # Errors
///
/// The program cannot be rewritten; the message is the one an evaluation would give.
pub fn rewritten(evaluation: &Evaluation) -> Result<String, EvalError> {
    let sources = Arc::<Sources>::default();
    let file = sources.add(&evaluation.program.path, Some(Arc::new(evaluation.program.clone())));
    compiled(evaluation, file, Bounds::default(), &sources).map(|mapped| mapped.text)
}

fn compiled(evaluation: &Evaluation, file: u32, bounds: Bounds, sources: &Sources) -> Result<Mapped, EvalError> {
    let program = &evaluation.program;
    let size: usize = program.statements.len()
        + program.annotations.iter().map(|a| a.arguments.text.len()).sum::<usize>()
        + evaluation.text.as_ref().map_or(0, String::len);
    if size > bounds.source {
        return Err(EvalError::new(EvalErrorKind::Limit, "this file holds too much code to be evaluated"));
    }
    let compiled = match &evaluation.text {
        Some(text) if evaluation.starlark => compile::starlark(text, file),
        Some(text) => compile::text(text, file),
        None => compile::template(program, file),
    };
    compiled.map_err(|error| messages::explain_rewrite(error, sources))
}

/// The program that an evaluation runs: that of an earlier one with the same code, or a new one.
fn runnable(evaluation: &Evaluation, host: &Host<'_>, kept: &LoadedModules) -> Result<Arc<Runnable>, EvalError> {
    if let Some(known) = kept.programs.find(evaluation, host) {
        return Ok(known);
    }
    let path = &evaluation.program.path;
    let file = host.sources.add(path, Some(Arc::new(evaluation.program.clone())));
    let mapped = compiled(evaluation, file, host.bounds, &host.sources)?;
    let program = Program::new(&mapped.text, file, &Names);
    host.sources.set_mapped(file, Arc::new(mapped));
    let program = program.map_err(|failures| messages::explain_all(&failures, &host.sources))?;
    let gone = || EvalError::new(EvalErrorKind::Unavailable, "the code of this evaluation is no longer known");
    let source = host.sources.get(file).ok_or_else(gone)?;
    let made = Arc::new(Runnable::new(file, source, program, evaluation));
    kept.programs.keep(evaluation, &made);
    Ok(made)
}

/// Runs a program. There is a session if functions of it can be called.
fn run(
    host: &Host<'_>,
    program: &Program,
    home: Home,
    bounds: Bounds,
) -> Result<(Outcome, Option<Session>), EvalError> {
    let loader = Loader { host, home, bounds };
    let mut evaluator = Evaluator::new(&loader, bounds.limits(), host.stop);
    let done = host.in_context(|| {
        let module = evaluator.run(program)?;
        let text = context::text(host)?;
        Ok((module, context::end(host)?, text))
    });
    let explain = |failure: lofting_interpreter::Failure| messages::explain(&failure, &host.sources);
    let (module, ended, text) = done.map_err(explain)?;
    let mut export = Export::new(&host.sources, Some(0));
    let mut documents = Fragment { kind: ended.kind(), items: Vec::new() };
    for value in ended.values(host) {
        if let Data::Fragment(fragment) = export.data(&value.map_err(explain)?)? {
            documents.items.extend(fragment.items);
        }
    }
    let outcome = Outcome { documents, text, names: globals_of(&module), loaded: host.quietly_loaded() };
    let handles = export.handles.unwrap_or_default();
    if handles.is_empty() {
        return Ok((outcome, None));
    }
    module.freeze();
    handles.iter().for_each(Value::freeze);
    let session =
        Session { handles, _module: module, made: Mutex::default(), sources: Arc::clone(&host.sources), bounds };
    Ok((outcome, Some(session)))
}

/// The names that a file defines and loads.
fn globals_of(module: &Module) -> Vec<NameValue> {
    let shown = |(name, value): (lofting_interpreter::SmolStr, Value)| {
        // The data values are loaded, not defined by the file.
        let ours = Ours::of(&value);
        let is_data = ours.is_some_and(|ours| matches!(ours.kind, ObjectKind::Bag(module, _) if &**module == "data"));
        if is_data || name.starts_with("__") {
            return None;
        }
        let text = match &value {
            Value::Function(function) => format!("{name}({})", function.signature()),
            // Their fields tell more than ytt's printed form.
            value => cut(ours.and_then(Ours::detailed).unwrap_or_else(|| format::beginning(value, MAX_TEXT + 1))),
        };
        Some(NameValue { name: name.to_string(), type_name: value.type_name().to_owned(), text })
    };
    let mut names: Vec<NameValue> = module.all().into_iter().filter_map(shown).collect();
    names.sort_by(|a, b| a.name.cmp(&b.name));
    names
}

impl Session {
    /// Calls functions of the evaluation, in order; arguments may refer to the `shared` values and contain `portions`.
    /// `stop` is asked again and again whether to end them.
    pub fn call(
        &self,
        portions: &KeptPortions,
        shared: &[Data],
        calls: &[Call],
        stop: Option<Stop<'_>>,
    ) -> Vec<Result<Data, EvalError>> {
        let host = Host { stop, ..Host::new(&NoFiles, Arc::clone(&self.sources), self.bounds) };
        let loader = Loader { host: &host, home: Home::of("", ""), bounds: self.bounds };
        let made = self.made.lock().values();
        let known = Known { handles: &self.handles, made: &made, shared: &[], portions: Some(portions) };
        let values: Vec<Value> = shared.iter().map(|data| convert::argument(data, known)).collect();
        // Calls share it, so that none may change it.
        values.iter().for_each(Value::freeze);
        let known = Known { shared: &values, ..known };
        let call = |call: &Call| {
            if portions.has_all_of(call) {
                self.one(&loader, known, shared, call)
            } else {
                Err(EvalError::new(EvalErrorKind::Unavailable, "a part of an argument is no longer kept"))
            }
        };
        calls.iter().map(call).collect()
    }

    /// Answers a call; `given` are the shared values as they came.
    fn one(&self, loader: &Loader<'_, '_>, known: Known<'_>, given: &[Data], call: &Call) -> Result<Data, EvalError> {
        let mut evaluator = Evaluator::new(loader, self.bounds.limits(), loader.host.stop);
        let value = loader.host.in_context(|| call_function(known, call, &self.sources, &mut evaluator))?;
        let mut export = Export::new(&self.sources, Some(0));
        let data = export.data(&value)?;
        if export.handles.is_none_or(|handles| handles.is_empty()) {
            return Ok(data);
        }
        // It leaves functions behind, whose handles have to be unique.
        let mut made = self.made.lock();
        let identity = made.first(given, call);
        let mut export = Export::new(&self.sources, identity.map(|(_, first)| first));
        let data = export.data(&value)?;
        let values = export.handles.unwrap_or_default();
        if let Some((identity, first)) = identity.filter(|_| values.len() <= MAX_MADE_EACH as usize) {
            values.iter().for_each(Value::freeze);
            made.calls.insert(identity, MadeByCall { first, values, _keeper: evaluator.keeper() });
        }
        Ok(data)
    }
}

/// Calls a function with a handle, with arguments from a caller.
pub(crate) fn call_function(
    known: Known<'_>,
    call: &Call,
    sources: &Sources,
    evaluator: &mut Evaluator<'_>,
) -> Result<Value, EvalError> {
    let unknown = || EvalError::new(EvalErrorKind::Unavailable, "this function is not known; evaluate again");
    let mut function = known.callable(call.handle).ok_or_else(unknown)?;
    if let Some(attribute) = &call.attribute {
        let found = function.as_object().and_then(|object| object.attribute(attribute));
        function = found.ok_or_else(|| {
            let message = format!("{} has no .{attribute} field or method", function.type_name());
            EvalError::new(EvalErrorKind::Runtime, message)
        })?;
    }
    let positional = call.arguments.iter().map(|data| convert::argument(data, known)).collect();
    let result = evaluator.call(&function, Arguments { positional, named: Vec::new() });
    result.map_err(|failure| messages::explain(&failure, sources))
}
