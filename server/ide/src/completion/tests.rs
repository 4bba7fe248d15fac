//! `$0` is the cursor. Expected are labels, or the text after accepting one of them.

mod accepted;
mod alternatives;
mod annotations;
mod code;
mod contexts;
mod json;
mod json_schema;
mod kubernetes;
mod more_contexts;
mod names;
mod openapi;
mod proposals;
mod snippets;
mod suggested;
mod texts;
mod unasked;

use crate::fixture::{Fixture, open, open_app};
use expect_test::Expect;

/// The offered labels, without items that insert several keys at once.
fn labels(fixture: &Fixture) -> Vec<String> {
    let items = fixture.completions(false);
    for item in &items {
        let line_start = fixture.text[..item.edit.0.start].rfind('\n').map_or(0, |at| at + 1);
        let replaced = &fixture.text[item.edit.0.clone()];
        assert!(!replaced.contains('\n'), "{} replaces more than a line", item.label);
        assert!(item.edit.0.start <= fixture.offset && fixture.offset <= item.edit.0.end, "{}", item.label);
        for (range, _) in &item.additional_edits {
            assert!(range.start >= line_start, "{}", item.label);
        }
        assert!(!item.edit.1.is_empty(), "{} inserts nothing", item.label);
        // Accepting an item keeps the rest of the text, which checks that its edits do not overlap.
        fixture.accept(item);
    }
    items.into_iter().map(|item| item.label).filter(|label| !label.contains("(all keys)")).collect()
}

/// Labels that must be offered, then labels that must not, with the application's schema.
#[track_caller]
fn check(values: &str, must: &[&str], must_not: &[&str]) {
    let fixture = open_app(values);
    let labels = labels(&fixture);
    let has = |name: &&&str| labels.iter().any(|label| label == **name);
    let missing: Vec<_> = must.iter().filter(|name| !has(name)).collect();
    let wrong: Vec<_> = must_not.iter().filter(has).collect();
    assert!(missing.is_empty() && wrong.is_empty(), "{values:?}: missing {missing:?}, wrong {wrong:?} in {labels:?}");
}

/// Nothing is offered.
#[track_caller]
fn check_none(values: &str) {
    let labels = labels(&open_app(values));
    assert!(labels.is_empty(), "{values:?}: {labels:?}");
}

/// All labels in order.
#[track_caller]
fn check_labels(fixture: &str, expected: Expect) {
    expected.assert_eq(&labels(&open(fixture)).join(" "));
}

/// The text after accepting `label`, for clients without snippets.
#[track_caller]
fn check_accept(values: &str, label: &str, expected: &str) {
    accept(values, label, false, expected);
}

/// Accepts an item with snippets, showing placeholders.
#[track_caller]
fn check_snippet(values: &str, label: &str, expected: &str) {
    accept(values, label, true, expected);
}

#[track_caller]
fn accept(values: &str, label: &str, snippets: bool, expected: &str) {
    let fixture = open_app(values);
    let items = fixture.completions(snippets);
    let names: Vec<_> = items.iter().map(|item| item.label.as_str()).collect();
    let Some(item) = items.iter().find(|item| item.label == label) else {
        panic!("{values:?}: no {label:?} in {names:?}");
    };
    assert_eq!(fixture.accept(item), expected);
}
