//! Functions stand by their name in place of code, behind `lambda: ` where only its form tells that it is a
//! function; what they do is written below.

use crate::{Argument, Called, Function, Functions, Mode, Overlay, Returned};
use lofting_document::{Document, FileId, Key, Node, NodeValue, Options, Span, lower, write::yaml_document};
use lofting_syntax::{parse, resolve::Profile};

struct Named<'t>(&'t str);

impl Named<'_> {
    fn one(&self, name: &str, arguments: &[Argument<'_>]) -> Called {
        let node = |value| Node::new(value, Span::new(FileId(1), 0..0));
        let value = |value| Called::Value(Returned { node: node(value), type_name: "something".to_owned() });
        let number = |argument: &Argument<'_>| match argument {
            Argument::Node(Node { value: NodeValue::Int(number), .. }) => *number,
            Argument::Number(number) => *number as i128,
            _ => 0,
        };
        match (name, arguments) {
            ("short", [Argument::Key(Key::String(key)), ..]) => value(NodeValue::Bool(key.len() == 1)),
            ("second", [Argument::Number(index), ..]) => value(NodeValue::Bool(*index == 1)),
            ("even", [count]) => value(NodeValue::Bool(number(count) % 2 == 0)),
            ("sum", [left, right]) => value(NodeValue::Int(number(left) + number(right))),
            ("bigger", [left, right]) => value(NodeValue::Bool(number(right) > number(left))),
            ("keep", [Argument::Node(left), _]) => {
                Called::Value(Returned { node: (*left).clone(), type_name: "yamlfragment".to_owned() })
            }
            ("dict", _) => {
                Called::Value(Returned { node: node(NodeValue::Map(Vec::new())), type_name: "dict".to_owned() })
            }
            ("fails", _) => Called::Failed("it fails".to_owned()),
            ("number", _) => value(NodeValue::Int(1)),
            _ => Called::Unknown,
        }
    }
}

impl Functions for Named<'_> {
    fn call(&self, function: &Function, calls: &[Vec<Argument<'_>>]) -> Vec<Called> {
        let name = self.source(function.span).expect("a name");
        let name = name.strip_prefix("lambda: ").unwrap_or(&name);
        calls.iter().map(|arguments| self.one(name, arguments)).collect()
    }

    fn source(&self, span: Span) -> Option<String> {
        self.0.get(span.range()).map(str::to_owned)
    }
}

fn document(file: u32, text: &str) -> Document {
    let mut set = lower(FileId(file), &parse(text), Profile::Ytt, Options::default());
    assert_eq!(set.documents.len(), 1, "{:?}", set.issues);
    set.documents.remove(0)
}

/// The merged document, then what went wrong.
fn merged(left: &str, right: &str) -> String {
    let functions = Named(right);
    let mut overlay = Overlay::new(&functions);
    let mut result = document(0, left);
    overlay.apply(&mut result, &document(1, right), Mode::Annotated);
    let mut shown = yaml_document(&result.value);
    for problem in overlay.into_problems() {
        shown.push_str(&format!("{:?} at {}\n", problem.kind, problem.span.start));
    }
    shown
}

fn problem(left: &str, right: &str) -> String {
    merged(left, right).lines().last().unwrap_or_default().split(" at ").next().unwrap_or_default().to_owned()
}

#[test]
fn a_function_chooses_map_items() {
    let left = "a: 1\nb: 2\nlong: 3\n";
    assert_eq!(merged(left, "#@overlay/match by=short, expects=2\n_: 9\n"), "a: 9\nb: 9\nlong: 3\n");
    assert_eq!(merged(left, "#@overlay/match by=short, expects=\"1+\"\n#@overlay/remove\n_: 9\n"), "long: 3\n");
    assert!(problem(left, "#@overlay/match by=short\n_: 9\n").starts_with("MatchCount"));
    assert!(problem(left, "#@overlay/match by=fails\n_: 9\n").starts_with("Function"));
    assert!(problem(left, "#@overlay/match by=number\n_: 9\n").starts_with("Function"));
}

#[test]
fn a_function_chooses_array_items() {
    let left = "l: [1, 2, 3]\n";
    assert_eq!(merged(left, "l:\n#@overlay/match by=second\n- 9\n"), "l:\n- 1\n- 9\n- 3\n");
    assert_eq!(
        merged(left, "l:\n#@overlay/match by=second\n#@overlay/insert before=True, after=True, via=sum\n- 9\n"),
        "l:\n- 1\n- 11\n- 2\n- 11\n- 3\n"
    );
}

#[test]
fn a_function_judges_the_number_of_matches() {
    assert_eq!(merged("a: 1\n", "#@overlay/match expects=[lambda: even, 1]\na: 2\n"), "a: 2\n");
    assert_eq!(merged("a: 1\n", "#@overlay/match when=lambda: even\na: 2\n"), "a: 1\n");
    assert_eq!(merged("a: 1\n", "#@overlay/match expects=lambda: even\nb: 2\n"), "a: 1\nb: 2\n");
    assert!(problem("a: 1\n", "#@overlay/match expects=lambda: even\na: 2\n").starts_with("MatchCount"));
    assert!(problem("a: 1\n", "#@overlay/match expects=lambda: number\na: 2\n").starts_with("Function"));
    assert!(problem("a: 1\n", "#@overlay/match expects=1.5\na: 2\n").starts_with("Argument"));
}

#[test]
fn a_function_makes_the_value() {
    assert_eq!(merged("a: 1\n", "#@overlay/replace via=sum\na: 2\n"), "a: 3\n");
    assert_eq!(
        merged("a: 1\n", "#@overlay/match missing_ok=True\n#@overlay/replace via=sum, or_add=True\nb: 2\n"),
        "a: 1\nb: 2\n"
    );
    assert_eq!(merged("a: {b: 1}\n", "#@overlay/replace via=keep\na: 2\n"), "a:\n  b: 1\n");
    assert!(problem("a: 1\n", "#@overlay/replace via=fails\na: 2\n").starts_with("Function"));
    // A second overlay can not go into what code left as it is.
    let functions = Named("#@overlay/replace via=dict\na:\n");
    let mut overlay = Overlay::new(&functions);
    let mut result = document(0, "a: 1\n");
    overlay.apply(&mut result, &document(1, functions.0), Mode::Annotated);
    overlay.apply(&mut result, &document(2, "a: {b: 1}\n"), Mode::Annotated);
    assert!(format!("{:?}", overlay.into_problems()).contains("Raw"));
}

#[test]
fn replacing_brings_the_key_along() {
    assert_eq!(merged("a: 1\n", "#@overlay/match by=short\n#@overlay/replace\nnew: 2\n"), "new: 2\n");
}

#[test]
fn an_assertion_holds_or_not() {
    assert_eq!(merged("a: 1\n", "#@overlay/assert via=bigger\na: 2\n"), "a: 2\n");
    assert!(problem("a: 3\n", "#@overlay/assert via=bigger\na: 2\n").starts_with("AssertFailed { message: None"));
    assert!(problem("a: 3\n", "#@overlay/assert via=number\na: 2\n").starts_with("AssertFailed { message: Some"));
}

#[test]
fn what_is_not_known_makes_unknown_and_no_finding() {
    for right in ["#@overlay/match by=nobody\n_: 2\n", "#@overlay/replace via=nobody\na: 2\n"] {
        let functions = Named(right);
        let mut overlay = Overlay::new(&functions);
        let mut result = document(0, "a: 1\n");
        overlay.apply(&mut result, &document(1, right), Mode::Annotated);
        assert!(!result.value.is_known(), "{right}");
        assert!(overlay.into_problems().is_empty(), "{right}");
    }
}
