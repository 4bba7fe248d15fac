//! The Starlark crate's words into ytt's.

use lofting_eval::{EvalErrorKind, TokenKind, lex};

use crate::rewrite::names;

/// Frames of ours are no concern of the user.
pub(crate) fn is_ours(name: &str) -> bool {
    name.starts_with("__")
}

/// Says in ytt's words what the Starlark crate said in its own. `code` is what stands at the failure, as it was
/// parsed.
pub(crate) fn translate(kind: EvalErrorKind, text: &str, code: &str) -> (String, Option<String>) {
    let plain = |message: String| (message, None);
    if let Some(rest) = text.strip_prefix("Variable `") {
        let name = rest.split('`').next().unwrap_or("");
        let hint = match name {
            "true" => Some("use 'True' instead of 'true' for boolean assignment"),
            "false" => Some("use 'False' instead of 'false' for boolean assignment"),
            "null" | "nil" | "none" => Some("use 'None' instead of a null value"),
            _ => None,
        };
        let did_you_mean = rest.split("did you mean `").nth(1).and_then(|tail| tail.split('`').next());
        let did_you_mean = did_you_mean.filter(|name| !is_ours(name)).map(|name| format!("did you mean `{name}`?"));
        return (format!("undefined: {}", restore(name)), hint.map(str::to_owned).or(did_you_mean));
    }
    if let Some(rest) = text.strip_prefix("Key `").and_then(|rest| rest.strip_suffix("` was not found")) {
        return plain(format!("key {rest} not in dict"));
    }
    if let Some(name) = quoted_after(text, "Operation `")
        && let Some(types) = text.split("on types `").nth(1).or_else(|| text.split("for types `").nth(1))
    {
        let mut types = types.split('`');
        let (left, right) = (types.next().unwrap_or(""), types.nth(1).unwrap_or(""));
        if !right.is_empty() && matches!(name, "compare" | "cmp()") {
            return plain(format!("{left} {} {right} not implemented", comparison(code)));
        }
        if !right.is_empty() {
            return plain(format!("unknown binary op: {left} {name} {right}"));
        }
    }
    if let Some(message) = unary(text).or_else(|| number(text)).or_else(|| call(text)) {
        return plain(message);
    }
    if text.starts_with("Immutable") {
        return plain(
            "cannot change a frozen value: what a file exports can not be changed by those who load it".to_owned(),
        );
    }
    if kind == EvalErrorKind::Syntax {
        let message = text.strip_prefix("Parse error: ").unwrap_or(text);
        return plain(restore(message));
    }
    plain(restore(text))
}

/// An operation on one value.
fn unary(text: &str) -> Option<String> {
    if let Some(rest) = text.strip_prefix("Value of type `") {
        return Some(format!("unhashable type: {}", rest.strip_suffix("` is not hashable")?));
    }
    let name = quoted_after(text, "Operation `")?;
    let type_name = text.split("not supported on type `").nth(1)?.split('`').next()?;
    Some(match name {
        "(iter)" => format!("{type_name} value is not iterable"),
        "call()" => format!("invalid call of non-function ({type_name})"),
        "+" | "-" | "~" => format!("unknown unary op: {name}{type_name}"),
        "[]" => format!("unhandled index operation {type_name}[...]"),
        name => match name.strip_prefix('.') {
            Some(attribute) => format!("{type_name} has no .{attribute} field or method"),
            None => format!("unknown op {name} of {type_name}"),
        },
    })
}

/// Numbers that are not in range or no numbers.
fn number(text: &str) -> Option<String> {
    if let Some(index) = quoted_after(text, "Index `") {
        return Some(format!("index {index} out of range"));
    }
    let fixed = [
        ("Floor division by zero", "floored division by zero"),
        ("float division by zero", "real division by zero"),
        ("Modulo by zero", "integer modulo by zero"),
    ];
    if let Some((_, words)) = fixed.iter().find(|(start, _)| text.starts_with(start)) {
        return Some((*words).to_owned());
    }
    let (literal, base) = text.strip_prefix("Cannot parse `")?.split_once("` as an integer in base ")?;
    Some(format!("int: invalid literal with base {base}: {literal}"))
}

/// Arguments that do not fit the parameters.
fn call(text: &str) -> Option<String> {
    // Functions are named with the number of their file.
    let name = |name: &str| {
        let name = name.trim_matches('`');
        name.split_once('.').map_or(name, |(_, name)| name).to_owned()
    };
    if let Some(rest) = text.strip_prefix("Missing parameter `") {
        let (parameter, function) = rest.split_once("` for call to ")?;
        return Some(format!("function {} missing 1 argument ({parameter})", name(function)));
    }
    let rest = text.strip_prefix("Found ")?;
    if let Some((count, function)) = rest.split_once(" extra positional argument(s) for call to ") {
        let plural = if count == "1" { "" } else { "s" };
        return Some(format!("function {} got {count} positional argument{plural} too many", name(function)));
    }
    let (arguments, function) = rest.split_once(" extra named parameter(s) for call to ")?;
    let argument = arguments.split('`').nth(1)?;
    Some(format!("function {} got an unexpected keyword argument \"{argument}\"", name(function)))
}

/// The operator of a comparison in code.
fn comparison(code: &str) -> &'static str {
    let mut depth = 0usize;
    for token in lex(code, 0) {
        match token.kind {
            TokenKind::Punct("(" | "[" | "{") => depth += 1,
            TokenKind::Punct(")" | "]" | "}") => depth = depth.saturating_sub(1),
            TokenKind::Punct(operator @ ("<" | ">" | "<=" | ">=")) if depth == 0 => return operator,
            _ => {}
        }
    }
    "<"
}

fn quoted_after<'a>(text: &'a str, mark: &str) -> Option<&'a str> {
    text.strip_prefix(mark)?.split('`').next()
}

/// Undoes the renaming of the rewrite.
fn restore(text: &str) -> String {
    text.replace(names::ASSERT, "assert")
}
