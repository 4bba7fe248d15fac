use super::check_schema;
use crate::{Diagnostic, ValuesCheck};
use lofting_dialect::kubernetes::Kubernetes;
use lofting_dialect::{Dialect, Read, ReadsSchemas, SchemaName, SchemaPart};
use lofting_document::{Document, FileId, Options, lower};
use lofting_overlay::NoFunctions;
use lofting_syntax::Tree;

fn document(tree: &Tree) -> Document {
    let documents = lower(FileId(0), tree, Kubernetes.profile(), Options::default());
    documents.documents.into_iter().next().expect("a document")
}

/// A custom resource whose key `x` has this schema.
fn read(schema: &str) -> (String, Read) {
    let text = format!("type: object\nproperties:\n  x: {schema}\n");
    let tree = lofting_syntax::parse(&text);
    let document = document(&tree);
    let part = SchemaPart { document: &document, claim: None, tree: Some(&tree) };
    let read = Kubernetes.read(&[part], &NoFunctions);
    (text, read)
}

/// What is found in the schema, each with the text at its place.
fn found(schema: &str) -> Vec<String> {
    let (text, read) = read(schema);
    let found = check_schema(&read.schema, &read.faults, &());
    let shown = |found: &Diagnostic| format!("{}: {}", &text[found.span.range()], found.message);
    found.iter().map(shown).collect()
}

/// How many findings there are about a value.
fn count(schema: &str, value: &str) -> usize {
    let (_, read) = read(schema);
    let tree = lofting_syntax::parse(&format!("apiVersion: a.b/v1\nkind: C\nmetadata: {{name: d}}\nx: {value}\n"));
    let document = document(&tree);
    let root = crate::Root::document(&document).expect("a document");
    ValuesCheck::alone(&read.schema, &()).run(root).into_diagnostics().len()
}

/// The server looks at the defaults of a definition before it adds any; resources have them before they are looked at.
#[test]
fn defaults_of_definitions_are_compared_as_they_are_written() {
    let days = "properties: {days: {type: integer, default: 90}}";
    for (schema, at) in [
        (format!("{{type: object, default: {{}}, required: [days], {days}}}"), "{}"),
        (format!("{{type: object, default: {{}}, minProperties: 1, {days}}}"), "{}"),
        (
            format!(
                "{{type: object, default: {{inner: {{}}}}, properties: \
                 {{inner: {{type: object, required: [days], {days}}}}}}}"
            ),
            "inner",
        ),
        (
            format!("{{type: object, default: {{}}, x-kubernetes-validations: [{{rule: has(self.days)}}], {days}}}"),
            "{}",
        ),
        (format!("{{type: object, default: {{}}, anyOf: [{{required: [days]}}], {days}}}"), "{}"),
    ] {
        let said = found(&schema);
        assert!(said.len() == 1 && said[0].starts_with(at), "{schema} {said:?}");
        let given = schema.replace("default: {}", "default: {days: 1}").replace("inner: {}", "inner: {days: 1}");
        assert_eq!(found(&given), [""; 0], "{given}");
        assert_eq!(count(&given, "{}"), 0, "{given}");
    }
    let added = format!("{{type: object, required: [days], minProperties: 1, {days}}}");
    assert_eq!(count(&added, "{}"), 0);
}

#[test]
fn integers_of_custom_resources_have_any_size() {
    assert_eq!(count("{type: integer, format: int32}", "3000000000"), 0);
    assert_eq!(found("{type: integer, format: int32, default: 3000000000}"), [""; 0]);
    assert_eq!(count("{type: string, format: other}", "a"), 0);
    assert_eq!(count("{type: string, format: date}", "a"), 1);
    assert_eq!(count("{type: string, format: date-time}", "a"), 1);
}

#[test]
fn maps_in_definitions_have_the_keys_that_the_server_knows() {
    let name = SchemaName {
        kind: "CustomResourceDefinition".into(),
        name: "apiextensions.k8s.io/v1".into(),
        namespace: None,
        slot: "",
    };
    let schema = Kubernetes.built_in(&name).expect("a schema");
    let found = |status: &str, docs: &str| {
        let tree = lofting_syntax::parse(&format!(
            "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: boats.example.com}}
spec:
  group: example.com
  names: {{kind: Boat, plural: boats}}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {{status: {status}}}
    schema: {{openAPIV3Schema: {{type: object, externalDocs: {docs}}}}}
"
        ));
        let document = document(&tree);
        let root = crate::Root::document(&document).expect("a document");
        let found = ValuesCheck::alone(&schema, &()).run(root).into_diagnostics();
        found.iter().map(|found| found.code().into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("{}", "{url: a, description: b}"), [""; 0]);
    assert_eq!(found("{enabled: true}", "{}"), ["kubernetes/undeclared-key"]);
    assert_eq!(found("{}", "{title: a}"), ["kubernetes/undeclared-key"]);
}
