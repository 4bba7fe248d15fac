//! Bad input: a clear message, no crash, no stall.

use serde_json::{Value, json};

use crate::client::{Client, Setup};
use crate::{GOOD_VALUES, SCHEMA, VALUES};

fn setup() -> Setup {
    Setup::rich().file("schema.yml", SCHEMA)
}

/// The server still works.
fn alive(client: &mut Client) {
    client.open("still-values.yml", VALUES);
    assert_eq!(client.diagnostics("still-values.yml", 1).len(), 1);
    let params = client.at("still-values.yml", 2, 1);
    assert!(!client.request("textDocument/hover", params).is_null());
    client.close("still-values.yml");
}

#[test]
fn empty_and_strange_texts() {
    let mut client = setup().start();
    for (number, text) in [
        "",
        "\n",
        "\u{feff}",
        "\0",
        "---",
        "...",
        "%YAML 9.9\n---\n",
        "\r",
        "\u{2028}",
        "💥",
        "#@",
        "#@ end",
        "#@data/values",
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("strange-values-{number}.yml");
        client.open(&name, text);
        client.diagnostics(&name, 1);
    }
    alive(&mut client);
}

#[test]
fn deep_nesting() {
    let mut client = setup().start();
    for (number, unit) in ["[", "{a: ", "- ", "? ", "[{"].into_iter().enumerate() {
        let name = format!("deep-values-{number}.yml");
        client.open(&name, &format!("#@data/values\n---\n{}", unit.repeat(100_000)));
        client.diagnostics(&name, 1);
        let uri = client.uri(&name);
        client.request("textDocument/documentSymbol", json!({"textDocument": {"uri": uri}}));
        for method in ["textDocument/hover", "textDocument/completion", "textDocument/definition"] {
            let params = client.at(&name, 2, 150_000);
            client.request(method, params);
        }
        client.close(&name);
    }
    alive(&mut client);
}

#[test]
fn ten_thousand_errors_are_capped_with_a_note() {
    let mut client = setup().start();
    let text = format!("#@data/values\n---\n{}", (0..10_000).map(|n| format!("wrong{n}: 1\n")).collect::<String>());
    client.open("values.yml", &text);
    let found = client.diagnostics("values.yml", 1);
    assert!((100..=1_100).contains(&found.len()), "{}", found.len());
    let note = found.iter().find(|d| d["message"].as_str().is_some_and(|text| text.contains("more")));
    assert!(note.is_some(), "no note about the rest among {} findings", found.len());
    alive(&mut client);
}

#[test]
fn aliases_that_multiply() {
    let mut client = setup().start();
    let mut text = "#@data/values\n---\na: &a [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for (this, last) in ('b'..='z').zip('a'..) {
        text += &format!(
            "{this}: &{this} [*{last}, *{last}, *{last}, *{last}, *{last}, *{last}, *{last}, *{last}, *{last}]\n"
        );
    }
    text += "name: *z\n";
    client.open("values.yml", &text);
    client.diagnostics("values.yml", 1);
    let params = client.at("values.yml", 3, 1);
    client.request("textDocument/hover", params);
    client.close("values.yml");
    client.open("self-values.yml", "a: &a [*a]\nb: *nobody\n<<: *a\n");
    client.diagnostics("self-values.yml", 1);
    alive(&mut client);
}

#[test]
fn a_file_that_is_not_text() {
    let mut client = setup()
        .file("config/schema.yml", b"#@data/values-schema\n---\na: \xff\xfe\n")
        .file("config/values.yml", b"\x00\x01\xff")
        .start();
    client.open("config/more-values.yml", VALUES);
    client.diagnostics("config/more-values.yml", 1);
    alive(&mut client);
}

#[test]
fn a_document_of_fifty_megabytes() {
    let mut client = setup().start();
    let line =
        "  some_key_that_is_long_enough: a value that is long enough as well, so that a line has one hundred chars\n";
    // Without optimisation the same takes many times as long and shows nothing more.
    let size = if cfg!(debug_assertions) { 5 << 20 } else { 50 << 20 };
    let text = format!(
        "#@data/values\n---\nname: shop\n#@overlay/match missing_ok=True\nbig:\n{}port: \"80\"\n",
        line.repeat(size / line.len())
    );
    client.open("big-values.yml", &text);
    // Whatever is decided about it, others are not held up for a long time, and the server lives.
    client.open("small-values.yml", GOOD_VALUES);
    let params = client.at("small-values.yml", 2, 1);
    assert!(!client.request("textDocument/hover", params).is_null());
    client.diagnostics_where("big-values.yml", "anything", |_| true);
    client.diagnostics_where("small-values.yml", "anything", |_| true);
    client.close("big-values.yml");
    alive(&mut client);
}

#[test]
fn messages_that_are_not_json_or_have_the_wrong_shape() {
    let mut client = setup().start();
    let uri = client.uri("values.yml");
    client.notify("textDocument/didOpen", json!({"textDocument": {"uri": uri, "version": "one"}}));
    client.notify("textDocument/didChange", json!({"textDocument": {"uri": uri}, "contentChanges": 5}));
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": "not a uri", "type": 77}]}));
    client.notify("workspace/didChangeConfiguration", json!({"settings": [1, 2]}));
    client.open_uri("", "a: [");
    client.open_uri("file://", "a: [");
    client.open_uri("http://example.com/a-values.yml?x=1", "a: [");
    let id = client.send_request("textDocument/completion", Value::Null);
    assert!(client.answer(id).get("error").is_some());
    alive(&mut client);
}

#[test]
fn opened_twice_closed_twice() {
    let mut client = setup().start();
    client.open("values.yml", VALUES);
    client.open("values.yml", GOOD_VALUES);
    client.diagnostics_where("values.yml", "the second text", |params| params["diagnostics"] == json!([]));
    client.close("values.yml");
    client.close("values.yml");
    alive(&mut client);
}
