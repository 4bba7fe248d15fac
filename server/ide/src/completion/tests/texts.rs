//! Texts that name something else: in annotations, in code, in comments for this program.

use super::labels;
use crate::fixture::open;

const SCHEMA: &str = "#- schema.yml
#@data/values-schema
---
#@schema/validation one_of=[\"debug\", \"info\"]
level: info
users:
- name: ''
  age: 0
#- app.yml
";

#[track_caller]
fn offered(fixture: &str, wanted: &[&str]) {
    assert_eq!(labels(&open(fixture)), wanted, "{fixture}");
}

/// The line after the first label was accepted.
#[track_caller]
fn accepted(fixture: &str, line: &str) {
    let fixture = open(fixture);
    let items = fixture.completions(false);
    let text = fixture.accept(items.first().expect("something is offered"));
    assert!(text.lines().any(|it| it == line), "{text}");
}

#[test]
fn arguments_of_annotations() {
    let gateway = "gw:\n  #@schema/nullable\n  a: ''\n  #@schema/nullable\n  b: ''\n";
    let schema = |line: &str, below: &str| format!("#- schema.yml\n#@data/values-schema\n---\n{line}\n{below}");
    for list in ["[$0", "[\"$0", "[\"$0\"]", "['$0']"] {
        offered(&schema(&format!("#@schema/validation one_not_null={list}"), gateway), &["a", "b"]);
    }
    accepted(&schema("#@schema/validation one_not_null=[\"$0", gateway), "#@schema/validation one_not_null=[\"a\"");
    accepted(&schema("#@schema/validation one_not_null=['$0']", gateway), "#@schema/validation one_not_null=['a']");
    let levels = "#@schema/validation one_of=[\"debug\", \"info\"]\nlevel: info\n";
    offered(&schema("#@schema/default \"$0\"", levels), &["debug", "info"]);
    let by = |text: &str| format!("{SCHEMA}#@data/values\n---\nusers:\n#@overlay/match by={text}\n- name: x\n");
    offered(&by("\"$0\""), &["name", "age"]);
    offered(&by("\"$0"), &["name", "age"]);
    accepted(&by("\"$0"), "#@overlay/match by=\"name\"");
    // An overlay over documents without a schema.
    offered("#- o.yml\n#@overlay/match by=overlay.all\n---\nitems:\n#@overlay/match by=\"$0\"\n- id: 1\n", &["id"]);
    let library = "#- _ytt_lib/web/config.yml\na: 1\n#- app.yml\n#@library/ref \"$0\"\n#@data/values\n---\na: 1\n";
    offered(library, &["@web"]);
}

#[test]
fn only_rules_that_fit_the_type() {
    let rules = |value: &str| {
        let fixture = format!("#- schema.yml\n#@data/values-schema\n---\n#@schema/validation $0\na: {value}\n");
        let labels = labels(&open(&fixture)).into_iter();
        labels
            .filter(|label| label.ends_with('=') && label != "when=" && label != "not_null=")
            .collect::<Vec<_>>()
            .join(" ")
    };
    for (value, wanted) in [
        ("1", "min= max= one_of="),
        ("''", "min_len= max_len= min= max= one_of="),
        ("true", "one_of="),
        ("{b: 1}", "min_len= max_len= one_not_null="),
        ("['']", "min_len= max_len= one_of="),
    ] {
        assert_eq!(rules(value), wanted, "{value}");
    }
}

#[test]
fn values_that_code_compares() {
    let code = |line: &str| format!("{SCHEMA}#@ load(\"@ytt:data\", \"data\")\n{line}\n");
    for line in [
        "a: #@ data.values.level == \"$0\"",
        "#@ if data.values.level != \"$0",
        "a: #@ \"$0\" == data.values.level",
        "a: #@ data.values.level in [\"$0\"]",
        "a: #@ 1 if data.values.level not in (\"x\", \"$0\") else 2",
    ] {
        offered(&code(line), &["info", "debug"]);
    }
    accepted(&code("a: #@ data.values.level == \"$0"), "a: #@ data.values.level == \"info");
    offered(&code("a: #@ data.values.level + \"$0\""), &[]);
}

#[test]
fn comments_for_this_program() {
    let values = |line: &str| format!("{SCHEMA}#- v.yml\n{line}\n");
    offered(&values("#! lofting: $0"), &["schema=", "ignore", "ignore-file"]);
    offered(&values("#! lofting: schema=$0"), &["app.yml", "schema.yml"]);
    offered(&values("# yaml-language-server: $schema=s$0"), &["app.yml", "schema.yml"]);
    accepted(&values("#! lofting: schema=$0x"), "#! lofting: schema=app.yml");
    let codes = labels(&open(&values("a: 1 #! lofting: ignore ytt/min, y$0")));
    assert!(codes.contains(&"ytt/max".to_owned()) && !codes.contains(&"ytt/min".to_owned()), "{codes:?}");
    offered(&values("a: 1 #! lofting: ignore ytt/min -- $0"), &[]);
    offered(&values("#! a note: $0"), &[]);
}

#[test]
fn properties_that_are_required() {
    let properties = "properties:\n  a: {}\n  b: {}\n";
    offered(&format!("#- s.yml\n{properties}required: [a, $0]\n"), &["b"]);
    offered(&format!("#- s.yml\n{properties}required:\n- b\n- $0\n"), &["a"]);
    offered(&format!("#- s.yml\nrequired: [\"$0\"]\n{properties}"), &["a", "b"]);
    offered("#- s.yml\nrequired: [$0]\n", &[]);
}

#[test]
fn values_of_other_items_and_nothing_in_functions() {
    let values = |text: &str| format!("{SCHEMA}#- v.yml\n#@data/values\n---\n{text}");
    offered(&values("users:\n- name: anna\n- name: $0\n"), &["\"\"", "anna"]);
    offered(&values("#@ def f():\n$0\n#@ end\nlevel: info\n"), &[]);
    offered(&values("#@ def f():\na: 1\n#@ end\n$0\nlevel: info\n"), &["users"]);
}

/// A variable of one template is none of the next.
#[test]
fn expressions_from_elsewhere_are_offered_where_they_are_known() {
    let text = "#- type.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata: {name: web}
spec:
  workloadType: deployment
  resources:
    - id: files
      forEach: ${configurations.files}
      var: file
      template:
        metadata:
          name: ${file.name}
          label: ${metadata.name}
    - id: deployment
      template:
        metadata:
          KEY: $0
";
    for (key, offered) in [("name", false), ("label", true)] {
        let fixture = crate::fixture::open(&text.replace("KEY", key));
        let labels: Vec<String> = fixture.completions(false).into_iter().map(|item| item.label).collect();
        assert_eq!(labels.iter().any(|label| label.starts_with("${")), offered, "{labels:?}");
    }
}
