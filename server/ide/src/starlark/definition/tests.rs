use crate::fixture::open;
use crate::goto_definition;
use expect_test::{Expect, expect};

const SCHEMA: &str = "#- schema.yml\n#@data/values-schema\n---\nservice:\n  port: 80\n";
const LIBRARY: &str =
    "#- lib/f.lib.yml\n#@ def labels(app):\na: 1\n#@ end\n#@ top = 1\n#- lib/g.star\ndef star(): return 1\n";

/// The definitions as `file: text`.
fn check(template: &str, expected: Expect) {
    let fixture = open(&format!("{SCHEMA}{LIBRARY}#- app.yml\n{template}"));
    let mut out = String::new();
    for found in goto_definition(&fixture.snapshot, fixture.file, fixture.offset) {
        let file = found.target_selection.file;
        let text = fixture.snapshot.text(file).slice(found.target_selection.range()).into_owned();
        let origin = &fixture.text[found.origin];
        out.push_str(&format!("{origin} -> {}: {text:?}\n", fixture.snapshot.shown_path(file)));
    }
    expected.assert_eq(&out);
}

#[test]
fn data_values_lead_to_the_schema() {
    let load = "#@ load(\"@ytt:data\", \"data\")\n";
    check(
        &format!("{load}a: #@ data.values.service.po$0rt\n"),
        expect![[r#"
        port -> schema.yml: "port"
    "#]],
    );
    check(
        &format!("{load}a: #@ getattr(data.values, \"ser$0vice\")\n"),
        expect![[r#"
        service -> schema.yml: "service"
    "#]],
    );
    check(
        &format!("{load}#@ v = data.values.service\na: #@ v.port$0\n"),
        expect![[r#"
        port -> schema.yml: "port"
    "#]],
    );
    check(&format!("{load}a: #@ data.values.nope$0\n"), expect![[""]]);
    check(
        &format!("{load}a: #@ f(data.values.service.po$0rt\n"),
        expect![[r#"
        port -> schema.yml: "port"
    "#]],
    );
}

#[test]
fn names_lead_to_where_they_are_made() {
    check(
        "#@ def f(a):\n#@ return a$0\n#@ end\n",
        expect![[r#"
        a -> app.yml: "a"
    "#]],
    );
    check(
        "#@ def f(a):\n#@ return a\n#@ end\nx: #@ f$0(1)\n",
        expect![[r#"
        f -> app.yml: "f"
    "#]],
    );
    check(
        "#@ load(\"lib/f.lib.yml\", \"labels\")\nx: #@ lab$0els(1)\n",
        expect![[r#"
        labels -> lib/f.lib.yml: "labels"
    "#]],
    );
    check(
        "#@ load(\"lib/f.lib.yml\", \"lab$0els\")\n",
        expect![[r#"
        labels -> lib/f.lib.yml: "labels"
    "#]],
    );
    check(
        "#@ load(\"lib/f.lib$0.yml\", \"labels\")\n",
        expect![[r#"
        lib/f.lib.yml -> lib/f.lib.yml: ""
    "#]],
    );
    check(
        "#@ load(\"/lib/g.star\", s=\"star\")\nx: #@ s$0()\n",
        expect![[r#"
        s -> lib/g.star: "star"
    "#]],
    );
    check(
        "#@ load(\"@ytt:json\", \"json\")\nx: #@ js$0on.encode(1)\n",
        expect![[r#"
        json -> app.yml: "json"
    "#]],
    );
    check("x: #@ len$0([])\n", expect![[""]]);
}

#[test]
fn named_arguments_and_members_of_structs() {
    let library = "#- f.lib.yml\n#@ def labels(app, tier=1):\na: 1\n#@ end\n";
    let target = |template: &str| {
        let fixture = crate::fixture::open(&format!("{library}#- app.yml\n{template}"));
        let found = crate::goto_definition(&fixture.snapshot, fixture.file, fixture.offset);
        found.first().map(|found| {
            let span = found.target_selection;
            format!("{}:{}", fixture.snapshot.shown_path(span.file), span.start)
        })
    };
    let called = target("#@ load(\"f.lib.yml\", \"labels\")\na: #@ labels(1, ti$0er=2)\n");
    assert_eq!(called.as_deref(), Some("f.lib.yml:19"));
    let member = target("#@ load(\"@ytt:struct\", \"struct\")\n#@ s = struct.make(name=1)\na: #@ s.na$0me\n");
    assert_eq!(member.as_deref(), Some("app.yml:52"));
    assert_eq!(target("#@ load(\"f.lib.yml\", \"labels\")\na: #@ labels(no$0=2\n"), None);
}
