//! Translates messages of the Starlark crate into ytt's words.

use lofting_eval::{EvalErrorKind, TokenKind, lex, read_string};

use crate::rewrite::names;

/// Whether a function is generated, so that its frame is hidden from the user.
pub(crate) fn is_ours(name: &str) -> bool {
    name.starts_with("__")
}

/// Translates a message of the Starlark crate. `code` is the code at the failure, as it was parsed.
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
        if !right.is_empty() && name == "[]" {
            return plain(format!("unhandled index operation {left}[{right}]"));
        }
        if !right.is_empty() {
            return plain(format!("unknown binary op: {left} {name} {right}"));
        }
    }
    if let Some(rest) = text.strip_prefix("Module has no symbol `") {
        let name = restore(rest.split('`').next().unwrap_or(""));
        let meant = rest.split("did you mean `").nth(1).and_then(|tail| tail.split('`').next());
        let hint = meant.filter(|name| !is_ours(name)).map(|name| format!("did you mean `{}`?", restore(name)));
        return (format!("load: name {name} not found in module{}", loaded_file(code)), hint);
    }
    if let Some(rest) = text.strip_prefix("Module symbol `")
        && let Some(name) = rest.split('`').next().filter(|name| !name.starts_with('_'))
    {
        return plain(format!("load: name {} not found in module{}", restore(name), loaded_file(code)));
    }
    if let Some(message) =
        unary(text).or_else(|| number(text)).or_else(|| call(text)).or_else(|| collection(text)).or_else(|| name(text))
    {
        return plain(message);
    }
    if text.starts_with("Immutable") {
        return plain(
            "cannot change this value: strings and tuples never change, nor does what a file exports for those who \
             load it"
                .to_owned(),
        );
    }
    if text.starts_with("This operation mutates an iterable") {
        return plain("cannot change a list or dict during iteration".to_owned());
    }
    if kind == EvalErrorKind::Syntax {
        let message = text.strip_prefix("Parse error: ").unwrap_or(text);
        return plain(restore(message));
    }
    plain(restore(text))
}

/// Operations on one value.
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
        "len()" => format!("got {type_name} in sequence assignment"),
        "[]=" => format!("{type_name} value does not support item assignment"),
        name => match name.strip_prefix('.') {
            Some(attribute) => format!("{type_name} has no .{attribute} field or method"),
            None => format!("unknown op {name} of {type_name}"),
        },
    })
}

/// Values that are not numbers, or out of range.
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

/// Missing keys and indices out of bounds.
fn collection(text: &str) -> Option<String> {
    if text.starts_with("Element '") {
        let index = text.contains("' not found in '");
        return Some(if index { "index: value not in list" } else { "remove: element not found" }.to_owned());
    }
    if text.starts_with("Key `") && text.contains("` not found in dictionary") {
        return Some("pop: missing key".to_owned());
    }
    if text.starts_with("Cannot .popitem()") {
        return Some("popitem: empty dict".to_owned());
    }
    if let Some(key) = text.strip_prefix("Dictionary key repeated for `") {
        return Some(format!("duplicate key: {}", key.trim_end_matches('`')));
    }
    let (found, wanted) = text.strip_prefix("Unpacked ")?.split_once(" values but expected ")?;
    let (given, want): (u64, u64) = (found.parse().ok()?, wanted.parse().ok()?);
    let amount = if given > want { "many" } else { "few" };
    Some(format!("too {amount} values to unpack (got {given}, want {want})"))
}

/// Names without a value.
fn name(text: &str) -> Option<String> {
    if let Some(rest) = text.strip_prefix("Local variable `") {
        let name = rest.split('`').next()?;
        return Some(format!("variable {} referenced before assignment", restore(name)));
    }
    None
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
    if let Some(rest) = text.strip_prefix("Wrong number of positional arguments, expected ") {
        let (want, got) = rest.split_once(", got ")?;
        let want = want.strip_prefix("between ").map_or(want.to_owned(), |range| range.replace(" and ", " to "));
        return Some(format!("got {got} arguments, want {want}"));
    }
    if let Some(rest) = text.strip_prefix("Type of parameter").or_else(|| text.strip_prefix("Expected `")) {
        let got = rest.split("actual `").nth(1).or_else(|| rest.split("but got `").nth(1))?;
        let want = rest.split("expected `").nth(1).unwrap_or(rest).split('`').next()?;
        return Some(format!("got {}, want {}", got.split([' ', '`']).next()?, want.replace("str", "string")));
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

/// The file that `load` in a line of code names, after a space.
fn loaded_file(code: &str) -> String {
    let tokens = lex(code, 0);
    let mut texts = tokens.iter().filter_map(|token| code.get(token.range.clone()));
    let is_load = texts.next() == Some("load") && texts.next() == Some("(");
    texts.next().filter(|_| is_load).map_or_else(String::new, |path| format!(" {}", read_string(path).value))
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

/// Undoes the renaming of [`crate::rewrite`].
fn restore(text: &str) -> String {
    text.replace(names::ASSERT, "assert")
}
