use super::{ValueAt, value_at, value_at_path};
use crate::fixture::{Fixture, open};
use expect_test::{Expect, expect};
use lofting_document::write::to_json;
use lofting_schema::words::literal;

const SCHEMA: &str = "#- schema.yml
#@data/values-schema
---
#@schema/desc \"Where it listens\"
service:
  #@schema/validation min=1, max=65535
  port: 8080
  names:
  - \"\"
  a.b: 1
";

fn described(fixture: &Fixture, value: Option<&ValueAt>) -> String {
    let Some(value) = value else { return "nothing\n".to_owned() };
    let range = value.range.clone().map(|range| fixture.text.get(range).unwrap_or_default().to_owned());
    let mut text = format!("{:?} at {range:?}", value.path);
    text += &value.written.as_ref().map(|node| format!(" = {}", literal(node))).unwrap_or_default();
    text.push('\n');
    for node in &value.described {
        text += &format!(
            "  {}{} {}\n",
            node.kind,
            if node.required { ", required" } else { "" },
            to_json(&node.json_schema)
        );
    }
    for one in &value.finals {
        let layers = one.layers.iter().map(|layer| {
            let name = fixture.snapshot.shown_path(layer.place.file);
            format!("{} ({}{name})", literal(&layer.value), if layer.is_default { "default, " } else { "" })
        });
        text += &format!("  final: {}\n", layers.collect::<Vec<_>>().join(" instead of "));
    }
    text
}

fn check_at(fixture: &str, expected: &Expect) {
    let fixture = open(fixture);
    expected.assert_eq(&described(&fixture, value_at(&fixture.snapshot, fixture.file, fixture.offset).as_ref()));
}

fn check_path(fixture: &str, path: &str, expected: &Expect) {
    let fixture = open(fixture);
    expected.assert_eq(&described(&fixture, value_at_path(&fixture.snapshot, fixture.file, path, None).as_ref()));
}

#[test]
fn a_value_has_its_schema_and_its_final_value() {
    let values = format!("{SCHEMA}#- values.yml\n#@data/values\n---\nservice:\n  po$0rt: 70\n");
    check_at(
        &values,
        &expect![[r#"
        "service.port" at Some("port") = 70
          integer {"type":"integer","minimum":1,"maximum":65535,"default":8080}
          final: 70 (values.yml) instead of 8080 (default, schema.yml)
    "#]],
    );
    let item = format!("{SCHEMA}#- values.yml\n#@data/values\n---\nservice:\n  names: [a, b$0]\n");
    check_at(
        &item,
        &expect![[r#"
        "service.names[1]" at Some("b") = "b"
          string {"type":"string","default":""}
          final: "b" (values.yml)
    "#]],
    );
    let half = format!("{SCHEMA}#- values.yml\n#@data/values\n---\nservice:\n  po$0\n");
    check_at(
        &half,
        &expect![[r#"
        "service" at Some("po") = "po"
          map {"description":"Where it listens","type":"object","properties":{"port":{"type":"integer","minimum":1,"maximum":65535,"default":8080},"names":{"type":"array","items":{},"default":[]},"a.b":{"type":"integer","default":1}},"additionalProperties":false}
          final: "po" (values.yml) instead of {port: 8080, names: [], a.b: 1} (default, schema.yml)
    "#]],
    );
    check_at(
        "#- values.yml\na:\n- b$0: 1\n",
        &expect![[r#"
        "a[0].b" at Some("b") = 1
    "#]],
    );
    check_at(
        &format!("#- values.yml\na: 1\n{}", SCHEMA.replace("port", "po$0rt")),
        &expect![[r#"
        "service.port" at Some("port") = 8080
          integer {"type":"integer","minimum":1,"maximum":65535,"default":8080}
    "#]],
    );
}

#[test]
fn paths_lead_to_what_is_written_and_to_what_may_be() {
    let values = format!("{SCHEMA}#- values.yml\n#@data/values\n---\nservice:\n  names: [a, b]\n  a.b: 3\n");
    for (path, expected) in [
        (
            "service.names[1]",
            expect![[r#"
            "service.names[1]" at Some("b") = "b"
              string {"type":"string","default":""}
              final: "b" (values.yml)
        "#]],
        ),
        (
            "service.a.b",
            expect![[r#"
            "service.a.b" at Some("a.b") = 3
              integer {"type":"integer","default":1}
              final: 3 (values.yml) instead of 1 (default, schema.yml)
        "#]],
        ),
        (
            "service.port",
            expect![[r#"
            "service.port" at None
              integer {"type":"integer","minimum":1,"maximum":65535,"default":8080}
              final: 8080 (default, schema.yml)
        "#]],
        ),
        (
            "service.names[5]",
            expect![[r#"
            "service.names[5]" at None
              string {"type":"string","default":""}
        "#]],
        ),
        (
            "service",
            expect![[r#"
            "service" at Some("service") = {names: ["a", "b"], a.b: 3}
              map {"description":"Where it listens","type":"object","properties":{"port":{"type":"integer","minimum":1,"maximum":65535,"default":8080},"names":{"type":"array","items":{},"default":[]},"a.b":{"type":"integer","default":1}},"additionalProperties":false}
              final: {port: 8080, names: ["a", "b"], a.b: 3} (default, schema.yml)
        "#]],
        ),
        (
            "",
            expect![[r#"
            "" at None = {service: {names: ["a", "b"], a.b: 3}}
              map {"type":"object","properties":{"service":{"description":"Where it listens","type":"object","properties":{"port":{},"names":{},"a.b":{}},"additionalProperties":false}},"additionalProperties":false}
              final: {service: {port: 8080, names: ["a", "b"], a.b: 3}} (default, schema.yml)
        "#]],
        ),
        (
            "nothing.here",
            expect![[r#"
            nothing
        "#]],
        ),
        (
            "service..port",
            expect![[r#"
            nothing
        "#]],
        ),
    ] {
        check_path(&values, path, &expected);
    }
}

#[test]
fn a_key_that_a_map_requires_is_known_as_such() {
    let files = "#- schema.json\n{\"required\": [\"a\"], \"properties\": {\"a\": {\"type\": \"integer\"}, \"b\": {}}}\n#- values.yml\n\
                 # yaml-language-server: $schema=schema.json\nb: 1\n---\na: 2\n";
    for (path, expected) in [
        (
            "a",
            expect![[r#"
        "a" at Some("a") = 2
          integer, required {"type":"integer"}
    "#]],
        ),
        (
            "b",
            expect![[r#"
        "b" at Some("b") = 1
          any {}
    "#]],
        ),
    ] {
        check_path(files, path, &expected);
    }
}
