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
        let right = if operation.starts_with("match") { right.replacen("#@overlay/match by=overlay.all\n", "", 1) } else { right };
        assert!(merged(left, &right).contains("annotation keyword argument 'other'"), "{right}");
    }
    let known: &[(&str, &[&str])] =
        &[("replace", &["via=sum", "or_add=True"]), ("insert", &["before=True", "after=True, via=sum"]), ("assert", &["via=second"])];
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
