//! Keys that are repeated: only their last value is judged by rules, however the document is looked at, and ytt refuses
//! those in maps that it takes over as they are.

use crate::fixture::{Fixture, shown};

#[test]
fn of_repeated_values_only_the_last_is_judged() {
    // Code in the schema makes the document merged as a whole.
    for schema in ["", "#@ x = 1\n"] {
        for (head, code) in [("#@data/values\n---\n", "ytt/duplicate-key"), ("", "yaml/repeated-key")] {
            let text = format!(
                "#- schema.yml\n{schema}#@data/values-schema\n---\n#@schema/validation one_of=[80, 7]\nsize: 80\n\
                 #- values.yml\n{head}size: 0\nsize: 1\nsize: 2\n"
            );
            let fixture = Fixture::scanned(&text);
            let snapshot = fixture.workspace.snapshot();
            let found = shown(&snapshot, fixture.id("values.yml"));
            let count = |code: &str| found.matches(code).count();
            assert_eq!((count(code), count("ytt/one-of")), (2, 1), "{schema:?}: {found}");
            assert!(found.contains("but is 2"), "{found}");
        }
    }
}

/// How many keys of a plain values file are refused, each on its last line and without a further finding, whether the
/// file is alone or in a set, and the document looked at in its tree or merged.
fn refused(schema: &str, values: &str) -> usize {
    let mut counts = Vec::new();
    for head in ["", "#@ x = 1\n"] {
        for set in ["", "#- lofting.toml\n[sets.all]\nfiles = [\"schema.yml\"]\nvalues = [\"values.yml\"]\n"] {
            let text = format!("#- schema.yml\n{head}#@data/values-schema\n---\n{schema}#- values.yml\n{values}{set}");
            let fixture = Fixture::scanned(&text);
            let found = shown(&fixture.workspace.snapshot(), fixture.id("values.yml"));
            let errors = found.matches("ytt/duplicate-key").count();
            assert_eq!(found.matches("yaml/repeated-key").count() + errors, 1, "{text}: {found}");
            let line = format!("{}:", values.lines().count());
            assert!(found.trim_start().starts_with(&line) && found.lines().count() == 1, "{text}: {found}");
            counts.push(errors);
        }
    }
    assert!(counts.iter().all(|count| Some(count) == counts.first()), "{schema}{values}: {counts:?}");
    counts.into_iter().next().unwrap_or_default()
}

#[test]
fn ytt_refuses_a_key_that_is_repeated_in_what_it_takes_over() {
    let any = "#@schema/type any=True\n";
    // Arrays take the place of those that are there, null has no entries, and a new key comes with all of its value.
    assert_eq!(refused("items: [{name: \"\"}]\n", "items:\n- name: a\n  name: b\n"), 1);
    assert_eq!(refused("items: [[{name: \"\"}]]\n", "items:\n- - name: a\n    name: b\n"), 1);
    assert_eq!(refused("#@schema/nullable\nm: {name: \"\"}\n", "m:\n  name: a\n  name: b\n"), 1);
    assert_eq!(refused(&format!("{any}m:\n"), "m:\n  name: a\n  name: b\n"), 1);
    assert_eq!(refused(&format!("{any}m: {{k: 1}}\n"), "m:\n  n:\n    name: a\n    name: b\n"), 1);
    // Entries of a map that is there are merged one after the other.
    assert_eq!(refused("m: {name: \"\"}\n", "m:\n  name: a\n  name: b\n"), 0);
    assert_eq!(refused(&format!("{any}m: {{name: c}}\n"), "m:\n  name: a\n  name: b\n"), 0);
    assert_eq!(refused(&format!("{any}m: {{n: {{}}}}\n"), "m:\n  n:\n    name: a\n    name: b\n"), 0);
}
