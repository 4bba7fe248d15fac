//! What is found in definitions, with what is found while their schemas are read.

use crate::kubernetes::Kubernetes;
use crate::{Dialect, DocumentsView, Fault, ReadsSchemas, Recognises, Role, SchemaPart};
use lofting_diagnostic::Diagnostic;
use lofting_document::{FileId, Options, lower};
use lofting_overlay::NoFunctions;

/// A definition of boats. `X` is the schema of a key of their spec.
const BOATS: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.example.com}
spec:
  group: example.com
  names: {kind: Boat, plural: boats}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              x: X
";

/// The findings in a definition, each with the text at its place and its code.
fn found(text: &str) -> Vec<String> {
    let tree = lofting_syntax::parse(text);
    let documents = lower(FileId(0), &tree, Kubernetes.profile(), Options::default());
    let document = &documents.documents[0];
    let mut found = super::findings(&document.value);
    let claims = Kubernetes.claims(&DocumentsView { tree: &tree, documents: &documents });
    for claim in claims.iter().filter(|claim| matches!(claim.role, Role::Schema(_))) {
        let read = Kubernetes.read(&[SchemaPart { document, claim: Some(claim), tree: Some(&tree) }], &NoFunctions);
        found.extend(read.faults.into_iter().filter_map(|fault| match fault {
            Fault::Found(found) => Some(*found),
            Fault::Merge(_) => None,
        }));
    }
    let shown = |found: &Diagnostic| format!("{} {}", &text[found.span.range()], found.code());
    found.iter().map(shown).collect()
}

/// What is found with this schema.
fn with(schema: &str) -> Vec<String> {
    found(&BOATS.replace("x: X", &format!("x: {schema}")))
}

/// The codes of what is found with this schema.
fn codes(schema: &str) -> Vec<String> {
    with(schema).iter().map(|said| said.rsplit('/').next().unwrap_or_default().to_owned()).collect()
}

const NONE: [&str; 0] = [];

#[test]
fn what_follows_from_a_wrong_type_is_not_reported_in_rules() {
    let rule = "x-kubernetes-validations: [{rule: \"self.a == 1\"}]";
    let of = |a: &str| codes(&format!("{{type: object, properties: {{a: {a}}}, {rule}}}"));
    assert_eq!(of("{type: string}"), ["invalid-expression"]);
    // The built-in schema of definitions reports this type.
    assert_eq!(of("{type: strng}"), NONE);
    assert_eq!(of("{}"), ["not-structural"]);
    assert_eq!(of("{type: array}"), ["not-structural"]);
    // Another mistake is one of its own, though the server reports it only once the first is gone.
    assert_eq!(of("{type: string, pattern: '('}"), ["invalid-pattern", "invalid-expression"]);
    // What is beside a schema says nothing about its types, unless the structure as a whole is not known.
    let beside = |other: &str| {
        codes(&format!(
            "{{type: object, properties: {{a: {{type: string, x-kubernetes-validations: [{{rule: self}}]}}, \
             b: {other}}}}}"
        ))
    };
    assert_eq!(beside("{type: string, pattern: '('}"), ["invalid-pattern", "invalid-expression"]);
    assert_eq!(beside("{}"), ["not-structural"]);
    assert_eq!(beside("{type: object, $ref: '#/a'}"), ["unsupported-keyword"]);
    let clear = "{type: object, properties: {a: {type: string}}, additionalProperties: {type: string}}";
    assert_eq!(beside(clear), ["not-structural", "invalid-expression"]);
    assert_eq!(beside("{type: object, uniqueItems: true}"), ["unsupported-keyword", "invalid-expression"]);
}

#[test]
fn a_blank_rule_is_one_mistake() {
    for rule in
        ["{rule: ''}", "{rule: '  '}", "{rule: 'true', messageExpression: '  '}", "{rule: 'true', fieldPath: .b}"]
    {
        assert_eq!(codes(&format!("{{type: object, x-kubernetes-validations: [{rule}]}}")).len(), 1, "{rule}");
    }
}

#[test]
fn only_alternatives_of_the_root_are_compared_with_what_is_declared() {
    let either = "anyOf: [{properties: {zz: {pattern: a}}, items: {pattern: b}}]";
    assert_eq!(with(&format!("{{type: object, {either}}}")), NONE);
    let at_root = |more: &str| {
        let head = "        type: object\n        properties:";
        found(&BOATS.replace(": X", ": {type: string}").replace(head, &format!("        {more}\n{head}")))
    };
    assert_eq!(at_root(either), ["items kubernetes/not-structural", "zz kubernetes/not-structural"]);
    assert_eq!(at_root("not: {properties: {spec: {properties: {x: {pattern: a}}}}}"), NONE);
    let deep = "not: {properties: {spec: {properties: {zz: {pattern: a}}}}}";
    assert_eq!(at_root(deep), ["zz kubernetes/not-structural"]);
}

#[test]
fn an_integer_or_a_string_is_said_where_the_server_expects_it() {
    let either = "anyOf: [{type: integer}, {type: string}]";
    let said = |more: &str| codes(&format!("{{x-kubernetes-int-or-string: true, {more}}}")).len();
    assert_eq!(said(either), 0);
    assert_eq!(said(&format!("allOf: [{{{either}}}, {{pattern: a}}]")), 0);
    assert_eq!(said(&format!("allOf: [{{pattern: a}}, {{{either}}}]")), 2);
    assert_eq!(said(&format!("allOf: [{{{either}, title: a}}]")), 1);
    assert_eq!(said(&format!("oneOf: [{{{either}}}]")), 2);
    assert_eq!(said(&format!("not: {{{either}}}")), 2);
    assert_eq!(said(&format!("allOf: [{{allOf: [{{{either}}}]}}]")), 2);
    assert_eq!(said(&format!("oneOf: [{{properties: {{a: {{{either}}}}}}}]")), 2);
}

#[test]
fn paths_lead_through_maps() {
    let schema = |path: &str| {
        with(&format!(
            "{{type: object, x-kubernetes-validations: [{{rule: 'true', fieldPath: '{path}'}}], properties: \
             {{m: {{type: object, additionalProperties: {{type: string}}}}, \
             o: {{type: object, additionalProperties: {{type: object, properties: {{q: {{type: string}}}}}}}}}}}}"
        ))
    };
    for path in [".m.foo", ".m[''foo'']", ".o.k.q", ".o"] {
        assert_eq!(schema(path), NONE, "{path}");
    }
    for path in [".x", ".o.k.r", ".m.foo.bar"] {
        assert_eq!(schema(path).len(), 1, "{path}");
    }
}

#[test]
fn what_is_selected_has_a_type() {
    let select = |schema: &str, path: &str| {
        let selected = format!("    storage: true\n    selectableFields: [{{jsonPath: {path}}}]\n");
        let text = BOATS.replace("    storage: true\n", &selected);
        found(&text.replace("x: X", &format!("x: {schema}")))
    };
    assert_eq!(select("{type: object, additionalProperties: {type: string}}", ".spec.x.a"), NONE);
    assert_eq!(select("{type: boolean}", ".spec.x"), NONE);
    for schema in
        ["{type: object}", "{x-kubernetes-int-or-string: true}", "{x-kubernetes-preserve-unknown-fields: true}"]
    {
        assert_eq!(select(schema, ".spec.x"), [".spec.x kubernetes/field-path"], "{schema}");
    }
}

#[test]
fn what_is_empty_is_absent_where_the_server_says_so() {
    for empty in ["id: ''", "$schema: ''", "definitions: {}", "patternProperties: {}"] {
        assert_eq!(with(&format!("{{type: object, {empty}}}")), NONE, "{empty}");
    }
    assert_eq!(codes("{type: object, dependencies: {}}"), ["unsupported-keyword"]);
    assert_eq!(codes("{type: object, properties: {a: null}}"), ["not-structural"]);
    assert_eq!(codes("{type: array, items: null}"), ["not-structural"]);
}

#[test]
fn addresses_are_read_as_the_server_reads_them() {
    let called = |url: &str| {
        let webhook = format!(
            "  scope: Namespaced\n  conversion: {{strategy: Webhook, webhook: {{conversionReviewVersions: [v1], \
             clientConfig: {{url: '{url}'}}}}}}\n"
        );
        found(&BOATS.replace(": X", ": {type: string}").replace("  scope: Namespaced\n", &webhook)).len()
    };
    for url in ["https://a.b/c", "HTTPS://a.b/c", "https://a.b/c?"] {
        assert_eq!(called(url), 0, "{url}");
    }
    for url in ["http://a.b", "https:", "https://a.b/c?d", "https://a.b/c#d", "https:///c", "https://u@a.b"] {
        assert_eq!(called(url), 1, "{url}");
    }
}

#[test]
fn a_wrong_plural_is_no_advice_for_the_name() {
    let text = BOATS.replace(": X", ": {type: string}").replace("plural: boats", "plural: Boats");
    assert_eq!(found(&text), ["Boats kubernetes/invalid-name"]);
}

#[test]
fn defaults_in_the_metadata_of_inner_resources_are_names() {
    let within = |metadata: &str| {
        with(&format!(
            "{{type: object, x-kubernetes-embedded-resource: true, properties: {{metadata: {{type: object, properties: \
             {{{metadata}}}}}}}}}"
        ))
    };
    let labels = "type: object, additionalProperties: {type: string}";
    for right in ["name: {type: string, default: a}".to_owned(), format!("labels: {{{labels}, default: {{a: b}}}}")] {
        assert_eq!(within(&right), NONE, "{right}");
    }
    assert_eq!(within("name: {type: string, default: a/b}"), ["a/b kubernetes/resource-meta"]);
    assert_eq!(within(&format!("labels: {{{labels}, default: {{a: b c}}}}")), ["b c kubernetes/resource-meta"]);
    assert_eq!(
        within("labels: {type: object, properties: {a: {type: string, default: b c}}}"),
        ["b c kubernetes/resource-meta"]
    );
}
