use crate::openchoreo::OpenChoreo;
use crate::{Dialect, DocumentsView, Fault, OwnNotation, ReadsSchemas, Recognises, SchemaPart};
use expect_test::expect;
use lofting_diagnostic::Severity;
use lofting_document::{FileId, Options, lower, write};
use lofting_overlay::NoFunctions;
use std::path::Path;

/// A section as JSON in OpenAPI, and in shorthand; None if it has errors.
fn converted(text: &str) -> Option<(serde_json::Value, OwnNotation)> {
    let tree = lofting_syntax::parse(text);
    let documents = lower(FileId(0), &tree, OpenChoreo.profile(), Options::default());
    let claim = OpenChoreo.section(&DocumentsView { tree: &tree, documents: &documents })?;
    let part = SchemaPart { document: documents.documents.first()?, claim: Some(&claim), tree: Some(&tree) };
    let read = OpenChoreo.read(&[part], &NoFunctions);
    let is_wrong = |fault: &Fault| !matches!(fault, Fault::Found(found) if found.severity != Severity::Error);
    if read.faults.iter().any(is_wrong) {
        return None;
    }
    let schema = serde_json::from_str(&write::to_json(&OpenChoreo.written_out(&part)?)).ok()?;
    Some((schema, OpenChoreo.in_own_notation(&part)?))
}

/// Removes `required` for fields with defaults, where it has no effect because defaults are added first.
fn without_idle_requirements(mut schema: serde_json::Value) -> serde_json::Value {
    let mut open = vec![&mut schema];
    while let Some(value) = open.pop() {
        let serde_json::Value::Object(keywords) = value else { continue };
        let properties = keywords.get("properties").cloned().unwrap_or_default();
        if let Some(serde_json::Value::Array(required)) = keywords.get_mut("required") {
            required.retain(|name| properties[name.as_str().unwrap_or_default()].get("default").is_none());
            if required.is_empty() {
                keywords.remove("required");
            }
        }
        open.extend(keywords.values_mut());
    }
    schema
}

/// Wherever nothing is left out, the written shorthand means the same as the schema.
#[test]
fn what_is_written_means_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/openchoreo");
    let (mut same, mut wrong) = (0, Vec::new());
    let mut cases: Vec<_> = std::fs::read_dir(folder).expect("the cases").flatten().map(|case| case.path()).collect();
    cases.sort();
    for case in cases {
        let Ok(text) = std::fs::read_to_string(case.join("schema.yaml")) else { continue };
        let Some((before, shorthand)) = converted(&text) else { continue };
        let before = without_idle_requirements(before);
        if !shorthand.left_out.is_empty() {
            continue;
        }
        let written = write::yaml_document(&shorthand.sections);
        match converted(&written) {
            Some((after, _)) if without_idle_requirements(after.clone()) == before => same += 1,
            Some((after, _)) => wrong.push(format!("{}:\n{before}\n{after}\n{written}", case.display())),
            None => wrong.push(format!("{}: cannot be read:\n{written}", case.display())),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(same > 60, "{same} are compared");
}

#[test]
fn what_cannot_be_said_is_named() {
    let (_, found) = converted(
        r##"openAPIV3Schema:
  type: object
  required: [name, ports]
  $defs:
    Port: {type: integer, minimum: 1, default: 80}
  properties:
    name: {type: string, minLength: 3, pattern: '^[a-z "]+$', description: "The name, in full"}
    zone: {type: string}
    mode: {type: string, enum: [a, "b,c"], default: a}
    port: {$ref: '#/$defs/Port'}
    ports:
      type: array
      uniqueItems: true
      items: {type: object, required: [number], properties: {number: {$ref: '#/$defs/Port', default: 1}}}
    labels: {type: object, additionalProperties: {type: string}, default: {a: b}}
    deep:
      type: object
      default: {}
      additionalProperties: false
      properties: {on: {type: boolean, default: true}}
    any: {description: Anything.}
"##,
    )
    .expect("a schema");
    expect![[r#"
        types:
          Port: integer | minimum=1 default=80
          PortsItem:
            number: Port | default=1
        parameters:
          name: string | minLength=3 pattern="^[a-z \"]+$" description="The name, in full"
          zone: string
          mode: string | enum=a,"b,c" default=a
          port: Port
          ports: '[]PortsItem'
          labels: map<string> | default={"a":"b"}
          deep:
            $default: {}
            "true": boolean | default=true
    "#]]
    .assert_eq(&write::yaml_document(&found.sections));
    let left: Vec<String> = found.left_out.iter().map(|(_, path, message)| format!("{path}: {message}")).collect();
    expect![[r#"
        zone: `zone` may be missing; in shorthand a field without a default may not
        ports: `uniqueItems` has no marker
        deep: other keys are refused; in shorthand they are permitted
        any: it has no type that the shorthand knows, so that the field is left out"#]]
    .assert_eq(&left.join("\n"));
}
