use super::{check, check_with_literals};
use crate::parse;
use crate::plan::{Environment, Program};
use crate::types::{Object, Signature, Type, parse_type};
use std::sync::Arc;

fn environment() -> Environment {
    let mut environment = Environment::default();
    for (name, of) in [
        ("n", "int"),
        ("s", "string"),
        ("d", "dyn"),
        ("l", "list(string)"),
        ("m", "map(string, int)"),
        ("o", "optional(int)"),
    ] {
        environment.variables.insert(name.to_owned(), parse_type(of).expect("a type"));
    }
    let fields = [("name".to_owned(), Type::Text), ("sizes".to_owned(), Type::list(Type::Int))];
    let object = Object { name: "self".to_owned(), fields: fields.into_iter().collect(), is_open: false };
    environment.variables.insert("self".to_owned(), Type::Object(Arc::new(object)));
    environment.functions.to_mut().extend(Signature::parse("pair(A, B) -> pair(A, B)"));
    environment
}

/// The type of an expression, or what is wrong with it.
fn found(text: &str) -> String {
    let environment = environment();
    let program = Program::new(&parse(text).expect("short"), &environment).expect(text);
    let checked = check_with_literals(&program, &environment);
    let faults: Vec<String> =
        checked.faults.iter().map(|fault| format!("{}: {}", &text[fault.range.clone()], fault.message)).collect();
    if faults.is_empty() { checked.result.to_string() } else { faults.join("; ") }
}

#[test]
fn types_are_found() {
    for (text, expected) in [
        ("n + 1", "int"),
        ("d + 1", "int"),
        ("d + d", "dyn"),
        ("[]", "list(dyn)"),
        ("[[], [1]]", "list(list(int))"),
        ("{'a': []}", "map(string, list(dyn))"),
        ("l.map(x, x.size())", "list(int)"),
        ("m.filter(k, m[k] > 1)", "list(string)"),
        ("m.transformMap(k, v, k + 'x')", "map(string, string)"),
        ("m.transformMapEntry(k, v, {v: k})", "map(int, string)"),
        ("l.transformList(i, x, i)", "list(int)"),
        ("m.?a", "optional_type(int)"),
        ("m.?a.orValue(1)", "int"),
        ("o.optMap(x, string(x))", "optional_type(string)"),
        ("self.sizes.all(x, x > 1.5)", "bool"),
        ("has(self.name) ? self.name : ''", "string"),
        ("type(n) == int", "bool"),
        ("self == null", "bool"),
        ("pair(n, [s])", "pair(int, list(string))"),
        ("'%d %s'.format([n, 'a'])", "string"),
        ("l.sortBy(x, x.size())", "list(string)"),
        ("ip('::1').family()", "int"),
        ("d.anything.at.all", "dyn"),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn what_does_not_fit_is_reported_at_its_place() {
    for (text, expected) in [
        ("n + 's'", "n + 's': `+` cannot be used with an integer, a string"),
        ("self.size", "size: there is no field `size`"),
        ("has(self.nam)", "nam: there is no field `nam`"),
        ("n.a", "n.a: an integer has no fields"),
        ("missing > 1", "missing: there is no variable `missing` here"),
        ("s.foo()", "s.foo(): there is no method `foo`"),
        ("s.startsWith(1)", "s.startsWith(1): `startsWith` cannot be called with a string, an integer"),
        ("n && true", "n: a boolean is required here, not an integer"),
        ("true ? 1 : 's'", "true ? 1 : 's': both values must have one type, but they are an integer and a string"),
        ("n.all(x, true)", "n: an integer has no items"),
        ("l.all(x, x)", "x: a boolean is required here, not a string"),
        ("l == null", "l == null: `==` cannot be used with an array, null"),
        ("[1, 's']", "'s': all items must have one type: this is a string, the first is an integer"),
        ("duration('1')", "'1': `1` is not a duration"),
        ("s.matches('[')", "'[': error parsing regexp: missing closing ]: `[`"),
        ("'%d'.format(['a'])", "'%d'.format(['a']): `%d` cannot show a string"),
        ("[{'a': 1}].max()", "[{'a': 1}].max(): `max` cannot be called with an array"),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn types_do_not_grow_beyond_all_bounds() {
    let environment = environment();
    let mut text = "[d]".to_owned();
    for _ in 0..100 {
        text.push_str(".map(x, {x: x})");
    }
    let program = Program::new(&parse(&text).expect("short"), &environment).expect("valid");
    assert!(check(&program, &environment).result.to_string().len() < 10_000);
}
