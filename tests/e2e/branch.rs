//! What the current branch breaks in a schema is hinted at in the editor.

use lofting_tests::history::History;
use serde_json::{Value, json};

use crate::client::{Client, Setup, codes};

const OLD: &str = "#@data/values-schema\n---\nport: 80\nname: \"\"\n";

/// The findings of a document once they hold what is wanted.
fn found(client: &mut Client, name: &str, what: &str, accept: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    let params = client
        .diagnostics_where(name, what, |params| params["diagnostics"].as_array().is_some_and(|list| accept(list)));
    params["diagnostics"].as_array().cloned().unwrap_or_default()
}

#[test]
fn a_change_that_breaks_is_hinted_at_after_a_pause() {
    let mut client = Setup::rich().file("config/schema.yml", OLD).start();
    History::at(&client.path("")).commit("main", &[("config/schema.yml", OLD)]);
    client.open("config/schema.yml", OLD);
    assert_eq!(codes(&client.diagnostics("config/schema.yml", 1)), Vec::<&str>::new());
    // What is not committed counts on the default branch.
    client.change("config/schema.yml", [2, 6, 2, 8], "\"80\"");
    let list = found(&mut client, "config/schema.yml", "another type", |list| !list.is_empty());
    assert_eq!(codes(&list), ["lofting/breaking-change"], "{list:?}");
    assert_eq!((&list[0]["severity"], &list[0]["range"]["start"]["line"]), (&4.into(), &2.into()));
    let message = list[0]["message"].as_str().expect("a message");
    assert!(message.starts_with("port: its type was integer and is string now"), "{message}");
    client.change("config/schema.yml", [2, 6, 2, 10], "8080");
    found(&mut client, "config/schema.yml", "nothing any more", <[Value]>::is_empty);
}

#[test]
fn what_the_branch_has_committed_is_hinted_at() {
    let new = "#@data/values-schema\n---\nport: 80\n";
    let mut client = Setup::rich().file("schema.yml", new).start();
    let mut history = History::at(&client.path(""));
    let first = history.commit("main", &[("schema.yml", OLD)]);
    history.set("refs/heads/feature", &first);
    history.commit("feature", &[("schema.yml", new)]);
    history.commit("main", &[("schema.yml", "")]);
    std::fs::write(history.git().join("HEAD"), "ref: refs/heads/feature\n").expect("a file");
    client.open("schema.yml", new);
    let list = found(&mut client, "schema.yml", "a key that is gone", |list| !list.is_empty());
    let message = list[0]["message"].as_str().expect("a message");
    assert!(message.starts_with("name: it is gone, and values that have it are refused"), "{message}");
}

#[test]
fn the_new_name_of_a_key_is_offered_for_values_and_templates() {
    let schema =
        |key: &str| format!("#@data/values-schema\n---\nservice:\n  #@schema/desc \"The port of it\"\n  {key}: 80\n");
    let (old, new) = (schema("port"), schema("ports"));
    let mut client = Setup::rich()
        .file("config/schema.yml", &new)
        .file("config/values.yml", "#@data/values\n---\nservice:\n  port: 81 # why\n")
        .file("config/app.yml", "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.service.port\n")
        .capability(
            "textDocument.codeAction",
            json!({"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}, "isPreferredSupport": true}),
        )
        .start();
    History::at(&client.path("")).commit("main", &[("config/schema.yml", &old)]);
    client.open("config/schema.yml", &new);
    let list = found(&mut client, "config/schema.yml", "a renamed key", |list| !list.is_empty());
    let params = json!({
        "textDocument": {"uri": client.uri("config/schema.yml")},
        "range": list[0]["range"],
        "context": {"diagnostics": []},
    });
    let actions = client.request("textDocument/codeAction", params);
    let title = "Move `service.port` to `service.ports` in all values and templates";
    let action = actions.as_array().into_iter().flatten().find(|action| action["title"] == title);
    let action = action.unwrap_or_else(|| panic!("{list:?}\n{actions}"));
    for (name, line) in [("config/values.yml", 3), ("config/app.yml", 1)] {
        let edits = &action["edit"]["changes"][client.uri(name)];
        assert_eq!(
            (&edits[0]["range"]["start"]["line"], &edits[0]["newText"]),
            (&json!(line), &json!("s")),
            "{action}"
        );
    }
}

/// The action with a title, out of those at a line of a document.
fn action(client: &mut Client, name: &str, line: u32, title: &str) -> Option<Value> {
    let params = json!({
        "textDocument": {"uri": client.uri(name)},
        "range": {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 0}},
        "context": {"diagnostics": []},
    });
    let actions = client.request("textDocument/codeAction", params);
    actions.as_array().into_iter().flatten().find(|action| action["title"] == title).cloned()
}

#[test]
fn a_migration_is_proposed_and_applied_in_the_editor() {
    let head = "#@data/values-schema\n---\n";
    let old = format!("{head}image: nginx:1\nport: 8080\nz: 1\n");
    let new = format!("{head}container:\n  image: nginx:1\n  port: 8080\nz: 1\n");
    let mut client = Setup::rich()
        .file("config/schema.yml", &new)
        .file("config/values.yml", "#@data/values\n---\n# which\nimage: a # why\nport: 81\n")
        .file("config/app.yml", "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.image\n")
        .file("deploy.sh", "#!/bin/sh\nytt -f config -v image=b\n")
        .capability(
            "textDocument.codeAction",
            json!({"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}, "isPreferredSupport": true}),
        )
        .capability(
            "workspace.workspaceEdit",
            json!({"documentChanges": true, "resourceOperations": ["create", "rename", "delete"]}),
        )
        .start();
    History::at(&client.path("")).commit("main", &[("config/schema.yml", &old)]);
    client.open("config/schema.yml", &new);
    found(&mut client, "config/schema.yml", "keys that moved", |list| list.len() == 2);
    let title = "Propose a migration of all values in moves.toml";
    let proposed = action(&mut client, "config/schema.yml", 1, title).expect("a plan");
    let changes = proposed["edit"]["documentChanges"].as_array().cloned().unwrap_or_default();
    assert_eq!((&changes[0]["kind"], &changes[0]["uri"]), (&json!("create"), &json!(client.uri("config/moves.toml"))));
    let plan = changes[1]["edits"][0]["newText"].as_str().expect("a text").to_owned();
    assert!(plan.contains("key = \"image\"\nto = \"container.image\"\n"), "{plan}");
    client.open_as("toml", "config/moves.toml", &plan);
    let edited = |action: &Value| -> Vec<(String, usize)> {
        let changes = action["edit"]["documentChanges"].as_array().cloned().unwrap_or_default();
        let edits = |change: &Value| {
            let uri = change["textDocument"]["uri"].as_str().unwrap_or_default();
            let count = change["edits"].as_array().map_or(0, Vec::len);
            (uri.rsplit('/').next().unwrap_or_default().to_owned(), count)
        };
        let mut all: Vec<(String, usize)> = changes.iter().map(edits).collect();
        all.sort();
        all
    };
    let all = action(&mut client, "config/moves.toml", 0, "Apply all 2 moves of this migration").expect("an action");
    let names = [("app.yml", 1), ("deploy.sh", 1), ("values.yml", 1)].map(|(name, count)| (name.to_owned(), count));
    assert_eq!(edited(&all), names, "{all}");
    let line = plan.lines().position(|line| line == "key = \"port\"").and_then(|line| u32::try_from(line).ok());
    let one = action(&mut client, "config/moves.toml", line.expect("a move"), "Apply this move of `port`");
    assert_eq!(edited(&one.expect("an action")), [("values.yml".to_owned(), 1)]);
    // What would be lost is not offered.
    client.change("config/moves.toml", [0, 0, 0, 0], "# half\n[[mo");
    assert_eq!(action(&mut client, "config/moves.toml", 0, "Apply all 2 moves of this migration"), None);
    client.replace("config/moves.toml", &plan);
    client.open("config/values.yml", "#@data/values\n---\nimage: a\ncontainer:\n  image: b\n");
    assert_eq!(action(&mut client, "config/moves.toml", 0, "Apply all 2 moves of this migration"), None);
}
