//! Matchers of which some parts are functions and others ready-made.

use crate::annotations::By;
use crate::functions::{Argument, Called, Function, Functions, Returned};
use crate::matching::{Matched, matching, ready};
use lofting_document::{FileId, Node, NodeValue, Span};
use lofting_eval::{Callable, EvaluationId, Expr, ExprKind};
use std::cell::RefCell;

/// A matcher as code makes it.
#[derive(Clone, Debug)]
enum Part {
    /// The function of the user with this number.
    Own(usize),
    At(i128),
    And(Vec<Part>),
    Or(Vec<Part>),
    Not(Box<Part>),
}

/// What a function of the user says about the candidate at an index.
fn own(number: usize, at: usize) -> Result<bool, &'static str> {
    match number {
        0 => Ok(at.is_multiple_of(2)),
        1 => Ok(at > 2),
        2 if at == 3 => Err("fails at 3"),
        _ => Ok(true),
    }
}

impl Part {
    /// What ytt does: one candidate after the other, each part only as long as nothing is decided.
    fn says(&self, at: usize) -> Result<bool, &'static str> {
        match self {
            Part::Own(number) => own(*number, at),
            Part::At(index) => Ok(at as i128 == *index),
            Part::And(parts) => parts.iter().try_fold(true, |held, part| if held { part.says(at) } else { Ok(false) }),
            Part::Or(parts) => parts.iter().try_fold(false, |held, part| if held { Ok(true) } else { part.says(at) }),
            Part::Not(part) => part.says(at).map(|held| !held),
        }
    }

    /// What an evaluation returns. Its handle is that of the function, or [`WHOLE`].
    fn callable(&self) -> Callable {
        let made = |parts: &[Part]| parts.iter().map(|part| expr(ExprKind::Callable(part.callable()))).collect();
        let (text, handle, made_with) = match self {
            Part::Own(number) => ("function", *number as u32, Vec::new()),
            Part::At(index) => ("overlay.match.index", WHOLE, vec![expr(ExprKind::Int(*index))]),
            Part::And(parts) => ("overlay.match.and_op", WHOLE, made(parts)),
            Part::Or(parts) => ("overlay.match.or_op", WHOLE, made(parts)),
            Part::Not(part) => ("overlay.match.not_op", WHOLE, made(std::slice::from_ref(part))),
        };
        let is_own = matches!(self, Part::Own(_));
        Callable {
            evaluation: EvaluationId(1),
            handle,
            type_name: if is_own { "function" } else { "builtin_function_or_method" }.to_owned(),
            text: text.to_owned(),
            has_check: false,
            parameters: None,
            made_with,
        }
    }
}

const WHOLE: u32 = 99;

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, range: 0..0 }
}

/// Runs the functions, and counts for how many candidates each was called.
struct Counted<'p> {
    whole: &'p Part,
    calls: RefCell<Vec<Calls>>,
}

impl Functions for Counted<'_> {
    fn call(&self, function: &Function, calls: &[Vec<Argument<'_>>]) -> Vec<Called> {
        let handle = function.callable.as_ref().expect("it was evaluated").handle;
        self.calls.borrow_mut().push((handle, calls.len()));
        let one = |arguments: &Vec<Argument<'_>>| {
            let Some(Argument::Number(at)) = arguments.first() else { panic!("an index first") };
            let said = if handle == WHOLE {
                self.whole.says(*at).map_err(|message| format!("whole: {message}"))
            } else {
                own(handle as usize, *at).map_err(str::to_owned)
            };
            match said {
                Ok(held) => Called::Value(Returned { node: node(NodeValue::Bool(held)), type_name: "bool".to_owned() }),
                Err(message) => Called::Failed(message.into()),
            }
        };
        calls.iter().map(one).collect()
    }

    fn source(&self, _span: Span) -> Option<String> {
        None
    }
}

fn node(value: NodeValue) -> Node {
    Node::new(value, Span::new(FileId(1), 0..0))
}

/// Of which function, and for how many candidates.
type Calls = (u32, usize);

/// What matches among six candidates, and the calls this took.
fn found(part: &Part) -> (Result<Vec<usize>, String>, Vec<Calls>) {
    let by = By::Function(Function { span: Span::new(FileId(1), 0..0), callable: Some(part.callable()) });
    let functions = Counted { whole: part, calls: RefCell::default() };
    let nodes: Vec<Node> = (0..6).map(|number| node(NodeValue::int(number))).collect();
    let candidates = nodes.iter().enumerate().map(|(at, node)| (Argument::Number(at), node));
    let right = node(NodeValue::Null);
    let matched = match matching(&by, &ready(&by, &functions), candidates, &right, &functions) {
        Matched::At(found) => Ok(found),
        Matched::Unknown => panic!("everything is known: {part:?}"),
        Matched::Wrong(wrong) => Err(format!("{:?}", wrong.kind)),
    };
    (matched, functions.calls.into_inner())
}

/// All matchers of two levels over functions of users, one of which fails, and ready-made ones.
fn matchers() -> Vec<Part> {
    let leaves = [Part::Own(0), Part::Own(1), Part::Own(2), Part::At(3), Part::At(4)];
    let over = |parts: &[Part]| -> Vec<Part> {
        let mut made: Vec<Part> = parts.iter().map(|part| Part::Not(Box::new(part.clone()))).collect();
        for first in parts {
            for second in parts {
                made.push(Part::And(vec![first.clone(), second.clone()]));
                made.push(Part::Or(vec![first.clone(), second.clone(), Part::Own(0)]));
            }
        }
        made
    };
    let below = over(&leaves);
    let above = over(&below.iter().step_by(3).cloned().collect::<Vec<_>>());
    leaves.into_iter().chain(below).chain(above).collect()
}

#[test]
fn parts_are_asked_as_if_the_whole_matcher_were() {
    let mut failed = 0;
    for part in matchers() {
        let said: Result<Vec<bool>, &str> = (0..6).map(|at| part.says(at)).collect();
        let (matched, calls) = found(&part);
        match said {
            Ok(said) => {
                let expected: Vec<usize> = (0..6).filter(|at| said[*at]).collect();
                assert_eq!(matched, Ok(expected), "{part:?}");
                assert!(calls.iter().all(|(handle, _)| *handle != WHOLE), "{part:?} {calls:?}");
            }
            Err(message) => {
                failed += 1;
                let whole = if matches!(part, Part::Own(_)) { "" } else { "whole: " };
                assert!(
                    matched.as_ref().is_err_and(|kind| kind.contains(&format!("\"{whole}{message}\""))),
                    "{part:?}"
                );
            }
        }
    }
    assert!(failed > 50, "{failed}");
}

/// A function costs a transfer of each document it is called with.
#[test]
fn a_function_is_called_for_what_other_parts_leave_open() {
    let and = |parts: Vec<Part>| found(&Part::And(parts)).1;
    assert_eq!(and(vec![Part::At(3), Part::Own(1)]), [(1, 1)]);
    assert_eq!(and(vec![Part::Own(1), Part::At(3)]), [(1, 6)]);
    assert_eq!(and(vec![Part::Own(0), Part::Own(1)]), [(0, 6), (1, 3)]);
    assert_eq!(and(vec![Part::Not(Box::new(Part::At(9))), Part::At(9), Part::Own(1)]), []);
    assert_eq!(found(&Part::Or(vec![Part::At(3), Part::At(4), Part::Own(1)])).1, [(1, 4)]);
}
