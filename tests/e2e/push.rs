//! Diagnostics that the server sends without a request.

use serde_json::{Value, json};

use crate::client::{Setup, codes};
use crate::{GOOD_VALUES, SCHEMA, VALUES};

fn setup() -> Setup {
    Setup::rich().file("schema.yml", SCHEMA)
}

#[test]
fn every_opened_document_is_answered_with_its_version() {
    let mut client = setup().start();
    client.open("values.yml", GOOD_VALUES);
    assert!(client.diagnostics("values.yml", 1).is_empty());
    client.open("values-2.yml", VALUES);
    let found = client.diagnostics("values-2.yml", 1);
    assert_eq!(codes(&found), ["ytt/type-mismatch"]);
    assert_eq!(found[0]["source"], "lofting");
    assert_eq!(found[0]["severity"], 1);
    let related = &found[0]["relatedInformation"][0];
    assert_eq!(related["location"]["uri"], client.uri("schema.yml"));
    assert_eq!(related["location"]["range"]["start"]["line"], 4);
}

#[test]
fn the_newest_text_is_what_counts() {
    let mut client = setup().start();
    client.open("values.yml", VALUES);
    client.diagnostics("values.yml", 1);
    let version = client.change("values.yml", [3, 6, 3, 10], "80");
    assert!(client.diagnostics("values.yml", version).is_empty());
    let version = client.change("values.yml", [3, 6, 3, 8], "many");
    assert_eq!(codes(&client.diagnostics("values.yml", version)), ["ytt/type-mismatch"]);
}

#[test]
fn unchanged_findings_are_not_sent_again() {
    let mut client = Setup::new().file("schema.yml", SCHEMA).start();
    client.open("values.yml", VALUES);
    client.diagnostics("values.yml", 1);
    // A longer name on the line before changes no finding; only the edit after it leads to a new message.
    client.change("values.yml", [2, 10, 2, 10], "s");
    // The answer comes after the edit was handled; findings of it, if any, would be on their way.
    let params = client.at("values.yml", 2, 0);
    client.request("textDocument/hover", params);
    let version = client.change("values.yml", [3, 6, 3, 10], "80");
    assert!(client.diagnostics("values.yml", version).is_empty());
    let versions: Vec<_> = published(&client.notifications, &client.uri("values.yml"));
    assert_eq!(versions, [1, 3]);
}

/// Some clients show findings only for the version they were sent with.
#[test]
fn clients_that_track_versions_get_findings_for_the_newest() {
    let mut client = setup().start();
    client.open("values.yml", VALUES);
    let first = client.diagnostics("values.yml", 1);
    let mut version = 1;
    for _ in 0..100 {
        version = client.change("values.yml", [2, 10, 2, 10], "s");
    }
    assert_eq!(client.diagnostics("values.yml", version), first);
    let published_versions = published(&client.notifications, &client.uri("values.yml"));
    assert!(published_versions.len() < 50, "not for every key: {published_versions:?}");
}

fn published(notifications: &[Value], uri: &str) -> Vec<i64> {
    notifications
        .iter()
        .filter(|message| message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri)
        .map(|message| message["params"]["version"].as_i64().expect("a version"))
        .collect()
}

#[test]
fn closing_takes_findings_back() {
    let mut client = setup().start();
    client.open("values.yml", VALUES);
    client.diagnostics("values.yml", 1);
    client.close("values.yml");
    client.diagnostics_where("values.yml", "taken back", |params| params["diagnostics"] == json!([]));
    // Opened again they come back.
    client.open("values.yml", VALUES);
    assert_eq!(codes(&client.diagnostics("values.yml", 1)), ["ytt/type-mismatch"]);
}

#[test]
fn an_edited_schema_checks_open_values_before_it_is_saved() {
    let mut client = setup().file("values.yml", VALUES).start();
    client.open_file("values.yml");
    assert_eq!(codes(&client.diagnostics("values.yml", 1)), ["ytt/type-mismatch"]);
    client.open_file("schema.yml");
    client.diagnostics("schema.yml", 1);
    client.change("schema.yml", [4, 6, 4, 10], "\"8080\"");
    assert!(client.diagnostics("values.yml", 1).is_empty());
    // A schema buffer thrown away gives the saved schema back its place.
    client.close("schema.yml");
    assert_eq!(codes(&client.diagnostics("values.yml", 1)), ["ytt/type-mismatch"]);
}

#[test]
fn findings_of_one_document_do_not_disturb_another() {
    let mut client = setup().start();
    client.open("a-values.yml", VALUES);
    client.open("b-values.yml", VALUES);
    client.diagnostics("a-values.yml", 1);
    client.diagnostics("b-values.yml", 1);
    let version = client.change("a-values.yml", [3, 6, 3, 10], "80");
    client.diagnostics("a-values.yml", version);
    client.close("a-values.yml");
    let version = client.change("b-values.yml", [3, 6, 3, 10], "80");
    client.diagnostics("b-values.yml", version);
    let published_versions = published(&client.notifications, &client.uri("b-values.yml"));
    assert_eq!(published_versions, [1, 2]);
}

#[test]
fn the_client_s_spelling_of_a_uri_is_kept() {
    let mut client = setup().start();
    let odd = client.uri("values.yml").replace("values", "v%61lues");
    client.open_uri(&odd, VALUES);
    let params = client.diagnostics_of_uri(&odd, "a finding", |_| true);
    assert_eq!(params["diagnostics"][0]["code"], "ytt/type-mismatch");
}

const RULES: &str = "#@ def even(value):\n#@   return value % 2 == 0\n#@ end\n#@data/values-schema\n---\n#@schema/validation (\"an even number\", even)\nport: 0\nname: \"\"\n";

/// Maps are merged into those of the schema; what is wrong with a whole map is reported where it is given.
#[test]
fn a_rule_on_a_map_is_reported_at_the_key_of_the_values() {
    let schema = "#@data/values-schema\n---\n#@schema/validation (\"not both\", lambda v: not (v[\"a\"] and v[\"b\"]))\none:\n  a: false\n  b: false\n";
    let mut client = Setup::rich().file("schema.yml", schema).start();
    client.open("values.yml", "#@data/values\n---\none:\n  a: true\n  b: true\n");
    let found = client.diagnostics("values.yml", 1);
    assert_eq!(codes(&found), ["ytt/validation"]);
    assert_eq!(found[0]["range"]["start"], json!({"line": 2, "character": 0}), "{found:?}");
}

/// Values that no set names are validated as well, on what they come to together with the defaults.
#[test]
fn rules_that_are_code_follow_the_edits() {
    let mut client = Setup::rich().file("schema.yml", RULES).start();
    client.open("values.yml", "#@data/values\n---\nport: 81\n");
    let found = client.diagnostics("values.yml", 1);
    assert_eq!(codes(&found), ["ytt/validation"]);
    assert!(found[0]["message"].as_str().expect("text").contains("an even number"), "{found:?}");
    let version = client.change("values.yml", [2, 7, 2, 8], "0");
    assert!(client.diagnostics("values.yml", version).is_empty());
    // A value that was asked about before.
    let version = client.change("values.yml", [2, 7, 2, 8], "1");
    assert_eq!(codes(&client.diagnostics("values.yml", version)), ["ytt/validation"]);
    // Another rule is another function.
    client.open("schema.yml", &RULES.replace("value % 2 == 0", "value > 80"));
    client.diagnostics_where("values.yml", "the new rule holds", |found| {
        found["diagnostics"].as_array().is_some_and(Vec::is_empty)
    });
}

/// ytt names the node below an annotation; the annotation is what has to be changed.
#[test]
fn an_annotation_is_underlined_and_not_the_node_below() {
    let mut client = Setup::rich().start();
    client.open("own/schema.yml", "#@data/values-schema\n---\n#@schema/desc\nname: web\n#@schema/type any\nport: 80\n");
    let found = client.diagnostics("own/schema.yml", 1);
    let lines: Vec<_> = found.iter().map(|found| found["range"]["start"]["line"].as_u64()).collect();
    assert_eq!(lines, [Some(2), Some(4)], "{found:?}");
    let node = &found[0]["relatedInformation"][0];
    assert_eq!(
        (&node["location"]["range"]["start"]["line"], &node["message"]),
        (&json!(3), &json!("the value it is for"))
    );
}
