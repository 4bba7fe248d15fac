//! Advice for ytt's messages about failing code, for people who do not know Starlark well.

use lofting_eval::lex;

/// How to fix what a message of ytt complains about. The messages themselves stay unchanged, so that people can search
/// for them.
pub(crate) fn advice(message: &str) -> Option<String> {
    // Some messages contain advice already, and others are written by the user.
    if message.contains("(did you mean ") || message.contains("fail: ") {
        return None;
    }
    // The text before says where it happened.
    let message = message.rsplit_once("': ").map_or(message, |(_, last)| last);
    if let Some((kind, rest)) = message.split_once(" has no .") {
        let name = rest.split([' ', '=']).next()?;
        return no_field(kind, name, rest.starts_with(&format!("{name}=")));
    }
    if let Some(name) = message.strip_prefix("undefined: ") {
        let loads = if lofting_eval::MODULES.contains(&name) {
            format!("`load(\"@ytt:{name}\", \"{name}\")` loads this module of ytt")
        } else {
            format!("`load(\"FILE\", \"{name}\")` loads it from a file")
        };
        return Some(format!("`{name}` is neither defined above nor loaded: {loads}"));
    }
    if let Some(rest) = message.strip_prefix("unknown binary op: ") {
        return Some(operator(rest));
    }
    if let Some(rest) = message.strip_prefix("use of reserved keyword '") {
        let word = rest.split('\'').next()?;
        let other = || format!("this word is reserved: `getattr(…, \"{word}\")` takes the value of a key of this name");
        return Some(reserved(word).unwrap_or_else(other));
    }
    if let Some((_, rest)) = message.split_once("key \"") {
        let (name, of) = rest.split_once("\" not in ")?;
        return Some(match of {
            "dict" => format!("`.get(\"{name}\")` gives None where a dict has no such key"),
            "yamlfragment" => format!("`\"{name}\" in …` tells whether there is such a key"),
            _ => format!("`hasattr(…, \"{name}\")` tells whether there is such a key"),
        });
    }
    if let Some((path, _)) = message.strip_prefix("cannot load ").and_then(|rest| rest.split_once(": ")) {
        let file = path.trim_start_matches(['.', '/']);
        if path.split('/').any(|part| matches!(part, "." | "..")) {
            return Some(format!(
                "`.` and `..` lead nowhere in ytt: a path begins at the directory of this file, or at the top with `/`, \
                 as `load(\"/{file}\", …)`"
            ));
        }
    }
    let starts_with = |start: &str| message.starts_with(start);
    let contains = |part: &str| message.contains(part);
    let text = if contains(" missing ") && contains("argument") {
        "give a value to each parameter that has no default"
    } else if contains("positional argument") && contains("too many") {
        "more values are given than there are parameters"
    } else if contains("unexpected keyword argument") {
        "name an argument as its parameter is named"
    } else if contains("value is not iterable") {
        "`for` goes through the items of a list or the keys of a dict; `range(3)` gives 0, 1, 2"
    } else if starts_with("index ") && contains("out of range") {
        "items are counted from 0, and `len(…)` says how many there are"
    } else if contains("not found in module") {
        "`load` takes names that are defined at the top level of the file"
    } else if starts_with("cannot load @ytt:") {
        "the modules of ytt are named in its documentation; `data`, `overlay`, `assert`, `json` and `yaml` are some"
    } else if starts_with("cannot load ") && contains("Expected to find file") {
        "paths are relative to this file, and only files that are given to ytt can be loaded"
    } else if contains("division by zero") {
        "test first whether the divisor is 0"
    } else if message == "unexpected input character '!'" {
        "`not` negates a condition"
    } else if starts_with("int: invalid literal") {
        "only digits, with an optional sign, make an integer"
    } else if starts_with("len: value of type") {
        "`len` counts the items of a list, the keys of a dict and the bytes of a string"
    } else if contains("Expected to find exactly one YAML document") {
        "`yaml.decode` reads one document: split the text at `---` first"
    } else if (starts_with("json.decode: ") || starts_with("yaml.decode: ")) && contains("expected ") {
        "only a string can be decoded"
    } else if starts_with("json.decode: ") {
        "the string is not valid JSON"
    } else if starts_with("yaml.decode: ") {
        "the string is not valid YAML"
    } else {
        return None;
    };
    Some(text.to_owned())
}

/// What ytt has in place of what a reserved word of Python does.
pub(crate) fn reserved(word: &str) -> Option<String> {
    let text = match word {
        "pass" => "ytt has no `pass`: leave it out, and a block without code as well",
        "import" | "from" => "`load(\"FILE\", \"NAME\")` takes names from other files and modules",
        "try" | "except" | "raise" => {
            "`assert.try_to(lambda: …)` gives the value or the failure, and `assert.fail(\"…\")` fails"
        }
        "is" => "`==` tells whether two values are equal, also to `None`",
        "del" => "`.pop(\"KEY\")` removes a key of a dict, and `.pop(INDEX)` an item of a list",
        _ => return None,
    };
    Some(text.to_owned())
}

/// Methods of dicts and lists.
const METHODS: [&str; 13] = [
    "append",
    "clear",
    "extend",
    "get",
    "index",
    "insert",
    "items",
    "keys",
    "pop",
    "remove",
    "setdefault",
    "update",
    "values",
];

fn no_field(kind: &str, name: &str, is_assigned: bool) -> Option<String> {
    // Only names can follow a dot.
    let [_] = lex(name, 0).as_slice() else { return None };
    if is_assigned {
        return Some("values cannot be changed once they are made: make another with the new value".to_owned());
    }
    Some(match kind.rsplit(' ').next()? {
        "NoneType" => "the value is null here: test it with `if` before using its keys".to_owned(),
        "dict" => format!("write keys of a dict in brackets: `[\"{name}\"]`"),
        "yamlfragment" if METHODS.contains(&name) => {
            "a fragment has no methods: `\"KEY\" in …` tells whether it has a key, and `dict(**…)` and `list(…)` make a \
             dict or a list of it"
                .to_owned()
        }
        "yamlfragment" => format!("write keys of a fragment in brackets: `[\"{name}\"]`"),
        "struct" => {
            format!("there is no key `{name}`: `hasattr(…, \"{name}\")` says whether there is one")
        }
        "int" | "float" | "bool" => "numbers and booleans have no fields".to_owned(),
        _ => return None,
    })
}

/// `int + string`
fn operator(rest: &str) -> String {
    let words: Vec<&str> = rest.split(' ').collect();
    match words.as_slice() {
        [one, "+", other] if (*one == "string") != (*other == "string") => {
            "`str(…)` converts a value to a string, which can be joined with other strings".to_owned()
        }
        [_, "|", _] => "`or` gives the first of two values that is true".to_owned(),
        [_, "&", _] => "`and` tells whether both are true".to_owned(),
        [one, operator, other] => format!("`{operator}` does not take {} and {}", one_of(one), one_of(other)),
        _ => "this operator does not take values of these types".to_owned(),
    }
}

/// A Starlark type in words.
fn one_of(kind: &str) -> String {
    match kind {
        "NoneType" => "null".to_owned(),
        "int" => "an integer".to_owned(),
        "bool" => "a boolean".to_owned(),
        kind if kind.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {kind}"),
        kind => format!("a {kind}"),
    }
}

#[cfg(test)]
mod tests {
    use super::advice;
    use expect_test::expect;

    #[test]
    fn what_messages_of_ytt_ask_for() {
        let mut out = String::new();
        for message in [
            "struct has no .x field or method",
            "struct has no .nme field or method (did you mean .name?)",
            "NoneType has no .secret field or method",
            "dict has no .a field or method",
            "yamlfragment has no .name field or method",
            "yamlfragment has no .get field or method",
            "key \"a\" not in yamlfragment",
            "cannot load ../x.star: Expected to find file '../x.star' (hint: only files included via -f flag are available)",
            "cannot load ./x.star: Expected to find file './x.star' (hint: only files included via -f flag are available)",
            "use of reserved keyword 'is' is not allowed",
            "use of reserved keyword 'del' is not allowed",
            "json.decode: expected a string, but was int",
            "json.decode: invalid character 'a' looking for beginning of value",
            "yaml.decode: Expected to find exactly one YAML document",
            "int has no .y= field or method",
            "list has no .foo field or method (did you mean .pop?)",
            "library.eval: Evaluating library 'lib': struct has no .nope field or method (did you mean .name?)",
            "undefined: foo",
            "unknown binary op: int + string",
            "unknown binary op: string | string",
            "unknown binary op: NoneType - int",
            "undefined: data",
            "undefined: struct",
            "use of reserved keyword 'class' is not allowed",
            "use of reserved keyword 'import' is not allowed",
            "use of reserved keyword 'try' is not allowed",
            "unexpected input character '!'",
            "key \"secrets\" not in struct",
            "key \"a\" not in dict",
            "function f missing 1 argument (a)",
            "function f got 1 positional argument too many",
            "int value is not iterable",
            "index 3 out of range: empty list",
            "load: name subst not found in module",
            "cannot load @ytt:dta: builtin ytt library does not have module 'dta'",
            "cannot load ../x.yml: Expected to find file '../x.yml'",
            "real division by zero",
            "int: invalid literal with base 10: x",
            "assert.fail: fail: my own words, undefined: x",
            "assert.fail: fail: \u{1b}[31m has no .",
            "",
        ] {
            out += &format!("{message:?}\n  {}\n", advice(message).as_deref().unwrap_or("-"));
        }
        expect![[r#"
            "struct has no .x field or method"
              there is no key `x`: `hasattr(…, "x")` says whether there is one
            "struct has no .nme field or method (did you mean .name?)"
              -
            "NoneType has no .secret field or method"
              the value is null here: test it with `if` before using its keys
            "dict has no .a field or method"
              write keys of a dict in brackets: `["a"]`
            "yamlfragment has no .name field or method"
              write keys of a fragment in brackets: `["name"]`
            "yamlfragment has no .get field or method"
              a fragment has no methods: `"KEY" in …` tells whether it has a key, and `dict(**…)` and `list(…)` make a dict or a list of it
            "key \"a\" not in yamlfragment"
              `"a" in …` tells whether there is such a key
            "cannot load ../x.star: Expected to find file '../x.star' (hint: only files included via -f flag are available)"
              `.` and `..` lead nowhere in ytt: a path begins at the directory of this file, or at the top with `/`, as `load("/x.star", …)`
            "cannot load ./x.star: Expected to find file './x.star' (hint: only files included via -f flag are available)"
              `.` and `..` lead nowhere in ytt: a path begins at the directory of this file, or at the top with `/`, as `load("/x.star", …)`
            "use of reserved keyword 'is' is not allowed"
              `==` tells whether two values are equal, also to `None`
            "use of reserved keyword 'del' is not allowed"
              `.pop("KEY")` removes a key of a dict, and `.pop(INDEX)` an item of a list
            "json.decode: expected a string, but was int"
              only a string can be decoded
            "json.decode: invalid character 'a' looking for beginning of value"
              the string is not valid JSON
            "yaml.decode: Expected to find exactly one YAML document"
              `yaml.decode` reads one document: split the text at `---` first
            "int has no .y= field or method"
              values cannot be changed once they are made: make another with the new value
            "list has no .foo field or method (did you mean .pop?)"
              -
            "library.eval: Evaluating library 'lib': struct has no .nope field or method (did you mean .name?)"
              -
            "undefined: foo"
              `foo` is neither defined above nor loaded: `load("FILE", "foo")` loads it from a file
            "unknown binary op: int + string"
              `str(…)` converts a value to a string, which can be joined with other strings
            "unknown binary op: string | string"
              `or` gives the first of two values that is true
            "unknown binary op: NoneType - int"
              `-` does not take null and an integer
            "undefined: data"
              `data` is neither defined above nor loaded: `load("@ytt:data", "data")` loads this module of ytt
            "undefined: struct"
              `struct` is neither defined above nor loaded: `load("@ytt:struct", "struct")` loads this module of ytt
            "use of reserved keyword 'class' is not allowed"
              this word is reserved: `getattr(…, "class")` takes the value of a key of this name
            "use of reserved keyword 'import' is not allowed"
              `load("FILE", "NAME")` takes names from other files and modules
            "use of reserved keyword 'try' is not allowed"
              `assert.try_to(lambda: …)` gives the value or the failure, and `assert.fail("…")` fails
            "unexpected input character '!'"
              `not` negates a condition
            "key \"secrets\" not in struct"
              `hasattr(…, "secrets")` tells whether there is such a key
            "key \"a\" not in dict"
              `.get("a")` gives None where a dict has no such key
            "function f missing 1 argument (a)"
              give a value to each parameter that has no default
            "function f got 1 positional argument too many"
              more values are given than there are parameters
            "int value is not iterable"
              `for` goes through the items of a list or the keys of a dict; `range(3)` gives 0, 1, 2
            "index 3 out of range: empty list"
              items are counted from 0, and `len(…)` says how many there are
            "load: name subst not found in module"
              `load` takes names that are defined at the top level of the file
            "cannot load @ytt:dta: builtin ytt library does not have module 'dta'"
              the modules of ytt are named in its documentation; `data`, `overlay`, `assert`, `json` and `yaml` are some
            "cannot load ../x.yml: Expected to find file '../x.yml'"
              `.` and `..` lead nowhere in ytt: a path begins at the directory of this file, or at the top with `/`, as `load("/x.yml", …)`
            "real division by zero"
              test first whether the divisor is 0
            "int: invalid literal with base 10: x"
              only digits, with an optional sign, make an integer
            "assert.fail: fail: my own words, undefined: x"
              -
            "assert.fail: fail: \u{1b}[31m has no ."
              -
            ""
              -
        "#]]
        .assert_eq(&out);
    }
}
