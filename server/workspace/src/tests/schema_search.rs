//! Searches for schemas that are left to jobs because there is much to read.

use crate::association::wishes::Namer;
use crate::fixture::Fixture;
use crate::settings::{SchemaSetting, SettingName, Settings};
use crate::workspace::sets::Taken;
use expect_test::expect;

/// More than is read while a request waits.
fn padding() -> String {
    " ".repeat(100_000)
}

fn files(padding: &str) -> String {
    format!(
        "#- hidden/box.json
{{{padding}\"properties\": {{\"size\": {{\"$ref\": \"size.json\"}}, \"on\": {{\"$ref\": \"none.json\"}}}}}}
#- hidden/size.json
{{\"type\": \"integer\"}}
#- hidden/schema.yml
#@data/values-schema
---
{}
size: 1
#- a.yaml
size: 1
",
        padding.replace(' ', "#")
    )
}

const HEADS: [&str; 4] = [
    "# yaml-language-server: $schema=hidden/box.json\n",
    "# $schema: hidden/box.json\n",
    "$schema: hidden/box.json\n",
    "#! lofting: schema=hidden/schema.yml\n",
];

fn scanned(padding: &str) -> Fixture {
    let mut fixture = Fixture::new(&files(padding), Settings::default());
    fixture.write(".ignore", "hidden\n");
    fixture.workspace.search_elsewhere();
    fixture.workspace.scan(&mut |_| {}, &crate::CancelFlag::new());
    fixture
}

#[test]
fn small_schemas_are_there_at_once() {
    for head in HEADS {
        let mut fixture = scanned("");
        fixture.open("a.yaml", &format!("{head}size: text\n"));
        assert!(fixture.diagnostics("a.yaml").contains("/type-mismatch"), "{head}");
        assert_eq!(fixture.search_schemas(), 0, "{head}");
    }
}

/// Until a schema was looked for nothing is reported, and then it is as if it had been there.
#[test]
fn nothing_is_wrong_while_a_schema_is_looked_for() {
    for head in HEADS {
        let mut fixture = scanned(&padding());
        fixture.open("a.yaml", &format!("{head}size: text\n"));
        assert_eq!(fixture.diagnostics("a.yaml"), "", "{head}");
        assert!(fixture.search_schemas() > 0, "{head}");
        assert!(fixture.diagnostics("a.yaml").contains("/type-mismatch"), "{head}");
    }
}

#[test]
fn what_is_not_there_is_said_when_all_was_looked_for() {
    let mut fixture = scanned(&padding());
    let schema = std::fs::read_to_string(fixture.path("hidden/box.json")).expect("it is there");
    fixture.open("hidden/box.json", &schema);
    fixture.open("a.yaml", "# $schema: hidden/box.json\nsize: 1\n");
    assert_eq!(fixture.diagnostics("hidden/box.json"), "");
    fixture.search_schemas();
    expect![[r#"
        1:100063 json-schema/ref-not-found `none.json` cannot be read: there is no such file
    "#]]
    .assert_eq(&fixture.diagnostics("hidden/box.json"));
    // The file is written.
    fixture.write("hidden/none.json", "{\"type\": \"boolean\"}");
    fixture.workspace.disk_changed(&[fixture.path("hidden/none.json"), fixture.path("a.yaml")]);
    fixture.open("a.yaml", "# $schema: hidden/box.json\non: 1\n");
    fixture.search_schemas();
    assert_eq!(fixture.diagnostics("hidden/box.json"), "");
    expect![[r#"
        2:5 json-schema/type-mismatch `on` should be a boolean, but is the integer 1
    "#]]
    .assert_eq(&fixture.diagnostics("a.yaml"));
}

#[test]
fn a_name_that_leads_nowhere_is_wrong_at_once() {
    let mut fixture = scanned(&padding());
    fixture.open("a.yaml", "# $schema: hidden/box.json\nsize: 1\n");
    fixture.open("b.yaml", "# $schema: nowhere.json\nsize: 1\n");
    expect![[r#"
        1:12 lofting/schema-not-read the schema `nowhere.json` cannot be read: there is no such file
    "#]]
    .assert_eq(&fixture.diagnostics("b.yaml"));
    assert_eq!(fixture.diagnostics("a.yaml"), "");
}

/// The message about a schema that a setting names is the same wherever it was looked for.
#[test]
fn settings_and_configurations_name_large_schemas() {
    let setting = |schema: &str| SchemaSetting {
        schema: schema.to_owned(),
        files: vec!["*.yaml".to_owned()],
        setting: SettingName::Lofting,
    };
    let mut fixture = scanned(&padding());
    let schemas = vec![setting("hidden/none.json"), setting("hidden/box.json")];
    fixture.workspace.set_settings(Settings { schemas, ..Settings::default() });
    fixture.open("a.yaml", "size: text\n");
    assert_eq!(fixture.diagnostics("a.yaml"), "");
    assert!(fixture.workspace.take_messages().is_empty());
    fixture.search_schemas();
    assert!(fixture.diagnostics("a.yaml").contains("/type-mismatch"));
    let messages = fixture.workspace.take_messages();
    assert!(matches!(&*messages, [one] if one.contains("hidden/none.json, but there is no such file")), "{messages:?}");

    let mut fixture = scanned(&padding());
    fixture.open("a.yaml", "size: text\n");
    let config = fixture.open("lofting.toml", "[[schemas]]\npath = 'hidden/box.json'\nfiles = ['*.yaml']\n");
    assert_eq!(fixture.diagnostics("a.yaml") + &fixture.diagnostics("lofting.toml"), "");
    fixture.search_schemas();
    assert!(fixture.diagnostics("a.yaml").contains("/type-mismatch"));
    fixture.workspace.close(config);
}

/// A search for many files takes as many rounds as references lead on, and each looks only at files that lacked something.
#[test]
fn what_lacks_nothing_is_not_looked_at_again() {
    let mut fixture = scanned(&padding());
    fixture.write("near.json", "{}");
    let names = ["b.yaml", "c.yaml", "d.yaml", "e.yaml", "f.yaml"];
    let mut files =
        names.map(|name| fixture.open(name, "# yaml-language-server: $schema=near.json\nsize: 1\n")).to_vec();
    files.push(fixture.open("a.yaml", &format!("{}size: text\n", HEADS[0])));
    fixture.workspace.search_schemas(files.into_iter().map(Namer::File));
    let mut settled = Vec::new();
    while let Some(job) = fixture.workspace.take_schema_search() {
        let mut found = job.run();
        settled.push(found.looks.settled.len());
        while fixture.workspace.take_schemas_found(&mut found, 2) == Taken::More {}
    }
    // The schema, the one that it refers to, and the one that is nowhere.
    assert_eq!(settled, [5, 5, 5]);
    assert!(fixture.diagnostics("a.yaml").contains("/type-mismatch"));
}
