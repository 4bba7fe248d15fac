//! Values in parts of documents, governed by schemas that are parts of other documents.

use crate::fixture::{Fixture, open};
use crate::{Markup, goto_definition, hover, rename};
use expect_test::{Expect, expect};
use lofting_workspace::CancelFlag;

const TYPES: &str = "#- types.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata: {name: web}
spec:
  workloadType: deployment
  parameters:
    openAPIV3Schema:
      type: object
      required: [image]
      properties:
        image: {type: string, description: The image to run., minLength: 3}
        replicas: {type: integer, default: 1, minimum: 1, maximum: 9}
        mode: {type: string, enum: [small, large], default: small}
        store:
          oneOf:
          - type: object
            properties:
              kind: {type: string, enum: [disk]}
              size: {type: string}
          - type: object
            properties:
              kind: {type: string, enum: [bucket]}
              address: {type: string}
---
apiVersion: openchoreo.dev/v1alpha1
kind: Trait
metadata: {name: volume}
spec:
  parameters:
    openAPIV3Schema:
      type: object
      properties:
        path: {type: string}
---
apiVersion: openchoreo.dev/v1alpha1
kind: ClusterTrait
metadata: {name: alert}
spec:
  parameters:
    openAPIV3Schema:
      type: object
      properties:
        level: {type: integer}
";

fn component(spec: &str) -> Fixture {
    let head = "apiVersion: openchoreo.dev/v1alpha1\nkind: Component\nmetadata: {name: shop}\nspec:\n  \
                componentType: {kind: ComponentType, name: deployment/web}\n";
    open(&format!("{TYPES}#- shop.yaml\n{head}{spec}"))
}

#[track_caller]
fn offered(spec: &str, expected: Expect) {
    let labels: Vec<String> = component(spec).completions(false).into_iter().map(|item| item.label).collect();
    expected.assert_eq(&labels.join("\n"));
}

#[test]
fn completion() {
    offered(
        "  parameters:\n    $0\n",
        expect![[r#"
        image
        replicas
        mode
        store
        (all keys) image, replicas, mode, store"#]],
    );
    offered(
        "  parameters:\n    image: a\n    rep$0\n",
        expect![[r#"
        replicas
        mode
        store"#]],
    );
    offered(
        "  parameters:\n    mode: $0\n",
        expect![[r#"
            small
            large"#]],
    );
    offered(
        "  parameters: {mo$0}\n",
        expect![[r#"
        image
        replicas
        mode
        store"#]],
    );
    offered(
        "  parameters:\n    store:\n      $0\n",
        expect![[r#"
            kind
            size
            address
            (all keys) kind: disk, size
            (all keys) kind: bucket, address"#]],
    );
    // Each item of an array has the schema of its own trait.
    let traits = "  traits:\n  - name: volume\n    parameters:\n      $0\n  - kind: ClusterTrait\n    name: alert\n";
    offered(traits, expect!["path"]);
    let traits = "  traits:\n  - name: volume\n    parameters:\n      path: a\n  - kind: ClusterTrait\n    \
                  name: alert\n    parameters:\n      $0\n";
    offered(traits, expect!["level"]);
    // The rest of the document is the platform's.
    offered(
        "  $0\n",
        expect![[r#"
            owner
            autoDeploy
            autoBuild
            parameters
            traits
            workflow"#]],
    );
}

/// A definition of the kind `Box`.
const BOXES: &str = "#- crd.yml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Box, plural: boxes}
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
              size: {type: integer, description: How large it is.}
              mode: {type: string, enum: [small, large]}
              parts: {type: array, items: {type: object, properties: {name: {type: string}, count: {type: integer}}}}
";

/// The keys that are offered, or the values.
fn labels(fixture: &Fixture) -> Vec<String> {
    fixture.completions(false).into_iter().map(|item| item.label).filter(|label| !label.starts_with('(')).collect()
}

/// An overlay has the kind that its matcher names.
#[test]
fn resources_that_overlays_change() {
    const LOAD: &str = "#@ load(\"@ytt:overlay\", \"overlay\")\n";
    let offered = |before: &str, text: &str| {
        labels(&open(&format!("{BOXES}#- over.yml\n{LOAD}{before}---\nspec:\n  mode: small\n  {text}\n")))
    };
    for by in [
        "overlay.subset({\"kind\": \"Box\"})",
        "overlay.subset({\"kind\":\"Box\", \"metadata\": {\"name\": \"a\"}}),expects=\"1+\"",
        "overlay.subset({\"apiVersion\": \"example.com/v1\", \"kind\": \"Box\"})",
        "overlay.and_op(overlay.subset({\"kind\": \"Box\"}), overlay.index(0)), missing_ok=True",
    ] {
        assert_eq!(offered(&format!("#@overlay/match by={by}\n"), "$0"), ["size", "parts"], "{by}");
    }
    for by in [
        "overlay.all",
        "overlay.subset({\"kind\": \"Crate\"})",
        "overlay.subset({\"apiVersion\": \"example.com/v2\", \"kind\": \"Box\"})",
        "overlay.or_op(overlay.subset({\"kind\": \"Box\"}), overlay.all)",
        "overlay.not_op(overlay.subset({\"kind\": \"Box\"}))",
        "overlay.subset({\"kind\": data.values.kind})",
        "function",
    ] {
        assert_eq!(offered(&format!("#@overlay/match by={by}\n"), "$0"), [""; 0], "{by}");
    }
    // Each document has its own, and annotations in it change nothing.
    let crates = "#@overlay/match by=overlay.all\n---\nspec:\n  a: 1\n";
    let second = format!("{crates}#@overlay/match by=overlay.subset({{\"kind\": \"Box\"}})\n");
    assert_eq!(offered(&second, "parts:\n  #@overlay/match by=\"name\"\n  - name: a\n    $0"), ["count"]);
    let fixture = open(&format!(
        "{BOXES}#- over.yml\n{LOAD}#@overlay/match by=overlay.subset({{\"kind\": \"Box\"}})\n---\nspec:\n  si$0ze: 1\n"
    ));
    let hovered = hover(&fixture.snapshot, fixture.file, fixture.offset, Markup::Plain).expect("a hover");
    assert!(hovered.text.contains("How large it is."), "{}", &*hovered.text);
}

/// A field has one name in its schema, in resources, in templates and in overlays.
#[test]
fn fields_are_renamed_in_templates() {
    let fixture = open(&format!(
        "{BOXES}#- plain.yml\napiVersion: example.com/v1\nkind: Box\nspec: {{size: 1}}\n\
         #- over.yml\n#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.subset({{\"kind\": \"Box\"}})\n---\n\
         spec:\n  size: 2\n\
         #- box.yml\n#@ size = 1\n---\napiVersion: example.com/v1\nkind: Box\nspec:\n  #@ if size:\n  si$0ze: #@ size\n  \
         #@ else:\n  size: 3\n  #@ end\n"
    ));
    let renamed = rename(&fixture.snapshot, fixture.file, fixture.offset, "volume").expect("it can be renamed");
    let mut places: Vec<String> = renamed
        .edits
        .iter()
        .map(|(span, text)| {
            let line = fixture.snapshot.text(span.file).line_of(span.range().start) + 1;
            format!("{}:{line} {text}", fixture.snapshot.shown_path(span.file))
        })
        .collect();
    places.sort();
    assert_eq!(
        places,
        ["box.yml:7 volume", "box.yml:9 volume", "crd.yml:19 volume", "over.yml:5 volume", "plain.yml:3 volume"]
    );
}

/// A template of ytt: what it renders has to fit the schemas of its resources, so that these help where it is written.
#[test]
fn resources_in_templates() {
    const HEAD: &str = "apiVersion: example.com/v1\nkind: Box\nmetadata: {name: #@ data.values.name}\nspec:\n";
    let template = |before: &str, spec: &str| {
        open(&format!("{BOXES}#- box.yml\n#@ load(\"@ytt:data\", \"data\")\n{before}{HEAD}{spec}"))
    };
    for (spec, expected) in [
        ("  $0\n", &["size", "mode", "parts"][..]),
        ("  size: #@ data.values.size\n  $0\n", &["mode", "parts"]),
        ("  mode: $0\n", &["small", "large"]),
        ("  #@ if data.values.large:\n  $0\n  #@ end\n", &["size", "mode", "parts"]),
        ("  parts:\n  #@ for part in data.values.parts:\n  - name: #@ part\n    $0\n  #@ end\n", &["count"]),
        // Code is completed for itself.
        ("  size: #@ data.values.$0\n", &[]),
    ] {
        assert_eq!(labels(&template("---\n", spec)), expected, "{spec}");
    }
    let hovered = |fixture: &Fixture| hover(&fixture.snapshot, fixture.file, fixture.offset, Markup::Plain);
    let on_key = hovered(&template("---\n", "  si$0ze: #@ data.values.size\n")).expect("a hover");
    assert!(on_key.text.contains("How large it is."), "{}", &*on_key.text);
    let defined = template("---\n", "  si$0ze: 1\n");
    assert_eq!(goto_definition(&defined.snapshot, defined.file, defined.offset).len(), 1);
    // What it is in the end is not known here.
    let wrong = template("---\n", "  size: $0x\n  other: 1\n");
    let found = wrong.snapshot.diagnostics(wrong.file, &CancelFlag::new());
    assert!(!found.iter().any(|finding| finding.code().starts_with("kubernetes/")), "{found:?}");
    // What a function makes belongs where it is called.
    assert_eq!(labels(&template("---\n#@ def made():\n$0\n#@ end\n---\n", "  size: 1\n")), [""; 0]);
}

#[test]
fn hovers_and_definitions() {
    let length = component("  parameters:\n    ima$0ge: ab\n");
    let hovered = hover(&length.snapshot, length.file, length.offset, Markup::Plain).expect("a hover");
    assert!(hovered.text.contains("Length: at least 3 characters"), "{}", &*hovered.text);
    let fixture = component("  parameters:\n    repl$0icas: 3\n");
    let hovered = hover(&fixture.snapshot, fixture.file, fixture.offset, Markup::Plain).expect("a hover");
    expect![[r#"
        replicas: integer

        Default: 1
        Range: 1 to 9

        Declared in types.yaml:12"#]]
    .assert_eq(&hovered.text.to_string());
    let found = goto_definition(&fixture.snapshot, fixture.file, fixture.offset);
    let places: Vec<String> = found
        .iter()
        .map(|found| {
            let text = fixture.snapshot.text(found.target.file).to_string();
            format!("{}: {}", fixture.snapshot.shown_path(found.target.file), &text[found.target.range()])
        })
        .collect();
    expect!["types.yaml: replicas: {type: integer, default: 1, minimum: 1, maximum: 9}"].assert_eq(&places.join("\n"));
    let elsewhere = component("  autoDep$0loy: true\n");
    let hovered = hover(&elsewhere.snapshot, elsewhere.file, elsewhere.offset, Markup::Plain).expect("a hover");
    expect!["autoDeploy: boolean\n\nWhether a new release goes to the first environment by itself."]
        .assert_eq(&hovered.text.to_string());
}

#[test]
fn items_of_lists() {
    let list = |items: &str| format!("apiVersion: v1\nkind: List\nitems:\n{items}");
    let component = |rest: &str| {
        let head = "- apiVersion: openchoreo.dev/v1alpha1\n  kind: Component\n  metadata: {name: shop}\n  spec:\n    \
                    componentType: {kind: ComponentType, name: deployment/web}\n    parameters:\n";
        list(&format!("- {{apiVersion: v1, kind: Pod}}\n{head}{rest}"))
    };
    let labels = |text: &str| {
        let labels: Vec<String> = open(text).completions(false).into_iter().map(|item| item.label).collect();
        labels.join(" ")
    };
    let offered = labels(&format!("{TYPES}#- shop.yaml\n{}", component("      image: nginx\n      $0\n")));
    expect!["replicas mode store"].assert_eq(&offered);
    let offered = labels(&format!("{TYPES}#- shop.yaml\n{}", component("      mode: $0\n")));
    expect!["small large"].assert_eq(&offered);
    let fixture = open(&format!("{TYPES}#- shop.yaml\n{}", component("      im$0age: nginx\n")));
    let hovered = hover(&fixture.snapshot, fixture.file, fixture.offset, Markup::Plain).expect("a hover");
    assert!(hovered.text.contains("The image to run."), "{}", &*hovered.text);
    assert_eq!(goto_definition(&fixture.snapshot, fixture.file, fixture.offset).len(), 1);
}

#[test]
fn half_typed() {
    let text = "  parameters:\n    image: app\n    store:\n      kind: disk\n  traits:\n  - name: volume\n    parameters: {path: /}\n";
    for (cut, _) in text.char_indices() {
        let fixture = component(&format!("{}$0", &text[..cut]));
        for item in fixture.completions(true) {
            fixture.accept(&item);
        }
        let _ = hover(&fixture.snapshot, fixture.file, fixture.offset, Markup::Plain);
    }
}

#[test]
fn references_lead_to_documents() {
    for (spec, expected) in [
        ("  traits:\n  - name: vol$0ume\n", Some("volume")),
        ("  traits:\n  - {kind: ClusterTrait, name: 'al$0ert'}\n", Some("alert")),
        ("  traits:\n  - name: al$0ert\n", None),
        ("  owner: {projectName: p$0}\n", None),
    ] {
        let fixture = component(spec);
        let found = goto_definition(&fixture.snapshot, fixture.file, fixture.offset);
        let name = found.first().map(|found| {
            let text = fixture.snapshot.text(found.target.file).to_string();
            text[found.target.range()].to_owned()
        });
        assert_eq!(name.as_deref(), expected, "{spec}");
    }
}

#[test]
fn what_is_part_of_the_program_is_declared_nowhere() {
    let fixture = open("#- s.yaml\n$schema: http://json-schema.org/draft-07/schema#\nmini$0mum: 3\nmaximum: x\n");
    let hovered = hover(&fixture.snapshot, fixture.file, fixture.offset, Markup::Plain).expect("a hover");
    assert!(hovered.text.contains("minimum: ") && !hovered.text.contains("Declared"), "{}", &*hovered.text);
    assert_eq!(goto_definition(&fixture.snapshot, fixture.file, fixture.offset).len(), 0);
    let explained = crate::explain(&fixture.snapshot, fixture.file).plain(|_| "FILE".to_owned());
    assert!(
        explained.contains("json-schema.org/draft-07") && !explained.contains("FILE\n  schema: FILE"),
        "{explained}"
    );
    // One mistake, one finding.
    let found = fixture.snapshot.diagnostics(fixture.file, &CancelFlag::new());
    assert_eq!(found.len(), 1, "{found:?}");
}
