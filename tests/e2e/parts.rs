//! Parts of documents that schemas in other documents govern, over the protocol and on the command line.

use serde_json::Value;

use crate::client::{Setup, codes};

const TYPE: &str = "\
apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata: {name: web}
spec:
  parameters:
    openAPIV3Schema:
      type: object
      properties:
        replicas: {type: integer, minimum: 1}
";

const COMPONENT: &str = "\
apiVersion: openchoreo.dev/v1alpha1
kind: Component
metadata: {name: shop}
spec:
  owner: {projectName: shops}
  componentType: deployment/web
  parameters:
    replicas: 0
";

#[test]
fn a_type_in_another_file_governs_and_its_edits_count() {
    let mut client = Setup::rich().file("types/web.yaml", TYPE).start();
    client.open("shop.yaml", COMPONENT);
    let found = client.diagnostics_where("shop.yaml", "a finding", |params| {
        params["diagnostics"].as_array().is_some_and(|found| !found.is_empty())
    });
    let found: Vec<Value> = found["diagnostics"].as_array().cloned().unwrap_or_default();
    assert_eq!(codes(&found), ["openchoreo/min"]);
    let place = client.at("shop.yaml", 7, 6);
    let hovered = client.request("textDocument/hover", place.clone());
    assert!(hovered["contents"]["value"].as_str().is_some_and(|text| text.contains("replicas")), "{hovered}");
    let definition = client.request("textDocument/definition", place);
    assert!(definition.to_string().contains("types/web.yaml"), "{definition}");
    client.open("types/web.yaml", TYPE);
    client.change("types/web.yaml", [8, 43, 8, 44], "0");
    client.diagnostics_where("shop.yaml", "no finding", |params| {
        params["diagnostics"].as_array().is_some_and(|found| found.is_empty())
    });
}
