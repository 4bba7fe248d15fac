use super::{choose_schema, schema_choices};
use crate::code_actions::Abilities;
use crate::fixture::open;
use expect_test::{Expect, expect};
use lofting_workspace::{CancelFlag, Snapshot, WrittenIn};

const ALL: Abilities = Abilities { creates_files: true };

/// A repository with schemas of both languages and input sets.
const REPOSITORY: &str = "\
#- lofting.toml
# Who gets what.
[sets.dev]
files = [\"config/\"] # in order
values = [
  \"values/dev.yml\", # ours
]

[sets.prod]
files = [\"config/\"]

[[schemas]]
path = \"schemas/app.yml\"
files = [\"/apps/*.yml\"] # all of them

# Nothing of it is wrong.
[rules]
#- config/schema.yml
#@data/values-schema
---
port: 80
#- schemas/app.yml
$schema: http://json-schema.org/draft-07/schema#
properties: {a: {type: string}}
#- schemas/other.yml
$schema: http://json-schema.org/draft-07/schema#
properties: {b: {type: string}}
#- values/dev.yml
port: 80
";

fn in_repository(file: &str) -> crate::fixture::Fixture {
    open(&format!("{REPOSITORY}{file}"))
}

fn offered(file: &str, want: Expect) {
    let fixture = in_repository(file);
    let found = schema_choices(&fixture.snapshot, fixture.file, ALL, &CancelFlag::new()).expect("a known file");
    let mut shown = format!("{}\n", found.reason);
    for choice in found.choices {
        let mark = if choice.is_in_force { "* " } else { "  " };
        shown += &format!("{mark}{} ({}) {:?}\n", choice.name, choice.about, choice.written_in);
    }
    want.assert_eq(&shown);
}

/// The texts that a choice changes.
fn changed(snapshot: &Snapshot, file: lofting_document::FileId, name: &str, place: WrittenIn) -> String {
    let found = schema_choices(snapshot, file, ALL, &CancelFlag::new()).expect("a known file");
    let choice = found.choices.iter().find(|choice| choice.name == name).expect("the choice");
    assert!(choice.written_in.contains(&place), "{choice:?}");
    let change = choose_schema(snapshot, file, &choice.chosen, place, ALL).expect("a change");
    let mut files: Vec<_> = change.edits.iter().map(|(span, _)| span.file).collect();
    files.sort();
    files.dedup();
    let mut shown = String::new();
    for file in files {
        let text = change.apply(file, &snapshot.text(file).to_string()).expect("edits that fit");
        shown += &format!("#- {}\n{text}", snapshot.shown_path(file));
    }
    for (path, text) in &change.new_files {
        shown += &format!("#+ {}\n{text}", path.file_name().expect("a name").to_string_lossy());
    }
    shown
}

fn chosen(file: &str, name: &str, place: WrittenIn) -> String {
    let fixture = in_repository(file);
    changed(&fixture.snapshot, fixture.file, name, place)
}

#[test]
fn what_is_offered_depends_on_the_kind_of_the_file() {
    offered(
        "#- apps/web.yml\n$0a: 1\n",
        expect![[r#"
            lofting.toml gives files that match `/apps/*.yml` the schema `schemas/app.yml`.
            * schemas/app.yml (JSON Schema, named in lofting.toml) [Configuration, Modeline]
              dev (input set of lofting.toml) [Configuration]
              prod (input set of lofting.toml) [Configuration]
              config/schema.yml (ytt schema) [Configuration, Modeline]
              schemas/other.yml (JSON Schema) [Configuration, Modeline]
              none (no schema: a comment at the top of the file says so) [Modeline]
        "#]],
    );
    offered(
        "#- values/prod.yml\n$0#@data/values\n---\nport: 1\n",
        expect![[r#"
            It is annotated `#@data/values`, and the nearest schema going up is in `config`: `config/schema.yml`.
            * config/schema.yml (ytt schema) [Configuration, Modeline]
              dev (input set of lofting.toml) [Configuration]
              prod (input set of lofting.toml) [Configuration]
        "#]],
    );
    offered(
        "#- config/deployment.yml\n$0a: #@ 1\n",
        expect![[r#"
        It is given to ytt as an input, but has no data values: it is a template, or ytt passes it on unchanged.
        * dev (input set of lofting.toml) [Configuration]
        * prod (input set of lofting.toml) [Configuration]
    "#]],
    );
    offered(
        "#- more/schema.yml\n$0#@data/values-schema\n---\na: 1\n",
        expect![[r#"
        This file contains the schema itself (`#@data/values-schema`).
    "#]],
    );
}

#[test]
fn a_choice_is_written_where_the_user_wants_it() {
    expect![[r##"
        #- lofting.toml
        # Who gets what.
        [sets.dev]
        files = ["config/"] # in order
        values = [
          "values/dev.yml", # ours
        ]

        [sets.prod]
        files = ["config/"]

        [[schemas]]
        path = "schemas/other.yml"
        files = ["/apps/web.yml"]

        [[schemas]]
        path = "schemas/app.yml"
        files = ["/apps/*.yml"] # all of them

        # Nothing of it is wrong.
        [rules]
    "##]]
    .assert_eq(&chosen("#- apps/web.yml\n$0a: 1\n", "schemas/other.yml", WrittenIn::Configuration));
    expect![[r#"
        #- apps/web.yml
        # yaml-language-server: $schema=../schemas/other.yml
        a: 1
    "#]]
    .assert_eq(&chosen("#- apps/web.yml\n$0a: 1\n", "schemas/other.yml", WrittenIn::Modeline));
    expect![[r##"
        #- lofting.toml
        # Who gets what.
        [sets.dev]
        files = ["config/"] # in order
        values = [
          "values/dev.yml", # ours
        ]

        [sets.prod]
        files = ["config/"]
        values = ["apps/web.yml"]

        [[schemas]]
        path = "schemas/app.yml"
        files = ["/apps/*.yml"] # all of them

        # Nothing of it is wrong.
        [rules]
    "##]]
    .assert_eq(&chosen("#- apps/web.yml\n$0a: 1\n", "prod", WrittenIn::Configuration));
    expect![[r##"
        #- lofting.toml
        # Who gets what.
        [sets.dev]
        files = ["config/"] # in order
        values = [
          "values/dev.yml", # ours
        ]

        [sets.prod]
        files = ["config/"]

        [[schemas]]
        path = "schemas/app.yml"
        files = ["/apps/*.yml"] # all of them

        [[schemas]]
        path = "config/schema.yml"
        files = ["/values/x.yml"]

        # Nothing of it is wrong.
        [rules]
        #- values/x.yml
        a: 1
    "##]]
    .assert_eq(&chosen(
        "#- values/x.yml\n$0# $schema: ../schemas/app.yml\na: 1\n",
        "config/schema.yml",
        WrittenIn::Configuration,
    ));
    expect![[r##"
        #- lofting.toml
        # Who gets what.
        [sets.dev]
        files = ["config/"] # in order
        values = [
          "values/dev.yml", # ours
        ]

        [sets.prod]
        files = ["config/", "values/x.yml"]

        [[schemas]]
        path = "schemas/app.yml"
        files = ["/apps/*.yml"] # all of them

        # Nothing of it is wrong.
        [rules]
    "##]]
    .assert_eq(&chosen(
        "#- values/x.yml\n$0#! a licence\n#@data/values\n---\nport: 1\n",
        "prod",
        WrittenIn::Configuration,
    ));
}

#[test]
fn a_configuration_is_made_where_there_is_none() {
    let schema = "$schema: http://json-schema.org/draft-07/schema#\n";
    let fixture = open(&format!("#- s.yml\n{schema}#- a/b.yml\n$0a: 1\n"));
    expect![[r##"
        #+ lofting.toml
        [[schemas]]
        path = "s.yml"
        files = ["/a/b.yml"]
    "##]]
    .assert_eq(&changed(&fixture.snapshot, fixture.file, "s.yml", WrittenIn::Configuration));
    let none = Abilities { creates_files: false };
    let found = schema_choices(&fixture.snapshot, fixture.file, none, &CancelFlag::new()).expect("a known file");
    let places: Vec<_> = found.choices.iter().map(|choice| choice.written_in.clone()).collect();
    assert_eq!(places, [[WrittenIn::Modeline], [WrittenIn::Modeline]]);
}

/// Whatever is chosen for whatever file is in force afterwards, and nothing new is wrong with `lofting.toml`.
#[test]
fn every_choice_takes_effect() {
    let mut made = 0;
    for file in [
        "apps/web.yml\n$0a: 1\n",
        "apps/web.yml\n$0# $schema: ../schemas/app.yml\na: 1\n",
        "apps/web.yml\n$0# yaml-language-server: $schema=none\na: 1\n",
        "apps/web.yml\n$0$schema: ../schemas/app.yml\na: 1\n",
        "apps/[web].yml\n$0a: 1\n",
        "elsewhere/web.yml\n$0#! lofting: schema=../config/schema.yml\na: 1\n",
        "values/prod.yml\n$0#@data/values\n---\nport: 1\n",
        "values/prod.yml\n$0#! lofting: schema=../config/schema.yml\n#@data/values\n---\nport: 1\n",
        "config/values.yml\n$0#@data/values\n---\nport: 1\n",
        "values/dev.yaml\n$0port: 1\n",
        "config/template.yml\n$0a: #@ 1\n",
    ] {
        let fixture = in_repository(&format!("#- {file}"));
        let snapshot = &fixture.snapshot;
        let found = schema_choices(snapshot, fixture.file, ALL, &CancelFlag::new()).expect("a known file");
        for choice in &found.choices {
            for place in &choice.written_in {
                let what = format!("{file}: {} {place:?}", choice.name);
                let change = choose_schema(snapshot, fixture.file, &choice.chosen, *place, ALL);
                let Ok(change) = change else {
                    // Patterns of sets cannot name such a file.
                    assert!(file.contains('['), "{what}");
                    continue;
                };
                let mut texts = String::new();
                let mut files: Vec<_> = snapshot.files().collect();
                files.sort();
                for known in files {
                    let text = change.apply(known, &snapshot.text(known).to_string()).expect("edits that fit");
                    let cursor = if known == fixture.file { "$0" } else { "" };
                    texts += &format!("#- {}\n{cursor}{text}", snapshot.shown_path(known));
                }
                let after = open(&texts);
                let again = schema_choices(&after.snapshot, after.file, ALL, &CancelFlag::new()).expect("a known file");
                let in_force = again.choices.iter().find(|other| other.name == choice.name);
                assert!(in_force.is_some_and(|other| other.is_in_force), "{what}\n{texts}");
                let toml = after.snapshot.configuration_of(after.file).expect("lofting.toml");
                assert_eq!(after.snapshot.config(toml).errors, [], "{what}\n{texts}");
                made += 1;
            }
        }
    }
    assert!(made > 50, "{made}");
}
