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
fn code() {
    check(
        "#@ load(\"a\", \"b\")\n#@ load(\"@ytt:data\", \"data\")\n#@ def f(a):\n#! why\n#! so\n#@   if a:\nx: 1\n#@   elif b:\ny: 1\nz: 2\n#@   else:\nw: 1\n#@   end\n#@ end\n#@ if/end x:\nk:\n  l: 1\n",
        expect!["1-2 Imports, 3-13 Region, 4-5 Comment, 6-7 Region, 8-10 Region, 11-12 Region, 16-17 Region"],
    );
    // Half-typed: neither an unclosed nor an unopened block folds.
    check("#@ if x\na: 1\n#@ for y in z:\nb: 1\nc: 1\n#@ end\n", expect!["3-5 Region"]);
    check("#@ end\n#@schema/desc \"a\"\n#@schema/nullable\na: 1\n", expect![""]);
}

#[test]
fn half_typed() {
    check("image:\n  ta\n  more: [1,\n", expect!["1-3 Region"]);
    check("", expect![""]);
}

#[test]
fn between_marks() {
    check(
        "a: 1\n#region one\nb: 1\n# region two\nc: 1\n# endregion\nd: 1\n#endregion\n#region open\ne: 1\n",
        expect!["2-8 Region, 4-6 Region, 8-9 Comment"],
    );
    check("# endregion\n# regional\na: 1\n# endregion\n", expect!["1-2 Comment"]);
}

#[test]
fn flow_collections_on_their_own() {
    check("[\n  {a: b,\n   c: d},\n  x\n]\n", expect!["1-5 Region, 2-3 Region"]);
    check("a:\n  {\n    b: 1\n  }\n", expect!["1-4 Region, 2-4 Region"]);
}
