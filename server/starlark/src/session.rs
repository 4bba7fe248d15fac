//! Evaluating templates and calling their functions.

use std::cell::RefCell;
use std::sync::Arc;

use lofting_eval::{
    Call, Data, EvalError, EvalErrorKind, Evaluated, Evaluation, Fragment, FragmentKind, LibraryFile, LibraryFiles,
    NameValue, NoFiles, Outcome,
};
use starlark::environment::{FrozenModule, Globals, Module};
use starlark::eval::{Evaluator, FileLoader};
use starlark::values::list::{AllocList, ListRef};
use starlark::values::{FrozenHeapName, Value};

use crate::context::{self, Context};
use crate::convert::{self, Export, cut};
use crate::failure::{LoadFailure, Result, error, fail};
use crate::host::{Host, Sources};
use crate::mapped::Mapped;
use crate::object::{Kind, Object};
use crate::rewrite::{RewriteError, names};
use crate::{compile, format, lower, messages, modules};

/// The global that keeps functions with a handle alive.
const HANDLES: &str = "handles__";

/// Bounds kept inside the evaluator: looked at now and then, so the process around it needs bounds of its own.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Calls and loop turns of one evaluation or call.
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
        Self { ticks: 5_000_000, heap: 128 << 20, depth: 400, source: 1 << 20 }
    }
}

/// An evaluation whose functions can be called.
pub struct Session {
    module: FrozenModule,
    sources: Arc<Sources>,
    globals: Globals,
    bounds: Bounds,
}

/// Evaluates a template. The session is there if it succeeded.
pub fn evaluate(evaluation: &Evaluation, files: &dyn LibraryFiles, bounds: Bounds) -> (Evaluated, Option<Session>) {
    let host = Host {
        files,
        sources: Arc::default(),
        data_values: evaluation.data_values.as_ref(),
        implicit_map_key_overrides: evaluation.implicit_map_key_overrides,
        globals: modules::globals(),
        modules: RefCell::default(),
        printed: RefCell::default(),
    };
    let program = Arc::new(evaluation.program.clone());
    let file = host.sources.add(&program.path, Some(program.clone()));
    let size: usize =
        program.statements.len() + program.annotations.iter().map(|a| a.arguments.text.len()).sum::<usize>();
    let result = if size > bounds.source {
        Err(EvalError::new(EvalErrorKind::Limit, "this file holds too much code to be evaluated"))
    } else {
        match compile::template(&program, file) {
            Err(error) => Err(messages::explain_rewrite(error, &host.sources)),
            Ok(mapped) => run(&host, file, mapped, &program.path, bounds),
        }
    };
    let printed = host.printed.take();
    match result {
        Ok((outcome, module)) => {
            let session = Session { module, sources: host.sources.clone(), globals: host.globals.clone(), bounds };
            (Evaluated { result: Ok(outcome), id: None, printed }, Some(session))
        }
        Err(error) => (Evaluated { result: Err(error), id: None, printed }, None),
    }
}

fn limited<'v, 'a, 'e>(
    module: &'a Module<'v>,
    bounds: Bounds,
) -> std::result::Result<Evaluator<'v, 'a, 'e>, EvalError> {
    let mut eval = Evaluator::new(module);
    // Values of nodes under construction are held outside of what the collector knows as roots.
    eval.disable_gc();
    let set = eval
        .set_max_tick_count(bounds.ticks)
        .and_then(|()| eval.set_max_heap_size(bounds.heap))
        .and_then(|()| eval.set_max_callstack_size(bounds.depth));
    set.map_err(|error| EvalError::new(EvalErrorKind::Unsupported, error.to_string()))?;
    Ok(eval)
}

fn run(
    host: &Host<'_>,
    file: u32,
    mapped: Mapped,
    path: &str,
    bounds: Bounds,
) -> std::result::Result<(Outcome, FrozenModule), EvalError> {
    let (mapped, ast) = lower::parse(&file.to_string(), mapped);
    host.sources.set_mapped(file, Arc::new(mapped));
    let ast = ast.map_err(|error| messages::explain(&error, &host.sources))?;
    let loader = Loader { host, directory: directory(path), bounds };
    Module::with_temp_heap(|module| {
        module.set_extra_value(module.heap().alloc(Context::with_root()));
        let outcome = {
            let mut eval = limited(&module, bounds)?;
            eval.extra = Some(host);
            eval.set_loader(&loader);
            let done = eval.eval_module(ast, &host.globals).and_then(|_| context::finish(&mut eval));
            let documents = done.map_err(|error| messages::explain(&error, &host.sources))?;
            let mut export = Export::new(&host.sources, true);
            let documents = match export.data(documents)? {
                Data::Fragment(fragment) => fragment,
                _ => Fragment { kind: FragmentKind::Empty, items: Vec::new() },
            };
            let handles = export.handles.unwrap_or_default();
            let names = globals_of(&module);
            module.set(HANDLES, module.heap().alloc(AllocList(handles)));
            Outcome { documents, names }
        };
        // The context can not be frozen and is no longer needed.
        module.set_extra_value(Value::new_none());
        let frozen = module.freeze_named(FrozenHeapName::User(Box::new(path.to_owned())));
        let frozen = frozen.map_err(|error| EvalError::new(EvalErrorKind::Unsupported, error.err_msg))?;
        Ok((outcome, frozen))
    })
}

fn globals_of(module: &Module<'_>) -> Vec<NameValue> {
    let mut names: Vec<NameValue> = module
        .names_and_visibilities()
        .filter_map(|(name, _)| {
            let name = name.as_str();
            let value = module.get(name)?;
            let text = match value.parameters_spec() {
                Some(parameters) if format::type_name(value) == "function" => {
                    format!("{name}({})", parameters.parameters_str())
                }
                _ => cut(format::repr(value)),
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
    /// Calls functions of the evaluation, in order.
    pub fn call(&self, calls: &[Call]) -> Vec<std::result::Result<Data, EvalError>> {
        let host = Host {
            files: &NoFiles,
            sources: self.sources.clone(),
            data_values: None,
            implicit_map_key_overrides: false,
            globals: self.globals.clone(),
            modules: RefCell::default(),
            printed: RefCell::default(),
        };
        calls.iter().map(|call| self.call_one(&host, call)).collect()
    }

    fn call_one(&self, host: &Host<'_>, call: &Call) -> std::result::Result<Data, EvalError> {
        Module::with_temp_heap(|module| {
            let unknown = || EvalError::new(EvalErrorKind::Unavailable, "this function is not known; evaluate again");
            let heap = module.heap();
            module.set_extra_value(heap.alloc(Context::with_root()));
            let handles = self.module.get(HANDLES).map_err(|_| unknown())?;
            let handles = heap.access_owned_frozen_value(&handles);
            let function =
                ListRef::from_value(handles).and_then(|list| list.content().get(call.handle as usize).copied());
            let mut function = function.ok_or_else(unknown)?;
            if let Some(attribute) = &call.attribute {
                let found = function.get_attr(attribute, heap).ok().flatten();
                function = found.ok_or_else(|| {
                    let message = format!("{} has no .{attribute} field or method", format::type_name(function));
                    EvalError::new(EvalErrorKind::Runtime, message)
                })?;
            }
            let arguments: Vec<Value<'_>> = call.arguments.iter().map(|data| convert::to_value(data, heap)).collect();
            let mut eval = limited(&module, self.bounds)?;
            eval.extra = Some(host);
            let result = eval.eval_function(function, &arguments, &[]);
            let value = result.map_err(|error| messages::explain(&error, &self.sources))?;
            Export::new(&self.sources, false).data(value)
        })
    }
}

/// The directory of a path inside ytt, empty or ending in a slash.
fn directory(path: &str) -> String {
    path.rfind('/').and_then(|at| path.get(..=at)).unwrap_or("").to_owned()
}

struct Loader<'a, 'h> {
    host: &'a Host<'h>,
    directory: String,
    bounds: Bounds,
}

impl FileLoader for Loader<'_, '_> {
    fn load(&self, path: &str) -> Result<FrozenModule> {
        if let Some(name) = path.strip_prefix("@ytt:") {
            return self.builtin(name);
        }
        let resolved = match path.strip_prefix('/') {
            Some(absolute) => absolute.to_owned(),
            None if path.starts_with('@') => path.to_owned(),
            None => format!("{}{path}", self.directory),
        };
        match self.host.modules.borrow().get(&resolved) {
            Some(Some(module)) => return Ok(module.clone()),
            Some(None) => return fail(format!("cannot load {path}: cycle in load graph")),
            None => {}
        }
        self.host.modules.borrow_mut().insert(resolved.clone(), None);
        let module = self.file(path, &resolved);
        match &module {
            Ok(module) => self.host.modules.borrow_mut().insert(resolved, Some(module.clone())),
            Err(_) => self.host.modules.borrow_mut().remove(&resolved),
        };
        module
    }
}

impl Loader<'_, '_> {
    fn builtin(&self, name: &str) -> Result<FrozenModule> {
        let Some(known) = modules::find(name) else {
            return fail(format!(
                "cannot load @ytt:{name}: builtin ytt library does not have module '{name}' (hint: is it available in newer version of ytt?)"
            ));
        };
        Module::with_temp_heap(|module| {
            let heap = module.heap();
            let value = if known == "data" {
                // Made for this evaluation: it holds the data values.
                let empty = Data::Struct(Vec::new());
                let values = convert::to_value(self.host.data_values.unwrap_or(&empty), heap);
                let function = |name| heap.alloc(Object::new(Kind::Builtin(name), Vec::new()));
                let members = ["values", "list", "read"].map(str::to_owned);
                let kind = Kind::Bag("data".into(), members.into());
                heap.alloc(Object::new(kind, vec![values, function("data.list"), function("data.read")]))
            } else {
                heap.alloc(Object::new(Kind::Module(known), Vec::new()))
            };
            module.set(if known == "assert" { names::ASSERT } else { known }, value);
            Ok(module.freeze_named(FrozenHeapName::User(Box::new(format!("@ytt:{name}"))))?)
        })
    }

    fn file(&self, path: &str, resolved: &str) -> Result<FrozenModule> {
        let library = self.host.files.library(resolved);
        let program = match &library {
            LibraryFile::Template(program) => Some(Arc::new((**program).clone())),
            _ => None,
        };
        let file = self.host.sources.add(resolved, program.clone());
        let compiled = match &library {
            LibraryFile::Missing => {
                return fail(format!(
                    "cannot load {path}: Expected to find file '{path}' (hint: only files included via -f flag are available)"
                ));
            }
            LibraryFile::NotALibrary => {
                return fail(format!(
                    "cannot load {path}: Expected file '{path}' to be a library file, but was not (hint: library filename must end with '.lib.yml' or '.star'; use data.read(...) for loading non-templated file contents)"
                ));
            }
            LibraryFile::Starlark(text) | LibraryFile::Text(text) if text.len() > self.bounds.source => {
                return crate::failure::limit(format!("cannot load {path}: it holds too much code to be evaluated"));
            }
            LibraryFile::Starlark(text) => compile::starlark(text, file),
            LibraryFile::Text(text) => compile::text(text, file),
            LibraryFile::Template(program) => compile::template(program, file),
        };
        let wrapped = |inner: EvalError| {
            let message = format!("cannot load {path}: {}", inner.message);
            starlark::Error::new_other(LoadFailure { message, inner })
        };
        let mapped =
            compiled.map_err(|error: RewriteError| wrapped(messages::explain_rewrite(error, &self.host.sources)))?;
        let (mapped, ast) = lower::parse(&file.to_string(), mapped);
        self.host.sources.set_mapped(file, Arc::new(mapped));
        let ast = ast.map_err(|error| wrapped(messages::explain(&error, &self.host.sources)))?;
        let loader = Loader { host: self.host, directory: directory(resolved), bounds: self.bounds };
        Module::with_temp_heap(|module| {
            module.set_extra_value(module.heap().alloc(Context::with_root()));
            {
                let mut eval = limited(&module, self.bounds).map_err(|inner| error(inner.message))?;
                eval.extra = Some(self.host);
                eval.set_loader(&loader);
                let done = eval.eval_module(ast, &self.host.globals);
                done.map_err(|error| wrapped(messages::explain(&error, &self.host.sources)))?;
            }
            module.set_extra_value(Value::new_none());
            Ok(module.freeze_named(FrozenHeapName::User(Box::new(resolved.to_owned())))?)
        })
    }
}
