use crate::{debug, parse};

#[test]
fn lossless() {
    let text = "a: 1\nb:\n- c\n";
    let tree = parse(text);
    assert_eq!(tree.to_text(), text);
    assert!(debug::dump(&tree).contains("BLOCK_SEQ"));
}
