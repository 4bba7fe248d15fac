//! Bundles of schemas for Kubernetes' kinds.

use crate::fixture::{Fixture, shown};
use crate::settings::Settings;
use crate::{CancelFlag, check_workspace};
use expect_test::expect;

const BUNDLE: &str = r##"#- k8s/_definitions.json
{
  "definitions": {
    "io.k8s.api.core.v1.Container": {
      "type": "object", "required": ["name"],
      "properties": {
        "name": {"type": "string"}, "port": {"type": "string", "format": "int-or-string"},
        "limits": {"type": "object", "additionalProperties": {"$ref": "#/definitions/io.k8s.apimachinery.pkg.api.resource.Quantity"}}
      }
    },
    "io.k8s.apimachinery.pkg.api.resource.Quantity": {"type": "string"},
    "io.k8s.api.core.v1.Pod": {
      "type": "object",
      "properties": {
        "apiVersion": {"type": "string"}, "kind": {"type": "string"},
        "spec": {"type": "object", "properties": {"containers": {"type": "array", "items": {"$ref": "#/definitions/io.k8s.api.core.v1.Container"}}}}
      },
      "x-kubernetes-group-version-kind": [{"group": "", "kind": "Pod", "version": "v1"}]
    }
  }
}
#- k8s/deployment-apps-v1.json
{
  "type": "object",
  "properties": {
    "apiVersion": {"type": "string", "enum": ["apps/v1"]}, "kind": {"type": "string", "enum": ["Deployment"]}, "metadata": {"type": "object"},
    "spec": {"type": "object", "required": ["template"], "properties": {"replicas": {"type": "integer"}, "template": {"$ref": "_definitions.json#/definitions/io.k8s.api.core.v1.Pod"}}}
  }
}
#- crds/shop.example.com/backup_v1.json
{"type": "object", "properties": {"spec": {"type": "object", "properties": {"often": {"type": "boolean"}}}}}
#- lofting.toml
[[schemas]]
kubernetes = "k8s"
[[schemas]]
kubernetes = "crds/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json"
[[schemas]]
kubernetes = "k8s/_definitions.json"
"##;

const RESOURCES: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: a}
spec:
  replicas: two
  template:
    spec:
      containers:
      - name: a
        port: 80
        limits: {cpu: 1, memory: 1Gi, other: []}
        imgae: nginx
---
apiVersion: v1
kind: Pod
metadata: {name: b}
spec: {containers: 3}
---
apiVersion: shop.example.com/v1
kind: Backup
spec: {often: daily}
---
apiVersion: v1
kind: Unknown
spec: 1
";

#[test]
fn documents_have_the_schema_of_their_kind() {
    let mut fixture = Fixture::scanned(BUNDLE);
    fixture.open("app.yaml", RESOURCES);
    expect![[r#"
        5:13 kubernetes/type-mismatch `replicas` should be an integer, but is the string "two"
        11:46 kubernetes/type-mismatch `other` should be a string or number, but is an array
        12:9 kubernetes/undeclared-key `imgae` is not declared in the schema of item 1 of `containers`
        17:20 kubernetes/type-mismatch `containers` should be an array, but is the integer 3
        21:15 kubernetes/type-mismatch `often` should be a boolean, but is the string "daily"
    "#]]
    .assert_eq(&fixture.diagnostics("app.yaml"));
    let id = fixture.id("app.yaml");
    let snapshot = fixture.workspace.snapshot();
    let parts = snapshot.governed(id);
    let reasons: String = parts.iter().map(|part| part.reason.words("") + "\n").collect();
    expect![[r#"
        Its `apiVersion` and `kind` select the schema `k8s/deployment-apps-v1.json` in `k8s`, which lofting.toml names.
        Its `apiVersion` and `kind` select the schema `k8s/_definitions.json#/definitions/io.k8s.api.core.v1.Pod` in `k8s/_definitions.json`, which lofting.toml names.
        Its `apiVersion` and `kind` select the schema `crds/shop.example.com/backup_v1.json` in `crds/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json`, which lofting.toml names.
    "#]].assert_eq(&reasons);
}

#[test]
fn a_kind_that_is_typed_is_looked_for() {
    let mut fixture = Fixture::scanned(BUNDLE);
    fixture.open("app.yaml", "apiVersion: shop.example.com/v1\nkind: Backu\nspec: {often: daily}\n");
    expect![[""]].assert_eq(&fixture.diagnostics("app.yaml"));
    fixture.edit("app.yaml", "Backu", "Backup");
    expect![[r#"
        3:15 kubernetes/type-mismatch `often` should be a boolean, but is the string "daily"
    "#]]
    .assert_eq(&fixture.diagnostics("app.yaml"));
}

#[test]
fn definitions_of_the_workspace_come_first() {
    let mut fixture = Fixture::scanned(&format!(
        "{BUNDLE}#- crd.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: shop.example.com
  names: {{kind: Backup}}
  versions:
  - name: v1
    schema: {{openAPIV3Schema: {{type: object, properties: {{spec: {{type: object, properties: {{often: {{type: integer}}}}}}}}}}}}
"
    ));
    fixture.open("app.yaml", RESOURCES);
    let found = fixture.diagnostics("app.yaml");
    assert!(found.contains("`often` should be an integer"), "{found}");
}

#[test]
fn the_command_line_uses_bundles() {
    let fixture = Fixture::scanned(&format!("{BUNDLE}#- app.yaml\n{RESOURCES}"));
    let report =
        check_workspace(&fixture.root(), &[], Settings::default(), super::checks::no_evaluator(), &CancelFlag::new());
    let report = report.expect("it can be checked");
    let found: String = report.files.iter().map(|file| shown(&report.snapshot, file.file)).collect();
    assert!(found.contains("`often` should be a boolean"), "{found}");
}

#[test]
fn templates_of_a_platform_are_checked_as_what_they_become() {
    let types = "\
apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata: {name: web, namespace: shop}
spec:
  workloadType: deployment
  parameters: {openAPIV3Schema: {type: object, properties: {replicas: {type: integer}}}}
  resources:
  - id: deployment
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: '${metadata.name}'}
      spec:
        replicas: ${parameters.replicas}
";
    let found = |text: &str| {
        let mut fixture = Fixture::scanned(BUNDLE);
        fixture.open("type.yaml", text);
        fixture.diagnostics("type.yaml")
    };
    // Traits may add the template of the pods.
    assert_eq!(found(types), "");
    for (right, wrong, finding) in [
        ("replicas: ${", "replcas: ${", "14:9 kubernetes/undeclared-key `replcas` is not declared"),
        ("${parameters.replicas}", "two", "14:19 kubernetes/type-mismatch `replicas` should be an integer"),
        (
            "replicas: ${",
            "template: {spec: {contaners: []}}\n        replicas: ${",
            "14:27 kubernetes/undeclared-key `contaners`",
        ),
    ] {
        let found = found(&types.replace(right, wrong));
        assert!(found.starts_with(finding) && found.lines().count() == 1, "{wrong}: {found}");
    }
}

#[test]
fn a_bundle_that_is_not_there_is_reported_where_it_is_named() {
    let fixture = Fixture::scanned(
        "#- lofting.toml
[[schemas]]
kubernetes = \"nope\"
[[schemas]]
kubernetes = \"../../../../../../etc\"
[[schemas]]
kubernetes = 3
[[schemas]]
kubernetes = \"https://example.com/schemas\"
files = [\"apps/*.yml\"]
",
    );
    expect![[r#"
        2:14 lofting/configuration there is no folder or file `nope`
        4:14 lofting/out-of-reach left out, because this folder is not trusted: `../../../../../../etc`: this is outside the workspace folder and its repository
        6:14 lofting/configuration `kubernetes` must be a folder, a file or a URL: "schemas/kubernetes"
        9:10 lofting/unused-pattern no file matches `apps/*.yml`
    "#]].assert_eq(&fixture.diagnostics("lofting.toml"));
}

#[test]
fn a_setting_names_a_bundle() {
    let (bundle, _) = BUNDLE.split_once("#- lofting.toml").expect("the entries");
    let mut fixture = Fixture::scanned(bundle);
    fixture.open("app.yaml", RESOURCES);
    expect![[""]].assert_eq(&fixture.diagnostics("app.yaml"));
    fixture.workspace.set_settings(Settings { kubernetes: Some("k8s".to_owned()), ..Settings::default() });
    expect![[r#"
        5:13 kubernetes/type-mismatch `replicas` should be an integer, but is the string "two"
        11:46 kubernetes/type-mismatch `other` should be a string or number, but is an array
        12:9 kubernetes/undeclared-key `imgae` is not declared in the schema of item 1 of `containers`
    "#]]
    .assert_eq(&fixture.diagnostics("app.yaml"));
    let snapshot = fixture.workspace.snapshot();
    let reasons: Vec<String> =
        snapshot.governed(fixture.id("app.yaml")).iter().map(|part| part.reason.words("")).collect();
    expect!["Its `apiVersion` and `kind` select the schema `k8s/deployment-apps-v1.json` in `k8s`, which the setting `lofting.kubernetes` names."]
        .assert_eq(&reasons.join("\n"));
    // Outside the workspace it names nothing.
    fixture.workspace.set_settings(Settings { kubernetes: Some("../../../../etc".to_owned()), ..Settings::default() });
    expect![[""]].assert_eq(&fixture.diagnostics("app.yaml"));
}

#[test]
fn items_of_lists_are_resources_of_their_kind() {
    let mut fixture = Fixture::scanned(BUNDLE);
    let list = "\
apiVersion: v1
kind: List
items:
- apiVersion: apps/v1
  kind: Deployment
  spec: {replicas: two, template: {}}
- apiVersion: v1
  kind: List
  items:
  - {apiVersion: v1, kind: Pod, spec: {containers: 3}}
- apiVersion: v1
  kind: Unknown
  spec: 1
- kind: Pod
  spec: {containers: 3}
";
    fixture.open("app.yaml", list);
    expect![[r#"
        6:20 kubernetes/type-mismatch `replicas` should be an integer, but is the string "two"
        10:52 kubernetes/type-mismatch `containers` should be an array, but is the integer 3
    "#]]
    .assert_eq(&fixture.diagnostics("app.yaml"));
    fixture.edit("app.yaml", "apiVersion: v1\n  kind: Unknown\n  spec: 1", "apiVersion: v1\n  kind: Pod\n  spec: 1");
    assert!(fixture.diagnostics("app.yaml").contains("13:9 kubernetes/type-mismatch `spec`"));
}
