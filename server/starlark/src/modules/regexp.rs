//! `@ytt:regexp`

use starlark::eval::Evaluator;
use starlark::values::Value;

use super::Args;
use super::assertion::is_function;
use crate::failure::{Result, fail, limit};
use crate::format;
use lofting_schema::re2;

/// How long the result of a replacement may be.
const MAX_RESULT: usize = 32 << 20;

pub(super) fn invoke<'v>(args: Args<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
    let heap = eval.heap();
    args.exactly(if args.name == "regexp.match" { 2 } else { 3 })?;
    let regex = match re2::compile(args.text(0)?) {
        Ok(regex) => regex,
        Err(error) => return fail(format!("{}: {error}", args.name)),
    };
    let text = args.text(1)?;
    if args.name == "regexp.match" {
        return Ok(Value::new_bool(regex.is_match(text.as_bytes())));
    }
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
            let matched = heap.alloc_str(&String::from_utf8_lossy(whole.as_bytes())).to_value();
            let result = eval.eval_function(replacement, &[matched], &[])?;
            let Some(result) = result.unpack_str() else {
                return fail(format!(
                    "regexp.replace: expected function to return a string, but was {}",
                    format::type_name(result)
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
    Ok(heap.alloc_str(&String::from_utf8_lossy(&out)).to_value())
}
