use super::*;

fn found(text: &str) -> String {
    let expression = cel::parse(text).expect("it can be parsed");
    assert_eq!(expression.fault, None, "{text}");
    failing(text, &expression).map_or_else(String::new, |Failing { range, why, .. }| format!("{}: {why}", &text[range]))
}

#[test]
fn patterns_that_cannot_be_read() {
    for (text, part, is_always) in [
        (r#"x.matches("[a")"#, r#""[a""#, true),
        (r#"matches(x, "(")"#, r#""(""#, true),
        (r#"x.matches('(?=a)') ? 1 : 2"#, "'(?=a)'", true),
        (r#"y && x.matches("[a")"#, r#""[a""#, false),
        (r#"x.all(e, e.matches("a{2,1}"))"#, r#""a{2,1}""#, false),
    ] {
        let expression = cel::parse(text).expect("it can be parsed");
        let found = failing(text, &expression).expect("it is found");
        assert_eq!((&text[found.range], found.is_evaluated), (part, is_always), "{text}: {}", found.why);
    }
    for text in [
        r#"x.matches("^[a-z]+\\.[a-z]$")"#,
        r#"x.matches(r"\d")"#,
        "x.matches(y)",
        r#"x.matches("[" + y)"#,
        r#"x.other("[")"#,
    ] {
        assert_eq!(found(text), "", "{text}");
    }
}

#[test]
fn constants_without_a_value() {
    for (text, part) in [
        ("1 / 0", "1 / 0"),
        ("x.n % 0", "x.n % 0"),
        ("x + string(1 / 0)", "1 / 0"),
        ("[1, 2][5]", "[1, 2][5]"),
        (r#"{"a": 1}["b"]"#, r#"{"a": 1}["b"]"#),
        (r#"{"a": 1}.b"#, r#"{"a": 1}.b"#),
        (r#"int("abc") + x"#, r#"int("abc")"#),
        (r#"duration("5x")"#, r#"duration("5x")"#),
        (r#"timestamp("nope")"#, r#"timestamp("nope")"#),
        (r#""abc".substring(5)"#, r#""abc".substring(5)"#),
        ("9223372036854775807 + 1", "9223372036854775807 + 1"),
        ("uint(-1)", "uint(-1)"),
        ("1 / 0 > 1 ? x : y", "1 / 0"),
        (r#"{"key": [x, double("b")]}"#, r#"double("b")"#),
        ("f(x, 1 / 0)", "1 / 0"),
    ] {
        let found = found(text);
        assert!(found.starts_with(&format!("{part}: ")), "{text}: {found}");
    }
}

#[test]
fn what_may_have_a_value() {
    for text in [
        "x / y",
        "x / 0.0",
        "1.0 / 0.0",
        "x ? 1 / 0 : 2",
        "x || 1 / 0 == 1",
        "1 / 0 == 1 || x",
        "x && [1][3] == 1",
        "x.map(a, 1 / 0)",
        "[].map(a, 1 / 0)",
        "has(x.a)",
        "x.?a.orValue(1 / 0)",
        "x[5]",
        "[1, 2][x]",
        r#"oc_generate_name("a", 1)"#,
        r#"oc_merge({"a": 1}, {"b": 2}).c"#,
        r#"base64.decode("%")"#,
        r#"int("12")"#,
        r#"{"a": 1}.a"#,
        r#""abc".reverse()"#,
        "size([1, 2])",
        "[1, 2][1]",
        "true ? 1 : 1 / 0",
    ] {
        assert_eq!(found(text), "", "{text}");
    }
}
