//! The kinds of a platform whose definitions are in the workspace: one mistake has one finding, whether a rule
//! of the platform or its definition knows of it.

use crate::fixture::Fixture;

/// A definition of a kind of the platform whose `spec` has these keywords.
fn definition(kind: &str, spec: &str) -> String {
    let plural = format!("{}s", kind.to_lowercase());
    format!(
        "#- {plural}.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: {plural}.openchoreo.dev}}
spec:
  group: openchoreo.dev
  names: {{kind: {kind}, plural: {plural}}}
  scope: Namespaced
  versions:
  - name: v1alpha1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          apiVersion: {{type: string}}
          kind: {{type: string}}
          metadata: {{type: object}}
          spec: {spec}
"
    )
}

/// What the definitions of the platform ask of expressions, and of the names of loops.
const EXPRESSION: &str = r"{type: string, pattern: '^\$\{[\s\S]+\}\s*$'}";
const ANYTHING: &str = "{type: object, x-kubernetes-preserve-unknown-fields: true}";

fn definitions() -> String {
    let looped = format!(
        "forEach: {EXPRESSION}, var: {{type: string, pattern: '^[a-zA-Z_][a-zA-Z0-9_]*$'}}}}, \
         x-kubernetes-validations: [{{rule: '!has(self.forEach) || has(self.var)', message: var is required}}]"
    );
    let section = format!("{{type: object, properties: {{openAPIV3Schema: {ANYTHING}}}}}");
    let target = format!(
        "{{type: object, required: [group, kind, version], properties: {{group: {{type: string}}, kind: {{type: string, \
         minLength: 1}}, version: {{type: string, minLength: 1}}, where: {EXPRESSION}}}}}"
    );
    let operation = "{type: object, required: [op, path], properties: {op: {type: string, enum: [add, replace, remove]}, path: \
                     {type: string}, value: {x-kubernetes-preserve-unknown-fields: true}}}";
    let of_trait = format!(
        "{{type: object, properties: {{parameters: {section}, creates: {{type: array, items: {{type: object, required: \
         [template], properties: {{includeWhen: {EXPRESSION}, template: {ANYTHING}, {looped}}}}}, patches: {{type: array, \
         items: {{type: object, required: [target, operations], properties: {{target: {target}, operations: {{type: array, \
         minItems: 1, items: {operation}}}, {looped}}}}}}}}}"
    );
    let of_component_type = format!(
        "{{type: object, required: [workloadType, resources], properties: {{parameters: {section}, workloadType: {{type: \
         string, enum: [deployment, job, proxy]}}, resources: {{type: array, items: {{type: object, required: [id, template], \
         properties: {{id: {{type: string}}, template: {ANYTHING}}}}}}}}}, x-kubernetes-validations: [{{rule: \
         \"self.workloadType == 'proxy' || self.resources.exists(r, r.id == self.workloadType)\", message: no resource of the \
         workload}}]}}"
    );
    let of_resource_type = format!(
        "{{type: object, required: [resources], properties: {{resources: {{type: array, x-kubernetes-list-type: map, \
         x-kubernetes-list-map-keys: [id], items: {{type: object, required: [id], properties: {{id: {{type: string}}, \
         template: {ANYTHING}}}}}}}}}}}"
    );
    definition("Trait", &of_trait)
        + &definition("ComponentType", &of_component_type)
        + &definition("ResourceType", &of_resource_type)
}

/// What is found in a document, with definitions in the workspace and without.
fn found(kind: &str, spec: &str) -> [Vec<String>; 2] {
    let document = format!(
        "#- a.yaml\napiVersion: openchoreo.dev/v1alpha1\nkind: {kind}\nmetadata: {{name: a, namespace: b}}\nspec:\n{spec}"
    );
    [definitions(), String::new()].map(|definitions| {
        let fixture = Fixture::scanned(&format!("{definitions}{document}"));
        if !definitions.is_empty() {
            assert_eq!(fixture.diagnostics("traits.yaml"), "");
        }
        fixture.diagnostics("a.yaml").lines().map(str::to_owned).collect()
    })
}

/// The first words of the only finding, which is the same with definitions and without.
fn only(kind: &str, spec: &str) -> String {
    let [with, without] = found(kind, spec);
    assert_eq!(with, without, "{kind} {spec}");
    assert_eq!(with.len(), 1, "{kind} {spec}: {with:?}");
    with.into_iter().next().unwrap_or_default()
}

const TRAIT: &str =
    "  parameters: {openAPIV3Schema: {type: object, properties: {names: {type: array, items: {type: string}}}}}
  creates:
  - includeWhen: ${size(parameters.names) > 0}
    forEach: ${parameters.names}
    var: name
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: '${name}'}
  patches:
  - target:
      group: apps
      version: v1
      kind: Deployment
      where: ${resource.metadata.name == metadata.name}
    operations:
    - op: add
      path: /spec/replicas
      value: 1
";

#[test]
fn what_a_rule_of_the_platform_says_the_definition_does_not_say_again() {
    assert_eq!(found("Trait", TRAIT), [Vec::<String>::new(), Vec::new()]);
    for (right, wrong, finding) in [
        (
            "where: ${resource.metadata.name == metadata.name}",
            "where: resource.a",
            "19:14 openchoreo/not-an-expression",
        ),
        ("where: ${resource.metadata.name == metadata.name}", "where: ''", "19:14 openchoreo/not-an-expression"),
        ("where: ${resource.metadata.name == metadata.name}", "where: ${}", "19:14 openchoreo/expression-syntax"),
        (
            "where: ${resource.metadata.name == metadata.name}",
            "where: >-\n        no",
            "19:14 openchoreo/not-an-expression",
        ),
        ("${size(parameters.names) > 0}", "size(parameters.names) > 0", "7:18 openchoreo/not-an-expression"),
        (
            "    template:\n      apiVersion: v1\n      kind: ConfigMap\n      metadata: {name: '${name}'}",
            "    template: ${name}",
            "10:15 openchoreo/template-resource",
        ),
        ("forEach: ${parameters.names}", "forEach: parameters.names", "8:14 openchoreo/not-an-expression"),
        ("    var: name\n", "", "8:5 openchoreo/loop-name"),
        ("op: add", "op: ad", "21:11 openchoreo/patch-operation there is no operation `ad`"),
        ("op: add\n      ", "", "21:7 openchoreo/patch-operation this operation needs `op`"),
        ("      path: /spec/replicas\n", "", "21:7 openchoreo/patch-operation this operation needs `path`"),
        (
            "- op: add\n      path: /spec/replicas\n      value: 1",
            "- {}",
            "21:7 openchoreo/patch-operation this operation needs",
        ),
        (
            "- op: add\n      path: /spec/replicas\n      value: 1",
            "- op: add",
            "21:7 openchoreo/patch-operation this operation needs",
        ),
    ] {
        let spec = TRAIT.replace(right, wrong);
        let found = only("Trait", &spec);
        assert!(found.starts_with(finding), "{wrong}: {found}");
    }
}

const COMPONENT_TYPE: &str = "  workloadType: deployment
  parameters: {openAPIV3Schema: {type: object, properties: {image: {type: string}}}}
  resources:
  - id: deployment
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: '${metadata.name}'}
";

#[test]
fn what_an_expression_of_the_definition_says_a_rule_of_the_platform_says_at_its_place() {
    assert_eq!(found("ComponentType", COMPONENT_TYPE), [Vec::<String>::new(), Vec::new()]);
    let found = only("ComponentType", &COMPONENT_TYPE.replace("id: deployment", "id: main"));
    assert!(found.starts_with("8:9 openchoreo/workload-resource"), "{found}");
    // What an expression reads and is wrong itself.
    for (right, wrong, finding) in [
        ("- id: deployment\n    template", "- template", "missing-key `id` is missing"),
        ("workloadType: deployment", "workloadType: deploment", "one-of `workloadType`"),
        ("workloadType: deployment", "workloadTyp: deployment", "undeclared-key `workloadTyp`"),
    ] {
        let [with, _] = self::found("ComponentType", &COMPONENT_TYPE.replace(right, wrong));
        assert!(with.len() == 1 && with[0].contains(finding), "{with:?}");
    }
    let twice = "  resources:
  - id: a
    template: {apiVersion: v1, kind: Secret, metadata: {name: '${metadata.name}'}}
  - template: {apiVersion: v1, kind: Secret, metadata: {name: '${metadata.name}'}}
    id: a
";
    assert!(only("ResourceType", twice).starts_with("9:9 openchoreo/repeated-name"));
}

#[test]
fn what_a_rule_that_is_turned_off_would_say_the_definition_says() {
    let off = "#- lofting.toml\n[rules]\n\"openchoreo/patch-operation\" = \"off\"\n";
    let written = TRAIT.replace("op: add", "op: ad");
    let document =
        format!("#- a.yaml\napiVersion: openchoreo.dev/v1alpha1\nkind: Trait\nmetadata: {{name: a}}\nspec:\n{written}");
    let found = |configuration: &str| {
        Fixture::scanned(&format!("{}{configuration}{document}", definitions())).diagnostics("a.yaml")
    };
    assert!(found("").starts_with("21:11 openchoreo/patch-operation"), "{}", found(""));
    assert!(found(off).starts_with("21:11 kubernetes/one-of"), "{}", found(off));
    assert_eq!(found(off).lines().count(), 1);
}

#[test]
fn what_only_the_definition_forbids_it_says() {
    for (right, wrong, finding) in [
        ("kind: Deployment", "kind: ''", "18:13 kubernetes/min-len"),
        (
            "includeWhen: ${size(parameters.names) > 0}",
            "includeWhen: ' ${size(parameters.names) > 0}'",
            "7:18 kubernetes/pattern",
        ),
        ("includeWhen: ${size(parameters.names) > 0}", "includeWhen: true", "7:18 kubernetes/type-mismatch"),
        ("value: 1", "vlue: 1", "23:7 kubernetes/undeclared-key"),
        ("    operations:", "    more: a\n    operations:", "20:5 kubernetes/undeclared-key"),
    ] {
        let [with, _] = found("Trait", &TRAIT.replace(right, wrong));
        assert!(with.len() == 1 && with[0].starts_with(finding), "{wrong}: {with:?}");
    }
}
