use super::type_definition;
use crate::fixture::open;
use expect_test::{Expect, expect};

/// Where the cursor leads: the file, the name, and the definition's first line.
#[track_caller]
fn check(files: &str, expected: Expect) {
    let fixture = open(files);
    let found = type_definition(&fixture.snapshot, fixture.file, fixture.offset);
    let line = |found: &crate::Definition| {
        let text = fixture.snapshot.text(found.target.file).to_string();
        let path = fixture.snapshot.shown_path(found.target.file);
        format!("{path}: {}", &text[found.target_selection.range()])
    };
    expected.assert_eq(&found.iter().map(line).collect::<Vec<_>>().join("\n"));
}

const JSON: &str = "#- s.yml
$schema: http://json-schema.org/draft-07/schema#
properties:
  a: {$ref: '#/$defs/thing'}
  list: {type: array, items: {$ref: '#/$defs/thing'}}
  plain: {type: string}
  some: {anyOf: [{$ref: '#/$defs/thing'}, {type: 'null'}]}
$defs:
  thing: {properties: {b: {type: string}}}
#- v.yml
# yaml-language-server: $schema=s.yml
";

#[test]
fn references_of_json_schemas() {
    check(&format!("{JSON}a$0:\n  b: 1\n"), expect!["s.yml: thing"]);
    check(&format!("{JSON}list$0:\n- b: 1\n"), expect!["s.yml: thing"]);
    check(&format!("{JSON}plain: x$0\n"), expect!["s.yml: plain"]);
    check(
        &format!("{JSON}some$0:\n"),
        expect![[r#"
            s.yml: {type: 'null'}
            s.yml: thing"#]],
    );
    check(&format!("{JSON}none$0: 1\n"), expect![""]);
}

#[test]
fn custom_types() {
    const TYPE: &str = "#- type.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata: {name: web}
spec:
  workloadType: deployment
  parameters:
    ocSchema:
      $types:
        Mount:
          path: string
      mounts: '[]Mount'
      size: integer
#- shop.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: Component
metadata: {name: shop}
spec:
  componentType: {kind: ComponentType, name: deployment/web}
  parameters:
";
    check(&format!("{TYPE}    mounts$0:\n    - path: x\n"), expect!["type.yaml: Mount"]);
    check(&format!("{TYPE}    siz$0e: 1\n"), expect!["type.yaml: size"]);
}

#[test]
fn schemas_of_data_values() {
    const SCHEMA: &str = "#- schema.yml\n#@data/values-schema\n---\nusers:\n- name: ''\nport: 1\n";
    check(&format!("{SCHEMA}#- v.yml\n#@data/values\n---\nuse$0rs:\n- name: a\n"), expect!["schema.yml: -"]);
    check(&format!("{SCHEMA}#- v.yml\n#@data/values\n---\nport: 1$0\n"), expect!["schema.yml: port"]);
    check("a$0: 1\n", expect![""]);
}
