//! What the current branch breaks in a schema is hinted at in the editor.

use lofting_tests::history::History;
use serde_json::Value;

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
