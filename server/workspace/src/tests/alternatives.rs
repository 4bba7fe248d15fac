//! Which of several alternatives is meant: while a value that would say so is not written yet, and where a text is one of them
//! if it is read as something else.

use crate::fixture::Fixture;
use lofting_memo::CancelFlag;
use lofting_text::Encoding;

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

/// A boolean or an expression, in each form in which a schema says so.
const FLAGS: &str = r##"#- schema.json
{"type": "object", "properties": {
  "any": {"anyOf": [{"type": "boolean"}, {"type": "string", "pattern": "^[{]"}]},
  "last": {"anyOf": [{"type": "string", "enum": ["never", "always"]}, {"type": "boolean"}]},
  "one": {"oneOf": [{"$ref": "#/$defs/text"}, {"type": "integer"}, {"type": "null"}]},
  "both": {"type": ["boolean", "string"], "pattern": "^[{]"},
  "short": {"type": ["integer", "string"], "maxLength": 1},
  "only": {"type": "string", "pattern": "^[{]"},
  "few": {"anyOf": [{"const": true}, {"type": "string", "pattern": "^[{]"}]}
}, "$defs": {"text": {"type": "string", "format": "ipv4"}}}
#- a.yaml
# yaml-language-server: $schema=schema.json
"##;

#[test]
fn a_text_that_is_meant_as_something_else_is_to_be_written_so() {
    for (text, want) in [
        ("any: true\n", ""),
        ("any: '{x}'\n", ""),
        ("any: yes\n", "json-schema/type-mismatch: Change to true"),
        ("any: Off\n", "json-schema/type-mismatch: Change to false"),
        ("any: 'true'\n", "json-schema/type-mismatch: Remove the quotes"),
        ("any: yess\n", "json-schema/pattern: "),
        ("any: 'yes sir'\n", "json-schema/pattern: "),
        ("any: '1'\n", "json-schema/pattern: "),
        // Everything that is allowed is listed.
        ("last: no\n", "json-schema/one-of: Change to false"),
        ("one: '80'\n", "json-schema/type-mismatch: Remove the quotes"),
        ("one: 1_000\n", "json-schema/type-mismatch: Change to 1000"),
        ("both: on\n", "json-schema/pattern: Change to true"),
        ("short: '80'\n", "json-schema/max-len: Remove the quotes"),
        // Nothing else would be right.
        ("only: on\n", "json-schema/pattern: "),
        ("few: yes\n", "json-schema/one-of: Change to true"),
        ("few: no\n", "json-schema/one-of: "),
    ] {
        let fixture = Fixture::scanned(&format!("{FLAGS}{text}"));
        let found = fixture.workspace.snapshot().diagnostics(fixture.id("a.yaml"), &CancelFlag::new());
        let shown = found.iter().map(|finding| {
            let fix = finding.fixes.first().map_or_else(String::new, |fix| fix.title.to_string());
            format!("{}: {fix}", finding.code())
        });
        assert_eq!(shown.collect::<Vec<_>>().join(", "), want, "{text}");
    }
}

/// Each key of [`FLAGS`], and some with bounds of numbers, with each scalar: what a fix of the value writes is right.
#[test]
fn a_fix_of_a_scalar_writes_what_the_schema_takes() {
    let schema = FLAGS.replace(
        "\"few\":",
        "\"least\": {\"type\": \"integer\", \"minimum\": 500}, \"real\": {\"type\": \"number\", \"maximum\": 2}, \"full\": {\"type\": \"string\", \"minLength\": 2}, \"few\":",
    );
    let mut offered = 0;
    for key in ["any", "last", "one", "both", "short", "only", "least", "real", "full", "few"] {
        for value in [
            "true",
            "yes",
            "'true'",
            "1",
            "123",
            "1.0",
            "'80'",
            "1_000",
            "null",
            "~",
            "word",
            "1.5",
            "2020-01-01",
            "on",
        ] {
            let text = format!("{key}: {value}\n");
            let fixture = Fixture::scanned(&format!("{schema}{text}"));
            let found = fixture.workspace.snapshot().diagnostics(fixture.id("a.yaml"), &CancelFlag::new());
            for (finding, fix) in found.iter().flat_map(|finding| finding.fixes.iter().map(move |fix| (finding, fix))) {
                let [(span, new)] = fix.edits.as_slice() else { continue };
                // A list around the value may have a wrong item, which is another mistake.
                if new.starts_with('[') {
                    continue;
                }
                let head = "# yaml-language-server: $schema=schema.json\n".len();
                let mut fixed = text.clone();
                fixed.replace_range(span.range().start - head..span.range().end - head, new);
                let after = Fixture::scanned(&format!("{schema}{fixed}")).diagnostics("a.yaml");
                assert_eq!(after, "", "{text} {}: {} gives {fixed}", finding.message, fix.title);
                offered += 1;
            }
        }
    }
    assert!(offered > 30, "only {offered} fixes were offered");
}

#[test]
fn a_map_that_no_alternative_knows_is_one_mistake_for_each_key() {
    let schema = |closed: bool| {
        let others = if closed { r#""additionalProperties": false, "# } else { "" };
        let alternative = |name: &str, kind: &str| {
            format!(
                r##"{{"type": "object", {others}"required": ["{name}"], "properties": {{"{name}": {{"type": "{kind}"}}}}}}"##
            )
        };
        let (job, project) = (alternative("job", "object"), alternative("project", "object"));
        let pipeline = alternative("pipeline", "string");
        format!(
            "#- schema.json\n{{\"items\": {{\"anyOf\": [{job}, {{\"$ref\": \"#/$defs/project\"}}, {pipeline}]}}, \"$defs\": \
             {{\"project\": {project}}}}}\n#- a.yaml\n# yaml-language-server: $schema=schema.json\n"
        )
    };
    for (closed, text, want) in [
        (true, "- job: {}\n- project: {}\n- pipeline: x\n", ""),
        (true, "- nodeset: {}\n", "2:3 `nodeset` is not declared in the schema of item 1"),
        (true, "- projct: {}\n", "2:3 `projct` is not declared in the schema of item 1; did you mean `project`?"),
        (
            true,
            "- set: {}\n  other: 1\n",
            "2:3 `set` is not declared in the schema of item 1, 3:3 `other` is not declared in the schema of item 1",
        ),
        (true, "- job: 1\n", "2:8 `job` should be a map, but is the integer 1"),
        (false, "- nodeset: {}\n", "2:1 item 1 needs `job`, or `project`, or `pipeline`"),
        (true, "- {}\n", "2:1 item 1 needs `job`, or `project`, or `pipeline`"),
    ] {
        let fixture = Fixture::scanned(&format!("{}{text}", schema(closed)));
        let (snapshot, id) = (fixture.workspace.snapshot(), fixture.id("a.yaml"));
        let lines = snapshot.diagnostics(id, &CancelFlag::new());
        let shown = lines.iter().map(|finding| {
            let at = snapshot.text(id).position(finding.span.range().start, Encoding::Utf32);
            let help = finding.help.as_deref().filter(|help| help.starts_with("did"));
            let help = help.map_or_else(String::new, |help| format!("; {help}"));
            format!("{}:{} {}{help}", at.line + 1, at.column + 1, finding.message)
        });
        assert_eq!(shown.collect::<Vec<_>>().join(", "), want, "{text}");
    }
}

/// What only one alternative has counts more than what several have.
#[test]
fn the_only_value_of_a_key_tells_alternatives_apart() {
    let schema = r##"#- schema.json
{"oneOf": [
  {"additionalProperties": false, "required": ["in", "schema"], "properties": {"in": {"enum": ["body"]}, "schema": {}}},
  {"oneOf": [{"$ref": "#/$defs/header"}, {"$ref": "#/$defs/query"}]}
], "$defs": {
  "header": {"required": ["in", "type"], "properties": {
    "in": {"enum": ["header"]}, "type": {"enum": ["string", "integer"]}, "form": {"enum": ["csv", "tsv"]}}},
  "query": {"required": ["in", "type"], "properties": {"in": {"enum": ["query"]}, "type": {"enum": ["string", "integer"]}}}
}}
#- a.yaml
# yaml-language-server: $schema=schema.json
"##;
    for (text, want) in [
        ("in: header\ntype: integer\nform: csv\n", ""),
        ("in: body\ntype: integer\nform: csv\n", "2:1 `schema` is missing in the document"),
        ("in: query\ntype: text\n", "3:7 `type` should be one of \"string\" or \"integer\", but is \"text\""),
        (
            "in: cookie\ntype: integer\n",
            "2:5 `in` should be one of \"body\", \"header\" or \"query\", but is \"cookie\"",
        ),
    ] {
        let found = Fixture::scanned(&format!("{schema}{text}")).diagnostics("a.yaml");
        let shown = found.lines().next().map_or_else(String::new, |line| {
            let (place, rest) = line.trim().split_once(' ').expect("a place");
            format!("{place} {}", rest.split_once(' ').expect("a code").1)
        });
        assert_eq!(shown, want, "{text}{found}");
    }
}

/// Alternatives of a scalar that list values, alone and beside others.
const LISTED: &str = r##"#- schema.json
{"type": "object", "properties": {
  "level": {"oneOf": [{"const": "debug"}, {"const": "info"}, {"const": "warning"}]},
  "kinds": {"anyOf": [{"const": "x"}, {"oneOf": [{"enum": ["y", "z"]}, {"const": "w"}]}, {"type": "integer"}]},
  "tag": {"anyOf": [{"const": "latest"}, {"pattern": "^[0-9]+$"}]},
  "auto": {"oneOf": [{"type": "boolean"}, {"enum": ["auto"]}]},
  "few": {"anyOf": [{"enum": ["latest", "stable"]}, {"type": "string", "pattern": "^v"}]},
  "then": {"required": ["kind"], "if": {"properties": {"kind": {"const": "x"}}}, "then": {"maxLength": 3}},
  "both": {"required": ["c"], "oneOf": [{}, {"properties": {"c": {}}}]},
  "face": {"enum": ["🎉", "b"]}
}}
#- a.yaml
# yaml-language-server: $schema=schema.json
"##;

#[test]
fn all_values_of_alternatives_are_listed() {
    for (text, want) in [
        ("level: warn\n", "`level` should be one of \"debug\", \"info\" or \"warning\", but is \"warn\""),
        ("level: 1\n", "`level` should be one of \"debug\", \"info\" or \"warning\", but is 1"),
        ("kinds: q\n", "`kinds` should be \"x\", \"y\", \"z\", \"w\" or an integer, but is \"q\""),
        ("kinds: 1\n", ""),
        ("tag: 1x\n", "`tag` should be \"latest\" or a string that matches `^[0-9]+$`, but is \"1x\""),
        (
            "tag: lates\n",
            "`tag` should be \"latest\" or a string that matches `^[0-9]+$`, but is \"lates\"; did you mean \"latest\"?",
        ),
        ("auto: yes\n", "`auto` should be one of true, false or \"auto\", but is \"yes\"; did you mean true?"),
        ("auto: 3\n", "`auto` should be one of true, false or \"auto\", but is 3"),
        ("few: 3\n", "`few` should be \"latest\", \"stable\" or a string, but is 3"),
        (
            "few: lates\n",
            "`few` should be \"latest\", \"stable\" or a string that matches `^v`, but is \"lates\"; did you mean \"latest\"?",
        ),
        ("few: v1\n", ""),
        // A key is required of nothing but a map.
        ("then: abcd\n", "`then` should have at most 3 characters, but has 4"),
        ("both: 1\n", "`both` fits 2 alternatives of which exactly one may"),
        ("face: no\n", "`face` should be one of \"🎉\" or \"b\", but is \"no\""),
    ] {
        let fixture = Fixture::scanned(&format!("{LISTED}{text}"));
        let found = fixture.workspace.snapshot().diagnostics(fixture.id("a.yaml"), &CancelFlag::new());
        let message = |finding: &lofting_check::Diagnostic| {
            let help = finding.help.as_deref().filter(|help| help.starts_with("did"));
            help.map_or_else(|| finding.message.clone(), |help| format!("{}; {help}", finding.message))
        };
        let messages: Vec<String> = found.iter().map(message).collect();
        assert_eq!(messages.join(", "), want, "{text}");
    }
}

/// Keys that belong to alternatives which have nothing in common, and names that are listed.
const EXCLUSIVE: &str = r##"#- schema.json
{"type": "object", "properties": {
  "source": {"oneOf": [
    {"additionalProperties": false, "required": ["git"], "properties": {"git": {}, "branch": {}}},
    {"additionalProperties": false, "required": ["http"], "properties": {"http": {}}}]},
  "size": {"propertyNames": {"enum": ["width", "height"]}},
  "labels": {"additionalProperties": false, "properties": {"name": {}}, "patternProperties": {"^x-": {}}},
  "rest": {"additionalProperties": false, "patternProperties": {"^x-": {}, "^y-": {}}},
  "tags": {"uniqueItems": true},
  "pet": {"discriminator": {"propertyName": "type", "mapping": {"cat": "#/$defs/Cat", "dog": "Dog"}},
    "oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]},
  "free": {"discriminator": {"propertyName": "type", "mapping": {"cat": "#/$defs/Cat"}},
    "anyOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]},
  "real": {"type": "number"}, "count": {"type": "integer"}
}, "$defs": {
  "Cat": {"required": ["type"], "properties": {"type": {"type": "string"}, "lives": {"type": "integer"}}},
  "Dog": {"required": ["type"], "properties": {"type": {"type": "string"}, "tricks": {"type": "array"}}}
}}
#- a.yaml
# yaml-language-server: $schema=schema.json
"##;

#[test]
fn messages_say_all_that_is_allowed() {
    for (text, want) in [
        ("source: {git: 1, branch: x}\n", ""),
        (
            "source: {git: 1, http: 2}\n",
            "18 `git` and `http` cannot be given together: each belongs to another alternative",
        ),
        (
            "source: {http: 2, branch: x, git: 1}\n",
            "30 `git` and `http` cannot be given together: each belongs to another alternative",
        ),
        // What nothing declares is reported by itself.
        (
            "source: {git: 1, http: 2, x: 1}\n",
            "18 `http` is not declared in the schema of `source`; declared keys are `git` and `branch`, \
             27 `x` is not declared in the schema of `source`; declared keys are `git` and `branch`",
        ),
        (
            "size: {widht: 1, height: 2}\n",
            "8 the name of `widht` is not allowed: the name should be one of \"width\" or \"height\", but is \"widht\"; \
             did you mean `width`? [Rename to `width`]",
        ),
        (
            "size: {depth: 1}\n",
            "8 the name of `depth` is not allowed; the name should be one of \"width\" or \"height\", but is \"depth\"",
        ),
        (
            "labels: {y-a: 1}\n",
            "10 `y-a` is not declared in the schema of `labels`; the declared key is `name`; each other key has to match `^x-`",
        ),
        ("rest: {z: 1}\n", "8 `z` is not declared in the schema of `rest`; each key has to match `^x-` or `^y-`"),
        ("tags: [a, b, a]\n", "14 items 1 and 3 of `tags` are equal"),
        ("tags:\n- {a: 1}\n- b\n- {a: 1}\n", "4:3 items 1 and 3 of `tags` are equal"),
        ("pet: {type: cat, lives: 9}\n", ""),
        ("pet: {type: bird}\n", "13 `type` should be one of \"cat\" or \"dog\", but is \"bird\""),
        (
            "pet: {type: dog, tricks: 1}\n",
            "26 `tricks` should be an array, but is the integer 1; an array of one item is written `[...]` [Make it an array]",
        ),
        ("pet: {type: cat, tricks: 1}\n", ""),
        ("free: {type: bird}\n", ""),
        (
            "real: 0,75\n",
            "7 `real` should be a number, but is the string \"0,75\"; write it as `0.75` [Change to 0.75]",
        ),
        ("real: 1,2,3\n", "7 `real` should be a number, but is the string \"1,2,3\""),
        (
            "real: 1,234.5\n",
            "7 `real` should be a number, but is the string \"1,234.5\"; write it as `1234.5` [Change to 1234.5]",
        ),
        ("count: 1,5\n", "8 `count` should be an integer, but is the string \"1,5\""),
        (
            "count: 1,234,567\n",
            "8 `count` should be an integer, but is the string \"1,234,567\"; write it as `1234567` [Change to 1234567]",
        ),
        ("count: 075,000\n", "8 `count` should be an integer, but is the string \"075,000\""),
    ] {
        let fixture = Fixture::scanned(&format!("{EXCLUSIVE}{text}"));
        let (snapshot, id) = (fixture.workspace.snapshot(), fixture.id("a.yaml"));
        let found = snapshot.diagnostics(id, &CancelFlag::new());
        let shown = found.iter().map(|finding| {
            let at = snapshot.text(id).position(finding.span.range().start, Encoding::Utf32);
            let line = if at.line > 1 { format!("{}:", at.line) } else { String::new() };
            let help = finding.help.as_deref().map_or_else(String::new, |help| format!("; {help}"));
            let is_likely = |fix: &&lofting_check::Fix| fix.confidence > lofting_check::Confidence::Possible;
            let fix = finding.fixes.iter().find(is_likely).map_or_else(String::new, |fix| format!(" [{}]", fix.title));
            format!("{line}{} {}{help}{fix}", at.column + 1, finding.message)
        });
        assert_eq!(shown.collect::<Vec<_>>().join(", "), want, "{text}");
    }
}

/// What a condition asks for, and alternatives whose parts are joined.
const ASKED: &str = r##"#- schema.json
{"type": "object", "properties": {
  "card": {"dependentRequired": {"number": ["owner"]}},
  "sink": {"oneOf": [
    {"allOf": [{"required": ["queue"], "properties": {"queue": {}}},
               {"required": ["type"], "properties": {"type": {"const": "amqp"}}}]},
    {"allOf": [{"required": ["path"], "properties": {"path": {}}},
               {"required": ["type"], "properties": {"type": {"const": "http"}}}]}]},
  "run": {"properties": {"shell": {}, "cmd": {}, "cwd": {}}, "oneOf": [{"required": ["shell"]}, {"required": ["cmd"]}]},
  "mode": {"if": {"properties": {"kind": {"const": "card"}}, "required": ["kind"]}, "then": {"required": ["owner"]}},
  "count": {"type": "integer"}
}}
#- a.yaml
# yaml-language-server: $schema=schema.json
"##;

#[test]
fn what_is_asked_for_says_why() {
    for (text, want) in [
        ("card: {number: 1}\n", "`owner` is missing in `card`: `number` asks for it"),
        ("mode: {kind: card}\n", "`owner` is missing in `mode`: `kind: card` asks for it"),
        ("mode: {kind: cash}\n", ""),
        ("sink: {type: htp}\n", "`type` should be one of \"amqp\" or \"http\", but is \"htp\""),
        ("run: {cwd: x}\n", "`run` needs `shell`, or `cmd`"),
        ("count: .inf\n", "`count` should be an integer, but is the number .inf"),
    ] {
        let found = Fixture::scanned(&format!("{ASKED}{text}")).diagnostics("a.yaml");
        let said: Vec<&str> = found.lines().map(|line| line.trim().splitn(3, ' ').nth(2).unwrap_or_default()).collect();
        let wanted: Vec<&str> = (!want.is_empty()).then_some(want).into_iter().collect();
        assert_eq!(said, wanted, "{text}\n{found}");
    }
}
