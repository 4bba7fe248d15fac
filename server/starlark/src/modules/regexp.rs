//! `@ytt:regexp`

mod template;

use lofting_interpreter::{Failure, Value};
use regex::bytes::{Captures, Regex};

use super::Args;
use super::assertion::is_function;
use crate::failure::{Result, fail, limit};
use crate::run::Run;

/// How long the result of a replacement may be.
const MAX_RESULT: usize = 32 << 20;

pub(super) fn invoke(args: Args, run: &mut Run<'_, '_, '_>) -> Result<Value> {
    args.exactly(if args.name == "regexp.match" { 2 } else { 3 })?;
    let refused = |error| Failure::runtime(format!("{}: {error}", args.name));
    let expression = run.host.expressions.get(args.text(0)?).map_err(refused)?;
    let text = args.text(1)?;
    if args.name == "regexp.match" {
        return expression.is_match(text).map(Value::Bool).map_err(refused);
    }
    let regex = expression.on(text).map_err(refused)?;
    let replacement = args.at(2);
    if !is_function(replacement) {
        args.text(2)?;
    }
    let mut out: Vec<u8> = Vec::new();
    let mut done = 0;
    for captures in matches(&regex, text) {
        let Some(whole) = captures.get(0) else { continue };
        out.extend_from_slice(text.as_bytes().get(done..whole.start()).unwrap_or(&[]));
        done = whole.end();
        if is_function(replacement) {
            let matched = Value::text(String::from_utf8_lossy(whole.as_bytes()));
            let result = run.call(replacement, vec![matched])?;
            let Some(result) = result.as_text() else {
                return fail(format!(
                    "regexp.replace: expected function to return a string, but was {}",
                    result.type_name()
                ));
            };
            out.extend_from_slice(result.as_bytes());
        } else {
            template::expand(args.text(2)?, &captures, &mut out);
        }
        if out.len() > MAX_RESULT {
            return limit("evaluation was stopped: too much memory");
        }
    }
    out.extend_from_slice(text.as_bytes().get(done..).unwrap_or(&[]));
    Ok(Value::text(String::from_utf8_lossy(&out)))
}

/// The matches that Go replaces: an empty one directly after another match is none of them.
fn matches<'t>(regex: &Regex, text: &'t str) -> impl Iterator<Item = Captures<'t>> {
    let mut at = 0;
    let mut last = None;
    std::iter::from_fn(move || {
        loop {
            let captures = match_from(regex, text, at)?;
            let whole = captures.get(0)?;
            let end = whole.end();
            // Each search begins at least one character after the one before it.
            at = if end > at { end } else { next_character(text, at) };
            let repeats = whole.is_empty() && last == Some(end);
            last = Some(end);
            if !repeats {
                return Some(captures);
            }
        }
    })
}

/// The first match from `start` on. Go looks for matches at characters only, the expression at every byte.
fn match_from<'t>(regex: &Regex, text: &'t str, start: usize) -> Option<Captures<'t>> {
    let mut start = start;
    while start <= text.len() {
        let captures = regex.captures_at(text.as_bytes(), start)?;
        let found = captures.get(0)?.start();
        if text.is_char_boundary(found) {
            return Some(captures);
        }
        start = next_character(text, found);
    }
    None
}

/// The first place after `at` where a character begins, or the text ends; beyond the end, the place after it.
fn next_character(text: &str, at: usize) -> usize {
    (at + 1..text.len()).find(|place| text.is_char_boundary(*place)).unwrap_or_else(|| text.len().max(at + 1))
}
