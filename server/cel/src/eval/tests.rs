use crate::cost::{Failure, LIMIT};
use crate::parse;
use crate::plan::{Environment, Program};
use crate::typed;
use crate::types::Type;
use crate::value::Value;

/// The value of an expression, or the part that has none and the reason.
fn found(text: &str) -> String {
    let mut environment = Environment::default();
    environment.variables.insert("x".to_owned(), Type::Dyn);
    let program = Program::new(&parse(text).expect("short"), &environment).expect(text);
    let outcome = program.evaluate(&|name| (name == "x").then_some(Value::Int(3)), LIMIT);
    match outcome.value {
        Ok(value) => typed::written(&value).to_string(),
        Err(error) => match error.failure {
            Failure::TooExpensive => "too expensive".to_owned(),
            Failure::Because(reason) | Failure::Unknown(reason) => format!("{}: {reason}", &text[error.range]),
        },
    }
}

#[test]
fn values_are_found() {
    for (text, expected) in [
        ("x * 2 + 1", r#"{"int":7}"#),
        ("x > 2.5 ? 'a' + \"b\" : ''", r#"{"string":"ab"}"#),
        ("[1, 2, 3].filter(i, i != 2).map(i, i * x)", r#"{"list":[{"int":3},{"int":9}]}"#),
        ("{'a': 1}.all(k, k == 'a') && [1].exists_one(i, i == 1)", r#"{"bool":true}"#),
        ("{'a': {'b': 1}}.?a.?c.orValue(2)", r#"{"int":2}"#),
        ("[?optional.none(), ?optional.of(1)]", r#"{"list":[{"int":1}]}"#),
        ("optional.of(1).orValue(1 / 0)", r#"{"int":1}"#),
        ("[3, 1, 2].sortBy(i, -i)", r#"{"list":[{"int":3},{"int":2},{"int":1}]}"#),
        ("{'a': 1}.transformMapEntry(k, v, {v: k})", r#"{"map":[{"key":{"int":1},"value":{"string":"a"}}]}"#),
        ("[[1], [2]].flatten()", r#"{"list":[{"int":1},{"int":2}]}"#),
        ("optional.of(2).optMap(i, i + 1)", r#"{"optional":{"int":3}}"#),
        ("type([])", r#"{"type":"list"}"#),
        ("timestamp('2020-01-01T00:00:00Z') + duration('1h')", r#"{"timestamp":"2020-01-01T01:00:00Z"}"#),
        ("'aäb'.substring(1, 2) + 'abcabc'.replace('b', 'x', 1)", r#"{"string":"äaxcabc"}"#),
        ("'a,b,c'.split(',', 2)", r#"{"list":[{"string":"a"},{"string":"b,c"}]}"#),
        ("'äbä'.lastIndexOf('ä') * 10 + 'äbä'.indexOf('ä', 1)", r#"{"int":22}"#),
        ("'abc'.split('')", r#"{"list":[{"string":"a"},{"string":"b"},{"string":"c"}]}"#),
        ("'a1b22'.findAll('[0-9]+')", r#"{"list":[{"string":"1"},{"string":"22"}]}"#),
        ("cidr('10.0.0.0/8').containsIP('10.1.2.3')", r#"{"bool":true}"#),
        ("quantity('1k').add(24) == quantity('1Ki')", r#"{"bool":true}"#),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn errors_count_only_if_nothing_else_decides() {
    for (text, expected) in [
        ("1 / 0 == 1 || true", r#"{"bool":true}"#),
        ("false && 1 / 0 == 1", r#"{"bool":false}"#),
        ("[1, 0].exists(i, 1 / i == 1)", r#"{"bool":true}"#),
        ("[0, 1].all(i, 1 / i == 2)", r#"{"bool":false}"#),
        ("1 / 0 == 1 || false", "1 / 0: nothing can be divided by zero"),
        ("[0].map(i, 1 / i)", "1 / i: nothing can be divided by zero"),
        ("{'a': 1}.b", "{'a': 1}.b: there is no key `b`"),
        ("[1][1]", "[1][1]: there is no item `1` in an array of 1"),
        ("9223372036854775807 + 1", "9223372036854775807 + 1: the result is out of range"),
        ("x.a", "x.a: an integer has no fields"),
        ("optional.none().value()", "optional.none().value(): the value is absent"),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn nothing_costs_more_than_it_may() {
    for text in [
        "lists.range(1000).all(a, lists.range(1000).all(b, lists.range(1000).all(c, true)))",
        "lists.range(100000000000)",
        "lists.range(1000).map(a, lists.range(1000).map(b, lists.range(1000)))",
        "'aaaaaaaaaaaaaaaa'.replace('', 'aaaaaaaaaaaaaaaa').replace('', 'aaaaaaaaaaaaaaaaaaaaa').replace('', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa').replace('', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa').replace('', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa')",
        "lists.range(100000).map(a, [a]).distinct() == []",
        "true || lists.range(100000000) == []",
    ] {
        let expected = if text.starts_with("true") { r#"{"bool":true}"# } else { "too expensive" };
        assert_eq!(found(text), expected, "{text}");
    }
    // Texts that double at each step.
    let mut text = "['aaaaaaaaaa']".to_owned();
    for _ in 0..40 {
        text.push_str(".map(x, x + x)");
    }
    assert_eq!(found(&text), "too expensive");
}

/// The deepest expressions that are accepted do not overflow a small stack.
#[test]
fn depth_fits_a_small_stack() {
    let deep = format!("{}1{} == 1", "[1].map(x, ".repeat(80), ")[0]".repeat(80));
    let chain = vec!["1"; 240].join(" + ");
    let nested = format!("{}1{} == [1]", "[".repeat(110), "]".repeat(110));
    let run = move || [deep, chain, nested].map(|text| found(&text).starts_with('{'));
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(run).expect("a thread");
    assert_eq!(thread.join().expect("no overflow"), [true; 3]);
}
