//! Functions are written by name instead of as code, after `lambda: ` where only the form shows that it is a function.
//! They are implemented below.

use crate::{Argument, Called, Function, Functions, Mode, Overlay, Returned};
use lofting_document::{
    ArrayItem, Document, FileId, Key, Node, NodeValue, Notes, Options, Span, lower, write::yaml_document,
};
use lofting_syntax::{parse, resolve::Profile};

mod forms;
mod mixed;

struct Named<'t>(&'t str);

impl Named<'_> {
    fn one(&self, name: &str, arguments: &[Argument<'_>]) -> Called {
        let node = |value| Node::new(value, Span::new(FileId(1), 0..0));
        let value = |value| Called::Value(Returned { node: node(value), type_name: "something".to_owned() });
        let number = |argument: &Argument<'_>| match argument {
            Argument::Node(Node { value: NodeValue::Int(number), .. }) => number.get(),
            Argument::Number(number) => *number as i128,
            _ => 0,
        };
        let pair = |first: NodeValue| {
            let item = |value| ArrayItem {
                span: node(NodeValue::Null).span,
                value: node(value),
                notes: Notes::default(),
                conditional: false,
            };
            let value = node(NodeValue::Array(vec![item(first), item(NodeValue::String("why".into()))]));
            Called::Value(Returned { node: value, type_name: "tuple".to_owned() })
        };
        match (name, arguments) {
            ("short", [Argument::Key(Key::String(key)), ..]) => value(NodeValue::Bool(key.len() == 1)),
            ("second", [Argument::Number(index), ..]) => value(NodeValue::Bool(*index == 1)),
            ("even", [count]) => value(NodeValue::Bool(number(count) % 2 == 0)),
            ("sum", [left, right]) => value(NodeValue::int(number(left) + number(right))),
            ("bigger", [left, right]) => value(NodeValue::Bool(number(right) > number(left))),
            ("keep", [Argument::Node(left), _]) => {
                Called::Value(Returned { node: (*left).clone(), type_name: "yamlfragment".to_owned() })
            }
            ("dict", _) => {
                Called::Value(Returned { node: node(NodeValue::Map(Default::default())), type_name: "dict".to_owned() })
            }
            // Pairs of whether it holds and a text, and what only looks like one.
            ("true_pair", _) => pair(NodeValue::Bool(true)),
            ("false_pair", _) => pair(NodeValue::Bool(false)),
            ("no_pair", _) => pair(NodeValue::int(1)),
            ("fails", _) => Called::Failed("it fails".to_owned().into()),
            ("number", _) => value(NodeValue::int(1)),
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

/// The merged document, followed by the problems. Without any, all of it is known: what is unknown would look alike.
fn merged(left: &str, right: &str) -> String {
    let functions = Named(right);
    let mut overlay = Overlay::new(&functions);
    let mut result = document(0, left);
    overlay.apply(&mut result, &document(1, right), Mode::Annotated);
    let mut shown = yaml_document(&result.value);
    let problems = overlay.into_problems();
    assert!(result.value.is_known() || !problems.is_empty(), "{left}{right}");
    for problem in problems {
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
    // A second overlay cannot merge into what code returned.
    let functions = Named("#@overlay/replace via=dict\na:\n");
    let mut overlay = Overlay::new(&functions);
    let mut result = document(0, "a: 1\n");
    overlay.apply(&mut result, &document(1, functions.0), Mode::Annotated);
    overlay.apply(&mut result, &document(2, "a: {b: 1}\n"), Mode::Annotated);
    overlay.apply(&mut result, &document(3, "a: [1]\n"), Mode::Annotated);
    let problems = format!("{:?}", overlay.into_problems());
    assert!(problems.contains("Raw { expected: \"map\""), "{problems}");
    assert!(problems.contains("Raw { expected: \"array\""), "{problems}");
}

#[test]
fn what_was_removed_is_not_there_for_what_follows() {
    let right = "#@overlay/match by=short, expects=2\n#@overlay/remove\n_:\n#@overlay/match missing_ok=True\na: 9\n";
    assert_eq!(merged("a: 1\nb: 2\n", right), "a: 9\n");
    let right = "#@overlay/match by=short, expects=2\n#@overlay/remove\n_:\na: 9\n";
    assert!(problem("a: 1\nb: 2\nlong: 3\n", right).starts_with("MissingKey"));
}

#[test]
fn what_code_may_add_is_not_missing() {
    let code = |item: &str| format!("#@ for name in names:\n{item}\n#@ end\nz: 1\n");
    assert_eq!(is_known(&code("a: 1"), "b: 2\n").1, Vec::<String>::new());
    assert_eq!(is_known("z: 1\n", &code("b: 2")).1, Vec::<String>::new());
    assert_eq!(is_known("z: 1\n", "b: 2\n").1.len(), 1);
}

#[test]
fn numbers_of_matches_are_worded_as_ytt_does() {
    use crate::annotations::Count;
    let counts = [Count::Exactly(2), Count::AtLeast(3), Count::ZeroOrOne];
    assert_eq!(crate::matching::words(&Count::AnyOf(counts.to_vec())), "2, or >= 3, or 0 or 1");
}

#[test]
fn replacing_brings_the_key_along() {
    assert_eq!(merged("a: 1\n", "#@overlay/match by=short\n#@overlay/replace\nnew: 2\n"), "new: 2\n");
}

#[test]
fn an_assertion_holds_or_not() {
    assert_eq!(merged("a: 1\n", "#@overlay/assert via=bigger\na: 2\n"), "a: 1\n");
    assert!(problem("a: 3\n", "#@overlay/assert via=bigger\na: 2\n").starts_with("AssertFailed { message: None"));
    assert!(problem("a: 3\n", "#@overlay/assert via=number\na: 2\n").starts_with("AssertFailed { message: Some"));
}

/// Whether the merged document is known, and the problems.
fn is_known(left: &str, right: &str) -> (bool, Vec<String>) {
    let functions = Named(right);
    let mut overlay = Overlay::new(&functions);
    let mut result = document(0, left);
    overlay.apply(&mut result, &document(1, right), Mode::Annotated);
    (result.value.is_known(), overlay.into_problems().into_iter().map(|it| format!("{:?}", it.kind)).collect())
}

#[test]
fn what_is_not_known_makes_unknown_and_no_finding() {
    let unknown = [
        ("a: 1\n", "#@overlay/match by=nobody\n_: 2\n"),
        ("a: 1\n", "#@overlay/replace via=nobody\na: 2\n"),
        ("a: 1\n", "#@overlay/match when=lambda: nobody\na: 2\n"),
        ("a: 1\n", "#@overlay/match when=lambda: nobody\n---\na: 2\n"),
        ("l: [1, 2]\n", "l:\n#@overlay/match by=nobody\n- 2\n"),
        ("l: [{name: a}, {name: b}]\n", "l:\n#@overlay/match by=nobody\n- {name: c}\n"),
        ("l:\n- name: #@ code\n", "l:\n#@overlay/match by=\"name\"\n- name: a\n"),
        ("l:\n- name: a\n", "l:\n#@overlay/match by=\"name\"\n- name: #@ code\n"),
        ("l:\n- a: #@ code\n", "l:\n#@overlay/match by=overlay.subset({\"a\": 1})\n- b: 1\n"),
    ];
    for (left, right) in unknown {
        assert_eq!(is_known(left, right), (false, Vec::new()), "{left}{right}");
    }
    // ytt goes on or fails, so that what it makes is known all the same.
    for count in ["expects=lambda: nobody", "missing_ok=code", "expects=code"] {
        let right = format!("#@overlay/match {count}\na: 2\n");
        assert_eq!(is_known("a: 1\n", &right), (true, Vec::new()), "{right}");
        assert_eq!(merged("a: 1\n", &right), "a: 2\n", "{right}");
    }
}

#[test]
fn which_annotations_need_code_is_told_by_their_keywords() {
    let needs = [
        "match by=\"name\"",
        "match by=code",
        "match when=1",
        "replace via=code",
        "replace via=lambda left, right: left",
        "insert after=True, via=code",
        "match expects=code",
        "match expects=lambda count: count > 1",
        "match expects=[1, code]",
        "match **settings",
        "match-child-defaults expects=code",
    ];
    let needs_none = [
        "match missing_ok=True",
        "match expects=1",
        "match expects=\"1+\"",
        "match expects=[1, \"2+\"]",
        "remove",
        "replace",
    ];
    let asks = |annotation: &str| crate::asks_functions(&document(0, &format!("a: 1\n#@overlay/{annotation}\nb: 2\n")));
    for annotation in needs {
        assert!(asks(annotation), "{annotation}");
    }
    for annotation in needs_none {
        assert!(!asks(annotation), "{annotation}");
    }
}

#[test]
fn new_keys_need_no_annotation_where_that_is_asked_for() {
    let with = |new_keys: bool, left: &str, right: &str| {
        let functions = Named(right);
        let mut overlay = Overlay::new(&functions).with_new_keys(new_keys);
        let mut result = document(0, left);
        overlay.apply(&mut result, &document(1, right), Mode::Annotated);
        (yaml_document(&result.value), overlay.into_problems().len())
    };
    let (left, right) = ("a: {b: 1}\n", "a: {c: 2}\nd: 3\n");
    assert_eq!(with(true, left, right), ("a:\n  b: 1\n  c: 2\nd: 3\n".to_owned(), 0));
    assert_eq!(with(false, left, right), (left.replace("{b: 1}", "\n  b: 1").replace(": \n", ":\n"), 2));
    // What the user writes takes precedence.
    assert_eq!(with(true, left, &format!("#@overlay/match-child-defaults expects=1\n---\n{right}")).1, 2);
    assert_eq!(with(true, left, "a:\n  #@overlay/match expects=1\n  c: 2\n").1, 1);
}

#[test]
fn an_assertion_changes_only_what_is_below() {
    assert_eq!(merged("a: 1\nb: 2\n", "#@overlay/assert\n---\na: 1\n"), "a: 1\nb: 2\n");
    let below = "#@overlay/assert via=lambda: nobody\nm:\n  x: 2\n  #@overlay/match missing_ok=True\n  z: 3\n";
    assert_eq!(merged("m: {x: 1}\n", below), "m:\n  x: 2\n  z: 3\n");
    for (expected, right) in [("map", "{x: 2}"), ("array", "[2]")] {
        let found = problem("m: null\n", &format!("#@overlay/assert via=lambda: nobody\nm: {right}\n"));
        assert!(found.starts_with(&format!("Kind {{ expected: \"{expected}\"")), "{found}");
    }
}

#[test]
fn counts_are_inherited_keyword_by_keyword() {
    let inside = |above: &str, own: &str| {
        format!("#@overlay/match-child-defaults {above}\n---\nm:\n  #@overlay/match {own}\n  z: 2\n")
    };
    let left = "m: {x: 1}\n";
    assert_eq!(merged(left, &inside("missing_ok=False", "missing_ok=True")), "m:\n  x: 1\n  z: 2\n");
    assert!(problem(left, &inside("missing_ok=False", "expects=0")).starts_with("Argument"));
    assert!(problem(left, &inside("when=1", "missing_ok=True")).contains("('missing_ok', 'when')"));
    // Two defaults conflict where something is matched, not where they are declared.
    let twice =
        "#@overlay/match-child-defaults missing_ok=True\n---\n#@overlay/match-child-defaults expects=\"0+\"\nm:";
    assert_eq!(merged(left, &format!("{twice} {{}}\n")), "m:\n  x: 1\n");
    assert!(problem(left, &format!("{twice}\n  x: 2\n")).starts_with("Argument"));
}

#[test]
fn counts_come_in_ytts_forms_only() {
    assert_eq!(merged("a: 1\n", "#@overlay/match expects=[]\na: 2\n"), "a: 2\n");
    assert_eq!(merged("a: 1\n", "#@overlay/match expects=\"-1+\"\na: 2\n"), "a: 2\n");
    for wrong in ["expects=(0, 1)", "expects=True", "expects=\"+\"", "when=None"] {
        assert!(problem("a: 1\n", &format!("#@overlay/match {wrong}\na: 2\n")).starts_with("Argument"), "{wrong}");
    }
    assert!(problem("a: 1\n", "#@overlay/replace via=None\na: 2\n").starts_with("Argument"));
}

#[test]
fn leaves_are_equal_within_their_kind() {
    let left = "l:\n- {k: 1}\n- {k: [1]}\n";
    let added = "l:\n#@overlay/match by=\"k\"\n- k: 1\n  #@overlay/match missing_ok=True\n  v: 2\n";
    assert_eq!(merged("l: [{k: 1}]\n", added), "l:\n- k: 1\n  v: 2\n");
    assert!(problem(left, "l:\n#@overlay/match by=\"k\"\n- {k: 1.0}\n").starts_with("MatchCount"));
    assert!(problem(left, "l:\n#@overlay/match by=\"k\"\n- {k: [1]}\n").starts_with("MatchCount"));
    assert!(problem("a: 1\n", "#@overlay/assert\na: 1.0\n").starts_with("AssertFailed"));
}

#[test]
fn an_index_is_no_key() {
    let right = "#@overlay/match by=overlay.index(0), missing_ok=True\na: 2\n";
    assert!(problem("a: 1\n", right).starts_with("Function"));
    assert_eq!(merged("0: 1\n", right), "0: 2\n");
}

#[test]
fn what_appends_is_not_matched() {
    assert_eq!(merged("l: [1]\n", "l:\n#@overlay/match\n#@overlay/append\n- 2\n"), "l:\n- 1\n- 2\n");
}

#[test]
fn a_plain_document_replaces_unless_both_are_maps() {
    let plain = |left: &str, right: &str| {
        let functions = Named(right);
        let mut overlay = Overlay::new(&functions);
        let mut result = document(0, left);
        overlay.apply(&mut result, &document(1, right), Mode::Plain);
        (yaml_document(&result.value), overlay.into_problems().len())
    };
    assert_eq!(plain("[1, 2]\n", "[3]\n"), ("- 3\n".to_owned(), 0));
    assert_eq!(plain("a: 1\n", "[3]\n"), ("- 3\n".to_owned(), 0));
    assert_eq!(plain("[1]\n", "a: 3\n").1, 1);
    // Below the document as well, but an array replaces the one before.
    assert_eq!(plain("a: {b: 1}\n", "a: {c: 2}\n"), ("a:\n  b: 1\n  c: 2\n".to_owned(), 0));
    assert_eq!(plain("a: {b: 1}\n", "a: 2\nd: 3\n"), ("a: 2\nd: 3\n".to_owned(), 0));
    assert_eq!(plain("a: {b: [1]}\n", "a: {b: [2]}\n"), ("a:\n  b:\n  - 2\n".to_owned(), 0));
}

/// Members are found through an index of what the matcher compares. A matcher that is negated twice means the same and
/// uses no index.
#[test]
fn what_is_searched_for_is_what_asking_all_would_find() {
    let matchers = [
        "overlay.map_key(\"name\")",
        "overlay.index(2)",
        "overlay.index(-1)",
        "overlay.subset({\"name\": \"b\"})",
        "overlay.subset({\"deep\": {\"name\": \"x\"}})",
        "overlay.subset({\"kind\": 1, \"deep\": {\"name\": \"x\"}})",
        "overlay.subset({})",
        "overlay.and_op(overlay.map_key(\"name\"), overlay.index(1))",
        "overlay.or_op(overlay.index(0), overlay.subset({\"name\": \"c\"}))",
        "overlay.or_op(overlay.map_key(\"name\"), overlay.all)",
        "overlay.all",
    ];
    let operations = [
        "",
        "#@overlay/remove\n",
        "#@overlay/replace\n",
        "#@overlay/insert before=True\n",
        "#@overlay/insert before=True, after=True\n",
        "#@overlay/assert\n",
    ];
    let lefts = [
        "l:\n- {name: a, kind: 1}\n- {name: b, kind: 1, deep: {name: x}}\n- {name: b, kind: 2}\n- {name: c, deep: 3}\n",
        "l:\n- {name: a}\n- {other: b}\n- {name: {x: 1}, deep: {name: x}}\n",
        "l:\n- 1\n- name: a\n- [x]\n",
        "l: []\n",
    ];
    let rights = ["{name: b, kind: 1}", "{name: a}", "{other: 1}"];
    let mut compared = 0;
    for left in lefts {
        for (at, first) in matchers.iter().enumerate() {
            for (number, operation) in operations.iter().enumerate() {
                for second in &matchers[at % 3..] {
                    let text = |wrap: &dyn Fn(&str) -> String| {
                        let item = |matcher: &str, operation: &str, right: &str| {
                            format!("#@overlay/match by={}, expects=\"0+\"\n{operation}- {right}\n", wrap(matcher))
                        };
                        let (right, other) = (rights[number % 3], rights[at % 3]);
                        let then = operations[(number + at) % operations.len()];
                        format!(
                            "l:\n{}{}{}",
                            item(first, operation, right),
                            item(second, then, other),
                            item(first, "", other)
                        )
                    };
                    let searched = merged(left, &text(&|matcher| matcher.to_owned()));
                    let asked = merged(left, &text(&|matcher| format!("overlay.not_op(overlay.not_op({matcher}))")));
                    // Problems contain places, which shift with the length of the matcher.
                    let without_places = |text: &str| -> Vec<String> {
                        let is_problem = |line: &str| line.starts_with(char::is_uppercase);
                        let kind = |line: &str| line.split([' ', '{']).next().unwrap_or_default().to_owned();
                        text.lines().map(|line| if is_problem(line) { kind(line) } else { line.to_owned() }).collect()
                    };
                    assert_eq!(without_places(&searched), without_places(&asked), "{left}{first} {operation} {second}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 1_000);
}

/// The documents of two files after overlays, and the problems.
fn laid(left: [&str; 2], right: &str) -> (Vec<Vec<String>>, Vec<String>) {
    let documents =
        |file: u32, text: &str| lower(FileId(file), &parse(text), Profile::Ytt, Options::default()).documents;
    let mut sets = left.map(|text| documents(0, text));
    let functions = Named(right);
    let mut overlay = Overlay::new(&functions);
    overlay.apply_to_sets(&mut sets, &documents(1, right));
    let shown = |set: &Vec<Document>| set.iter().map(|document| yaml_document(&document.value)).collect();
    let problem = |problem: crate::Problem| format!("{:?}", problem.kind);
    (sets.iter().map(shown).collect(), overlay.into_problems().into_iter().map(problem).collect())
}

#[test]
fn documents_that_match_nothing_are_not_added() {
    let left = ["a: 1\n---\na: 2\n", "b: 1\n"];
    let untouched = vec![vec!["a: 1\n".to_owned(), "a: 2\n".to_owned()], vec!["b: 1\n".to_owned()]];
    for count in ["missing_ok=True", "expects=\"0+\"", "expects=[0, 3]", "when=1"] {
        for operation in ["", "#@overlay/replace\n", "#@overlay/remove\n", "#@overlay/insert after=True\n"] {
            let right = format!("{operation}#@overlay/match by=overlay.subset({{\"c\": 1}}), {count}\n---\nd: 1\n");
            assert_eq!(laid(left, &right), (untouched.clone(), vec![]), "{right}");
        }
    }
    let by = "#@overlay/match by=overlay.subset({\"c\": 1}), missing_ok=True\n";
    // Added documents go into the first file, appended ones into the last.
    let (added, _) = laid(left, &format!("{by}#@overlay/replace or_add=True\n---\nd: 1\n"));
    assert_eq!(added.iter().map(Vec::len).collect::<Vec<_>>(), [3, 1]);
    let (appended, _) = laid(left, "#@overlay/match by=overlay.all\n#@overlay/append\n---\nd: 1\n");
    assert_eq!(appended.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
    let (inserted, _) = laid(left, "#@overlay/match by=overlay.index(2)\n#@overlay/insert before=True\n---\nd: 1\n");
    assert_eq!(inserted.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
}

#[test]
fn documents_are_added_to_others_only() {
    let added = |operation: &str| {
        let by = "#@overlay/match by=overlay.subset({\"c\": 1}), missing_ok=True\n";
        let right = format!("{by}{operation}---\nd: 1\n");
        let functions = Named(&right);
        let mut overlay = Overlay::new(&functions);
        overlay.apply_to_sets(&mut [], [&document(1, &right)]);
        overlay.into_problems().into_iter().map(|problem| problem.kind).collect::<Vec<_>>()
    };
    assert_eq!(added("#@overlay/append\n"), [crate::ProblemKind::NoDocument]);
    assert_eq!(added("#@overlay/replace or_add=True\n"), [crate::ProblemKind::NoDocument]);
    assert_eq!(added("#@overlay/replace\n"), []);
    assert_eq!(added(""), []);
}

#[test]
fn documents_are_matched_by_functions_only() {
    for by in ["by=\"a\"", "missing_ok=True", ""] {
        let (_, problems) = laid(["a: 1\n", ""], &format!("#@overlay/match {by}\n---\na: 2\n"));
        assert_eq!(problems.len(), 1, "{by}");
    }
}

#[test]
fn numbers_of_matches_are_looked_at_where_they_are_asked_for() {
    // Nothing is matched below.
    assert_eq!(merged("a: 1\n", "#@overlay/match-child-defaults expects=\"2\"\na: 2\n"), "a: 2\n");
    assert!(
        problem("a: {b: 1}\n", "#@overlay/match-child-defaults expects=\"2\"\na: {b: 2}\n").starts_with("Argument")
    );
    assert!(problem("a: 1\n", "#@overlay/match missing_ok=1\na: 2\n").starts_with("Argument"));
    // One entry of a list is enough.
    assert_eq!(merged("a: 1\n", "#@overlay/match expects=[\"x\", 1]\na: 2\n"), "a: 2\n");
}

#[test]
fn items_without_a_match_are_added_if_they_may() {
    assert_eq!(merged("l: [1]\n", "l:\n#@overlay/replace or_add=True\n- 2\n"), "l:\n- 1\n- 2\n");
    assert_eq!(merged("l: [1]\n", "l:\n#@overlay/replace via=sum, or_add=True\n- 2\n"), "l:\n- 1\n- 2\n");
    assert_eq!(merged("l: [1]\n", "l:\n#@overlay/replace\n- 2\n#@overlay/remove\n-\n"), "l:\n- 1\n");
}

#[test]
fn a_key_that_stands_there_twice_matches_twice() {
    let twice = "#@overlay/match by=short, expects=\"0+\"\nlong: 1\n";
    let functions = Named(twice);
    let mut result = document(0, "long: 0\n");
    let mut overlay = Overlay::new(&functions);
    overlay.apply(&mut result, &document(1, twice), Mode::Annotated);
    overlay.apply(&mut result, &document(2, "long: 2\n"), Mode::Plain);
    let problems = overlay.into_problems();
    assert!(problems.iter().any(|problem| matches!(&problem.kind, crate::ProblemKind::MatchCount { found: 2, .. })));
}

#[test]
fn what_a_function_gives_for_a_document_is_merged_by_the_next() {
    let over = "#@overlay/match by=overlay.all\n#@overlay/replace via=dict\n---\na: 1\n\
                #@overlay/match by=overlay.all\n---\n#@overlay/match missing_ok=True\nb: 2\n";
    assert_eq!(laid(["x: 1\n", ""], over), (vec![vec!["b: 2\n".to_owned()], vec![]], vec![]));
}
