//! Single expressions and short programs with what ytt makes of them.

mod harness;

use harness::{Files, data};
use lofting_eval::Data;

/// What `r` is after the code, as `repr` shows it; the message if it fails.
fn result(code: &str) -> String {
    let code: String = code.lines().map(|line| format!("#@ {line}\n")).collect();
    let library = "def inc(x): return x + 1\nfive = 5\n_private = 1\n";
    let files = Files(vec![
        ("values.yml".to_owned(), format!("{code}---\nr: #@ repr(r)\n")),
        ("lib.star".to_owned(), library.to_owned()),
    ]);
    let (evaluated, _) = files.evaluate();
    match evaluated.result {
        Err(error) => format!("{:?}: {}", error.kind, error.message),
        Ok(outcome) => match &outcome.documents.items[0].value {
            Data::Fragment(map) => match &map.items[0].value {
                Data::String(text) => text.clone(),
                other => data(other),
            },
            other => data(other),
        },
    }
}

fn check(cases: &[(&str, &str)]) {
    for (code, expected) in cases {
        assert_eq!(result(code), *expected, "{code}");
    }
}

#[test]
fn positions_in_strings_count_bytes() {
    check(&[
        (r#"r = "héllo"[3]"#, r#""l""#),
        (r#"r = "héllo"[3:]"#, r#""llo""#),
        (r#"r = "héllo"[-2:]"#, r#""lo""#),
        (r#"r = "éé"[2:4] + "éa"[::-3]"#, r#""éa""#),
        (r#"r = ("é" + "ab")[-1]"#, r#""b""#),
        (r#"r = [["é!"], {"k": "é?"}][1]["k"][2]"#, r#""?""#),
        (r#"r = "é"[0]"#, "Unsupported: a part of a character can not be evaluated here"),
        (r#"r = "é"[2]"#, "Runtime: string index 2 out of range [-2:1]"),
        (r#"r = "é"["a"]"#, "Runtime: string index: got string, want int"),
        (r#"r = "abcdef"[1:4:2]"#, r#""bd""#),
        ("x = [1, 2]\nx[0] += 5\nx[1:]\nr = x", "[6, 2]"),
    ]);
}

#[test]
fn while_on_one_line_or_many() {
    check(&[
        ("i = 0\nwhile i < 3: i += 1\nr = i", "3"),
        ("i = 0\nwhile i < 2: i += 1; j = i\nr = (i, j)", "(2, 2)"),
        ("def f(n):\nwhile True: return n\nend\nr = f(4)", "4"),
        ("i = 0\nwhile i < 10:\ni += 1\nif i == 5:\nbreak\nend\nend\nr = i", "5"),
    ]);
}

#[test]
fn load_below_a_condition() {
    check(&[
        ("if True:\nload(\"lib.star\", \"inc\", n=\"five\")\nend\nr = inc(n)", "6"),
        ("if True:\nload(\"@ytt:assert\", \"assert\")\nend\nr = assert.min(1).check(2)", "True"),
        ("r = 1\nif False:\nload(\"nowhere.star\", \"x\")\nend", "1"),
    ]);
    assert!(result("if True:\nload(\"lib.star\", \"_private\")\nend\nr = 1").contains("not exported: _private"));
    assert!(result("if True:\nload(\"nowhere.star\", \"x\")\nend\nr = 1").contains("Expected to find file"));
    assert!(result("def f():\nload(\"lib.star\", \"five\")\nend\nr = 1").starts_with("Syntax"));
}

#[test]
fn only_what_ytt_has() {
    check(&[
        ("r = dir(set())", r#"["union"]"#),
        ("r = dir([])", r#"["append", "clear", "extend", "index", "insert", "pop", "remove"]"#),
        ("r = hasattr(\"\", \"removeprefix\"), getattr([], \"sort\", 1)", "(False, 1)"),
        ("s = set()\ns.add(1)\nr = s", "Runtime: set has no .add field or method"),
        ("r = \"abc\".split(\"\")", "Runtime: split: empty separator"),
        ("def f(a, *, b=2): return (a, b)\nr = f(1, b=3)", "(1, 3)"),
        (
            "r = \"{0}{}\".format(1, 2)",
            "Runtime: cannot switch from manual field specification to automatic field numbering",
        ),
    ]);
}

#[test]
fn failures_in_the_words_of_ytt() {
    check(&[
        ("r = 1 >= \"a\"", "Runtime: int >= string not implemented"),
        ("r = [x for x in \"abc\"]", "Runtime: string value is not iterable"),
        ("r = {[]: 1}", "Runtime: unhashable type: list"),
        ("r = 5()", "Runtime: invalid call of non-function (int)"),
        ("r = -\"a\"", "Runtime: unknown unary op: -string"),
        ("r = 1 // 0", "Runtime: floored division by zero"),
        ("r = (lambda a, b: a)(1)", "Runtime: function lambda missing 1 argument (b)"),
        ("r = (lambda: 1)(a=1)", "Runtime: function lambda got an unexpected keyword argument \"a\""),
    ]);
}

#[test]
fn what_can_not_be_the_value_of_a_node() {
    for value in ["len", "range(3)", "lambda: 1", "{\"a\": [len]}", "9223372036854775807 * 4"] {
        let files = Files(vec![("values.yml".to_owned(), format!("---\na: 1\nb: #@ {value}\n"))]);
        let error = files.evaluate().0.result.expect_err(value);
        assert!(error.kind.is_error(), "{value}: {}", error.message);
        let place = error.place().expect("a place");
        assert!(place.start >= 9, "{value}: at the node, not at {}", place.start);
    }
}
