//! Properties of the parser on generated texts: it is lossless, a reparse equals a parse, and it accepts no text that a
//! conforming parser refuses or reads differently.

mod oracle;
mod text;

use lofting_syntax::debug::{self, dump};
use lofting_syntax::{Element, Entry, Node, Seq, Tree, parse};
use proptest::prelude::*;

/// Any text must give a tree whose tokens joined are the text.
fn check_tree(tree: &Tree, text: &str) {
    assert_eq!(tree.to_text(), text);
    assert_eq!(tree.len(), text.len());
    check_content(tree.root());
    for error in tree.errors() {
        assert!(error.range.end <= text.len(), "{error:?}");
        assert!(text.is_char_boundary(error.range.start), "{error:?} {text:?}");
        assert!(text.is_char_boundary(error.range.end), "{error:?} {text:?}");
    }
}

/// The content of a node ends where its last token ends that is content; returns where that is, if there is one.
fn check_content(node: Node<'_>) -> Option<usize> {
    let ends = node.children().filter_map(|child| match child {
        Element::Node(inner) => check_content(inner),
        Element::Token(token) => (!token.kind().is_trivia()).then(|| token.range().end),
    });
    let last = ends.last();
    Entry::cast(node).iter().for_each(check_name);
    Seq::cast(node).iter().for_each(check_items);
    assert_eq!(node.content_end(), last.unwrap_or(node.range().start), "{:?} at {:?}", node.kind(), node.range());
    last
}

/// An item of a sequence is found at its index. Of a long one some are tried.
fn check_items(seq: &Seq<'_>) {
    let items: Vec<_> = seq.items().collect();
    let step = items.len() / 20 + 1;
    for index in (0..items.len()).step_by(step).chain(items.len().saturating_sub(3)..items.len() + 2) {
        assert_eq!(seq.item(index), items.get(index).copied(), "{index} of {}", items.len());
    }
}

/// An entry has the name that its key has when it is read, and no other.
fn check_name(entry: &Entry<'_>) {
    let key = entry.key().and_then(|key| key.scalar()).map(|key| key.value().into_owned());
    let written = entry.node().children().next().map(|first| match first {
        Element::Token(token) => token.text().into_owned(),
        Element::Node(node) => node.text().into_owned(),
    });
    for name in ["a", "key", ""].into_iter().chain(key.as_deref()).chain(written.as_deref()) {
        assert_eq!(entry.is_named(name), key.as_deref() == Some(name), "{name:?} of {:?}", entry.node().text());
    }
}

#[derive(Clone, Debug)]
struct Edit {
    at: prop::sample::Index,
    len: usize,
    insert: String,
}

fn edit() -> impl Strategy<Value = Edit> {
    let len = prop_oneof![3 => Just(0usize), 3 => Just(1), 2 => 0usize..6, 1 => 0usize..200];
    let insert = prop_oneof![
        4 => text::fragment(),
        2 => Just(String::new()),
        1 => text::document(),
    ];
    (any::<prop::sample::Index>(), len, insert).prop_map(|(at, len, insert)| Edit { at, len, insert })
}

/// A small edit, which mostly leaves a text without errors.
fn harmless() -> impl Strategy<Value = Edit> {
    let len = prop_oneof![3 => Just(0usize), 1 => Just(1)];
    let texts = &["x", "1", " ", "\n", "  z: 1\n", "  z: 'a\nb'\n", "", "a: b", "\"", "y'\n"][..];
    let insert = prop::sample::select(texts).prop_map(str::to_owned);
    (any::<prop::sample::Index>(), len, insert).prop_map(|(at, len, insert)| Edit { at, len, insert })
}

fn apply(text: &str, edit: &Edit) -> (std::ops::Range<usize>, String) {
    let floor = |mut at: usize| {
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = floor(edit.at.index(text.len() + 1));
    let end = floor((start + edit.len).min(text.len())).max(start);
    let mut changed = text.to_owned();
    changed.replace_range(start..end, &edit.insert);
    (start..end, changed)
}

fn check_edits(mut text: String, edits: &[Edit]) {
    let mut tree = parse(&text);
    check_tree(&tree, &text);
    for edit in edits {
        let (range, changed) = apply(&text, edit);
        let edited = tree.edit(range.clone(), &edit.insert);
        let fresh = parse(&changed);
        check_tree(&edited, &changed);
        assert_eq!(edited.is_loose(), fresh.is_loose(), "{changed:?}");
        let (left, right) = (debug::dump(&edited), debug::dump(&fresh));
        if left != right {
            let at = left.lines().zip(right.lines()).take_while(|(a, b)| a == b).count();
            let near = |dump: &str| dump.lines().skip(at.saturating_sub(6)).take(14).collect::<Vec<_>>().join("\n");
            panic!(
                "edited:\n{}\nfresh:\n{}\ntext {text:?}\nedit {range:?} {:?}",
                near(&left),
                near(&right),
                edit.insert
            );
        }
        (text, tree) = (changed, edited);
    }
}

fn cases(count: u32) -> ProptestConfig {
    // PROPTEST_CASES raises the number for long runs.
    let count = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(count);
    ProptestConfig { cases: count, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn reparse_equals_parse(text in text::document(), edits in prop::collection::vec(edit(), 1..6)) {
        check_edits(text, &edits);
    }

    #[test]
    fn reparse_equals_parse_for_soup(text in text::soup(), edits in prop::collection::vec(edit(), 1..6)) {
        check_edits(text, &edits);
    }

    #[test]
    fn reparse_of_long_collections(
        text in text::long(),
        edits in prop::collection::vec(edit(), 1..4),
    ) {
        check_edits(text, &edits);
    }

    #[test]
    fn reparse_of_text_that_goes_on_too_far_left(
        text in text::loose(),
        edits in prop::collection::vec(prop_oneof![4 => harmless(), 1 => edit()], 1..8),
    ) {
        check_edits(text, &edits);
    }

    #[test]
    fn accepted_texts_are_valid(text in text::document()) {
        oracle::check(&text);
    }

    #[test]
    fn accepted_soup_is_valid(text in text::soup()) {
        oracle::check(&text);
    }

    #[test]
    fn any_text(text in any::<String>()) {
        check_tree(&parse(&text), &text);
    }
}

/// Brackets in any order, of which most have no partner, and what may be between them.
fn brackets(most: usize) -> impl Strategy<Value = String> {
    let piece = prop::sample::select(
        &[
            "[", "{", "]", "}", "[", "{", "]", "}", "a", "*b", ", ", ", ", "\n ", "a: ", "#", " # c\n ", "-", ",",
            "\"a\"", "'a'", "\"", "'", "\\", ":", ": ", "?", "? ", "&a", "&a ", "!a ", "!<", ">", " ", "\r", "\n",
            "---", "b c", "a:",
        ][..],
    );
    prop::collection::vec(piece, 1..most).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn reparse_equals_parse_for_brackets(
        before in brackets(9),
        old in brackets(3),
        new in brackets(3),
        after in brackets(9),
    ) {
        let tree = parse(&format!("{before}{old}{after}"));
        let edited = tree.edit(before.len()..before.len() + old.len(), &new);
        let fresh = parse(&format!("{before}{new}{after}"));
        prop_assert_eq!(dump(&edited), dump(&fresh), "{:?}: {:?} becomes {:?}, {:?}", before, old, new, after);
    }
}
