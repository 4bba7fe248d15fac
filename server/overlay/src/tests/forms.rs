//! The forms in which annotations and matchers are written.

use super::{Named, document, is_known, merged};
use crate::annotations::{By, ready_made};
use crate::functions::Function;
use crate::matching::ready;
use crate::{Mode, NoFunctions, Overlay};
use lofting_document::{FileId, Span, write::yaml_document};
use lofting_eval::{Callable, EvaluationId, Expr, ExprKind, read_arguments};

const MATCHERS: [&str; 9] = [
    "overlay.all",
    "overlay.index(1)",
    "overlay.map_key(\"name\")",
    "overlay.subset(1)",
    "overlay.subset({\"a\": [1, {\"b\": None}]})",
    "overlay.and_op(overlay.all)",
    "overlay.and_op(overlay.index(1), overlay.map_key(\"name\"))",
    "overlay.or_op(overlay.index(1), overlay.and_op(overlay.all, overlay.index(2)))",
    "overlay.not_op(overlay.subset([1]))",
];

/// What an evaluation returns for a ready-made matcher.
fn evaluated(text: &str) -> Callable {
    let called = text.split_once('(').map(|(name, rest)| (name, rest.strip_suffix(')').expect("a call")));
    let (name, inside) = called.unwrap_or((text, ""));
    let made = |part: Expr| match inside.get(part.range.clone()) {
        Some(text) if text.starts_with("overlay.") => Expr { kind: ExprKind::Callable(evaluated(text)), ..part },
        _ => part,
    };
    Callable {
        evaluation: EvaluationId(1),
        handle: 1,
        type_name: "builtin_function_or_method".to_owned(),
        text: if inside.is_empty() { text.to_owned() } else { name.replace("overlay.", "overlay.match.") },
        has_check: false,
        parameters: None,
        made_with: read_arguments(inside).positional.into_iter().map(made).collect(),
    }
}

/// A matcher that code returned is found through an index as well, and needs no call.
#[test]
fn a_ready_made_matcher_is_the_same_written_and_evaluated() {
    let file = FileId(1);
    let by = |callable: Callable| By::Function(Function { span: Span::new(file, 0..0), callable: Some(callable) });
    for text in MATCHERS {
        let written = ready_made(text, file).expect(text);
        assert_eq!(*ready(&by(evaluated(text)), &NoFunctions), written, "{text}");
        // A function of the user may print as anything.
        let own = by(Callable { type_name: "function".to_owned(), ..evaluated(text) });
        assert_eq!(*ready(&own, &NoFunctions), own, "{text}");
    }
    let unknown = by(Callable { text: "overlay.other".to_owned(), ..evaluated("overlay.index(1)") });
    assert_eq!(*ready(&unknown, &NoFunctions), unknown);
}

/// ytt refuses these calls, in words that only running them gives.
#[test]
fn a_call_that_is_not_one_of_a_ready_made_matcher_is_left_to_code() {
    let calls = [
        "overlay.all()",
        "overlay.index()",
        "overlay.index(\"a\")",
        "overlay.index(0, 1)",
        "overlay.index(0, base=1)",
        "overlay.index(base=0)",
        "overlay.index(*places)",
        "overlay.index(0, *places)",
        "overlay.index(0, **places)",
        "overlay.map_key(1)",
        "overlay.subset()",
        "overlay.subset(code)",
        "overlay.not_op()",
        "overlay.not_op(overlay.all, overlay.all)",
        "overlay.and_op(1)",
        "overlay.or_op(overlay.all, code)",
        "overlay.other(1)",
    ];
    for call in calls {
        assert_eq!(ready_made(call, FileId(1)), None, "{call}");
        let right = format!("l:\n#@overlay/match by={call}, expects=\"0+\"\n- 2\n");
        assert_eq!(is_known("l: [1, 2]\n", &right), (false, Vec::new()), "{call}");
    }
}

#[test]
fn keywords_that_an_operation_does_not_have_are_reported() {
    let left = "l: [1]\n";
    for operation in ["replace via=sum, ", "insert before=True, ", "assert via=second, ", "match by=overlay.all, "] {
        let right = format!("l:\n#@overlay/match by=overlay.all\n#@overlay/{operation}other=1\n- 2\n");
        let right = if operation.starts_with("match") {
            right.replacen("#@overlay/match by=overlay.all\n", "", 1)
        } else {
            right
        };
        assert!(merged(left, &right).contains("annotation keyword argument 'other'"), "{right}");
    }
    let known: &[(&str, &[&str])] = &[
        ("replace", &["via=sum", "or_add=True"]),
        ("insert", &["before=True", "after=True, via=sum"]),
        ("assert", &["via=second"]),
    ];
    for (operation, keywords) in known {
        for keyword in *keywords {
            let right = format!("l:\n#@overlay/match by=overlay.all\n#@overlay/{operation} {keyword}\n- 2\n");
            assert!(!merged(left, &right).contains("Argument"), "{right}");
        }
    }
    // These read none, whatever is given.
    for operation in ["remove", "append", "merge"] {
        let right = format!("l:\n#@overlay/match by=overlay.all\n#@overlay/{operation} other=1\n- 2\n");
        assert!(!merged(left, &right).contains("Argument"), "{right}");
    }
}

#[test]
fn what_is_still_typed_is_no_mistake() {
    for annotation in ["match by=", "match by=,", "match expects=", "match missing_ok=", "match by=, expects=1"] {
        for (left, right) in [("a: 1\n", "#@overlay/{}\na: 2\n"), ("l: [1]\n", "l:\n#@overlay/{}\n- 2\n")] {
            let right = right.replace("{}", annotation);
            assert_eq!(is_known(left, &right).1, Vec::<String>::new(), "{right}");
        }
    }
}

#[test]
fn items_of_arrays_need_a_matcher_unless_code_may_give_one() {
    let found = |annotation: &str| is_known("l: [1]\n", &format!("l:\n#@overlay/match {annotation}\n- 2\n")).1;
    assert_eq!(found("expects=1"), ["MissingBy"]);
    assert_eq!(found("expects=1, **settings"), Vec::<String>::new());
    assert_eq!(found("**settings"), Vec::<String>::new());
    assert!(found("")[0].contains("at least one keyword argument"));
}

#[test]
fn a_problem_says_what_is_there() {
    for (value, kind) in
        [("true", "boolean"), ("1", "integer"), ("1.5", "float"), ("x", "string"), ("{b: 1}", "map"), ("[1]", "array")]
    {
        for (right, expected) in [("{c: 1}", "map"), ("[2]", "array")].into_iter().filter(|(_, other)| *other != kind) {
            let found = is_known(&format!("a: {value}\n"), &format!("a: {right}\n")).1;
            let says = format!("Kind {{ expected: \"{expected}\", existing: \"{kind}\"");
            assert!(found.len() == 1 && found[0].starts_with(&says), "{value} {right}: {found:?}");
        }
    }
}

/// An assertion without a function, and `overlay.subset`, ask whether a value has at least what is written.
#[test]
fn a_value_contains_what_it_has_at_the_same_places() {
    let pairs = [
        ("1", "1", true),
        ("1", "2", false),
        ("1", "1.0", false),
        ("null", "null", true),
        ("{a: 1, b: 2}", "{b: 2}", true),
        ("{a: 1}", "{a: 1, b: 2}", false),
        ("{a: 1}", "{}", true),
        ("{a: {b: [1, 2]}}", "{a: {b: [1]}}", true),
        ("[1, 2]", "[1]", true),
        ("[1, 2]", "[2]", false),
        ("[1]", "[1, 2]", false),
        ("[]", "[1]", false),
        ("[1]", "[]", true),
        ("[{a: 1, b: 2}]", "[{a: 1}]", true),
        ("{a: 1}", "[1]", false),
        ("[1]", "1", false),
    ];
    for (whole, part, contains) in pairs {
        let node = |text: &str| document(0, &format!("- {text}\n")).value;
        assert_eq!(crate::contains(&node(whole), &node(part)), contains, "{whole} {part}");
    }
}

#[test]
fn an_assertion_says_why_it_fails() {
    let found = |function: &str| is_known("a: 1\n", &format!("#@overlay/assert via={function}\na: 2\n")).1;
    assert_eq!(found("true_pair"), Vec::<String>::new());
    assert_eq!(found("false_pair"), ["AssertFailed { message: Some(\"why\") }"]);
    assert!(found("no_pair")[0].contains("not a bool and a text"));
    assert!(found("number")[0].contains("neither None nor a bool nor a tuple"));
}

#[test]
fn what_is_added_is_what_the_function_makes_of_it() {
    let add = "replace via=number, or_add=True";
    assert_eq!(merged("a: 1\n", &format!("#@overlay/match missing_ok=True\n#@overlay/{add}\nb: 5\n")), "a: 1\nb: 1\n");
    assert_eq!(merged("l: [3]\n", &format!("l:\n#@overlay/{add}\n- 5\n")), "l:\n- 3\n- 1\n");
}

#[test]
fn overlays_over_documents_of_one_file_keep_their_order() {
    let right = "#@overlay/match by=overlay.all, expects=2\n---\n#@overlay/match missing_ok=True\nc: 3\n";
    let functions = Named(right);
    let mut overlay = Overlay::new(&functions);
    let mut left = vec![document(0, "a: 1\n"), document(0, "b: 2\n")];
    overlay.apply_to_all(&mut left, [&document(1, right)]);
    let shown: Vec<String> = left.iter().map(|document| yaml_document(&document.value)).collect();
    assert_eq!(shown, ["a: 1\nc: 3\n", "b: 2\nc: 3\n"]);
    assert!(overlay.into_problems().is_empty());
}

/// `--data-value a.b.c=…` merges what is on the way and replaces what is there.
#[test]
fn a_flag_replaces_at_the_end_of_its_path() {
    let flag = |depth: usize| {
        let functions = Named("");
        let mut overlay = Overlay::new(&functions);
        let mut result = document(0, "a: {b: {c: {x: 1}, d: 1}, e: 1}\n");
        overlay.apply(&mut result, &document(1, "a: {b: {c: {z: 2}}}\n"), Mode::Flag { depth });
        assert_eq!(overlay.into_problems().len(), 0);
        yaml_document(&result.value).replace("\n", " ").split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(flag(1), "a: b: c: z: 2");
    assert_eq!(flag(2), "a: b: c: z: 2 e: 1");
    assert_eq!(flag(3), "a: b: c: z: 2 d: 1 e: 1");
    assert_eq!(flag(4), "a: b: c: x: 1 z: 2 d: 1 e: 1");
}
