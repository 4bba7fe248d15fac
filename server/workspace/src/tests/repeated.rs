//! Keys that are repeated: only their last value is judged by rules, however the document is looked at.

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
