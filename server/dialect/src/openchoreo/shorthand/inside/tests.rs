use super::{CustomTypes, inside};
use lofting_document::{FileId, Node, NodeValue, Span};

fn node(text: &str) -> Node {
    Node::new(NodeValue::String(text.into()), Span::new(FileId(0), 0..0))
}

/// The proposals at the `$` of a definition, and the definition after inserting the first.
fn offered(text: &str) -> (Vec<String>, String) {
    let offset = text.find('$').expect("a place");
    let text = text.replacen('$', "", 1);
    let (port, mode) = (node("integer | minimum=1"), node("string | enum=small,large"));
    let types = CustomTypes(vec![("Port".to_owned(), &port), ("Mode".to_owned(), &mode)]);
    let found = inside(&text, offset, &types);
    let labels = found.proposals.iter().map(|proposal| proposal.label.clone()).collect();
    let mut after = text;
    if let Some(first) = found.proposals.first() {
        after.replace_range(first.replace.clone(), &first.text);
    }
    (labels, after)
}

#[test]
fn types_are_offered_wherever_one_belongs() {
    let all = ["string", "integer", "boolean", "number", "Port", "Mode", "[]", "map<"];
    for (text, after) in [
        ("$", "string"),
        ("st$", "string"),
        ("$st", "string"),
        ("int$eger | default=1", "string | default=1"),
        ("[]$", "[]string"),
        ("[][]st$", "[][]string"),
        ("map<$", "map<string>"),
        ("map<st$>", "map<string>"),
        ("array<map<st$", "array<map<string>>"),
        ("array<map<st$>", "array<map<string>>"),
        ("map[string]$", "map[string]string"),
        ("$| default=1", "string| default=1"),
    ] {
        let (labels, became) = offered(text);
        assert_eq!(labels, all, "{text}");
        assert_eq!(became, after, "{text}");
    }
}

#[test]
fn markers_are_offered_that_say_something_about_the_type() {
    for (text, expected) in [
        (
            "integer | $",
            "default description enum minimum maximum exclusiveMinimum exclusiveMaximum multipleOf format title \
             example",
        ),
        (
            "integer $",
            "default description enum minimum maximum exclusiveMinimum exclusiveMaximum multipleOf format title \
             example",
        ),
        (
            "Port | m$",
            "default description enum minimum maximum exclusiveMinimum exclusiveMaximum multipleOf format title \
             example",
        ),
        ("boolean |$", "default description enum title example"),
        ("[]string | min$", "default description enum minItems maxItems title example"),
        ("map<string> | $", "default description enum minProperties maxProperties title example"),
        ("string | default=a $", "description enum minLength maxLength pattern format title example"),
        ("string | defa$ult=a", "default description enum minLength maxLength pattern format title example"),
    ] {
        let (labels, _) = offered(text);
        let names: Vec<&str> = labels.iter().map(|label| label.trim_end_matches('=')).collect();
        assert_eq!(names.join(" "), expected, "{text}");
    }
    for (text, after) in [
        ("integer $", "integer | default="),
        ("integer |$", "integer | default="),
        ("integer | $", "integer | default="),
        ("integer | de$", "integer | default="),
        ("integer | de$=1", "integer | default=1"),
        ("string | default=a $ title=b", "string | default=a description= title=b"),
    ] {
        assert_eq!(offered(text).1, after, "{text}");
    }
}

#[test]
fn values_are_offered_that_can_be_listed() {
    for (text, expected, after) in [
        ("boolean | default=$", "true false", "boolean | default=true"),
        ("boolean | default=f$", "true false", "boolean | default=true"),
        ("string | enum=a,b default=$", "a b", "string | enum=a,b default=a"),
        ("Mode | default=$", "small large", "Mode | default=small"),
        ("[]string | default=$", "[]", "[]string | default=[]"),
        ("map<string> | default=$", "{}", "map<string> | default={}"),
        ("integer | exclusiveMinimum=$", "true false", "integer | exclusiveMinimum=true"),
        ("boolean | enum=true,$", "true false", "boolean | enum=true,true"),
        ("boolean | enum=f$,true", "true false", "boolean | enum=true,true"),
        ("string | default=$", "", "string | default="),
        ("string | minLength=$", "", "string | minLength="),
    ] {
        let (labels, became) = offered(text);
        assert_eq!(labels.join(" "), expected, "{text}");
        assert_eq!(became, after, "{text}");
    }
    assert!(offered("string | format=$").0.contains(&"date-time".to_owned()));
}

#[test]
fn words_are_explained() {
    for (text, expected) in [
        ("str$ing", "string (type): Text."),
        ("[]string$", "string (type): Text."),
        ("[$]string", "[]string (type): A list. Markers say something about the list, not about its items."),
        ("Po$rt | default=1", "Port (custom type): Defined below `types` in the same document."),
        ("string | min$Length=1", "minLength (marker): The fewest characters."),
        ("string | minLength=1$", "minLength (marker): The fewest characters."),
        (
            "integer | min$Length=1",
            "minLength (marker): The fewest characters. It says nothing about a value of the type integer.",
        ),
        ("string $| minLength=1", ""),
        ("Prot$", ""),
        ("string | nothing$=1", ""),
    ] {
        let offset = text.find('$').expect("a place");
        let port = node("integer | minimum=1");
        let found = inside(&text.replacen('$', "", 1), offset, &CustomTypes(vec![("Port".to_owned(), &port)]));
        let described = found.word.map(|word| format!("{} ({}): {}", word.name, word.kind, word.meaning.join(" ")));
        assert_eq!(described.unwrap_or_default(), expected, "{text}");
    }
}

/// Definitions as people write them, and some that are wrong.
const DEFINITIONS: &[&str] = &[
    "string",
    "[]string | default=[\"a b\",\"c\"] minItems=1",
    "map<[]integer> | default={} maxProperties=9",
    "map[string]Port | default={\"http\": 80}",
    "array< map<Port> >",
    "Port | default=80 description=\"The port, from 1 on\"",
    "string | enum=\"a,b\",c default=c title='Don''t' pattern=^(a|b)$",
    "integer | minimum=1 maximum=10 | exclusiveMaximum=true oc:build:inject",
    "übergröße | default=ä",
    "|||===",
    "map[[[<<<>>>",
];

/// Cut at every character, with the cursor anywhere: ranges lie in the text, and inserted text is read as intended.
#[test]
fn definitions_can_be_cut_anywhere() {
    let port = node("integer | minimum=1");
    let types = CustomTypes(vec![("Port".to_owned(), &port), ("Self".to_owned(), &port)]);
    for whole in DEFINITIONS {
        let places = || whole.char_indices().map(|(at, _)| at).chain([whole.len()]);
        for text in places().map(|end| &whole[..end]) {
            for offset in places().take_while(|at| *at <= text.len()) {
                let found = inside(text, offset, &types);
                assert!(found.word.is_none_or(|word| text.get(word.range).is_some()), "{text:?} at {offset}");
                for proposal in found.proposals {
                    let range = proposal.replace;
                    assert!(range.start <= offset && offset <= range.end, "{text:?} at {offset}: {range:?}");
                    assert!(text.get(range).is_some(), "{text:?} at {offset}");
                }
            }
        }
    }
}

/// Types that name each other end.
#[test]
fn circles_of_types_end() {
    let (one, two) = (node("Two"), node("One"));
    let types = CustomTypes(vec![("One".to_owned(), &one), ("Two".to_owned(), &two)]);
    assert!(!inside("One | ", 6, &types).proposals.is_empty());
}
