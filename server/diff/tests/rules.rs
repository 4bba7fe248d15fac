//! Each rule of changes has an example that changes so, and a page in the manual.

use lofting_diff::rules::{SCHEMA_GONE, all, by_code};
use lofting_diff::{Kind, compare};
use std::collections::BTreeSet;

#[test]
fn every_example_is_a_change_of_its_rule() {
    for rule in all().filter(|rule| rule.name != SCHEMA_GONE) {
        let compared =
            compare(rule.language, rule.old, rule.new).unwrap_or_else(|why| panic!("{}: {why:?}", rule.name));
        let changes = compared.changes.iter().chain(&compared.documentation);
        let names: BTreeSet<&str> = changes.map(|change| change.rule()).collect();
        assert!(names.contains(rule.name), "{}: {names:?}", rule.name);
        // A key with another name is also a new key.
        let others = names.iter().filter(|name| **name != rule.name && !name.starts_with("added-"));
        assert_eq!(others.count(), 0, "{}: {names:?}", rule.name);
    }
    assert!(compare(lofting_diff::Language::Ytt, by_code("diff/schema-gone").expect("a rule").old, "").is_err());
}

#[test]
fn every_kind_has_a_rule_and_every_rule_a_name_of_its_own() {
    let names: BTreeSet<&str> = all().map(|rule| rule.name).collect();
    assert_eq!(names.len(), all().count());
    for (kind, name, _) in Kind::ALL {
        match kind {
            Kind::Narrowed | Kind::Widened => assert!(names.iter().any(|rule| rule.starts_with(name)), "{name}"),
            _ => assert!(names.contains(name), "{name}"),
        }
    }
    assert!(by_code("diff/removed").is_some() && by_code("removed").is_none() && by_code("ytt/removed").is_none());
}

#[test]
fn the_manual_has_a_page_for_every_rule() {
    let manual = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for rule in all() {
        let path = format!("{}.md", rule.path());
        let written = std::fs::read_to_string(manual.join(&path)).unwrap_or_default();
        assert_eq!(written, rule.page(), "docs/{path} is old: run `cargo xtask docs`");
    }
    let page = std::fs::read_to_string(manual.join("diff.md")).expect("a page");
    let row = |rule: &lofting_diff::ChangeRule| format!("| [`{}`]({}.md) | {} |\n", rule.name, rule.path(), rule.what);
    let table = format!(
        "<!-- rules -->\n| rule | what |\n| --- | --- |\n{}<!-- /rules -->\n",
        all().map(row).collect::<String>()
    );
    assert!(page.contains(&table), "the table in docs/diff.md has to be:\n{table}");
}

/// Descriptions change nothing that is accepted, so they are reported apart.
#[test]
fn changes_of_descriptions_are_apart() {
    let schema = |root: &str, member: &str| {
        format!(
            "description: {root}\nproperties:\n  b:\n    anyOf:\n    - {{type: string, description: {member}}}\n    - {{type: integer}}\n  \
                 a: {{$ref: '#/$defs/a'}}\n\
                 $defs:\n  a: {{description: {member}}}\n"
        )
    };
    let compared =
        compare(lofting_diff::Language::JsonSchema, &schema("One", "a"), &schema("Two", "b")).expect("schemas");
    assert_eq!(compared.changes, []);
    let told: Vec<String> =
        compared.documentation.iter().map(|change| format!("{}: {}", change.path, change.words())).collect();
    assert_eq!(told, [": its description was One and is Two now", "a: its description was a and is b now"]);
}
