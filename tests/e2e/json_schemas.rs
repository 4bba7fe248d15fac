//! Writing JSON Schemas, in YAML and in JSON.

use serde_json::{Value, json};

use crate::client::{Setup, codes};

#[test]
fn a_schema_in_json_is_checked_and_so_is_what_it_governs() {
    let schema = r#"{"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"size": {"type": "strng"}}}"#;
    let mut client = Setup::new()
        .file("box.schema.json", schema)
        .file("package.json", "{}")
        .file("a.yaml", "# yaml-language-server: $schema=box.schema.json\nsize: 1\n")
        .start();
    client.open_as("json", "box.schema.json", schema);
    client.open_as("jsonc", "package.json", "{\"type\": 1, // no schema\n}");
    client.open_file("a.yaml");
    let found =
        client.diagnostics_where("box.schema.json", "the wrong type", |found| !found["diagnostics"][0].is_null());
    let found = &found["diagnostics"];
    assert_eq!(codes(found.as_array().unwrap()), ["json-schema/keyword-value"], "{found:#}");
    let start = schema.find("\"strng\"").unwrap();
    assert_eq!(found[0]["range"]["start"]["character"], start, "{found:#}");
    let ask = json!({
        "textDocument": {"uri": client.uri("box.schema.json")},
        "range": found[0]["range"],
        "context": {"diagnostics": found},
    });
    let actions = client.request("textDocument/codeAction", ask);
    assert_eq!(actions[0]["title"], "Change to `string`", "{actions:#}");
    // Before it is saved, the files that the schema governs are checked with it.
    client.replace("box.schema.json", &schema.replace("strng", "string"));
    let found = client.diagnostics_where("a.yaml", "a finding", |found| !found["diagnostics"][0].is_null());
    assert_eq!(found["diagnostics"][0]["code"], "json-schema/type-mismatch", "{found:#}");
    assert!(client.all_findings("package.json").is_empty());
}

#[test]
fn definitions_are_completed_and_renamed_in_all_files() {
    let types = "{\"definitions\": {\"size\": {\"type\": \"integer\"}}}\n";
    let mut client = Setup::rich()
        .file("types.schema.json", types)
        .file("box.schema.json", "{\"properties\": {\"a\": {\"$ref\": \"types.schema.json#/definitions/size\"}}}\n")
        .start();
    let schema = "properties:\n  a: {$ref: ''}\ndefinitions: {own: {}}\n";
    client.open("new.schema.yaml", schema);
    let at = client.at("new.schema.yaml", 1, 13);
    let items = client.request("textDocument/completion", at);
    let items = items.get("items").unwrap_or(&items);
    let labels: Vec<&Value> = items.as_array().unwrap().iter().map(|item| &item["label"]).collect();
    assert!(labels.contains(&&json!("#/definitions/own")), "{labels:?}");
    assert!(labels.contains(&&json!("types.schema.json#/definitions/size")), "{labels:?}");
    client.open_as("json", "types.schema.json", types);
    let mut rename = client.at("types.schema.json", 0, 19);
    rename["newName"] = json!("width");
    let edit = client.request("textDocument/rename", rename).to_string();
    assert!(edit.contains("types.schema.json") && edit.contains("box.schema.json"), "{edit}");
}
