//! Code in templates, through the protocol.

use std::cell::Cell;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::SCHEMA;
use crate::client::{Client, Setup, codes};
use crate::command_line::{json_of, lofting, workspace};

const TEMPLATE: &str = "#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.name\nhost: #@ data.values.db.hots\n";

fn client(template: &str) -> Client {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
    client.open("app.yml", template);
    client
}

fn labels(answer: &Value) -> Vec<&str> {
    let items = answer.get("items").unwrap_or(answer).as_array().expect("items");
    items.iter().map(|item| item["label"].as_str().expect("a label")).collect()
}

#[test]
fn data_values_that_are_not_declared_are_found_and_fixed() {
    let mut client = client(TEMPLATE);
    let found = client.diagnostics("app.yml", 1);
    assert_eq!(codes(&found), ["ytt/unknown-data-value"]);
    let range = found[0]["range"].clone();
    let uri = client.uri("app.yml");
    let params = json!({"textDocument": {"uri": uri}, "range": range, "context": {"diagnostics": found}});
    let actions = client.request("textDocument/codeAction", params);
    let edit = &actions[0]["edit"]["changes"][&uri][0];
    assert_eq!((&edit["newText"], &edit["range"]), (&json!("host"), &range), "{actions}");
}

#[test]
fn members_are_completed_hovered_and_found() {
    let mut client = client(TEMPLATE);
    client.change("app.yml", [2, 20, 2, 27], ".");
    let params = client.at("app.yml", 2, 21);
    let answer = client.request("textDocument/completion", params);
    assert_eq!(labels(&answer), ["name", "port", "level", "db"], "{answer}");
    let params = client.at("app.yml", 1, 22);
    let hover = client.request("textDocument/hover", params.clone());
    assert!(hover["contents"]["value"].as_str().expect("text").contains("Name of the service"), "{hover}");
    let found = client.request("textDocument/definition", params);
    assert_eq!(found[0]["targetUri"], client.uri("schema.yml"), "{found}");
    assert_eq!(found[0]["targetSelectionRange"]["start"]["line"], 3, "{found}");
}

#[test]
fn an_edit_of_the_schema_shows_in_open_templates() {
    let mut client = client("#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.name\n");
    assert_eq!(client.diagnostics("app.yml", 1), Vec::<Value>::new());
    client.open("schema.yml", &SCHEMA.replace("name:", "title:"));
    client.diagnostics_where("app.yml", "the key is gone", |found| {
        found["diagnostics"].as_array().is_some_and(|list| list.iter().any(|d| d["code"] == "ytt/unknown-data-value"))
    });
}

#[test]
fn calls_show_their_parameters() {
    let mut client = client("#@ load(\"@ytt:json\", \"json\")\na: #@ json.encode(1, \n");
    let params = client.at("app.yml", 1, 21);
    let help = client.request("textDocument/signatureHelp", params);
    assert_eq!(help["activeParameter"], 1, "{help}");
    assert_eq!(help["signatures"][0]["parameters"][1]["label"], "indent=0", "{help}");
}

#[test]
fn a_data_value_is_found_and_renamed_everywhere() {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).file("values.yml", crate::GOOD_VALUES).start();
    client.open("app.yml", "#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.name\n");
    client.diagnostics("app.yml", 1);
    let mut params = client.at("app.yml", 1, 22);
    params["context"] = json!({"includeDeclaration": true});
    let found = client.request("textDocument/references", params);
    let mut uris: Vec<&str> =
        found.as_array().expect("a list").iter().map(|f| f["uri"].as_str().expect("a URI")).collect();
    uris.sort();
    let mut wanted = [client.uri("app.yml"), client.uri("schema.yml"), client.uri("values.yml")];
    wanted.sort();
    assert_eq!(uris, wanted, "{found}");

    let params = client.at("app.yml", 1, 22);
    assert_eq!(client.request("textDocument/prepareRename", params)["placeholder"], "name");
    let mut params = client.at("app.yml", 1, 22);
    params["newName"] = json!("title");
    let changes = client.request("textDocument/rename", params)["changes"].clone();
    for uri in wanted {
        assert_eq!(changes[&uri][0]["newText"], "title", "{changes}");
    }
}

#[test]
fn a_rename_that_is_not_safe_is_refused_with_the_place() {
    let mut client = client("#@ load(\"@ytt:data\", \"data\")\n#@ f(data.values)\nname: #@ data.values.name\n");
    client.diagnostics("app.yml", 1);
    let mut params = client.at("app.yml", 2, 22);
    params["newName"] = json!("title");
    let id = client.send_request("textDocument/rename", params);
    let answer = client.wait("a refusal", |message| message["id"] == id && message.get("method").is_none());
    assert!(answer["error"]["message"].as_str().expect("words").contains("app.yml:2"), "{answer}");
}

const LIBRARY: &str = "#@ def labels(app):\nname: #@ app\n#@ end\n";
const LOADING: &str = "#@ load(\"names.lib.yml\", \"labels\")\na: #@ labels(1)\nb: #@ labels(app=2)\n";

#[test]
fn a_name_in_code_is_highlighted_found_and_renamed_where_it_is_loaded() {
    let mut client = Setup::rich().file("names.lib.yml", LIBRARY).start();
    client.open("app.yml", LOADING);
    client.diagnostics("app.yml", 1);
    let params = client.at("app.yml", 1, 7);
    let found = client.request("textDocument/documentHighlight", params.clone());
    let places: Vec<(&Value, &Value)> =
        found.as_array().expect("a list").iter().map(|f| (&f["range"]["start"]["line"], &f["kind"])).collect();
    assert_eq!(places, [(&json!(0), &json!(2)), (&json!(1), &json!(2)), (&json!(2), &json!(2))], "{found}");
    let mut with_context = params.clone();
    with_context["context"] = json!({"includeDeclaration": true});
    let found = client.request("textDocument/references", with_context);
    assert_eq!(found.as_array().expect("a list").len(), 4, "{found}");
    let mut renaming = params;
    renaming["newName"] = json!("names");
    let changes = client.request("textDocument/rename", renaming)["changes"].clone();
    let count = |name: &str, changes: &Value| changes[&client.uri(name)].as_array().map_or(0, Vec::len);
    assert_eq!((count("app.yml", &changes), count("names.lib.yml", &changes)), (3, 1), "{changes}");
    // A parameter, from a call in another file.
    let mut params = client.at("app.yml", 2, 15);
    params["newName"] = json!("name");
    let changes = client.request("textDocument/rename", params)["changes"].clone();
    let count = |name: &str| changes[&client.uri(name)].as_array().map_or(0, Vec::len);
    assert_eq!((count("app.yml"), count("names.lib.yml")), (1, 2), "{changes}");
}

#[test]
fn what_is_built_in_keeps_its_name() {
    let mut client = client("a: #@ len([1])\n");
    let id = {
        let params = client.at("app.yml", 0, 7);
        client.send_request("textDocument/prepareRename", params)
    };
    let answer = client.wait("a refusal", |message| message["id"] == id && message.get("method").is_none());
    assert!(answer["error"]["message"].as_str().expect("words").contains("built into"), "{answer}");
}

#[test]
fn a_schema_inside_a_kapp_controller_resource_is_found_where_it_stands() {
    let app = "apiVersion: kappctrl.k14s.io/v1alpha1\nkind: App\nspec:\n  template:\n  - ytt:\n      paths: [config]\n      inline:\n        paths:\n          schema.yml: |\n            #@data/values-schema\n            ---\n            port: 80\n";
    let values = "#@data/values\n---\nport: x\n";
    let mut client = Setup::rich().file("app.yml", app).file("config/values.yml", values).start();
    client.open("config/values.yml", values);
    client.diagnostics_where("config/values.yml", "the type is known", |found| {
        found["diagnostics"][0]["relatedInformation"][0]["location"]["range"]["start"]["line"] == 11
    });
    let uri = client.uri("app.yml");
    let params = client.at("config/values.yml", 2, 1);
    let found = client.request("textDocument/definition", params.clone());
    assert_eq!(
        (&found[0]["targetUri"], &found[0]["targetSelectionRange"]["start"]),
        (&json!(uri), &json!({"line": 11, "character": 12})),
        "{found}"
    );
    let mut renaming = params;
    renaming["newName"] = json!("number");
    let edit = client.request("textDocument/rename", renaming);
    assert_eq!(edit["changes"][&uri][0]["range"]["start"], json!({"line": 11, "character": 12}), "{edit}");
}

/// A schema and values that take what they say from a private library, without any input set.
const PRIVATE: &str = "#@data/values-schema\n---\nx: 7\n";
const FROM_LIBRARY: &str = "#@ load(\"@ytt:library\", \"library\")\n#@data/values-schema\n---\n\
                            port: #@ library.get(\"a\").data_values().x\n";

#[test]
fn libraries_beside_a_schema_are_evaluated_without_a_set() {
    let mut client = Setup::rich()
        .file("config/schema.yml", FROM_LIBRARY)
        .file("config/_ytt_lib/a/schema.yml", PRIVATE)
        .file("config/_ytt_lib/a/notes.md", "no YAML")
        .start();
    client.open("config/values.yml", "#@data/values\n---\nport: text\n");
    client.diagnostics_where("config/values.yml", "the type is the library's", |found| {
        found["diagnostics"].as_array().is_some_and(|list| list.iter().any(|d| d["code"] == "ytt/type-mismatch"))
    });
    // What the library says now counts.
    client.open("config/_ytt_lib/a/schema.yml", &PRIVATE.replace('7', "\"\""));
    client.diagnostics_where("config/values.yml", "the type is another", |found| {
        found["diagnostics"].as_array().is_some_and(Vec::is_empty)
    });
}

#[test]
#[cfg(unix)]
fn a_library_after_a_link_out_of_the_workspace_is_not_read() {
    let outside = workspace(&[("a/schema.yml", PRIVATE)]);
    let inside =
        workspace(&[("config/schema.yml", FROM_LIBRARY), ("config/values.yml", "#@data/values\n---\nport: x\n")]);
    std::fs::create_dir(inside.path().join("config/_ytt_lib")).expect("a directory");
    std::os::unix::fs::symlink(outside.path().join("a"), inside.path().join("config/_ytt_lib/a")).expect("a link");
    let output = lofting(inside.path(), &["check", "--format", "json"]);
    let report = json_of(&output);
    let codes: Vec<&str> =
        report["diagnostics"].as_array().expect("findings").iter().filter_map(|d| d["code"].as_str()).collect();
    assert_eq!(codes, ["ytt/not-evaluated"], "{report}");
}

#[test]
fn a_rename_reaches_text_templates_and_commands() {
    let makefile = "prod:\n\tytt -f config \\\n\t  -v db.host=$(HOST) --data-value-yaml db.pool=3 -v other.host=1\n";
    let setup = Setup::rich().file("config/schema.yml", SCHEMA).file("Makefile", makefile);
    let notes = "(@ load(\"@ytt:data\", \"data\") @)\n(@= data.values.db.host @)\n";
    let mut client = setup.file("config/notes.txt", notes).start();
    client.open("config/app.yml", "#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.db.host\n");
    client.diagnostics("config/app.yml", 1);
    let mut params = client.at("config/app.yml", 1, 26);
    params["newName"] = json!("server");
    let changes = client.request("textDocument/rename", params)["changes"].clone();
    let places = |name: &str| {
        let edits = changes[&client.uri(name)].as_array().cloned().unwrap_or_default();
        let place =
            |edit: &Value| (edit["range"]["start"]["line"].clone(), edit["range"]["start"]["character"].clone());
        edits.iter().map(place).collect::<Vec<_>>()
    };
    assert_eq!(places("Makefile"), [(json!(2), json!(9))], "{changes}");
    assert_eq!(places("config/notes.txt"), [(json!(1), json!(19))], "{changes}");
    assert_eq!(places("config/schema.yml"), [(json!(8), json!(2))], "{changes}");
    assert_eq!(places("config/app.yml").len(), 1, "{changes}");
    // A key that no template reads can get any name, but not in a command.
    let mut params = client.at("config/schema.yml", 9, 3);
    params["newName"] = json!("the pool");
    let id = client.send_request("textDocument/rename", params);
    let answer = client.wait("a refusal", |message| message["id"] == id && message.get("method").is_none());
    assert!(answer["error"]["message"].as_str().expect("words").contains("Makefile:2"), "{answer}");
}

/// Descriptions that code writes, in the values and in the schema itself.
#[test]
fn the_first_hover_waits_for_the_first_results_of_code() {
    let schema = "#@ text = \"the \" + \"host\"\n#@data/values-schema\n---\n#@schema/desc text\nhost: a\n";
    for (open, line) in [("values.yml", 2), ("schema.yml", 4)] {
        for setup in [Setup::rich(), Setup::rich().capability("textDocument.diagnostic", json!({}))] {
            let values = "#@data/values\n---\nhost: b\n";
            let mut client = setup.file("schema.yml", schema).file("values.yml", values).start();
            client.open_file(open);
            let asked = Instant::now();
            let params = client.at(open, line, 1);
            let hover = client.request("textDocument/hover", params);
            let took = asked.elapsed();
            let text = hover["contents"]["value"].as_str().unwrap_or_default();
            // A machine may be busy: then the answer comes without the text, but not before.
            assert!(text.contains("the host") || took >= Duration::from_millis(300), "{took:?}: {hover}");
        }
    }
}

#[test]
fn a_hover_does_not_wait_for_slow_code() {
    let schema = "#@ def slow():\n#@   for i in range(2000):\n#@     x = [j for j in range(1000000)]\n#@   end\n#@   return \"text\"\n#@ end\n#@data/values-schema\n---\n#@schema/desc slow()\nhost: a\n";
    let values = "#@data/values\n---\nhost: b\n";
    let mut client = Setup::rich().file("schema.yml", schema).file("values.yml", values).start();
    client.open_file("values.yml");
    let params = client.at("values.yml", 2, 1);
    let id = client.send_request("textDocument/hover", params);
    let found = Cell::new(false);
    client.wait("the hover before the findings of the schema", |message| {
        let evaluated = message["method"] == "textDocument/publishDiagnostics";
        found.set(found.get() || evaluated && message.to_string().contains("ytt/evaluation"));
        message["id"] == id && message["method"].is_null()
    });
    assert!(!found.get(), "the code ended first");
}
