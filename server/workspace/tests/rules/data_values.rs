//! Rules about data values in templates.

use crate::fixture::messages;
use expect_test::expect;

const SCHEMA: &str = "#- schema.yml
#@data/values-schema
---
service:
  port: 80
  my-name: ''
  #@schema/type any=True
  extra: {}
";

#[test]
fn wrong_keys_are_reported_with_the_right_ones() {
    let found = messages(&format!(
        "{SCHEMA}#- app.yml
#@ load(\"@ytt:data\", \"data\")
a: #@ data.values.service.prot
#                         ^^^^ ytt/unknown-data-value
b: #@ data.values[\"servcie\"]
#                  ^^^^^^^ ytt/unknown-data-value
#@ if data.values.service.my_name:
#                         ^^^^^^^ ytt/unknown-data-value
c: #@ data.values.service.extra.anything
#@ end
d: #@ data.values.zzzzzz.x
#                 ^^^^^^ ytt/unknown-data-value
"
    ));
    expect![[r#"
            template: `prot` is not declared in the schema of `data.values.service`
              help: did you mean `port`?
              fix: Change to `port`: "port"
            template: `servcie` is not declared in the schema of `data.values`
              help: did you mean `service`?
              fix: Change to `service`: "service"
            template: `my_name` is not declared in the schema of `data.values.service`
              help: did you mean `my-name`?
            template: `zzzzzz` is not declared in the schema of `data.values`
              help: declared keys are `service`
        "#]]
    .assert_eq(&found);
}

#[test]
fn what_may_be_null_is_reported_once_without_a_request() {
    let schema = "#- schema.yml
#@data/values-schema
---
#@schema/nullable
tls:
  secret: ''
  #@schema/nullable
  ca:
    name: ''
#@schema/nullable
asked:
  name: ''
#@schema/nullable
#@schema/validation not_null=True
given:
  name: ''
";
    let found = messages(&format!(
        "{schema}#- app.yml
#@ load(\"@ytt:data\", \"data\")
a: #@ data.values.tls.secret
#                     ^^^^^^ ytt/nullable-data-value
#@ tls = data.values.tls
b: #@ tls.ca.name
c: #@ data.values.asked.name if data.values.asked else 1
d: #@ data.values.given.name
e: #@ data.values.asked and data.values.asked.name
#@ if data.values.asked:
f: #@ data.values.asked.name
#@ end
"
    ));
    expect![[r#"
            lint: `data.values.tls` may be null, and null has no `secret`
              help: test for it first: `if data.values.tls:`
        "#]]
    .assert_eq(&found);
}

#[test]
fn half_typed_and_uncertain_keys_are_left_alone() {
    let found = messages(&format!(
        "{SCHEMA}#- app.yml
#@ load(\"@ytt:data\", \"data\")
#@ x = data.values.service if 1 else {{}}
a: #@ x.what
b: #@ getattr(data.values, \"perhaps\", None)
c: #@ data.values.service.port.anything
"
    ));
    expect![[""]].assert_eq(&found);
}
