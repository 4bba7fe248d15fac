use crate::fixture::{Fixture, checked_again, shown};
use lofting_document::FileId;

#[test]
fn what_was_let_go_of_is_made_again_as_it_was() {
    let mut fixture = Fixture::scanned(
        "#- lofting.toml
[sets.dev]
files = [\"schema.yml\"]
data-values-files = [\"v*.yml\"]
#- schema.yml
#@data/values-schema
---
port: 80
#- v1.yml
port: eighty
#- v2.yml
port: nothing
",
    );
    let files: Vec<FileId> = ["v1.yml", "v2.yml", "schema.yml", "lofting.toml"].map(|path| fixture.id(path)).into();
    let all = |fixture: &Fixture| -> String {
        let snapshot = fixture.workspace.snapshot();
        files.iter().map(|file| shown(&snapshot, *file)).collect()
    };
    let found = all(&fixture);
    assert_eq!(found.lines().count(), 1, "{found}");
    // A state that asks for nothing makes all answers old.
    fixture.open("other.yml", "a: 1\n");
    let before = fixture.workspace.snapshot();
    before.keep_within_budget();
    assert_eq!(checked_again(&before, &fixture.workspace.snapshot(), &files), [], "there is room for all");
    let state = before.state.clone();
    fixture.open("other.yml", "a: 2\n");
    assert_eq!(shown(&fixture.workspace.snapshot(), fixture.id("other.yml")), "");
    state.keep_within(0);
    assert!(state.held() < 1000, "only what was asked for last stays: {}", state.held());
    assert_eq!(all(&fixture), found);
}
