//! Any expression is parsed, typed and evaluated or refused, at places inside its text; no evaluation costs more than it
//! may, and what the types promise is what the value is.

use lofting_cel::{Environment, Expression, Program, Type, Value, check, parse};

use crate::measured::Target;

/// What an expression may cost.
const LIMIT: u64 = 100_000;

pub const TARGET: Target = Target::Text(run);

fn run(text: &str) {
    let Some(tree) = parse(text) else { return };
    inside(text, &tree);
    let mut environment = Environment::default();
    environment.variables.insert("self".to_owned(), Type::Dyn);
    environment.variables.insert("count".to_owned(), Type::Int);
    environment.variables.insert("name".to_owned(), Type::Text);
    let Ok(program) = Program::new(&tree, &environment) else { return };
    let checked = check(&program, &environment);
    for fault in &checked.faults {
        assert!(text.get(fault.range.clone()).is_some() && !fault.message.is_empty(), "{fault:?}");
    }
    let result = checked.result.clone();
    let is_typed = checked.faults.is_empty();
    let outcome = checked.applied(program).evaluate(
        &|name| match name {
            "self" | "name" => Some(Value::Text("a-name".into())),
            "count" => Some(Value::Int(3)),
            _ => None,
        },
        LIMIT,
    );
    match outcome.value {
        Err(error) => assert!(text.get(error.range.clone()).is_some(), "{error:?}"),
        Ok(value) => {
            let holds = match (&result, &value) {
                (Type::Bool, value) => matches!(value, Value::Bool(_)),
                (Type::Int, value) => matches!(value, Value::Int(_)),
                (Type::Uint, value) => matches!(value, Value::Uint(_)),
                (Type::Double, value) => matches!(value, Value::Double(_)),
                (Type::Text, value) => matches!(value, Value::Text(_)),
                (Type::Bytes, value) => matches!(value, Value::Bytes(_)),
                (Type::List(_), value) => matches!(value, Value::List(_)),
                (Type::Map(_), value) => matches!(value, Value::Map(_)),
                _ => true,
            };
            assert!(!is_typed || holds, "{value:?} is not of the type {result:?}");
        }
    }
}

/// All places of a tree are inside its text.
fn inside(text: &str, tree: &Expression) {
    if let Some(fault) = &tree.fault {
        assert!(text.get(fault.range.clone()).is_some() && !fault.message.is_empty(), "{fault:?}");
    }
    for node in &tree.nodes {
        assert!(text.get(node.range.clone()).is_some(), "{:?}", node.range);
    }
}
