//! Diagnostics the client asks for.

use serde_json::{Value, json};

use crate::bombs::ENDLESS;
use crate::client::{Client, Setup, codes};
use crate::{GOOD_VALUES, SCHEMA, VALUES};

fn pulling() -> Setup {
    Setup::rich().capability("textDocument.diagnostic", json!({"dynamicRegistration": true})).file("schema.yml", SCHEMA)
}

fn pull(client: &mut Client, name: &str, previous: Option<&Value>) -> Value {
    let params = json!({"textDocument": {"uri": client.uri(name)}, "previousResultId": previous});
    client.request("textDocument/diagnostic", params)
}

#[test]
fn who_pulls_is_never_pushed_to() {
    let mut client = pulling().start();
    assert_eq!(client.capabilities["diagnosticProvider"]["interFileDependencies"], true);
    client.open("values.yml", VALUES);
    let report = pull(&mut client, "values.yml", None);
    assert_eq!(report["kind"], "full");
    assert_eq!(report["items"][0]["code"], "ytt/type-mismatch");
    client.replace("values.yml", GOOD_VALUES);
    let report = pull(&mut client, "values.yml", None);
    assert_eq!(report["items"], json!([]));
    client.close("values.yml");
    let id = client.send_request("shutdown", Value::Null);
    client.answer(id);
    assert!(client.notifications.iter().all(|message| message["method"] != "textDocument/publishDiagnostics"));
}

#[test]
fn who_does_not_pull_is_not_offered_it() {
    for setup in [Setup::new(), Setup::rich()] {
        let client = setup.start();
        assert!(client.capabilities.get("diagnosticProvider").is_none());
    }
}

/// Editing a schema changes what is shown for values. A client that cannot be asked to pull again would not notice.
#[test]
fn who_can_not_be_asked_to_pull_again_is_pushed_to() {
    let mut client = Setup::new().capability("textDocument.diagnostic", json!({})).file("schema.yml", SCHEMA).start();
    assert!(client.capabilities.get("diagnosticProvider").is_none());
    client.open("values.yml", VALUES);
    client.diagnostics("values.yml", 1);
}

#[test]
fn the_same_findings_are_not_sent_twice() {
    let mut client = pulling().start();
    client.open("values.yml", VALUES);
    let first = pull(&mut client, "values.yml", None);
    let again = pull(&mut client, "values.yml", Some(&first["resultId"]));
    assert_eq!(again, json!({"kind": "unchanged", "resultId": first["resultId"]}));
    client.replace("values.yml", GOOD_VALUES);
    let changed = pull(&mut client, "values.yml", Some(&first["resultId"]));
    assert_eq!(changed["kind"], "full");
}

#[test]
fn the_client_is_asked_to_pull_again_when_another_file_matters() {
    let mut client = pulling().start();
    client.open("values.yml", VALUES);
    client.open("schema.yml", SCHEMA);
    assert_eq!(pull(&mut client, "values.yml", None)["items"][0]["code"], "ytt/type-mismatch");
    client.server_requests.clear();
    client.replace("schema.yml", &SCHEMA.replace("8080", "\"8080\""));
    client.server_request("workspace/diagnostic/refresh");
    assert_eq!(pull(&mut client, "values.yml", None)["items"], json!([]));
}

#[test]
fn an_unknown_document_has_no_findings() {
    let mut client = pulling().start();
    assert_eq!(pull(&mut client, "nowhere.yml", None)["items"], json!([]));
}

/// Related places are sent as related information, or as a part of the message.
#[test]
fn further_places_are_text_for_who_can_not_follow_links() {
    let announced = |pushed: Value, pulled: Value| {
        let setup = pulling().capability("textDocument.publishDiagnostics", json!({"relatedInformation": pushed}));
        let mut client = setup.capability("textDocument.diagnostic", json!({"relatedInformation": pulled})).start();
        client.open("values.yml", VALUES);
        let found = pull(&mut client, "values.yml", None)["items"][0].clone();
        let in_text = found["message"].as_str().is_some_and(|text| text.contains("\nschema.yml:5: "));
        assert_ne!(in_text, found.get("relatedInformation").is_some(), "{found}");
        in_text
    };
    assert!(announced(Value::Null, Value::Null));
    assert!(announced(json!(false), json!(false)));
    assert!(announced(json!(true), json!(false)));
    assert!(!announced(json!(false), json!(true)));
    // A client from before the pulled ones had a capability of their own.
    assert!(!announced(json!(true), Value::Null));

    let mut client = Setup::new().file("schema.yml", SCHEMA).start();
    client.open("values.yml", VALUES);
    let found = client.diagnostics("values.yml", 1);
    assert!(found[0]["message"].as_str().is_some_and(|text| text.contains("\nschema.yml:5: ")), "{found:?}");
}

/// Findings that need no code are sent at once if code is slow; when the code has run, the client is asked to pull
/// again.
#[test]
fn what_needs_no_code_is_pulled_first_and_a_refresh_follows() {
    let mut client = pulling().start();
    client.wait("the end of the scan", |message| message["params"]["value"]["kind"] == "end");
    client.server_requests.clear();
    client.open(
        "coded/schema.yml",
        &format!("#@data/values-schema\n---\n{ENDLESS}#@schema/nullabel\na: #@ str(x)\nb: #@ 1 / 0\n"),
    );
    let first = pull(&mut client, "coded/schema.yml", None);
    let of = |items: &[Value]| codes(items).join(" ");
    assert_eq!(of(first["items"].as_array().expect("a list")), "ytt/unknown-annotation", "{first}");
    client.server_request("workspace/diagnostic/refresh");
    assert_eq!(of(&client.all_findings("coded/schema.yml")), "ytt/not-evaluated ytt/unknown-annotation");
}
