use super::parse;
use crate::tree::{Expression, Id, NodeKind};

/// The tree in brackets, without names of node kinds that are obvious.
fn shown(tree: &Expression, id: Id) -> String {
    let Some(node) = tree.nodes.get(id) else { return "?".to_owned() };
    let of = |id: &Id| shown(tree, *id);
    let all = |ids: &[Id]| ids.iter().map(of).collect::<Vec<_>>().join(" ");
    match &node.kind {
        NodeKind::Missing => "_".to_owned(),
        NodeKind::Number(_) => "number".to_owned(),
        NodeKind::Bytes { .. } => "bytes".to_owned(),
        NodeKind::Bool(_) => "bool".to_owned(),
        NodeKind::Null => "null".to_owned(),
        NodeKind::Text { text, .. } => format!("{text:?}"),
        NodeKind::Name(name) | NodeKind::Outermost(name) => name.clone(),
        NodeKind::Select { of: value, name, .. } => format!("{}.{name}", of(value)),
        NodeKind::Index { of: value, key } => format!("{}[{}]", of(value), of(key)),
        NodeKind::Call { of: value, name, arguments, .. } => {
            let before = value.as_ref().map(|value| format!("{}.", of(value))).unwrap_or_default();
            format!("{before}{name}({})", all(arguments))
        }
        NodeKind::Unary(operator, value) => format!("({operator:?} {})", of(value)),
        NodeKind::Binary(operator, left, right) => format!("({operator:?} {} {})", of(left), of(right)),
        NodeKind::Choice(condition, then, other) => format!("({} ? {} : {})", of(condition), of(then), of(other)),
        NodeKind::List(items) => format!("[{}]", all(items)),
        NodeKind::Map(entries) | NodeKind::Message { entries, .. } => {
            let entries: Vec<String> =
                entries.iter().map(|(key, value)| format!("{}:{}", of(key), of(value))).collect();
            format!("{{{}}}", entries.join(" "))
        }
    }
}

fn read(text: &str) -> String {
    let tree = parse(text).expect("short");
    let fault =
        tree.fault.as_ref().map(|fault| format!(" !{}..{} {}", fault.range.start, fault.range.end, fault.message));
    format!("{}{}", shown(&tree, tree.nodes.len() - 1), fault.unwrap_or_default())
}

#[test]
fn expressions_are_read() {
    for (text, expected) in [
        ("parameters.port", "parameters.port"),
        ("a + b * c - d", "(Minus (Plus a (Times b c)) d)"),
        ("a || b && !c == d", "(Or a (And b (Equal (Not c) d)))"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("x in [1, 2.5, 'a']", "(In x [number number \"a\"])"),
        ("-a.b[0].c('d', e)", "(Minus a.b[number].c(\"d\" e))"),
        ("has(a.b) && size(a.b) > 0", "(And has(a.b) (Greater size(a.b) number))"),
        ("m['a-b'].?c.orValue(\"\")", "m[\"a-b\"].c.orValue(\"\")"),
        ("{'a': 1, b.c: [true, null], ?d: e}", "{\"a\":number b.c:[bool null] d:e}"),
        ("Type{field: 1}", "{field:number}"),
        ("(a + b) * c // why", "(Times (Plus a b) c)"),
        ("a[?0].`b-c`", "a[number].b-c"),
        ("r\"\\d\" + b'x' + 0x1fu + 1e3", "(Plus (Plus (Plus \"\\\\d\" bytes) number) number)"),
        (
            r#"'\a\n\\\?\`\x41\u00e4\U0001F600\101' + r'\d'"#,
            r#"(Plus "\\a\\n\\\\\\?\\`\\x41\\u00e4\\U0001F600\\101" "\\d")"#,
        ),
        ("\"\"\"a\nb\"\"\"", "\"a\\nb\""),
        ("l.map(x, x.y)", "l.map(x x.y)"),
        ("cel.bind(x, a, x + x)", "cel.bind(x a (Plus x x))"),
        (".a.b", "a.b"),
        ("a.b{c: 1}.d", "{c:number}.d"),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn what_is_missing_is_reported_where_it_belongs() {
    for (text, expected) in [
        ("", "_ !0..0 a value is missing here"),
        ("parameters.", "parameters. !11..11 a name is missing after the dot"),
        ("a ==", "(Equal a _) !4..4 a value is missing here"),
        ("a && ", "(And a _) !4..4 a value is missing here"),
        ("f(a", "f(a) !3..3 `)` is missing here"),
        ("f(a,", "f(a _) !4..4 a value is missing here"),
        ("a ? b", "(a ? b : _) !5..5 `:` is missing here"),
        ("[1, 2", "[number number] !5..5 `]` is missing here"),
        ("a b", "a !2..3 `b` does not belong here"),
        ("a )", "a !2..3 `)` does not belong here"),
        ("a = 1", "a !2..3 `=` is not part of an expression"),
        ("* a", "(Times _ a) !0..1 a value is missing before `*`"),
        ("'abc", "\"abc\" !0..1 the quote is not closed"),
        ("x.all(y, ", "x.all(y _) !8..8 a value is missing here"),
        ("has(a)", "has(a) !4..5 `has` needs a field here: `has(a.b)`"),
        ("has(a['b'])", "has(a[\"b\"]) !4..10 `has` needs a field here: `has(a.b)`"),
        ("has(a.?b)", "has(a.b) !4..8 `has` needs a field here: `has(a.b)`"),
        ("has(", "has(_) !4..4 a value is missing here"),
        ("a + '^\\d+$'", "(Plus a \"^\\\\d+$\") !6..8 there is no such escape"),
        (r#""\x4""#, "\"\\\\x4\" !1..4 digits are missing in the escape"),
        (r#"b'a\400'"#, "bytes !3..5 there is no such escape"),
    ] {
        let found = read(text);
        assert!(found.starts_with(expected) || found.ends_with(expected), "{text}: {found}");
    }
}

#[test]
fn macros_give_names_to_items() {
    let tree = parse("a.map(x, x.all(i, v, x == v)) + cel.bind(y, 1, y)").expect("short");
    let names: Vec<String> =
        tree.scopes.iter().map(|scope| format!("{} {}", scope.names.join(","), scope.is_loop)).collect();
    assert_eq!(names, ["i,v true", "x true", "y false"]);
}

/// For any text: parts come before the nodes that contain them, ranges lie in the text, and the depth is bounded.
#[test]
fn any_text_is_read() {
    let texts = [
        "has(workload.container.command) ? workload.container.command : oc_omit()",
        "workload.endpoints.transformMap(name, ep, \"internal\" in ep.visibility && ep.type in [\"HTTP\"], ep)",
        "oc_merge(metadata.labels, {\"a\": endpoint.key, 'b': [1, -2.5e3, 0x1F, r'\\']})",
        "ä ? \"ö\\\"\" : `x-y`.z",
        "\\ # $ @ ~ ^ ; |& = <=> ..?[?{?}",
    ];
    for text in texts {
        let places = || text.char_indices().map(|(at, _)| at).chain([text.len()]);
        for start in places() {
            for end in places().filter(|end| start <= *end) {
                let part = &text[start..end];
                let tree = parse(part).expect("short");
                assert!(!tree.nodes.is_empty(), "{part:?}");
                for (id, node) in tree.nodes.iter().enumerate() {
                    assert!(part.get(node.range.clone()).is_some(), "{part:?}: {node:?}");
                    assert!(node.kind.parts().iter().all(|part| *part < id), "{part:?}: {node:?}");
                }
                let fault = tree.fault.map(|fault| fault.range);
                assert!(fault.is_none_or(|range| part.get(range).is_some()), "{part:?}");
            }
        }
    }
    for nested in ["(", "[", "{a:", "f(", "!", "-", "a ? ", "a.b(", "1+", "a[", "."] {
        let text = nested.repeat(64 * 1024 / nested.len());
        assert!(parse(&text).is_some_and(|tree| tree.fault.is_some()), "{nested}");
    }
    assert!(parse(&"a".repeat(70_000)).is_none());
}
