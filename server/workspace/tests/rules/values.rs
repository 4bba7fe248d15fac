//! Values against a schema.

use crate::fixture::{check, messages};
use expect_test::expect;

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
