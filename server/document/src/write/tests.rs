use super::*;
use crate::{ArrayItem, FileId, Key, MapItem, Node, NodeValue, Notes, Span};

fn node(value: NodeValue) -> Node {
    Node::new(value, Span::new(FileId(0), 0..0))
}

fn text(text: &str) -> Node {
    node(NodeValue::String(text.into()))
}

fn map(items: Vec<(&str, Node)>) -> Node {
    let span = Span::new(FileId(0), 0..0);
    let item = |(key, value): (&str, Node)| MapItem {
        key: Key::from(key),
        key_span: span,
        span,
        value,
        notes: Notes::default(),
        merged: false,
        conditional: false,
    };
    node(NodeValue::Map(items.into_iter().map(item).collect()))
}

fn array(items: Vec<Node>) -> Node {
    let span = Span::new(FileId(0), 0..0);
    node(NodeValue::Array(
        items.into_iter().map(|value| ArrayItem { span, value, notes: Notes::default(), conditional: false }).collect(),
    ))
}

#[test]
fn text_is_quoted_only_where_it_would_be_misread() {
    let cases = [
        ("plain words", "plain words"),
        ("", "\"\""),
        ("y", "\"y\""),
        ("12", "\"12\""),
        ("1.10", "\"1.10\""),
        ("1:30", "\"1:30\""),
        ("2024-01-31", "\"2024-01-31\""),
        ("2024-01-31 10:20:30", "\"2024-01-31 10:20:30\""),
        ("2024-01-31T10:20:30,5Z", "\"2024-01-31T10:20:30,5Z\""),
        ("2024-01-31T10:20:30", "2024-01-31T10:20:30"),
        ("2024-02-30", "2024-02-30"),
        ("~", "\"~\""),
        ("nginx:1.2", "nginx:1.2"),
        ("a: b", "'a: b'"),
        ("it # is", "'it # is'"),
        ("'", "''''"),
        ("@daily", "'@daily'"),
        (">=v1", "'>=v1'"),
        ("-x", "-x"),
        ("- x", "'- x'"),
        (" lead", "' lead'"),
        ("太郎", "太郎"),
        ("🙂", "\"\\U0001F642\""),
        ("tab\there", "\"tab\\there\""),
        ("<<", "<<"),
        ("x\u{2028}y 'z", "'x\u{2028}  y ''z'"),
        ("\u{2028}\u{2029}x\u{2028}", "'\u{2028}\u{2029}  x\u{2028}'"),
        ("x\n\u{2028}y\n", "|\n  x\n\u{2028}  y"),
        ("\u{feff}l \u{a0}\"é", "\"\\uFEFF\\x6C\\x20\\_\\\"\\xE9\""),
        ("l\u{feff}\u{a0}", "\"l\\uFEFF\u{a0}\""),
    ];
    for (value, written) in cases {
        assert_eq!(to_yaml(&text(value)), written, "{value:?}");
    }
}

#[test]
fn bytes_that_are_not_utf_8_are_written_as_base64() {
    let bytes = |bytes: &[u8]| lofting_eval::bytes::text(bytes);
    let long = format!("!!binary |\n  {}kJ\n  CQ", "kJCQ".repeat(17));
    let cases = [
        (bytes(b"\x80\x81\x82"), "!!binary gIGC"),
        (bytes(b"caf\xe9\n"), "!!binary Y2Fm6Qo="),
        (bytes(&[0x90; 54]), &long),
    ];
    for (value, written) in &cases {
        assert_eq!(to_yaml(&text(value)), *written);
    }
    let key = |count: usize| bytes(&vec![0x90; count]);
    let tree = map(vec![(&key(3), text(&key(3))), (&key(54), array(vec![text(&key(54))]))]);
    let line = format!("{}kJ", "kJCQ".repeat(17));
    assert_eq!(
        yaml_document(&tree),
        format!("!!binary kJCQ: !!binary kJCQ\n? !!binary |\n  {line}\n  CQ\n: - !!binary |\n    {line}\n    CQ\n")
    );
    assert_eq!(json_document(&map(vec![(&key(1), text(&bytes(b"a\xc3b")))])), r#"{"\ufffd":"a\ufffdb"}"#);
}

#[test]
fn collections_stand_as_ytt_prints_them() {
    let tree = map(vec![
        (
            "a",
            map(vec![(
                "list",
                array(vec![
                    map(vec![("k", text("v")), ("l", array(vec![text("x")]))]),
                    array(vec![text("y1"), text("z")]),
                ]),
            )]),
        ),
        ("empty", map(vec![])),
        ("none", array(vec![])),
        ("block", text("one\ntwo\n")),
        ("strip", map(vec![("t", text("one\n  two"))])),
        ("on", node(NodeValue::Null)),
    ]);
    assert_eq!(
        yaml_document(&tree),
        "a:\n  list:\n  - k: v\n    l:\n    - x\n  - - y1\n    - z\nempty: {}\nnone: []\nblock: |\n  one\n  two\nstrip:\n  t: |-\n    one\n      two\n\"on\": null\n"
    );
}

#[test]
fn keys_with_line_breaks_are_written_apart() {
    let tree = map(vec![
        ("a\r", node(NodeValue::int(1))),
        ("b\u{85}", array(vec![text("x")])),
        ("c", map(vec![("d\u{2028}e", text("y\u{2029}z"))])),
    ]);
    assert_eq!(
        yaml_document(&tree),
        "? \"a\\r\"\n: 1\n? \"b\\N\"\n: - x\nc:\n  ? 'd\u{2028}    e'\n  : 'y\u{2029}    z'\n"
    );
}

#[test]
fn floats_are_spelled_as_go_spells_them() {
    let cases = [
        (1.5, "1.5"),
        (5.0, "5"),
        (1e3, "1000"),
        (1e6, "1e+06"),
        (1e21, "1e+21"),
        (1e-7, "1e-07"),
        (0.0015, "0.0015"),
        (18446744073709551616.0, "1.8446744073709552e+19"),
        (f64::INFINITY, ".inf"),
    ];
    for (value, written) in cases {
        assert_eq!(float_text(value), written);
    }
}

#[test]
fn json_escapes_and_keeps_order() {
    let tree =
        map(vec![("b", text("x\n\"y\"")), ("a", array(vec![node(NodeValue::int(1)), node(NodeValue::Float(1.5))]))]);
    assert_eq!(to_json(&tree), r#"{"b":"x\n\"y\"","a":[1,1.5]}"#);
}

#[test]
fn repeated_keys_are_written_once() {
    let tree = map(vec![("a", text("x")), ("b", text("y")), ("a", map(vec![("c", text("z"))]))]);
    assert_eq!(yaml_document(&tree), "a:\n  c: z\nb: \"y\"\n");
    assert_eq!(json_document(&tree), "{\"a\":{\"c\":\"z\"},\"b\":\"y\"}");
}

#[test]
fn a_document_as_json_is_sorted_and_escaped() {
    let tree = map(vec![("b", text("<a & b>\u{2028}")), ("a", array(vec![node(NodeValue::Float(1.0))]))]);
    assert_eq!(json_document(&tree), "{\"a\":[1],\"b\":\"\\u003ca \\u0026 b\\u003e\\u2028\"}");
    assert_eq!(to_json(&tree), "{\"b\":\"<a & b>\u{2028}\",\"a\":[1]}");
}

#[test]
fn places_stand_before_the_items() {
    let written = "---\na: 1\nl:\n- x\n- m: {}\n  t: |\n    1\n    2\n";
    let set = crate::lower(
        FileId(0),
        &lofting_syntax::parse(written),
        lofting_syntax::resolve::Profile::Ytt,
        crate::Options::default(),
    );
    let place = |span: Span| Some(format!("f:{}", written[..span.range().start].matches('\n').count() + 1));
    let mut writer = PositionWriter::new(&place);
    set.documents.iter().for_each(|document| writer.document(document));
    let wanted = "          f:1 | [doc]\n          f:2 |   a: 1\n          f:3 |   l:\n          f:4 |     [0] x\n          \
                  f:5 |     [1]\n          f:5 |       m:\n          f:6 |       t:\n              |         |\n  1\n  2\n";
    assert_eq!(writer.take(), wanted);
}

#[test]
fn every_line_has_the_place_of_what_stands_on_it() {
    let text = "a:\n- b: 1\n  c: |\n    x\n\n    y\n- {}\nd: 2\n";
    let written = crate::lower(
        FileId(0),
        &lofting_syntax::parse(text),
        lofting_syntax::resolve::Profile::Ytt,
        crate::Options::default(),
    );
    let document = &written.documents[0];
    let (out, places) = yaml_with_places(&document.value);
    assert_eq!(out, text);
    let shown: Vec<&str> = places.iter().map(|place| &text[place.range()]).collect();
    assert_eq!(shown, ["a", "b", "c", "c", "c", "c", "-", "d"]);
    let scalar = super::tests::text("one");
    assert_eq!(yaml_with_places(&scalar), ("one\n".to_owned(), vec![scalar.span]));
}
