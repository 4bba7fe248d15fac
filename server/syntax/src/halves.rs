//! Long texts in two halves, each of which has a thread of its own when they are read for the first time.

use crate::{Element, Node, Tree};
use std::sync::LazyLock;
use std::thread::available_parallelism;

/// Texts of this length or more, in bytes, are long. For others, a second thread costs more than it saves.
pub const LONG: usize = 512 * 1024;

/// Whether two threads read a text of this length, in bytes, sooner than one.
pub(crate) fn is_for_two(length: usize) -> bool {
    // To ask the system costs as much as reading several files.
    static HAS_TWO: LazyLock<bool> = LazyLock::new(|| available_parallelism().is_ok_and(|threads| threads.get() > 1));
    length >= LONG && *HAS_TWO
}

/// What is directly below the root of a long text, documents or groups of them, in two halves of about the same length. None
/// for another text, or where one document has nearly all of it.
pub fn halves(tree: &Tree) -> Option<[Vec<Node<'_>>; 2]> {
    let length = tree.len();
    if !is_for_two(length) {
        return None;
    }
    let mut first: Vec<Node<'_>> = tree.root().parts().filter_map(Element::node).collect();
    let is_before = |part: &Node<'_>| part.range().start + part.range().end <= length;
    let second = first.split_off(first.partition_point(is_before));
    (!first.is_empty() && !second.is_empty()).then_some([first, second])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn halves_are_all_of_a_long_stream() {
        for documents in [2, 33, 40, 3_000] {
            let document = format!("---\na: {}\n", "x".repeat(LONG / documents));
            let tree = parse(&document.repeat(documents));
            let halves = halves(&tree).expect("a long stream");
            let count = |half: &Vec<Node<'_>>| half.iter().map(Node::count).sum::<usize>();
            assert_eq!(halves.iter().map(count).sum::<usize>(), documents);
            assert!(count(&halves[0]).abs_diff(count(&halves[1])) <= documents / 3, "{documents}");
            assert_eq!(halves[0].last().map(|part| part.range().end), halves[1].first().map(|part| part.range().start));
        }
    }

    #[test]
    fn one_document_has_no_halves() {
        assert!(halves(&parse(&format!("a: {}\n", "x".repeat(LONG)))).is_none());
        assert!(halves(&parse("a: 1\n---\nb: 2\n")).is_none());
    }
}
