use crate::fixture::open;
use crate::{Markup, hover};
use expect_test::{Expect, expect};

const SCHEMA: &str = "#- schema.yml\n#@data/values-schema\n---\nport: 80\nhosts:\n- ''\nusers:\n- name: ''\n  age: 1\n";

/// The part of the hover about what happens to the value.
fn check(files: &str, expected: Expect) {
    let fixture = open(files);
    let found = hover(&fixture.snapshot, fixture.file, fixture.offset, Markup::Plain);
    let text = found.map(|found| found.text).unwrap_or_default();
    let parts = ["Final value", "This value replaces", "In "];
    let from = parts.iter().filter_map(|part| text.find(part)).min().unwrap_or(text.len());
    expected.assert_eq(text.get(from..).unwrap_or_default());
}

#[test]
fn a_value_alone_replaces_the_default() {
    check(&format!("{SCHEMA}#- values.yml\n#@data/values\n---\npo$0rt: 81\n"), expect![""]);
    check(
        &format!("{SCHEMA}#- values.yml\n#@data/values\n---\nport: 81\n---\n#@data/values\n---\npo$0rt: 82\n"),
        expect!["This value replaces 81 (values.yml:3)"],
    );
    check(
        &format!("{SCHEMA}#- values.yml\n#@data/values\n---\nusers:\n- name: a\n  age: 2\n- name: b\n  ag$0e: 3\n"),
        expect![""],
    );
}

#[test]
fn in_sets_it_is_said_who_wins_where() {
    let config = "#- lofting.toml\n[sets.dev]\nfiles = ['schema.yml', 'values.yml', 'dev.yml']\n[sets.prod]\nfiles = ['schema.yml', 'values.yml']\nvalues = ['envs/*.yml']\n";
    let rest = "#- dev.yml\n#@data/values\n---\nport: 1\n#- envs/eu.yml\nport: 2\n#- envs/us.yml\nport: 3\n";
    let values = "#- values.yml\n#@data/values\n---\npo$0rt: 81\n";
    check(
        &format!("{config}{SCHEMA}{rest}{values}"),
        expect![[r#"
            In dev: Final value: 1, which wins from dev.yml:3

            This value replaces 80 (default, schema.yml:3)

            In prod with envs/eu.yml: Final value: 2, which wins from envs/eu.yml:1

            This value replaces 80 (default, schema.yml:3)

            In prod with envs/us.yml: Final value: 3, which wins from envs/us.yml:1

            This value replaces 80 (default, schema.yml:3)"#]],
    );
    let eu = format!("{config}{SCHEMA}{rest}{}", values.replace("$0", "")).replace("port: 2", "po$0rt: 2");
    check(&eu, expect!["This value replaces 81 (values.yml:3)"]);
}

#[test]
fn half_typed_and_without_schema_there_is_nothing() {
    check("#- values.yml\n#@data/values\n---\npo$0rt: 81\n", expect![[""]]);
    check(&format!("{SCHEMA}#- values.yml\n#@data/values\n---\npo$0rt\n"), expect![""]);
}
