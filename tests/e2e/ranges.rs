//! The editor and the command line say the same of the same files, at places that can be shown.
#![allow(clippy::print_stdout, reason = "how much was compared is shown")]

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::client::{Client, Setup};
use crate::command_line::{json_of, lofting};
use crate::documents::{Files, cases, examples, rules};

/// A finding as both say it: range from 0, severity, code, message with help.
type Shown = ((u64, u64, u64, u64), u64, String, String);

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

fn word(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// What the command line says about all files of a workspace.
fn by_command(report: &Value) -> BTreeMap<String, Vec<Shown>> {
    let mut all: BTreeMap<String, Vec<Shown>> = BTreeMap::new();
    for found in report["diagnostics"].as_array().expect("a list") {
        let end = |name: &str| {
            // What editors underline, where ytt names another place.
            let range = if found["marked"].is_object() { &found["marked"] } else { &found["range"] };
            let end = &range[name];
            (number(&end["line"]) - 1, number(&end["column"]) - 1)
        };
        let ((line, start), (end_line, end)) = (end("start"), end("end"));
        let severity = ["error", "warning", "info", "hint"].iter().position(|name| found["severity"] == *name);
        let message = match found["help"].as_str() {
            Some(help) => format!("{}\n{help}", word(&found["message"])),
            None => word(&found["message"]).to_owned(),
        };
        let shown = (
            (line, start, end_line, end),
            severity.expect("a severity") as u64 + 1,
            word(&found["code"]).to_owned(),
            message,
        );
        all.entry(word(&found["file"]).trim_start_matches("./").to_owned()).or_default().push(shown);
    }
    all.values_mut().for_each(|shown| shown.sort());
    all
}

/// What the server says about one file.
fn by_server(client: &mut Client, name: &str) -> Vec<Shown> {
    let shown = |found: &Value| {
        let (start, end) = (&found["range"]["start"], &found["range"]["end"]);
        let range =
            (number(&start["line"]), number(&start["character"]), number(&end["line"]), number(&end["character"]));
        (range, number(&found["severity"]), word(&found["code"]).to_owned(), word(&found["message"]).to_owned())
    };
    let mut shown: Vec<Shown> = client.all_findings(name).iter().map(shown).collect();
    shown.sort();
    shown
}

/// What is wrong with a range, from the point of view of a reader.
fn flaw(text: &str, range: (u64, u64, u64, u64)) -> Option<&'static str> {
    let (line, start, end_line, end) = range;
    let lines: Vec<&str> = text.split('\n').map(|line| line.trim_end_matches('\r')).collect();
    let width = |line: u64| lines.get(line as usize).map(|line| line.chars().count() as u64);
    let (Some(first), Some(last)) = (width(line), width(end_line)) else { return Some("leaves the document") };
    if start > first || end > last {
        return Some("reaches past the end of a line");
    }
    if (line, start) > (end_line, end) {
        return Some("ends before it begins");
    }
    // In an empty document there is nothing to underline.
    if (line, start) == (end_line, end) && !text.trim().is_empty() {
        return Some("is empty");
    }
    (end_line > line && end == 0).then_some("ends with a line break")
}

#[test]
fn the_editor_and_the_command_line_agree() {
    let files: Files = cases().into_iter().chain(rules()).flatten().collect();
    let mut setup = Setup::rich()
        .capability("general.positionEncodings", json!(["utf-32"]))
        .capability("textDocument.diagnostic", json!({"dynamicRegistration": true}));
    let directory = tempfile::tempdir().expect("a directory");
    for (name, text) in &files {
        let path = directory.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
        std::fs::write(path, text).expect("a file");
        setup = setup.file(name, text);
    }
    let report = json_of(&lofting(directory.path(), &["check", "--format", "json", "."]));
    let mut commanded = by_command(&report);

    let mut client = setup.start();
    client.wait("the end of the scan", |message| message["params"]["value"]["kind"] == "end");
    let mut wrong = Vec::new();
    let mut codes = BTreeSet::new();
    let mut compared = 0;
    for (name, text) in files.iter().filter(|(name, _)| name.ends_with(".yml") || name.ends_with(".yaml")) {
        client.open(name, text);
        // Findings in what may still be typed are held back.
        client.save(name);
        let served = by_server(&mut client, name);
        client.close(name);
        let commanded = commanded.remove(name).unwrap_or_default();
        if served != commanded {
            let more: Vec<_> = served.iter().filter(|shown| !commanded.contains(shown)).collect();
            let less: Vec<_> = commanded.iter().filter(|shown| !served.contains(shown)).collect();
            wrong.push(format!("{name}: only the editor {more:#?}, only the command line {less:#?}"));
        }
        for (range, _, code, message) in &served {
            if let Some(flaw) = flaw(text, *range) {
                wrong.push(format!("{name}: {code} {flaw}: {range:?} {message}"));
            }
        }
        compared += served.len();
        codes.extend(served.into_iter().map(|(_, _, code, _)| code));
    }
    println!("{compared} findings of {} rules in {} files", codes.len(), files.len());
    assert!(wrong.is_empty(), "{}\n{} differences", wrong.join("\n"), wrong.len());
    assert!(commanded.is_empty(), "only the command line looks at {:?}", commanded.keys());
}

#[test]
fn the_examples_look_the_same_in_the_editor() {
    for files in examples() {
        let directory = tempfile::tempdir().expect("a directory");
        let mut setup = Setup::rich()
            .capability("general.positionEncodings", json!(["utf-32"]))
            .capability("textDocument.diagnostic", json!({"dynamicRegistration": true}));
        for (name, text) in &files {
            let path = directory.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
            std::fs::write(path, text).expect("a file");
            setup = setup.file(name, text);
        }
        let commanded = by_command(&json_of(&lofting(directory.path(), &["check", "--format", "json", "."])));
        let mut client = setup.start();
        client.wait("the end of the scan", |message| message["params"]["value"]["kind"] == "end");
        for (name, text) in files.iter().filter(|(name, _)| name.ends_with(".yml")) {
            client.open(name, text);
            client.save(name);
            let served = by_server(&mut client, name);
            assert_eq!(served, commanded.get(name).cloned().unwrap_or_default(), "{name}");
        }
    }
}
