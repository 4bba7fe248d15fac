//! Values that move from a template into the schema, and back.

use super::fixed::found;
use super::{all_at, applied, check_change, titles};
use crate::fixture::open;
use expect_test::expect;

const SCHEMA: &str = "#- schema.yml\n#@data/values-schema\n---\nname: web\nreplicas: 1\n";

#[test]
fn a_value_of_a_template_becomes_a_data_value() {
    check_change(
        &format!("{SCHEMA}#- app.yml\n#@ load(\"@ytt:data\", \"data\")\n---\nspec:\n  image-tag$0: \"1.10\"\n"),
        "Move the value into the schema as `image_tag`",
        expect![[r##"
            #- schema.yml
            #@data/values-schema
            ---
            name: web
            replicas: 1
            image_tag: "1.10"
            #@ load("@ytt:data", "data")
            ---
            spec:
              image-tag: #@ data.values.image_tag
        "##]],
    );
    // A name that is taken, and no data values yet.
    check_change(
        &format!("{SCHEMA}#- app.yml\n#@ x = 1\n---\nspec:\n  repl$0icas: 3\n"),
        "Move the value into the schema as `spec_replicas`",
        expect![[r##"
            #- schema.yml
            #@data/values-schema
            ---
            name: web
            replicas: 1
            spec_replicas: 3
            #@ load("@ytt:data", "data")
            #@ x = 1
            ---
            spec:
              replicas: #@ data.values.spec_replicas
        "##]],
    );
    let values = ["a: $0null", "a: {b$0: 1}", "a$0: 1 #! why", "a$0: #@ 1", "a$0: [1]", "a$0: &x 1", "a$0: |\n  text"];
    for value in values {
        let fixture = open(&format!("{SCHEMA}#- app.yml\n#@ x = 1\n---\n{value}\n"));
        let offered = titles(&fixture);
        assert!(!offered.contains("Move the value"), "{value}: {offered}");
    }
}

#[test]
fn a_data_value_is_written_where_it_is_read() {
    let template = "#- app.yml\n#@ load(\"@ytt:data\", \"data\")\n---\n";
    check_change(
        &format!("{SCHEMA}{template}name: #@ data.values.na$0me\n"),
        "Write the value of `data.values.name` in its place",
        expect![[r##"
            ---
            name: web
        "##]],
    );
    // Only what was used for the value alone is no longer loaded.
    for (above, below, left) in [
        ("#@ load(\"@ytt:data\", \"data\")", "b: #@ data.values.name", "#@ load(\"@ytt:data\", \"data\")\n"),
        ("#@ load(\"@ytt:data\", \"data\", d=\"data\")", "b: #@ d.read(\"x\")", "#@ load(\"@ytt:data\", d=\"data\")\n"),
        ("#@ load(\"@ytt:data\", \"data\")\n#@ load(\"x.star\", \"x\")", "b: 1", "#@ load(\"x.star\", \"x\")\n"),
    ] {
        let fixture = open(&format!("{SCHEMA}#- app.yml\n{above}\n---\na: #@ data.values.na$0me\n{below}\n"));
        let offered = all_at(&fixture.snapshot, fixture.file, fixture.offset..fixture.offset);
        let inline = offered.into_iter().find(|action| action.name.title.starts_with("Write the value"));
        let change = inline.and_then(|action| action.change).expect("it is offered");
        let changed = applied(&fixture.snapshot, &change).text(fixture.file).to_string();
        assert_eq!(changed, format!("{left}---\na: web\n{below}\n"), "{above}");
    }
    for value in ["#@ data.values.na$0me + \"x\"", "#@ len(data.values.na$0me)", "#@ x$0"] {
        let offered = titles(&open(&format!("{SCHEMA}{template}name: {value}\n")));
        assert!(!offered.contains("Write the value"), "{value}: {offered}");
    }
}

/// Neither brings a finding, in any file.
#[test]
fn what_moves_raises_nothing() {
    let text = format!(
        "{SCHEMA}#- app.yml\n#@ load(\"@ytt:data\", \"data\")\n---\na: x\nb:\n  c: 1.5\n  d-e: true\n  name: #@ data.values.name\n  g: #@ len(data.values)\n  f: 'it''s'\n"
    );
    let fixture = open(&text);
    let before = found(&fixture.snapshot);
    let mut moved = 0;
    for at in 0..fixture.text.len() {
        for action in all_at(&fixture.snapshot, fixture.file, at..at) {
            if !["extracted_value", "inlined_value"].contains(&action.name.source.as_str()) {
                continue;
            }
            let Some(change) = action.change else { continue };
            moved += 1;
            assert_eq!(found(&applied(&fixture.snapshot, &change)), before, "{}", action.name.title);
        }
    }
    assert!(moved > 10, "{moved}");
}
