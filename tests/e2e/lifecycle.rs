//! Beginning and end.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::Setup;

#[test]
fn shutdown_and_exit_end_with_success() {
    let status = Setup::new().start().stop();
    assert_eq!(status.code(), Some(0));
}

#[test]
fn exit_without_shutdown_ends_with_failure() {
    let mut client = Setup::new().start();
    client.notify("exit", Value::Null);
    assert_eq!(client.ended().code(), Some(1));
}

#[test]
fn a_client_that_goes_away_ends_the_server() {
    let mut client = Setup::new().file("schema.yml", crate::SCHEMA).file("values.yml", crate::VALUES).start();
    client.open_file("values.yml");
    client.diagnostics("values.yml", 1);
    client.close_stdin();
    assert_eq!(client.ended().code(), Some(1));
}

#[test]
fn exit_is_obeyed_while_stdin_stays_open_and_before_initialize() {
    let mut client = Setup::new().spawn();
    client.notify("exit", Value::Null);
    assert_eq!(client.ended().code(), Some(1));
}

#[test]
fn requests_before_initialize_are_refused() {
    let mut client = Setup::new().spawn();
    let params = client.at("values.yml", 0, 0);
    let id = client.send_request("textDocument/hover", params);
    assert_eq!(client.answer(id)["error"]["code"], -32002);
    client.initialize();
    assert_eq!(client.stop().code(), Some(0));
}

#[test]
fn the_server_says_who_it_is() {
    let mut client = Setup::new().spawn();
    let id = client.send_request("initialize", json!({"processId": null, "rootUri": null, "capabilities": {}}));
    let answer = client.answer(id);
    assert_eq!(answer["result"]["serverInfo"]["name"], "lofting");
    assert_eq!(answer["result"]["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(answer["result"]["capabilities"]["textDocumentSync"]["change"], 2);
}

#[test]
fn unknown_methods_are_refused_or_ignored() {
    let mut client = Setup::new().start();
    client.notify("$/setTrace", json!({"value": "verbose"}));
    client.notify("lofting/unheardOf", json!({}));
    let id = client.send_request("lofting/unheardOf", json!({}));
    assert_eq!(client.answer(id)["error"]["code"], -32601);
    let id = client.send_request("textDocument/hover", json!({"nonsense": true}));
    assert_eq!(client.answer(id)["error"]["code"], -32602);
    assert_eq!(client.stop().code(), Some(0));
}

#[test]
fn it_works_without_a_workspace_folder() {
    let mut client = Setup::new().roots(&[]).start();
    client.open("values.yml", "a: [1\n");
    client.open_uri("untitled:Untitled-1", "#@data/values\n---\na: [1\n");
    let params = client.diagnostics_of_uri("untitled:Untitled-1", "a syntax error", |_| true);
    assert_eq!(params["diagnostics"].as_array().map(Vec::len), Some(1), "{params}");
    assert_eq!(client.stop().code(), Some(0));
}

/// A smoke alarm, not a benchmark: figures are measured in `tests/bench`.
#[test]
fn initialize_is_answered_at_once() {
    let started = Instant::now();
    let _client = Setup::rich().start();
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
}

#[test]
fn warnings_go_to_the_clients_log_with_their_level() {
    let mut client = Setup::rich().start();
    let document = json!({"uri": client.uri("never-opened.yml"), "version": 2});
    client.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": [{"text": "a: 1\n"}]}));
    let message = client.wait("a message for the log", |message| message["method"] == "window/logMessage");
    assert_eq!(message["params"], json!({"type": 2, "message": "a document was changed that is not open"}));
}
