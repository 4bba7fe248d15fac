//! Bursts: nothing overtakes, nothing is lost, nothing locks up.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::client::{Client, Setup, range_json};
use crate::{SCHEMA, VALUES};

/// Types `digits` over the port, one change a character, and returns the last version.
fn type_digits(client: &mut Client, count: u32) -> i64 {
    let mut version = 0;
    for number in 0..count {
        version = client.change("values.yml", [3, 6 + number, 3, 6 + number], &(number % 10).to_string());
    }
    version
}

/// The burst at which servers that handle messages side by side lose edits: 20,000 changes with 100 requests among
/// them, each cancelled at once.
#[test]
fn twenty_thousand_changes_a_hundred_requests_a_hundred_cancels() {
    const LINES: u32 = 800;
    const DIGITS: u32 = 25;
    let mut client = Setup::rich().file("schema.yml", "#@data/values-schema\n---\nports: [0]\n").start();
    client.open("values.yml", &format!("#@data/values\n---\nports:\n{}", "- ''\n".repeat(LINES as usize)));
    client.diagnostics("values.yml", 1);
    let mut requests = HashSet::new();
    let mut version = 0;
    for line in 0..LINES {
        // Each digit after the previous one: any inversion results in a different text.
        for digit in 0..DIGITS {
            version =
                client.change("values.yml", [3 + line, 3 + digit, 3 + line, 3 + digit], &(digit % 10).to_string());
        }
        if line % 8 == 0 {
            let method =
                ["textDocument/hover", "textDocument/completion", "textDocument/definition"][line as usize % 3];
            let params = client.at("values.yml", 2, 2);
            let id = client.send_request(method, params);
            requests.insert(id);
            client.cancel(id);
        }
    }
    assert_eq!((version, requests.len()), (20_001, 100));
    for id in requests {
        let answer = client.answer(id);
        let code = answer["error"]["code"].as_i64();
        assert!(matches!(code, None | Some(-32800 | -32801)), "{answer}");
    }
    // Every line has the digits as they were typed: the findings quote them.
    let found = client.diagnostics("values.yml", version);
    assert_eq!(found.len(), LINES as usize);
    let typed: String = (0..DIGITS).map(|digit| char::from(b'0' + (digit % 10) as u8)).collect();
    for (line, finding) in (3..).zip(&found) {
        assert_eq!(finding["range"], range_json([line, 2, line, 4 + DIGITS]));
        assert!(finding["message"].as_str().expect("text").contains(&typed), "{finding}");
    }
    let versions: Vec<_> =
        client.notifications.iter().filter_map(|message| message["params"]["version"].as_i64()).collect();
    assert!(versions.is_sorted(), "findings of an older text came after those of a newer one: {versions:?}");
    assert_eq!(client.stop().code(), Some(0));
}

/// If a handler itself waits for the client, 110 messages after four of them are a deadlock.
#[test]
fn three_hundred_changes_after_four_questions_for_settings() {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).configuration_by_hand().start();
    let mut questions = vec![client.server_request("workspace/configuration")];
    client.open("values.yml", "#@data/values\n---\nname: shop\nport: \n");
    for _ in 0..4 {
        client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
    }
    let version = type_digits(&mut client, 300);
    for _ in 0..4 {
        questions.push(client.server_request("workspace/configuration"));
    }
    for question in &questions {
        client.send(json!({"jsonrpc": "2.0", "id": question["id"], "result": [null, null]}));
    }
    let version = client.change("values.yml", [3, 6, 3, 6], "\"").max(version);
    let version = client.change("values.yml", [3, 307, 3, 307], "\"").max(version);
    let found = client.diagnostics("values.yml", version);
    assert_eq!(found[0]["range"]["end"], json!({"line": 3, "character": 308}), "{found:?}");
}

#[test]
fn a_request_sees_all_changes_before_it_and_none_after() {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
    client.open("values.yml", VALUES);
    for _ in 0..50 {
        for (old, key, expected) in [("name", "level", "debug"), ("level", "name", "Name of the service")] {
            client.change("values.yml", [2, 0, 2, old.len() as u32], key);
            let params = client.at("values.yml", 2, 1);
            let id = client.send_request("textDocument/hover", params);
            // Comes too late for that answer, or makes it stale; it must not show in it.
            client.change("values.yml", [2, 0, 2, 0], "x");
            let answer = client.answer(id);
            assert!(answer["error"]["code"] == -32801 || answer["result"].to_string().contains(expected), "{answer}");
            client.change("values.yml", [2, 0, 2, 1], "");
            let params = client.at("values.yml", 2, 1);
            let hover = client.request("textDocument/hover", params);
            assert!(hover.to_string().contains(expected), "{hover}");
        }
    }
}

#[test]
fn cancelled_requests_are_answered_as_such_or_not_at_all_late() {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
    client.open("values.yml", VALUES);
    let ids: Vec<_> = (0..64)
        .map(|_| {
            let params = client.at("values.yml", 2, 1);
            let id = client.send_request("textDocument/hover", params);
            client.cancel(id);
            id
        })
        .collect();
    for id in ids {
        let answer = client.answer(id);
        assert!(answer.get("result").is_some() || answer["error"]["code"] == -32800, "{answer}");
    }
    client.cancel(987_654);
    client.notify("$/cancelRequest", json!({"id": "unheard of"}));
    let params = client.at("values.yml", 2, 1);
    assert!(!client.request("textDocument/hover", params).is_null());
}

#[test]
fn who_types_without_a_pause_sees_findings_in_between() {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
    client.open("values.yml", crate::GOOD_VALUES);
    client.diagnostics("values.yml", 1);
    // Each wrong and each right value is waited for while the next change is already on its way.
    for round in 0..20 {
        let wrong = client.replace("values.yml", VALUES);
        client.diagnostics_where("values.yml", "wrong or newer", |params| params["version"].as_i64() >= Some(wrong));
        let right = client.replace("values.yml", crate::GOOD_VALUES);
        let found = client.diagnostics("values.yml", right);
        assert!(found.is_empty(), "{round}: {found:?}");
    }
}

#[test]
fn requests_for_many_documents_at_once() {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
    for number in 0..100 {
        client.open(&format!("values-{number}.yml"), VALUES);
    }
    let ids: Vec<_> = (0..100)
        .map(|number| {
            let params = client.at(&format!("values-{number}.yml"), 2, 1);
            client.send_request("textDocument/hover", params)
        })
        .collect();
    for id in ids {
        assert_ne!(client.answer(id)["result"], Value::Null);
    }
    for number in 0..100 {
        assert_eq!(client.diagnostics(&format!("values-{number}.yml"), 1).len(), 1);
    }
}
