//! Problems of files that are not open, sent where a setting asks for it.

use serde_json::{Value, json};

use crate::client::{Client, Setup, codes};
use crate::{GOOD_VALUES, SCHEMA, VALUES};

/// Values with a warning, and no error.
const OLD_VALUES: &str = "#@data/values\n---\nold: b\n";

fn setup() -> Setup {
    let schema = format!("{SCHEMA}#@schema/deprecated \"no more\"\nold: a\n");
    let files = Setup::rich().file("schema.yml", schema).file("good.yml", GOOD_VALUES);
    files.file("bad.yml", VALUES).file("old.yml", OLD_VALUES)
}

fn chosen(problems: &str) -> Value {
    json!({"lofting": {"workspaceProblems": problems}})
}

fn choose(client: &mut Client, problems: &str) {
    client.set_settings(chosen(problems));
    client.notify("workspace/didChangeConfiguration", json!({"settings": chosen(problems)}));
}

/// The next problems of a file that is not open.
fn pushed(client: &mut Client, name: &str) -> Vec<String> {
    let params = client.diagnostics_where(name, "without a version", |params| params["version"].is_null());
    codes(params["diagnostics"].as_array().expect("a list")).into_iter().map(str::to_owned).collect()
}

fn notify(client: &mut Client, kind: i64, name: &str) {
    let changes = json!([{"uri": client.uri(name), "type": kind}]);
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
}

/// How often something was sent about a file since the message with this number.
fn times(client: &Client, since: usize, name: &str) -> usize {
    let uri = client.uri(name);
    let messages = client.notifications.iter().skip(since);
    messages.filter(|message| message["params"]["uri"] == uri).count()
}

const TYPE: [&str; 1] = ["ytt/type-mismatch"];
const DEPRECATED: [&str; 1] = ["ytt/deprecated-value"];

#[test]
fn they_follow_the_files_and_the_setting() {
    let mut client = setup().settings(chosen("all")).start();
    assert_eq!(pushed(&mut client, "bad.yml"), TYPE);
    assert_eq!(pushed(&mut client, "old.yml"), DEPRECATED);
    // Only what is new is sent again.
    let before = client.notifications.len();
    client.write("old.yml", GOOD_VALUES);
    notify(&mut client, 2, "old.yml");
    assert!(pushed(&mut client, "old.yml").is_empty());
    assert_eq!([times(&client, before, "bad.yml"), times(&client, 0, "good.yml")], [0, 0]);
    client.write("old.yml", OLD_VALUES);
    notify(&mut client, 2, "old.yml");
    assert_eq!(pushed(&mut client, "old.yml"), DEPRECATED);
    // A file that is gone has none.
    client.remove("bad.yml");
    notify(&mut client, 3, "bad.yml");
    assert!(pushed(&mut client, "bad.yml").is_empty());
    client.write("bad.yml", VALUES);
    notify(&mut client, 1, "bad.yml");
    assert_eq!(pushed(&mut client, "bad.yml"), TYPE);
    // Errors alone.
    choose(&mut client, "errors");
    assert!(pushed(&mut client, "old.yml").is_empty());
    choose(&mut client, "all");
    assert_eq!(pushed(&mut client, "old.yml"), DEPRECATED);
    choose(&mut client, "off");
    assert!(pushed(&mut client, "old.yml").is_empty() && pushed(&mut client, "bad.yml").is_empty());
}

/// An edit of an open schema changes what is wrong in files that are not open.
#[test]
fn they_follow_open_documents() {
    let mut client = setup().settings(chosen("errors")).start();
    assert_eq!(pushed(&mut client, "bad.yml"), TYPE);
    client.open_file("schema.yml");
    client.change("schema.yml", [4, 6, 4, 10], "\"8080\"");
    assert!(pushed(&mut client, "bad.yml").is_empty());
    assert_eq!(pushed(&mut client, "good.yml"), TYPE);
    // An open document has its own findings, and those of its file again once it is closed.
    client.open("good.yml", VALUES);
    assert!(client.diagnostics("good.yml", 1).is_empty());
    client.close("good.yml");
    assert_eq!(pushed(&mut client, "good.yml"), TYPE);
}

/// What a client pulls is shown beside what it was sent.
#[test]
fn clients_that_pull_get_no_finding_twice() {
    let capable = setup().capability("textDocument.diagnostic", json!({}));
    let mut client = capable.settings(chosen("all")).start();
    assert_eq!(pushed(&mut client, "bad.yml"), TYPE);
    assert_eq!(pushed(&mut client, "old.yml"), DEPRECATED);
    client.open_file("bad.yml");
    assert!(pushed(&mut client, "bad.yml").is_empty());
    client.close("bad.yml");
    assert_eq!(pushed(&mut client, "bad.yml"), TYPE);
    client.request("workspace/diagnostic", json!({"previousResultIds": []}));
    assert!(pushed(&mut client, "old.yml").is_empty() && pushed(&mut client, "bad.yml").is_empty());
}

/// They come in parts, and all of them.
#[test]
fn many_files() {
    let mut setup = Setup::new().file("schema.yml", SCHEMA);
    for number in 0..250 {
        setup = setup.file(&format!("app-{number:03}/values.yml"), VALUES);
    }
    let mut client = setup.options(chosen("errors")).start();
    for number in 0..250 {
        assert_eq!(pushed(&mut client, &format!("app-{number:03}/values.yml")), TYPE);
    }
}
