//! Values that change nothing.

use crate::fixture::check;

#[test]
fn a_later_document_sets_it_again() {
    check(
        "#- values.yml
#@data/values
---
a: 1
# ytt/shadowed-value
b: 2
c:
  d: 1
# ^ ytt/shadowed-value
  e: 2
#@overlay/match missing_ok=True
f: 1
#@data/values
---
a: 2
c:
  d: 3
f: 2
#@overlay/replace via=lambda l, r: l + r
b: 1
",
    );
    // Documents for libraries are merged elsewhere.
    check("#- values.yml\n#@data/values\n---\na: 1\n#@library/ref \"@b\"\n#@data/values\n---\na: 2\n");
}

#[test]
fn what_the_schema_gives_anyway() {
    check(
        "#- schema.yml
#@data/values-schema
---
port: 80
host: a
db:
  pool: 5
items:
- name: x
#@schema/type any=True
free:
  a: 1
#@schema/nullable
none: 1
#- values.yml
#@data/values
---
port: 80
#^^^ ytt/written-default
host: b
db:
  pool: 5
# ^^^^ ytt/written-default
items:
- name: x
# ^^^^ ytt/written-default
- name: b
free:
  a: 1
none: null
#^^^ ytt/written-default
",
    );
}
