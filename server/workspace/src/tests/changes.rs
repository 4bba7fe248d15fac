use crate::fixture::{Fixture, checked_again, shown};
use crate::settings::Settings;
use crate::{CancelFlag, FileKind, Reason, Snapshot, Workspace};
use expect_test::expect;
use lofting_document::FileId;

const APP: &str = "#- config/schema.yml
#@data/values-schema
---
port: 80
#- values/prod.yml
port: eighty
";

fn text_of(path: &str) -> String {
    lofting_fixture::files(APP).into_iter().find(|file| file.path == path).unwrap().text
}

#[test]
fn first_findings_do_not_wait_for_the_scan() {
    let mut fixture = Fixture::new(APP, Settings::default());
    let id = fixture.open("values/prod.yml", &text_of("values/prod.yml"));
    assert!(!fixture.workspace.is_scanned());
    let found = fixture.workspace.snapshot().diagnostics(id, &CancelFlag::new());
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].code(), "ytt/type-mismatch");
}

#[test]
fn a_file_outside_of_all_folders_finds_the_schema_of_its_repository() {
    let fixture = Fixture::new(APP, Settings::default());
    for name in [".git/HEAD", ".git/objects/x", ".git/refs/x"] {
        fixture.write(name, "");
    }
    let mut workspace = Workspace::new(Vec::new(), Settings::default());
    let id = workspace.open(&fixture.path("values/prod.yml"), 1, "port: x\n");
    assert!(matches!(workspace.snapshot().association(id).reason, Reason::Nearest { .. }));
}

#[test]
fn an_unsaved_schema_counts_at_once() {
    let mut fixture = Fixture::scanned(APP);
    fixture.open("values/prod.yml", &text_of("values/prod.yml"));
    fixture.open("config/schema.yml", &text_of("config/schema.yml"));
    let before = fixture.workspace.snapshot();
    let values = fixture.id("values/prod.yml");
    assert_eq!(before.diagnostics(values, &CancelFlag::new()).len(), 1);

    fixture.edit("config/schema.yml", "80", "''");
    let after = fixture.workspace.snapshot();
    assert_eq!(after.diagnostics(values, &CancelFlag::new()).len(), 0);
    assert_eq!(after.dependants(fixture.id("config/schema.yml")), [values]);
    // The older view is what it was.
    assert_eq!(before.diagnostics(values, &CancelFlag::new()).len(), 1);
}

#[test]
fn a_schema_edit_without_meaning_re_checks_nothing_else() {
    let mut fixture = Fixture::scanned(APP);
    fixture.open("values/prod.yml", &text_of("values/prod.yml"));
    fixture.open("config/schema.yml", "#@data/values-schema\n---\n#@schema/title \"A\"\nport: 80\n");
    let (schema, values) = (fixture.id("config/schema.yml"), fixture.id("values/prod.yml"));
    for (written, instead) in [
        ("port: 80", "#! a remark\n\nport:   80"),
        ("\"A\"", "\"The port\"\n#@schema/desc \"Where it listens\""),
        ("Where", "Here"),
    ] {
        let before = fixture.workspace.snapshot();
        fixture.edit("config/schema.yml", written, instead);
        let after = fixture.workspace.snapshot();
        assert_eq!(checked_again(&before, &after, &[schema, values]), [schema], "{instead}");
        // Declarations are named at their new place, even by later findings.
        assert_eq!(declared(&after, values), "port");
        fixture.edit("values/prod.yml", "port: ", "port: x");
        assert_eq!(declared(&fixture.workspace.snapshot(), values), "port");
        // And as in a new workspace.
        let text = |path: &str| fixture.workspace.snapshot().text(fixture.id(path)).to_string();
        let fresh = [("config/schema.yml", text("config/schema.yml")), ("values/prod.yml", text("values/prod.yml"))];
        let fresh: String = fresh.iter().map(|(path, text)| format!("#- {path}\n{text}")).collect();
        assert_eq!(fixture.diagnostics("values/prod.yml"), Fixture::scanned(&fresh).diagnostics("values/prod.yml"));
    }
}

#[test]
fn a_schema_edit_with_meaning_re_checks_what_it_governs() {
    for (written, instead) in [
        ("port: 80", "port: 81"),
        ("port: 80", "port: 80.0"),
        ("port: 80", "#@schema/nullable\nport: 80"),
        ("port: 80", "#@schema/deprecated \"no\"\nport: 80"),
        ("port: 80", "#@schema/validation min=1\nport: 80"),
        ("port: 80", "#@schema/type any=True\nport: 80"),
        ("port: 80", "port: 80\nhost: ''"),
        ("port: 80", "port: 80\nhost"),
    ] {
        let mut fixture = Fixture::scanned(APP);
        fixture.open("values/prod.yml", &text_of("values/prod.yml"));
        fixture.open("config/schema.yml", &text_of("config/schema.yml"));
        let values = fixture.id("values/prod.yml");
        let before = fixture.workspace.snapshot();
        fixture.edit("config/schema.yml", written, instead);
        assert_eq!(checked_again(&before, &fixture.workspace.snapshot(), &[values]), [values], "{instead}");
    }
}

/// The text that the first finding of a file names in a schema.
fn declared(snapshot: &Snapshot, file: FileId) -> String {
    let found = snapshot.diagnostics(file, &CancelFlag::new());
    let place = found[0].related[0].span;
    snapshot.text(place.file).slice(place.range()).to_string()
}

#[test]
fn a_keystroke_in_values_touches_no_other_file() {
    let mut fixture = Fixture::scanned(APP);
    fixture.open("values/prod.yml", &text_of("values/prod.yml"));
    fixture.open("values/dev.yml", "port: 1\n");
    let before = fixture.workspace.snapshot();
    let state = before.association(fixture.id("values/dev.yml")).schema.as_ref().unwrap().state.clone();
    fixture.edit("values/prod.yml", "eighty", "8");
    let after = fixture.workspace.snapshot();
    let files = [fixture.id("values/prod.yml"), fixture.id("values/dev.yml")];
    assert_eq!(checked_again(&before, &after, &files), [files[0]]);
    let same = after.association(fixture.id("values/dev.yml")).schema.as_ref().unwrap().state.clone();
    assert!(std::sync::Arc::ptr_eq(&state, &same));
}

#[test]
fn edits_change_what_a_file_is() {
    let mut fixture = Fixture::scanned(APP);
    fixture.open("other.yml", "port: x\n");
    let kind = |fixture: &Fixture| fixture.workspace.snapshot().kind(fixture.id("other.yml"));
    assert_eq!(kind(&fixture), FileKind::Other);
    fixture.edit("other.yml", "port", "#@data/values\n---\nport");
    assert_eq!(kind(&fixture), FileKind::DataValues);
    assert_eq!(fixture.diagnostics("other.yml").lines().count(), 1);
    fixture.edit("other.yml", "values\n", "values-schema\n");
    assert_eq!(kind(&fixture), FileKind::Schema);
    fixture.edit("other.yml", "#@", "#! ");
    assert_eq!(kind(&fixture), FileKind::Other);
}

#[test]
fn a_half_typed_schema_makes_no_noise_in_values() {
    let mut fixture = Fixture::scanned("#- schema.yml\n#@data/values-schema\n---\nhost: ''\nport: 80\n");
    fixture.open("values.yml", "host: a\nport: 80\n");
    fixture.open("schema.yml", "#@data/values-schema\n---\nhost: ''\npor\n");
    assert_eq!(fixture.diagnostics("values.yml"), "");
}

#[test]
fn closing_brings_back_the_disk() {
    let mut fixture = Fixture::scanned(APP);
    let id = fixture.open("values/prod.yml", "port: 1\n");
    assert_eq!(fixture.diagnostics("values/prod.yml"), "");
    assert_eq!(fixture.workspace.snapshot().version(id), Some(1));
    fixture.workspace.close(id);
    assert_eq!(fixture.workspace.snapshot().version(id), None);
    assert_eq!(fixture.diagnostics("values/prod.yml").lines().count(), 1);
    // Edits of a file that is not open are a client's mistake.
    fixture.workspace.edit(id, 7, 0..4, "x");
    assert_eq!(fixture.diagnostics("values/prod.yml").lines().count(), 1);
}

#[test]
fn deleted_while_open_and_then_closed() {
    let mut fixture = Fixture::scanned(APP);
    let id = fixture.open("values/prod.yml", "port: x\n");
    std::fs::remove_file(fixture.path("values/prod.yml")).unwrap();
    assert_eq!(fixture.workspace.disk_changed(&[fixture.path("values/prod.yml")]), []);
    assert_eq!(fixture.diagnostics("values/prod.yml").lines().count(), 1);
    fixture.workspace.close(id);
    assert_eq!(fixture.workspace.snapshot().file(&fixture.path("values/prod.yml")), None);
    // The number stays the file's own.
    assert_eq!(fixture.open("values/prod.yml", ""), id);
}

/// How changes on disk reach the workspace.
fn watched(fixture: &mut Fixture, paths: &[&str]) {
    let paths: Vec<_> = paths.iter().map(|path| fixture.path(path)).collect();
    fixture.workspace.disk_changed(&paths);
}

fn unwatched(fixture: &mut Fixture, _paths: &[&str]) {
    fixture.workspace.recheck_disk();
}

#[test]
fn changes_on_disk_are_seen_with_and_without_a_watcher() {
    for see in [watched as fn(&mut Fixture, &[&str]), unwatched] {
        let mut fixture = Fixture::scanned(APP);
        fixture.open("values/prod.yml", "port: x\n");
        let codes = |fixture: &Fixture| fixture.diagnostics("values/prod.yml").lines().count();
        assert_eq!(codes(&fixture), 1);

        fixture.write("config/schema.yml", "#@data/values-schema\n---\nport: ''\n");
        see(&mut fixture, &["config/schema.yml"]);
        assert_eq!(codes(&fixture), 0);

        std::fs::remove_file(fixture.path("config/schema.yml")).unwrap();
        see(&mut fixture, &["config/schema.yml"]);
        assert!(fixture.explain().contains("values/prod.yml Other Its name or directory"));

        fixture.write("schema/deep.yml", "#@data/values-schema\n---\nport: 1\n");
        see(&mut fixture, &["schema", "schema/deep.yml"]);
        assert_eq!(codes(&fixture), 1);

        // A directory goes with all that is in it.
        std::fs::remove_dir_all(fixture.path("schema")).unwrap();
        see(&mut fixture, &["schema"]);
        assert_eq!(codes(&fixture), 0);

        // A file becomes a directory.
        fixture.write("config/schema.yml", "#@data/values-schema\n---\nport: 1\n");
        see(&mut fixture, &["config/schema.yml"]);
        assert_eq!(codes(&fixture), 1);
        std::fs::remove_file(fixture.path("config/schema.yml")).unwrap();
        fixture.write("config/schema.yml/x.yml", "a: 1\n");
        see(&mut fixture, &["config/schema.yml"]);
        assert_eq!(codes(&fixture), 0);
    }
}

#[test]
fn the_configuration_counts_while_it_is_typed() {
    let mut fixture = Fixture::scanned(APP);
    fixture.write("extra/schema.yml", "#@data/values-schema\n---\nport: ''\n");
    fixture.open("values/prod.yml", "port: x\n");
    assert_eq!(fixture.diagnostics("values/prod.yml").lines().count(), 1);
    fixture.open("lofting.toml", "[sets.x]\nfiles = ['extra']\nvalues = ['values/prod.yml']\n");
    assert_eq!(fixture.diagnostics("values/prod.yml"), "");
    fixture.edit("lofting.toml", "'extra'", "'config', 'nope', 3");
    assert_eq!(fixture.diagnostics("values/prod.yml").lines().count(), 1);
    expect![[r#"
        2:20 lofting/configuration `nope`: there is no such file or directory
        2:28 lofting/configuration `files` must be an array of strings: ["a", "b"]
    "#]]
    .assert_eq(&fixture.diagnostics("lofting.toml"));
}

#[test]
fn snapshots_share_what_was_derived() {
    let mut fixture = Fixture::scanned(APP);
    let id = fixture.open("values/prod.yml", "port: x\n");
    let one = fixture.workspace.snapshot();
    let two = fixture.workspace.snapshot();
    assert!(std::sync::Arc::ptr_eq(&one.documents(id), &two.documents(id)));
    assert_eq!(shown(&one, id), shown(&two, id));
    fixture.edit("values/prod.yml", "x", "1");
    assert_eq!(one.text(id).to_string(), "port: x\n");
}

/// One finding about a value that several aliases repeat is there as long as one of them is where it is wrong.
#[test]
fn what_is_wrong_with_an_anchored_value_is_found_wherever_an_alias_repeats_it() {
    let schema = r##"{"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": {"$ref": "#/definitions/m"},
        "b": {"$ref": "#/definitions/m"}, "c": {"$ref": "#/definitions/m"}}, "definitions": {"m": {"type": "object", "properties":
        {"in": {"type": "object", "required": ["k"], "allOf": [{"properties": {"port": {"type": "integer"}}}]}}}}}"##;
    let long: String = (0..20).map(|n| format!("    other_{n}: some text\n")).collect();
    for last in ["b: *m\n", "b:\n  <<: *m\n", "b:\n  in: *i\n", "c: &c\n  <<: *m\nb: *c\n"] {
        let text = format!(
            "# yaml-language-server: $schema=schema.json\nfirst: 1\na: &m\n  in: &i\n    port: bad\n{long}between: 1\nand: 2\n{last}"
        );
        let mut fixture = Fixture::scanned(&format!("#- schema.json\n{schema}\n#- values.yml\n{text}"));
        fixture.open("values.yml", &text);
        let found = fixture.diagnostics("values.yml");
        let of_values = found.lines().filter(|line| !line.contains("yaml/unused-anchor"));
        assert_eq!(of_values.count(), 2, "{found}");
        let mut now = text;
        for (old, new) in
            [("a: &m", "x: &m"), ("x: &m", "a: &m"), ("\nb:", "\ny:"), ("\nc:", "\nz:"), ("a: &m", "x: &m")]
        {
            if !now.contains(old) {
                continue;
            }
            fixture.edit("values.yml", old, new);
            now = now.replacen(old, new, 1);
            let fresh = Fixture::scanned(&format!("#- schema.json\n{schema}\n#- values.yml\n{now}"));
            assert_eq!(fixture.diagnostics("values.yml"), fresh.diagnostics("values.yml"), "after {new:?}:\n{now}");
        }
    }
}
