//! Attributes and methods as ytt has them, where the Starlark crate differs.

use starlark::eval::Evaluator;
use starlark::values::list::AllocList;
use starlark::values::{Heap, Value};

use super::Args;
use crate::failure::{Result, fail};
use crate::format;
use crate::object::{Kind, Object};

/// String methods done here: offsets are bytes, characters are strings, printing is ytt's.
const METHODS: [(&str, &str); 15] = [
    ("codepoints", "string.codepoints"),
    ("codepoint_ords", "string.codepoint_ords"),
    ("elem_ords", "string.elem_ords"),
    ("elems", "string.elems"),
    ("find", "string.find"),
    ("index", "string.index"),
    ("rfind", "string.rfind"),
    ("rindex", "string.rindex"),
    ("format", "string.format"),
    ("count", "string.count"),
    ("join", "string.join"),
    ("partition", "string.partition"),
    ("rpartition", "string.rpartition"),
    ("rsplit", "string.rsplit"),
    ("split", "string.split"),
];

/// The methods that ytt has (ytt-semantics 18); the Starlark crate has more.
fn methods(type_name: &str) -> Option<&'static [&'static str]> {
    Some(match type_name {
        "string" => &[
            "capitalize",
            "codepoint_ords",
            "codepoints",
            "count",
            "elem_ords",
            "elems",
            "endswith",
            "find",
            "format",
            "index",
            "isalnum",
            "isalpha",
            "isdigit",
            "islower",
            "isspace",
            "istitle",
            "isupper",
            "join",
            "lower",
            "lstrip",
            "partition",
            "replace",
            "rfind",
            "rindex",
            "rpartition",
            "rsplit",
            "rstrip",
            "split",
            "splitlines",
            "startswith",
            "strip",
            "title",
            "upper",
        ],
        "list" => &["append", "clear", "extend", "index", "insert", "pop", "remove"],
        "dict" => &["clear", "get", "items", "keys", "pop", "popitem", "setdefault", "update", "values"],
        "set" => &["union"],
        _ => return None,
    })
}

/// The names of a value's attributes, sorted: what `dir` gives.
pub(super) fn names(value: Value<'_>) -> Vec<String> {
    let mut names = match methods(format::type_name(value)) {
        Some(methods) => methods.iter().map(|&name| name.to_owned()).collect(),
        None => value.dir_attr(),
    };
    names.sort();
    names
}

/// One byte of a string, counted from the end if negative.
pub(crate) fn byte<'v>(text: &str, at: i32, heap: Heap<'v>) -> Result<Value<'v>> {
    let length = text.len() as i64;
    let from = if at < 0 { length + i64::from(at) } else { i64::from(at) };
    match usize::try_from(from).ok().filter(|from| *from < text.len()) {
        Some(from) => part(text.as_bytes().get(from..=from).unwrap_or(&[]), heap),
        None => fail(format!("string index {at} out of range [{}:{}]", -length, length - 1)),
    }
}

/// `text[start:stop:stride]`, counted in bytes.
pub(crate) fn slice<'v>(text: &str, bounds: [Option<Value<'v>>; 3], heap: Heap<'v>) -> Result<Value<'v>> {
    let number = |value: Option<Value<'v>>| match value.filter(|value| !value.is_none()) {
        None => Ok(None),
        Some(value) => match value.unpack_i32() {
            Some(number) => Ok(Some(i64::from(number))),
            None => fail(format!("invalid slice index: got {}, want int", format::type_name(value))),
        },
    };
    let [start, stop, stride] = bounds;
    let (start, stop, stride) = (number(start)?, number(stop)?, number(stride)?.unwrap_or(1));
    if stride == 0 {
        return fail("zero is not a valid slice step");
    }
    let length = text.len() as i64;
    let (least, most) = if stride > 0 { (0, length) } else { (-1, length - 1) };
    let bound = |given: Option<i64>, default: i64| {
        given.map_or(default, |at| (if at < 0 { at + length } else { at }).clamp(least, most))
    };
    let (first, last) = if stride > 0 { (least, most) } else { (most, least) };
    let (mut at, end) = (bound(start, first), bound(stop, last));
    let mut bytes = Vec::new();
    while if stride > 0 { at < end } else { at > end } {
        bytes.extend(usize::try_from(at).ok().and_then(|at| text.as_bytes().get(at)));
        at += stride;
    }
    part(&bytes, heap)
}

/// Bytes of a string as a string: only whole characters are text here, whatever ytt does with the rest.
fn part<'v>(bytes: &[u8], heap: Heap<'v>) -> Result<Value<'v>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(heap.alloc_str(text).to_value()),
        Err(_) => crate::failure::unsupported("a part of a character can not be evaluated here"),
    }
}

/// `value.name`
pub(super) fn attribute<'v>(value: Value<'v>, name: &str, heap: Heap<'v>) -> Result<Value<'v>> {
    if value.unpack_str().is_some()
        && let Some((_, full)) = METHODS.iter().find(|(method, _)| *method == name)
    {
        return Ok(heap.alloc(Object::new(Kind::Method(full), vec![value])));
    }
    let type_name = format::type_name(value);
    let has = methods(type_name).is_none_or(|methods| methods.contains(&name));
    let found = if has { value.get_attr(name, heap)? } else { None };
    match found {
        Some(found) => Ok(found),
        None => {
            let known = names(value);
            let near = known.iter().find(|known| is_near(known, name));
            let hint = near.map_or(String::new(), |near| format!(" (did you mean .{near}?)"));
            fail(format!("{type_name} has no .{name} field or method{hint}"))
        }
    }
}

/// True for names at most two steps apart, and less than half their length.
fn is_near(a: &str, b: &str) -> bool {
    let limit = 2.min(b.chars().count().div_ceil(2).saturating_sub(usize::from(b.len() < 3)));
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(60).collect(), b.chars().take(60).collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut before = i;
        let mut last = i + 1;
        for (j, y) in b.iter().enumerate() {
            let above = row.get(j + 1).copied().unwrap_or(0);
            let cost = (before + usize::from(x != y)).min(above + 1).min(last + 1);
            before = above;
            last = cost;
            if let Some(slot) = row.get_mut(j + 1) {
                *slot = cost;
            }
        }
        if let Some(slot) = row.first_mut() {
            *slot = i + 1;
        }
    }
    row.last().is_some_and(|distance| *distance <= limit)
}

pub(super) fn invoke<'v>(args: Args<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
    let heap = eval.heap();
    let text = args.text(0)?;
    match args.name {
        "string.codepoints" => {
            Ok(heap.alloc(AllocList(text.chars().map(|character| character.to_string()).collect::<Vec<_>>())))
        }
        "string.codepoint_ords" => Ok(heap.alloc(AllocList(text.chars().map(|c| c as i32).collect::<Vec<_>>()))),
        "string.elem_ords" => Ok(heap.alloc(AllocList(text.bytes().map(i32::from).collect::<Vec<_>>()))),
        "string.elems" => {
            // Single bytes of longer characters are no text here: each is shown as the replacement character.
            let elems: Vec<String> = text.bytes().map(|byte| String::from_utf8_lossy(&[byte]).into_owned()).collect();
            Ok(heap.alloc(AllocList(elems)))
        }
        "string.find" | "string.index" | "string.rfind" | "string.rindex" | "string.count" => find(text, &args, heap),
        "string.format" => {
            let text = format::format(text, args.positional.get(1..).unwrap_or(&[]), &args.named)?;
            Ok(heap.alloc_str(&text).to_value())
        }
        "string.split" | "string.rsplit" | "string.partition" | "string.rpartition" => {
            let short = args.name.trim_start_matches("string.");
            if args.positional.get(1).and_then(|separator| separator.unpack_str()) == Some("") {
                return fail(format!("{short}: empty separator"));
            }
            let Some(method) = args.first().get_attr(short, heap)? else { return fail("unknown method") };
            eval.eval_function(method, args.positional.get(1..).unwrap_or(&[]), &args.named)
        }
        "string.join" => {
            args.exactly(2)?;
            let mut out = String::new();
            for (index, item) in args.at(1).iterate(heap)?.enumerate() {
                let Some(item) = item.unpack_str() else {
                    return fail(format!("join: in list, want string, got {}", format::type_name(item)));
                };
                if index > 0 {
                    out.push_str(text);
                }
                if out.len() + item.len() > MAX_JOINED {
                    return crate::failure::limit("evaluation was stopped: too much memory");
                }
                out.push_str(item);
            }
            Ok(heap.alloc_str(&out).to_value())
        }
        _ => fail(format!("unknown function {}", args.name)),
    }
}

/// How long a joined text may be.
const MAX_JOINED: usize = 32 << 20;

fn find<'v>(text: &str, args: &Args<'v, '_>, heap: Heap<'v>) -> Result<Value<'v>> {
    let short = args.name.trim_start_matches("string.");
    let wanted = args.text(1)?;
    let bound = |index: usize, default: usize| match args.positional.get(index) {
        None => Ok(default),
        Some(value) if value.is_none() => Ok(default),
        Some(value) => match value.unpack_i32() {
            Some(at) if at < 0 => Ok(text.len().saturating_sub(at.unsigned_abs() as usize)),
            Some(at) => Ok((at as usize).min(text.len())),
            None => fail(format!("{short}: got {}, want int", format::type_name(*value))),
        },
    };
    let (start, end) = (bound(2, 0)?, bound(3, text.len())?);
    // Offsets count bytes, and may fall inside a character: then nothing is found there.
    let part = text.as_bytes().get(start..end.max(start)).unwrap_or(&[]);
    let at = |index: usize| part.get(index..).is_some_and(|rest| rest.starts_with(wanted.as_bytes()));
    if short == "count" {
        if wanted.is_empty() {
            let characters = String::from_utf8_lossy(part).chars().count();
            return Ok(heap.alloc((characters + 1) as i64));
        }
        return Ok(heap.alloc(String::from_utf8_lossy(part).matches(wanted).count() as i64));
    }
    let found = if short.starts_with('r') {
        (0..=part.len()).rev().find(|i| at(*i))
    } else {
        (0..=part.len()).find(|i| at(*i))
    };
    match found {
        Some(index) => Ok(heap.alloc((start + index) as i64)),
        None if short.ends_with("index") => fail(format!("{short}: substring not found")),
        None => Ok(heap.alloc(-1)),
    }
}
