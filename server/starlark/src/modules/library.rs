//! `@ytt:library`: collects what a program passes to a private library; the caller of the evaluator evaluates the
//! library (docs/ytt.md 15).

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use lofting_eval::{
    Call, CodeRange, Data, EvalError, FragmentKind, Given, GivenKind, LibraryAnswer, LibraryFile, LibraryFiles,
    LibraryOptions, LibraryOutput, LibraryRequest,
};
use starlark::environment::FrozenModule;
use starlark::eval::Evaluator;
use starlark::values::Value;

use super::Args;
use crate::convert::{self, Export, Known};
use crate::failure::{LoadFailure, Result, fail};
use crate::format;
use crate::host::Host;
use crate::loaded::LoadingFiles;
use crate::loader::{Home, Loader, no_library};
use crate::messages::place_of;
use crate::object::{Object, ObjectKind};
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

pub(super) fn invoke<'v>(args: Args<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
    if args.name == "library.get" {
        return get(&args, eval);
    }
    let receiver = args.first();
    let Some(object) = Object::from_value(receiver) else { return fail(format!("unknown function {}", args.name)) };
    let ObjectKind::Library(instance) = object.kind() else { return fail(format!("unknown function {}", args.name)) };
    let args = Args { positional: args.positional.iter().skip(1).copied().collect(), ..args };
    match args.name {
        "library.with_data_values" => {
            args.only(&["plain"])?;
            let plain = args.flag("plain", false)?;
            with(&args, object, instance, if plain { GivenKind::PlainValues } else { GivenKind::Values }, eval)
        }
        "library.with_data_values_schema" => {
            args.only(&[])?;
            with(&args, object, instance, GivenKind::Schema, eval)
        }
        "library.eval" => {
            args.exactly(0)?;
            match ask(args.name, object, instance, LibraryOutput::Documents, eval)? {
                LibraryAnswer::Documents(documents) => {
                    Ok(convert::library_documents(&documents, &Host::of(eval)?.sources, eval.heap()))
                }
                LibraryAnswer::Values(_) => fail("library.eval: there are no documents"),
            }
        }
        "library.data_values" => {
            args.exactly(0)?;
            let values = values(args.name, object, instance, eval)?;
            Ok(convert::to_value(&values, eval.heap()))
        }
        "library.export" => export(&args, object, instance, eval),
        _ => fail(format!("unknown function {}", args.name)),
    }
}

fn get<'v>(args: &Args<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
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
        Some(value) => match value.unpack_str() {
            Some(alias) => Some(alias.to_owned()),
            None => return fail(format!("library.get: expected a string, but was {}", format::type_name(value))),
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
    let Some(directory) = Host::of(eval)?.files.find(from, name) else {
        return fail(format!("library.get: {}", no_library(name)));
    };
    let instance = Instance { directory, name: name.to_owned(), alias, options, given: Vec::new() };
    Ok(eval.heap().alloc(Object::new(ObjectKind::Library(Arc::new(instance)), Vec::new())))
}

/// A copy of the library with one more value passed to it.
fn with<'v>(
    args: &Args<'v, '_>,
    object: &Object<'v>,
    instance: &Instance,
    kind: GivenKind,
    eval: &mut Evaluator<'v, '_, '_>,
) -> Result<Value<'v>> {
    args.exactly(1)?;
    let given = args.first();
    let is_documents = Object::from_value(given)
        .is_some_and(|object| matches!(object.kind(), ObjectKind::Fragment(FragmentKind::DocumentSet, _)));
    if is_documents {
        return fail(format!("{}: expected a map or an array, but was a document set", args.name));
    }
    let mut changed = instance.clone();
    changed.given.push((kind, place(eval)?));
    let values = object.values().chain([given]).collect();
    Ok(eval.heap().alloc(Object::new(ObjectKind::Library(Arc::new(changed)), values)))
}

/// Where the running function was called.
fn place(eval: &Evaluator<'_, '_, '_>) -> Result<Option<CodeRange>> {
    let host = Host::of(eval)?;
    Ok((0..eval.call_stack_count())
        .find_map(|depth| eval.call_stack_nth_location(depth))
        .and_then(|span| place_of(&span, &host.sources)))
}

/// The library's final data values, as a struct.
fn values<'v>(name: &str, object: &Object<'v>, instance: &Instance, eval: &mut Evaluator<'v, '_, '_>) -> Result<Data> {
    match ask(name, object, instance, LibraryOutput::Values, eval)? {
        LibraryAnswer::Values(values) => Ok(values),
        LibraryAnswer::Documents(_) => fail(format!("{name}: there are no data values")),
    }
}

fn ask<'v>(
    name: &str,
    object: &Object<'v>,
    instance: &Instance,
    wanted: LibraryOutput,
    eval: &mut Evaluator<'v, '_, '_>,
) -> Result<LibraryAnswer> {
    let host = Host::of(eval)?;
    let failed = |inner: EvalError| {
        let message = format!("{name}: Evaluating library '{}': {}", instance.name, inner.message);
        starlark::Error::new_other(LoadFailure { message, inner })
    };
    let mut export = Export::new(&host.sources, eval.heap(), Some(0));
    let mut given = Vec::new();
    for ((kind, place), value) in instance.given.iter().zip(object.values()) {
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
    let eval = RefCell::new(eval);
    let mut caller = |calls: &[Call]| {
        let mut eval = eval.borrow_mut();
        let known = Known { handles: &handles, ..Known::default() };
        let call = |call: &Call| {
            let value = call_function(known, call, &host.sources, &mut eval)?;
            Export::new(&host.sources, eval.heap(), None).data(value)
        };
        calls.iter().map(call).collect()
    };
    host.files.run(&request, &mut caller).map_err(failed)
}

/// A name that one of the library's loadable files defines; its functions see the library's data values.
fn export<'v>(
    args: &Args<'v, '_>,
    object: &Object<'v>,
    instance: &Instance,
    eval: &mut Evaluator<'v, '_, '_>,
) -> Result<Value<'v>> {
    args.exactly(1)?;
    args.only(&["path"])?;
    let name = args.text(0)?;
    if name.starts_with('_') {
        return fail("library.export: Symbols starting with '_' are private, and cannot be exported");
    }
    let values = values(args.name, object, instance, eval)?;
    let outer = Host::of(eval)?;
    let host = Host {
        files: LoadingFiles::new(outer.files.files),
        sources: outer.sources.clone(),
        data_values: Some(&values),
        values_hash: OnceCell::new(),
        implicit_map_key_overrides: outer.implicit_map_key_overrides,
        proposed: outer.proposed,
        modules: RefCell::default(),
        kept: outer.kept,
        bounds: outer.bounds,
        printed: RefCell::default(),
    };
    let loader = Loader { host: &host, home: Home::of(&instance.directory, &instance.directory), bounds: host.bounds };
    let load = |path: &str| {
        let short = path.strip_prefix(instance.directory.as_str()).unwrap_or(path);
        loader.file(short, path, &instance.directory)
    };
    let mut found: Vec<(String, FrozenModule)> = Vec::new();
    if let Some(path) = args.keyword("path") {
        let Some(path) = path.unpack_str() else {
            return fail(format!("library.export: expected a string, but was {}", format::type_name(path)));
        };
        let path = format!("{}{}", instance.directory, path.trim_start_matches('/'));
        found.push((path.clone(), load(&path)?));
    } else {
        for path in host.files.list(instance.directory.trim_end_matches('/')) {
            if matches!(host.files.library(&path), LibraryFile::Missing | LibraryFile::NotALibrary) {
                continue;
            }
            let module = load(&path)?;
            if module.get(name).is_ok() {
                found.push((path, module));
            }
        }
    }
    match found.as_slice() {
        [(path, module)] => match module.get(name) {
            Ok(value) => Ok(eval.heap().access_owned_frozen_value(&value)),
            Err(_) => fail(format!("library.export: Expected to find symbol '{name}' in file '{path}', but did not")),
        },
        [] => fail(format!("library.export: Expected to find exactly one exported symbol '{name}', but found none")),
        several => {
            let paths: Vec<&str> = several.iter().map(|(path, _)| path.as_str()).collect();
            fail(format!(
                "library.export: Expected to find exactly one exported symbol '{name}', but found multiple across files: {}",
                paths.join(", ")
            ))
        }
    }
}
