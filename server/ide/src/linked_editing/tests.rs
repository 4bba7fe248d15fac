use super::linked_editing;
use crate::fixture::open;

#[track_caller]
fn check(text: &str, want: &[(usize, &str)]) {
    let fixture = open(text);
    let found = linked_editing(&fixture.snapshot, fixture.file, fixture.offset);
    let shown: Vec<(usize, &str)> = found.iter().map(|range| (range.start, &fixture.text[range.clone()])).collect();
    assert_eq!(shown, want);
}

#[test]
fn anchors_and_aliases() {
    let want = [(4, "x"), (12, "x")];
    check("a: &x$0 1\nb: *x\nc: &x 2\nd: *x\n", &want);
    check("a: &x 1\nb: *$0x\nc: &x 2\nd: *x\n", &want);
    check("a: &x 1\nb: *x\nc: &x 2\nd: $0*x\n", &[(18, "x"), (26, "x")]);
}

#[test]
fn alone_half_typed_and_none() {
    check("a: &x$0 1\n", &[]);
    check("a: *x$0\n", &[]);
    check("a: &$0\nb: *\n", &[]);
    check("a$0: 1\n", &[]);
    // Each document has its own anchors.
    check("a: &x$0 1\n---\nb: *x\n", &[]);
}
