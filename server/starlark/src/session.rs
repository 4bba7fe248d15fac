//! Evaluates templates and calls their functions.

use parking_lot::{Mutex, MutexGuard};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use lofting_eval::{
    Call, Data, EvalError, EvalErrorKind, Evaluated, Evaluation, Fragment, FragmentKind, LibraryFiles, MAX_NESTING,
    NameValue, NoFiles, Outcome,
};
use starlark::environment::{FrozenModule, Module};
use starlark::eval::Evaluator;
use starlark::values::list::{AllocList, ListRef};
use starlark::values::{FrozenHeapName, Heap, Value};

use crate::context::{self, Context};
use crate::convert::{self, Export, Known, cut};
use crate::host::{Host, Sources};
use crate::loaded::{LoadingFiles, LoadedModules};
use crate::loader::{Home, Loader};
use crate::mapped::Mapped;
use crate::object::{Object, ObjectKind};
use crate::rewrite::names;
use crate::{compile, format, loads, lower, messages, modules};

/// The global that keeps functions with a handle alive.
const HANDLES: &str = "handles__";
/// The global that keeps the shared values of calls alive.
const SHARED: &str = "shared__";

/// Limits enforced inside the evaluator. It checks them only from time to time, so the process around it needs limits
/// of its own.
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

/// An evaluation whose functions can be called.
pub struct Session {
    module: FrozenModule,
    made: Mutex<Made>,
    sources: Arc<Sources>,
    bounds: Bounds,
}

/// How many calls may leave functions behind, and how many functions each may leave.
const MAX_MADE: usize = 500;
const MAX_MADE_EACH: u32 = 1 << 12;

/// How many calls share an evaluator.
const ROUND: usize = 1 << 10;
/// Calls share an evaluator only until their values take this many bytes.
const ROUND_HEAP: usize = 4 << 20;

/// Functions that calls created, in annotations of the nodes that they returned.
#[derive(Default)]
struct Made {
    /// For each call, by its hash: the first handle, and the module with the values under [`HANDLES`].
    calls: HashMap<u64, (u32, FrozenModule)>,
}

impl Made {
    /// The first handle for functions that a call creates, computed from the call itself: repeating the call after a
    /// repeated evaluation gives the same handles, and different calls do not share any.
    fn first(&self, shared: &[Data], call: &Call) -> Option<(u64, u32)> {
        let mut hasher = DefaultHasher::new();
        format!("{call:?}{shared:?}").hash(&mut hasher);
        let identity = hasher.finish();
        let first = (1 << 31) | (identity as u32 & 0x7fff_ffff & !(MAX_MADE_EACH - 1));
        let taken = self.calls.iter().any(|(known, (taken, _))| *known != identity && *taken == first);
        (!taken && self.calls.len() < MAX_MADE).then_some((identity, first))
    }

    fn values<'v>(&self, heap: Heap<'v>) -> Vec<(u32, Value<'v>)> {
        let of_call = |(first, module): &(u32, FrozenModule)| {
            let values = list(module, HANDLES, heap).unwrap_or(&[]);
            values.iter().zip(*first..).map(|(value, handle)| (handle, *value)).collect::<Vec<_>>()
        };
        self.calls.values().flat_map(of_call).collect()
    }
}

/// Evaluates a template. There is a session if it succeeded and left functions that can be called.
pub fn evaluate(evaluation: &Evaluation, files: &dyn LibraryFiles, bounds: Bounds) -> (Evaluated, Option<Session>) {
    evaluate_with(evaluation, files, &LoadedModules::default(), bounds)
}

/// Evaluates a template after others, whose modules it uses as long as they would be loaded with the same result.
pub fn evaluate_with(
    evaluation: &Evaluation,
    files: &dyn LibraryFiles,
    kept: &LoadedModules,
    bounds: Bounds,
) -> (Evaluated, Option<Session>) {
    let host = Host {
        files: LoadingFiles::new(files),
        sources: Arc::new(Sources::numbered(&kept.next_file)),
        data_values: evaluation.data_values.as_ref(),
        values_hash: OnceCell::new(),
        implicit_map_key_overrides: evaluation.implicit_map_key_overrides,
        proposed: evaluation.proposed,
        modules: RefCell::default(),
        kept: Some(kept),
        bounds,
        printed: RefCell::default(),
    };
    let program = Arc::new(evaluation.program.clone());
    let file = host.sources.add(&program.path, Some(program.clone()));
    let result = compiled(evaluation, file, bounds, &host.sources)
        .and_then(|mapped| run(&host, file, mapped, Home::of(&program.path, &evaluation.library), bounds));
    let printed = host.printed.take();
    match result {
        Ok((outcome, module)) => {
            let session =
                module.map(|module| Session { module, made: Mutex::default(), sources: host.sources.clone(), bounds });
            (Evaluated { result: Ok(outcome), id: None, printed }, session)
        }
        Err(error) => (Evaluated { result: Err(error), id: None, printed }, None),
    }
}

/// The program that an evaluation runs, in the form that the Starlark crate reads.
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

pub(crate) fn limited<'v, 'a, 'e>(
    module: &'a Module<'v>,
    bounds: Bounds,
) -> std::result::Result<Evaluator<'v, 'a, 'e>, EvalError> {
    let mut eval = Evaluator::new(module);
    // Values of unfinished nodes are not visible to the garbage collector.
    eval.disable_gc();
    let set = eval
        .set_max_tick_count(bounds.ticks)
        .and_then(|()| eval.set_max_heap_size(bounds.heap))
        .and_then(|()| eval.set_max_callstack_size(bounds.depth));
    set.map_err(|error| EvalError::new(EvalErrorKind::Unsupported, error.to_string()))?;
    Ok(eval)
}

/// Runs a program. Its module is kept if functions of it can be called.
fn run(
    host: &Host<'_>,
    file: u32,
    mapped: Mapped,
    home: Home,
    bounds: Bounds,
) -> std::result::Result<(Outcome, Option<FrozenModule>), EvalError> {
    let (mapped, ast) = lower::parse(&file.to_string(), mapped);
    let globals = modules::globals(&mapped.text);
    host.sources.set_mapped(file, Arc::new(mapped));
    let ast = ast.map_err(|error| messages::explain(&error, &host.sources))?;
    let path = host.sources.get(file).map(|source| source.path.to_string()).unwrap_or_default();
    let loader = Loader { host, home, bounds };
    Module::with_temp_heap(|module| {
        module.set_extra_value(module.heap().alloc(Context::with_root()));
        loads::define(&module, &loader.home);
        let (outcome, has_functions) = {
            let mut eval = limited(&module, bounds)?;
            eval.extra = Some(host);
            eval.set_loader(&loader);
            let done = eval.eval_module(ast, &globals).and_then(|_| {
                let text = context::text(&eval)?;
                Ok((context::finish(&mut eval)?, text))
            });
            let (documents, text) = done.map_err(|error| {
                let mut error = messages::explain(&error, &host.sources);
                error.also = undefined(host, file, &loader, bounds, &error);
                error
            })?;
            let mut export = Export::new(&host.sources, module.heap(), Some(0));
            let documents = match export.data(documents)? {
                Data::Fragment(fragment) => fragment,
                _ => Fragment { kind: FragmentKind::Empty, items: Vec::new() },
            };
            let handles = export.handles.unwrap_or_default();
            let names = globals_of(&module);
            let has_functions = !handles.is_empty();
            module.set(HANDLES, module.heap().alloc(AllocList(handles)));
            (Outcome { documents, text, names }, has_functions)
        };
        if !has_functions {
            return Ok((outcome, None));
        }
        // The context cannot be frozen and is no longer needed.
        module.set_extra_value(Value::new_none());
        let frozen = module.freeze_named(FrozenHeapName::User(Box::new(path)));
        let frozen = frozen.map_err(|error| EvalError::new(EvalErrorKind::Unsupported, error.err_msg))?;
        Ok((outcome, Some(frozen)))
    })
}

/// How many undefined names are reported at once.
const MAX_UNDEFINED: usize = 20;
/// How many bytes of code are compiled again to find them. Each name takes another pass, so a long file that has many
/// would otherwise be stopped by the clock before any is reported.
const MAX_COMPILED: usize = 2 << 20;

/// The undefined names of a file after the first one, found by defining each in turn until no further one is reported.
fn undefined(host: &Host<'_>, file: u32, loader: &Loader<'_, '_>, bounds: Bounds, first: &EvalError) -> Vec<EvalError> {
    let name_of = |error: &EvalError| {
        let name = error.message.strip_prefix("undefined: ").filter(|_| error.kind == EvalErrorKind::Name)?;
        Some(if name == "assert" { names::ASSERT } else { name }.to_owned())
    };
    let (Some(name), Some(source)) = (name_of(first), host.sources.get(file)) else { return Vec::new() };
    let mut names = vec![name];
    let mut found: Vec<EvalError> = Vec::new();
    let passes = MAX_COMPILED / source.mapped.text.len().max(1);
    while found.len() < MAX_UNDEFINED.min(passes) {
        let (mapped, ast) = lower::parse_for_names(&file.to_string(), &source.mapped);
        host.sources.set_mapped(file, Arc::new(mapped));
        let Ok(ast) = ast else { break };
        let error = Module::with_temp_heap(|module| {
            loads::define(&module, &loader.home);
            let mut eval = limited(&module, bounds).ok()?;
            eval.extra = Some(host);
            eval.set_loader(loader);
            let error = eval.eval_module(ast, &modules::globals_with(&names)).err()?;
            Some(messages::explain(&error, &host.sources))
        });
        match error.and_then(|error| Some((name_of(&error)?, error))) {
            Some((name, error)) if !names.contains(&name) => {
                names.push(name);
                found.push(error);
            }
            _ => break,
        }
    }
    host.sources.set_mapped(file, source.mapped);
    found
}

fn globals_of(module: &Module<'_>) -> Vec<NameValue> {
    let mut names: Vec<NameValue> = module
        .names_and_visibilities()
        .filter_map(|(name, _)| {
            let name = name.as_str();
            let value = module.get(name)?;
            // The data values are loaded, not defined by the file; see `ProgramWriter::conditional_load`.
            let loaded = Object::from_value(value).is_some_and(|object| match object.kind() {
                ObjectKind::Bag(module, members) => {
                    &**module == "data" && members.first().is_some_and(|name| name == "values")
                }
                _ => false,
            });
            if loaded {
                return None;
            }
            let text = match value.parameters_spec() {
                Some(parameters) if format::type_name(value) == "function" => {
                    format!("{name}({})", parameters.parameters_str())
                }
                // Their fields tell more than ytt's printed form.
                _ => cut(Object::from_value(value).map_or_else(|| format::shown_quoted(value), ToString::to_string)),
            };
            let name = name.replace(names::ASSERT, "assert");
            Some(NameValue { name, type_name: format::type_name(value).to_owned(), text })
        })
        .filter(|value| !value.name.starts_with("__"))
        .collect();
    names.sort_by(|a, b| a.name.cmp(&b.name));
    names
}

impl Session {
    /// Calls functions of the evaluation, in order; arguments may refer to the `shared` values.
    pub fn call(&self, shared: &[Data], calls: &[Call]) -> Vec<std::result::Result<Data, EvalError>> {
        let host = Host {
            files: LoadingFiles::new(&NoFiles),
            sources: self.sources.clone(),
            data_values: None,
            values_hash: OnceCell::new(),
            implicit_map_key_overrides: false,
            proposed: false,
            modules: RefCell::default(),
            kept: None,
            bounds: self.bounds,
            printed: RefCell::default(),
        };
        let given = shared;
        let shared = match shared {
            [] => None,
            shared => match self.share(shared) {
                Ok(module) => Some(module),
                Err(error) => return calls.iter().map(|_| Err(error.clone())).collect(),
            },
        };
        let mut answers = Vec::with_capacity(calls.len());
        while let Some(rest @ [_, ..]) = calls.get(answers.len()..) {
            let before = answers.len();
            if let Err(error) = self.round(&host, given, shared.as_ref(), rest, &mut answers)
                && answers.len() == before
            {
                answers.push(Err(error));
            }
        }
        answers
    }

    fn made(&self) -> MutexGuard<'_, Made> {
        self.made.lock()
    }

    /// The shared values of a batch, created once and frozen.
    fn share(&self, shared: &[Data]) -> std::result::Result<FrozenModule, EvalError> {
        Module::with_temp_heap(|module| {
            let heap = module.heap();
            let handles = list(&self.module, HANDLES, heap)?;
            let made = self.made().values(heap);
            let known = Known { handles, made: &made, shared: &[] };
            let values: Vec<Value<'_>> = shared.iter().map(|data| convert::argument(data, known, heap)).collect();
            module.set(SHARED, heap.alloc(AllocList(values)));
            let frozen = module.freeze_named(FrozenHeapName::User(Box::new(SHARED.to_owned())));
            frozen.map_err(|error| EvalError::new(EvalErrorKind::Unsupported, error.err_msg))
        })
    }

    /// Answers the first call, and the following ones that can share its evaluator, because creating one costs more
    /// than most calls. A call that reaches a limit or leaves functions behind gets an evaluator of its own, since
    /// limits are per call.
    fn round(
        &self,
        host: &Host<'_>,
        given: &[Data],
        shared: Option<&FrozenModule>,
        calls: &[Call],
        answers: &mut Vec<std::result::Result<Data, EvalError>>,
    ) -> std::result::Result<(), EvalError> {
        Module::with_temp_heap(|module| {
            let heap = module.heap();
            let handles = list(&self.module, HANDLES, heap)?;
            let shared = match shared {
                Some(module) => list(module, SHARED, heap)?,
                None => &[],
            };
            let made = self.made().values(heap);
            let known = Known { handles, made: &made, shared };
            let mut left = None;
            {
                let mut eval = limited(&module, self.bounds)?;
                eval.extra = Some(host);
                for (nth, call) in calls.iter().take(ROUND).enumerate() {
                    module.set_extra_value(heap.alloc(Context::with_root()));
                    let mut export = Export::new(&self.sources, heap, Some(0));
                    let value = call_function(known, call, &self.sources, &mut eval);
                    let data = value.and_then(|value| Ok((value, export.data(value)?)));
                    match data {
                        Ok((_, data)) if export.handles.as_ref().is_none_or(Vec::is_empty) => answers.push(Ok(data)),
                        Err(error) if error.kind != EvalErrorKind::Limit => answers.push(Err(error)),
                        _ if nth > 0 => return Ok(()),
                        Err(error) => return Err(error),
                        Ok((value, _)) => {
                            // The call is repeated, now that functions have to be kept.
                            let identity = self.made().first(given, call);
                            let mut export = Export::new(&self.sources, heap, identity.map(|(_, first)| first));
                            answers.push(Ok(export.data(value)?));
                            let values = export.handles.unwrap_or_default();
                            let fits = values.len() <= MAX_MADE_EACH as usize;
                            left = identity.filter(|_| fits).map(|identity| (identity, values));
                            break;
                        }
                    }
                    if heap.allocated_bytes() > ROUND_HEAP {
                        break;
                    }
                }
            }
            if let Some(((identity, first), handles)) = left {
                module.set(HANDLES, heap.alloc(AllocList(handles)));
                module.set_extra_value(Value::new_none());
                let frozen = module.freeze_named(FrozenHeapName::User(Box::new(HANDLES.to_owned())));
                match frozen {
                    Ok(frozen) => drop(self.made().calls.insert(identity, (first, frozen))),
                    Err(error) => {
                        answers.pop();
                        return Err(EvalError::new(EvalErrorKind::Unsupported, error.err_msg));
                    }
                }
            }
            Ok(())
        })
    }
}

/// A list that a module keeps under `name`.
fn list<'v>(module: &FrozenModule, name: &str, heap: Heap<'v>) -> std::result::Result<&'v [Value<'v>], EvalError> {
    let unknown = || EvalError::new(EvalErrorKind::Unavailable, "this function is not known; evaluate again");
    let list = heap.access_owned_frozen_value(&module.get(name).map_err(|_| unknown())?);
    Ok(ListRef::from_value(list).ok_or_else(unknown)?.content())
}

/// Calls a function with a handle, with arguments from a caller.
pub(crate) fn call_function<'v>(
    known: Known<'v, '_>,
    call: &Call,
    sources: &Sources,
    eval: &mut Evaluator<'v, '_, '_>,
) -> std::result::Result<Value<'v>, EvalError> {
    let heap = eval.heap();
    let unknown = || EvalError::new(EvalErrorKind::Unavailable, "this function is not known; evaluate again");
    let mut function = known.callable(call.handle).ok_or_else(unknown)?;
    if let Some(attribute) = &call.attribute {
        let found = function.get_attr(attribute, heap).ok().flatten();
        function = found.ok_or_else(|| {
            let message = format!("{} has no .{attribute} field or method", format::type_name(function));
            EvalError::new(EvalErrorKind::Runtime, message)
        })?;
    }
    let arguments: Vec<Value<'v>> = call.arguments.iter().map(|data| convert::argument(data, known, heap)).collect();
    let result = eval.eval_function(function, &arguments, &[]);
    result.map_err(|error| messages::explain(&error, sources))
}
