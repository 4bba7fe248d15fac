//! The methods of strings. Positions count bytes, because ytt's strings are bytes, and upper and lower case are
//! computed per character, as in Go.

mod characters;
mod words;

use memchr::memmem;
use smol_str::SmolStr;

use crate::arguments::Given;
use crate::bytes;
use crate::evaluator::Evaluator;
use crate::failure::{Result, fail, too_much_memory};
use crate::format;
use crate::functions::Builtin;
use crate::value::Value;
use characters::{has_only, is_cased, is_title, lower, lowered, upper, uppered};
use words::{reversed, words, words_from_right};

/// How long a text that a method returns may be.
const MAX_TEXT: usize = 32 << 20;

/// Every method, sorted.
pub(crate) static METHODS: [Builtin; 33] = [
    Builtin { name: "string.capitalize", run: without_arguments },
    Builtin { name: "string.codepoint_ords", run: elements },
    Builtin { name: "string.codepoints", run: elements },
    Builtin { name: "string.count", run: find },
    Builtin { name: "string.elem_ords", run: elements },
    Builtin { name: "string.elems", run: elements },
    Builtin { name: "string.endswith", run: starts_or_ends },
    Builtin { name: "string.find", run: find },
    Builtin { name: "string.format", run: formatted },
    Builtin { name: "string.index", run: find },
    Builtin { name: "string.isalnum", run: without_arguments },
    Builtin { name: "string.isalpha", run: without_arguments },
    Builtin { name: "string.isdigit", run: without_arguments },
    Builtin { name: "string.islower", run: without_arguments },
    Builtin { name: "string.isspace", run: without_arguments },
    Builtin { name: "string.istitle", run: without_arguments },
    Builtin { name: "string.isupper", run: without_arguments },
    Builtin { name: "string.join", run: join },
    Builtin { name: "string.lower", run: without_arguments },
    Builtin { name: "string.lstrip", run: strip },
    Builtin { name: "string.partition", run: partition },
    Builtin { name: "string.replace", run: replace },
    Builtin { name: "string.rfind", run: find },
    Builtin { name: "string.rindex", run: find },
    Builtin { name: "string.rpartition", run: partition },
    Builtin { name: "string.rsplit", run: split },
    Builtin { name: "string.rstrip", run: strip },
    Builtin { name: "string.split", run: split },
    Builtin { name: "string.splitlines", run: lines },
    Builtin { name: "string.startswith", run: starts_or_ends },
    Builtin { name: "string.strip", run: strip },
    Builtin { name: "string.title", run: without_arguments },
    Builtin { name: "string.upper", run: without_arguments },
];

/// What `elems`, `codepoints` and the like iterate over: bytes or characters, as strings or as numbers.
#[derive(Clone, Copy, Debug)]
pub struct Elements {
    codepoints: bool,
    ords: bool,
}

impl Elements {
    pub(crate) fn type_name(self) -> &'static str {
        if self.codepoints { "codepoints" } else { "elems" }
    }

    /// How the call is printed.
    pub(crate) fn call(self) -> &'static str {
        match (self.codepoints, self.ords) {
            (true, false) => ".codepoints()",
            (true, true) => ".codepoint_ords()",
            (false, false) => ".elems()",
            (false, true) => ".elem_ords()",
        }
    }

    /// The elements of a text.
    pub(crate) fn of(self, text: &str) -> Vec<Value> {
        match (self.codepoints, self.ords) {
            (true, false) => text.chars().map(|c| Value::text(c.encode_utf8(&mut [0; 4]))).collect(),
            (true, true) => {
                // A byte that is not a character counts as the replacement character.
                let ord =
                    |c: char| if bytes::has_parts(c.encode_utf8(&mut [0; 4])) { 0xfffd } else { i64::from(c as u32) };
                text.chars().map(|c| Value::Int(ord(c))).collect()
            }
            (false, false) => bytes::of(text).iter().map(|byte| bytes::text(&[*byte]).into()).collect(),
            (false, true) => bytes::of(text).iter().map(|byte| Value::Int(i64::from(*byte))).collect(),
        }
    }
}

/// The string whose method is called.
fn text<'a>(given: &Given<'a>) -> &'a str {
    given.receiver.as_text().unwrap_or("")
}

fn texts(parts: Vec<&str>) -> Value {
    Value::list(parts.into_iter().map(Value::from).collect())
}

fn elements(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(0, 0)?;
    let elements = Elements { codepoints: given.name.starts_with("codepoint"), ords: given.name.ends_with("ords") };
    Ok(Value::Elements(std::sync::Arc::new((SmolStr::new(text(given)), elements))))
}

fn formatted(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    Ok(format::format(text(given), given.values, given.named)?.into())
}

fn without_arguments(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(0, 0)?;
    let text = text(given);
    Ok(match given.name {
        "capitalize" => {
            let mut characters = text.chars();
            let first = characters.next().map(upper);
            first.into_iter().chain(characters.map(lower)).collect::<String>().into()
        }
        "lower" => lowered(text).into(),
        "upper" => uppered(text).into(),
        "title" => {
            let mut follows = false;
            let titled = text.chars().map(|character| {
                let character = if follows { lower(character) } else { upper(character) };
                follows = is_cased(character);
                character
            });
            titled.collect::<String>().into()
        }
        "isspace" => Value::Bool(!text.is_empty() && text.chars().all(char::is_whitespace)),
        "islower" => Value::Bool(text.chars().any(is_cased) && lowered(text) == text),
        "isupper" => Value::Bool(text.chars().any(is_cased) && uppered(text) == text),
        "istitle" => Value::Bool(is_title(text)),
        class => Value::Bool(has_only(class, text)),
    })
}

fn find(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    let text = text(given);
    given.between(1, 3)?;
    let (text, wanted) = (bytes::of(text), bytes::of(given.text(0)?));
    let (start, end) = given.bounds(1, text.len())?;
    // If the start is greater than the end, only the empty string is found.
    let part = text.get(start..end).unwrap_or(&[]);
    let found = match given.name {
        "count" => {
            let count = if wanted.is_empty() {
                bytes::text(part).chars().count() + 1
            } else {
                memmem::find_iter(part, wanted.as_ref()).count()
            };
            return Ok(Value::Int(count as i64));
        }
        "rfind" | "rindex" => memmem::rfind(part, &wanted),
        _ => memmem::find(part, &wanted),
    };
    match found {
        Some(index) => Ok(Value::Int((start + index) as i64)),
        None if given.name.ends_with("index") => fail(format!("{}: substring not found", given.name)),
        None => Ok(Value::Int(-1)),
    }
}

fn starts_or_ends(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    let text = text(given);
    given.between(1, 3)?;
    let text = bytes::of(text);
    let (start, end) = given.bounds(1, text.len())?;
    let part = text.get(start..end.max(start)).unwrap_or(&[]);
    let fits = |wanted: &str| match given.name {
        "startswith" => part.starts_with(&bytes::of(wanted)),
        _ => part.ends_with(&bytes::of(wanted)),
    };
    let wanted = given.at(0).unwrap_or(&Value::None);
    if let Some(wanted) = wanted.as_text() {
        return Ok(Value::Bool(fits(wanted)));
    }
    let Value::Tuple(several) = wanted else {
        return fail(format!("{}: got {}, want string or tuple of string", given.name, wanted.type_name()));
    };
    for (index, wanted) in several.iter().enumerate() {
        match wanted.as_text() {
            Some(wanted) if fits(wanted) => return Ok(Value::Bool(true)),
            Some(_) => {}
            None => {
                let type_name = wanted.type_name();
                return fail(format!("{}: want string, got {type_name}, for element {index}", given.name));
            }
        }
    }
    Ok(Value::Bool(false))
}

fn join(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    let text = text(given);
    given.between(1, 1)?;
    let mut out = String::new();
    for (index, item) in given.items(0)?.into_iter().enumerate() {
        let Some(item) = item.as_text() else {
            return fail(format!("join: in list, want string, got {}", item.type_name()));
        };
        if index > 0 {
            out.push_str(text);
        }
        if out.len() + item.len() > MAX_TEXT {
            return too_much_memory();
        }
        out.push_str(item);
    }
    Ok(bytes::joined(out).into())
}

fn partition(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    let text = text(given);
    given.between(1, 1)?;
    let mark = given.text(0)?;
    let parts = match given.name {
        _ if mark.is_empty() => return fail(format!("{}: empty separator", given.name)),
        "partition" => text.split_once(mark).map_or([text, "", ""], |(left, right)| [left, mark, right]),
        _ => text.rsplit_once(mark).map_or(["", "", text], |(left, right)| [left, mark, right]),
    };
    Ok(Value::tuple(parts.map(Value::from).to_vec()))
}

fn replace(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    let text = text(given);
    given.between(2, 3)?;
    let (old, new) = (given.text(0)?, given.text(1)?);
    // A negative number means all.
    let most = given.number(2)?.map_or(usize::MAX, |number| usize::try_from(number).unwrap_or(usize::MAX));
    let found = text.matches(old).take(most).count();
    if text.len().saturating_add(found.saturating_mul(new.len())) > MAX_TEXT {
        return too_much_memory();
    }
    Ok(bytes::joined(text.replacen(old, new, most)).into())
}

fn split(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    let text = text(given);
    given.between(0, 2)?;
    let mark = given.at(0).filter(|mark| !mark.is_none());
    let most = given.number(1)?.and_then(|most| usize::try_from(most).ok());
    let from_right = given.name == "rsplit";
    let parts: Vec<&str> = match mark.map(|mark| mark.as_text().ok_or(mark)) {
        Some(Err(mark)) => return fail(format!("split: got {} for separator, want string", mark.type_name())),
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
    Ok(texts(parts))
}

/// Lines end only with line feeds.
fn lines(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    let text = text(given);
    given.between(0, 1)?;
    let keep = given.truth(0)?.unwrap_or(false);
    let lines =
        text.split_inclusive('\n').map(|line| if keep { line } else { line.strip_suffix('\n').unwrap_or(line) });
    Ok(texts(lines.collect()))
}

fn strip(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    let text = text(given);
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
    Ok(stripped.into())
}
