use super::{BaseOf, base_of};
use crate::association::associate::associate;
use crate::findings::calls;
use crate::fixture::Fixture;
use crate::{CancelFlag, Snapshot};
use lofting_check::Diagnostic;
use lofting_document::FileId;

const SET: &str = "#- lofting.toml
[sets.app]
files = ['config']
values = ['common.yml', 'envs/*.yml']
#- config/schema.yml
#@data/values-schema
---
name: ''
port: 80
#@schema/validation max_len=2
hosts:
- ''
#@schema/validation one_not_null=True
store:
  #@schema/nullable
  s3: ''
  #@schema/nullable
  gcs: ''
#@schema/validation max_len=1
#@schema/type any=True
extra:
  a: 1
#@schema/nullable
tls:
  #@schema/validation min_len=1
  secret: none
services:
- name: ''
  #@schema/validation min=1
  port: 80
#- common.yml
hosts: [a]
store: {s3: bucket}
extra: {b: 2}
services:
- name: one
- name: two
  port: 2
#- config/values.yml
#@data/values
---
name: web
port: 8080
hosts:
- first
#- envs/dev.yml
port: 1
";

/// The findings in the file according to the whole call.
fn of_the_call(snapshot: &Snapshot, file: FileId) -> Vec<Diagnostic> {
    let sets = snapshot.state.sets.deciding(file);
    let reports = sets.into_iter().flat_map(|(index, _)| calls::reports_with(&snapshot.state, index, file));
    let mut found: Vec<Diagnostic> =
        reports.flat_map(|report| report.by_file.get(&file).cloned().unwrap_or_default()).collect();
    lofting_check::limit(&mut found, 0);
    found
}

fn is_after_values(snapshot: &Snapshot, file: FileId) -> bool {
    let known = snapshot.state.file(file).unwrap();
    let schema = associate(&snapshot.state, known).schema.clone().unwrap();
    let sets = snapshot.state.sets.deciding(file);
    matches!(base_of(&snapshot.state, file, &sets, &schema.state), BaseOf::Values { .. })
}

#[track_caller]
fn agrees(fixture: &Fixture, path: &str) -> usize {
    let (snapshot, file) = (fixture.workspace.snapshot(), fixture.id(path));
    assert!(is_after_values(&snapshot, file));
    let found = snapshot.diagnostics(file, &CancelFlag::new()).to_vec();
    let reported = |found: &[Diagnostic]| -> Vec<_> {
        found.iter().map(|finding| (finding.span, finding.code(), finding.message.clone())).collect()
    };
    assert_eq!(reported(&found), reported(&of_the_call(&snapshot, file)), "{}", snapshot.text(file));
    found.len()
}

#[test]
fn what_is_found_in_a_file_does_not_depend_on_the_way() {
    let texts = [
        "port: 1\n",
        "port: '1'\n",
        "nam: x\n",
        "hosts: [a, b, c]\n",
        "store: {gcs: x}\n",
        "store: {s3: null, gcs: x}\n",
        "extra: {c: 3}\n",
        "extra: {b: 3}\n",
        "tls: {secret: ''}\n",
        "tls: {}\n",
        "services: [{port: 0}, {nam: x}]\n",
        "services: {}\n",
        "store: [1]\n",
        "hosts: {a: 1}\n",
        "name: 1\nport: x\nmore: {}\n",
    ];
    let mut found = 0;
    for text in texts {
        let fixture = Fixture::scanned(&SET.replace("#- envs/dev.yml\nport: 1\n", &format!("#- envs/dev.yml\n{text}")));
        found += agrees(&fixture, "envs/dev.yml");
    }
    assert!(found > 10, "{found}");
}

#[test]
fn annotated_values_after_others() {
    let set = SET.replace("values = ['common.yml', 'envs/*.yml']\n", "").replace("config/values.yml", "config/a.yml");
    for text in ["hosts: [b, c]\n", "hosts: [b]\n", "store: {gcs: x}\n", "services: [{port: 0}]\n", "new: 1\n"] {
        let fixture = Fixture::scanned(&format!("{set}#- config/b.yml\n#@data/values\n---\n{text}"));
        agrees(&fixture, "config/b.yml");
    }
}

#[test]
fn after_edits_here_and_there() {
    let mut fixture = Fixture::scanned(SET);
    let padding: String = (0..40).map(|number| format!("- name: service-{number}\n  port: {}\n", number % 3)).collect();
    fixture.open("envs/dev.yml", &format!("store: {{}}\nservices:\n{padding}"));
    fixture.open("common.yml", "store: {s3: bucket}\n");
    agrees(&fixture, "envs/dev.yml");
    fixture.edit("envs/dev.yml", "store: {}", "store: {gcs: x}");
    let both = agrees(&fixture, "envs/dev.yml");
    fixture.edit("common.yml", "bucket", "null");
    assert_eq!(agrees(&fixture, "envs/dev.yml"), both - 1, "only one of the two is set now");
    fixture.edit("envs/dev.yml", "port: 1", "port: 0");
    assert_eq!(agrees(&fixture, "envs/dev.yml"), both);
}
