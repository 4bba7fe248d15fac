//! Completion as clients of different abilities get it.

use serde_json::{Value, json};

use crate::client::{Client, Setup};

const SCHEMA: &str = "#@data/values-schema\n---\n#@schema/desc \"Name of the service.\"\nname: ''\nlevel: info\n\
                      enabled: true\ndb:\n  host: ''\n  port: 5432\n";

/// A client with these abilities for completion, in a values file that ends in `text`.
fn client(completion: Value, text: &str) -> Client {
    let setup = Setup::new().capability("textDocument.completion", completion).file("schema.yml", SCHEMA);
    let mut client = setup.start();
    client.open("values.yml", &format!("#@data/values\n---\n{text}"));
    client
}

fn list(client: &mut Client, at: u32) -> Value {
    let params = client.at("values.yml", 2, at);
    client.request("textDocument/completion", params)
}

fn item(list: &Value, label: &str) -> Value {
    let items = list["items"].as_array().expect("items");
    items.iter().find(|item| item["label"] == label).unwrap_or_else(|| panic!("{label} in {list}")).clone()
}

#[test]
fn what_is_alike_in_all_items_is_said_once() {
    let all = json!(["commitCharacters", "editRange", "insertTextFormat", "insertTextMode", "data"]);
    let mut client = client(json!({"completionList": {"itemDefaults": all}}), "na");
    let found = list(&mut client, 2);
    let defaults = &found["itemDefaults"];
    assert_eq!(defaults["editRange"]["end"], json!({"line": 2, "character": 2}), "{found}");
    let name = item(&found, "name");
    assert_eq!((&name["textEdit"], &name["textEditText"]), (&Value::Null, &json!("name: ")), "{name}");
    // Nothing is left to be resolved.
    assert_eq!((&defaults["data"], &name["data"]), (&Value::Null, &Value::Null));
    assert_eq!(name["documentation"], "Name of the service.\n\nDefault: \"\"");
}

#[test]
fn only_defaults_that_the_client_knows_are_sent() {
    let known = json!({"completionList": {"itemDefaults": ["data"]}, "completionItem": {"resolveSupport": {"properties": ["documentation"]}}});
    let mut client = client(known, "na");
    let found = list(&mut client, 2);
    let members: Vec<_> = found["itemDefaults"].as_object().expect("defaults").keys().collect();
    assert_eq!(members, ["data"]);
    assert_eq!(item(&found, "name")["textEdit"]["newText"], "name: ");
}

#[test]
fn an_item_is_documented_when_it_is_looked_at() {
    let lazy = json!({"completionItem": {
        "resolveSupport": {"properties": ["documentation", "detail"]}, "documentationFormat": ["markdown"],
        "labelDetailsSupport": true,
    }});
    let mut client = client(lazy, "n");
    assert_eq!(client.capabilities["completionProvider"]["resolveProvider"], true);
    let found = item(&list(&mut client, 1), "name");
    assert_eq!((&found["documentation"], &found["detail"]), (&Value::Null, &Value::Null));
    assert_eq!(found["labelDetails"]["description"], "string");
    // The list stays open while the word is typed.
    client.change("values.yml", [2, 1, 2, 1], "a");
    let whole = client.request("completionItem/resolve", found.clone());
    assert_eq!(whole["documentation"]["kind"], "markdown");
    assert!(whole["documentation"]["value"].as_str().expect("a text").starts_with("Name of the service."), "{whole}");
    assert_eq!((&whole["detail"], &whole["textEdit"]), (&json!("string"), &found["textEdit"]));
    // What is gone, or never was ours, comes back as it is.
    client.replace("values.yml", "#! this is nothing but a comment\n");
    for strange in [found, json!({"label": "name"}), json!({"label": "name", "data": [1]})] {
        assert_eq!(
            client.request("completionItem/resolve", strange.clone())["documentation"],
            Value::Null,
            "{strange}"
        );
    }
}

#[test]
fn who_cannot_ask_for_documentation_gets_it_at_once() {
    let mut client = client(json!({}), "n");
    assert!(client.capabilities["completionProvider"].get("resolveProvider").is_none());
    let found = item(&list(&mut client, 1), "name");
    assert!(found["documentation"].is_string() && found["detail"] == "string", "{found}");
}

#[test]
fn what_is_right_of_the_cursor_can_be_kept() {
    let mut old = client(json!({}), "name: x");
    assert_eq!(item(&list(&mut old, 2), "name")["textEdit"]["range"]["end"]["character"], 4);
    let mut new = client(json!({"completionItem": {"insertReplaceSupport": true}}), "name: x");
    let edit = &item(&list(&mut new, 2), "name")["textEdit"];
    let end = |which: &str| edit[which]["end"]["character"].clone();
    assert_eq!((end("insert"), end("replace"), &edit["range"]), (json!(2), json!(4), &Value::Null), "{edit}");
    // At the end of a word both are one.
    new.replace("values.yml", "#@data/values\n---\nna \n");
    assert!(item(&list(&mut new, 2), "name")["textEdit"].get("range").is_some());
}

#[test]
fn no_quote_is_left_of_what_is_replaced() {
    let mut client = client(json!({"completionItem": {"insertReplaceSupport": true}}), "\"na\": x");
    for (text, at, label, new) in
        [("\"na\": x", 3, "name", "\"name\""), ("'na'", 3, "name", "'name': "), ("{\"\"}", 2, "name", "\"name\": ")]
    {
        client.replace("values.yml", &format!("#@data/values\n---\n{text}\n"));
        let edit = &item(&list(&mut client, at), label)["textEdit"];
        assert!(edit.get("insert").is_none() && edit["newText"] == new, "{text}: {edit}");
    }
}

#[test]
fn the_choices_of_a_new_value_open_where_the_editor_can_do_that() {
    let command = |client: &mut Client, label: &str| item(&list(client, 0), label)["command"]["command"].clone();
    let mut silent = client(json!({}), "");
    assert_eq!(command(&mut silent, "enabled"), Value::Null);
    let suggest = "editor.action.triggerSuggest";
    let setup = Setup::new().capability("experimental.commands.commands", json!([suggest])).file("schema.yml", SCHEMA);
    let mut client = setup.start();
    client.open("values.yml", "#@data/values\n---\n");
    for (label, opens) in [("enabled", json!(suggest)), ("db", json!(suggest)), ("name", Value::Null)] {
        assert_eq!(command(&mut client, label), opens, "{label}");
    }
    // A user who types one of them instead of choosing it keeps Enter: the list is requested again at each letter.
    client.replace("values.yml", "#@data/values\n---\nenabled: ");
    let found = list(&mut client, 9);
    assert_eq!(found["isIncomplete"], true);
    let labels: Vec<_> = found["items"].as_array().expect("items").iter().map(|item| &item["label"]).collect();
    assert_eq!(labels, ["true", "false"]);
    client.change("values.yml", [2, 9, 2, 9], "true");
    let mut params = client.at("values.yml", 2, 13);
    params["context"] = json!({"triggerKind": 3});
    assert_eq!(client.request("textDocument/completion", params)["items"], json!([]));
}
