//! Reports for other programs: every format is complete, well-formed and free of commands, whatever is in the files.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;

use crate::command_line::{json_of, lofting, workspace};

/// A name, a key and a value with everything that one of the formats could take for its own.
const NAME: &str = "a b,ä<&\"'%::error::x.yml";
const SCHEMA: &str = "#@data/values-schema\n---\nname: ''\nport: 80\n";
const WRONG: &str = "#@data/values\n---\nname: 5\n\"<&]]>%,::x\\e[31m\": 1\nport: ä😀\n";

fn folder() -> tempfile::TempDir {
    workspace(&[("schema.yml", SCHEMA), (NAME, WRONG), ("good.yml", "#@data/values\n---\nport: 81\n")])
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn report(format: &str) -> String {
    let output = lofting(folder().path(), &["check", "--format", format]);
    assert_eq!(output.status.code(), Some(1), "{format}: {}", String::from_utf8_lossy(&output.stderr));
    stdout(&output)
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The findings as `--format json` has them: what the other formats have to agree with.
fn findings() -> Vec<Value> {
    let report = parsed(&report("json"));
    report["diagnostics"].as_array().cloned().expect("an array")
}

/// The elements of a document, each with its attributes.
fn elements(xml: &str) -> Vec<(String, Vec<(String, String)>)> {
    let (mut reader, mut found) = (Reader::from_str(xml), Vec::new());
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error}: {xml}")) {
            Event::Eof => return found,
            Event::Start(element) | Event::Empty(element) => {
                let attributes = element.attributes().map(|attribute| {
                    let attribute = attribute.expect("an attribute");
                    let name = attribute.key.as_ref().to_owned();
                    (name, attribute.normalized_value(quick_xml::XmlVersion::Explicit1_0).expect("text").into_owned())
                });
                let attributes = attributes.collect();
                found.push((element.name().as_ref().to_owned(), attributes));
            }
            _ => {}
        }
    }
}

fn attribute<'e>(element: &'e (String, Vec<(String, String)>), name: &str) -> &'e str {
    element.1.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
}

#[test]
fn each_finding_is_one_line_of_json() {
    let text = report("json-lines");
    let lines: Vec<Value> = text.lines().map(parsed).collect();
    assert_eq!(lines, findings());
    assert_eq!(lines.len(), 3);
}

#[test]
fn github_gets_one_command_for_each_finding() {
    let text = report("github");
    let findings = findings();
    assert_eq!(text.lines().count(), findings.len());
    for (line, finding) in text.lines().zip(findings) {
        let (properties, message) = line
            .strip_prefix("::error ")
            .and_then(|rest| rest.split_once("::"))
            .unwrap_or_else(|| panic!("a command: {line}"));
        let file = "file=a b%2Cä<&\"'%25%3A%3Aerror%3A%3Ax.yml,line=";
        assert!(properties.starts_with(file), "{properties}");
        let title = finding["code"].as_str().expect("a code");
        assert!(properties.ends_with(&format!(",title={title}")), "{properties}");
        assert!(!message.is_empty() && !message.contains('\u{1b}'), "{message}");
    }
}

#[test]
fn gitlab_gets_an_issue_for_each_finding() {
    let issues = parsed(&report("gitlab"));
    let issues = issues.as_array().expect("an array");
    let findings = findings();
    assert_eq!(issues.len(), findings.len());
    for (issue, finding) in issues.iter().zip(&findings) {
        assert_eq!(issue["check_name"], finding["code"]);
        assert_eq!(issue["fingerprint"], finding["fingerprint"]);
        assert_eq!(issue["location"]["path"], NAME);
        assert_eq!(issue["location"]["positions"]["begin"]["line"], finding["range"]["start"]["line"]);
        assert_eq!(issue["severity"], "major");
    }
}

#[test]
fn sarif_refers_to_its_rules_and_escapes_names_of_files() {
    let log = parsed(&report("sarif"));
    let run = &log["runs"][0];
    assert_eq!(log["version"], "2.1.0");
    let results = run["results"].as_array().expect("results");
    let findings = findings();
    assert_eq!(results.len(), findings.len());
    for (result, finding) in results.iter().zip(&findings) {
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().expect("a number") as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert_eq!(result["ruleId"], finding["code"]);
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20b%2C%C3%A4%3C%26%22%27%25%3A%3Aerror%3A%3Ax.yml");
        assert_eq!(place["region"]["startLine"], finding["range"]["start"]["line"]);
        assert_eq!(place["region"]["endColumn"], finding["range"]["end"]["column"]);
        for change in result["fixes"].as_array().into_iter().flatten() {
            let replacements = change["artifactChanges"][0]["replacements"].as_array().expect("replacements");
            assert!(!replacements.is_empty());
        }
    }
}

#[test]
fn junit_counts_what_it_lists() {
    let elements = elements(&report("junit"));
    let of = |name: &str| elements.iter().filter(|element| element.0 == name).collect::<Vec<_>>();
    let root = of("testsuites")[0];
    assert_eq!(attribute(root, "tests"), of("testcase").len().to_string());
    assert_eq!(attribute(root, "failures"), of("failure").len().to_string());
    assert_eq!(of("failure").len(), findings().len());
    let mut suites: Vec<&str> = of("testsuite").iter().map(|suite| attribute(suite, "name")).collect();
    suites.sort_unstable();
    assert_eq!(suites, [NAME, "good.yml", "schema.yml"]);
}

#[test]
fn checkstyle_names_files_with_findings() {
    let elements = elements(&report("checkstyle"));
    let files: Vec<_> = elements.iter().filter(|element| element.0 == "file").collect();
    assert_eq!(files.iter().map(|file| attribute(file, "name")).collect::<Vec<_>>(), [NAME]);
    let errors: Vec<_> = elements.iter().filter(|element| element.0 == "error").collect();
    for (error, finding) in errors.iter().zip(findings()) {
        assert_eq!(attribute(error, "line"), finding["range"]["start"]["line"].to_string());
        assert_eq!(attribute(error, "source"), format!("lofting.{}", finding["code"].as_str().expect("a code")));
    }
    assert_eq!(errors.len(), findings().len());
}

#[test]
fn reviewdog_gets_columns_in_bytes() {
    let report = parsed(&report("rdjson"));
    let last = report["diagnostics"].as_array().and_then(|all| all.last()).expect("findings");
    assert_eq!(last["location"]["path"], NAME);
    assert_eq!(last["location"]["range"]["start"]["column"], 7);
    assert_eq!(last["location"]["range"]["end"]["column"], 7 + "ä😀".len());
}

#[test]
fn a_fix_in_the_report_leads_to_a_text_without_the_finding() {
    let directory = folder();
    let findings = findings();
    let fix = &findings[0]["fixes"][0];
    assert_eq!(fix["certainty"], "sure", "{fix}");
    let edit = &fix["edits"][0];
    let byte = |end: &str| edit["range"][end]["byte"].as_u64().expect("a number") as usize;
    let mut text = WRONG.to_owned();
    text.replace_range(byte("start")..byte("end"), edit["text"].as_str().expect("text"));
    std::fs::write(directory.path().join(NAME), text).expect("a file");
    let left = json_of(&lofting(directory.path(), &["check", "--format", "json"]));
    assert_eq!(left["summary"]["errors"], 2);
}

#[test]
fn several_reports_are_written_at_once_and_nothing_through_a_link() {
    let directory = folder();
    let arguments = [
        "check",
        "--quiet",
        "--output",
        "sarif=out/report.sarif",
        "--output",
        "json=report.json",
        "--max-findings",
        "1",
    ];
    let output = lofting(directory.path(), &arguments);
    assert_eq!(output.status.code(), Some(1));
    let read = |name: &str| parsed(&std::fs::read_to_string(directory.path().join(name)).expect("a report"));
    assert_eq!(read("out/report.sarif")["runs"][0]["results"].as_array().map(Vec::len), Some(1));
    assert_eq!(read("report.json")["summary"]["hidden"], 2);
    assert!(stdout(&output).ends_with("2 findings not shown (--max-findings)\n"), "{}", stdout(&output));
    for wrong in ["sarif", "sarif=", "xml=a"] {
        assert_eq!(lofting(directory.path(), &["check", "--output", wrong]).status.code(), Some(2), "{wrong}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("elsewhere", directory.path().join("link")).expect("a link");
        let output = lofting(directory.path(), &["check", "--output", "json=link"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(!directory.path().join("elsewhere").exists());
    }
}

#[test]
fn a_baseline_leaves_only_what_is_new_wherever_it_moved() {
    let directory = folder();
    let output = lofting(directory.path(), &["check", "--format", "json"]);
    std::fs::write(directory.path().join("baseline.json"), &output.stdout).expect("a file");
    let check = || lofting(directory.path(), &["check", "--format", "json", "--baseline", "baseline.json"]);
    assert_eq!(check().status.code(), Some(0));
    // Known mistakes moved down, and one of them was made a second time.
    let moved = format!("#! A comment.\n{WRONG}---\nname: 5\n");
    std::fs::write(directory.path().join(NAME), moved).expect("a file");
    let output = check();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(json_of(&output)["summary"]["errors"], 1);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("baseline.json: 3 findings are known and not reported\n"), "{said}");
    std::fs::write(directory.path().join(NAME), "#@data/values\n---\nname: 5\n").expect("a file");
    let said = String::from_utf8_lossy(&check().stderr).into_owned();
    assert!(said.contains("baseline.json: 1 finding is known and not reported\n"), "{said}");
    assert!(said.contains("baseline.json: 2 findings are no longer there\n"), "{said}");
    for wrong in ["nowhere.json", "good.yml", "."] {
        let output = lofting(directory.path(), &["check", "--baseline", wrong]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn statistics_count_each_rule() {
    let output = lofting(folder().path(), &["check", "--statistics"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(text.starts_with("2  error    ytt/type-mismatch: "), "{text}");
    assert_eq!(text.lines().count(), 2);
}

#[test]
fn standard_input_stands_for_a_file() {
    let directory = folder();
    let check = |arguments: &[&str], text: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lofting"))
            .args(arguments)
            .current_dir(directory.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
        child.wait_with_output().expect("it ends")
    };
    let named = ["check", "--format", "json", "--stdin-filename"];
    // In place of a file, of one that is not there, and with no name at all.
    for name in [NAME, "new.yml"] {
        let report = json_of(&check(&[&named[..], &[name, "-"]].concat(), "#@data/values\n---\nport: x\n"));
        assert_eq!(report["summary"]["errors"], 1, "{report}");
        assert_eq!(report["diagnostics"][0]["file"], name);
    }
    assert_eq!(check(&["check", "-"], "a: [1\n").status.code(), Some(1));
    assert_eq!(check(&["check", "-", "good.yml"], "").status.code(), Some(2));
}
