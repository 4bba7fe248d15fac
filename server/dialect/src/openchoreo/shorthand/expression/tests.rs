use super::*;
use proptest::prelude::*;

/// `[string]` for layers and core, then the words after the bar with the part before `=`.
fn shown(text: &str) -> String {
    let read = parse(text);
    let layer = |layer: &Layer| match &layer.kind {
        LayerKind::List => "list of ".to_owned(),
        LayerKind::Map { wrong_key: None } => "map of ".to_owned(),
        LayerKind::Map { wrong_key: Some(key) } => format!("map by {} of ", &text[key.clone()]),
    };
    let layers: String = read.layers.iter().map(layer).collect();
    let core = match read.core {
        Core::Primitive(primitive) => primitive.name().to_owned(),
        Core::Named => format!("`{}`", &text[read.core_range.clone()]),
        other => format!("{other:?}"),
    };
    let marker = |marker: &Marker| {
        let value = marker.value.clone().map_or("!".to_owned(), |value| format!("={}", &text[value]));
        let open = if marker.unclosed.is_some() { " open" } else { "" };
        format!(" {}{value}{open};", &text[marker.key.clone()])
    };
    let markers: String = read.markers.iter().map(marker).collect();
    format!("{layers}{core}{markers}")
}

#[test]
fn types() {
    for (text, expected) in [
        ("string", "string"),
        ("  integer\t", "integer"),
        ("[][]integer", "list of list of integer"),
        ("array<[]string>", "list of list of string"),
        ("[]map<[]integer>", "list of map of list of integer"),
        ("map[string][]string", "map of list of string"),
        ("map<map<string>>", "map of map of string"),
        ("array< string >", "list of string"),
        ("map[ string ]  integer", "map of integer"),
        ("map[int]string", "map by int of string"),
        ("map[string", "BrokenMap"),
        ("string[]", "`string[]`"),
        ("[](string)", "list of `(string)`"),
        ("array<string", "`array<string`"),
        ("[]", "list of ``"),
        ("map<>", "map of ``"),
        ("| default=a", "`` default=a;"),
        ("map<string | default=a>", "`map<string` default=a>;"),
        ("[]object", "list of Object"),
        ("my type", "`my type`"),
        ("array<", "`array<`"),
        ("map<", "`map<`"),
    ] {
        assert_eq!(shown(text), expected, "{text:?}");
    }
}

#[test]
fn markers() {
    for (text, expected) in [
        ("string | minLength=1 default=x", "string minLength=1; default=x;"),
        ("string | minLength=1 | default=x |", "string minLength=1; default=x;"),
        ("string|default=a|minLength=1", "string default=a|minLength=1;"),
        ("string | default=a| minLength=1", "string default=a|; minLength=1;"),
        ("string | pattern=^(a|b)$", "string pattern=^(a|b)$;"),
        (r#"string | default="a b" x"#, r#"string default="a b"; x!;"#),
        (r"string | default='a\' x=1", r"string default='a\' x=1 open;"),
        ("string | default=[a, {b] } c=1", "string default=[a, {b] }; c=1;"),
        ("string | default=a}] b=1", "string default=a}]; b=1;"),
        ("string | default={a b=1", "string default={a b=1 open;"),
        ("string | don't b=1", "string don't b=1 open;"),
        ("string | default = 1", "string default!; =; 1!;"),
        ("string | default= 1", "string default=; 1!;"),
        ("string | a=b=c", "string a=b=c;"),
        ("string |\n  minLength=1\n\tdefault=x\n", "string minLength=1; default=x;"),
    ] {
        assert_eq!(shown(text), expected, "{text:?}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read(text in "[]\\[{}<>|='\"\\\\ a-mé:,]{0,40}") {
        let read = parse(&text);
        for range in read.markers.iter().flat_map(|marker| [&marker.range, &marker.key]).chain([&read.core_range]) {
            prop_assert!(text.get(range.clone()).is_some(), "{range:?} of {text:?}");
        }
        for value in read.markers.iter().filter_map(|marker| marker.value.as_ref()) {
            prop_assert!(text.get(value.clone()).is_some(), "{value:?} of {text:?}");
        }
    }
}

#[test]
fn nesting_is_bounded() {
    let text = format!("{}string", "[]".repeat(100_000));
    assert_eq!(parse(&text).core, Core::TooDeep);
}
