//! Which of several alternatives is meant, while a value that would say so is not written yet.

use crate::fixture::Fixture;

const SCHEMA: &str = r##"#- schema.json
{"type": "object", "properties": {
  "debugger": {"oneOf": [
    {"additionalProperties": false, "required": ["type", "port"], "properties": {
      "type": {"type": "string", "const": "probe"}, "run": {"type": "boolean"}, "port": {"type": "integer"}, "probe": {}}},
    {"additionalProperties": false, "required": ["type", "port", "script"], "properties": {
      "type": {"type": "string", "const": "gdb"}, "run": {"type": "boolean", "const": true}, "port": {"type": "integer"},
      "script": {}}}
  ]},
  "flag": {"oneOf": [
    {"required": ["path"], "properties": {"inline": {"const": false}, "path": {"type": "string"}}},
    {"required": ["text"], "properties": {"inline": {"const": true}, "text": {"type": "string"}}}
  ]},
  "chart": {"properties": {"version": {"enum": ["v1", "v2"]}, "list": {"type": "array"}},
    "if": {"properties": {"version": {"const": "v2"}}}, "else": {"properties": {"list": false}}},
  "open": {"properties": {"version": {}, "list": {"type": "array"}},
    "if": {"properties": {"version": {"const": "v2"}}}, "else": {"properties": {"list": false}}}
}}
#- a.yaml
# yaml-language-server: $schema=schema.json
"##;

#[test]
fn a_value_that_is_not_written_is_one_mistake() {
    for (text, want) in [
        ("debugger:\n  type: probe\n  run: true\n  port: 1\n  probe: x\n", &[][..]),
        // The key that selects the alternative is missing: only that is reported.
        ("debugger:\n  type:\n  run: true\n  port: 1\n  probe: x\n", &["3:3 json-schema/one-of"]),
        ("debugger:\n  type:\n  run: false\n  port: 1\n", &["3:3 json-schema/one-of"]),
        ("debugger:\n  type: gdb\n  run: true\n  port: 1\n  script: x\n", &[]),
        ("debugger:\n  type: gdb\n  run: true\n  port: x\n  script: x\n", &["5:9 json-schema/type-mismatch"]),
        ("flag:\n  inline: true\n  text: 1\n", &["4:9 json-schema/type-mismatch"]),
        ("flag:\n  inline: false\n  path: 1\n", &["4:9 json-schema/type-mismatch"]),
        ("chart:\n  version: v2\n  list: []\n", &[]),
        ("chart:\n  version: v1\n  list: []\n", &["4:9 json-schema/forbidden"]),
        ("chart:\n  version:\n  list: []\n", &["3:3 json-schema/one-of"]),
        // Nothing is as good as anything there.
        ("open:\n  version:\n  list: []\n", &["4:9 json-schema/forbidden"]),
    ] {
        let found = Fixture::scanned(&format!("{SCHEMA}{text}")).diagnostics("a.yaml");
        let heads: Vec<String> =
            found.lines().map(|line| line.trim().splitn(3, ' ').take(2).collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(heads, want, "{text}\n{found}");
    }
}
