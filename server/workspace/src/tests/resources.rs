//! Custom resources that definitions in the workspace govern.

use crate::fixture::Fixture;
use expect_test::expect;

const DEFINITION: &str = "#- crds/box.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  names: {kind: Box, plural: boxes}
  scope: Namespaced
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: {type: integer, minimum: 1}
              port: {x-kubernetes-int-or-string: true}
              labels: {type: object, additionalProperties: {type: string, nullable: true}}
              wait: {type: string, format: duration}
  - name: v2
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: string}}}
";

#[test]
fn a_definition_governs_resources_of_its_group_version_and_kind() {
    let fixture = Fixture::scanned(&format!(
        "{DEFINITION}#- app/all.yaml
apiVersion: v1
kind: ConfigMap
data: {{size: 0}}
---
apiVersion: example.com/v1
kind: Box
metadata: {{name: a}}
spec:
  size: 0
  port: http
  labels: {{a: 1, b: null}}
  wait: 1h30m
  sise: 1
---
apiVersion: example.com/v2
kind: Box
metadata: {{name: b}}
spec:
  size: 1
---
apiVersion: example.com/v1
kind: Box
metadata: {{name: c}}
"
    ));
    expect![[r#"
        9:9 kubernetes/min `size` should be at least 1, but is 0
        11:15 kubernetes/type-mismatch `a` should be a string or null, but is the integer 1
        13:3 kubernetes/undeclared-key `sise` is not declared in the schema of `spec`
        19:9 kubernetes/type-mismatch `size` should be a string, but is the integer 1
        21:1 kubernetes/missing-key `spec` is missing in the document
    "#]]
    .assert_eq(&fixture.diagnostics("app/all.yaml"));
    expect![[r#"
        8:3 kubernetes/storage-version one of the versions should have `storage: true`
        9:3 kubernetes/missing-key `served` is missing in item 1 of `versions`
        9:3 kubernetes/missing-key `storage` is missing in item 1 of `versions`
        23:3 kubernetes/missing-key `served` is missing in item 2 of `versions`
        23:3 kubernetes/missing-key `storage` is missing in item 2 of `versions`
    "#]]
    .assert_eq(&fixture.diagnostics("crds/box.yaml"));
}

#[test]
fn resources_without_a_definition_and_templates_of_others_are_left_alone() {
    let fixture = Fixture::scanned(&format!(
        "{DEFINITION}#- other.yaml
apiVersion: other.example.com/v1
kind: Box
a: 1
a: 2
#- chart/templates/box.yaml
apiVersion: example.com/v1
kind: Box
spec:
  size: {{{{ .Values.size }}}}
  {{{{- if .Values.port }}}}
  port: [1
  {{{{- end }}}}
"
    ));
    expect![[r#"
        chart/templates/box.yaml Other It is a template, not YAML yet: line 4 has a marker (`{{`, `{%`, `<%`) that YAML does not read as text.
        crds/box.yaml Parts No schema governs it as a whole: it contains schemas, or values that schemas in other documents govern.
        other.yaml Other It is a resource (`apiVersion` and `kind` at the top) of a kind that no schema is known for: Kubernetes has none, nor has a definition or bundle of the workspace. Add its CustomResourceDefinition, or name a bundle with its schema in `lofting.toml`: `[[schemas]]` with `kubernetes`.
    "#]].assert_eq(&fixture.explain());
    expect![[r#"
        4:1 yaml/repeated-key `a` is already given in this map; only this last one counts
    "#]]
    .assert_eq(&fixture.diagnostics("other.yaml"));
    expect![[""]].assert_eq(&fixture.diagnostics("chart/templates/box.yaml"));
}

#[test]
fn alternatives_judge_values_with_their_defaults_and_without_dropped_nulls() {
    let definition = "#- crds/gate.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gates.example.com}
spec:
  group: example.com
  names: {kind: Gate, plural: gates}
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            oneOf:
            - properties: {address: {properties: {type: {enum: [IP]}, value: {format: ipv4}}}}
            - properties: {address: {properties: {type: {not: {enum: [IP]}}}}}
            - required: [other]
            properties:
              other: {type: string}
              count: {type: integer}
              must: {type: string}
              list: {type: array, items: {type: integer}}
              map: {type: object, additionalProperties: {type: string}}
              address:
                type: object
                required: [value]
                properties: {type: {type: string, default: IP}, value: {type: string}}
";
    for (spec, want) in [
        ("{address: {value: 1.2.3.4}}", ""),
        ("{address: {type: null, value: 1.2.3.4}}", ""),
        ("{address: {value: name}, other: null}", "kubernetes/"),
        ("{address: {type: Name, value: name}}", ""),
        ("{address: {value: 1.2.3.4}, count: null, map: {a: null}, list: null}", ""),
        ("{address: {value: 1.2.3.4}, list: [null]}", "kubernetes/type-mismatch"),
        ("{address: {value: null}}", "kubernetes/type-mismatch"),
    ] {
        let resource = format!("apiVersion: example.com/v1\nkind: Gate\nmetadata: {{name: a}}\nspec: {spec}\n");
        let found = Fixture::scanned(&format!("{definition}#- a.yaml\n{resource}")).diagnostics("a.yaml");
        assert_eq!(found.is_empty(), want.is_empty(), "{spec}\n{found}");
        assert!(found.contains(want), "{spec}\n{found}");
    }
}

#[test]
fn keys_are_counted_without_dropped_nulls_and_with_defaults() {
    let definition = "#- crds/pair.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: pairs.example.com}
spec:
  group: example.com
  names: {kind: Pair, plural: pairs}
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          one: {type: object, minProperties: 1, maxProperties: 1, properties: {a: {type: string}, b: {type: string}}}
          two: {type: object, minProperties: 2, properties: {a: {type: string}, b: {type: string, default: x}}}
          any: {type: object, minProperties: 1, additionalProperties: {type: string, nullable: true}}
";
    for (part, want) in [
        ("one: {a: x, b: null}", ""),
        ("one: {a: x, b: y}", "kubernetes/max-len"),
        ("one: {a: null}", "kubernetes/min-len"),
        ("two: {a: x}", ""),
        ("two: {b: null}", "kubernetes/min-len"),
        ("any: {a: null}", ""),
    ] {
        let resource = format!("apiVersion: example.com/v1\nkind: Pair\nmetadata: {{name: a}}\n{part}\n");
        let found = Fixture::scanned(&format!("{definition}#- a.yaml\n{resource}")).diagnostics("a.yaml");
        assert_eq!(found.is_empty(), want.is_empty(), "{part}\n{found}");
        assert!(found.contains(want), "{part}\n{found}");
    }
}
