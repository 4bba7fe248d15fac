//! A text gives the same tree wherever it is cut.

#[path = "../../../tests/properties/text.rs"]
mod text;

use super::{NEAR, cut, parse_at};
use crate::LONG;
use crate::{debug, parse, parse_in_two};
use proptest::prelude::*;

fn check(text: &str, cut: usize) {
    let (two, one) = (parse_at(text, cut), parse(text));
    assert_eq!(two.to_text(), text);
    assert_eq!(debug::dump(&two), debug::dump(&one), "{text:?} cut at {cut}");
    assert_eq!(two.errors(), one.errors(), "{text:?} cut at {cut}");
}

fn check_everywhere(text: &str) {
    for (at, _) in text.match_indices('\n') {
        check(text, at + 1);
    }
}

#[test]
fn what_goes_across_the_cut() {
    for text in [
        "a:\n  b: 1\n  c: 2\nd: 3\n",
        "a: |\n  b: 1\n  c: 2\nd: 3\n",
        "a: 'x\n  b: 1\n\n  c: 2'\nd: 3\n",
        "a: \"never\n  b: 1\n  c: 2\nd: 3\n",
        "a: {x: 1,\n  b: 1,\n  c: [2,\n 3]}\nd: 3\n",
        "a:\n- b: 1\n  c:\n  - 2\n- d: 3\ne: 1\n",
        "- b: 1\n  c:\n  - 2\n- d: 3\n",
        "a: 1\n---\nb: 1\n...\n%YAML 1.1\n---\nc: &x 1\nd: *x\n",
        "a:\n    b: 1\n  c: 2\n d: 3\n",
        "a: b\n  c\n  d: 1\n? e\n: f\n",
        "a:\n  # one\n\n  b: 1 # two\n# three\nc: 1\n",
        "a: 1\r\n\r\nb:\r\n  c: 1\r\n",
        "a: 1\n\u{feff}b: 1\n",
    ] {
        check_everywhere(text);
    }
}

#[test]
fn large_texts_are_cut_at_the_least_indented_line() {
    let entry = |number: usize| format!("  key_{number}:\n    port: {number}\n    hosts:\n    - a\n");
    let text: String = std::iter::once("all:\n".to_owned()).chain((0..LONG / 32).map(entry)).collect();
    if let Some(at) = cut(&text) {
        assert!(at > LONG / 3 && at < text.len() / 2 + NEAR);
        assert!(text[at..].starts_with("  key_"));
    }
    assert_eq!(cut(&text[..LONG / 2]), None);
    assert_eq!(debug::dump(&parse_in_two(&text)), debug::dump(&parse(&text)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_document(text in text::document()) {
        check_everywhere(&text);
    }

    #[test]
    fn soup(text in text::soup()) {
        check_everywhere(&text);
    }

    #[test]
    fn text_that_goes_on_too_far_left(text in text::loose(), at in any::<prop::sample::Index>()) {
        let starts: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        check(&text, *at.get(&starts));
    }

    #[test]
    fn long_collections(text in text::long(), at in any::<prop::sample::Index>()) {
        let breaks: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        if !breaks.is_empty() {
            check(&text, breaks[at.index(breaks.len())]);
        }
    }
}
