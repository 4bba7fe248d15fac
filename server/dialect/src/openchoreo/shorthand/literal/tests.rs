use super::*;
use lofting_document::FileId;

fn value(node: Option<Node>) -> String {
    node.map_or("none".to_owned(), |node| lofting_schema::words::literal(&node))
}

#[test]
fn quotes() {
    for (text, expected) in [
        (r#""a b""#, "a b"),
        (r#""\\ \" \n \x41 \101 \u00e9""#, "\\ \" \n A A é"),
        (r#""\d+""#, r#""\d+""#),
        (r#""a"b""#, r#""a"b""#),
        ("'it''s'", "it's"),
        (r"'\n'", r"\n"),
        ("'a", "'a"),
        ("don't", "don't"),
        ("`a`", "`a`"),
        ("\"", "\""),
        ("''", ""),
    ] {
        assert_eq!(unquoted(text), expected, "{text}");
    }
    assert!(keeps_quotes(r#""\d+""#) && !keeps_quotes(r#""a""#) && !keeps_quotes("\""));
}

#[test]
fn numbers() {
    let integers =
        ["7", "-7", "+7", "007", "9223372036854775807", "9223372036854775808", "1.0", "1e3", "0x10", "1_0", ""];
    let read: Vec<Option<i64>> = integers.into_iter().map(integer).collect();
    assert_eq!(read[..5], [Some(7), Some(-7), Some(7), Some(7), Some(i64::MAX)]);
    assert!(read[5..].iter().all(Option::is_none), "{read:?}");
    for (text, expected) in
        [("1", 1.0), (".5", 0.5), ("1e3", 1000.0), ("0x1p4", 16.0), ("-2.50", -2.5), ("1_000", 1000.0)]
    {
        assert_eq!(number(text), Some(expected), "{text}");
    }
    for text in ["", "x", "1e", "--1", "0x1", "_1", "1__0", "1_", "e1", "1e999"] {
        assert_eq!(number(text), None, "{text}");
    }
    assert!(number("NaN").is_some_and(f64::is_nan) && number("-Inf") == Some(f64::NEG_INFINITY));
}

#[test]
fn lists_and_examples() {
    let split = |text: &'static str| pieces(text).into_iter().map(|range| &text[range]).collect::<Vec<_>>();
    assert_eq!(split("a,b,,c"), ["a", "b", "c"]);
    assert_eq!(split(r#""a,b",c"#), [r#""a,b""#, "c"]);
    assert_eq!(split(r#"'a,b',"""#), ["'a", "b'", r#""""#]);
    assert_eq!(split(""), Vec::<&str>::new());
    let span = Span::new(FileId(0), 0..1);
    for (text, expected) in [
        ("1", "true"),
        ("0", "false"),
        ("t", "true"),
        ("2", "2"),
        ("2.50", "2.5"),
        ("'q'", "\"'q'\""),
        (r#"{"k":[1]}"#, "{k: [1]}"),
        ("[a]", "none"),
        ("", "\"\""),
    ] {
        assert_eq!(value(example(text, span)), expected, "{text}");
    }
}
