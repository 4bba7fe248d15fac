//! What is shown beside a text: hints between its words, lines above it, and the like.

use serde_json::{Value, json};

use crate::client::{Client, Setup};
use crate::{SCHEMA, VALUES};

const SETS: &str = "[sets.prod]\nfiles = [\"schema.yml\", \"values.yml\", \"prod.yml\"]\n";
const PROD: &str = "#@data/values\n---\nname: prod\n";

#[test]
fn hints_are_shown_to_who_announces_them() {
    let plain = Setup::rich().start();
    assert!(plain.capabilities.get("inlayHintProvider").is_none());
    let mut client = Setup::rich()
        .capability("textDocument.inlayHint", json!({}))
        .capability("workspace.inlayHint.refreshSupport", json!(true))
        .file("lofting.toml", SETS)
        .file("schema.yml", SCHEMA)
        .file("prod.yml", PROD)
        .file("values.yml", VALUES)
        .start();
    client.open_file("values.yml");
    client.diagnostics("values.yml", 1);
    let ask = json!({
        "textDocument": {"uri": client.uri("values.yml")},
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}},
    });
    let hints = client.request("textDocument/inlayHint", ask.clone());
    assert_eq!(hints.as_array().map(Vec::len), Some(1), "{hints}");
    assert_eq!(hints[0]["position"], json!({"line": 2, "character": 10}));
    assert_eq!(hints[0]["label"][0]["value"], "→ prod in ");
    assert_eq!(hints[0]["label"][1]["value"], "prod.yml");
    assert_eq!(hints[0]["label"][1]["location"]["uri"], json!(client.uri("prod.yml")));
    // After a change of settings the editor is asked to refresh, and the kind is gone.
    client.set_settings(json!({"lofting": {"inlayHints": {"finalValues": false}}}));
    client.server_requests.clear();
    client.notify("workspace/didChangeConfiguration", json!({"settings": {}}));
    client.server_request("workspace/inlayHint/refresh");
    let hints = client.request("textDocument/inlayHint", ask);
    assert_eq!(hints, json!([]));
}

/// Code runs for final values, and nothing waits for it. A change that leaves findings as they are must not lose them.
#[test]
fn final_values_that_need_code_come_back_after_every_change() {
    for pulls in [false, true] {
        let mut setup = Setup::rich()
            .capability("textDocument.inlayHint", json!({}))
            .capability("workspace.inlayHint.refreshSupport", json!(true))
            .file("lofting.toml", SETS)
            .file("schema.yml", SCHEMA)
            .file("prod.yml", PROD)
            .file("values.yml", format!("#@ load(\"@ytt:overlay\", \"overlay\")\n{VALUES}"));
        if pulls {
            setup = setup.capability("textDocument.diagnostic", json!({}));
        }
        let mut client = setup.start();
        client.open_file("values.yml");
        client.open_file("schema.yml");
        let ask = json!({
            "textDocument": {"uri": client.uri("values.yml")},
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}},
        });
        for change in ["", "#! comment\n", "#! another\n"] {
            if !change.is_empty() {
                client.change("schema.yml", [2, 0, 2, 0], change);
            }
            if pulls {
                client.all_findings("values.yml");
            }
            while client.request("textDocument/inlayHint", ask.clone())[0]["label"][0]["value"] != "→ prod in " {
                client.server_request("workspace/inlayHint/refresh");
            }
        }
    }
}

/// Which keys a schema declares is shown by colours, which have to follow another file.
#[test]
fn colours_follow_the_schema() {
    let mut client = Setup::rich()
        .capability("workspace.semanticTokens.refreshSupport", json!(true))
        .file("schema.yml", SCHEMA)
        .file("values.yml", VALUES)
        .start();
    client.open_file("values.yml");
    client.open_file("schema.yml");
    client.diagnostics("values.yml", 1);
    let ask = json!({"textDocument": {"uri": client.uri("values.yml")}});
    let before = client.request("textDocument/semanticTokens/full", ask.clone())["data"].clone();
    assert!(before.as_array().is_some_and(|data| !data.is_empty()));
    client.server_requests.clear();
    client.replace("schema.yml", &SCHEMA.replace("name:", "title:"));
    while client.request("textDocument/semanticTokens/full", ask.clone())["data"] == before {
        client.server_request("workspace/semanticTokens/refresh");
    }
}

#[test]
fn lenses_are_counted_when_they_are_seen() {
    let plain = Setup::rich().start();
    assert!(plain.capabilities.get("codeLensProvider").is_none());
    for knows_command in [true, false] {
        let commands = if knows_command { json!(["lofting.showReferences"]) } else { json!(null) };
        let mut client = Setup::rich()
            .capability("textDocument.codeLens", json!({}))
            .capability("experimental.commands.commands", commands)
            .file("lofting.toml", SETS)
            .file("schema.yml", SCHEMA)
            .file("prod.yml", PROD)
            .file("values.yml", VALUES)
            .start();
        client.open_file("schema.yml");
        client.diagnostics("schema.yml", 1);
        let ask = json!({"textDocument": {"uri": client.uri("schema.yml")}});
        let lenses = client.request("textDocument/codeLens", ask);
        let lenses = lenses.as_array().expect("lenses");
        assert_eq!(lenses[0]["command"]["title"], "Input set: prod");
        assert_eq!(lenses[1]["range"]["start"], json!({"line": 3, "character": 0}), "{lenses:?}");
        assert!(lenses[1].get("command").is_none(), "{lenses:?}");
        let lens = client.request("codeLens/resolve", lenses[1].clone());
        assert_eq!(lens["command"]["title"], "set in 2 files");
        let (command, arguments) = if knows_command {
            ("lofting.showReferences", json!([client.uri("schema.yml"), {"line": 3, "character": 0}]))
        } else {
            ("", json!(null))
        };
        assert_eq!(lens["command"]["command"], command);
        assert_eq!(lens["command"]["arguments"], arguments);
    }
}

#[test]
fn types_calls_and_linked_names_are_for_who_announces_them() {
    let features = ["typeDefinition", "linkedEditingRange", "callHierarchy"];
    let plain = Setup::rich().start();
    let mut setup = Setup::rich();
    for feature in features {
        assert!(plain.capabilities.get(format!("{feature}Provider")).is_none(), "{feature}");
        setup = setup.capability(&format!("textDocument.{feature}"), json!({}));
    }
    let mut client = setup.file("schema.yml", SCHEMA).start();
    client.open("values.yml", "#@data/values\n---\nname: &é a\ndb: {host: *é}\n");
    client.diagnostics("values.yml", 1);
    let found = client.request("textDocument/typeDefinition", client.at("values.yml", 2, 1));
    assert_eq!(found[0]["uri"], json!(client.uri("schema.yml")), "{found}");
    let found = client.request("textDocument/linkedEditingRange", client.at("values.yml", 2, 8));
    let range =
        |line, from, to| json!({"start": {"line": line, "character": from}, "end": {"line": line, "character": to}});
    assert_eq!(found["ranges"], json!([range(2, 7, 8), range(3, 12, 13)]));
    client.open("t.yml", "#@ def f():\n#@   return 1\n#@ end\na: #@ f()\n");
    let items = client.request("textDocument/prepareCallHierarchy", client.at("t.yml", 3, 7));
    assert_eq!(items[0]["name"], "f", "{items}");
    let calls = client.request("callHierarchy/incomingCalls", json!({"item": items[0]}));
    assert_eq!(calls[0]["from"]["name"], "t.yml", "{calls}");
    assert_eq!(calls[0]["fromRanges"], json!([range(3, 6, 7)]));
    let calls = client.request("callHierarchy/outgoingCalls", json!({"item": calls[0]["from"]}));
    assert_eq!(calls[0]["to"]["name"], "f", "{calls}");
}

fn whole(client: &mut Client, params: Value) -> (Value, Vec<Value>) {
    let before = client.notifications.len();
    let answer = client.request("workspace/diagnostic", params);
    let parts = client
        .notifications
        .iter()
        .skip(before)
        .filter(|it| it["method"] == "$/progress" && it["params"]["token"] == "t");
    (answer, parts.map(|it| it["params"].clone()).collect())
}

#[test]
fn findings_of_all_files_are_pulled() {
    let plain = Setup::rich().start();
    assert!(plain.capabilities.get("diagnosticProvider").is_none());
    let mut setup = Setup::rich().capability("textDocument.diagnostic", json!({})).file("schema.yml", SCHEMA);
    for number in 0..250 {
        setup = setup.file(&format!("app-{number:03}/values.yml"), VALUES);
    }
    let mut client = setup.file("good/values.yml", crate::GOOD_VALUES).start();
    assert_eq!(client.capabilities["diagnosticProvider"]["workspaceDiagnostics"], true);
    client.wait("the end of the scan", |message| {
        message["method"] == "$/progress" && message["params"]["value"]["kind"] == "end"
    });
    client.open_file("app-000/values.yml");
    let document = json!({"textDocument": {"uri": client.uri("app-000/values.yml")}});
    client.request("textDocument/diagnostic", document);
    // As one answer, and in parts that come before it.
    let (answer, parts) = whole(&mut client, json!({"previousResultIds": []}));
    let items = answer["items"].as_array().expect("items").clone();
    assert_eq!((items.len(), parts.len()), (249, 0));
    assert_eq!(items[0]["uri"], json!(client.uri("app-001/values.yml")));
    assert_eq!(items[0]["items"][0]["code"], "ytt/type-mismatch");
    // A client that repeats a request did not get the response.
    assert_eq!(whole(&mut client, json!({"previousResultIds": []})).0["items"].as_array().map(Vec::len), Some(249));
    client.replace("app-000/values.yml", crate::GOOD_VALUES);
    let (answer, parts) = whole(&mut client, json!({"previousResultIds": [], "partialResultToken": "t"}));
    assert_eq!(answer["items"], json!([]));
    let sent: Vec<&Value> = parts.iter().flat_map(|part| part["value"]["items"].as_array().expect("items")).collect();
    assert_eq!((sent.len(), parts.len(), &parts[0]["token"]), (249, 3, &json!("t")));
    // Who knows them gets only what is new.
    let known: Vec<Value> = items.iter().map(|item| json!({"uri": item["uri"], "value": item["resultId"]})).collect();
    let known = json!({"previousResultIds": known});
    assert_eq!(whole(&mut client, known.clone()).0["items"], json!([]));
    client.write("app-007/values.yml", crate::GOOD_VALUES);
    client.remove("app-008/values.yml");
    let changes = [(2, "app-007/values.yml"), (3, "app-008/values.yml")];
    let changes = changes.map(|(kind, name)| json!({"uri": client.uri(name), "type": kind}));
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    let gone = loop {
        client.server_request("workspace/diagnostic/refresh");
        let (answer, _) = whole(&mut client, known.clone());
        let items = answer["items"].as_array().expect("items").clone();
        if items.len() == 2 {
            break items;
        }
    };
    assert_eq!(gone.len(), 2, "{gone:?}");
    assert!(gone.iter().all(|item| item["items"] == json!([])), "{gone:?}");
}

#[test]
fn a_status_line_says_which_schema_and_which_sets() {
    let mut client = Setup::rich().file("lofting.toml", SETS).file("schema.yml", SCHEMA).file("prod.yml", PROD).start();
    client.open("values.yml", VALUES);
    client.diagnostics("values.yml", 1);
    let ask = |client: &mut Client, name: &str| {
        let document = json!({"textDocument": {"uri": client.uri(name)}});
        client.request("lofting/status", document)
    };
    let status = ask(&mut client, "values.yml");
    assert_eq!(status["schema"], json!([{"name": "schema.yml", "uri": client.uri("schema.yml")}]), "{status}");
    assert_eq!(status["sets"], json!(["prod"]));
    assert_eq!(status["names"], json!([]));
    assert!(status["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{status}");
    assert_eq!(ask(&mut client, "none.yml"), Value::Null);
}

/// The new texts by the name of the file that they are in.
fn edited(client: &Client, edit: &Value) -> Vec<(String, String)> {
    let root = format!("{}/", client.uri("").trim_end_matches('/'));
    let changes = edit["changes"].as_object().expect("changes").iter();
    let texts = changes.map(|(uri, edits)| {
        let new = edits.as_array().expect("edits").iter().map(|edit| edit["newText"].as_str().expect("text"));
        (uri.strip_prefix(&*root).expect("a file of ours").to_owned(), new.collect())
    });
    texts.collect()
}

#[test]
fn a_user_chooses_the_schema_or_set_of_a_file() {
    let mut client = Setup::rich().file("lofting.toml", SETS).file("schema.yml", SCHEMA).file("prod.yml", PROD).start();
    client.open("other/values.yml", VALUES);
    client.diagnostics("other/values.yml", 1);
    let ask = |client: &mut Client| {
        let document = json!({"textDocument": {"uri": client.uri("other/values.yml")}});
        client.request("lofting/schemaChoices", document)
    };
    let answer = ask(&mut client);
    let choices = answer["choices"].as_array().expect("choices").clone();
    let shown = choices.iter().map(|choice| (choice["label"].clone(), choice["inForce"] == json!(true)));
    let shown: Vec<_> = shown.collect();
    assert_eq!(shown, [(json!("schema.yml"), true), (json!("prod"), false)], "{answer}");
    let choose = |client: &mut Client, choice: &Value, place: &str| {
        let document = json!({"uri": client.uri("other/values.yml")});
        let params = json!({"textDocument": document, "choice": choice["choice"], "place": place});
        let id = client.send_request("lofting/chooseSchema", params);
        client.answer(id)
    };
    let edit = choose(&mut client, &choices[0], "modeline");
    let made = edited(&client, &edit["result"]);
    assert_eq!(made, [("other/values.yml".to_owned(), "#! lofting: schema=../schema.yml\n".to_owned())]);
    let edit = choose(&mut client, &choices[1], "configuration");
    assert_eq!(edited(&client, &edit["result"]).first().map(|(name, _)| name.as_str()), Some("lofting.toml"), "{edit}");
    // What is no longer there is refused, in words.
    let gone = json!({"choice": {"kind": "set", "uri": client.uri("lofting.toml"), "name": "gone"}});
    let refusal = choose(&mut client, &gone, "configuration");
    assert!(refusal["error"]["message"].as_str().is_some_and(|why| why.contains("lofting.toml")), "{refusal}");
}

#[test]
fn links_follow_files_to_their_new_names() {
    let plain = Setup::rich().start();
    assert!(plain.capabilities["workspace"].get("fileOperations").is_none());
    let mut client = Setup::rich()
        .capability("workspace.fileOperations.willRename", json!(true))
        .file("lofting.toml", SETS)
        .file("schema.yml", SCHEMA)
        .file("prod.yml", PROD)
        .start();
    let filters = &client.capabilities["workspace"]["fileOperations"]["willRename"]["filters"];
    assert_eq!(filters.as_array().map(Vec::len), Some(2), "{filters}");
    client.open("values.yml", &format!("#! lofting: schema=schema.yml\n{VALUES}"));
    client.diagnostics("values.yml", 1);
    let rename = |client: &mut Client, old: &str, new: &str| {
        let files = json!([{"oldUri": client.uri(old), "newUri": client.uri(new)}]);
        client.request("workspace/willRenameFiles", json!({"files": files}))
    };
    let edit = rename(&mut client, "schema.yml", "config/the-schema.yml");
    let changes = edit["changes"].as_object().expect("changes");
    assert_eq!(changes.len(), 2, "{edit}");
    assert_eq!(changes[&client.uri("values.yml")][0]["newText"], "config/the-schema.yml");
    assert_eq!(rename(&mut client, "none.yml", "other.yml"), Value::Null);
}
