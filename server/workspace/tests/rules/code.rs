//! Rules about code and annotations in templates.

use crate::fixture::{check, messages};
use expect_test::expect;

#[test]
fn a_bracket_that_is_never_closed_takes_the_colon_with_it() {
    check(
        r#"#- schema.yml
#@data/values-schema
---
a: 1
#@ if max(1, 2:
#        ^ ytt/code-syntax
b: 1
#@ end
#@ if a
#  ^^^^ ytt/code-syntax
c: 1
#@ end
"#,
    );
}

#[test]
fn expressions_are_distinguished_from_prose() {
    let found = messages(
        "#- app.yml
#@ load(\"@ytt:data\", \"data\")
a: data.values.name
#  ^^^^^^^^^^^^^^^^ ytt/code-as-text
b:
- data.values.ports[0].number
# ^^^^^^^^^^^^^^^^^^^^^^^^^^^ ytt/code-as-text
c: data.values.x is read here
d: \"data.values.name\"
e: data.values
f: data.values.
g: see data.values.name
h: #@ data.values.name
#- plain.yml
a: data.values.name
",
    );
    expect![[r##"
            lint: ytt reads this as a string: code needs `#@` and a space before it
              fix: Write `#@` before it: "#@ "
            lint: ytt reads this as a string: code needs `#@` and a space before it
              fix: Write `#@` before it: "#@ "
        "##]]
    .assert_eq(&found);
}

#[test]
fn what_decides_about_a_block_is_one_error() {
    let found = messages(
        "#- app.yml
#@ for x in range(2):
- a: #@ x
#@end
# ^^^ ytt/code-without-space
",
    );
    expect![[r#"
            template: ytt takes this for an annotation, and the block above is not closed: code needs a space after `#@`
              fix: Write a space after `#@`: " "
        "#]]
    .assert_eq(&found);
    let found = messages(
        "#- app.yml
#@if x == 1:
# ^^^^^^^^^^ ytt/code-without-space
a: 1
#@ end
#@for/end y in range(3):
# ^^^^^^^^^^^^^^^^^^^^^^ ytt/code-without-space
b: #@ y
#@ if True:
c: 1
#@end
# ^^^ ytt/code-without-space
d: 1
#@ end
",
    );
    expect![[r#"
            template: ytt takes this for an annotation, and no block begins here: code needs a space after `#@`
              fix: Write a space after `#@`: " "
            template: ytt takes this for an annotation, and no block begins here: code needs a space after `#@`
              fix: Write a space after `#@`: " "
            lint: ytt takes this for an annotation and ignores it: code needs a space after `#@`
              fix: Write a space after `#@`: " "
        "#]]
    .assert_eq(&found);
}

#[test]
fn code_is_distinguished_from_names() {
    let found = messages(
        "#- app.yml
#@ x = 1
a: #@data.values.x
#    ^^^^^^^^^^^^^ ytt/code-without-space
b:
- #@x
#   ^ ytt/code-without-space
- c: #@ x
#@mine
d: 1
#@other/thing words
e: #! said
#@end
# ^^^ ytt/code-without-space
f: #@ x
",
    );
    expect![[r#"
            lint: ytt takes this for an annotation, and the value is null: code needs a space after `#@`
              fix: Write a space after `#@`: " "
            lint: ytt takes this for an annotation, and the value is null: code needs a space after `#@`
              fix: Write a space after `#@`: " "
            lint: ytt takes this for an annotation and ignores it: code needs a space after `#@`
              fix: Write a space after `#@`: " "
        "#]]
    .assert_eq(&found);
}

#[test]
fn annotations_of_proposals_are_meant_by_similar_names() {
    let found = messages(
        r##"#- misspelt_head.yml
#@schema/defintion data_values=True
# ^^^^^^^^^^^^^^^^ ytt/unknown-annotation
---
#@schema/doc "A level"
#@schema/validate min_len=3
a: info
#- dot.yml
#@data/values-schema
---
#@schema.title "A level"
# ^^^^^^^^^^^^ ytt/unknown-annotation
a: info
"##,
    );
    expect![[r#"
        lint: ytt does not know the annotation `@schema/defintion` and ignores it
          help: did you mean `@schema/definition`?
          fix: Rename to `@schema/definition`: "schema/definition"
        lint: ytt does not know the annotation `@schema.title` and ignores it
          help: did you mean `@schema/title`?
          fix: Rename to `@schema/title`: "schema/title"
    "#]]
    .assert_eq(&found);
    let found = messages(
        r##"#- own.yml
#@schema/definition data_values=True
#^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ proposals/unbuilt-head
---
#@schema.doc "A level"
# ^^^^^^^^^^ ytt/unknown-annotation
#@schema/exmaple "info"
# ^^^^^^^^^^^^^^ ytt/unknown-annotation
#@schema/valdate min_len=3
# ^^^^^^^^^^^^^^ ytt/unknown-annotation
a: info
"##,
    );
    expect![[r#"
        lint: `@schema/definition` belongs to a design proposal: ytt itself reads this document as a template
          help: ytt's own head is `#@data/values-schema`
        lint: ytt does not know the annotation `@schema.doc` and ignores it
          help: did you mean `@schema/doc`?
          fix: Rename to `@schema/doc`: "schema/doc"
        lint: ytt does not know the annotation `@schema/exmaple` and ignores it
          help: did you mean `@schema/example`?
          fix: Rename to `@schema/example`: "schema/example"
        lint: ytt does not know the annotation `@schema/valdate` and ignores it
          help: did you mean `@schema/validate`?
          fix: Rename to `@schema/validate`: "schema/validate"
    "#]]
    .assert_eq(&found);
}

#[test]
fn examples_of_proposals_satisfy_the_rules() {
    let found = messages(
        r##"#- own.yml
#@schema/definition data_values=True
#^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ proposals/unbuilt-head
---
#@schema/example "debug"
#@schema/validate enum=["debug", "info"]
level: info
#@schema/example "trace"
#                ^^^^^^^ proposals/schema-example-type
#@schema/validate enum=["debug", "info"]
other: info
#@schema/examples ("the smallest", 0)
#                 ^^^^^^^^^^^^^^^^^^^ proposals/schema-example-type
#@schema/validate min=1
count: 1
"##,
    );
    expect![[r#"
        lint: `@schema/definition` belongs to a design proposal: ytt itself reads this document as a template
          help: ytt's own head is `#@data/values-schema`
        lint: the example does not fit: the value should be one of "debug" or "info", but is "trace"
        lint: the example does not fit: the value should be at least 1, but is 0
    "#]]
    .assert_eq(&found);
}
