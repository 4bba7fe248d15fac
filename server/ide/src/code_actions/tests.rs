//! Offering and applying, and the class of all actions: whatever is offered mends its finding and brings no other.

mod files;
mod mended;

use super::{Abilities, ActionsAsked, Change, Changes, CodeAction, code_actions};
use crate::fixture::{Fixture, open};
use expect_test::{Expect, expect};
use lofting_diagnostic::Confidence;
use lofting_document::FileId;
use lofting_workspace::{CancelFlag, Snapshot};
use std::ops::Range;

const ABLE: Abilities = Abilities { creates_files: true };

/// All that is offered at a range, with the changes.
fn all_at(snapshot: &Snapshot, file: FileId, range: Range<usize>) -> Vec<CodeAction> {
    let asked = ActionsAsked { kinds: &["quickfix", "refactor"], abilities: ABLE, changes: Changes::All };
    code_actions(snapshot, file, range, &asked, &CancelFlag::new())
}

/// The snapshot after a change; files that are new are left out.
fn applied(snapshot: &Snapshot, change: &Change) -> Snapshot {
    let mut files: Vec<FileId> = change.edits.iter().map(|(span, _)| span.file).collect();
    files.sort();
    files.dedup();
    files.into_iter().fold(snapshot.clone(), |now, file| {
        let text = change.apply(file, &snapshot.text(file).to_string()).expect("edits that do not overlap");
        now.with_text(file, &text)
    })
}

/// Titles of what is offered at the cursor; `*` is preferred.
fn titles(fixture: &Fixture) -> String {
    let found = all_at(&fixture.snapshot, fixture.file, fixture.offset..fixture.offset);
    let line = |action: &CodeAction| {
        let mark = if action.preferred { "* " } else { "" };
        format!("{mark}{} ({}, {:?})\n", action.name.title, action.kind.as_str(), action.confidence)
    };
    found.iter().map(line).collect()
}

/// Checks what is offered at the cursor, suppressions aside.
#[track_caller]
pub(super) fn check_titles(fixture: &str, expected: Expect) {
    let titles = titles(&open(fixture));
    let own = titles.lines().filter(|line| !line.starts_with("Ignore ") && !line.starts_with("Switch "));
    expected.assert_eq(&own.map(|line| format!("{line}\n")).collect::<String>());
}

/// Checks the texts that an action changes or makes.
#[track_caller]
pub(super) fn check_change(fixture: &str, title: &str, expected: Expect) {
    let fixture = open(fixture);
    let found = all_at(&fixture.snapshot, fixture.file, fixture.offset..fixture.offset);
    let action = found.into_iter().find(|action| action.name.title == title);
    let Some(action) = action else { panic!("offered are:\n{}", titles(&fixture)) };
    let change = action.change.expect("it was asked for");
    let after = applied(&fixture.snapshot, &change);
    let mut files: Vec<FileId> = change.edits.iter().map(|(span, _)| span.file).collect();
    files.sort();
    files.dedup();
    let mut shown = String::new();
    for file in files {
        if file != fixture.file {
            shown += &format!("#- {}\n", after.shown_path(file));
        }
        shown += &after.text(file).to_string();
    }
    for (path, text) in change.new_files {
        shown += &format!("#- new {}\n{text}", path.file_name().unwrap_or_default().to_string_lossy());
    }
    expected.assert_eq(&shown);
}

#[test]
fn what_is_offered_stands_anywhere_on_the_line() {
    let fixture =
        "#- schema.yml\n#@data/values-schema\n---\nport: 80\n#- values.yml\n#@data/values\n---\np$0ort: \"90\"\n";
    check_titles(
        fixture,
        expect![[r#"
        * Remove the quotes (quickfix, Sure)
    "#]],
    );
    check_change(
        fixture,
        "Remove the quotes",
        expect![[r#"
        #@data/values
        ---
        port: 90
    "#]],
    );
    check_titles(
        &fixture.replace("p$0ort", "port").replace("#@data/values\n---\np", "#@data/va$0lues\n---\np"),
        expect![""],
    );
}

#[test]
fn a_change_is_only_made_where_it_is_wanted() {
    let fixture =
        open("#- schema.yml\n#@data/values-schema\n---\nport: 80\n#- values.yml\n#@data/values\n---\nport: \"9$00\"\n");
    let asked = ActionsAsked { kinds: &[], abilities: ABLE, changes: Changes::None };
    let at = fixture.offset..fixture.offset;
    let found = code_actions(&fixture.snapshot, fixture.file, at.clone(), &asked, &CancelFlag::new());
    assert!(found.iter().all(|action| action.change.is_none()) && found.len() > 2, "{found:?}");
    for action in found {
        let (name, cancel) = (&action.name, CancelFlag::new());
        let change = super::change_of(&fixture.snapshot, fixture.file, at.clone(), name, ABLE, &cancel);
        assert!(change.is_some(), "{name:?}");
    }
}

#[test]
fn kinds_hold_those_below() {
    use super::ActionKind;
    assert!(ActionKind::Extract.is_below("refactor") && ActionKind::Extract.is_below("refactor.extract"));
    assert!(ActionKind::FixAll.is_below("source.fixAll") && ActionKind::FixAll.is_below(""));
    assert!(!ActionKind::Extract.is_below("refactor.ex") && !ActionKind::QuickFix.is_below("quickfix.other"));
}

#[test]
fn all_that_is_certain_is_mended_at_once() {
    let fixture = open(
        "#- schema.yml\n#@data/values-schema\n---\nport: 80\nhost: \"\"\ntags: [\"\"]\n\
         #- values.yml\n#@data/values\n---\n# why\nport: \"90\"\nhost: 1\nhots: x\ntags: [1, a, true]\n",
    );
    let mended = super::fix_all(&fixture.snapshot, fixture.file, Confidence::Sure, &CancelFlag::new()).expect("some");
    expect![[r#"
        #@data/values
        ---
        #! why
        port: 90
        host: "1"
        hots: x
        tags: ["1", a, "true"]
    "#]]
    .assert_eq(&mended.text);
    assert_eq!(mended.done.len(), 5, "{:?}", mended.done);
}

#[test]
fn suppressions() {
    let fixture = "#- schema.yml\n#@data/values-schema\n---\nport: 80\n#- values.yml\n#@data/values\n---\n  #! why\n  p$0ort: x\n";
    check_change(
        fixture,
        "Ignore `ytt/type-mismatch` here",
        expect![[r#"
        #@data/values
        ---
          #! why
          #! lofting: ignore ytt/type-mismatch
          port: x
    "#]],
    );
    check_change(
        fixture,
        "Ignore `ytt/type-mismatch` in this file",
        expect![[r#"
        #! lofting: ignore-file ytt/type-mismatch
        #@data/values
        ---
          #! why
          port: x
    "#]],
    );
    let known = fixture.replace("#! why", "#! lofting: ignore ytt/min -- later");
    check_change(
        &known,
        "Ignore `ytt/type-mismatch` here",
        expect![[r#"
        #@data/values
        ---
          #! lofting: ignore ytt/min ytt/type-mismatch -- later
          port: x
    "#]],
    );
}
