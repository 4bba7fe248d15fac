//! The user's settings, whichever way the client hands them over.

use serde_json::{Value, json};

use crate::client::{Client, Setup, codes};
use crate::{SCHEMA, VALUES};

/// Settings under which `plain.yml`, which nothing else makes values, has a schema.
fn chosen() -> Value {
    json!({"lofting": {"schemas": {"elsewhere/schema.yml": ["plain.yml"]}}})
}

fn setup() -> Setup {
    Setup::new().file("elsewhere/schema.yml", SCHEMA)
}

const PLAIN: &str = "name: shop\nport: \"80\"\n";

fn expect_mistake(client: &mut Client) {
    let params = client
        .diagnostics_where("plain.yml", "the schema of the settings", |params| params["diagnostics"] != json!([]));
    assert_eq!(codes(params["diagnostics"].as_array().expect("a list")), ["ytt/type-mismatch"]);
}

#[test]
fn initialization_options() {
    let mut client = setup().options(chosen()).start();
    client.open("plain.yml", PLAIN);
    expect_mistake(&mut client);
}

#[test]
fn sent_along_with_did_change_configuration() {
    let mut client = setup().start();
    client.open("plain.yml", PLAIN);
    assert!(client.diagnostics("plain.yml", 1).is_empty());
    client.notify("workspace/didChangeConfiguration", json!({"settings": chosen()}));
    expect_mistake(&mut client);
    client.notify("workspace/didChangeConfiguration", json!({"settings": {}}));
    client.diagnostics_where("plain.yml", "no schema", |params| params["diagnostics"] == json!([]));
}

#[test]
fn asked_for() {
    let mut client = setup().capability("workspace.configuration", json!(true)).settings(chosen()).start();
    client.open("plain.yml", PLAIN);
    // The settings are known before the first findings come: nothing wrong is shown even for a moment.
    assert_eq!(codes(&client.diagnostics("plain.yml", 1)), ["ytt/type-mismatch"]);
    client.set_settings(json!({}));
    client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
    client.diagnostics_where("plain.yml", "no schema", |params| params["diagnostics"] == json!([]));
}

#[test]
fn the_setting_shared_with_another_server() {
    for pattern in ["plain.yml", "*.yml"] {
        let mut client = setup().start();
        client.open("plain.yml", PLAIN);
        let schema = client.uri("elsewhere/schema.yml");
        client.notify(
            "workspace/didChangeConfiguration",
            json!({"settings": {"yaml": {"schemas": {schema: [pattern]}}}}),
        );
        expect_mistake(&mut client);
    }
}

#[test]
fn a_client_that_never_answers_still_gets_findings() {
    let mut client = setup()
        .file("schema.yml", SCHEMA)
        .capability("workspace.configuration", json!(true))
        .configuration_by_hand()
        .start();
    client.open("values.yml", VALUES);
    assert_eq!(codes(&client.diagnostics("values.yml", 1)), ["ytt/type-mismatch"]);
}

#[test]
fn late_answers_to_old_questions_do_not_count() {
    let mut client = setup().capability("workspace.configuration", json!(true)).configuration_by_hand().start();
    let first = client.server_request("workspace/configuration");
    client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
    let second = client.server_request("workspace/configuration");
    client.open("plain.yml", PLAIN);
    client.set_settings(chosen());
    let answer = client.settings_answer(&second);
    client.send(json!({"jsonrpc": "2.0", "id": second["id"], "result": answer}));
    client.send(json!({"jsonrpc": "2.0", "id": first["id"], "result": [null, null]}));
    expect_mistake(&mut client);
    let version = client.change("plain.yml", [0, 6, 0, 6], "\n port: x\n");
    client.diagnostics_where("plain.yml", "still the schema", |params| {
        params["version"] == version && params["diagnostics"] != json!([])
    });
}

#[test]
fn a_refusal_is_no_disaster() {
    let mut client = setup()
        .file("schema.yml", SCHEMA)
        .capability("workspace.configuration", json!(true))
        .configuration_by_hand()
        .start();
    let question = client.server_request("workspace/configuration");
    client.send(json!({"jsonrpc": "2.0", "id": question["id"], "error": {"code": -32603, "message": "no"}}));
    client.open("values.yml", VALUES);
    assert_eq!(codes(&client.diagnostics("values.yml", 1)), ["ytt/type-mismatch"]);
}

#[test]
fn mistakes_are_reported_once_in_plain_words() {
    let mut client = setup().options(json!({"lofting": {"files": {"maximum": "many"}}})).start();
    let message = client.wait("a message", |message| message["method"] == "window/showMessage");
    assert!(
        message["params"]["message"].as_str().expect("text").contains("lofting.files.maximum must be an integer"),
        "{message}"
    );
}
