//! `@ytt:regexp`

use lofting_interpreter::{Failure, Value};

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
    let mut at = 0;
    for captures in regex.captures_iter(text.as_bytes()) {
        let Some(whole) = captures.get(0) else { continue };
        out.extend_from_slice(text.as_bytes().get(at..whole.start()).unwrap_or(&[]));
        at = whole.end();
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
            captures.expand(args.text(2)?.as_bytes(), &mut out);
        }
        if out.len() > MAX_RESULT {
            return limit("evaluation was stopped: too much memory");
        }
    }
    out.extend_from_slice(text.as_bytes().get(at..).unwrap_or(&[]));
    Ok(Value::text(String::from_utf8_lossy(&out)))
}
