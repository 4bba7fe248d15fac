//! Edits give the tree a full parse would give. The input is the text, up to a NUL, and then edits:
//! place, length, new text.

use lofting_syntax::{debug::dump, parse};

use crate::measured::Target;

pub const TARGET: Target = Target::Bytes(run);

fn run(data: &[u8]) {
    let mut parts = data.split(|&byte| byte == 0);
    let Some(Ok(text)) = parts.next().map(std::str::from_utf8) else { return };
    let mut text = text.to_owned();
    let mut tree = parse(&text);
    for part in parts.take(8) {
        let [high, low, len, new @ ..] = part else { return };
        let Ok(new) = std::str::from_utf8(new) else { return };
        let floor = |mut at: usize| {
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = floor((usize::from(*high) * 256 + usize::from(*low)) % (text.len() + 1));
        let end = floor((start + usize::from(*len)).min(text.len())).max(start);
        tree = tree.edit(start..end, new);
        text.replace_range(start..end, new);
        assert_eq!(tree.to_text(), text);
        assert_eq!(dump(&tree), dump(&parse(&text)));
    }
}
