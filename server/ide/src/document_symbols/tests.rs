use super::{Symbol, document_symbols};
use crate::fixture::open;
use expect_test::{Expect, expect};

fn show(out: &mut String, text: &str, symbols: &[Symbol], depth: usize) {
    for symbol in symbols {
        assert!(symbol.range.start <= symbol.selection_range.start && symbol.selection_range.end <= symbol.range.end);
        let detail = symbol.detail.as_deref().map_or(String::new(), |detail| format!(" = {detail}"));
        let line = |offset: usize| text[..offset].matches('\n').count() + 1;
        let lines = format!("{}-{}", line(symbol.range.start), line(symbol.range.end));
        *out += &format!("{}{} {:?}{detail} [{lines}]\n", "  ".repeat(depth), symbol.name, symbol.kind);
        show(out, text, &symbol.children, depth + 1);
    }
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    let fixture = open(text);
    let mut out = String::new();
    show(&mut out, &fixture.text, &document_symbols(&fixture.snapshot, fixture.file), 0);
    expected.assert_eq(&out);
}

#[test]
fn normal() {
    check(
        "name: web\nimage:\n  tag: 1.2\n  on: yes\nenv:\n- name: A\n  value: \"x y\"\n- B\nflow: {a: 1, b: [x]}\nnone:\nlong: |\n  one\n  two\n",
        expect![[r#"
            name String = web [1-1]
            image Map [2-4]
              tag Number = 1.2 [3-3]
              on Boolean = yes [4-4]
            env Array [5-8]
              [0] Map = A [6-7]
                name String = A [6-6]
                value String = x y [7-7]
              [1] String = B [8-8]
            flow Map [9-9]
              a Number = 1 [9-9]
              b Array [9-9]
                [0] String = x [9-9]
            none Null [10-10]
            long String = one… [11-13]
        "#]],
    );
    check(
        "a: &x 1\nb: *x\n",
        expect![[r#"
        a Number = 1 [1-1]
        b Alias = *x [2-2]
    "#]],
    );
}

#[test]
fn documents() {
    check(
        "a: 1\n---\nb: 2\n---\n",
        expect![[r#"
        document 1 Document [1-1]
          a Number = 1 [1-1]
        document 2 Document [2-3]
          b Number = 2 [3-3]
        document 3 Document [4-4]
    "#]],
    );
    check(
        "---\na: 1\n",
        expect![[r#"
        a Number = 1 [2-2]
    "#]],
    );
}

#[test]
fn half_typed() {
    check(
        "name: web\nima\nenv:\n- \n- na",
        expect![[r#"
        name String = web [1-1]
        ima Null [2-2]
        env Array [3-5]
          [0] Null [4-4]
          [1] String = na [5-5]
    "#]],
    );
    check(
        "a: {b: \"c\nd: 1\n",
        expect![[r#"
        a Map [1-1]
          b String = c [1-1]
        d Number = 1 [2-2]
    "#]],
    );
    check("", expect![""]);
    check("# only a comment", expect![""]);
    check("just text", expect![""]);
}

#[test]
fn deep_and_long_texts_are_bounded() {
    let deep = "[".repeat(5_000);
    let fixture = open(&deep);
    document_symbols(&fixture.snapshot, fixture.file);
    let long: String = (0..20_000).map(|index| format!("k{index}: 1\n")).collect();
    let fixture = open(&long);
    assert_eq!(document_symbols(&fixture.snapshot, fixture.file).len(), super::MAX_SYMBOLS);
}
