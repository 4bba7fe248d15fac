//! Files that change without the client's knowledge.

use serde_json::{Value, json};

use crate::client::{Client, Setup, codes};
use crate::{SCHEMA, VALUES};

fn notify(client: &mut Client, name: &str, kind: u32) {
    let uri = client.uri(name);
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": uri, "type": kind}]}));
}

fn has_mistake(params: &Value) -> bool {
    params["diagnostics"].as_array().is_some_and(|found| found.iter().any(|d| d["code"] == "ytt/type-mismatch"))
}

#[test]
fn watched_files_are_asked_for_and_believed() {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
    let request = client.server_request("client/registerCapability");
    let registrations = request["params"]["registrations"].as_array().expect("registrations");
    let watched =
        registrations.iter().find(|r| r["method"] == "workspace/didChangeWatchedFiles").expect("watched files");
    assert!(
        watched["registerOptions"]["watchers"]
            .as_array()
            .is_some_and(|w| w.iter().any(|w| w["globPattern"] == "**/*.yml"))
    );

    client.open("values.yml", VALUES);
    client.diagnostics("values.yml", 1);
    client.write("schema.yml", SCHEMA.replace("8080", "\"8080\""));
    notify(&mut client, "schema.yml", 2);
    client.diagnostics_where("values.yml", "the new schema", |params| !has_mistake(params));
    client.remove("schema.yml");
    notify(&mut client, "schema.yml", 3);
    client.write("schema.yml", SCHEMA);
    notify(&mut client, "schema.yml", 1);
    client.diagnostics_where("values.yml", "the old schema", has_mistake);
}

/// Neovim on Linux watches nothing.
#[test]
fn without_watching_a_save_is_enough() {
    let mut client = Setup::new().file("schema.yml", SCHEMA).start();
    client.open("values.yml", VALUES);
    client.diagnostics("values.yml", 1);
    // Another length, so that a coarse clock of the file system does not matter.
    client.write("schema.yml", SCHEMA.replace("8080", "\"any text\""));
    client.save("values.yml");
    client.diagnostics_where("values.yml", "the new schema", |params| !has_mistake(params));
    client.remove("schema.yml");
    client.write("config/schema.yml", SCHEMA);
    client.save("values.yml");
    client.diagnostics_where("values.yml", "the schema at its new place", has_mistake);
}

#[test]
fn without_watching_a_change_is_enough_too() {
    let mut client = Setup::new().file("schema.yml", SCHEMA).start();
    client.open("values.yml", VALUES);
    client.diagnostics("values.yml", 1);
    client.write("schema.yml", SCHEMA.replace("8080", "\"any text\""));
    client.change("values.yml", [2, 6, 2, 6], "x");
    client.diagnostics_where("values.yml", "the new schema", |params| !has_mistake(params));
}

#[test]
fn an_open_document_may_be_deleted() {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).file("values.yml", VALUES).start();
    client.open_file("values.yml");
    client.diagnostics("values.yml", 1);
    client.remove("values.yml");
    notify(&mut client, "values.yml", 3);
    let version = client.change("values.yml", [3, 6, 3, 10], "80");
    assert!(client.diagnostics("values.yml", version).is_empty());
    let version = client.change("values.yml", [3, 6, 3, 8], "x");
    client.diagnostics("values.yml", version);
    client.close("values.yml");
    client.diagnostics_where("values.yml", "taken back", |params| params["diagnostics"] == json!([]));
    assert_eq!(client.stop().code(), Some(0));
}

#[test]
fn a_schema_that_becomes_a_directory_is_no_schema() {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
    client.open("values.yml", VALUES);
    client.diagnostics("values.yml", 1);
    client.remove("schema.yml");
    client.write("schema.yml/inside.txt", "x");
    notify(&mut client, "schema.yml", 2);
    client.diagnostics_where("values.yml", "no schema", |params| !has_mistake(params));
    let params = client.at("values.yml", 2, 1);
    client.request("textDocument/hover", params);
}

#[test]
fn folders_may_come_and_go() {
    let mut client = Setup::rich()
        .roots(&["one"])
        .file("one/a.yml", "a: 1\n")
        .file("two/schema.yml", SCHEMA)
        .file("two/sub/values.yml", VALUES)
        .start();
    let two = client.uri("two");
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        json!({"event": {"added": [{"uri": two, "name": "two"}], "removed": []}}),
    );
    client.open_file("two/sub/values.yml");
    client.diagnostics_where("two/sub/values.yml", "the schema of the added folder", has_mistake);
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        json!({"event": {"added": [], "removed": [{"uri": two, "name": "two"}]}}),
    );
    let params = client.at("two/sub/values.yml", 2, 1);
    client.request("textDocument/hover", params);
}

#[test]
fn findings_of_the_disk_are_not_shown_for_files_nobody_opened() {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).file("values.yml", VALUES).start();
    client.open("other-values.yml", VALUES);
    assert_eq!(codes(&client.diagnostics("other-values.yml", 1)), ["ytt/type-mismatch"]);
    let uri = client.uri("values.yml");
    assert!(client.notifications.iter().all(|message| message["params"]["uri"] != uri));
}

/// As after a switch of branches: a request meanwhile does not wait until everything is read.
#[test]
fn a_hundred_thousand_changed_files_stand_in_nobodys_way() {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
    client.open("values.yml", VALUES);
    client.diagnostics("values.yml", 1);
    // A running scan would see the change itself.
    client.wait("the end of the scan", |message| message["params"]["value"]["kind"] == "end");
    client.write("schema.yml", SCHEMA.replace("8080", "\"8080\""));
    let named = |name: String| json!({"uri": client.uri(&name), "type": 2});
    let mut changes: Vec<Value> = (0..50_000).map(|number| named(format!("many/{number}.yml"))).collect();
    changes.extend(changes.clone());
    changes.push(named("schema.yml".to_owned()));
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    let params = client.at("values.yml", 2, 1);
    let id = client.send_request("textDocument/hover", params);
    let first = client.wait("the hover or the new schema", |message| {
        message["id"] == id || message["method"] == "textDocument/publishDiagnostics"
    });
    assert_eq!(first["id"], id, "the hover has waited: {first}");
    // Notifications that arrive meanwhile are not lost either.
    client.diagnostics_where("values.yml", "the new schema", |params| !has_mistake(params));
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    client.remove("schema.yml");
    notify(&mut client, "schema.yml", 3);
    client.write("config/schema.yml", SCHEMA);
    notify(&mut client, "config/schema.yml", 1);
    client.diagnostics_where("values.yml", "the schema at its new place", has_mistake);
}
