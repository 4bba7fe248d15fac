use super::diagnostics;
use crate::fixture::{Fixture, open, open_app};
use expect_test::{Expect, expect};
use lofting_workspace::CancelFlag;

#[track_caller]
fn check_in(fixture: &Fixture, expected: Expect) {
    let mut out = String::new();
    for found in diagnostics(&fixture.snapshot, fixture.file, &CancelFlag::new()).iter() {
        out += &format!("{:?} {} {}\n", &fixture.text[found.span.range()], found.code(), found.message);
    }
    expected.assert_eq(&out);
}

#[test]
fn findings() {
    check_in(
        &open_app("replicas: many\nimagee: x\n"),
        expect![[r#"
        "many" ytt/type-mismatch `replicas` should be an integer, but is the string "many"
        "imagee" ytt/undeclared-key `imagee` is not declared in the schema of the document
    "#]],
    );
}

#[test]
fn half_typed() {
    check_in(
        &open_app("image:\n  ta\nname: x\n"),
        expect![[r#"
        "ta" ytt/type-mismatch `image` should be a map, but is the string "ta"
    "#]],
    );
    check_in(
        &open_app("image:\n"),
        expect![[r#"
        "image" ytt/type-mismatch `image` should be a map, but is empty (null)
    "#]],
    );
}

#[test]
fn without_a_schema() {
    check_in(&open("#- other.yml\na: 1\n"), expect![""]);
}
