//! Half-typed text causes no findings on other lines, and its own findings are reported in the end.

use serde_json::{Value, json};

use crate::client::{Client, Setup, codes};
use crate::{GOOD_VALUES, SCHEMA};

/// The last line of [`values`].
const KEY: u64 = 3;

/// Good values with a map that is still empty.
fn values(room: &str) -> String {
    format!("#@data/values\n---\nname: shop\ndb:{room}")
}

fn is_reported(found: &[Value]) -> bool {
    found.iter().any(|found| found["range"]["start"]["line"] == KEY && found["code"] == "ytt/type-mismatch")
}

#[test]
fn a_pause_tells_what_was_held_back() {
    for room in ["\n  ", "\n  #! port", "\n  &a"] {
        let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
        client.open("values.yml", GOOD_VALUES);
        client.diagnostics("values.yml", 1);
        let version = client.replace("values.yml", &values(room));
        assert!(client.diagnostics("values.yml", version).is_empty(), "{room:?}");
        // During a pause: the same version once more.
        let params = client.diagnostics_where("values.yml", "after a pause", |params| {
            params["version"] == version && params["diagnostics"].as_array().is_some_and(|found| is_reported(found))
        });
        assert_eq!(
            params["diagnostics"][0]["range"],
            json!({"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 2}})
        );
    }
}

#[test]
fn saving_tells_what_was_held_back() {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
    client.open("values.yml", &values("\n  "));
    assert!(client.diagnostics("values.yml", 1).is_empty());
    client.save("values.yml");
    client.diagnostics_where("values.yml", "after it was saved", |params| {
        params["diagnostics"].as_array().is_some_and(|found| is_reported(found))
    });
    // While the user continues to type, nothing is shown again.
    let version = client.change("values.yml", [4, 2, 4, 2], " ");
    assert!(client.diagnostics("values.yml", version).is_empty());
    let version = client.change("values.yml", [4, 2, 4, 3], "pool: 3");
    assert!(client.diagnostics("values.yml", version).is_empty());
}

/// A client that pulls is asked to do so again.
#[test]
fn who_pulls_hears_of_it() {
    let pulling = json!({"dynamicRegistration": true});
    // Settings that arrive ask for a pull as well, at any time.
    let without_settings = Setup::rich().capability("workspace.configuration", json!(false));
    let mut client = without_settings.capability("textDocument.diagnostic", pulling).file("schema.yml", SCHEMA).start();
    client.open("values.yml", &values("\n  "));
    let pull = |client: &mut Client| {
        let params = json!({"textDocument": {"uri": client.uri("values.yml")}});
        client.request("textDocument/diagnostic", params)["items"].as_array().expect("a list").clone()
    };
    client.wait("the end of the scan", |message| message["params"]["value"]["kind"] == "end");
    assert!(pull(&mut client).is_empty());
    client.server_requests.clear();
    client.save("values.yml");
    // The client may be asked for another reason as well, so it pulls each time, until it is not asked any more.
    let asked_until_reported = |client: &mut Client| {
        while !is_reported(&pull(client)) {
            client.server_request("workspace/diagnostic/refresh");
        }
    };
    asked_until_reported(&mut client);
    client.change("values.yml", [4, 2, 4, 2], " ");
    assert!(pull(&mut client).is_empty());
    asked_until_reported(&mut client);
}

/// Items may be in the column of their key: a new line without depth is room for one, if it was just made.
#[test]
fn enter_makes_room() {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
    client.open("values.yml", &values("\n"));
    assert_eq!(codes(&client.diagnostics("values.yml", 1)), ["ytt/type-mismatch"]);
    let version = client.change("values.yml", [3, 3, 3, 3], "\n");
    assert!(client.diagnostics("values.yml", version).is_empty());
    let version = client.change("values.yml", [2, 10, 2, 10], "s");
    assert_eq!(codes(&client.diagnostics("values.yml", version)), ["ytt/type-mismatch"], "typed elsewhere");
}

/// ytt asks no condition before all types are right.
#[test]
fn a_condition_is_not_blamed_for_a_half_typed_value() {
    let schema = |condition: &str| {
        format!(
            "#@data/values-schema\n---\n#@schema/validation min_len=1, when=lambda v, ctx: {condition}\nname: web\n\
             db:\n  pool: 5\n"
        )
    };
    let said = |condition: &str, values: &str| {
        let mut client = Setup::rich().file("schema.yml", schema(condition)).start();
        client.open("values.yml", values);
        client.save("values.yml");
        let found = client.diagnostics("values.yml", 1);
        codes(&found).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    const READS: &str = "ctx[\"root\"][\"db\"][\"pool\"] > 1";
    let values = |pool: &str| format!("#@data/values\n---\nname: shop\ndb:\n  pool:{pool}\n");
    for half in ["", " ~", " x", " \"", " [", " {}"] {
        let said = said(READS, &values(half));
        assert!(!said.is_empty() && !said.contains(&"ytt/when".to_owned()), "{half:?}: {said:?}");
    }
    assert!(said(READS, &values(" 3")).is_empty());
    assert_eq!(said("ctx[\"root\"][\"nowhere\"]", &values(" 3")), ["ytt/when"], "it is to blame");
}

const WORKFLOW: &str = "on: push\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps:\n    - run: make\n";

/// Types a text at the end of a file, and returns what is found on lines other than `line` on the way.
fn type_at_end(client: &mut Client, name: &str, line: u32, typed: &str) -> Vec<String> {
    let mut elsewhere = Vec::new();
    for (at, c) in (0..).zip(typed.chars()) {
        client.change(name, [line, at, line, at], &c.to_string());
        let found = client.all_findings(name);
        let others = found.iter().filter(|found| found["range"]["start"]["line"] != line);
        elsewhere.extend(others.map(|found| format!("{c:?} at {at}: {found}")));
    }
    elsewhere
}

/// With its first `#@`, a file is for ytt, which reads `on` as a boolean: once the line is written.
#[test]
fn the_first_mark_makes_a_template_once_its_line_is_written() {
    const NAME: &str = ".github/workflows/ci.yml";
    const MARK: &str = "#@ load(\"@ytt:data\", \"data\")";
    let pulling = json!({"dynamicRegistration": true});
    let typed = || {
        let mut client = Setup::rich().capability("textDocument.diagnostic", pulling.clone()).start();
        client.open(NAME, WORKFLOW);
        assert_eq!(client.all_findings(NAME), Vec::<Value>::new());
        assert_eq!(type_at_end(&mut client, NAME, 6, MARK), Vec::<String>::new());
        client
    };
    let is_template =
        |client: &mut Client| client.all_findings(NAME).iter().any(|found| found["range"]["start"]["line"] == 0);
    let mut client = typed();
    let params = client.at(NAME, 6, 14);
    let offered = client.request("textDocument/completion", params);
    assert!(offered.to_string().contains("@ytt:"), "{offered}");
    client.change(NAME, [6, 29, 6, 29], "\n");
    assert!(is_template(&mut client), "after Enter");
    let mut client = typed();
    client.change(NAME, [5, 15, 5, 15], " all");
    assert!(is_template(&mut client), "after typing in another line");
    let mut client = typed();
    client.save(NAME);
    client.server_request("workspace/diagnostic/refresh");
    assert!(is_template(&mut client), "after saving");
    // What is taken back before leaves the file as it was.
    let mut client = typed();
    client.change(NAME, [6, 0, 6, 29], "");
    client.change(NAME, [5, 15, 5, 15], " all");
    assert!(!is_template(&mut client));
}

/// The version that a commit belongs to is written after it.
#[test]
fn a_pinned_version_is_no_mark() {
    let mut client = Setup::rich().capability("textDocument.diagnostic", json!({"dynamicRegistration": true})).start();
    for version in ["#@v4", "#@main", "#@release-1.x"] {
        let text = WORKFLOW.replace("run: make", &format!("uses: actions/checkout@c0ffee {version}"));
        client.open(".github/workflows/ci.yml", &text);
        assert_eq!(client.all_findings(".github/workflows/ci.yml"), Vec::<Value>::new(), "{version}");
        client.close(".github/workflows/ci.yml");
    }
}
