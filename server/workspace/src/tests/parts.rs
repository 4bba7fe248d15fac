//! Parts of documents that schemas in other documents govern.

use crate::fixture::Fixture;
use expect_test::expect;

const TYPE: &str = "#- types/web.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata:
  name: web
spec:
  workloadType: deployment
  allowedTraits: [{name: volume}]
  parameters:
    openAPIV3Schema:
      type: object
      required: [image]
      properties:
        image: {type: string, minLength: 3}
        replicas: {type: integer, default: 1, minimum: 1}
        mode:
          type: string
          enum: [small, large]
  resources:
  - id: deployment
    template: {apiVersion: apps/v1, kind: Deployment, metadata: {name: a}}
---
apiVersion: openchoreo.dev/v1alpha1
kind: Trait
metadata:
  name: volume
spec:
  parameters:
    openAPIV3Schema:
      type: object
      properties:
        size: {type: string, pattern: '^[0-9]+Gi$'}
";

const COMPONENT: &str = "#- app/component.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: Component
metadata:
  name: shop
spec:
  owner: {projectName: p}
  componentType:
    kind: ComponentType
    name: deployment/web
  parameters:
    replicas: 0
    mode: smal
    replica: 2
  traits:
  - name: volume
    instanceName: data
    parameters:
      size: 5
  - name: nobody
    instanceName: other
    parameters:
      size: 5
";

/// Null and an empty map are the same. Parameters that are not there at all are not reported: they may be about to be written.
#[test]
fn parameters_that_are_null_are_an_empty_map() {
    let required = "#- types/volume.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: Trait
metadata:
  name: sized
spec:
  parameters:
    openAPIV3Schema:
      type: object
      required: [size]
      properties:
        size: {type: string}
";
    let component = |name: &str, written: &str| {
        format!(
            "apiVersion: openchoreo.dev/v1alpha1\nkind: Component\nmetadata:\n  name: {name}\nspec:\n  \
             owner: {{projectName: p}}\n  componentType:\n    kind: ComponentType\n    name: deployment/web\n{written}  traits:\n  - name: sized\n    \
             instanceName: a\n{}",
            written.replace("  parameters", "    parameters")
        )
    };
    let written = ["  parameters: {}\n", "  parameters:\n", "  parameters: ~\n", ""];
    let components = written.iter().enumerate().map(|(number, text)| component(&format!("c{number}"), text));
    let components: Vec<String> = components.collect();
    let of_type = TYPE.replace("[{name: volume}]", "[{name: volume}, {name: sized}]");
    let fixture = fixture(&format!("{of_type}{required}#- app/components.yaml\n{}", components.join("---\n")));
    expect![[r#"
        10:3 openchoreo/missing-key `image` is missing in `parameters`
        14:5 openchoreo/missing-key `size` is missing in `parameters`
        25:3 openchoreo/missing-key `image` is missing in `parameters`
        29:5 openchoreo/missing-key `size` is missing in `parameters`
        40:15 openchoreo/missing-key `image` is missing in `parameters`
        44:17 openchoreo/missing-key `size` is missing in `parameters`
    "#]]
    .assert_eq(&fixture.diagnostics("app/components.yaml"));
}

/// A type with a schema, and a component with values for it.
fn type_and_component(schema: &str, values: &str) -> (String, String) {
    let fixture = fixture(&format!(
        "#- type.yaml\napiVersion: openchoreo.dev/v1alpha1\nkind: ComponentType\nmetadata: {{name: web}}\nspec:\n  \
         workloadType: deployment\n{schema}  resources:\n  - id: deployment\n    template: {{apiVersion: apps/v1, kind: \
         Deployment, metadata: {{name: a}}}}\n#- app.yaml\napiVersion: openchoreo.dev/v1alpha1\nkind: Component\nmetadata: \
         {{name: app}}\nspec:\n  owner: {{projectName: p}}\n  componentType: {{kind: ComponentType, name: \
         deployment/web}}\n  parameters:\n{values}"
    ));
    (fixture.diagnostics("type.yaml"), fixture.diagnostics("app.yaml"))
}

#[test]
fn null_is_no_value_unless_a_default_takes_its_place() {
    let schema = "  parameters:
    openAPIV3Schema:
      type: object
      properties:
        plain: {type: string}
        nullable: {type: string, nullable: true}
        default: {type: string, default: x}
        any: {}
        below:
          type: object
          properties: {plain: {type: integer}, default: {type: integer, default: 1}}
        map: {type: object, additionalProperties: {type: string}}
";
    let values = "    plain: null\n    nullable:\n    default:\n    any:\n    below: {plain: ~, default: ~}\n    map: {a: null}\n";
    let (of_type, of_values) = type_and_component(schema, values);
    assert_eq!(of_type, "");
    expect![[r#"
        8:12 openchoreo/type-mismatch `plain` should be a string, but is null
        12:20 openchoreo/type-mismatch `plain` should be an integer, but is null
        13:14 openchoreo/type-mismatch `a` should be a string, but is null
    "#]]
    .assert_eq(&of_values);
}

#[test]
fn a_mistake_in_a_schema_is_not_reported_at_its_values() {
    for (schema, values, expected) in [
        (
            "  schema:\n    types:\n      T: {$default: [], a: string}\n    parameters: {t: T}\n",
            "    {}\n",
            expect![[r#"
                8:21 openchoreo/invalid-object-default `$default` should be a map
            "#]],
        ),
        (
            "  parameters:\n    openAPIV3Schema:\n      type: object\n      properties:\n        a: {type: integer, enum: [x, y]}\n        \
             b: {type: integer, minimum: 5, maximum: 3}\n",
            "    a: 1\n    b: 4\n",
            expect![[r#"
                10:35 openchoreo/invalid-enum-literal this value of `enum` is a string, but the type is integer
                10:38 openchoreo/invalid-enum-literal this value of `enum` is a boolean, but the type is integer
                11:49 openchoreo/impossible-range `maximum` leaves no value that `minimum` permits
            "#]],
        ),
        (
            "  schema:\n    paramters: {a: string}\n",
            "    a: x\n",
            expect![[r#"
            7:5 kubernetes/unread-key `paramters` is not declared in the schema of `schema`: it has no effect
        "#]],
        ),
        (
            "  schema:\n    environmentConfigs: {a: string}\n    parameters: {a: string}\n",
            "    a: x\n",
            expect![[r#"
                7:5 kubernetes/unread-key `environmentConfigs` is not declared in the schema of `schema`: it has no effect
            "#]],
        ),
    ] {
        let (of_type, of_values) = type_and_component(schema, values);
        expected.assert_eq(&of_type);
        assert_eq!(of_values, "", "{schema}");
    }
}

fn fixture(text: &str) -> Fixture {
    Fixture::scanned(text)
}

/// Opens a file with its text on disk.
fn open(fixture: &mut Fixture, path: &str) {
    let text = std::fs::read_to_string(fixture.path(path)).expect("a file");
    fixture.open(path, &text);
}

#[test]
fn parts_are_checked_against_schemas_found_by_name() {
    let fixture = fixture(&format!("{TYPE}{COMPONENT}"));
    expect![[r#"
        app/component.yaml Parts No schema governs it as a whole: it contains schemas, or values that schemas in other documents govern.
        types/web.yaml Parts No schema governs it as a whole: it contains schemas, or values that schemas in other documents govern.
    "#]].assert_eq(&fixture.explain());
    expect![[r#"
        10:3 openchoreo/missing-key `image` is missing in `parameters`
        11:15 openchoreo/min `replicas` should be at least 1, but is 0
        12:11 openchoreo/one-of `mode` should be one of "small" or "large", but is "smal"
        13:5 openchoreo/unread-key `replica` is not declared in the schema of `parameters`: it has no effect
        18:13 openchoreo/type-mismatch `size` should be a string, but is the integer 5
        19:11 openchoreo/missing-referent there is no Trait `nobody` in this workspace
    "#]]
    .assert_eq(&fixture.diagnostics("app/component.yaml"));
    assert_eq!(fixture.diagnostics("types/web.yaml"), "");
}

#[test]
fn what_a_schema_says_now_is_what_counts() {
    let mut fixture = fixture(&format!("{TYPE}{COMPONENT}"));
    let before = fixture.diagnostics("app/component.yaml");
    open(&mut fixture, "types/web.yaml");
    fixture.edit("types/web.yaml", "minimum: 1", "minimum: 0");
    let after = fixture.diagnostics("app/component.yaml");
    assert!(before.contains("openchoreo/min") && !after.contains("openchoreo/min "), "{after}");
    fixture.edit("types/web.yaml", "name: web", "name: other");
    // Nothing says any more whose parameters they are.
    let after = fixture.diagnostics("app/component.yaml");
    assert!(!after.contains("replica") && after.contains("openchoreo/"), "{after}");
}

#[test]
fn namespaces_are_compared_where_both_sides_give_one() {
    let with = |namespace: &str| format!("metadata:\n  namespace: {namespace}\n");
    let both = |schema: &str, instance: &str| {
        let schema = TYPE.replace("metadata:\n", &with(schema));
        let instance = COMPONENT.replace("metadata:\n", &with(instance));
        fixture(&format!("{schema}{instance}")).diagnostics("app/component.yaml")
    };
    let values = |found: String| found.lines().filter(|line| !line.contains("missing-referent")).count();
    assert_eq!(values(both("a", "b")), 0);
    assert_ne!(values(both("a", "a")), 0);
}

#[test]
fn a_schema_and_its_values_may_stand_in_one_file() {
    let text = format!("{}---\n{}", TYPE, COMPONENT.split_once('\n').expect("a head").1);
    let mut fixture = fixture(&text);
    let count = |found: String| found.lines().filter(|line| line.contains("openchoreo/")).count();
    let before = count(fixture.diagnostics("types/web.yaml"));
    assert!(before > 2);
    open(&mut fixture, "types/web.yaml");
    fixture.edit("types/web.yaml", "metadata:", "# moved\nmetadata:");
    assert_eq!(count(fixture.diagnostics("types/web.yaml")), before);
}

#[test]
fn what_is_wrong_with_a_schema_is_reported_in_its_file() {
    let text = "#- a.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: Trait
metadata: {name: a}
spec:
  parameters:
    openAPIV3Schema:
      type: [object]
      properties:
        a: {$ref: '#/$defs/b'}
        c: {type: integer, default: x}
        d: {types: integer}
";
    expect![[r#"
        7:13 openchoreo/openapi-not-decodable `type` should be a string
        9:19 openchoreo/ref-not-found there is no definition `b`
        10:37 openchoreo/default-violates-schema the default does not fit: the value should be an integer, but is the string "x"
        11:13 openchoreo/unknown-keyword there is no keyword `types` in an `openAPIV3Schema`
    "#]].assert_eq(&fixture(text).diagnostics("a.yaml"));
}

#[test]
fn half_typed_documents_are_claimed_as_far_as_they_go() {
    let mut fixture = fixture(TYPE);
    let text = COMPONENT.split_once('\n').expect("a head").1;
    for (cut, _) in text.char_indices() {
        fixture.open("app/component.yaml", &text[..cut]);
        for line in fixture.diagnostics("app/component.yaml").lines() {
            let number: usize = line.split(':').next().and_then(|number| number.parse().ok()).expect("a line");
            // Findings of the lines above are those of the whole text as well.
            assert!(number <= text[..cut].lines().count(), "{line}");
        }
    }
}

/// A number that is another each time, the same in each run.
fn next(seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*seed >> 33).expect("31 bits")
}

#[test]
fn memory_agrees_with_a_fresh_look_after_every_edit() {
    let schema = TYPE.replace(
        "        mode:\n",
        "        ports:\n          type: array\n          items:\n            type: object\n            required: [port]\n            \
         properties:\n              port: {type: integer, minimum: 1}\n              store:\n                oneOf:\n                \
         - {type: object, required: [disk], properties: {disk: {type: string}}}\n                \
         - {type: object, required: [bucket], properties: {bucket: {type: string}}}\n        mode:\n",
    );
    let item = |number: usize| format!("    - port: {}\n      store: {{disk: d{number}, size: 1}}\n", number % 3);
    let ports: String = (0..120).map(item).collect();
    let mut text =
        COMPONENT.split_once('\n').expect("a head").1.replace("    replica: 2\n", &format!("    ports:\n{ports}"));
    let mut warm = fixture(&schema);
    warm.open("app/component.yaml", &text);
    let mut seed = 7;
    let pieces = ["1", "x", "\n", "  ", ":", "- ", "port: 2\n", "bucket: b, ", "{", "}", "parameters:", ""];
    for round in 0..150 {
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let start = starts[next(&mut seed) % starts.len()];
        let end = (start + next(&mut seed) % 4).min(text.len());
        let end = (end..=text.len()).find(|at| text.is_char_boundary(*at)).expect("the end is one");
        let piece = pieces[next(&mut seed) % pieces.len()];
        let id = warm.id("app/component.yaml");
        warm.workspace.edit(id, round + 2, start..end, piece);
        text.replace_range(start..end, piece);
        let mut cold = fixture(&schema);
        cold.open("app/component.yaml", &text);
        let (warm, cold) = (warm.diagnostics("app/component.yaml"), cold.diagnostics("app/component.yaml"));
        assert_eq!(warm, cold, "round {round}: {start}..{end} {piece:?}");
    }
}

#[test]
fn bindings_are_checked_through_the_component_they_name() {
    let text = "#- all.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata: {name: web}
spec:
  workloadType: deployment
  schema:
    envOverrides:
      replicas: integer | default=1 minimum=1
  traits:
  - name: volume
    instanceName: logs
    parameters:
      size: '${parameters.size}'
      mode: 5
  resources:
  - id: deployment
    template: {apiVersion: apps/v1, kind: Deployment, metadata: {name: a}}
---
apiVersion: openchoreo.dev/v1alpha1
kind: Trait
metadata: {name: volume}
spec:
  schema:
    parameters:
      size: integer
      mode: string | default=a
    envOverrides:
      class: string | enum=slow,fast default=slow
---
apiVersion: openchoreo.dev/v1alpha1
kind: Component
metadata: {name: shop}
spec:
  owner: {projectName: p}
  componentType: deployment/web
  traits:
  - name: volume
    instanceName: data
    parameters: {size: x}
#- binding.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: ReleaseBinding
metadata: {name: shop-dev}
spec:
  owner: {projectName: p, componentName: shop}
  environment: dev
  componentTypeEnvOverrides:
    replicas: 0
  traitOverrides:
    data:
      class: fats
    other:
      class: fats
";
    let mut fixture = fixture(text);
    expect![[r#"
        13:27 openchoreo/unknown-field the schema declares no field `size` here
        14:13 openchoreo/type-mismatch `mode` should be a string, but is the integer 5
        39:24 openchoreo/type-mismatch `size` should be an integer, but is the string "x"
    "#]]
    .assert_eq(&fixture.diagnostics("all.yaml"));
    expect![[r#"
        8:15 openchoreo/min `replicas` should be at least 1, but is 0
        11:14 openchoreo/one-of `class` should be one of "slow" or "fast", but is "fats"
        12:5 openchoreo/missing-referent `shop` has no trait instance `other`
    "#]]
    .assert_eq(&fixture.diagnostics("binding.yaml"));
    // Who the component is of now is what counts.
    open(&mut fixture, "all.yaml");
    fixture.edit("all.yaml", "instanceName: data", "instanceName: other");
    expect![[r#"
        8:15 openchoreo/min `replicas` should be at least 1, but is 0
        10:5 openchoreo/missing-referent `shop` has no trait instance `data`
        13:14 openchoreo/one-of `class` should be one of "slow" or "fast", but is "fats"
    "#]]
    .assert_eq(&fixture.diagnostics("binding.yaml"));
}

/// A component and its runs, with workflows of one name and three kinds. Each refuses what the others accept.
#[test]
fn a_workflow_without_a_kind_is_what_its_document_can_only_mean() {
    let workflow = |kind: &str, parameters: &str| {
        format!(
            "apiVersion: openchoreo.dev/v1alpha1\nkind: {kind}\nmetadata: {{name: docker}}\nspec:\n  schema:\n    \
             parameters: {{{parameters}}}\n"
        )
    };
    let types = [workflow("ClusterWorkflow", "cluster: string"), workflow("ComponentWorkflow", "component: string")];
    let found = |kind: &str, spec: &str| {
        let text = format!(
            "#- types.yaml\n{}#- file.yaml\napiVersion: openchoreo.dev/v1alpha1\nkind: {kind}\nmetadata: {{name: x}}\n\
             spec:\n{spec}",
            types.join("---\n")
        );
        let found = fixture(&text).diagnostics("file.yaml");
        ["cluster", "component"].into_iter().find(|name| found.contains(&format!("`{name}`")))
    };
    let of_map = "  componentType: {kind: ComponentType, name: deployment/web}\n";
    let of_text = "  componentType: deployment/web\n";
    let plain = "  workflow: {name: docker, parameters: {}}\n";
    let system = "  workflow: {name: docker, systemParameters: {}, parameters: {}}\n";
    let kind = "  workflow: {kind: ClusterWorkflow, name: docker, systemParameters: {}, parameters: {}}\n";
    for (document, spec, expected) in [
        ("Component", [of_map, plain].concat(), Some("cluster")),
        ("Component", [of_map, system].concat(), Some("component")),
        ("Component", [of_text, plain].concat(), None),
        ("Component", [of_text, system].concat(), Some("component")),
        ("Component", [of_text, kind].concat(), Some("cluster")),
        ("WorkflowRun", plain.to_owned(), Some("cluster")),
        ("ComponentWorkflowRun", plain.to_owned(), Some("component")),
        ("ComponentWorkflowRun", system.to_owned(), Some("component")),
    ] {
        assert_eq!(found(document, &spec), expected, "{document}:\n{spec}");
    }
}

#[test]
fn definitions_of_kubernetes_and_links_are_asked_side_by_side() {
    let text = "#- crd.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shops.example.com}
spec:
  group: example.com
  names: {kind: Shop, plural: shops}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer}}}
#- all.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata: {name: web}
spec:
  schema:
    envOverrides:
      replicas: integer | default=1
---
apiVersion: openchoreo.dev/v1alpha1
kind: Component
metadata: {name: shop}
spec:
  componentType: deployment/web
#- both.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: ReleaseBinding
metadata: {name: shop-dev}
spec:
  owner: {projectName: p, componentName: shop}
  environment: dev
  componentTypeEnvOverrides:
    replicas: x
---
apiVersion: example.com/v1
kind: Shop
metadata: {name: shop}
spec: {size: x}
";
    let mut fixture = fixture(text);
    expect![[r#"
        8:15 openchoreo/type-mismatch `replicas` should be an integer, but is the string "x"
        13:14 kubernetes/type-mismatch `size` should be an integer, but is the string "x"
    "#]]
    .assert_eq(&fixture.diagnostics("both.yaml"));
    open(&mut fixture, "crd.yaml");
    fixture.edit("crd.yaml", "type: integer", "type: string");
    expect![[r#"
        8:15 openchoreo/type-mismatch `replicas` should be an integer, but is the string "x"
    "#]]
    .assert_eq(&fixture.diagnostics("both.yaml"));
}

#[test]
fn the_platform_knows_which_system_parameters_it_needs() {
    let fixture = fixture(
        "#- all.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: ComponentWorkflow
metadata: {name: docker}
spec:
  schema:
    systemParameters:
      repository:
        url: string
        revision: {branch: string | default=main, commit: string}
    parameters:
      file: string
---
apiVersion: openchoreo.dev/v1alpha1
kind: ComponentWorkflowRun
metadata: {name: docker-1}
spec:
  workflow:
    name: docker
    systemParameters:
      repository:
        url: 5
        revision: {brunch: main}
    parameters: {}
",
    );
    expect![[r#"
        21:14 openchoreo/type-mismatch `url` should be a string, but is the integer 5
        22:20 openchoreo/unread-key `brunch` is not declared in the schema of `revision`: it has no effect
        23:5 openchoreo/missing-key `file` is missing in `parameters`
    "#]]
    .assert_eq(&fixture.diagnostics("all.yaml"));
}

/// A list with these documents as its items.
fn listed(documents: &str) -> String {
    let item = |document: &str| {
        let lines = document.trim_end().lines().enumerate();
        lines.map(|(number, line)| format!("{}{line}\n", if number == 0 { "- " } else { "  " })).collect::<String>()
    };
    let items: String = documents.split("---\n").map(item).collect();
    format!("apiVersion: v1\nkind: List\nitems:\n{items}")
}

#[test]
fn items_of_lists_are_documents() {
    let text = |fixture: &str| fixture.split_once('\n').map(|(_, text)| text.to_owned()).unwrap_or_default();
    let (types, component) = (text(TYPE), text(COMPONENT));
    let apart = fixture(&format!("#- types.yaml\n{types}#- app.yaml\n{component}"));
    let mut together = fixture(&format!("#- types.yaml\n{}#- app.yaml\n{}", listed(&types), listed(&component)));
    // The expected findings, three lines below and two columns to the right.
    let moved = |findings: String| -> String {
        let line = |line: &str| {
            let (at, rest) = line.split_once(' ').unwrap_or((line, ""));
            let (row, column) = at.split_once(':').unwrap_or_default();
            let number = |text: &str| text.parse::<usize>().unwrap_or_default();
            format!("{}:{} {rest}\n", number(row) + 3, number(column) + 2)
        };
        findings.lines().map(line).collect()
    };
    let found = together.diagnostics("app.yaml");
    assert_eq!(found, moved(apart.diagnostics("app.yaml")));
    assert!(found.contains("`replicas` should be at least 1"), "{found}");
    // An edit of the type in its list counts at once.
    together.open("types.yaml", &listed(&types));
    together.edit("types.yaml", "minimum: 1", "minimum: 0");
    assert!(!together.diagnostics("app.yaml").contains("`replicas` should"));
}

#[test]
fn expressions_in_items_of_lists_know_the_schemas_beside_them() {
    let of_type = |name: &str, field: &str| {
        format!(
            "apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata: {{name: {name}}}
spec:
  workloadType: proxy
  parameters: {{openAPIV3Schema: {{type: object, properties: {{{field}: {{type: string}}}}}}}}
  resources:
  - id: one
    template: {{apiVersion: v1, kind: ConfigMap, metadata: {{name: a}}, data: {{one: '${{parameters.{field}}}', other: '${{parameters.nothing}}'}}}}
"
        )
    };
    let list = listed(&format!("{}---\n{}", of_type("one", "image"), of_type("two", "size")));
    let fixture = fixture(&format!("#- types.yaml\n{list}"));
    expect![[r#"
        12:128 openchoreo/unknown-field the schema declares no field `nothing` here
        21:127 openchoreo/unknown-field the schema declares no field `nothing` here
    "#]]
    .assert_eq(&fixture.diagnostics("types.yaml"));
}
