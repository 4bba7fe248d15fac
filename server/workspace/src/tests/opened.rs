//! What opening a file costs.

use crate::fixture::Fixture;

/// Until an answer needs it, a long file that an editor opens is only text: messages that come after it do not wait.
#[test]
fn what_is_opened_is_not_parsed() {
    let files = r##"#- crd.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  names: {kind: Box, plural: boxes}
  versions: [{name: v1, schema: {openAPIV3Schema: {type: object}}}]
#- box.yaml
apiVersion: example.com/v1
kind: Box
#- deployment.yaml
apiVersion: apps/v1
kind: Deployment
#- component.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: Component
#- modeline.yaml
# yaml-language-server: $schema=s.json
a: 1
#- keyed.yaml
$schema: s.json
a: 1
#- config/schema.yaml
#@data/values-schema
---
a: 1
#- config/values.yaml
#@data/values
---
a: 2
#- config/template.yaml
#@ load("@ytt:data", "data")
a: #@ data.values.a
#- config/resource.yaml
#@ load("@ytt:data", "data")
apiVersion: example.com/v1
kind: Box
a: #@ data.values.a
#- api.yaml
openapi: 3.1.0
paths: {}
#- .github/workflows/test.yaml
on: push
"##;
    let mut parsed = Vec::new();
    for lofting_fixture::File { path, text } in lofting_fixture::files(files) {
        for known in [true, false] {
            let mut fixture = Fixture::scanned(files);
            fixture.workspace.search_elsewhere();
            let path = if known { path.to_owned() } else { path.replace(".yaml", "2.yaml") };
            let file = fixture.open(&path, &format!("{text}{}", "# More of it.\n".repeat(100_000)));
            if fixture.workspace.state.file(file).is_some_and(|file| file.is_parsed()) {
                parsed.push(path);
            }
        }
    }
    assert_eq!(parsed, Vec::<String>::new());
}
