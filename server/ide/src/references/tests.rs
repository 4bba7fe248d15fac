use crate::fixture::open;
use crate::references;
use expect_test::{Expect, expect};

fn shown(fixture: &str) -> String {
    let fixture = open(fixture);
    let found = references(&fixture.snapshot, fixture.file, fixture.offset, true);
    let mut lines: Vec<String> = found
        .into_iter()
        .map(|span| {
            let text = fixture.snapshot.text(span.file);
            let line = text.line_of(span.range().start);
            let (whole, named) = (text.slice(text.line_range(line)).into_owned(), text.slice(span.range()));
            format!("{}:{} `{named}` {}\n", fixture.snapshot.shown_path(span.file), line + 1, whole.trim())
        })
        .collect();
    lines.sort();
    lines.concat()
}

fn check(fixture: &str, expected: Expect) {
    expected.assert_eq(&shown(fixture));
}

const SCHEMA: &str = "#- schema.yml\n#@data/values-schema\n---\nservice:\n  port: 80\n  ports:\n  - port: 1\nport: 5\n";
const VALUES: &str = "#- values.yml\n#@data/values\n---\nservice:\n  port: 81\n  ports: [{port: 2}]\n#- prod-values.yml\nservice:\n  port: 82\n";
const TEMPLATE: &str = "#- app.yml\n#@ load(\"@ytt:data\", \"data\")\n#@ v = data.values.service\na: #@ v.port\nb: #@ data.values.port\n#@ for p in v.ports:\nc: #@ p.port\n#@ end\n#@ if hasattr(v, \"port\"):\nd: 1\n#@ end\n";

#[test]
fn all_three_kinds_of_places_from_each_of_them() {
    let from_schema = format!("{}{VALUES}{TEMPLATE}", SCHEMA.replacen("  port: 80", "  po$0rt: 80", 1));
    check(
        &from_schema,
        expect![[r#"
        app.yml:3 `port` a: #@ v.port
        app.yml:8 `port` #@ if hasattr(v, "port"):
        prod-values.yml:2 `port` port: 82
        schema.yml:4 `port` port: 80
        values.yml:4 `port` port: 81
    "#]],
    );
    for others in [
        format!("{SCHEMA}{}{TEMPLATE}", VALUES.replacen("  port: 81", "  po$0rt: 81", 1)),
        format!("{SCHEMA}{}{TEMPLATE}", VALUES.replacen("  port: 82", "  po$0rt: 82", 1)),
        format!("{SCHEMA}{VALUES}{}", TEMPLATE.replacen("v.port\n", "v.po$0rt\n", 1)),
    ] {
        assert_eq!(shown(&others), shown(&from_schema));
    }
}

#[test]
fn items_of_arrays_are_one_thing() {
    check(
        &format!("{}{VALUES}{TEMPLATE}", SCHEMA.replacen("- port", "- po$0rt", 1)),
        expect![[r#"
        app.yml:6 `port` c: #@ p.port
        schema.yml:6 `port` - port: 1
        values.yml:5 `port` ports: [{port: 2}]
    "#]],
    );
}

#[test]
fn half_typed_files_and_places_without_schema() {
    check(
        &format!(
            "{}{VALUES}#- app.yml\n#@ load(\"@ytt:data\", \"data\")\na: #@ f(data.values.service.port\n",
            SCHEMA.replacen("  port: 80", "  po$0rt: 80", 1)
        ),
        expect![[r#"
            app.yml:2 `port` a: #@ f(data.values.service.port
            prod-values.yml:2 `port` port: 82
            schema.yml:4 `port` port: 80
            values.yml:4 `port` port: 81
        "#]],
    );
    check("#- values.yml\n#@data/values\n---\npo$0rt: 1\n", expect![[""]]);
    check(&format!("{SCHEMA}#- app.yml\n#@ x = 1\nport$0: 1\n"), expect![[""]]);
}

#[test]
fn names_in_code_with_who_loads_them() {
    let library = "#- f.lib.yml\n#@ def la$0bels(app):\na: #@ app\n#@ end\nb: #@ labels(\n";
    let files =
        format!("{library}#- app.yml\n#@ load(\"f.lib.yml\", \"labels\", l=\"labels\")\na: #@ labels(1)\nb: #@ l(2\n");
    check(
        &files,
        expect![[r#"
            app.yml:1 `l` #@ load("f.lib.yml", "labels", l="labels")
            app.yml:1 `labels` #@ load("f.lib.yml", "labels", l="labels")
            app.yml:1 `labels` #@ load("f.lib.yml", "labels", l="labels")
            app.yml:2 `labels` a: #@ labels(1)
            app.yml:3 `l` b: #@ l(2
            f.lib.yml:1 `labels` #@ def labels(app):
            f.lib.yml:4 `labels` b: #@ labels(
        "#]],
    );
    let fixture = open(&files);
    let found = references(&fixture.snapshot, fixture.file, fixture.offset, false);
    assert_eq!(found.len(), 6, "without the definition");
    // The other name has these references, too.
    let from_alias = files.replacen("la$0bels(app)", "labels(app)", 1).replacen("#@ l(2", "#@ l$0(2", 1);
    assert_eq!(shown(&from_alias), shown(&files));
}

#[test]
fn anchors() {
    let want = expect![[r#"
        a.yaml:1 `&x` a: &x 1
        a.yaml:2 `*x` b: *x
    "#]];
    check("#- a.yaml\na: &x$0 1\nb: *x\nc: &x 2\nd: *x\n", want);
    check(
        "#- a.yaml\na: &x 1\nb: *x$0\nc: &x 2\nd: *x\n",
        expect![[r#"
        a.yaml:1 `&x` a: &x 1
        a.yaml:2 `*x` b: *x
    "#]],
    );
}
