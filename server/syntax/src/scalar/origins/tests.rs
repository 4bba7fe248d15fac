use crate::parse;
use crate::resolve::Profile;
use proptest::prelude::*;

/// The bytes that stand for a piece of the value of a text's only key.
fn written(text: &str, piece: &str) -> String {
    let tree = parse(text);
    let at = text.find(": ").expect("a key") + 2;
    let scalar = tree.scalar_at(at).expect("a scalar");
    let value = scalar.value_in(Profile::Core12).into_owned();
    let start = value.find(piece).unwrap_or_else(|| panic!("{piece:?} in {value:?}"));
    let origins = scalar.origins(Profile::Core12);
    let range = origins.written(start..start + piece.len());
    assert_eq!(origins.meant(range.start), Some(start), "back from {range:?} in {text:?}");
    text[range].to_owned()
}

#[test]
fn every_style() {
    for (text, piece, expected) in [
        ("a: one two", "two", "two"),
        ("a: one\n  two three\n", "two", "two"),
        ("a: one\n\n  two three\n", "three", "three"),
        ("a: 'it''s on'", "on", "on"),
        ("a: 'it''s on'", "'", "''"),
        ("a: 'it\n  is ''on'''", "on", "on"),
        (r#"a: "on\x65 \u00e9 two""#, "two", "two"),
        (r#"a: "on\x65 \u00e9 two""#, "é", r"\u00e9"),
        (r#"a: "a \"b\" c""#, "b", "b"),
        ("a: \"one \\\n   two\"", "two", "two"),
        (r#"a: "\q two""#, "two", "two"),
        ("a: \"\\\n  \\\\ two\"", "\\", "\\\\"),
        ("a: \"\n  \\ 01\"", "01", "01"),
        ("a: \"one\n\n  \\ two\"", "two", "two"),
        ("a: one\r\n\r\n  two\r\n  three", "three", "three"),
        (r#"a: "\ud83d\ude00 two""#, "😀", r"\ud83d\ude00"),
        (r#"a: "\ud83d\ude00 two""#, "two", "two"),
        ("a: |\n  one\n    two\n  three\n", "two", "two"),
        ("a: |\n  one\n    two\n  three\n", "three", "three"),
        ("a: >-\n  one\n  two\n\n  three\n", "two", "two"),
        ("a: >-\n  one\n  two\n\n  three\n", "three", "three"),
    ] {
        assert_eq!(written(text, piece), expected, "{text:?}");
    }
}

#[test]
fn offsets_outside_and_at_the_ends() {
    let text = "a: 'one'  # c\n";
    let tree = parse(text);
    let origins = tree.scalar_at(4).expect("a scalar").origins(Profile::Core12);
    assert_eq!(origins.meant(3), None);
    assert_eq!(origins.meant(4), Some(0));
    assert_eq!(origins.meant(7), Some(3));
    assert_eq!(origins.meant(8), None);
    assert_eq!(origins.written(3..3), 7..7);
    assert_eq!(origins.written(0..3), 4..7);
}

proptest! {
    #[test]
    fn words_stand_where_they_are_written(
        pieces in prop::collection::vec("[a-z' \"\\\\\n|>x0-9é:#-]{0,6}", 0..12),
        style in 0..5usize,
    ) {
        let body: String = pieces.concat();
        let lead = ["", "'", "\"", "|\n  ", ">-\n  "][style];
        let tail = ["", "'", "\"", "", ""][style];
        let text = format!("a: {lead}{}{tail}\n", body.replace('\n', "\n  "));
        let tree = parse(&text);
        for at in 0..=text.len() {
            let Some(scalar) = tree.scalar_at(at) else { continue };
            let value = scalar.value().into_owned();
            let origins = scalar.origins(Profile::Core12);
            let mut before = 0;
            for (offset, c) in value.char_indices() {
                let range = origins.written(offset..offset + c.len_utf8());
                prop_assert!(range.start >= before && range.end <= text.len(), "{range:?} in {text:?}");
                before = range.start;
                if c.is_alphanumeric() {
                    let written = &text[range];
                    let is_there = written.starts_with(c) || written.starts_with('\\');
                    prop_assert!(is_there, "{c:?} is not {written:?} in {text:?}");
                }
            }
            let _ = origins.meant(at);
        }
    }
}
