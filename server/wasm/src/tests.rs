//! Questions as a page asks them.

use serde_json::{Value, json};

use crate::Session;

const SCHEMA: &str =
    "#@data/values-schema\n---\nservice:\n  #@schema/desc \"Where it listens.\"\n  port: 80\n  host: \"\"\n";

fn session(files: &[(&str, &str)]) -> Session {
    let mut session = Session::default();
    for (file, text) in files {
        assert_eq!(ask(&mut session, json!({"ask": "open", "file": file, "text": text})), Value::Null);
    }
    session
}

fn ask(session: &mut Session, question: Value) -> Value {
    let answer: Value = serde_json::from_str(&session.answer(&question.to_string())).expect("JSON");
    answer.get("answer").cloned().unwrap_or_else(|| panic!("{question}: {answer}"))
}

fn at(line: u32, character: u32) -> Value {
    json!({"line": line, "character": character})
}

#[test]
fn findings_come_with_their_places() {
    let mut session = session(&[("config/schema.yml", SCHEMA), ("config/values.yml", VALUES)]);
    let found = ask(&mut session, json!({"ask": "findings", "file": "config/values.yml"}));
    assert_eq!(found["needsCode"], false);
    let [finding] = found["findings"].as_array().expect("a list").as_slice() else { panic!("{found}") };
    assert_eq!(finding["code"], "ytt/type-mismatch");
    assert_eq!(finding["severity"], "error");
    // The smiling face before it counts as two.
    assert_eq!(finding["range"], json!({"start": at(3, 8), "end": at(3, 12)}));
    assert_eq!(finding["related"][0]["file"], "config/schema.yml");
    assert!(
        finding["page"].as_str().is_some_and(|page| page.ends_with("docs/rules/schema/type-mismatch.md")),
        "{finding}"
    );
}

const VALUES: &str = "#@data/values\n---\nservice: #! \u{1f642}\n  port: \"80\"\n";

#[test]
fn an_edit_counts_at_once() {
    let mut session = session(&[("s.yml", SCHEMA), ("v.yml", VALUES)]);
    let text = VALUES.replace("\"80\"", "80");
    ask(&mut session, json!({"ask": "open", "file": "v.yml", "text": text}));
    assert_eq!(ask(&mut session, json!({"ask": "findings", "file": "v.yml"}))["findings"], json!([]));
    ask(&mut session, json!({"ask": "open", "file": "s.yml", "text": SCHEMA.replace("port: 80", "port: a")}));
    let found = ask(&mut session, json!({"ask": "findings", "file": "v.yml"}));
    assert_eq!(found["findings"][0]["code"], "ytt/type-mismatch", "{found}");
}

#[test]
fn a_place_is_completed_explained_and_followed() {
    let text = "#@data/values\n---\nservice:\n  po\n";
    let mut session = session(&[("s.yml", SCHEMA), ("v.yml", text)]);
    let place = json!({"file": "v.yml", "position": at(3, 4)});
    let asked = |ask: &str, more: Value| {
        let mut question = place.clone();
        question["ask"] = json!(ask);
        for (name, value) in more.as_object().into_iter().flatten() {
            question[name] = value.clone();
        }
        question
    };
    let list = ask(&mut session, asked("completion", json!({})));
    let port = &list["items"].as_array().expect("a list")[0];
    assert_eq!((&port["label"], &port["kind"], &port["isSnippet"]), (&json!("port"), &json!("key"), &json!(false)));
    assert_eq!(port["range"], json!({"start": at(3, 2), "end": at(3, 4)}));
    let described = ask(&mut session, asked("documentation", json!({"label": "port"})));
    assert!(described.as_str().is_some_and(|text| text.contains("Where it listens.")), "{described}");
    ask(&mut session, json!({"ask": "open", "file": "v.yml", "text": text.replace("po", "port: 1")}));
    let hover = ask(&mut session, asked("hover", json!({})));
    assert!(hover["markdown"].as_str().is_some_and(|text| text.contains("Where it listens.")), "{hover}");
    let places = ask(&mut session, asked("definition", json!({})));
    assert_eq!(places[0]["file"], "s.yml");
    assert_eq!(places[0]["range"]["start"], at(4, 2));
}

#[test]
fn a_finding_is_fixed_and_a_file_formatted() {
    let mut session = session(&[("s.yml", SCHEMA), ("v.yml", VALUES)]);
    let range = json!({"start": at(3, 8), "end": at(3, 8)});
    let actions = ask(&mut session, json!({"ask": "actions", "file": "v.yml", "range": range}));
    let first = &actions[0];
    assert_eq!((&first["kind"], &first["code"]), (&json!("quickfix"), &json!("ytt/type-mismatch")), "{actions}");
    assert_eq!(first["edits"][0]["text"], "80");
    ask(&mut session, json!({"ask": "open", "file": "v.yml", "text": "a:    1\n"}));
    let edits = ask(&mut session, json!({"ask": "format", "file": "v.yml"}));
    assert_eq!(edits[0]["range"], json!({"start": at(0, 2), "end": at(0, 6)}), "{edits}");
}

#[test]
fn a_file_says_what_governs_it_and_what_is_in_it() {
    let mut session = session(&[("s.yml", SCHEMA), ("v.yml", VALUES)]);
    let status = ask(&mut session, json!({"ask": "status", "file": "v.yml"}));
    assert_eq!(status["schemas"], json!(["s.yml"]), "{status}");
    let outline = ask(&mut session, json!({"ask": "outline", "file": "v.yml"}));
    assert_eq!((&outline[0]["name"], &outline[0]["kind"]), (&json!("service"), &json!("map")));
    assert_eq!(outline[0]["children"][0]["name"], "port");
    ask(&mut session, json!({"ask": "close", "file": "v.yml"}));
}

#[test]
fn what_only_code_can_tell_is_said_to_be_left_out() {
    let schema = "#@data/values-schema\n---\n#@schema/validation (\"even\", lambda x: x % 2 == 0)\nport: 80\n";
    let mut session = session(&[("s.yml", schema), ("v.yml", "#@data/values\n---\nport: 81\n")]);
    let found = ask(&mut session, json!({"ask": "findings", "file": "v.yml"}));
    assert_eq!(found, json!({"findings": [], "needsCode": true}));
}

#[test]
fn nonsense_is_refused() {
    let mut session = session(&[("v.yml", VALUES)]);
    for question in [
        "",
        "[]",
        r#"{"ask": "run"}"#,
        r#"{"ask": "findings", "file": "none.yml"}"#,
        r#"{"ask": "findings", "file": ""}"#,
        r#"{"ask": "findings", "file": "../../etc/passwd"}"#,
        r#"{"ask": "open", "file": "/etc/passwd", "text": ""}"#,
        r#"{"ask": "hover", "file": "v.yml", "position": {"line": -1, "character": 0}}"#,
    ] {
        let answer = session.answer(question);
        assert!(answer.starts_with(r#"{"refused":"#), "{question}: {answer}");
    }
    let far = json!({"line": 4_000_000_000_u32, "character": 4_000_000_000_u32});
    assert_eq!(ask(&mut session, json!({"ask": "hover", "file": "v.yml", "position": far})), Value::Null);
    let refused = ask(&mut session, json!({"ask": "put", "files": [{"file": "..", "text": ""}]}));
    assert_eq!(refused, json!([".."]));
}
