//! Any text parses, keeps every byte, and its errors lie inside it.

use lofting_syntax::{events::events, parse};

use crate::measured::Target;

pub const TARGET: Target = Target::Text(run);

fn run(text: &str) {
    let tree = parse(text);
    assert_eq!(tree.to_text(), text);
    for error in tree.errors() {
        assert!(error.range.end <= text.len());
        assert!(text.is_char_boundary(error.range.start) && text.is_char_boundary(error.range.end));
    }
    events(&tree);
    tree.comments().for_each(drop);
}
