use super::super::functions::count_words;
use super::super::parse;
use super::{Existence, Fields, Type, TypeFaultKind, check};
use crate::json_schema;
use crate::openchoreo::{FLAVOUR, SEMANTICS};
use lofting_document::{FileId, Options, lower};
use std::sync::Arc;

const SCHEMA: &str = "
type: object
properties:
  port: {type: integer}
  name: {type: string}
  since: {type: string, format: date-time}
  enabled: {type: boolean}
  free: {type: object}
  maybe: {type: string, nullable: true}
  labels: {type: object, additionalProperties: {type: string}}
  ports:
    type: array
    items: {type: object, properties: {number: {type: integer}, protocol: {type: string}}}
  deep:
    type: object
    properties:
      inner: {type: object, properties: {name: {type: string}}}
";

/// The errors of an expression, and its type.
fn found(text: &str) -> (Vec<String>, Type) {
    let tree = lofting_syntax::parse(SCHEMA);
    let documents = lower(FileId(0), &tree, SEMANTICS.profile, Options::default());
    let read = json_schema::read(&documents.documents[0].value, &FLAVOUR, &SEMANTICS);
    let schema = Arc::new(read.schema);
    let root = Type::of_nodes(&schema, schema.speaking(schema.root()));
    let variables = |name: &str| match name {
        "parameters" => Some(root.clone()),
        "anything" | "math" | "configurations" => Some(Type::Unknown),
        _ => None,
    };
    let expression = parse(text).expect("short");
    assert_eq!(expression.fault, None, "{text}");
    let checked = check(&expression, Fields::Allowed, &variables);
    let words = checked.faults.iter().map(|fault| {
        let what = match &fault.kind {
            TypeFaultKind::UnknownVariable { .. } => "variable".to_owned(),
            TypeFaultKind::UnknownField { of, .. } => format!("field of {}", of.declared_names().count()),
            TypeFaultKind::UnknownId { .. } => "no id".to_owned(),
            TypeFaultKind::NoType { .. } => "no type".to_owned(),
            TypeFaultKind::NoFields { kind } => format!("no fields of {}", kind.word()),
            TypeFaultKind::Operands { left, right } => format!("{} and {}", left.word(), right.word()),
            TypeFaultKind::Expected { kind, expected } => format!("{} for {expected}", kind.word()),
            TypeFaultKind::UnknownFunction { certainty: Existence::May | Existence::Later, .. } => {
                return String::new();
            }
            TypeFaultKind::UnknownFunction { .. } => "no function".to_owned(),
            TypeFaultKind::Arguments { given, takes, .. } => format!("{given} for {}", count_words(takes)),
        };
        format!("{}: {what}", &text[fault.range.clone()])
    });
    (words.filter(|fault| !fault.is_empty()).collect(), checked.types.last().cloned().unwrap_or(Type::Unknown))
}

#[test]
fn what_is_known_to_be_wrong_is_reported() {
    for (text, expected) in [
        ("parameters.prot", "prot: field of 9"),
        ("has(parameters.deep.innr)", "innr: field of 1"),
        ("parameters.port.number", ".number: no fields of a number"),
        ("parameters.ports.number", ".number: no fields of an array"),
        ("parameters.ports[0].numbr", "numbr: field of 2"),
        ("parameters.ports.map(p, p.numbr)", "numbr: field of 2"),
        ("parameters.ports.all(i, p, i == p.protocol)", "i == p.protocol: a number and a string"),
        ("parameters.labels.map(k, k + 1)", "k + 1: a string and a number"),
        ("parameter.port", "parameter: variable"),
        ("parameters.port == '80'", "parameters.port == '80': a number and a string"),
        ("'a' + parameters.port", "'a' + parameters.port: a string and a number"),
        ("parameters.name < 1", "parameters.name < 1: a string and a number"),
        ("parameters.enabled && parameters.name", "parameters.name: a string for a boolean"),
        ("!parameters.port", "parameters.port: a number for a boolean"),
        ("-parameters.name", "parameters.name: a string for a number"),
        ("parameters.name ? 1 : 2", "parameters.name: a string for a boolean"),
        ("1 in parameters.port", "parameters.port: a number for an array or a map"),
        ("parameters.deep + 1", "parameters.deep + 1: a map and a number"),
        ("upper('a')", "upper: no function"),
        ("anything.a.b(1)", "b: no function"),
        ("anything.toVolumes()", "toVolumes: no function"),
        ("math.cube(1)", "cube: no function"),
        ("parameters.name.upper()", "upper: no function"),
        ("parameters.ports.length()", "length: no function"),
        ("oc_omit(1)", "oc_omit: 1 for no argument"),
        ("oc_merge({})", "oc_merge: 1 for at least 2 arguments"),
        ("parameters.name.replace('a')", "replace: 1 for 2 or 3 arguments"),
        ("parameters.ports.map(p)", "map: 1 for 2 or 3 arguments"),
        ("math.abs()", "abs: 0 for 1 argument"),
        ("size(parameters.name, 1)", "size: 2 for 1 argument"),
        ("x.map(y, y)", "x: variable"),
        ("cel.bind(y, parameters, y.port)", "cel: variable"),
        ("google.protobuf.Durations", "google: variable"),
    ] {
        assert_eq!(found(text).0, [expected], "{text}");
    }
}

#[test]
fn what_is_not_known_is_not_wrong() {
    for text in [
        "parameters.port + 1 == 2.5",
        "string(parameters.port) == '80'",
        "parameters.since == 1",
        "parameters.maybe == null",
        "parameters.maybe + 1",
        "parameters.free.anything.at.all + 1",
        "parameters.labels.anything == 'a'",
        "parameters.labels['a'] + 'b'",
        "parameters.ports.filter(p, p.number > 1).size() > 0",
        "parameters.ports.map(p, {'a': p.number})[0].b",
        "oc_generate_name() + oc_dns_label()",
        "type(parameters.port) == int || type(parameters.name) in [string, bytes, bool, list, map, null_type, type]",
        "type(parameters.since) == google.protobuf.Timestamp || type(parameters.port) != google.protobuf.Duration",
        "anything.a.contains(c_is_bound_by_nobody)",
        "oc_something_new(1)",
        "configurations.toVolumes() + configurations.toSomething(1, 2)",
        "math.greatest(1, 2, 3) > math.least(parameters.port)",
        "parameters.name.split('a', 2).join('-').lowerAscii()",
        "parameters.labels.transformMap(k, v, k + v).size()",
        "[1, 2].sortBy(x, -x).first().orValue(1)",
        "parameters.ports.exists_one(p, p.protocol.startsWith('h'))",
        "has(anything.x) ? anything.x : oc_omit()",
    ] {
        let unbound = ["c_is_bound_by_nobody"];
        let found: Vec<String> = found(text).0;
        let others = found.iter().filter(|fault| !unbound.iter().any(|name| fault.starts_with(name)));
        assert_eq!(others.count(), 0, "{text}: {found:?}");
    }
}

#[test]
fn types_of_expressions() {
    for (text, expected) in [
        ("parameters.port > 1", Type::Bool),
        ("parameters.port + 1", Type::Number),
        ("parameters.name + 'a'", Type::String),
        ("[1, 2]", Type::List(Box::new(Type::Number))),
        ("true ? 'a' : oc_omit()", Type::Unknown),
    ] {
        assert_eq!(found(text), (Vec::new(), expected), "{text}");
    }
}
