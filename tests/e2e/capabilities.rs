//! Nothing is used that the client did not announce.

use serde_json::{Value, json};

use crate::client::Setup;
use crate::{SCHEMA, VALUES};

/// Goes through a session with everything that could use a capability.
fn session(setup: Setup) -> (Vec<Value>, Vec<Value>, Vec<Value>) {
    let mut client = setup.file("schema.yml", SCHEMA).start();
    client.open("values.yml", VALUES);
    let found = client.diagnostics("values.yml", 1);
    client.change("values.yml", [4, 0, 4, 0], "db: ");
    let mut answers = Vec::new();
    for (method, line, character) in [
        ("textDocument/hover", 2, 1),
        ("textDocument/completion", 4, 4),
        ("textDocument/definition", 3, 1),
        ("textDocument/documentSymbol", 0, 0),
    ] {
        let params = client.at("values.yml", line, character);
        answers.push(client.request(method, params));
    }
    client.save("values.yml");
    client.notify("workspace/didChangeConfiguration", json!({"settings": {}}));
    let id = client.send_request("shutdown", Value::Null);
    client.answer(id);
    (found, answers, std::mem::take(&mut client.server_requests))
}

fn items(answer: &Value) -> &Vec<Value> {
    answer.get("items").unwrap_or(answer).as_array().expect("items")
}

#[test]
fn a_client_that_announces_nothing_gets_nothing_special() {
    let (found, answers, requests) = session(Setup::new());
    assert_eq!(requests, Vec::<Value>::new(), "no request may be sent to it");
    assert!(
        found
            .iter()
            .all(|d| ["relatedInformation", "tags", "codeDescription"].iter().all(|field| d.get(field).is_none())),
        "{found:?}"
    );
    let [hover, completion, definition, symbols] = answers.as_slice() else { panic!() };
    assert_eq!(hover["contents"]["kind"], "plaintext");
    assert!(!hover["contents"]["value"].as_str().expect("text").contains("**"), "{hover}");
    assert!(!items(completion).is_empty());
    for item in items(completion) {
        assert_ne!(item["insertTextFormat"], 2, "a snippet: {item}");
        assert!(!item["textEdit"]["newText"].as_str().expect("text").contains("${"), "{item}");
        assert!(item["textEdit"].get("range").is_some(), "{item}");
        for field in ["labelDetails", "tags", "insertTextMode", "commitCharacters"] {
            assert!(item.get(field).is_none(), "{field} in {item}");
        }
        assert_ne!(item["documentation"]["kind"], "markdown", "{item}");
    }
    assert!(completion.get("itemDefaults").is_none());
    let locations = definition.as_array().cloned().unwrap_or_else(|| vec![definition.clone()]);
    assert!(locations.iter().all(|location| location.get("uri").is_some()), "{definition}");
    assert!(
        symbols.as_array().expect("symbols").iter().all(|symbol| symbol.get("location").is_some()),
        "flat: {symbols}"
    );
}

#[test]
fn a_modern_client_gets_what_it_announced() {
    let (found, answers, requests) = session(Setup::rich());
    assert!(found[0].get("relatedInformation").is_some(), "{found:?}");
    let page = found[0]["codeDescription"]["href"].as_str().expect("an address");
    assert!(page.ends_with("/docs/rules/schema/type-mismatch.md"), "{page}");
    let [hover, completion, definition, symbols] = answers.as_slice() else { panic!() };
    assert_eq!(hover["contents"]["kind"], "markdown");
    assert!(items(completion).iter().any(|item| item["insertTextFormat"] == 2), "{completion}");
    assert!(definition[0].get("targetUri").is_some(), "{definition}");
    assert!(symbols[0].get("selectionRange").is_some(), "{symbols}");
    let methods: Vec<_> = requests.iter().map(|request| request["method"].as_str().expect("a method")).collect();
    for method in ["workspace/configuration", "client/registerCapability", "window/workDoneProgress/create"] {
        assert!(methods.contains(&method), "{method} in {methods:?}");
    }
}

#[test]
fn each_request_of_the_server_needs_its_own_capability() {
    for (capability, method) in [
        ("workspace.configuration", "workspace/configuration"),
        ("workspace.didChangeWatchedFiles.dynamicRegistration", "client/registerCapability"),
        ("window.workDoneProgress", "window/workDoneProgress/create"),
    ] {
        let (_, _, requests) = session(Setup::new().capability(capability, json!(true)));
        assert!(
            !requests.is_empty() && requests.iter().all(|request| request["method"] == method),
            "{capability}: {requests:?}"
        );
    }
}

#[test]
fn progress_begins_and_ends() {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
    let create = client.server_request("window/workDoneProgress/create");
    for kind in ["begin", "end"] {
        let message = client
            .wait(kind, |message| message["method"] == "$/progress" && message["params"]["value"]["kind"] == kind);
        assert_eq!(message["params"]["token"], create["params"]["token"]);
    }
}

#[test]
fn markdown_alone_is_not_forced_on_plain_clients() {
    for (formats, kind) in
        [(json!(["plaintext"]), "plaintext"), (json!(["plaintext", "markdown"]), "markdown"), (json!([]), "plaintext")]
    {
        let (_, answers, _) = session(Setup::new().capability("textDocument.hover.contentFormat", formats));
        assert_eq!(answers[0]["contents"]["kind"], kind);
    }
}
