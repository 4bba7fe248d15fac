//! `docs/features.md` says what each request does. Here each of them is sent.

use std::path::Path;

use serde_json::{Value, json};

use crate::client::Setup;
use crate::{SCHEMA, VALUES};

/// The answer of JSON-RPC to an unknown method.
const METHOD_NOT_FOUND: i64 = -32601;

/// Rows of the first table: the method, and whether it is answered.
fn rows() -> Vec<(String, bool)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join("docs/features.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let row = |line: &str| match cells(line).as_slice() {
        [_, method, yes, what, _] if method.starts_with('`') => {
            assert!(["yes", "no"].contains(&yes.as_str()) && !what.is_empty(), "{line}");
            Some((method.trim_matches('`').to_owned(), yes == "yes"))
        }
        _ => None,
    };
    page.lines().filter_map(row).collect()
}

#[test]
fn each_request_does_what_its_row_says() {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
    client.open("values.yml", VALUES);
    client.diagnostics("values.yml", 1);
    let rows = rows();
    assert!(rows.len() > 45, "{rows:?}");
    for (method, is_answered) in rows {
        let mut params = client.at("values.yml", 2, 1);
        params["positions"] = json!([params["position"]]);
        params["range"] = json!({"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}});
        params["ranges"] = json!([params["range"]]);
        params["context"] = json!({"diagnostics": [], "includeDeclaration": true, "triggerKind": 1});
        params["options"] = json!({"tabSize": 2, "insertSpaces": true});
        for (field, value) in [("newName", "renamed"), ("query", "a"), ("title", "x"), ("ch", "\n"), ("command", "x")] {
            params[field] = json!(value);
        }
        params["uri"] = params["textDocument"]["uri"].clone();
        params["files"] = json!([]);
        params["previousResultIds"] = json!([]);
        params["previousResultId"] = json!("0");
        let id = client.send_request(&method, params);
        let answer = client.answer(id);
        let is_unknown = answer["error"]["code"] == json!(METHOD_NOT_FOUND);
        assert_eq!(is_unknown, !is_answered, "{method}: {answer}");
    }
}

#[test]
fn links_and_symbols_come_through_the_protocol() {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
    let text = format!("#! lofting: schema=schema.yml\n{VALUES}");
    client.open("values.yml", &text);
    client.diagnostics("values.yml", 1);
    let params = client.at("values.yml", 0, 0);
    let links = client.request("textDocument/documentLink", params);
    assert_eq!(links[0]["target"], json!(client.uri("schema.yml")), "{links}");
    assert_eq!(links[0]["range"]["start"], json!({"line": 0, "character": 19}), "{links}");
    let symbols = client.request("workspace/symbol", json!({"query": "level"}));
    assert_eq!(symbols[0]["location"]["uri"], json!(client.uri("schema.yml")), "{symbols}");
    let nothing = client.request("workspace/symbol", json!({"query": "no such name"}));
    assert_eq!(nothing, Value::Array(Vec::new()));
}
