use super::checks::no_evaluator;
use crate::fixture::Fixture;
use crate::fixture::strings;
use crate::settings::Settings;
use crate::{CancelFlag, MAX_FILE_SIZE, check_workspace};
use expect_test::expect;
use lofting_diagnostic::Severity;
use std::fs;

const SCHEMA: &str = "#@data/values-schema\n---\nport: 80\n";

fn known(fixture: &Fixture) -> Vec<String> {
    let snapshot = fixture.workspace.snapshot();
    let mut names: Vec<String> = snapshot.files().map(|id| snapshot.shown_path(id)).collect();
    names.sort();
    names
}

#[test]
fn ignored_hidden_and_linked_files_are_not_scanned() {
    let mut fixture = Fixture::new(
        "#- .gitignore
vendor/
*.tmp.yml
#- vendor/schema.yml
#@data/values-schema
---
a: 1
#- x.tmp.yml
a: 1
#- .hidden/schema.yml
a: 1
#- config/schema.yml
a: 1
#- notes.md
text
",
        Settings::default(),
    );
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("linked.yml"), SCHEMA).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outside.path(), fixture.path("link")).unwrap();
        std::os::unix::fs::symlink(fixture.path("config/schema.yml"), fixture.path("link.yml")).unwrap();
        // A link to a directory above it would never end.
        std::os::unix::fs::symlink(fixture.root(), fixture.path("config/up")).unwrap();
    }
    fixture.workspace.scan(&mut |_| {}, &CancelFlag::new());
    assert_eq!(known(&fixture), ["config/schema.yml"]);
    // An ignored file counts while it is open.
    fixture.open("vendor/schema.yml", SCHEMA);
    assert_eq!(known(&fixture), ["config/schema.yml", "vendor/schema.yml"]);
}

#[test]
fn limits_are_reported() {
    let text: String = (0..30).map(|number| format!("#- d{number}/f.yml\na: 1\n")).collect();
    let mut fixture = Fixture::new(&text, Settings { maximum_files: 10, ..Settings::default() });
    fixture.workspace.scan(&mut |_| {}, &CancelFlag::new());
    assert_eq!(known(&fixture).len(), 10);
    assert_eq!(
        fixture.workspace.take_messages(),
        ["The scan stopped after 10 YAML files. Files not seen are still checked when they are opened. \
          (Setting: lofting.files.maximum)"]
    );
    fixture.workspace.set_settings(Settings { maximum_visited: 20, ..Settings::default() });
    fixture.workspace.scan(&mut |_| {}, &CancelFlag::new());
    assert!(fixture.workspace.take_messages()[0].starts_with("The scan stopped after 20 files and directories"));
}

/// The limits are for what a command does not ask for: what it names is complete, wherever a scan of the rest would end.
#[test]
fn what_a_command_names_has_no_limits() {
    let text: String =
        (0..30).map(|number| format!("#- d{number:02}/e/f.yml\na: [\n#- d{number:02}/g.yml\na: 1\n")).collect();
    let fixture = Fixture::new(&text, Settings::default());
    let few = Settings { maximum_files: 4, ..Settings::default() };
    let little = Settings { maximum_visited: 9, ..Settings::default() };
    for settings in [Settings::default(), few, little] {
        for (paths, files) in [
            (&[][..], 60),
            (&["."], 60),
            (&["d29"], 2),
            (&["d00", "d29"], 4),
            (&["d29/e", "d29", "d29/g.yml"], 2),
            (&["d29/g.yml"], 1),
        ] {
            let report =
                check_workspace(&fixture.root(), &strings(paths), settings.clone(), no_evaluator(), &CancelFlag::new());
            let report = report.expect("it is checked");
            assert_eq!(report.files.len(), files, "{paths:?} {settings:?}");
            let is_around = !paths.is_empty() && paths != ["."] && settings != Settings::default();
            let around = |message: &String| message.starts_with("Around what was named, the scan stopped after ");
            assert_eq!(report.messages.iter().any(around), is_around, "{paths:?} {:?}", report.messages);
        }
    }
}

#[test]
fn a_cancelled_scan_keeps_what_it_found() {
    let mut fixture = Fixture::new("#- a.yml\na: 1\n", Settings::default());
    let cancel = CancelFlag::new();
    cancel.cancel();
    fixture.workspace.scan(&mut |_| {}, &cancel);
    assert!(!fixture.workspace.is_scanned());
}

#[test]
fn files_that_can_not_be_read_say_why() {
    let mut fixture = Fixture::new("#- schema.yml\n#@data/values-schema\n---\nport: 80\n", Settings::default());
    fs::write(fixture.path("values.yml"), b"port: \xff\xfe\n#@data/values\n").unwrap();
    let big = fs::File::create(fixture.path("big-values.yml")).unwrap();
    big.set_len(MAX_FILE_SIZE + 1).unwrap();
    fs::write(fixture.path("empty-values.yml"), "").unwrap();
    fixture.workspace.scan(&mut |_| {}, &CancelFlag::new());
    expect!["1:1 lofting/unreadable-file the file is not UTF-8 text: byte 6 cannot be decoded (save it as UTF-8)\n"]
        .assert_eq(&fixture.diagnostics("values.yml"));
    expect!["1:1 lofting/unreadable-file the file has 50 MB; files above 50 MB are not read\n"]
        .assert_eq(&fixture.diagnostics("big-values.yml"));
    expect![""].assert_eq(&fixture.diagnostics("empty-values.yml"));
}

#[test]
fn an_unreadable_schema_governs_nothing() {
    let mut fixture = Fixture::new("#- values.yml\nport: 1\n", Settings::default());
    fs::write(fixture.path("schema.yml"), b"#@data/values-schema\n---\na: \xff\n").unwrap();
    fixture.workspace.scan(&mut |_| {}, &CancelFlag::new());
    assert_eq!(fixture.diagnostics("values.yml"), "");
    assert!(fixture.diagnostics("schema.yml").contains("byte 28"));
}

/// Resources below one map, or items, each with this text; one of them has another one.
fn many(is_map: bool, (each, other, at): (&str, &str, usize)) -> String {
    let head = |number: usize| if is_map { format!("k{number}:\n  ") } else { "- ".to_owned() };
    let text = |number: usize| if number == at { other } else { each };
    (0..2_500).map(|number| format!("{}{}\n", head(number), text(number).replace('\n', "\n  "))).collect()
}

const SCHEMA_OF_ITEMS: &str = r##"#- lofting.toml
[rules]
"json-schema/missing-key" = "off"
#- s.json
{"type": ["object", "array"], "additionalProperties": {"$ref": "#/$defs/one"}, "items": {"$ref": "#/$defs/one"},
 "$defs": {"one": {"type": "object", "required": ["name"], "additionalProperties": false, "properties": {
    "name": {"type": "string"}, "old": {"deprecated": true}, "port": {"type": "integer"}}}}}
"##;

#[test]
fn no_error_is_lost_among_what_is_milder_or_off() {
    let mut fixture = Fixture::scanned(SCHEMA_OF_ITEMS);
    for (each, other) in [("name: a\nold: 1", "name: a\nport: x"), ("port: 1", "port: x"), ("old: 1", "prot: 1")] {
        for (is_map, at) in [(true, 0), (true, 1_200), (true, 2_499), (false, 0), (false, 1_200), (false, 2_499)] {
            let text = many(is_map, (each, other, at));
            let id = fixture.open("v.yaml", &format!("# yaml-language-server: $schema=s.json\n{text}"));
            let found = fixture.workspace.snapshot().diagnostics(id, &CancelFlag::new());
            let errors = found.iter().filter(|finding| finding.severity == Severity::Error).count();
            assert_eq!(errors, 1, "{each:?} {other:?} {is_map} {at}");
        }
    }
}

/// Values that are longer than most, each with what is found in it.
#[test]
fn long_values_are_compared_with_all_that_is_said_of_them() {
    let items = |count: usize, last: &str| -> String {
        (0..count).map(|number| format!("- {number}\n")).chain([format!("- {last}\n")]).collect()
    };
    let allowed = |count: usize| format!("[{}]", (0..count).map(|n| n.to_string()).collect::<Vec<_>>().join(","));
    let long = 20_000;
    let unlike = items(long - 1, "1x");
    let links: String = (0..300).map(|n| format!("\"d{n}\": {{\"$ref\": \"#/$defs/d{}\"}}, ", n + 1)).collect();
    for (schema, text, want) in [
        ("{\"uniqueItems\": true}".to_owned(), items(long, "5"), "json-schema/unique-items"),
        ("{\"uniqueItems\": true}".to_owned(), items(long, "x"), ""),
        (format!("{{\"const\": {}}}", allowed(long)), unlike.clone(), "json-schema/one-of"),
        (format!("{{\"enum\": [{}, 1]}}", allowed(long)), items(long, "1"), "json-schema/one-of"),
        (format!("{{\"enum\": [{}, 1]}}", allowed(long)), items(long - 1, &(long - 1).to_string()), ""),
        (format!("{{\"not\": {{\"const\": {}}}}}", allowed(long)), unlike.clone(), ""),
        (format!("{{\"oneOf\": [{{\"const\": {}}}, {{\"type\": \"array\"}}]}}", allowed(long)), unlike.clone(), ""),
        ("{\"format\": \"ipv4\"}".to_owned(), format!("{}\n", "c".repeat(long)), "json-schema/format"),
        ("{\"not\": {\"format\": \"ipv4\"}}".to_owned(), format!("{}\n", "c".repeat(long)), ""),
        (
            format!("{{\"$ref\": \"#/$defs/d0\", \"$defs\": {{{links}\"d300\": {{\"required\": [\"z\"]}}}}}}"),
            "a: 1\n".to_owned(),
            "json-schema/missing-key",
        ),
    ] {
        let mut fixture = Fixture::scanned(&format!("#- s.json\n{schema}\n"));
        let id = fixture.open("v.yaml", &format!("# yaml-language-server: $schema=s.json\n{text}"));
        let found = fixture.workspace.snapshot().diagnostics(id, &CancelFlag::new());
        let codes: Vec<String> = found.iter().map(|finding| finding.code().into_owned()).collect();
        let wanted: Vec<&str> = (!want.is_empty()).then_some(want).into_iter().collect();
        assert_eq!(codes, wanted, "{:.80}", schema);
    }
}

#[test]
fn the_first_findings_are_kept() {
    let mut fixture = Fixture::scanned(SCHEMA_OF_ITEMS);
    for is_map in [true, false] {
        let text = many(is_map, ("name: a\nport: x", "name: a\nport: x", 0));
        let text = format!("# yaml-language-server: $schema=s.json\n{text}");
        let id = fixture.open("v.yaml", &text);
        let found = fixture.workspace.snapshot().diagnostics(id, &CancelFlag::new());
        let first: Vec<usize> = text.match_indices("port: x").map(|(at, _)| at + 6).take(1_000).collect();
        let found: Vec<usize> = found.iter().take(1_000).map(|finding| finding.span.start as usize).collect();
        assert_eq!(found, first, "{is_map}");
    }
}

#[test]
fn many_findings_are_capped() {
    let mut fixture = Fixture::scanned("#- schema.yml\n#@data/values-schema\n---\nport: 80\n");
    let text: String = (0..10_000).map(|number| format!("k{number}: 1\n")).collect();
    let id = fixture.open("values.yml", &text);
    let found = fixture.workspace.snapshot().diagnostics(id, &CancelFlag::new());
    assert!(found.len() <= 1_001);
    assert!(found.iter().any(|finding| finding.code() == "lofting/too-many-findings"));
}
