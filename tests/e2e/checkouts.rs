//! Branches that are checked out again and again: the server then knows what a fresh one knows, in as much memory.

use serde_json::{Value, json};

use crate::client::{Client, Setup};

/// So many times unless `LOFTING_CHECKOUTS` says otherwise.
const CHECKOUTS: usize = 120;

/// Paths with their texts on each of two branches; an empty one is not there.
const FILES: &[(&str, [&str; 2])] = &[
    (
        "config/schema.yml",
        [
            "#@data/values-schema\n---\nname: \"\"\nport: 80\n",
            "#@data/values-schema\n---\nname: \"\"\n#@schema/validation (\"be odd\", lambda v: v % 2 == 1)\nport: 81\nhost: \"\"\n",
        ],
    ),
    ("config/values.yml", ["#@data/values\n---\nport: 82\n", "#@data/values\n---\nport: 82\nhost: 1\n"]),
    (
        "config/template.yml",
        [
            "#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.name\n",
            "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"names.star\", \"full\")\nname: #@ full(data.values.host)\n",
        ],
    ),
    ("config/names.star", ["", "def full(name):\n  return name + data.values.nothing\nend\n"]),
    ("lofting.toml", ["", "[sets.all]\nfiles = [\"config\"]\nvalues = [\"plain.yml\"]\n"]),
    ("plain.yml", ["port: x\n", "port: x\nhost: 2\n"]),
    (
        "app.schema.json",
        ["{\"properties\": {\"a\": {\"type\": \"string\"}}}\n", "{\"properties\": {\"a\": {\"type\": \"integer\"}}}\n"],
    ),
    (
        "app.yml",
        [
            "# yaml-language-server: $schema=app.schema.json\na: 1\n",
            "# yaml-language-server: $schema=app.schema.json\na: x\n",
        ],
    ),
];

/// What is open the whole time: the editor changes the text of a clean document when its file changes.
const OPEN: [&str; 3] = ["config/values.yml", "config/template.yml", "app.yml"];

/// Writes the files of a branch as git does, and tells the server.
fn check_out(client: &mut Client, branch: usize) {
    let mut changes = Vec::new();
    for (path, texts) in FILES {
        let (before, now) = (texts[1 - branch], texts[branch]);
        let kind = match (before.is_empty(), now.is_empty()) {
            (_, true) => 3,
            (true, false) => 1,
            (false, false) => 2,
        };
        if now.is_empty() {
            client.remove(path);
        } else {
            // Git makes a new file.
            let _ = std::fs::remove_file(client.path(path));
            client.write(path, now);
        }
        changes.push(json!({"uri": client.uri(path), "type": kind}));
    }
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    for path in OPEN {
        if let Some((_, texts)) = FILES.iter().find(|(known, _)| *known == path) {
            client.replace(path, texts[branch]);
        }
    }
}

fn opened(client: &mut Client) {
    OPEN.into_iter().for_each(|path| client.open_file(path));
}

/// All findings of what is open.
fn findings(client: &mut Client) -> Vec<Value> {
    // What may be half-typed counts once it is saved.
    OPEN.into_iter().for_each(|path| client.save(path));
    // The first answers may come before all code has run for all files.
    for _ in 0..2 {
        OPEN.into_iter().for_each(|path| drop(client.all_findings(path)));
    }
    OPEN.into_iter().map(|path| Value::from(client.all_findings(path))).collect()
}

fn branch(number: usize) -> Setup {
    let files = FILES.iter().filter(|(_, texts)| !texts[number].is_empty());
    files
        .fold(Setup::rich(), |setup, (path, texts)| setup.file(path, texts[number]))
        .capability("textDocument.diagnostic", json!({"dynamicRegistration": false}))
}

/// Findings without the directory in which they were made.
fn shown(client: &Client, findings: &[Value]) -> String {
    Value::from(findings).to_string().replace(&client.uri(""), "")
}

#[test]
fn after_many_checkouts_a_server_knows_what_a_fresh_one_knows() {
    let times = std::env::var("LOFTING_CHECKOUTS").ok().and_then(|times| times.parse().ok()).unwrap_or(CHECKOUTS);
    let mut client = branch(0).start();
    opened(&mut client);
    let mut memory = Vec::new();
    let mut known: [Option<String>; 2] = [None, None];
    for number in 1..=times {
        check_out(&mut client, number % 2);
        // Now and then everything is known before the next one; mostly it is not.
        if number % 10 < 2 || number + 1 >= times {
            let found = findings(&mut client);
            let found = shown(&client, &found);
            let known = known[number % 2].get_or_insert_with(|| found.clone());
            assert_eq!(*known, found, "after {number} checkouts");
        }
        if number % (times / 4).max(1) == 0 {
            memory.extend(client.memory());
        }
    }
    for (number, known) in known.iter().enumerate() {
        let mut fresh = branch(number).start();
        opened(&mut fresh);
        let found = findings(&mut fresh);
        assert!(found.iter().any(|found| *found != json!([])), "branch {number} has mistakes");
        assert_eq!(known.as_deref(), Some(shown(&fresh, &found).as_str()), "branch {number}");
    }
    // What is remembered is bounded: after the first quarter there is nothing new.
    if let [first, .., last] = memory[..] {
        assert!(last < first + first / 4 + (16 << 20), "{memory:?}");
    }
}
