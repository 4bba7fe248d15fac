//! `@ytt:library`: collects what a program passes to a private library; the caller of the evaluator evaluates the
//! library (docs/ytt.md 15).

use std::cell::RefCell;
use std::sync::Arc;

use lofting_eval::{
    Call, CodeRange, Data, EvalError, FragmentKind, Given, GivenKind, LibraryAnswer, LibraryFile, LibraryFiles,
    LibraryOptions, LibraryOutput, LibraryRequest,
};
use lofting_interpreter::{Module, Value};

use super::Args;
use crate::convert::{self, Export, Known};
use crate::failure::{LoadFailure, Result, fail, unsupported};
use crate::host::Host;
use crate::loader::{Home, Loader, find_library, no_library};
use crate::messages::place_of;
use crate::object::{ObjectKind, Ours, object};
use crate::run::Run;
use crate::session::call_function;

/// The methods of a library, by short and full name.
pub(crate) const METHODS: [(&str, &str); 5] = [
    ("data_values", "library.data_values"),
    ("eval", "library.eval"),
    ("export", "library.export"),
    ("with_data_values", "library.with_data_values"),
    ("with_data_values_schema", "library.with_data_values_schema"),
];

/// A library with its options; the values passed to it are those of the object.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    directory: String,
    name: String,
    alias: Option<String>,
    options: LibraryOptions,
    given: Vec<(GivenKind, Option<CodeRange>)>,
}

pub(super) fn invoke(args: Args, run: &mut Run<'_, '_, '_>) -> Result<Value> {
    if args.name == "library.get" {
        return get(&args, run);
    }
    let receiver = args.first().clone();
    let Some(library) = Ours::of(&receiver) else { return fail(format!("unknown function {}", args.name)) };
    let ObjectKind::Library(instance) = library.kind else { return fail(format!("unknown function {}", args.name)) };
    let args = Args { positional: args.positional.into_iter().skip(1).collect(), ..args };
    match args.name {
        "library.with_data_values" => {
            args.only(&["plain"])?;
            let plain = args.flag("plain", false)?;
            with(&args, library, instance, if plain { GivenKind::PlainValues } else { GivenKind::Values }, run)
        }
        // ytt ignores its keywords.
        "library.with_data_values_schema" => with(&args, library, instance, GivenKind::Schema, run),
        "library.eval" => {
            args.exactly(0)?;
            match ask(args.name, library, instance, LibraryOutput::Documents, run)? {
                LibraryAnswer::Documents(documents) => Ok(convert::library_documents(&documents, &run.host.sources)),
                LibraryAnswer::Values(_) => fail("library.eval: there are no documents"),
            }
        }
        "library.data_values" => {
            args.exactly(0)?;
            let values = values(args.name, library, instance, run)?;
            Ok(convert::to_value(&values))
        }
        "library.export" => export(&args, library, instance, run),
        _ => fail(format!("unknown function {}", args.name)),
    }
}

fn get(args: &Args, run: &mut Run<'_, '_, '_>) -> Result<Value> {
    args.exactly(1)?;
    args.only(&[
        "alias",
        "ignore_unknown_comments",
        "implicit_map_key_overrides",
        "strict",
        "dangerous_data_values_disable_validation",
    ])?;
    let name = args.text(0)?;
    if let Some(bare) = name.strip_prefix('@') {
        return fail(format!(
            "library.get: Expected library '{name}' to be specified without '@' (hint: use '{bare}')"
        ));
    }
    let alias = match args.keyword("alias") {
        None => None,
        Some(value) => match value.as_text() {
            Some(alias) => Some(alias.to_owned()),
            None => return fail(format!("library.get: expected a string, but was {}", value.type_name())),
        },
    };
    let flag = |name: &str| args.keyword(name).map(|_| args.flag(name, false)).transpose();
    let options = LibraryOptions {
        ignore_unknown_comments: flag("ignore_unknown_comments")?,
        implicit_map_key_overrides: flag("implicit_map_key_overrides")?,
        strict: flag("strict")?,
        disable_validation: flag("dangerous_data_values_disable_validation")?,
    };
    let from = args.home.as_ref().map_or("", |home| home.directory.as_str());
    let directory = match find_library(run.host, from, name) {
        Ok(directory) => directory,
        Err(why) => return fail(format!("library.get: {}", no_library(name, &why))),
    };
    let instance = Instance { directory, name: name.to_owned(), alias, options, given: Vec::new() };
    Ok(object(ObjectKind::Library(Arc::new(instance)), Vec::new()))
}

/// A copy of the library with one more value passed to it.
fn with(
    args: &Args,
    library: Ours<'_>,
    instance: &Instance,
    kind: GivenKind,
    run: &mut Run<'_, '_, '_>,
) -> Result<Value> {
    args.exactly(1)?;
    let given = args.first();
    let is_documents =
        Ours::of(given).is_some_and(|ours| matches!(ours.kind, ObjectKind::Fragment(FragmentKind::DocumentSet, _)));
    if is_documents {
        return fail(format!("{}: expected a map or an array, but was a document set", args.name));
    }
    let mut changed = instance.clone();
    changed.given.push((kind, place(run)));
    let values = library.values.iter().chain([given]).cloned().collect();
    Ok(object(ObjectKind::Library(Arc::new(changed)), values))
}

/// Where the running function was called.
fn place(run: &Run<'_, '_, '_>) -> Option<CodeRange> {
    run.evaluator.called_at().find_map(|place| place_of(place, &run.host.sources))
}

/// The library's final data values, as a struct.
fn values(name: &str, library: Ours<'_>, instance: &Instance, run: &mut Run<'_, '_, '_>) -> Result<Data> {
    match ask(name, library, instance, LibraryOutput::Values, run)? {
        LibraryAnswer::Values(values) => Ok(values),
        LibraryAnswer::Documents(_) => fail(format!("{name}: there are no data values")),
    }
}

fn ask(
    name: &str,
    library: Ours<'_>,
    instance: &Instance,
    wanted: LibraryOutput,
    run: &mut Run<'_, '_, '_>,
) -> Result<LibraryAnswer> {
    let host = run.host;
    let failed = |inner: EvalError| {
        let doing = if name == "library.eval" { "Evaluating" } else { "Exporting from" };
        let message = format!("{name}: {doing} library '{}': {}", instance.name, inner.message);
        LoadFailure::failure(message, inner)
    };
    let mut export = Export::new(&host.sources, Some(0));
    let mut given = Vec::new();
    for ((kind, place), value) in instance.given.iter().zip(library.values) {
        let value = export.data(value).map_err(failed)?;
        given.push(Given { kind: *kind, value, place: place.clone() });
    }
    let handles = export.handles.unwrap_or_default();
    let request = LibraryRequest {
        directory: instance.directory.clone(),
        name: instance.name.clone(),
        alias: instance.alias.clone(),
        options: instance.options,
        given,
        wanted,
    };
    let evaluator = RefCell::new(&mut *run.evaluator);
    let mut caller = |calls: &[Call]| {
        let mut evaluator = evaluator.borrow_mut();
        let known = Known { handles: &handles, ..Known::default() };
        let call = |call: &Call| {
            let value = call_function(known, call, &host.sources, &mut evaluator)?;
            Export::new(&host.sources, None).data(&value)
        };
        calls.iter().map(call).collect()
    };
    host.files.run(&request, &mut caller).map_err(failed)
}

/// A name that one of the library's loadable files defines; its functions see the library's data values.
fn export(args: &Args, library: Ours<'_>, instance: &Instance, run: &mut Run<'_, '_, '_>) -> Result<Value> {
    args.exactly(1)?;
    args.only(&["path"])?;
    let name = args.text(0)?;
    let refused =
        |why: String| fail::<Value>(format!("library.export: Exporting from library '{}': {why}", instance.name));
    if name.starts_with('_') {
        return refused("Symbols starting with '_' are private, and cannot be exported".to_owned());
    }
    let values = values(args.name, library, instance, run)?;
    // ytt looks for the name once the whole library was evaluated, and fails where that fails.
    ask(args.name, library, instance, LibraryOutput::Documents, run)?;
    let outer = run.host;
    let host = Host {
        data_values: Some(&values),
        implicit_map_key_overrides: outer.implicit_map_key_overrides,
        proposed: outer.proposed,
        kept: outer.kept,
        stop: outer.stop,
        ..Host::new(outer.files.files, Arc::clone(&outer.sources), outer.bounds)
    };
    let loader = Loader { host: &host, home: Home::of(&instance.directory, &instance.directory), bounds: host.bounds };
    let load = |path: &str| {
        let short = path.strip_prefix(instance.directory.as_str()).unwrap_or(path);
        loader.file(short, path, &instance.directory)
    };
    let mut found: Vec<(String, Module)> = Vec::new();
    if let Some(path) = args.keyword("path") {
        let Some(path) = path.as_text() else {
            return fail(format!("library.export: expected a string, but was {}", path.type_name()));
        };
        let path = format!("{}{}", instance.directory, path.trim_start_matches('/'));
        found.push((path.clone(), load(&path)?));
    } else {
        let Some(paths) = host.files.list(instance.directory.trim_end_matches('/')) else {
            return unsupported("library.export: it is not known here which files ytt gets");
        };
        for path in paths {
            if matches!(host.files.library(&path), LibraryFile::Missing | LibraryFile::NotALibrary) {
                continue;
            }
            let module = load(&path)?;
            if module.get(name).is_some() {
                found.push((path, module));
            }
        }
    }
    match found.as_slice() {
        [(path, module)] => match module.get(name) {
            Some(value) => {
                run.evaluator.keep(module.clone());
                Ok(value)
            }
            None => refused(format!("Expected to find symbol '{name}' in file '{path}', but did not")),
        },
        [] => refused(format!("Expected to find exported symbol '{name}', but did not")),
        several => {
            let paths: Vec<&str> = several.iter().map(|(path, _)| path.as_str()).collect();
            refused(format!(
                "Expected to find exactly one exported symbol '{name}', but found multiple across files: {}",
                paths.join(", ")
            ))
        }
    }
}
