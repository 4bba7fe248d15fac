//! What the user asks for, through the protocol. What is offered where is tested in `ide`; here only the way there
//! and back.

use serde_json::{Value, json};

use crate::client::{Client, Setup, range_json};
use crate::{SCHEMA, VALUES};

fn client() -> Client {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
    client.open("values.yml", VALUES);
    client
}

fn labels(answer: &Value) -> Vec<String> {
    let items = answer.get("items").unwrap_or(answer).as_array().expect("items");
    items.iter().map(|item| item["label"].as_str().expect("a label").trim_end_matches(':').to_owned()).collect()
}

fn item<'a>(answer: &'a Value, label: &str) -> &'a Value {
    let items = answer.get("items").unwrap_or(answer).as_array().expect("items");
    items
        .iter()
        .find(|item| item["label"].as_str().is_some_and(|found| found.trim_end_matches(':') == label))
        .expect("the item")
}

#[test]
fn hover_tells_about_a_key() {
    let mut client = client();
    let params = client.at("values.yml", 2, 1);
    let hover = client.request("textDocument/hover", params);
    assert_eq!(hover["contents"]["kind"], "markdown");
    assert!(hover["contents"]["value"].as_str().expect("text").contains("Name of the service"), "{hover}");
    assert_eq!(hover["range"]["start"]["line"], 2, "{hover}");
    let params = client.at("values.yml", 1, 0);
    assert_eq!(client.request("textDocument/hover", params), Value::Null);
}

#[test]
fn completion_offers_missing_keys_and_replaces_what_is_typed() {
    let mut client = client();
    client.change("values.yml", [4, 0, 4, 0], "le");
    let params = client.at("values.yml", 4, 2);
    let answer = client.request("textDocument/completion", params);
    let found = labels(&answer);
    assert!(found.iter().any(|label| label == "level") && !found.iter().any(|label| label == "name"), "{found:?}");
    let edit = &item(&answer, "level")["textEdit"];
    let range = edit.get("range").or_else(|| edit.get("replace")).expect("a range");
    assert_eq!(*range, range_json([4, 0, 4, 2]));
    assert!(edit["newText"].as_str().expect("text").starts_with("level:"), "{edit}");
}

#[test]
fn completion_offers_allowed_values() {
    let mut client = client();
    client.change("values.yml", [4, 0, 4, 0], "level: ");
    let params = client.at("values.yml", 4, 7);
    let answer = client.request("textDocument/completion", params);
    let found = labels(&answer);
    assert!(found.contains(&"debug".to_owned()) && found.contains(&"info".to_owned()), "{found:?}");
}

#[test]
fn definition_leads_to_the_schema() {
    let mut client = client();
    let params = client.at("values.yml", 3, 1);
    let answer = client.request("textDocument/definition", params);
    let link = &answer[0];
    assert_eq!(link["targetUri"], client.uri("schema.yml"), "{answer}");
    assert_eq!(link["targetSelectionRange"]["start"]["line"], 4, "{answer}");
    assert_eq!(link["originSelectionRange"]["start"]["line"], 3, "{answer}");
}

#[test]
fn symbols_are_nested_and_ranges_contain_their_selection() {
    let mut client = client();
    client.replace("values.yml", "#@data/values\n---\nname: x\ndb:\n  host: a\n  pool: 3\n");
    let uri = client.uri("values.yml");
    let answer = client.request("textDocument/documentSymbol", json!({"textDocument": {"uri": uri}}));
    fn names(symbols: &Value) -> Vec<String> {
        let symbols = symbols.as_array().map(Vec::as_slice).unwrap_or_default();
        symbols
            .iter()
            .flat_map(|symbol| {
                let place = |which: &str, end: &str| {
                    let position = &symbol[which][end];
                    (position["line"].as_u64().expect("a line"), position["character"].as_u64().expect("a column"))
                };
                assert!(place("range", "start") <= place("selectionRange", "start"), "{symbol}");
                assert!(place("range", "end") >= place("selectionRange", "end"), "{symbol}");
                let mut all = vec![symbol["name"].as_str().expect("a name").to_owned()];
                all.extend(names(&symbol["children"]));
                all
            })
            .collect()
    }
    let found = names(&answer);
    for name in ["name", "db", "host", "pool"] {
        assert!(found.iter().any(|found| found == name), "{name} in {found:?}");
    }
}

#[test]
fn documents_nobody_opened_have_no_answers() {
    let mut client = client();
    for method in ["textDocument/hover", "textDocument/completion", "textDocument/definition"] {
        let params = client.at("nowhere/at-all.yml", 3, 3);
        let answer = client.request(method, params);
        assert!(
            answer.is_null() || answer.get("items").unwrap_or(&answer).as_array().is_some_and(Vec::is_empty),
            "{method}: {answer}"
        );
    }
}

#[test]
fn half_typed_documents_are_answered() {
    let mut client = client();
    for text in [
        "",
        "#@data/values\n---\nna",
        "#@data/values\n---\n\"",
        "#@data/values\n---\n- [{\n",
        "\u{feff}a: &",
        "---\n...\n%",
        "\t\t\t:\n",
    ] {
        client.replace("values.yml", text);
        let lines = u32::try_from(text.lines().count()).expect("few lines");
        for line in 0..=lines {
            for method in ["textDocument/hover", "textDocument/completion", "textDocument/definition"] {
                let params = client.at("values.yml", line, 99);
                client.request(method, params);
            }
        }
        let uri = client.uri("values.yml");
        client.request("textDocument/documentSymbol", json!({"textDocument": {"uri": uri}}));
    }
}
