//! Code that never ends or needs all memory, in a document that is being edited.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Client, Setup, codes};
use crate::{SCHEMA, VALUES};

/// Code that runs until the clock stops it: few steps, each of which takes a long time.
pub const ENDLESS: &str = "#@ x = \"a\" * 2000000\n#@ for i in range(40000000):\n#@   x.count(\"b\")\n#@ end\n";

/// Code that wants more memory than there is.
const GREEDY: &str = "#@ x = \"x\"\n#@ for i in range(60):\n#@   x = x + x\n#@ end\n";

/// What a hover may take while code runs: it waits for none of it. Far less than code may run for, far more than it
/// takes on an idle machine.
const BUDGET: Duration = Duration::from_millis(800);

fn schema(code: &str, more: &str) -> String {
    format!("#@data/values-schema\n---\n{code}#@schema/nullabel\nname: web\n{more}")
}

fn has(found: &Value, code: &str) -> bool {
    found["diagnostics"].as_array().is_some_and(|list| codes(list).contains(&code))
}

/// Waits until the code was stopped.
fn stopped(client: &mut Client, name: &str) {
    client.diagnostics_where(name, "the code was stopped", |found| has(found, "ytt/not-evaluated"));
}

#[test]
fn what_needs_no_code_is_said_before_it_ends() {
    let mut client = Setup::rich().start();
    client.open("schema.yml", &schema(ENDLESS, ""));
    let first = client.diagnostics_where("schema.yml", "the first findings", |found| found["version"] == 1);
    assert!(has(&first, "ytt/unknown-annotation") && !has(&first, "ytt/not-evaluated"), "{first}");
    // And what an edit made since.
    let version = client.change("schema.yml", [8, 0, 8, 0], "#@schema/titel \"x\"\nport: 80\n");
    let second = client.diagnostics_where("schema.yml", "findings of the edit", |found| {
        found["version"] == version && found["diagnostics"].as_array().is_some_and(|list| list.len() > 1)
    });
    assert!(!has(&second, "ytt/not-evaluated"), "{second}");
    stopped(&mut client, "schema.yml");
}

#[test]
fn what_code_says_comes_back_where_it_stays_the_same() {
    let mut client = Setup::rich().start();
    let code = ENDLESS.replace("#@ ", "").replace("#@   ", "  ");
    client.open("code.star", &code);
    client.open("schema.yml", &schema("#@ load(\"code.star\", \"x\")\n", ""));
    stopped(&mut client, "schema.yml");
    client.replace("code.star", &code.replace("40", "41"));
    client.diagnostics_where("schema.yml", "without what code says", |found| !has(found, "ytt/not-evaluated"));
    stopped(&mut client, "schema.yml");
}

#[test]
fn other_documents_do_not_wait_either() {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
    client.open("a/schema.yml", &schema(ENDLESS, ""));
    client.open("values.yml", VALUES);
    let found = client.diagnostics_where("values.yml", "its findings", |found| has(found, "ytt/type-mismatch"));
    assert_eq!(found["version"], 1);
    stopped(&mut client, "a/schema.yml");
}

/// Any request, in the document with the code and in others: only requests for final data values wait for code.
#[test]
fn no_answer_that_somebody_waits_for_waits_for_code() {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
    client.open("values.yml", VALUES);
    client.diagnostics("values.yml", 1);
    client.open("bomb.yml", &format!("#@data/values\n---\n{ENDLESS}name: #@ str(x)\n"));
    let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}});
    for method in [
        "textDocument/codeAction",
        "textDocument/completion",
        "textDocument/hover",
        "textDocument/definition",
        "textDocument/references",
        "textDocument/documentHighlight",
        "textDocument/signatureHelp",
        "textDocument/prepareRename",
        "textDocument/rename",
        "textDocument/documentSymbol",
        "textDocument/foldingRange",
        "textDocument/selectionRange",
        "textDocument/documentLink",
        "textDocument/diagnostic",
        "workspace/symbol",
        "lofting/explain",
        "lofting/schemaChoices",
    ] {
        for name in ["bomb.yml", "values.yml"] {
            let mut params = client.at(name, 2, 1);
            params["positions"] = json!([params["position"]]);
            params["range"] = whole.clone();
            params["context"] = json!({"diagnostics": [], "includeDeclaration": true, "triggerKind": 1});
            params["newName"] = json!("renamed");
            params["query"] = json!("a");
            let asked = Instant::now();
            let id = client.send_request(method, params);
            client.answer(id);
            assert!(asked.elapsed() < BUDGET, "{method} in {name}: {:?}", asked.elapsed());
        }
    }
    stopped(&mut client, "bomb.yml");
}

#[test]
fn hover_answers_while_a_bomb_runs_and_the_server_stays_small() {
    for code in [ENDLESS, GREEDY] {
        let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
        client.open("values.yml", VALUES);
        client.diagnostics("values.yml", 1);
        let before = client.memory();
        client.open("bomb.yml", &format!("#@data/values\n---\n{code}name: #@ str(x)\n"));
        let mut slowest = Duration::ZERO;
        for name in ["values.yml", "bomb.yml"].repeat(10) {
            let params = client.at(name, 2, 1);
            let asked = Instant::now();
            client.request("textDocument/hover", params);
            slowest = slowest.max(asked.elapsed());
        }
        assert!(slowest < BUDGET, "{slowest:?}");
        stopped(&mut client, "bomb.yml");
        if let (Some(before), Some(after)) = (before, client.memory()) {
            assert!(after < before + (48 << 20), "{before} -> {after}");
        }
        // The worker ends the code itself, and lives on.
        assert!(client.children() <= 1, "one worker is enough");
        // The next one does as if nothing had been.
        client.replace("bomb.yml", "#@data/values\n---\n#@ x = 1\nname: #@ str(x).nope\n");
        client.diagnostics_where("bomb.yml", "the next evaluation", |found| has(found, "ytt/evaluation"));
    }
}

#[test]
fn a_rule_that_is_stopped_says_so_and_silences_no_other() {
    let schema = "#@data/values-schema\n---\n\
                  #@schema/validation (\"long\", lambda v: \"x\" * (v * 100000000) == \"\")\na: 1\n\
                  #@schema/validation (\"even\", lambda v: v % 2 == 0)\nb: 2\n";
    let mut client = Setup::rich().file("schema.yml", schema).start();
    client.open("values.yml", "#@data/values\n---\na: 2\nb: 3\n");
    let found = client.diagnostics("values.yml", 1);
    assert_eq!(codes(&found), ["ytt/not-evaluated", "ytt/validation"]);
    assert_eq!(found[0]["severity"], 3);
    assert_eq!(found[0]["relatedInformation"][0]["location"]["range"]["start"]["line"], 2, "{found:?}");
}
