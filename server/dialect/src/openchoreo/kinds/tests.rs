use super::*;
use crate::kubernetes::Kubernetes;
use crate::{ReadsSchemas, SchemaName};
use lofting_document::{Key, NodeValue};

#[test]
fn every_kind_has_a_schema() {
    let known = |kind: &str| {
        let name = SchemaName { kind: kind.into(), name: VERSION.into(), namespace: None, slot: "openAPIV3Schema" };
        Kubernetes.built_in(&name)
    };
    for name in NAMES {
        let schema = known(name).expect(name);
        let map = schema.node(schema.root()).map.as_deref().expect(name);
        for key in ["apiVersion", "metadata", "spec"] {
            assert!(map.get(&Key::from(key)).is_some(), "{name} {key}");
        }
    }
    assert!(known("ClusterTrait").is_some());
    assert!(known("Envoy").is_none());
}

#[test]
fn every_reference_leads_to_a_definition() {
    let document = built_in_text(KINDS).expect("a document");
    let NodeValue::Map(definitions) = &document.value.get(&Key::from("definitions")).expect("definitions").value else {
        panic!("no map");
    };
    for reference in KINDS.split("'#/definitions/").skip(1).filter_map(|rest| rest.split('\'').next()) {
        assert!(definitions.iter().any(|item| item.key.as_str() == Some(reference)), "{reference}");
    }
}
