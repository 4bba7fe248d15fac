use super::{Environment, Op, Program};
use crate::parse;
use crate::tree::Fault;
use crate::types::Type;

fn planned(text: &str, environment: &Environment) -> Result<Program, Fault> {
    Program::new(&parse(text).expect("short"), environment)
}

fn root(text: &str, environment: &Environment) -> String {
    match planned(text, environment) {
        Ok(program) => format!("{:?}", program.operations[program.root].kind),
        Err(fault) => fault.message,
    }
}

#[test]
fn the_longest_name_in_the_innermost_container_counts() {
    let mut environment = Environment { container: "x.y".to_owned(), ..Environment::default() };
    for name in ["a", "a.b", "x.a", "x.y.c"] {
        environment.variables.insert(name.to_owned(), Type::Dyn);
    }
    for (text, expected) in [
        ("a", "Variable(\"x.a\")"),
        (".a", "Variable(\"a\")"),
        ("a.b", "Variable(\"a.b\")"),
        ("c", "Variable(\"x.y.c\")"),
        ("d", "Unknown(\"d\")"),
        ("google.protobuf.Duration", "Type(Duration)"),
    ] {
        assert_eq!(root(text, &environment), expected, "{text}");
    }
    // The variable of a macro is nearer than all others.
    let program = planned("[1].all(a, a.b == .a)", &environment).expect("valid");
    let locals = program.operations.iter().filter(|operation| matches!(operation.kind, Op::Local(_))).count();
    assert_eq!(locals, 1);
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let environment = Environment::default();
    for (text, expected) in [
        ("[1].all(1, true)", "needs a name"),
        ("[1].all(a.b, true)", "needs a name"),
        ("[1].transformList(a, a, 1)", "needs a name"),
        ("has(a)", "`has` needs"),
        ("has(a.?b)", "`has` needs"),
        ("for", "reserved"),
        ("a.in", "reserved"),
        ("a.`b`", "backticks"),
        ("T{a: 1}", "no type of objects"),
        ("99999999999999999999", "too large"),
        ("'\\q'", "no such escape"),
        ("a ? b ? c : d : e", "parentheses"),
    ] {
        let found = root(text, &environment);
        assert!(found.contains(expected), "{text}: {found}");
    }
}

#[test]
fn depth_is_limited_but_not_the_length_of_chains() {
    let environment = Environment::default();
    assert!(planned(&vec!["true"; 5000].join(" && "), &environment).is_ok());
    assert!(planned(&vec!["1"; 5000].join(" + "), &environment).is_err());
    assert!(planned(&vec!["1"; 200].join(" + "), &environment).is_ok());
    assert!(planned(&format!("{}1{}", "[".repeat(100), "]".repeat(100)), &environment).is_ok());
}
