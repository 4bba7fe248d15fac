use super::folding_ranges;
use crate::fixture::open;
use expect_test::{Expect, expect};

#[track_caller]
fn check(text: &str, expected: Expect) {
    let fixture = open(text);
    let folds = folding_ranges(&fixture.snapshot, fixture.file);
    let shown: Vec<String> =
        folds.iter().map(|fold| format!("{}-{} {:?}", fold.start_line + 1, fold.end_line + 1, fold.kind)).collect();
    expected.assert_eq(&shown.join(", "));
}

#[test]
fn normal() {
    check(
        "# a\n# b\nimage:\n  tag: x\n  more:\n  - a\n  - b: 1\n    c: 2\n\nname: x\n",
        expect!["1-2 Comment, 3-8 Region, 5-8 Region, 7-8 Region"],
    );
    check("a: 1\n---\nb:\n  c: |\n    one\n    two\n", expect!["2-6 Region, 3-6 Region, 4-6 Region"]);
    check("a: {\n  b: 1\n}\n", expect!["1-3 Region"]);
}

#[test]
fn half_typed() {
    check("image:\n  ta\n  more: [1,\n", expect!["1-3 Region"]);
    check("", expect![""]);
}
