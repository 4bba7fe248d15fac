use crate::fixture::{Fixture, open};
use crate::{prepare_rename, references, rename};

const PLATFORM: &str = "#- platform.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata: {name: web, namespace: a}
spec: {workloadType: deployment}
---
apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata: {name: web, namespace: b}
spec: {workloadType: deployment}
---
apiVersion: openchoreo.dev/v1alpha1
kind: Environment
metadata: {name: dev}
";

const SHOP: &str = "#- shop.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: Component
metadata: {name: shop, namespace: a}
spec:
  componentType: 'deployment/web'
---
apiVersion: openchoreo.dev/v1alpha1
kind: Component
metadata: {name: other, namespace: b}
spec:
  componentType: {kind: ComponentType, name: deployment/web}
---
apiVersion: openchoreo.dev/v1alpha1
kind: ReleaseBinding
metadata: {name: shop-dev, namespace: a}
spec:
  owner: {projectName: p, componentName: shop}
  environment: dev
";

/// The workspace with the cursor after a text of one of its files.
fn at(path: &str, text: &str) -> Fixture {
    let files = format!("{PLATFORM}{SHOP}");
    let start = files.find(&format!("#- {path}\n")).expect("the file");
    let at = files[start..].find(text).expect("the text") + start + text.len();
    open(&format!("{}$0{}", &files[..at], &files[at..]))
}

/// `file:line` of each position.
fn places(fixture: &Fixture) -> Vec<String> {
    let found = references(&fixture.snapshot, fixture.file, fixture.offset, true);
    let line = |span: &lofting_document::Span| fixture.snapshot.text(span.file).line_of(span.range().start) + 1;
    found.iter().map(|span| format!("{}:{}", fixture.snapshot.shown_path(span.file), line(span))).collect()
}

#[test]
fn documents_are_found_from_their_name_and_from_references() {
    for (path, text) in [("platform.yaml", "name: we"), ("shop.yaml", "deployment/w")] {
        assert_eq!(places(&at(path, text)), ["platform.yaml:3", "shop.yaml:5"], "{text}");
    }
    assert_eq!(places(&at("shop.yaml", "name: deployment/")), ["platform.yaml:8", "shop.yaml:11"]);
    assert_eq!(places(&at("shop.yaml", "componentName: s")), ["shop.yaml:3", "shop.yaml:17"]);
    assert_eq!(places(&at("platform.yaml", "name: d")), ["platform.yaml:13", "shop.yaml:18"]);
}

#[test]
fn documents_are_renamed_wherever_they_are_named() {
    let fixture = at("platform.yaml", "name: we");
    let edits = rename(&fixture.snapshot, fixture.file, fixture.offset, "site").expect("a rename").edits;
    assert!(
        edits.iter().all(|(span, new)| new == "site" && fixture.snapshot.text(span.file).slice(span.range()) == "web")
    );
    assert_eq!(edits.len(), 2);
    for (name, expected) in [("", "consists of"), ("Web", "consists of"), ("-a", "consists of"), ("1.5", "be read as")]
    {
        let refusal = rename(&fixture.snapshot, fixture.file, fixture.offset, name).expect_err("no name").0;
        assert!(refusal.contains(expected), "{name}: {refusal}");
    }
    let nobody = at("shop.yaml", "projectName: p");
    let refusal = prepare_rename(&nobody.snapshot, nobody.file, nobody.offset).expect_err("no project").0;
    assert_eq!(refusal, "nothing here defines the Project `p`");
}

#[test]
fn instances_of_traits_are_renamed_in_bindings() {
    let text = "#- shop.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: Component
metadata: {name: shop}
spec:
  traits: [{name: volume, instanceName: da$0ta}, {name: volume, instanceName: logs}]
---
apiVersion: openchoreo.dev/v1alpha1
kind: ReleaseBinding
metadata: {name: shop-dev}
spec:
  owner: {componentName: shop}
  traitEnvironmentConfigs:
    data: {}
    logs: {}
";
    let fixture = open(text);
    assert_eq!(places(&fixture), ["shop.yaml:5", "shop.yaml:13"]);
    let edits = rename(&fixture.snapshot, fixture.file, fixture.offset, "files").expect("a rename").edits;
    let written = |span: &lofting_document::Span| fixture.snapshot.text(span.file).slice(span.range()).into_owned();
    assert!(edits.len() == 2 && edits.iter().all(|(span, new)| new == "files" && written(span) == "data"));
}
