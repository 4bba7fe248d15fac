use super::selection_ranges;
use crate::fixture::open;
use expect_test::{Expect, expect};

#[track_caller]
fn check(text: &str, expected: Expect) {
    let fixture = open(text);
    let ranges = selection_ranges(&fixture.snapshot, fixture.file, fixture.offset);
    let holds = |range: &std::ops::Range<usize>| range.start <= fixture.offset && fixture.offset <= range.end;
    assert!(ranges.iter().all(holds));
    for pair in ranges.windows(2) {
        assert!(pair[1].start <= pair[0].start && pair[0].end <= pair[1].end && pair[0] != pair[1]);
    }
    let shown: Vec<String> = ranges.into_iter().map(|range| format!("{:?}", &fixture.text[range])).collect();
    expected.assert_eq(&shown.join("\n"));
}

#[test]
fn normal() {
    check(
        "a: 1\nb:\n  c: wo$0rd\n  d: 2\n",
        expect![[r#"
        "word"
        "c: word"
        "c: word\n  d: 2"
        "b:\n  c: word\n  d: 2"
        "a: 1\nb:\n  c: word\n  d: 2"
        "a: 1\nb:\n  c: word\n  d: 2\n""#]],
    );
    check(
        "a:\n- b: [x$0x, y]\n",
        expect![[r#"
        "xx"
        "[xx, y]"
        "b: [xx, y]"
        "- b: [xx, y]"
        "a:\n- b: [xx, y]"
        "a:\n- b: [xx, y]\n""#]],
    );
}

/// Whatever is at the position, the first range holds it.
#[test]
fn the_first_range_holds_the_position() {
    check(
        "a: 1\nb: 1 # note$0\n",
        expect![[r##"
        "# note"
        "b: 1 # note"
        "a: 1\nb: 1 # note\n""##]],
    );
    check(
        "a: #@ data.values.x$0",
        expect![[r##"
        "#@ data.values.x"
        "a: #@ data.values.x""##]],
    );
    check(
        "a: 1$0\nb: 2\n",
        expect![[r#"
        "1"
        "a: 1"
        "a: 1\nb: 2"
        "a: 1\nb: 2\n""#]],
    );
    check(
        "a:\n  b: 1\n$0\n  c: 2\nd: 1\n",
        expect![[r#"
        "b: 1\n\n  c: 2"
        "a:\n  b: 1\n\n  c: 2"
        "a:\n  b: 1\n\n  c: 2\nd: 1"
        "a:\n  b: 1\n\n  c: 2\nd: 1\n""#]],
    );
    check("a:\n  b: 1\n$0", expect![[r#""a:\n  b: 1\n""#]]);
    check(
        "a: |\n  te$0xt\n  more\nb: 1\n",
        expect![[r#"
        "|\n  text\n  more"
        "a: |\n  text\n  more"
        "a: |\n  text\n  more\nb: 1"
        "a: |\n  text\n  more\nb: 1\n""#]],
    );
}

#[test]
fn half_typed() {
    check(
        "a:\n  b$0b",
        expect![[r#"
        "bb"
        "a:\n  bb""#]],
    );
    check(
        "a: \"b$0b\nc: 1\n",
        expect![[r#"
        "\"bb"
        "a: \"bb"
        "a: \"bb\nc: 1"
        "a: \"bb\nc: 1\n""#]],
    );
    check("$0", expect![""]);
}
