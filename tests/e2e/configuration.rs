//! `lofting.toml` in the editor, and what is left to servers of other YAML.

use serde_json::{Value, json};

use crate::client::{Client, Setup, codes};
use crate::{GOOD_VALUES, SCHEMA, VALUES};

fn client() -> Client {
    Setup::rich().file("config/schema.yml", SCHEMA).file("envs/dev.yml", "port: x\n").start()
}

#[test]
fn mistakes_appear_as_they_are_typed_and_unsaved_sets_count() {
    let mut client = client();
    client.open("envs/dev.yml", "port: x\n");
    client.diagnostics("envs/dev.yml", 1);
    client.open("lofting.toml", "[sets.dev]\nfile = ['config']\nvalues = ['envs/*.yml']\n");
    let found = client.diagnostics("lofting.toml", 1);
    assert_eq!(codes(&found), ["lofting/configuration", "lofting/configuration"], "{found:?}");
    let unknown = found.iter().find(|finding| finding["range"]["start"]["line"] == 1).expect("the unknown key");
    assert_eq!(unknown["range"]["end"]["character"], 4, "{unknown}");
    assert!(unknown["message"].as_str().expect("words").contains("did you mean `files`?"), "{unknown}");

    // The quick fix fixes it, and the set governs its files before anything is saved.
    let uri = client.uri("lofting.toml");
    let asked = json!({"textDocument": {"uri": uri}, "range": unknown["range"], "context": {"diagnostics": [unknown]}});
    let actions = client.request("textDocument/codeAction", asked);
    let edits = actions[0]["edit"].to_string();
    assert!(edits.contains("\"newText\":\"files\""), "{actions}");
    let version = client.change("lofting.toml", [1, 0, 1, 4], "files");
    assert!(client.diagnostics("lofting.toml", version).is_empty());
    let explained = client.request("lofting/explain", json!({"textDocument": {"uri": client.uri("envs/dev.yml")}}));
    assert!(explained["markdown"].as_str().expect("a page").contains("input set"), "{explained}");
}

#[test]
fn keys_and_paths_are_completed_and_explained() {
    let mut client = client();
    client.open("lofting.toml", "[sets.dev]\nfiles = ['config']\nvalues = [\"envs/\"]\n\n");
    let labels = |answer: &Value| -> Vec<String> {
        let items = answer["items"].as_array().expect("items");
        items.iter().map(|item| item["label"].as_str().expect("a label").to_owned()).collect()
    };
    let at = client.at("lofting.toml", 2, 16);
    assert_eq!(labels(&client.request("textDocument/completion", at)), ["dev.yml"]);
    let at = client.at("lofting.toml", 3, 0);
    let keys = labels(&client.request("textDocument/completion", at));
    assert!(keys.iter().any(|key| key == "data-values") && !keys.iter().any(|key| key == "files"), "{keys:?}");
    let at = client.at("lofting.toml", 1, 2);
    let hover = client.request("textDocument/hover", at);
    assert!(hover["contents"]["value"].as_str().expect("text").contains("ytt -f"), "{hover}");
}

/// It is not YAML: what looks like an anchor or a key there is not one.
#[test]
fn nothing_of_yaml_is_offered_in_toml() {
    let mut client = client();
    let text = "[sets.a]\nfiles = [&a, *a]\na: {b: 1}\n";
    for path in ["lofting.toml", "Cargo.toml"] {
        client.open(path, text);
        assert!(structure(&mut client, path).iter().all(Value::is_null), "{path}");
    }
    for method in ["textDocument/documentHighlight", "textDocument/definition", "textDocument/hover"] {
        let at = client.at("lofting.toml", 1, 15);
        let answer = client.request(method, at);
        assert!(answer.is_null() || answer.as_array().is_some_and(Vec::is_empty), "{method}: {answer}");
    }
}

/// Outline, folding and selection ranges.
fn structure(client: &mut Client, path: &str) -> Vec<Value> {
    let document = json!({"uri": client.uri(path)});
    let position = json!({"line": 0, "character": 1});
    vec![
        client.request("textDocument/documentSymbol", json!({"textDocument": document})),
        client.request("textDocument/foldingRange", json!({"textDocument": document})),
        client.request("textDocument/selectionRange", json!({"textDocument": document, "positions": [position]})),
    ]
}

/// Another server gives these for YAML in general: two of them would show everything twice.
#[test]
fn structure_of_other_yaml_is_left_to_other_servers() {
    let manifest = "apiVersion: v1\nkind: ConfigMap\ndata:\n  a: b\n  c: d\n";
    let ours = [
        ("schema.yml", SCHEMA),
        ("values.yml", GOOD_VALUES),
        ("wrong-values.yml", VALUES),
        ("plain-values.yml", "db:\n  host: x\n  pool: 1\n"),
        ("template.yml", "#@ x = 1\na:\n  b: #@ x\n  c: 1\n"),
        ("functions.lib.yml", "#@ def f():\na:\n  b: 1\n#@ end\n"),
    ];
    for (features, shown) in [(Value::Null, false), (json!("auto"), false), (json!("off"), false), (json!("on"), true)]
    {
        let settings = json!({"lofting": {"otherYaml": {"features": features}}});
        // Sent with `initialize`, they are known before the first request.
        let setup = Setup::rich().options(settings.clone()).settings(settings);
        let mut client = setup.file("schema.yml", SCHEMA).start();
        client.open("manifest.yml", manifest);
        let answers = structure(&mut client, "manifest.yml");
        assert!(answers.iter().all(|answer| answer.is_null() != shown), "{features}: {answers:?}");
        for (path, text) in ours {
            client.open(path, text);
            let answers = structure(&mut client, path);
            assert!(!answers.iter().any(Value::is_null), "{features}: {path}: {answers:?}");
        }
    }
}
