//! The kinds of a platform that are known without their definitions.

use crate::fixture::Fixture;
use expect_test::expect;

/// What is found in a document of the platform, alone in its workspace.
fn found(kind: &str, spec: &str) -> String {
    let head = format!("apiVersion: openchoreo.dev/v1alpha1\nkind: {kind}\nmetadata: {{name: a}}\n");
    let found = Fixture::scanned(&format!("#- a.yaml\n{head}{spec}")).diagnostics("a.yaml");
    found.lines().map(|line| line.split_once(' ').map_or(line, |(_, rest)| rest)).collect::<Vec<_>>().join("\n")
}

#[test]
fn mistakes_in_documents_have_one_finding() {
    let owner = "spec:\n  owner: {projectName: p}\n";
    for (kind, spec, finding) in [
        ("Component", "spec:\n  ownr: {projectName: p}\n", "unread-key `ownr` is not declared in the schema of `spec`"),
        ("Component", "", "missing-key `spec` is missing in the document"),
        (
            "Component",
            &format!("{owner}  autoDeploy: 'yes'\n"),
            "type-mismatch `autoDeploy` should be a boolean, but is the string \"yes\"",
        ),
        (
            "Component",
            &format!("{owner}  componentType: {{kind: ComponentTyp, name: deployment/a}}\n"),
            "one-of `kind` should be one of \"ComponentType\" or \"ClusterComponentType\", but is \"ComponentTyp\"",
        ),
        (
            "Component",
            &format!("{owner}  componentType: service\n"),
            "pattern `componentType`: needs the kind of the workload and the name of the type, such as `deployment/web`",
        ),
        (
            "Component",
            &format!("{owner}  componentType: {{name: service}}\n"),
            "pattern `name`: needs the kind of the workload and the name of the type, such as `deployment/web`",
        ),
        ("Component", &format!("{owner}  traits: [{{name: a}}]\n"), "missing-key `instanceName` is missing in item 1"),
        ("Workload", "spec:\n  owner: {projectName: p}\n", "missing-key `componentName` is missing in `owner`"),
        ("ReleaseBinding", "spec:\n  owner: {projectName: p, componentName: c}\n", "missing-key `environment`"),
        ("Environment", "spec: {isProduction: 1}\n", "type-mismatch `isProduction` should be a boolean"),
        ("DeploymentPipeline", "spec: {promotionPaths: {}}\n", "type-mismatch `promotionPaths` should be an array"),
        ("Project", "spec: {type: {kind: Projct, name: a}}\n", "one-of `kind` should be one of \"ProjectType\""),
        (
            "ProjectType",
            "spec:\n  paramters: {}\n  resources: [{id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}}]\n",
            "unread-key `paramters` is not declared in the schema of `spec`",
        ),
        ("ClusterProjectType", "spec: {resources: []}\n", "min-len `resources` should not be empty"),
        ("WorkflowRun", "spec: {workflw: {name: a}}\n", "unread-key `workflw` is not declared in the schema of `spec`"),
        (
            "ClusterTrait",
            "spec: {patches: [{target: {group: '', version: v1, kind: A}}]}\n",
            "missing-key `operations`",
        ),
    ] {
        let found = found(kind, spec);
        assert!(found.starts_with(&format!("kubernetes/{finding}")), "{kind} {spec}: {found}");
        assert_eq!(found.lines().count(), 1, "{kind} {spec}: {found}");
    }
}

#[test]
fn a_misspelt_section_has_one_finding_whatever_uses_it() {
    let spec = "spec:
  parmeters:
    openAPIV3Schema: {type: object, properties: {size: {type: string}, names: {type: array, items: {type: string}}}}
  creates:
  - template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: '${parameters.size}'}
      data: {one: '${parameters.names[0]}', two: '${parameters.size}'}
";
    expect!["kubernetes/unread-key `parmeters` is not declared in the schema of `spec`: it has no effect"]
        .assert_eq(&found("Trait", spec));
    // Where there is no section at all, each field that is read is wrong.
    let without = spec.replace("  parmeters:\n", "").replace("    openAPIV3Schema", "  # openAPIV3Schema");
    let without = found("Trait", &without);
    assert!(without.lines().all(|line| line.starts_with("openchoreo/unknown-field")), "{without}");
    assert_eq!(without.lines().count(), 3, "{without}");
}

#[test]
fn a_misspelt_keyword_of_a_schema_has_one_finding_whatever_uses_it() {
    let spec = "spec:
  parameters:
    openAPIV3Schema:
      type: object
      required: [size]
      properties:
        size: {type: string, enum: [a, b], default: a}
        names: {type: array, items: {type: string}}
        labels: {type: object, additionalProperties: {type: string}}
  creates:
  - template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: '${parameters.size}'}
      data: {one: '${parameters.names[0]}', two: '${parameters.size}', three: '${parameters.labels.a}'}
";
    assert_eq!(found("Trait", spec), "");
    for (right, wrong) in [
        ("properties", "propertis"),
        ("required", "requird"),
        ("enum", "enm"),
        ("default", "defalt"),
        ("items", "itms"),
        ("additionalProperties", "additionalPropertys"),
        ("type: object\n", "tpe: object\n"),
        ("type: string, enum", "typ: string, enum"),
        ("type: array", "Type: array"),
    ] {
        let found = found("Trait", &spec.replacen(right, wrong, 1));
        let keyword = wrong.split(':').next().unwrap_or_default();
        let said = format!("openchoreo/unknown-keyword there is no keyword `{keyword}` in an `openAPIV3Schema`");
        assert_eq!(found, said);
    }
}

#[test]
fn a_document_that_does_not_say_what_it_is_has_one_finding() {
    let text = "#- a.yaml\napiVersion: openchoreo.dev/v1alpha1\nkind: ClusterTrait\nmetadata: {name: a}\nspec: {}\n";
    assert_eq!(Fixture::scanned(text).diagnostics("a.yaml"), "");
    let found = Fixture::scanned(&text.replace("apiVersion", "apiersion")).diagnostics("a.yaml");
    assert_eq!(found.lines().count(), 1, "{found}");
    assert!(found.contains("apiersion"), "{found}");
}

#[test]
fn a_misspelt_kind_has_one_finding_without_its_definition() {
    for (kind, meant) in [("Componant", "Component"), ("ClusterTrate", "ClusterTrait"), ("ProjectTyp", "ProjectType")] {
        let found = found(kind, "spec: {}\n");
        assert!(found.starts_with(&format!("kubernetes/unknown-kind there is no kind `{kind}`")), "{meant}: {found}");
        assert_eq!(found.lines().count(), 1, "{kind}: {found}");
    }
    for kind in ["ComponentRelease", "ObservabilityPlane", "SecretReference"] {
        assert_eq!(found(kind, "spec: {}\n"), "", "{kind}");
    }
}

#[test]
fn misspelt_keys_of_items_have_one_finding() {
    let spec = "spec:
  parameters: {openAPIV3Schema: {type: object, properties: {names: {type: array, items: {type: string}}}}}
  creates:
  - forEach: ${parameters.names}
    var: name
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: '${name}'}
      data: {one: '${name}'}
  patches:
  - target: {group: apps, version: v1, kind: Deployment}
    operations:
    - op: add
      path: /spec/replicas
      value: 1
";
    assert_eq!(found("Trait", spec), "");
    for (right, wrong) in
        [("forEach:", "foEach:"), ("var:", "vra:"), ("path:", "pth:"), ("value: 1", "vlue: 1"), ("op:", "opp:")]
    {
        let found = found("Trait", &spec.replace(right, wrong));
        let lines: Vec<&str> = found.lines().collect();
        assert_eq!(lines.len(), 1, "{wrong}: {found}");
        let key = wrong.split(':').next().unwrap_or_default();
        assert!(lines[0].contains("unread-key") && lines[0].contains(key), "{wrong}: {found}");
    }
}

#[test]
fn documents_of_all_releases_are_right() {
    for (kind, spec) in [
        ("Component", "spec: {owner: {projectName: p}, type: Service}\n"),
        (
            "Component",
            "spec: {owner: {projectName: p}, componentType: {name: deployment/a}, autoBuild: true, traits: []}\n",
        ),
        (
            "Workload",
            "spec: {owner: {projectName: p, componentName: c}, containers: {main: {image: a, env: [{key: A, \
             valueFrom: {secretRef: {name: a, key: b}}}]}}}\n",
        ),
        ("Workload", "spec: {owner: {projectName: p, componentName: c}, endpoints: {web: {type: REST, port: 80}}}\n"),
        ("Environment", "spec: {dataPlaneRef: default, gateway: {publicVirtualHost: a.example.com}}\n"),
        (
            "DeploymentPipeline",
            "spec: {promotionPaths: [{sourceEnvironmentRef: {name: a}, targetEnvironmentRefs: [{name: b, \
             requiresApproval: true}]}]}\n",
        ),
        ("Project", "spec: {deploymentPipelineRef: default}\n"),
        ("ReleaseBinding", "spec: {owner: {projectName: p, componentName: c}, environment: a, state: Undeploy}\n"),
        ("DataPlane", "spec: {anything: {}}\n"),
        ("SomethingNew", "spec: {anything: {}}\n"),
    ] {
        assert_eq!(found(kind, spec), "", "{kind} {spec}");
    }
}

#[test]
fn definitions_in_the_workspace_take_precedence() {
    let definition = "#- crd.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: environments.openchoreo.dev}
spec:
  group: openchoreo.dev
  scope: Namespaced
  names: {kind: Environment, plural: environments}
  versions:
  - name: v1alpha1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {region: {type: string}}}}}
";
    let document = "#- a.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: Environment
metadata: {name: a}
spec: {region: 1}
";
    expect!["4:16 kubernetes/type-mismatch `region` should be a string, but is the integer 1\n"]
        .assert_eq(&Fixture::scanned(&format!("{definition}{document}")).diagnostics("a.yaml"));
}
