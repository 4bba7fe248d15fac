//! Rules about schemas.

use crate::fixture::{check, messages};
use expect_test::expect;

/// Valid values are beside invalid ones. Whether defaults satisfy the rules depends on the values of a call.
#[test]
fn rules_that_cannot_hold() {
    check(
        r#"#- schema.yml
#@data/values-schema
---
#@schema/validation min=5, max=3
#                          ^^^^^ ytt/schema-impossible-rules
a: 4
#@schema/validation min=3, max=3
b: 3
#@schema/nullable
#@schema/validation min_len=4, max_len=2
#                              ^^^^^^^^^ ytt/schema-impossible-rules
c: ""
#@schema/nullable
#@schema/validation one_of=[1, 2], min=3
#                   ^^^^^^^^^^^^^ ytt/schema-impossible-rules
d: 0
#@schema/validation one_of=[1, "2"]
#                              ^^^ ytt/schema-rule-type
e: 1
#@schema/nullable
#@schema/validation min_len=1
#                   ^^^^^^^^^ ytt/schema-rule-type
f: 1
#@schema/nullable
#@schema/validation min="a"
#                   ^^^^^^^ ytt/schema-rule-type
g: 1
#@schema/validation min="a", max="c"
h: b
#@schema/validation min=10, max=3, when=lambda v: False
l: 5
#@schema/nullable
#@schema/validation one_of=[]
#                   ^^^^^^^^^ ytt/schema-impossible-rules
m: x
#@schema/validation min_len=1, max_len=3
o: {x: 1}
"#,
    );
}

#[test]
fn defaults_that_are_read_as_something_else() {
    let found = messages(
        r#"#- schema.yml
#@data/values-schema
---
a: 1.10
#  ^^^^ ytt/schema-doubtful-default
b: 1.0
c: 0.50
d: 0644
#  ^^^^ ytt/schema-doubtful-default
e: "010"
f: 0
g: off
#  ^^^ ytt/schema-doubtful-default
h: true
i: [1.10]
#   ^^^^ ytt/schema-doubtful-default
j: 1.1
"#,
    );
    expect![[r#"
        lint: `1.10` is the number 1.1 to YAML
          fix: Write "1.10", a string: "\"1.10\""
          fix: Write 1.1, a number: "1.1"
        lint: `0644` is the number 420 to YAML
          fix: Write "0644", a string: "\"0644\""
          fix: Write 420, a number: "420"
        lint: `off` is the boolean false to YAML
          fix: Write "off", a string: "\"off\""
          fix: Write false, a boolean: "false"
        lint: `1.10` is the number 1.1 to YAML
          fix: Write "1.10", a string: "\"1.10\""
          fix: Write 1.1, a number: "1.1"
    "#]]
    .assert_eq(&found);
}

#[test]
fn descriptions_and_secrets() {
    check(
        r#"#- schema.yml
#@data/values-schema
---
#@schema/desc "Where it listens."
a: 1
#@schema/desc "Where it listens."
#             ^^^^^^^^^^^^^^^^^^^ ytt/schema-repeated-description
b: 1
#@schema/title " "
#              ^^^ ytt/schema-empty-description
#@schema/desc ""
#             ^^ ytt/schema-empty-description
c:
  #@schema/desc "Where it listens."
  d: 1
accessKey: abc
#          ^^^ ytt/schema-secret-default
password: ""
passwordFile: /etc/password
tokens: 3
"#,
    );
}

#[test]
fn half_typed() {
    let above = "#- schema.yml\n#@data/values-schema\n---\n";
    check(&format!(
        "{above}#@schema/validation min=5, max=\n#                             ^ ytt/annotation-arguments\na: 7\n"
    ));
    check(&format!("{above}a: 1.\nb: 0\n#@schema/desc\nc: 1\n# ytt/schema-text-arguments\n"));
}
