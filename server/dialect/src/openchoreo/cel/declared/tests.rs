use super::{FUNCTIONS, Refusal, environment, of_schema, result};
use crate::json_schema;
use crate::openchoreo::cel::functions::{Style, names};
use crate::openchoreo::cel::{NodeKind, parse};
use crate::openchoreo::{FLAVOUR, SEMANTICS};
use lofting_cel::Signature;
use lofting_document::{FileId, Options, lower};

const SCHEMA: &str = "
type: object
properties:
  port: {type: integer}
  ratio: {type: number}
  name: {type: string}
  since: {type: string, format: date-time}
  data: {type: string, format: byte}
  enabled: {type: boolean}
  free: {type: object, x-kubernetes-preserve-unknown-fields: true}
  either: {x-kubernetes-int-or-string: true}
  some: {oneOf: [{type: string}, {type: integer}]}
  labels: {type: object, additionalProperties: {type: string}}
  ports: {type: array, items: {type: object, properties: {number: {type: integer}}}}
  limits: {type: object, properties: {cpu: {type: string}}}
";

/// What an expression is refused for; its type otherwise.
fn found(text: &str) -> String {
    let tree = lofting_syntax::parse(SCHEMA);
    let documents = lower(FileId(0), &tree, SEMANTICS.profile, Options::default());
    let read = json_schema::read(&documents.documents[0].value, &FLAVOUR, &SEMANTICS);
    let mut environment = environment();
    environment.variables.insert("parameters".to_owned(), of_schema(&read.schema, "parameters"));
    let expression = parse(text).expect("short");
    match result(&expression, environment) {
        Ok(found) => found.to_string(),
        Err(Refusal::Syntax(fault) | Refusal::Types(fault)) => {
            format!("{}: {}", &text[fault.range], fault.message)
        }
    }
}

#[test]
fn types_are_those_of_the_schema() {
    for (text, expected) in [
        ("parameters.port + 1", "int"),
        ("parameters.port + 1.5", "parameters.port + 1.5: `+` cannot be used with an integer, a floating-point number"),
        ("parameters.port > 1.5", "bool"),
        (
            "parameters.ratio == 1",
            "parameters.ratio == 1: `==` cannot be used with a floating-point number, an integer",
        ),
        ("parameters.port == '80'", "parameters.port == '80': `==` cannot be used with an integer, a string"),
        ("size(1)", "size(1): `size` cannot be called with an integer"),
        ("size(parameters.name)", "int"),
        ("size(parameters.limits)", "size(parameters.limits): `size` cannot be called with an object"),
        ("parameters.limits.cpu", "string"),
        ("parameters.limits['cpu']", "parameters.limits['cpu']: an object has no items that a string leads to"),
        ("'cpu' in parameters.limits", "'cpu' in parameters.limits: `in` cannot be used with a string, an object"),
        ("'a' in parameters.labels", "bool"),
        ("parameters.labels['a'] + parameters.labels.b", "string"),
        ("parameters.limits.map(k, k)", "parameters.limits: an object has no items"),
        ("oc_merge(parameters.labels, {'a': 1})", "map(string, dyn)"),
        ("oc_merge(parameters.labels, {'a': 1}, {}, {})", "map(string, dyn)"),
        (
            "oc_merge(parameters.limits, {'a': 1})",
            "oc_merge(parameters.limits, {'a': 1}): `oc_merge` cannot be called with an object, a map",
        ),
        ("has(parameters.limits) ? parameters.limits.cpu : oc_omit()", "dyn"),
        ("parameters.?limits.?cpu.orValue('')", "string"),
        ("parameters.?limts", "limts: there is no field `limts`"),
        ("parameters.since + 'a'", "parameters.since + 'a': `+` cannot be used with a timestamp, a string"),
        ("base64.encode(parameters.data)", "string"),
        (
            "base64.encode(parameters.name)",
            "base64.encode(parameters.name): `base64.encode` cannot be called with a string",
        ),
        ("base64.encode(bytes(parameters.name))", "string"),
        ("parameters.free", "parameters.free"),
        ("parameters.free.x", "x: there is no field `x`"),
        ("parameters.either + 1", "int"),
        ("parameters.some", "dyn"),
        ("parameters.ports[0].number + 1", "int"),
        ("parameters.ports.map(p, p.numbr)", "numbr: there is no field `numbr`"),
        ("oc_generate_name(parameters.name, parameters.port)", "string"),
        (
            "oc_generate_name(parameters.port)",
            "oc_generate_name(parameters.port): `oc_generate_name` cannot be called with an integer",
        ),
        ("oc_hash(parameters.port)", "oc_hash(parameters.port): `oc_hash` cannot be called with an integer"),
        ("math.greatest(1, parameters.port, 2.5)", "dyn"),
        ("math.ceil(parameters.port)", "math.ceil(parameters.port): `math.ceil` cannot be called with an integer"),
        ("math.ceil(double(parameters.port))", "double"),
        ("parameters.name.reverse()", "string"),
        ("parameters.ports.isSorted()", "dyn"),
        ("quantity('1Gi')", "quantity('1Gi'): there is no function `quantity`"),
        ("parameters.`port`", "`port`: fields cannot be written in backticks here"),
        (
            "parameters.enabled ? 'a' : 1",
            "parameters.enabled ? 'a' : 1: both values must have one type, but they are a string and an integer",
        ),
        ("dyn(parameters)['limits']['cpu']", "dyn"),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn every_function_is_declared() {
    for text in FUNCTIONS {
        assert!(Signature::parse(text).is_some(), "{text}");
    }
    let modules = ["optional", "base64", "strings", "lists", "sets", "math"];
    let alone = names(Style::Alone).map(|name| format!("{name}()"));
    let of =
        modules.into_iter().flat_map(|module| names(Style::Of(module)).map(move |name| format!("{module}.{name}()")));
    // Macros are known with all their arguments.
    let is_macro = |name: &str| {
        let macros = ["all", "exists", "exists_one", "existsOne", "map", "filter", "sortBy", "optMap", "optFlatMap"];
        macros.contains(&name) || name.starts_with("transform")
    };
    let methods = names(Style::Method).filter(|name| !is_macro(name)).map(|name| format!("dyn('').{name}()"));
    for call in alone.chain(of).chain(methods) {
        let tree = parse(&call).expect("short");
        let is_has =
            matches!(tree.nodes.last().map(|node| &node.kind), Some(NodeKind::Call { name, .. }) if name == "has");
        assert!(is_has || !found(&call).contains("there is no"), "{call}: {}", found(&call));
    }
}
