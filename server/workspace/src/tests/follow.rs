//! Findings that follow from files which do not govern the file that they are in.

use crate::fixture::Fixture;
use crate::settings::Settings;
use crate::{CancelFlag, Workspace};
use std::path::Path;

/// What is found in a file, and what is found after a change where nothing was remembered.
fn agrees(fixture: &Fixture, path: &str) -> String {
    let found = fixture.diagnostics(path);
    let mut fresh = Workspace::new(vec![fixture.root()], Settings::default());
    fresh.scan(&mut |_| {}, &CancelFlag::new());
    let snapshot = fresh.snapshot();
    let file = snapshot.file(Path::new(&fixture.path(path))).expect("it is found");
    assert_eq!(crate::fixture::shown(&snapshot, file), found, "what is remembered is what a new workspace finds");
    found
}

#[test]
fn values_in_flags_follow_the_schema() {
    let mut fixture = Fixture::scanned(
        "#- lofting.toml
[sets.app]
files = ['config']
data-values = ['port=x']
#- config/schema.yml
#@data/values-schema
---
port: ''
",
    );
    assert_eq!(agrees(&fixture, "lofting.toml"), "");
    fixture.write("config/schema.yml", "#@data/values-schema\n---\nport: 80\n");
    fixture.workspace.disk_changed(&[fixture.path("config/schema.yml")]);
    assert!(agrees(&fixture, "lofting.toml").contains("ytt/type-mismatch"));
    // A line above moves what the finding refers to.
    fixture.write("config/schema.yml", "#@data/values-schema\n---\n\n\nport: 80\n");
    fixture.workspace.disk_changed(&[fixture.path("config/schema.yml")]);
    agrees(&fixture, "lofting.toml");
}

#[test]
fn each_configuration_above_counts() {
    let mut fixture = Fixture::scanned(
        "#- k8s/pod-v1.json
{\"type\": \"object\"}
#- lofting.toml
[[schemas]]
kubernetes = 'k8s'
[kubernetes]
version = '1.10'
#- app/lofting.toml
[rules]
\"yaml/duplicate-key\" = 'warning'
#- app/ingress.yml
apiVersion: extensions/v1beta1
kind: Ingress
metadata:
  name: x
",
    );
    assert_eq!(agrees(&fixture, "app/ingress.yml"), "");
    fixture.write("lofting.toml", "[[schemas]]\nkubernetes = 'k8s'\n[kubernetes]\nversion = '1.30'\n");
    fixture.workspace.disk_changed(&[fixture.path("lofting.toml")]);
    let found = agrees(&fixture, "app/ingress.yml");
    assert!(found.contains("kubernetes/removed-api"), "{found}");
}
