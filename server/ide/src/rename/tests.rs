use crate::fixture::{Fixture, open};
use crate::{prepare_rename, rename};
use expect_test::{Expect, expect};
use std::collections::BTreeMap;

const SCHEMA: &str = "#- schema.yml\n#@data/values-schema\n---\nservice:\n  po$0rt: 80\n  \"host\": ''\n";
const LOAD: &str = "#@ load(\"@ytt:data\", \"data\")\n";

/// The changed lines of all files.
pub(crate) fn renamed(fixture: &Fixture, name: &str) -> String {
    let edits = match rename(&fixture.snapshot, fixture.file, fixture.offset, name) {
        Ok(renamed) => renamed.edits,
        Err(refusal) => return format!("refused: {}\n", refusal.0),
    };
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for (span, new) in edits.iter().rev() {
        let path = fixture.snapshot.shown_path(span.file);
        let text = texts.entry(path).or_insert_with(|| fixture.snapshot.text(span.file).to_string());
        text.replace_range(span.range(), new);
    }
    let changed = texts.iter().flat_map(|(path, text)| {
        let old = fixture.snapshot.files().find(|file| fixture.snapshot.shown_path(*file) == *path).expect("the file");
        let old = fixture.snapshot.text(old).to_string();
        let pairs: Vec<(String, String)> =
            text.lines().map(str::to_owned).zip(old.lines().map(str::to_owned)).collect();
        pairs.into_iter().filter(|(new, old)| new != old).map(move |(new, _)| format!("{path}: {}\n", new.trim()))
    });
    changed.collect()
}

fn check(files: &str, name: &str, expected: Expect) {
    expected.assert_eq(&renamed(&open(files), name));
}

#[test]
fn every_place_gets_the_new_name() {
    let files = format!(
        "{SCHEMA}#- values.yml\n#@data/values\n---\nservice: {{port: 81}}\n#- app-values.yml\nservice:\n  'port': 82\n\
         #- app.yml\n{LOAD}a: #@ data.values.service.port\nb: #@ getattr(data.values.service, \"port\")\n\
         #@yaml/text-templated-strings\nc: 'x-(@= str(data.values[\"service\"].port) @)'\n"
    );
    check(
        &files,
        "number",
        expect![[r#"
            app-values.yml: number: 82
            app.yml: a: #@ data.values.service.number
            app.yml: b: #@ getattr(data.values.service, "number")
            app.yml: c: 'x-(@= str(data.values["service"].number) @)'
            schema.yml: number: 80
            values.yml: service: {number: 81}
        "#]],
    );
    check(
        &files,
        "tcp-port",
        expect![[r#"
            refused: `tcp-port` cannot follow a dot, as at app.yml:2
        "#]],
    );
    check(
        &files,
        "host",
        expect![[r#"
            refused: there is already a `host` beside it
        "#]],
    );
    check(
        &files,
        "",
        expect![[r#"
        refused: `` cannot be the name of a data value
    "#]],
    );
    let prepared = open(&files);
    let prepared = prepare_rename(&prepared.snapshot, prepared.file, prepared.offset).expect("it can be renamed");
    assert_eq!(prepared.name, "port");
}

#[test]
fn a_name_that_needs_quotes_gets_them_in_yaml() {
    check(
        &format!("{SCHEMA}#- app.yml\n{LOAD}a: #@ data.values.service[\"port\"]\n"),
        "true",
        expect![[r#"
        app.yml: a: #@ data.values.service["true"]
        schema.yml: "true": 80
    "#]],
    );
}

#[test]
fn what_can_not_be_followed_refuses() {
    for template in [
        "a: #@ helper(data.values)\n",
        "a: #@ data.values.service\n",
        "#@ for k in data.values.service:\na: #@ k\n#@ end\n",
        "a: #@ getattr(data.values.service, name)\n",
        "#@ v = data.values.service\n#@ v = other\na: #@ v.port\n",
        "a: #@ data.values.service.port\nb: [\n",
    ] {
        let found = renamed(&open(&format!("{SCHEMA}#- app.yml\n{LOAD}{template}")), "number");
        assert!(found.starts_with("refused: "), "{template}: {found}");
    }
    check(
        &format!("{SCHEMA}#- app.yml\n{LOAD}a: #@ helper(data.values)\n"),
        "number",
        expect![[r#"
        refused: a value around it goes where it cannot be followed at app.yml:2
    "#]],
    );
    check(
        "#- schema.yml\n#@data/values-schema\n---\n#@schema/validation one_not_null=[\"a\", \"b\"]\nx:\n  #@schema/nullable\n  $0a: 1\n  #@schema/nullable\n  b: 1\n",
        "c",
        expect![[r#"
            refused: a rule of the schema may name the key at schema.yml:3
        "#]],
    );
}

/// What is only worth a hint leaves no doubt about what the schema means.
#[test]
fn schemas_of_the_proposals() {
    for head in ["#@schema/match data_values=True", "#@schema/definition data_values=True", "#@schema"] {
        let files = format!("{SCHEMA}#- values.yml\n#@data/values\n---\nservice: {{port: 81}}\n");
        let files = files.replace("#@data/values-schema", head).replace("''", "a");
        let files = format!("{files}#- app.yml\n{LOAD}a: #@ data.values.service.port\n");
        check(
            &files,
            "number",
            expect![[r#"
                app.yml: a: #@ data.values.service.number
                schema.yml: number: 80
                values.yml: service: {number: 81}
            "#]],
        );
        let wrong = files.replace("  po$0rt", "  #@schema/type \"text\"\n  po$0rt");
        assert_eq!(renamed(&open(&wrong), "number"), "refused: the schema has errors: fix them first\n", "{head}");
    }
}

#[test]
fn half_typed_and_foreign_places_refuse() {
    check(
        "#- values.yml\n#@data/values\n---\npo$0rt: 1\n",
        "x",
        expect![[r#"
        refused: only keys of data values that a schema declares can be renamed
    "#]],
    );
    check(
        &SCHEMA.replace("po$0rt: 80", "po$0rt: ["),
        "x",
        expect![[r#"
        refused: the schema has errors: fix them first
    "#]],
    );
}

#[test]
fn anchors_and_their_aliases() {
    let anchors = "#- a.yaml\na: &x 1\nb: *x\nc: &x 2\nd: *x$0\ne: [*x]\n";
    check(
        anchors,
        "other",
        expect![[r#"
        a.yaml: c: &other 2
        a.yaml: d: *other
        a.yaml: e: [*other]
    "#]],
    );
    check(
        &anchors.replace("$0", "").replacen("&x", "&$0x", 1),
        "&other",
        expect![[r#"
        a.yaml: a: &other 1
        a.yaml: b: *other
    "#]],
    );
    for (name, words) in [("", "empty"), ("a b", "blanks"), ("a]", "brackets"), ("y", "already")] {
        let files = "#- a.yaml\na: &x$0 1\nb: *x\nc: &y 2\n";
        let found = renamed(&open(files), name);
        assert!(found.starts_with("refused: ") && found.contains(words), "{name:?}: {found}");
    }
    let prepared =
        prepare_rename(&open(anchors).snapshot, open(anchors).file, open(anchors).offset).expect("an anchor");
    assert_eq!(prepared.name, "x");
    // Half-typed, and without an anchor.
    assert!(renamed(&open("#- a.yaml\na: &$0\nb: *\n"), "x").starts_with("refused: "));
    assert!(renamed(&open("#- a.yaml\na: *x$0\n"), "y").starts_with("refused: "));
}
