//! Values against a schema.

use crate::fixture::{check, messages};
use crate::opened::Opened;
use expect_test::expect;
use std::fmt::Write as _;

#[test]
fn types_of_scalars() {
    let found = messages(
        r#"#- schema.yml
#@data/values-schema
---
port: 0
host: ""
ratio: 0.5
on: false
#^ ytt/ambiguous-key
tags:
- ""
#- values.yml
port: "80"
#     ^^^^ ytt/type-mismatch
host: 1.10
#     ^^^^ ytt/type-mismatch
ratio: 1
tags: one
#     ^^^ ytt/type-mismatch
"#,
    );
    expect![[r#"
        lint: this key is read as the boolean true
          help: put it in quotes to make it a string
          fix: Put it in quotes: "\"on\""
        type: `port` should be an integer, but is the string "80"
          help: remove the quotes
          fix: Remove the quotes: "80"
        type: `host` should be a string, but is the float 1.1
          help: put it in quotes to make it a string: `1.10` alone is read as the float 1.1
          fix: Put it in quotes: "\"1.10\""
        type: `tags` should be an array, but is the string "one"
          help: an array of one item is written `[...]`
          fix: Make it an array: "[one]"
    "#]]
    .assert_eq(&found);
}

/// ytt's own words are for its users.
#[test]
fn what_is_expected_is_said_in_the_words_of_the_language() {
    let fixture = r##"#- schema.yml
type: object
additionalProperties: false
properties:
  port: {type: integer, minimum: 1, exclusiveMaximum: 65535}
  name: {type: string, minLength: 3, maxLength: 4}
  level: {enum: [debug, info]}
  tags: {type: array, minItems: 1}
  none: {type: object, additionalProperties: false}
  labels: {type: object, additionalProperties: false, patternProperties: {"^x-": {type: string}}}
  both: {type: object, additionalProperties: false, properties: {a: {}}, patternProperties: {"^b": {}, "^c": {}}}
#- values.yml
# yaml-language-server: $schema=schema.yml
port: 65535
name: ab
level: loud
tags: []
none: {a: 1}
labels: {y: a}
both: {d: 1}
other: 1
"##;
    let opened = Opened::new(&lofting_fixture::files(fixture));
    let mut found = String::new();
    for finding in opened.findings(1) {
        let words = |words: &Option<String>| words.clone().unwrap_or_default();
        let _ = writeln!(found, "{}\n  {} / {}", finding.message, words(&finding.expected), words(&finding.found));
    }
    expect![[r#"
        `port` should be less than 65535, but is 65535
          less than 65535 / 65535
        `name` should have at least 3 characters, but has 2
          at least 3 characters / 2 characters
        `level` should be one of "debug" or "info", but is "loud"
          one of "debug", "info" / "loud"
        `tags` should not be empty
          at least 1 item / 0 items
        `a` is not declared in the schema: `none` has no keys there
          no keys / a
        `y` is not declared in the schema of `labels`
          a key that matches `^x-` / y
        `d` is not declared in the schema of `both`
          the key `a`, or a key that matches `^b` or `^c` / d
        `other` is not declared in the schema of the document
          one of `both`, `labels`, `level`, `name`, `none`, `port`, `tags` / other
    "#]]
    .assert_eq(&found);
}

#[test]
fn a_key_that_is_not_written_is_one_mistake() {
    check(
        r#"#- schema.yml
#@data/values-schema
---
m:
  b: 0
#- values.yml
m:
  : 1
# ^ ytt/no-key
"#,
    );
}

/// The names of anchors have no colons for ytt's library, so that the key is declared and its value is checked.
#[test]
fn an_alias_before_a_colon_is_a_key_for_ytt() {
    check(
        r#"#- schema.yml
#@data/values-schema
---
name: ""
port: 0
other: {port: 0}
#- values.yml
#@data/values
---
name: &key port
*key: web
#     ^^^ ytt/type-mismatch
other: {*key: 80}
#- generic.yml
# yaml-language-server: $schema=generic.json
name: &key port
*key: 80
#^^^^ yaml/alias-colon
#- generic.json
{"properties": {"port": {"type": "integer"}}}
"#,
    );
}

#[test]
fn yaml_that_only_newer_libraries_read_is_refused() {
    check(
        r#"#- schema.yml
#@data/values-schema
---
m:
  b: ""
l: [""]
#- values.yml
m:
  b: "x\/y"
#      ^^ ytt/refused-yaml
l: [ ::x, fe80::]
#    ^ ytt/refused-yaml
#- half-typed.yml
m:
  b: "x\/
#    ^^^^ yaml/unclosed-quote
l: [a?
"#,
    );
}

#[test]
fn half_typed() {
    check(
        r#"#- schema.yml
#@data/values-schema
---
port: 0
host: ""
db:
  name: ""
#- values.yml
por
#^^ yaml/missing-colon
host:
#^^^ ytt/type-mismatch
db:
  na
# ^^ ytt/type-mismatch
"#,
    );
}

#[test]
fn unknown_keys() {
    let found = messages(
        r#"#- schema.yml
#@data/values-schema
---
service:
  port: 0
  name: ""
list:
- a: 0
#- values.yml
#@data/values
---
service:
  prot: 1
# ^^^^ ytt/undeclared-key
  #@overlay/match missing_ok=True
  nam: x
# ^^^ ytt/undeclared-key
list:
- b: 1
# ^ ytt/undeclared-key
"#,
    );
    expect![[r#"
        overlay: `prot` is not declared in the schema of `service`
          help: did you mean `port`?
          fix: Rename to `port`: "port"
        type: `nam` is not declared in the schema of `service`
          help: did you mean `name`?
          fix: Rename to `name`: "name"
        type: `b` is not declared in the schema of item 1 of `list`
          help: the only declared key is `a`
    "#]]
    .assert_eq(&found);
}

#[test]
fn computed_values_are_not_judged() {
    check(
        r#"#- schema.yml
#@data/values-schema
---
port: 0
db:
  name: ""
#- values.yml
#@data/values
---
port: #@ unknown()
#@ if True:
db:
  x: 1
#@ end
"#,
    );
}

#[test]
fn rules_on_values_run_where_merging_leaves_them() {
    check(
        r#"#- lofting.toml
[sets.dev]
files = ["values.yml"]
#- values.yml
#@data/values
---
#@assert/validate min_len=1
name: ""
#     ^^ ytt/min-len
l:
  #@assert/validate not_null=True
  -
# ^ ytt/not-null
m:
  #@assert/validate one_of=[1, 2]
  k: 3
#    ^ ytt/one-of
"#,
    );
    // With a schema, the annotated item is merged into the schema's item and its annotations are lost; a new item keeps
    // them.
    check(
        r#"#- schema.yml
#@data/values-schema
---
port: 1
l:
- 0
#- values.yml
#@data/values
---
#@assert/validate min=10
port: 2
l:
#@assert/validate min=10
- 3
# ^ ytt/min
"#,
    );
}

#[test]
fn what_a_matcher_chose_is_merged_and_checked() {
    let found = messages(
        r#"#- schema.yml
#@data/values-schema
---
db:
  port: 0
#- values.yml
#@ load("@ytt:overlay", "overlay")
#@data/values
---
#@overlay/match by=overlay.all
_:
  port: "x"
#       ^^^ ytt/type-mismatch
  new: 1
# ^^^ ytt/overlay-new-key
"#,
    );
    expect![[r#"
        type: `port` should be an integer, but is the string "x"
        overlay: `new` is new in what it is merged onto, and merging adds no new keys by default
          help: put `#@overlay/match missing_ok=True` above it
    "#]]
    .assert_eq(&found);
}

#[test]
fn keys_by_pattern_are_told_in_messages() {
    let found = messages(
        r##"#- schema.yml
#@schema/definition data_values=True
#^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ proposals/unbuilt-head
---
databases:
  #@schema/key allowed="^(postgres|mysql)$", missing_ok=True
  _: {host: localhost}
#- values.yml
#@data/values
---
databases:
  oracle: {host: x}
# ^^^^^^ proposals/undeclared-key
"##,
    );
    expect![[r#"
        lint: `@schema/definition` belongs to a design proposal: ytt itself reads this document as a template
          help: ytt's own head is `#@data/values-schema`
        type: `oracle` is not declared in the schema of `databases`
          help: each key has to match `^(postgres|mysql)$`
    "#]]
    .assert_eq(&found);
}
