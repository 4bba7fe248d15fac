//! The commands for programs: `explain` of values, `complete`, `rename`, `fix`, `schema --outline`.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::SCHEMA;
use crate::command_line::{json_of, lofting, workspace};

const VALUES: &str = "#@data/values\n---\nname: shöp\nport: 80\n";
const WRONG: &str = "#@data/values\n---\nname: shöp\nport: \"80\"\nlevle: debug\n";

/// Runs a command with a text on standard input.
pub(crate) fn piped(directory: &Path, arguments: &[&str], text: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lofting"));
    command.args(arguments).current_dir(directory).env("LOFTING_CATALOGUE", "off");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    // A command that refuses its arguments does not read.
    let _ = std::io::Write::write_all(&mut input, text.as_bytes());
    drop(input);
    child.wait_with_output().expect("it ends")
}

/// The published form of an answer, which knows all of its members: what is not in it is not allowed here.
fn form(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json").join(format!("{name}.schema.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut form: Value = serde_json::from_str(&text).expect("it is JSON");
    close(&mut form);
    form
}

fn close(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if members.contains_key("properties") {
                members.insert("additionalProperties".to_owned(), json!(false));
            }
            members.values_mut().for_each(close);
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

/// Compares an answer with its published form.
pub(crate) fn fits(name: &str, answer: &Value) {
    let form = form(name);
    let validator = jsonschema::validator_for(&form).expect("it is a schema");
    let errors: Vec<String> =
        validator.iter_errors(answer).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}\n{answer:#}");
    assert_eq!(answer["version"], 1);
}

fn version_of(text: &str) -> Value {
    json!(lofting::version_of(text))
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn a_value_is_explained_by_place_and_by_path() {
    let directory = workspace(&[("schema.yml", SCHEMA), ("values.yml", VALUES)]);
    let by_place = json_of(&lofting(directory.path(), &["explain", "--at", "values.yml:4:2", "--format", "json"]));
    fits("explain-value", &by_place);
    assert_eq!(by_place["document"], json!({"file": "values.yml", "version": version_of(VALUES)}));
    assert_eq!((&by_place["path"], &by_place["written"]), (&json!("port"), &json!(80)));
    assert_eq!(by_place["schemas"][0]["schema"]["type"], "integer");
    assert_eq!(by_place["schemas"][0]["schema"]["default"], 8080);
    let last = &by_place["final_values"][0];
    assert_eq!(
        (&last["value"], &last["origin"], &last["place"]["file"]),
        (&json!(80), &json!("values"), &json!("values.yml"))
    );
    assert_eq!((&last["replaces"][0]["value"], &last["replaces"][0]["origin"]), (&json!(8080), &json!("default")));
    let by_path = json_of(&lofting(directory.path(), &["explain", "values.yml", "port", "--format", "json"]));
    assert_eq!(by_path, by_place);
    // What is not written has a schema and a default.
    let unwritten = json_of(&lofting(directory.path(), &["explain", "values.yml", "level", "--format", "json"]));
    fits("explain-value", &unwritten);
    assert_eq!(unwritten.get("range"), None);
    assert_eq!(unwritten["final_values"][0]["origin"], "default");
    // People get lines.
    let output = lofting(directory.path(), &["explain", "values.yml", "port"]);
    let words = text(&output);
    assert!(words.starts_with("port (values.yml:4:1)\n  type: integer\n"), "{words}");
    assert!(words.contains("final value: 80 (values.yml:4)\n    instead of: 8080 (default, schema.yml:"), "{words}");
    // The file as a whole.
    let file = json_of(&lofting(directory.path(), &["explain", "values.yml", "--format", "json"]));
    fits("explain", &file);
    assert_eq!(file["schemas"][0]["files"], json!(["schema.yml"]));
}

#[test]
fn exit_codes_tell_no_answer_from_no_work() {
    let directory = workspace(&[("schema.yml", SCHEMA), ("values.yml", VALUES)]);
    for (arguments, code) in [
        (&["explain", "values.yml", "nothing.there"][..], 1),
        (&["explain", "--at", "values.yml:2:3"], 1),
        (&["explain", "--at", "values.yml:99:1"], 2),
        (&["explain", "--at", "values.yml:4:70"], 2),
        (&["explain", "--at", "values.yml:0:1"], 2),
        (&["explain", "--at", "values.yml"], 2),
        (&["explain", "nowhere.yml", "port"], 2),
        (&["complete", "nowhere.yml:1:1"], 2),
        (&["complete", "values.yml:4:1"], 0),
        (&["rename", "values.yml:2:1", "x"], 2),
        (&["schema", "--outline", "nowhere.yml"], 2),
        (&["schema", "--outline", "values.yml", "--below", "nothing"], 1),
        (&["fix", "nowhere.yml"], 2),
        (&["fix", "--only", "ytt/type-mismach", "."], 2),
        (&["fix", "--check", "."], 0),
        (&["explain", "values.yml", "--stdin-filename", "x.yml"], 2),
    ] {
        let output = lofting(directory.path(), arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", text(&output));
        assert!(code == 0 || !output.stderr.is_empty(), "{arguments:?}: {}", text(&output));
    }
}

#[test]
fn there_is_no_answer_for_an_older_text() {
    let directory = workspace(&[("schema.yml", SCHEMA), ("values.yml", VALUES)]);
    let now = lofting::version_of(VALUES);
    let older = lofting::version_of("port: 1\n");
    for arguments in [
        &["explain", "values.yml", "port"][..],
        &["explain", "--at", "values.yml:4:1"],
        &["complete", "values.yml:4:1"],
        &["schema", "--outline", "values.yml"],
        &["rename", "values.yml:4:1", "socket", "--diff"],
        &["fix", "values.yml"],
    ] {
        let asked = |version: &str| lofting(directory.path(), &[arguments, &["--if-version", version]].concat());
        let output = asked(&older);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output));
        assert!(output.stdout.is_empty() && text(&output).contains(&now), "{arguments:?}: {}", text(&output));
        let output = asked(&now);
        assert_ne!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output));
    }
}

#[test]
fn columns_are_counted_as_the_caller_does() {
    let values = "#@data/values\n---\nname: \"😀\" # x\nport: 80\n";
    let directory = workspace(&[("schema.yml", SCHEMA), ("values.yml", values)]);
    for (encoding, end) in [("utf-32", 10), ("utf-16", 11), ("utf-8", 13)] {
        let arguments = ["complete", "values.yml:3:8", "--position-encoding", encoding, "--format", "json"];
        let answer = json_of(&lofting(directory.path(), &arguments));
        fits("complete", &answer);
        assert_eq!(answer["position_encoding"], encoding);
        let arguments =
            ["explain", &format!("--at=values.yml:3:{end}"), "--position-encoding", encoding, "--format", "json"];
        let answer = json_of(&lofting(directory.path(), &arguments));
        assert_eq!(answer["path"], "name", "{answer}");
        assert_eq!(answer["position_encoding"], encoding);
    }
    // A report has the columns that are asked for.
    let wrong =
        workspace(&[("schema.yml", SCHEMA), ("values.yml", "#@data/values\n---\n{\"name\": \"😀\", \"port\": x}\n")]);
    for (encoding, column) in [("utf-32", 23), ("utf-16", 24), ("utf-8", 26)] {
        let report = json_of(&lofting(wrong.path(), &["check", "--format", "json", "--position-encoding", encoding]));
        fits("check", &report);
        assert_eq!(report["position_encoding"], encoding);
        assert_eq!(report["diagnostics"][0]["range"]["start"]["column"], column, "{report:#}");
        let version = version_of(&std::fs::read_to_string(wrong.path().join("values.yml")).expect("a file"));
        let documents = report["documents"].as_array().expect("a list");
        assert!(documents.contains(&json!({"file": "values.yml", "version": version})), "{report:#}");
    }
}

#[test]
fn texts_come_from_standard_input() {
    let directory = workspace(&[("schema.yml", SCHEMA)]);
    let named = ["--stdin-filename", "values.yml"];
    let ask = |arguments: &[&str], text: &str| piped(directory.path(), &[arguments, &named].concat(), text);
    let answer = json_of(&ask(&["explain", "-", "port", "--format", "json"], VALUES));
    fits("explain-value", &answer);
    assert_eq!(answer["document"], json!({"file": "values.yml", "version": version_of(VALUES)}));
    assert_eq!(answer["written"], 80);
    let answer = json_of(&ask(&["complete", "-:5:1", "--format", "json"], VALUES));
    let labels: Vec<&str> =
        answer["items"].as_array().expect("items").iter().filter_map(|it| it["label"].as_str()).collect();
    assert!(labels.contains(&"level"), "{labels:?}");
    let fixed = ask(&["fix", "-"], WRONG);
    assert_eq!(text(&fixed), WRONG.replace("\"80\"", "80").replace("levle", "level"));
    let patch = ask(&["fix", "-", "--diff"], WRONG);
    assert_eq!(patch.status.code(), Some(1));
    assert!(text(&patch).contains("-port: \"80\"\n"), "{}", text(&patch));
    // A text without mistakes comes back as it is.
    assert_eq!(text(&ask(&["fix", "-"], VALUES)), VALUES);
    let outline = ask(&["schema", "--outline", "-"], VALUES);
    assert!(text(&outline).contains("port: integer"), "{}", text(&outline));
    let renamed = json_of(&ask(&["rename", "-:4:1", "socket", "--format", "json"], VALUES));
    fits("rename", &renamed);
    assert_eq!(renamed["written"], false);
    assert_eq!(std::fs::read_to_string(directory.path().join("schema.yml")).expect("a file"), SCHEMA);
}

#[test]
fn completions_are_edits() {
    let values = "#@data/values\n---\nname: a\nle\n";
    let directory = workspace(&[("schema.yml", SCHEMA), ("values.yml", values)]);
    let answer = json_of(&lofting(directory.path(), &["complete", "values.yml:4:3", "--format", "json"]));
    fits("complete", &answer);
    let item = answer["items"].as_array().expect("items").iter().find(|item| item["label"] == "level").expect("a key");
    assert_eq!(item["kind"], "key");
    let edit = &item["edits"][0];
    let byte = |end: &str| edit["range"][end]["byte"].as_u64().map(|byte| byte as usize).expect("a number");
    let mut after = values.to_owned();
    after.replace_range(byte("start")..byte("end"), edit["text"].as_str().expect("a text"));
    assert!(after.starts_with("#@data/values\n---\nname: a\nlevel: "), "{after}");
    let few = json_of(&lofting(directory.path(), &["complete", "values.yml:4:1", "--max", "1", "--format", "json"]));
    assert_eq!(few["items"].as_array().map(Vec::len), Some(1));
    assert!(few["hidden"].as_u64() > Some(0), "{few}");
}

#[test]
fn a_rename_changes_all_files_or_none() {
    let template = "#@ load(\"@ytt:data\", \"data\")\nport: #@ data.values.port\n";
    let directory = workspace(&[("schema.yml", SCHEMA), ("values.yml", VALUES), ("template.yml", template)]);
    let read = |name: &str| std::fs::read_to_string(directory.path().join(name)).expect("a file");
    let shown = lofting(directory.path(), &["rename", "values.yml:4:1", "socket", "--diff"]);
    assert_eq!(shown.status.code(), Some(1), "{}", text(&shown));
    assert!(text(&shown).contains("+port: #@ data.values.socket\n"), "{}", text(&shown));
    assert_eq!((read("values.yml"), read("template.yml")), (VALUES.to_owned(), template.to_owned()));
    let proposed =
        json_of(&lofting(directory.path(), &["rename", "values.yml:4:1", "socket", "--check", "--format", "json"]));
    fits("rename", &proposed);
    assert_eq!((&proposed["written"], proposed["files"].as_array().map(Vec::len)), (&json!(false), Some(3)));
    // A file that cannot be written keeps the others from being written.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let set = |mode| std::fs::set_permissions(directory.path().join("values.yml"), PermissionsExt::from_mode(mode));
        set(0o444).expect("its rights");
        let output = lofting(directory.path(), &["rename", "values.yml:4:1", "socket"]);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert_eq!(
            (read("values.yml"), read("schema.yml"), read("template.yml")),
            (VALUES.to_owned(), SCHEMA.to_owned(), template.to_owned())
        );
        set(0o644).expect("its rights");
    }
    let done = json_of(&lofting(directory.path(), &["rename", "values.yml:4:1", "socket", "--format", "json"]));
    assert_eq!(done["written"], true);
    assert_eq!(read("values.yml"), VALUES.replace("port", "socket"));
    assert!(read("template.yml").contains("data.values.socket"));
    let changed =
        done["files"].as_array().expect("files").iter().find(|file| file["file"] == "values.yml").expect("a file");
    assert_eq!(changed["version"], version_of(VALUES));
    assert_eq!(changed["new_version"], version_of(&read("values.yml")));
}

#[test]
fn fixes_are_written_shown_or_proposed() {
    let files = [("schema.yml", SCHEMA), ("values.yml", WRONG), ("other.yml", "#@data/values\n---\nport: \"1\"\n")];
    let directory = workspace(&files);
    let read = |name: &str| std::fs::read_to_string(directory.path().join(name)).expect("a file");
    let proposed = lofting(directory.path(), &["fix", "--check", "--format", "json"]);
    assert_eq!(proposed.status.code(), Some(1), "{}", text(&proposed));
    let answer = json_of(&proposed);
    fits("fix", &answer);
    assert_eq!((&answer["written"], answer["files"].as_array().map(Vec::len)), (&json!(false), Some(2)));
    let file =
        answer["files"].as_array().expect("files").iter().find(|file| file["file"] == "values.yml").expect("a file");
    assert_eq!(file["version"], version_of(WRONG));
    assert_eq!(read("values.yml"), WRONG);
    // The edits give the new version.
    let mut after = WRONG.to_owned();
    for edit in file["edits"].as_array().expect("edits").iter().rev() {
        let byte = |end: &str| edit["range"][end]["byte"].as_u64().map(|byte| byte as usize).expect("a number");
        after.replace_range(byte("start")..byte("end"), edit["text"].as_str().expect("a text"));
    }
    assert_eq!(file["new_version"], version_of(&after));
    // One rule in one file.
    let output = lofting(directory.path(), &["fix", "--only", "ytt/undeclared-key", "values.yml"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "values.yml: ytt/undeclared-key: Rename to `level`\n");
    assert_eq!(read("values.yml"), WRONG.replace("levle", "level"));
    // Everything.
    let output = lofting(directory.path(), &["fix"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert_eq!(read("values.yml"), after);
    assert_eq!(read("other.yml"), "#@data/values\n---\nport: 1\n");
}

#[test]
fn an_outline_keeps_its_budget() {
    let directory = workspace(&[("schema.yml", SCHEMA), ("values.yml", VALUES)]);
    for file in ["schema.yml", "values.yml"] {
        let answer = json_of(&lofting(directory.path(), &["schema", "--outline", file, "--format", "json"]));
        fits("outline", &answer);
        assert_eq!(answer["complete"], true, "{answer}");
        let lines = answer["outline"].as_str().expect("a text").to_owned();
        assert_eq!(text(&lofting(directory.path(), &["schema", "--outline", file])), lines);
        let of_inputs = lofting(directory.path(), &["schema", "--outline", "-f", "schema.yml"]);
        assert_eq!(text(&of_inputs), lines);
        let few =
            json_of(&lofting(directory.path(), &["schema", "--outline", file, "--budget", "12", "--format", "json"]));
        assert!(few["tokens"].as_u64() <= Some(12), "{few}");
        assert_eq!(few["complete"], false);
    }
}
