//! Quick fixes and refactorings through the protocol. What is offered where is tested in `ide`.

use serde_json::{Value, json};

use crate::client::{Client, Setup};
use crate::{SCHEMA, VALUES};

fn setup() -> Setup {
    Setup::rich().file("schema.yml", SCHEMA).capability(
        "textDocument.codeAction",
        json!({"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}, "isPreferredSupport": true}),
    )
}

/// A client that asks for the edit of the action that was chosen.
fn resolving() -> Setup {
    setup()
        .capability("textDocument.codeAction.dataSupport", json!(true))
        .capability("textDocument.codeAction.resolveSupport", json!({"properties": ["edit"]}))
        .capability("workspace.workspaceEdit", json!({"documentChanges": true}))
}

fn ask(client: &mut Client, line: u32, only: &[&str]) -> Vec<Value> {
    let uri = client.uri("values.yml");
    let at = json!({"line": line, "character": 0});
    let mut context = json!({"diagnostics": []});
    if !only.is_empty() {
        context["only"] = json!(only);
    }
    let params = json!({"textDocument": {"uri": uri}, "range": {"start": at, "end": at}, "context": context});
    client.request("textDocument/codeAction", params).as_array().expect("actions").clone()
}

fn titles(actions: &[Value]) -> Vec<&str> {
    actions.iter().map(|action| action["title"].as_str().expect("a title")).collect()
}

#[test]
fn an_action_carries_its_edit_for_who_does_not_ask_for_it() {
    let mut client = setup().start();
    client.open("values.yml", VALUES);
    let actions = ask(&mut client, 3, &[]);
    assert_eq!(titles(&actions)[0], "Remove the quotes");
    let uri = client.uri("values.yml");
    assert_eq!(actions[0]["edit"]["changes"][&uri][0]["newText"], "80", "{actions:?}");
    assert_eq!((&actions[0]["kind"], &actions[0]["isPreferred"]), (&json!("quickfix"), &json!(true)));
    // Actions for the whole file are computed only on request.
    assert!(actions.iter().all(|action| action.get("data").is_none() && action["kind"] == "quickfix"), "{actions:?}");
    let actions = ask(&mut client, 0, &["source.fixAll"]);
    assert_eq!(actions.len(), 1);
    assert!(actions[0]["edit"]["changes"][&uri].is_array(), "{actions:?}");
}

#[test]
fn the_edit_of_the_chosen_action_is_made_when_it_is_asked_for() {
    let mut client = resolving().start();
    client.open("values.yml", VALUES);
    let actions = ask(&mut client, 3, &[]);
    assert!(actions.iter().all(|action| action.get("edit").is_none()), "{actions:?}");
    assert!(titles(&actions).contains(&"Fix all safe problems in this file"), "{actions:?}");
    for action in &actions {
        let resolved = client.request("codeAction/resolve", action.clone());
        let edits = resolved["edit"]["documentChanges"].as_array().expect("edits");
        assert!(!edits.is_empty() && edits.iter().all(|edit| edit["textDocument"]["version"] == 1), "{resolved}");
        assert_eq!(resolved["title"], action["title"]);
    }
    // An action of an older text is refused.
    client.change("values.yml", [3, 0, 3, 0], "  ");
    let id = client.send_request("codeAction/resolve", actions[0].clone());
    let refused = client.answer(id);
    assert_eq!(refused["error"]["code"], -32801, "{refused}");
}

#[test]
fn only_the_kinds_that_were_asked_for_are_offered() {
    let mut client = setup().start();
    client.open("values.yml", VALUES);
    for (only, kind) in [("quickfix", "quickfix"), ("source", "source.fixAll.lofting")] {
        let actions = ask(&mut client, 3, &[only]);
        assert!(!actions.is_empty() && actions.iter().all(|action| action["kind"] == kind), "{actions:?}");
    }
    assert!(ask(&mut client, 3, &["refactor.move"]).is_empty());
}

#[test]
fn an_action_of_somebody_else_comes_back_as_it_was() {
    let mut client = resolving().start();
    client.open("values.yml", VALUES);
    for data in [json!(null), json!({"uri": 1}), json!("x")] {
        let action = json!({"title": "x", "data": data});
        assert_eq!(client.request("codeAction/resolve", action)["title"], "x");
    }
}
