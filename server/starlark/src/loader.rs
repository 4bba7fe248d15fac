//! `load`: built-in modules, files of the library, and files of its private libraries (docs/ytt.md 7.5).

use std::fmt;
use std::result::Result as StdResult;
use std::sync::Arc;

use lofting_eval::{Data, EvalError, LibraryFile, LibraryFiles};
use lofting_interpreter::{Evaluator, Module, Program, SmolStr, Value};

use crate::failure::{LoadFailure, Result, fail, limit};
use crate::host::Host;
use crate::loaded::{Key, Loaded};
use crate::names::Names;
use crate::object::{ObjectKind, object};
use crate::rewrite::RewriteError;
use crate::{Bounds, compile, convert, messages, modules};

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

    /// The path inside ytt of a file that code names, or why there is none.
    pub(crate) fn file(&self, path: &str) -> StdResult<String, Unreachable> {
        let (from, below) = self.beginning(path);
        let directories = below.rsplit_once('/').map(|(directories, _)| directories);
        directories.map_or(Ok(()), passable)?;
        Ok(format!("{from}{below}"))
    }

    /// The path inside ytt of a directory that code names, or why there is none.
    pub(crate) fn folder(&self, path: &str) -> StdResult<String, Unreachable> {
        let (from, below) = self.beginning(path);
        if below.is_empty() {
            return Ok(from.trim_end_matches('/').to_owned());
        }
        passable(below)?;
        Ok(format!("{from}{below}"))
    }

    /// The directory in which a path begins, and the rest of the path.
    fn beginning<'p>(&self, path: &'p str) -> (&str, &'p str) {
        match path.strip_prefix('/') {
            Some(absolute) => (&self.library, absolute),
            None => (&self.directory, path),
        }
    }

    /// The two directories as values, for functions that take paths.
    fn values(&self) -> Vec<Value> {
        vec![Value::text(&self.directory), Value::text(&self.library)]
    }

    /// Reads [`Home::values`] back.
    pub(crate) fn of_values(directory: &Value, library: &Value) -> Home {
        let text = |value: &Value| value.as_text().unwrap_or("").to_owned();
        Home { directory: text(directory), library: text(library) }
    }
}

/// Loads the modules that a file names.
pub(crate) struct Loader<'a, 'h> {
    pub(crate) host: &'a Host<'h>,
    pub(crate) home: Home,
    pub(crate) bounds: Bounds,
}

impl Loader<'_, '_> {
    /// The module that a `load` names.
    pub(crate) fn module(&self, path: &str) -> Result<Module> {
        if let Some(name) = path.strip_prefix("@ytt:") {
            return self.builtin(name);
        }
        let Some(reference) = path.strip_prefix('@') else {
            return match self.home.file(path) {
                Ok(resolved) => self.file(path, &resolved, &self.home.library),
                Err(why) => fail(format!(
                    "cannot load {path}: {} (hint: files of private libraries are loaded as '@LIBRARY:FILE')",
                    no_file(path, &why)
                )),
            };
        };
        let Some((name, inner)) = reference.split_once(':') else {
            return fail(format!("cannot load {path}: Expected library path to be in format '@name:path'"));
        };
        let library = match find_library(self.host, &self.home.directory, name) {
            Ok(library) => library,
            Err(why) => return fail(format!("cannot load {path}: {}", no_library(name, &why))),
        };
        match Home::of(&library, &library).file(inner) {
            Ok(resolved) => self.file(path, &resolved, &library),
            Err(why) => fail(format!("cannot load {path}: {}", no_file(inner, &why))),
        }
    }
}

/// The directory with private libraries; paths cannot lead through it (docs/ytt.md 7.5).
const PRIVATE: &str = "_ytt_lib";

/// Why no directories lead to what code names.
#[derive(Clone, Debug)]
pub(crate) enum Unreachable {
    /// One has an empty name, as after a slash at the end.
    NoName,
    /// One is that of private libraries, which is closed.
    Private,
    /// There is no library of this name.
    NoLibrary(String),
}

impl fmt::Display for Unreachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreachable::NoName => {
                f.write_str("Did not find '' (hint: a path has no slash at its end, and no two in a row)")
            }
            Unreachable::Private => write!(f, "Encountered private library '{PRIVATE}'"),
            Unreachable::NoLibrary(name) => write!(
                f,
                "there is no directory '{PRIVATE}/{name}' beside this file (hint: only files included via -f flag are \
                 available)"
            ),
        }
    }
}

impl std::error::Error for Unreachable {}

/// Whether a path can lead through these directories. If not, why.
fn passable(directories: &str) -> StdResult<(), Unreachable> {
    let closed = directories.split('/').find_map(|part| match part {
        "" => Some(Unreachable::NoName),
        PRIVATE => Some(Unreachable::Private),
        _ => None,
    });
    closed.map_or(Ok(()), Err)
}

/// The message for a file to which no directories lead.
pub(crate) fn no_file(path: &str, why: &Unreachable) -> String {
    format!("Expected to find file '{path}', but did not: {why}")
}

/// The message for a library to which no directories lead.
pub(crate) fn no_library(name: &str, why: &Unreachable) -> String {
    let but = if matches!(why, Unreachable::NoLibrary(_)) { "but" } else { "but did not:" };
    format!("Expected to find library '{name}', {but} {why}")
}

/// The directory of the private library `name` beside the files of the directory `from`, or why there is none.
pub(crate) fn find_library(host: &Host<'_>, from: &str, name: &str) -> StdResult<String, Unreachable> {
    passable(name)?;
    host.files.find(from, name).ok_or_else(|| Unreachable::NoLibrary(name.to_owned()))
}

impl Loader<'_, '_> {
    /// A function whose paths are relative to the file that loads its module.
    fn at_home(&self, name: &'static str) -> Value {
        object(ObjectKind::AtHome(name), self.home.values())
    }

    /// The module `@ytt:data`, made for each file because it holds the data values, which each may change.
    fn data(&self) -> Value {
        let empty = Data::Struct(Vec::new());
        let values = convert::to_value(self.host.data_values.unwrap_or(&empty));
        bag("data", &["values", "list", "read"], vec![values, self.at_home("data.list"), self.at_home("data.read")])
    }

    fn builtin(&self, name: &str) -> Result<Module> {
        let Some(known) = modules::find(name, self.host.proposed) else {
            return fail(format!(
                "cannot load @ytt:{name}: builtin ytt library does not have module '{name}' (hint: is it available in newer version of ytt?)"
            ));
        };
        let value = match known {
            "data" => self.data(),
            "library" => bag(known, &["get"], vec![self.at_home("library.get")]),
            _ => object(ObjectKind::Module(known), Vec::new()),
        };
        Ok(Module::of([(SmolStr::new(name), value)]))
    }

    /// The module at the path `resolved` in the library at `library`; `path` is what code calls it.
    pub(crate) fn file(&self, path: &str, resolved: &str, library: &str) -> Result<Module> {
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
    fn run(&self, path: &str, resolved: &str, library: &str) -> Result<(Module, u32, usize)> {
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
        let wrapped = |inner: EvalError| LoadFailure::of_file(path, inner);
        let mapped =
            compiled.map_err(|error: RewriteError| wrapped(messages::explain_rewrite(error, &self.host.sources)))?;
        let program = Program::new(&mapped.text, number, &Names);
        self.host.sources.set_mapped(number, Arc::new(mapped));
        let program = program.map_err(|failures| wrapped(messages::explain_all(&failures, &self.host.sources)))?;
        let loader = Loader { host: self.host, home: Home::of(resolved, library), bounds: self.bounds };
        let mut evaluator = Evaluator::new(&loader, self.bounds.limits(), self.host.stop);
        let module = self.host.in_context(|| evaluator.run(&program));
        let module = module.map_err(|failure| wrapped(messages::explain(&failure, &self.host.sources)))?;
        module.freeze();
        Ok((module, number, evaluator.bytes()))
    }
}

fn bag(module: &str, members: &[&'static str], values: Vec<Value>) -> Value {
    let members: Vec<SmolStr> = members.iter().map(|name| SmolStr::new_static(name)).collect();
    object(ObjectKind::Bag(module.into(), members.into()), values)
}
