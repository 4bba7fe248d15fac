use super::goto_definition;
use crate::fixture::{Fixture, open, open_app};
use expect_test::{Expect, expect};

#[track_caller]
fn check_in(fixture: &Fixture, expected: Expect) {
    let mut out = String::new();
    for found in goto_definition(&fixture.snapshot, fixture.file, fixture.offset) {
        let text = fixture.snapshot.text(found.target.file).to_string();
        let path = fixture.snapshot.shown_path(found.target.file);
        let selection = found.target_selection.range();
        assert!(found.target.start <= found.target_selection.start && found.target_selection.end <= found.target.end);
        let line = text[..selection.start].matches('\n').count() + 1;
        out += &format!(
            "{} -> {path}:{line} {:?} in {:?}\n",
            &fixture.text[found.origin.clone()],
            &text[selection],
            &text[found.target.range()]
        );
    }
    expected.assert_eq(&out);
}

#[track_caller]
fn check(values: &str, expected: Expect) {
    check_in(&open_app(values), expected);
}

/// Schemas also have names by which references find them.
#[test]
fn from_references_to_anchors() {
    let schemas = |reference: &str| {
        format!(
            "#- s.yaml\n$schema: https://json-schema.org/draft/2020-12/schema\n$defs:\n  a: {{$anchor: size, type: integer}}\n\
             properties:\n  b: {{{reference}}}\n#- t.yaml\n$defs: {{c: {{$dynamicAnchor: other}}}}\n"
        )
    };
    check_in(
        &open(&schemas("$ref: '#si$0ze'")),
        expect![[r##"
        '#size' -> s.yaml:3 "size" in "$anchor: size"
    "##]],
    );
    check_in(
        &open(&schemas("$dynamicRef: t.yaml#oth$0er")),
        expect![[r##"
        t.yaml#other -> t.yaml:1 "other" in "$dynamicAnchor: other"
    "##]],
    );
    let places = |cursor: &str| {
        let fixture = open(cursor);
        let found = crate::references(&fixture.snapshot, fixture.file, fixture.offset, true);
        let shown = found.iter().map(|span| {
            let text = fixture.snapshot.text(span.file).to_string();
            format!("{}:{}", span.start, &text[span.range()])
        });
        shown.collect::<Vec<_>>().join(" ")
    };
    let of_reference = places(&schemas("$ref: '#si$0ze'"));
    assert_eq!(of_reference, places(&schemas("$ref: '#size'").replace("$anchor: size", "$anchor: si$0ze")));
    assert_eq!(of_reference.matches(":size").count(), 2, "{of_reference}");
}

#[test]
fn from_values_to_the_schema() {
    check(
        "rep$0licas: 3\n",
        expect![[r#"
        replicas -> schema.yml:7 "replicas" in "replicas: 1"
    "#]],
    );
    check(
        "logLevel: wa$0rn\n",
        expect![[r#"
        warn -> schema.yml:12 "logLevel" in "logLevel: info"
    "#]],
    );
    check(
        "env:\n- secretRef: {ke$0y: a}\n",
        expect![[r#"
        key -> schema.yml:62 "key" in "key: \"\""
    "#]],
    );
    check(
        "features:\n$0- alpha\n",
        expect![[r#"
        - -> schema.yml:69 "-" in "- alpha"
    "#]],
    );
    check("unkn$0own: 3\n", expect![""]);
}

#[test]
fn half_typed() {
    check(
        "image:\n  ta$0g\nname: x\n",
        expect![[r#"
            tag -> schema.yml:18 "tag" in "tag: latest"
        "#]],
    );
    check(
        "image: {ta$0g",
        expect![[r#"
        tag -> schema.yml:18 "tag" in "tag: latest"
    "#]],
    );
    check("$0", expect![""]);
}

#[test]
fn aliases() {
    check(
        "env:\n- &a\n  name: x\n- *a$0\n",
        expect![[r#"
        *a -> values.yml:2 "&a" in "&a\n  name: x"
    "#]],
    );
    check(
        "name: &a x\nargs: [*$0a]\n",
        expect![[r#"
        *a -> values.yml:1 "&a" in "&a x"
    "#]],
    );
    check(
        "name: *miss$0ing\n",
        expect![[r#"
        *missing -> schema.yml:4 "name" in "name: \"\""
    "#]],
    );
}

#[test]
fn without_a_schema() {
    check_in(&open("na$0me: x\n"), expect![""]);
}

#[test]
fn from_the_modeline() {
    check(
        "#- other.yml\n#! lofting: schema=sch$0ema.yml\nname: x\n",
        expect![[r#"
        schema.yml -> schema.yml:1 "" in ""
    "#]],
    );
}

#[test]
fn from_a_kind_to_its_definition() {
    let definition = "#- crd.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.example.com}
spec:
  group: example.com
  names: {kind: Boat, plural: boats}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
#- own.yaml
";
    check_in(
        &open(&format!("{definition}apiVersion: example.com/v1\nkind: Bo$0at\nmetadata: {{name: a}}\n")),
        expect![[r#"
        Boat -> crd.yaml:9 "{type: object}" in "{type: object}"
    "#]],
    );
}
