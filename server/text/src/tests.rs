use proptest::prelude::*;

use crate::{Encoding, Position, Text};

const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

/// Lines as LSP counts them, written as plainly as possible: the reference that the rope is compared with.
fn lines(text: &str) -> Vec<(usize, usize)> {
    let (mut found, mut start, mut at) = (Vec::new(), 0, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let width = match (bytes[at], bytes.get(at + 1)) {
            (b'\r', Some(b'\n')) => 2,
            (b'\r' | b'\n', _) => 1,
            _ => 0,
        };
        if width > 0 {
            found.push((start, at));
            start = at + width;
        }
        at += width.max(1);
    }
    found.push((start, bytes.len()));
    found
}

fn units(text: &str, encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf8 => text.len(),
        Encoding::Utf16 => text.encode_utf16().count(),
        Encoding::Utf32 => text.chars().count(),
    }
}

#[test]
fn only_lf_crlf_and_cr_end_a_line() {
    let text = Text::new("a\nb\r\nc\rd\u{b}e\u{c}f\u{85}g\u{2028}h\u{2029}i");
    assert_eq!(text.line_count(), 4);
    assert_eq!(text.slice(text.line_range(0)), "a");
    assert_eq!(text.slice(text.line_range(1)), "b");
    assert_eq!(text.slice(text.line_range(2)), "c");
    assert_eq!(text.slice(text.line_range(3)), "d\u{b}e\u{c}f\u{85}g\u{2028}h\u{2029}i");
}

#[test]
fn columns_count_in_the_agreed_units() {
    let text = Text::new("x\nä😀k: v");
    let offset = "x\nä😀k".len();
    assert_eq!(text.position(offset, Encoding::Utf8), Position::new(1, 7));
    assert_eq!(text.position(offset, Encoding::Utf16), Position::new(1, 4));
    assert_eq!(text.position(offset, Encoding::Utf32), Position::new(1, 3));
}

#[test]
fn positions_out_of_range_clamp() {
    let text = Text::new("ab\r\ncd\n");
    for encoding in ENCODINGS {
        assert_eq!(text.offset(Position::new(0, 99), encoding), 2);
        assert_eq!(text.offset(Position::new(0, u32::MAX), encoding), 2);
        assert_eq!(text.offset(Position::new(2, 5), encoding), 7);
        assert_eq!(text.offset(Position::new(u32::MAX, 0), encoding), 7);
        assert_eq!(text.position(3, encoding), Position::new(0, 2), "inside CRLF");
        assert_eq!(text.position(usize::MAX, encoding), Position::new(2, 0));
    }
}

#[test]
fn the_middle_of_a_character_rounds_down() {
    let text = Text::new("a😀b");
    assert_eq!(text.offset(Position::new(0, 2), Encoding::Utf16), 1, "between the surrogates");
    assert_eq!(text.offset(Position::new(0, 3), Encoding::Utf16), 5);
    for column in 1..5 {
        assert_eq!(text.offset(Position::new(0, column), Encoding::Utf8), 1);
    }
    assert_eq!(text.position(3, Encoding::Utf16), Position::new(0, 1));
}

#[test]
fn edits_beyond_the_end_and_backwards_ranges_are_clamped() {
    let mut text = Text::new("ab");
    assert_eq!(text.edit(5..9, "c"), 2..2);
    #[allow(clippy::reversed_empty_ranges)]
    let reversed = text.edit(2..1, "-");
    assert_eq!(reversed, 2..2);
    assert_eq!(text.to_string(), "ab-c");
}

#[test]
fn a_clone_keeps_its_content() {
    let mut text = Text::new("one");
    let before = text.clone();
    text.edit(0..1, "O");
    assert_eq!((before.to_string().as_str(), text.to_string().as_str()), ("one", "One"));
}

fn any_text() -> impl Strategy<Value = String> {
    proptest::collection::vec(
        prop_oneof![
            "[a-z:# -]{0,6}",
            Just("\r".into()),
            Just("\n".into()),
            Just("\r\n".into()),
            "\\PC{0,3}",
            Just("😀".into())
        ],
        0..30,
    )
    .prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn lines_are_as_lsp_counts_them(content in any_text()) {
        let text = Text::new(&content);
        let expected = lines(&content);
        prop_assert_eq!(text.line_count(), expected.len());
        for (line, (start, end)) in expected.into_iter().enumerate() {
            prop_assert_eq!(text.line_range(line), start..end);
        }
    }

    #[test]
    fn offset_to_position_and_back(content in any_text()) {
        let text = Text::new(&content);
        for (line, (start, end)) in lines(&content).into_iter().enumerate() {
            for (at, _) in content[start..end].char_indices().chain([(end - start, ' ')]) {
                for encoding in ENCODINGS {
                    let position = text.position(start + at, encoding);
                    prop_assert_eq!(position, Position::new(line as u32, units(&content[start..start + at], encoding) as u32));
                    prop_assert_eq!(text.offset(position, encoding), start + at);
                }
            }
        }
    }

    /// A long text is stored in several pieces; most positions are found within one of them.
    #[test]
    fn a_piece_of_a_long_text_gives_the_same_positions(content in any_text(), times in 1usize..200) {
        let text = Text::new(&content.repeat(times));
        for offset in (0..text.len() + 2).step_by(text.len() / 40 + 1) {
            for encoding in ENCODINGS {
                if let Some(position) = text.position_in_chunk(offset, encoding) {
                    prop_assert_eq!(position, text.position_in_rope(offset, encoding), "{}", offset);
                }
            }
        }
    }

    #[test]
    fn any_position_gives_a_character_boundary(content in any_text(), line in 0u32..40, column in 0u32..60) {
        let text = Text::new(&content);
        for encoding in ENCODINGS {
            prop_assert!(content.is_char_boundary(text.offset(Position::new(line, column), encoding)));
        }
    }

    #[test]
    fn a_range_is_in_a_text_where_it_is_in_a_plain_string(content in any_text(), start in 0usize..90, length in 0usize..20) {
        let range = start..start + length;
        prop_assert_eq!(Text::new(&content).has(&range), content.get(range).is_some());
    }

    #[test]
    fn edits_agree_with_a_plain_string(content in any_text(), edits in proptest::collection::vec((0usize..80, 0usize..20, any_text()), 0..6)) {
        let mut text = Text::new(&content);
        let mut plain = content;
        for (start, length, new_text) in edits {
            let range = text.edit(start..start + length, &new_text);
            plain.replace_range(range, &new_text);
            prop_assert_eq!(text.to_string(), plain.as_str());
            prop_assert_eq!(text.len(), plain.len());
            prop_assert_eq!(text.line_count(), lines(&plain).len());
        }
    }
}
