//! `load` where the Starlark crate does not allow it: below `if` and `for` (docs/ytt.md 7.5).

use std::ops::Range;

use lofting_eval::{Token, TokenKind};
use starlark::environment::Module;
use starlark::eval::{Evaluator, FileLoader};
use starlark::values::tuple::AllocTuple;
use starlark::values::{Heap, Value};

use crate::context::Context;
use crate::failure::{Result, fail};
use crate::host::Host;
use crate::loader::{Home, Loader};
use crate::mapped::Mapped;
use crate::modules::Args;
use crate::object::{Object, ObjectKind};
use crate::rewrite::names;

/// The name of the function that loads a module when it is called.
pub(crate) const FUNCTION: &str = "__load";

/// `load("file", "a", b="c")` as an assignment `(a, b,) = __load("file", "a", b="c")`. None for any other line, and for
/// an incomplete `load`, which the parser reports.
pub(crate) fn assignment(code: &Mapped, tokens: &[Token]) -> Option<Mapped> {
    let text = |token: &Token| code.text.get(token.range.clone()).unwrap_or("");
    let [load, open, path, rest @ .., close] = tokens else { return None };
    let is_string = |token: &Token| matches!(token.kind, TokenKind::String { closed: true });
    if text(load) != "load" || text(open) != "(" || text(close) != ")" || !is_string(path) {
        return None;
    }
    let mut same: Vec<(Range<usize>, &str, Range<usize>)> = Vec::new();
    let mut renamed: Vec<(Range<usize>, &str, Range<usize>)> = Vec::new();
    let mut rest = rest;
    loop {
        match rest {
            [] => break,
            [comma] if text(comma) == "," => break,
            [comma, name, equals, from, more @ ..]
                if text(comma) == "," && name.kind == TokenKind::Name && text(equals) == "=" && is_string(from) =>
            {
                renamed.push((name.range.clone(), text(name), from.range.clone()));
                rest = more;
            }
            [comma, name, more @ ..] if text(comma) == "," && is_string(name) => {
                // The quotes are not part of the name.
                let inner = name.range.start + 1..name.range.end.checked_sub(1)?;
                same.push((inner.clone(), code.text.get(inner)?, name.range.clone()));
                rest = more;
            }
            _ => return None,
        }
    }
    if same.is_empty() && renamed.is_empty() {
        return None;
    }
    let mut line = Mapped::default();
    line.own("(");
    let local = |line: &mut Mapped, range: &Range<usize>, name: &str| match code
        .origin(range.clone())
        .filter(|_| name == "assert")
    {
        Some((file, origin)) => line.renamed(names::ASSERT, file, origin.start),
        None => line.copy(code, range.clone()),
    };
    for (range, name, _) in same.iter().chain(&renamed) {
        local(&mut line, range, name);
        line.own(", ");
    }
    line.own(") = ");
    line.own(FUNCTION);
    line.own("(");
    line.copy(code, path.range.clone());
    for (.., from) in same {
        line.own(", ");
        line.copy(code, from);
    }
    for (range, name, from) in renamed {
        line.own(", ");
        local(&mut line, &range, name);
        line.own("=");
        line.copy(code, from);
    }
    line.copy(code, close.range.clone());
    Some(line)
}

/// Defines the function in the module of a file at `home`.
pub(crate) fn define<'v>(module: &Module<'v>, home: &Home) {
    let heap = module.heap();
    module.set(FUNCTION, heap.alloc(Object::new(ObjectKind::AtHome(FUNCTION), home.values(heap))));
}

/// `__load("file", "name", local="name", ...)`: the values of the names.
pub(crate) fn invoke<'v>(args: &Args<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
    let host = Host::of(eval)?;
    let Some(home) = args.home.clone() else { return fail("no file is being loaded") };
    let path = args.text(0)?;
    let same = (1..args.positional.len()).map(|index| args.text(index));
    let mut wanted: Vec<&str> = same.collect::<Result<_>>()?;
    let mut locals: Vec<String> = wanted.iter().map(|name| (*name).to_owned()).collect();
    for (local, from) in &args.named {
        locals.push((*local).to_owned());
        wanted.push(from.unpack_str().unwrap_or_default());
    }
    Context::loads(eval, locals);
    let heap: Heap<'v> = eval.heap();
    let loader = Loader { host, home, bounds: host.bounds };
    if path == "@ytt:data" {
        let data = loader.data(heap);
        let values: Result<Vec<_>> = wanted
            .into_iter()
            .map(|name| match name {
                "data" => Ok(data),
                name => fail(format!("load: name {name} not found in module {path}")),
            })
            .collect();
        return Ok(heap.alloc(AllocTuple(values?)));
    }
    let loaded = loader.load(path)?;
    let mut values = Vec::new();
    for name in wanted {
        if name.starts_with('_') {
            return fail(format!("cannot load {path}: names with leading underscores are not exported: {name}"));
        }
        let known = if name == "assert" && path == "@ytt:assert" { names::ASSERT } else { name };
        match loaded.get(known) {
            Ok(value) => values.push(heap.access_owned_frozen_value(&value)),
            Err(_) => return fail(format!("load: name {name} not found in module {path}")),
        }
    }
    Ok(heap.alloc(AllocTuple(values)))
}
