//! Files that cost more than others of their size: no answer to one file waits for another file's.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Client, Setup};

/// What a hover may take beside such a file, on a machine that is busy with other tests. A check that reads the whole
/// file for each of its documents takes many times as long.
const BUDGET: Duration = Duration::from_secs(4);

const SCHEMA: &str = r#"{
  "properties": {"a": {"type": "string", "description": "The first."}, "long": {"pattern": "(?=.*.*.*.*=)x"}}
}"#;

const HEAD: &str = "# yaml-language-server: $schema=schema.json\n";

/// Name and text of each kind.
fn slow() -> Vec<(&'static str, String)> {
    let documents = |document: &str| format!("---\n{document}").repeat(2_000);
    vec![
        ("aliases", documents("a: &x s\nb: *x\n")),
        ("merge keys", documents("<<: &x {a: s}\nb: *x\n")),
        ("tags", documents("a: !!str s\n")),
        ("explicit keys", documents("? a\n: s\n")),
        ("complex keys", documents("? [a]\n: s\n")),
        ("repeated keys", "a: s\n".repeat(20_000)),
        ("a long string", format!("long: {}\n", "a".repeat(200_000))),
        ("many strings", format!("---\nlong: {}\n", "a".repeat(30)).repeat(2_000)),
    ]
}

fn hover(client: &mut Client) -> Duration {
    let place = client.at("other.yaml", 1, 1);
    let start = Instant::now();
    let answer = client.request("textDocument/hover", place);
    assert!(answer.to_string().contains("The first."), "{answer}");
    start.elapsed()
}

#[test]
fn no_answer_waits_for_a_slow_file() {
    for (name, text) in slow() {
        let mut client = Setup::rich().file("schema.json", SCHEMA).start();
        client.open("other.yaml", &format!("{HEAD}a: x\n"));
        hover(&mut client);
        client.open("slow.yaml", &format!("{HEAD}{text}"));
        // Whatever an editor asks of the file that it shows.
        let document = json!({"textDocument": {"uri": client.uri("slow.yaml")}});
        for method in ["documentSymbol", "codeLens", "foldingRange", "semanticTokens/full", "documentLink"] {
            client.send_request(&format!("textDocument/{method}"), document.clone());
        }
        let took = hover(&mut client);
        assert!(took < BUDGET, "{name}: {took:?}");
        let version = client.change("slow.yaml", [1, 0, 1, 0], "# a comment\n");
        let took = hover(&mut client);
        assert!(took < BUDGET, "{name}, after an edit: {took:?}");
        client.first_diagnostics("slow.yaml", version);
    }
}
