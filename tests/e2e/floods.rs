//! Much of everything, in the wrong order: nothing stops, and what is over takes no room.

use serde_json::{Value, json};

use crate::client::{Client, Setup};
use crate::{GOOD_VALUES, SCHEMA, VALUES};

fn setup() -> Setup {
    Setup::rich().file("schema.yml", SCHEMA)
}

/// Everything sent so far was handled, and findings come.
fn alive(client: &mut Client) {
    client.open("still-values.yml", VALUES);
    assert_eq!(client.diagnostics("still-values.yml", 1).len(), 1);
    client.close("still-values.yml");
    client.diagnostics_where("still-values.yml", "taken back", |params| params["diagnostics"] == json!([]));
}

/// How many documents an optimised server would be given, and one that is not.
fn many(optimised: usize, else_wise: usize) -> usize {
    if cfg!(debug_assertions) { else_wise } else { optimised }
}

#[test]
fn many_documents_are_opened_and_closed_again_and_their_memory_comes_back() {
    let mut client = setup().start();
    alive(&mut client);
    let count = many(20_000, 2_000);
    let mut rounds = Vec::new();
    for _ in 0..3 {
        for number in 0..count {
            client.open(&format!("many/{number}-values.yml"), GOOD_VALUES);
        }
        for number in 0..count {
            client.close(&format!("many/{number}-values.yml"));
        }
        alive(&mut client);
        rounds.extend(client.memory());
    }
    // The first round teaches the server the names.
    if let [first, .., last] = rounds[..] {
        assert!(last <= first + first / 4 + (8 << 20), "memory grows from round to round: {rounds:?}");
    }
}

#[test]
fn thousands_of_requests_at_once_are_all_answered_and_cancellations_pass_them() {
    let mut client = setup().start();
    client.open("values.yml", VALUES);
    let count = many(10_000, 3_000);
    let methods = ["hover", "completion", "definition", "documentSymbol", "foldingRange", "references"];
    let params = client.at("values.yml", 2, 1);
    let mut context = params.clone();
    context["context"] = json!({"includeDeclaration": true, "triggerKind": 1});
    let ids: Vec<i64> = (0..count)
        .map(|number| {
            client.send_request(&format!("textDocument/{}", methods[number % methods.len()]), context.clone())
        })
        .collect();
    // Half of them, some twice, and some that never were.
    for id in ids.iter().step_by(2).chain(ids.iter().step_by(10)).chain(&[-1, 1 << 40]) {
        client.cancel(*id);
    }
    client.notify("$/cancelRequest", json!({"id": null}));
    client.notify("$/cancelRequest", json!({"id": ["x"]}));
    client.notify("$/cancelRequest", Value::Null);
    let mut open: std::collections::HashSet<i64> = ids.into_iter().collect();
    while !open.is_empty() {
        let answer = client.wait("an answer", |message| message.get("method").is_none() && message["id"].is_i64());
        let refused = answer.get("error").is_none_or(|error| error["code"] == -32800);
        assert!(refused, "{answer}");
        assert!(open.remove(&answer["id"].as_i64().expect("an id")), "answered twice: {answer}");
    }
    alive(&mut client);
}

#[test]
fn notifications_in_any_order_do_no_harm() {
    let mut client = setup().start();
    let uri = client.uri("values.yml");
    let change = |version: i64, text: &str| json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]});
    let ranged = |version: i64, range: [u32; 4], text: &str| {
        let range = crate::client::range_json(range);
        json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"range": range, "text": text}]})
    };
    // Never opened.
    client.notify("textDocument/didChange", change(1, VALUES));
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": uri}}));
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    client.open("values.yml", GOOD_VALUES);
    // Versions that fall, repeat and are extreme; ranges outside the text and the wrong way round.
    for version in [5, 3, 3, -1, i64::from(i32::MAX), i64::from(i32::MIN), 0] {
        client.notify("textDocument/didChange", change(version, GOOD_VALUES));
        client.notify("textDocument/didChange", ranged(version, [900, 9, 901, 4], "x: 1\n"));
        client.notify("textDocument/didChange", ranged(version, [3, 2, 1, 1], ""));
        client.notify("textDocument/didChange", ranged(version, [u32::MAX, 0, u32::MAX, u32::MAX], ""));
    }
    client.notify("textDocument/didChange", change(7, VALUES));
    let found = client.diagnostics_where("values.yml", "the last text", |params| params["version"] == 7);
    assert_eq!(found["diagnostics"].as_array().map(Vec::len), Some(1), "{found}");
    for _ in 0..3 {
        client.close("values.yml");
        client.notify("textDocument/didChange", change(8, "a: ["));
    }
    // Files that are renamed, and renamed over each other, while they are open.
    for round in 0..20 {
        let (from, to) = (format!("{}-values.yml", round % 3), format!("{}-values.yml", (round + 1) % 3));
        client.write(&from, GOOD_VALUES);
        client.open(&from, VALUES);
        std::fs::rename(client.path(&from), client.path(&to)).expect("a file to rename");
        let changes = json!([{"uri": client.uri(&from), "type": 3}, {"uri": client.uri(&to), "type": 1}]);
        client.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
        client.close(&from);
        client.open(&to, VALUES);
        if round % 2 == 0 {
            client.close(&to);
        }
    }
    alive(&mut client);
}
