use crate::debug::dump;
use crate::{Element, Entry, Item, Kind, Node, Tree, parse};

/// The innermost entries and items.
fn entries(tree: &Tree) -> Vec<Node<'_>> {
    let (mut open, mut found) = (vec![tree.root()], Vec::new());
    while let Some(node) = open.pop() {
        let inner: Vec<Node<'_>> = node.nodes().collect();
        if inner.is_empty() && matches!(node.kind(), Kind::MapEntry | Kind::SeqEntry) {
            found.push(node);
        }
        open.extend(inner.into_iter().rev());
    }
    found
}

fn tokens(node: Node<'_>) -> Vec<(Kind, usize)> {
    node.tokens().map(|token| (token.kind(), token.range().len())).collect()
}

#[test]
fn lines_read_the_same_in_words_and_as_nodes() {
    // Sizes around the limits of a word's fields.
    for (column, key, blanks, value) in [
        (2, 3, 1, 4),
        (4095, 3, 1, 4),
        (4096, 3, 1, 4),
        (2, 65_535, 1, 4),
        (2, 65_536, 1, 4),
        (2, 3, 15, 4),
        (2, 3, 16, 4),
        (2, 3, 1, 65_535),
        (2, 3, 1, 65_536),
    ] {
        let (margin, blank) = (" ".repeat(column), " ".repeat(blanks));
        let (key_text, value_text) = ("k".repeat(key), "v".repeat(value));
        for line_break in ["\n", "\r\n", "\r"] {
            let text = format!("a:{line_break}{margin}{key_text}:{blank}{value_text}{line_break}b: 1{line_break}");
            let tree = parse(&text);
            assert_eq!(tree.to_text(), text);
            let entry = entries(&tree)[0];
            let want = [
                (Kind::Plain, key),
                (Kind::Colon, 1),
                (Kind::Whitespace, blanks),
                (Kind::Plain, value),
                (Kind::Newline, line_break.len()),
            ];
            assert_eq!(tokens(entry), want, "{column} {key} {blanks} {value}");
            assert_eq!(entry.range().len(), want.iter().map(|(_, len)| len).sum::<usize>());
            let pair = Entry::cast(entry).expect("an entry");
            assert_eq!(pair.key().and_then(|key| key.scalar()).expect("a key").value(), key_text);
            assert_eq!(pair.value().scalar().expect("a value").value(), value_text);
            let edited = tree.edit(text.len()..text.len(), "c: 2\n");
            assert_eq!(dump(&edited), dump(&parse(&edited.to_text())));
        }
    }
}

#[test]
fn every_kind_of_line() {
    let text = "a: 'x'\nb: \"y\"\nc:\n- 1\n-   'z'\nd: {e: 'f', \"g\": h, 'i':  \"j\"}\nk: [l, 'm', \"n\"]\n";
    let tree = parse(text);
    let lines: Vec<String> = entries(&tree)
        .into_iter()
        .map(|node| {
            assert_eq!(tokens(node).iter().map(|(_, len)| len).sum::<usize>(), node.range().len());
            if let Some((key, dash, value)) = node.one_line() {
                let same = |token: Option<crate::Token<'_>>, kind: fn(Kind) -> bool| {
                    let found = node.children().find_map(|child| match child {
                        Element::Token(found) if kind(found.kind()) => Some(found.range()),
                        _ => None,
                    });
                    token.is_none_or(|token| Some(token.range()) == found)
                };
                assert!(same(dash, |kind| kind == Kind::Dash));
                assert!(same(key.or(Some(value)), |kind| !kind.is_trivia() && kind != Kind::Dash));
            }
            match (Entry::cast(node), Item::cast(node)) {
                (Some(entry), _) => {
                    let key = entry.key().map(|key| key.range()).unwrap_or_default();
                    format!("{}: {}", &text[key], &text[entry.value().range()])
                }
                (_, Some(item)) => text[item.value().range()].to_owned(),
                _ => String::new(),
            }
        })
        .collect();
    let want = ["a: 'x'", "b: \"y\"", "1", "'z'", "e: 'f'", "\"g\": h", "'i': \"j\"", "l", "'m'", "\"n\""];
    assert_eq!(lines, want);
}
