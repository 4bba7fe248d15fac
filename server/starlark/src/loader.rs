//! `load`: built-in modules, files of the library, and files of its private libraries (docs/ytt.md 7.5).

use std::sync::Arc;

use lofting_eval::{Data, EvalError, LibraryFile, LibraryFiles};
use starlark::environment::{FrozenModule, Module};
use starlark::eval::FileLoader;
use starlark::values::{FrozenHeapName, Heap, Value};

use crate::context::Context;
use crate::failure::{LoadFailure, Result, error, fail, limit};
use crate::host::Host;
use crate::loaded::{Key, Loaded};
use crate::object::{Object, ObjectKind};
use crate::rewrite::{RewriteError, names};
use crate::session::limited;
use crate::{Bounds, compile, convert, loads, lower, messages, modules};

/// What the paths in a file are relative to. Both directories are empty or end in a slash.
#[derive(Clone, Debug)]
pub(crate) struct Home {
    /// Its directory.
    pub(crate) directory: String,
    /// The directory of its library.
    pub(crate) library: String,
}

impl Home {
    /// The home of the file at `path` in the library at `library`.
    pub(crate) fn of(path: &str, library: &str) -> Home {
        let directory = path.rfind('/').and_then(|at| path.get(..=at)).unwrap_or("");
        Home { directory: directory.to_owned(), library: library.to_owned() }
    }

    /// Resolves a path that code in the file names.
    pub(crate) fn resolve(&self, path: &str) -> String {
        match path.strip_prefix('/') {
            Some(absolute) => format!("{}{absolute}", self.library),
            None => format!("{}{path}", self.directory),
        }
    }

    /// The two directories as values, for functions that take paths.
    pub(crate) fn values<'v>(&self, heap: Heap<'v>) -> Vec<Value<'v>> {
        [&self.directory, &self.library].into_iter().map(|text| heap.alloc_str(text).to_value()).collect()
    }

    /// Reads [`Home::values`] back.
    pub(crate) fn of_values(directory: Value<'_>, library: Value<'_>) -> Home {
        let text = |value: Value<'_>| value.unpack_str().unwrap_or("").to_owned();
        Home { directory: text(directory), library: text(library) }
    }
}

/// Loads the modules that a file names.
pub(crate) struct Loader<'a, 'h> {
    pub(crate) host: &'a Host<'h>,
    pub(crate) home: Home,
    pub(crate) bounds: Bounds,
}

impl FileLoader for Loader<'_, '_> {
    fn load(&self, path: &str) -> Result<FrozenModule> {
        if let Some(name) = path.strip_prefix("@ytt:") {
            return self.builtin(name);
        }
        let Some(reference) = path.strip_prefix('@') else {
            if path.split('/').any(|part| part == PRIVATE) {
                return fail(format!(
                    "cannot load {path}: Expected to find file '{path}', but did not: Encountered private library '{PRIVATE}' \
                     (hint: load it as '@LIBRARY:FILE')"
                ));
            }
            return self.file(path, &self.home.resolve(path), &self.home.library);
        };
        let Some((name, inner)) = reference.split_once(':') else {
            return fail(format!("cannot load {path}: Expected library path to be in format '@name:path'"));
        };
        let Some(library) = self.host.files.find(&self.home.directory, name) else {
            return fail(format!("cannot load {path}: {}", no_library(name)));
        };
        self.file(path, &format!("{library}{}", inner.trim_start_matches('/')), &library)
    }
}

/// The module without names that its file loaded and does not define.
fn without(module: &FrozenModule, loaded: &[String], path: &str) -> Result<FrozenModule> {
    Module::with_temp_heap(|own| {
        for name in module.names().filter(|name| !loaded.iter().any(|loaded| loaded == name.as_str())) {
            if let Ok(value) = module.get(name.as_str()) {
                own.set(name.as_str(), own.heap().access_owned_frozen_value(&value));
            }
        }
        Ok(own.freeze_named(FrozenHeapName::User(Box::new(path.to_owned())))?)
    })
}

/// The directory with private libraries; paths cannot lead through it (docs/ytt.md 7.5).
const PRIVATE: &str = "_ytt_lib";

/// The message for an unknown private library.
pub(crate) fn no_library(name: &str) -> String {
    format!(
        "Expected to find library '{name}', but there is no directory '_ytt_lib/{name}' beside this file (hint: only \
         files included via -f flag are available)"
    )
}

impl Loader<'_, '_> {
    /// A function whose paths are relative to the file that loads its module.
    fn at_home<'v>(&self, name: &'static str, heap: Heap<'v>) -> Value<'v> {
        heap.alloc(Object::new(ObjectKind::AtHome(name), self.home.values(heap)))
    }

    fn bag<'v>(&self, module: &str, members: &[&str], values: Vec<Value<'v>>, heap: Heap<'v>) -> Value<'v> {
        let members: Vec<String> = members.iter().map(|&name| name.to_owned()).collect();
        heap.alloc(Object::new(ObjectKind::Bag(module.into(), members.into()), values))
    }

    /// The module `@ytt:data`, made for each evaluation because it holds the data values.
    pub(crate) fn data<'v>(&self, heap: Heap<'v>) -> Value<'v> {
        let empty = Data::Struct(Vec::new());
        let values = convert::to_value(self.host.data_values.unwrap_or(&empty), heap);
        let members = vec![values, self.at_home("data.list", heap), self.at_home("data.read", heap)];
        self.bag("data", &["values", "list", "read"], members, heap)
    }

    fn builtin(&self, name: &str) -> Result<FrozenModule> {
        let Some(known) = modules::find(name, self.host.proposed) else {
            return fail(format!(
                "cannot load @ytt:{name}: builtin ytt library does not have module '{name}' (hint: is it available in newer version of ytt?)"
            ));
        };
        Module::with_temp_heap(|module| {
            let heap = module.heap();
            let value = match known {
                "data" => self.data(heap),
                "library" => self.bag(known, &["get"], vec![self.at_home("library.get", heap)], heap),
                _ => heap.alloc(Object::new(ObjectKind::Module(known), Vec::new())),
            };
            module.set(if known == "assert" { names::ASSERT } else { name }, value);
            Ok(module.freeze_named(FrozenHeapName::User(Box::new(format!("@ytt:{name}"))))?)
        })
    }

    /// The module at the path `resolved` in the library at `library`; `path` is what code calls it.
    pub(crate) fn file(&self, path: &str, resolved: &str, library: &str) -> Result<FrozenModule> {
        match self.host.modules.borrow().get(resolved) {
            Some(Some(loaded)) => {
                self.host.files.loaded(loaded);
                return Ok(loaded.module.clone());
            }
            Some(None) => {
                let chain = self.host.files.chain();
                return fail(format!("cannot load {path}: cycle in load graph ({chain} -> {resolved})"));
            }
            None => {}
        }
        let kept = self.host.kept.map(|kept| (kept, Key::new(resolved, library, self.host)));
        if let Some(found) = kept.as_ref().and_then(|(kept, key)| kept.find(key, self.host)) {
            self.host.files.loaded(&found);
            return Ok(found.module.clone());
        }
        self.host.modules.borrow_mut().insert(resolved.to_owned(), None);
        self.host.files.begin(resolved);
        let (module, number, bytes) = match self.run(path, resolved, library) {
            Ok(done) => done,
            Err(error) => {
                self.host.files.give_up();
                self.host.modules.borrow_mut().remove(resolved);
                return Err(error);
            }
        };
        let loaded = Arc::new(Loaded::new(module.clone(), number, self.host));
        self.host.files.loaded(&loaded);
        self.host.modules.borrow_mut().insert(resolved.to_owned(), Some(loaded.clone()));
        if let Some((kept, key)) = kept {
            kept.keep(key, loaded, bytes);
        }
        Ok(module)
    }

    /// Compiles and runs a file: its module, its number, and the bytes of its values.
    fn run(&self, path: &str, resolved: &str, library: &str) -> Result<(FrozenModule, u32, usize)> {
        let file = self.host.files.library(resolved);
        let program = match &file {
            LibraryFile::Template(program) => Some(Arc::new((**program).clone())),
            _ => None,
        };
        let number = self.host.sources.add(resolved, program.clone());
        let compiled = match &file {
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
                return limit(format!("cannot load {path}: it holds too much code to be evaluated"));
            }
            LibraryFile::Starlark(text) => compile::starlark(text, number),
            LibraryFile::Text(text) => compile::text(text, number),
            LibraryFile::Template(program) => compile::template(program, number),
        };
        let wrapped = |inner: EvalError| {
            let message = format!("cannot load {path}: {}", inner.message);
            starlark::Error::new_other(LoadFailure { message, inner })
        };
        let mapped =
            compiled.map_err(|error: RewriteError| wrapped(messages::explain_rewrite(error, &self.host.sources)))?;
        let (mapped, ast) = lower::parse(&number.to_string(), mapped);
        let globals = modules::globals(&mapped.text);
        self.host.sources.set_mapped(number, Arc::new(mapped));
        let ast = ast.map_err(|error| wrapped(messages::explain(&error, &self.host.sources)))?;
        let loader = Loader { host: self.host, home: Home::of(resolved, library), bounds: self.bounds };
        let (frozen, loaded, bytes) = Module::with_temp_heap(|module| -> Result<_> {
            module.set_extra_value(module.heap().alloc(Context::with_root()));
            loads::define(&module, &loader.home);
            let loaded = {
                let mut eval = limited(&module, self.bounds).map_err(|inner| error(inner.message))?;
                eval.extra = Some(self.host);
                eval.set_loader(&loader);
                let done = eval.eval_module(ast, &globals);
                done.map_err(|error| wrapped(messages::explain(&error, &self.host.sources)))?;
                Context::loaded(&eval)
            };
            module.set_extra_value(Value::new_none());
            let bytes = module.heap().allocated_bytes();
            Ok((module.freeze_named(FrozenHeapName::User(Box::new(resolved.to_owned())))?, loaded, bytes))
        })?;
        let module = if loaded.is_empty() { frozen } else { without(&frozen, &loaded, resolved)? };
        Ok((module, number, bytes))
    }
}
