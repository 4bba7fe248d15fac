//! The methods of strings. Positions count bytes, because ytt's strings are bytes, and upper and lower case are
//! computed per character, as in Go.

use std::sync::LazyLock;

use regex::Regex;
use starlark::eval::Evaluator;
use starlark::values::list::AllocList;
use starlark::values::tuple::{AllocTuple, TupleRef};
use starlark::values::{Heap, Value};

use super::Args;
use super::given::BuiltinArguments;
use crate::bytes;
use crate::failure::{Result, error, fail, limit};
use crate::format::{self, type_name};
use crate::object::{Elements, Object, ObjectKind};

/// How long a text that a method returns may be.
const MAX_TEXT: usize = 32 << 20;

static LETTERS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\p{L}+$").ok());
static DIGITS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\p{Nd}+$").ok());
static BOTH: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^[\p{L}\p{Nd}]+$").ok());

/// Every method by its full name.
pub(super) const METHODS: [&str; 33] = [
    "string.capitalize",
    "string.codepoint_ords",
    "string.codepoints",
    "string.count",
    "string.elem_ords",
    "string.elems",
    "string.endswith",
    "string.find",
    "string.format",
    "string.index",
    "string.isalnum",
    "string.isalpha",
    "string.isdigit",
    "string.islower",
    "string.isspace",
    "string.istitle",
    "string.isupper",
    "string.join",
    "string.lower",
    "string.lstrip",
    "string.partition",
    "string.replace",
    "string.rfind",
    "string.rindex",
    "string.rpartition",
    "string.rsplit",
    "string.rstrip",
    "string.split",
    "string.splitlines",
    "string.startswith",
    "string.strip",
    "string.title",
    "string.upper",
];

/// One byte of a string; negative indices count from the end.
pub(crate) fn byte<'v>(text: &str, at: i32, heap: Heap<'v>) -> Result<Value<'v>> {
    let bytes = bytes::of(text);
    let length = bytes.len() as i64;
    let from = if at < 0 { length + i64::from(at) } else { i64::from(at) };
    match usize::try_from(from).ok().and_then(|from| bytes.get(from..=from)) {
        Some(part) => Ok(heap.alloc_str(&bytes::text(part)).to_value()),
        None => fail(format!("string index {at} out of range [{}:{}]", -length, length - 1)),
    }
}

/// `text[start:stop:stride]`, counted in bytes.
pub(crate) fn slice<'v>(text: &str, bounds: [Option<Value<'v>>; 3], heap: Heap<'v>) -> Result<Value<'v>> {
    let number = |value: Option<Value<'v>>| match value.filter(|value| !value.is_none()) {
        None => Ok(None),
        Some(value) => match value.unpack_i32() {
            Some(number) => Ok(Some(i64::from(number))),
            None => fail(format!("invalid slice index: got {}, want int", type_name(value))),
        },
    };
    let [start, stop, stride] = bounds;
    let (start, stop, stride) = (number(start)?, number(stop)?, number(stride)?.unwrap_or(1));
    if stride == 0 {
        return fail("zero is not a valid slice step");
    }
    let bytes = bytes::of(text);
    let length = bytes.len() as i64;
    let (least, most) = if stride > 0 { (0, length) } else { (-1, length - 1) };
    let bound = |given: Option<i64>, default: i64| {
        given.map_or(default, |at| (if at < 0 { at + length } else { at }).clamp(least, most))
    };
    let (first, last) = if stride > 0 { (least, most) } else { (most, least) };
    let (mut at, end) = (bound(start, first), bound(stop, last));
    let mut part = Vec::new();
    while if stride > 0 { at < end } else { at > end } {
        part.extend(usize::try_from(at).ok().and_then(|at| bytes.get(at)));
        at += stride;
    }
    Ok(heap.alloc_str(&bytes::text(&part)).to_value())
}

pub(super) fn invoke<'v>(args: Args<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
    let heap = eval.heap();
    let text = args.text(0)?;
    let name = args.name.trim_start_matches("string.");
    let given = BuiltinArguments { name, values: args.positional.get(1..).unwrap_or(&[]), named: &args.named };
    let string = |text: &str| Ok(heap.alloc_str(text).to_value());
    match name {
        "format" => return string(&format::format(text, given.values, given.named)?),
        "count" | "find" | "index" | "rfind" | "rindex" => return find(text, &given, heap),
        "startswith" | "endswith" => return starts_or_ends(text, &given),
        "join" => return join(text, &given, heap),
        "partition" | "rpartition" => return partition(text, &given, heap),
        "replace" => return replace(text, &given, heap),
        "split" | "rsplit" => return split(text, &given, heap),
        "splitlines" => return lines(text, &given, heap),
        "strip" | "lstrip" | "rstrip" => return strip(text, &given, heap),
        _ => given.between(0, 0)?,
    }
    let elements = |elements| Ok(heap.alloc(Object::new(ObjectKind::Elements(elements), vec![args.first()])));
    let truth = |truth| Ok(Value::new_bool(truth));
    match name {
        "codepoints" => elements(Elements { ords: false, codepoints: true }),
        "codepoint_ords" => elements(Elements { ords: true, codepoints: true }),
        "elems" => elements(Elements { ords: false, codepoints: false }),
        "elem_ords" => elements(Elements { ords: true, codepoints: false }),
        "capitalize" => {
            let mut characters = text.chars();
            let first = characters.next().map(upper);
            string(&first.into_iter().chain(characters.map(lower)).collect::<String>())
        }
        "lower" => string(&lowered(text)),
        "upper" => string(&uppered(text)),
        "title" => {
            let mut follows = false;
            let titled = text.chars().map(|character| {
                let character = if follows { lower(character) } else { upper(character) };
                follows = is_cased(character);
                character
            });
            string(&titled.collect::<String>())
        }
        "isalnum" => truth(consists_of(&BOTH, text)),
        "isalpha" => truth(consists_of(&LETTERS, text)),
        "isdigit" => truth(consists_of(&DIGITS, text)),
        "isspace" => truth(!text.is_empty() && text.chars().all(char::is_whitespace)),
        "islower" => truth(text.chars().any(is_cased) && lowered(text) == text),
        "isupper" => truth(text.chars().any(is_cased) && uppered(text) == text),
        "istitle" => truth(is_title(text)),
        _ => fail(format!("unknown function {}", args.name)),
    }
}

/// The elements over which the iterators of a string go.
pub(crate) fn elements<'v>(text: &str, elements: Elements, heap: Heap<'v>) -> Vec<Value<'v>> {
    let string = |bytes: &[u8]| heap.alloc_str(&bytes::text(bytes)).to_value();
    match elements {
        Elements { codepoints: true, ords: false } => text.chars().map(|c| heap.alloc(c.to_string())).collect(),
        Elements { codepoints: true, ords: true } => {
            // A byte that is not a character counts as the replacement character.
            let ord = |c: char| if bytes::has_parts(c.encode_utf8(&mut [0; 4])) { 0xfffd } else { c as i32 };
            text.chars().map(|c| heap.alloc(ord(c))).collect()
        }
        Elements { ords: false, .. } => bytes::of(text).iter().map(|byte| string(&[*byte])).collect(),
        Elements { ords: true, .. } => bytes::of(text).iter().map(|byte| heap.alloc(i32::from(*byte))).collect(),
    }
}

/// The upper case of the character, if that is a single character.
fn upper(character: char) -> char {
    let mut all = character.to_uppercase();
    match (all.next(), all.next()) {
        (Some(only), None) => only,
        _ => character,
    }
}

/// The lower case of the character, if that is a single character.
fn lower(character: char) -> char {
    let mut all = character.to_lowercase();
    match (all.next(), all.next()) {
        (Some(only), None) => only,
        _ => character,
    }
}

fn lowered(text: &str) -> String {
    text.chars().map(lower).collect()
}

fn uppered(text: &str) -> String {
    text.chars().map(upper).collect()
}

fn is_cased(character: char) -> bool {
    character.is_ascii_alphabetic() || upper(character) != character || lower(character) != character
}

/// For ytt, upper-case letters outside ASCII do not start a title.
fn is_title(text: &str) -> bool {
    let (mut cased, mut follows) = (false, false);
    for character in text.chars() {
        let (first, later) = (character.is_ascii_uppercase(), character.is_lowercase());
        if first && follows || later && !follows || !first && character.is_uppercase() {
            return false;
        }
        follows = first || later;
        cased |= follows;
    }
    cased
}

fn consists_of(class: &Option<Regex>, text: &str) -> bool {
    class.as_ref().is_some_and(|class| class.is_match(text))
}

fn find<'v>(text: &str, given: &BuiltinArguments<'v, '_>, heap: Heap<'v>) -> Result<Value<'v>> {
    given.between(1, 3)?;
    let (text, wanted) = (bytes::of(text), bytes::of(given.text(0)?));
    let (start, end) = given.bounds(1, text.len())?;
    // If the start is greater than the end, only the empty string is found.
    let part = text.get(start..end).unwrap_or(&[]);
    let at = |index: usize| part.get(index..).is_some_and(|rest| rest.starts_with(&wanted));
    let found = match given.name {
        "count" if wanted.is_empty() => {
            return Ok(heap.alloc((bytes::text(part).chars().count() + 1) as i64));
        }
        "count" => {
            let (mut count, mut index) = (0, 0);
            while index < part.len() {
                let found = at(index);
                count += i64::from(found);
                index += if found { wanted.len() } else { 1 };
            }
            return Ok(heap.alloc(count));
        }
        "rfind" | "rindex" => (0..=part.len()).rev().find(|index| at(*index)),
        _ => (0..=part.len()).find(|index| at(*index)),
    };
    match found {
        Some(index) => Ok(heap.alloc((start + index) as i64)),
        None if given.name.ends_with("index") => fail(format!("{}: substring not found", given.name)),
        None => Ok(heap.alloc(-1)),
    }
}

fn starts_or_ends<'v>(text: &str, given: &BuiltinArguments<'v, '_>) -> Result<Value<'v>> {
    given.between(1, 3)?;
    let text = bytes::of(text);
    let (start, end) = given.bounds(1, text.len())?;
    let part = text.get(start..end.max(start)).unwrap_or(&[]);
    let fits = |wanted: &str| match given.name {
        "startswith" => part.starts_with(&bytes::of(wanted)),
        _ => part.ends_with(&bytes::of(wanted)),
    };
    let wanted = given.at(0).unwrap_or_else(Value::new_none);
    if let Some(wanted) = wanted.unpack_str() {
        return Ok(Value::new_bool(fits(wanted)));
    }
    let Some(several) = TupleRef::from_value(wanted) else {
        return fail(format!("{}: got {}, want string or tuple of string", given.name, type_name(wanted)));
    };
    for (index, wanted) in several.iter().enumerate() {
        match wanted.unpack_str() {
            Some(wanted) if fits(wanted) => return Ok(Value::new_bool(true)),
            Some(_) => {}
            None => {
                let type_name = type_name(wanted);
                return fail(format!("{}: want string, got {type_name}, for element {index}", given.name));
            }
        }
    }
    Ok(Value::new_bool(false))
}

fn too_long<T>() -> Result<T> {
    limit("evaluation was stopped: too much memory")
}

fn join<'v>(text: &str, given: &BuiltinArguments<'v, '_>, heap: Heap<'v>) -> Result<Value<'v>> {
    given.between(1, 1)?;
    let mut out = String::new();
    for (index, item) in given.items(0, heap)?.into_iter().enumerate() {
        let Some(item) = item.unpack_str() else {
            return fail(format!("join: in list, want string, got {}", type_name(item)));
        };
        if index > 0 {
            out.push_str(text);
        }
        if out.len() + item.len() > MAX_TEXT {
            return too_long();
        }
        out.push_str(item);
    }
    Ok(heap.alloc_str(&bytes::joined(out)).to_value())
}

fn partition<'v>(text: &str, given: &BuiltinArguments<'v, '_>, heap: Heap<'v>) -> Result<Value<'v>> {
    given.between(1, 1)?;
    let mark = given.text(0)?;
    let parts = match given.name {
        _ if mark.is_empty() => return fail(format!("{}: empty separator", given.name)),
        "partition" => text.split_once(mark).map_or([text, "", ""], |(left, right)| [left, mark, right]),
        _ => text.rsplit_once(mark).map_or(["", "", text], |(left, right)| [left, mark, right]),
    };
    Ok(heap.alloc(AllocTuple(parts)))
}

fn replace<'v>(text: &str, given: &BuiltinArguments<'v, '_>, heap: Heap<'v>) -> Result<Value<'v>> {
    given.between(2, 3)?;
    let (old, new) = (given.text(0)?, given.text(1)?);
    // A negative number means all.
    let most = given.number(2)?.map_or(usize::MAX, |number| usize::try_from(number).unwrap_or(usize::MAX));
    let found = text.matches(old).take(most).count();
    if text.len().saturating_add(found.saturating_mul(new.len())) > MAX_TEXT {
        return too_long();
    }
    Ok(heap.alloc_str(&bytes::joined(text.replacen(old, new, most))).to_value())
}

fn split<'v>(text: &str, given: &BuiltinArguments<'v, '_>, heap: Heap<'v>) -> Result<Value<'v>> {
    given.between(0, 2)?;
    let mark = given.at(0).filter(|mark| !mark.is_none());
    let most = given.number(1)?.and_then(|most| usize::try_from(most).ok());
    let from_right = given.name == "rsplit";
    let parts: Vec<&str> = match mark.map(|mark| mark.unpack_str().ok_or(mark)) {
        Some(Err(mark)) => return fail(format!("split: got {} for separator, want string", type_name(mark))),
        Some(Ok("")) => return fail("split: empty separator"),
        Some(Ok(mark)) => match most {
            None => text.split(mark).collect(),
            // Without any splits, the text stays whole.
            Some(most) if from_right => reversed(text.rsplitn(most.saturating_add(1), mark)),
            Some(most) => text.splitn(most.saturating_add(1), mark).collect(),
        },
        None => match most {
            None => text.split_whitespace().collect(),
            Some(most) if from_right => words_from_right(text, most),
            Some(most) => words(text, most),
        },
    };
    Ok(heap.alloc(AllocList(parts)))
}

fn reversed<'a>(parts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut parts: Vec<&str> = parts.collect();
    parts.reverse();
    parts
}

/// The first `most` words, and the rest with the white space after it.
fn words(text: &str, most: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        match rest.find(char::is_whitespace).filter(|_| parts.len() < most) {
            Some(end) => {
                let (word, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
                parts.push(word);
                rest = after.trim_start();
            }
            None => {
                parts.push(rest);
                break;
            }
        }
    }
    parts
}

/// The last `most` words, and the rest with the white space before it.
fn words_from_right(text: &str, most: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text.trim_end();
    while !rest.is_empty() {
        let gap = rest.char_indices().rev().find(|(_, character)| character.is_whitespace());
        match gap.filter(|_| parts.len() < most) {
            Some((at, character)) => {
                let (before, word) = rest.split_at_checked(at + character.len_utf8()).unwrap_or(("", rest));
                parts.push(word);
                rest = before.trim_end();
            }
            None => {
                parts.push(rest);
                break;
            }
        }
    }
    parts.reverse();
    parts
}

/// Lines end only with line feeds.
fn lines<'v>(text: &str, given: &BuiltinArguments<'v, '_>, heap: Heap<'v>) -> Result<Value<'v>> {
    given.between(0, 1)?;
    let keep = given.truth(0)?.unwrap_or(false);
    let lines =
        text.split_inclusive('\n').map(|line| if keep { line } else { line.strip_suffix('\n').unwrap_or(line) });
    Ok(heap.alloc(AllocList(lines.collect::<Vec<_>>())))
}

fn strip<'v>(text: &str, given: &BuiltinArguments<'v, '_>, heap: Heap<'v>) -> Result<Value<'v>> {
    given.between(0, 1)?;
    let characters = if given.at(0).is_some() { given.text(0)? } else { "" };
    let goes = |character: char| match characters {
        "" => character.is_whitespace(),
        characters => characters.contains(character),
    };
    let stripped = match given.name {
        "strip" => text.trim_matches(goes),
        "lstrip" => text.trim_start_matches(goes),
        _ => text.trim_end_matches(goes),
    };
    Ok(heap.alloc_str(stripped).to_value())
}

/// The code point of a string of one character.
pub(super) fn ord<'v>(given: &BuiltinArguments<'v, '_>, heap: Heap<'v>) -> Result<Value<'v>> {
    given.between(1, 1)?;
    let Some(text) = given.at(0).and_then(|value| value.unpack_str()) else {
        return Err(error(format!("ord: got {}, want string", given.at(0).map_or("nothing", type_name))));
    };
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(only), None) => Ok(heap.alloc(only as i32)),
        _ => fail(format!("ord: string encodes {} Unicode code points, want 1", text.chars().count())),
    }
}
