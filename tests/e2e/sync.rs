//! Texts and positions stay the same on both sides.

use serde_json::json;

use crate::client::{Client, Setup, codes, range_json};
use crate::{SCHEMA, VALUES};

fn client(encodings: &[&str]) -> Client {
    Setup::new().capability("general.positionEncodings", json!(encodings)).file("schema.yml", SCHEMA).start()
}

#[test]
fn utf_8_is_chosen_when_offered_else_utf_16() {
    for (offered, chosen) in [
        (&["utf-16"][..], "utf-16"),
        (&["utf-8", "utf-16", "utf-32"], "utf-8"),
        (&["utf-32", "utf-8", "utf-16"], "utf-8"),
        (&["utf-32", "utf-16"], "utf-16"),
        (&["utf-32"], "utf-32"),
        (&["klingon"], "utf-16"),
        (&[], "utf-16"),
    ] {
        assert_eq!(client(offered).capabilities["positionEncoding"], chosen, "{offered:?}");
    }
}

#[test]
fn columns_count_in_the_agreed_unit() {
    // How long `ä😀` is.
    for (encoding, text) in [("utf-8", 6), ("utf-16", 3), ("utf-32", 2)] {
        let mut client = client(&[encoding]);
        client.open("values.yml", "#@data/values\n---\n{name: \"ä😀\", port: \"80\"}\n");
        let first = client.diagnostics("values.yml", 1);
        let found = first.iter().find(|d| d["code"] == "ytt/type-mismatch").expect("a finding");
        // The value follows `{name: "`, the text, and `", port: `.
        assert_eq!(found["range"], range_json([2, 17 + text, 2, 21 + text]), "{encoding}");
        // An edit after the same characters, in the same unit.
        client.change("values.yml", [2, 17 + text, 2, 21 + text], "80");
        let fixed = client.diagnostics("values.yml", 2);
        assert_eq!(codes(&fixed), Vec::<&str>::new(), "{encoding}: {fixed:?}");
    }
}

#[test]
fn edits_apply_in_order_each_to_the_text_before_it() {
    let mut client = client(&["utf-16"]);
    client.open("values.yml", VALUES);
    assert_eq!(codes(&client.diagnostics("values.yml", 1)), ["ytt/type-mismatch"]);
    let version = client.next_version("values.yml");
    let uri = client.uri("values.yml");
    // Remove both quotes, the second by its place after the first has gone; then append a wrong line.
    client.notify(
        "textDocument/didChange",
        json!({
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [
                {"range": range_json([3, 6, 3, 7]), "text": ""},
                {"range": range_json([3, 8, 3, 9]), "text": ""},
                {"range": range_json([4, 0, 4, 0]), "text": "db: {pool: x}\n"},
            ],
        }),
    );
    let found = client.diagnostics("values.yml", version);
    assert_eq!(codes(&found), ["ytt/type-mismatch"]);
    assert_eq!(found[0]["range"], range_json([4, 11, 4, 12]));
}

#[test]
fn whole_texts_are_accepted() {
    let mut client = client(&["utf-16"]);
    client.open("values.yml", VALUES);
    client.diagnostics("values.yml", 1);
    let version = client.replace("values.yml", crate::GOOD_VALUES);
    assert!(client.diagnostics("values.yml", version).is_empty());
    let version = client.replace("values.yml", "");
    let version = client.replace("values.yml", VALUES).max(version);
    assert_eq!(codes(&client.diagnostics("values.yml", version)), ["ytt/type-mismatch"]);
}

#[test]
fn positions_beyond_the_text_clamp() {
    let mut client = client(&["utf-16"]);
    client.open("values.yml", "#@data/values\n---\nname: a\n");
    client.diagnostics("values.yml", 1);
    let version = client.change("values.yml", [99, 99, 99, 99], "port: x\n");
    let found = client.diagnostics("values.yml", version);
    assert_eq!(found[0]["range"]["start"]["line"], 3, "{found:?}");
    // Backwards, and far beyond the end of its line.
    let version = client.change("values.yml", [3, 4_000_000, 3, 6], "5");
    assert_ne!(version, 0);
    let params = client.at("values.yml", 4_000_000_000, 4_000_000_000);
    client.request("textDocument/hover", params);
}

#[test]
fn line_breaks_are_lf_crlf_and_cr_only() {
    let mut client = client(&["utf-16"]);
    client.open("values.yml", "#@data/values\r\n---\r\nname: \"a\u{2028}b\u{85}c\"\r\nport: \"80\"\r\n");
    let found = client.diagnostics("values.yml", 1);
    assert_eq!(codes(&found), ["ytt/type-mismatch"]);
    assert_eq!(found[0]["range"], range_json([3, 6, 3, 10]));
}

#[test]
fn changes_to_documents_that_are_not_open_are_ignored() {
    let mut client = client(&["utf-16"]);
    let uri = client.uri("values.yml");
    client.notify(
        "textDocument/didChange",
        json!({
            "textDocument": {"uri": uri, "version": 7}, "contentChanges": [{"text": "a: ["}],
        }),
    );
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    client.open("values.yml", VALUES);
    assert_eq!(codes(&client.diagnostics("values.yml", 1)), ["ytt/type-mismatch"]);
}

#[test]
fn a_document_is_what_the_client_says_unless_its_name_says_yaml() {
    let setup = Setup::rich().file("schema.yml", "#@data/values-schema\n---\nname: web\n");
    let mut client = setup
        .file("lofting.toml", "[sets.a]\nfiles = ['schema.yml']\nvalues = ['values.conf', 'values.yml']\n")
        .start();
    let mut codes = |name: &str, language: &str, text: &str| {
        let uri = client.uri(name);
        let document = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
        client.notify("textDocument/didOpen", json!({"textDocument": document}));
        let found = client.diagnostics(name, 1);
        client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
        found.iter().map(|finding| finding["code"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let wrong = "name: 1\n";
    for language in
        ["yaml", "dockercompose", "github-actions-workflow", "yaml.docker-compose", "helm", "ansible", "plaintext"]
    {
        assert_eq!(codes("values.yml", language, wrong), ["ytt/type-mismatch"], "{language}");
    }
    let mistaken = "#@data/values\n---\na: [1\n";
    assert!(!codes("some.conf", "yaml", mistaken).is_empty());
    for language in ["plaintext", "starlark", "toml"] {
        assert_eq!(codes("some.conf", language, mistaken), Vec::<String>::new(), "{language}");
    }
}

#[test]
fn code_and_text_templates_have_names_but_no_yaml() {
    let setup = Setup::rich()
        .settings(json!({"otherYaml": {"features": "on"}}))
        .file("schema.yml", "#@data/values-schema\n---\nname: web\n");
    let mut client = setup.start();
    for (name, language, text, at) in [
        ("f.star", "starlark", "def f():\n  return [1, {\"a\": 1}]\nend\nx = {a: 1}\n", (1, 9)),
        ("notes.txt", "ytt-text", "(@ load(\"@ytt:data\", \"data\") -@)\nDear (@= data.values. @), a: [1\n", (1, 21)),
    ] {
        let document = json!({"uri": client.uri(name), "languageId": language, "version": 1, "text": text});
        client.notify("textDocument/didOpen", json!({"textDocument": document}));
        assert_eq!(client.diagnostics(name, 1), Vec::<serde_json::Value>::new(), "{name}");
        let mut params = client.at(name, at.0, at.1);
        let offered = client.request("textDocument/completion", params.clone()).to_string();
        assert!(offered.contains("\"label\""), "{name}: {offered}");
        let end = json!({"line": 1, "character": 31});
        params["range"] = json!({"start": end, "end": end});
        params["context"] = json!({"diagnostics": []});
        assert_eq!(client.request("textDocument/codeAction", params.clone()), json!([]), "{name}");
        assert_eq!(client.request("textDocument/documentSymbol", params), json!(null), "{name}");
    }
}
