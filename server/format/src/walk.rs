//! A tree from its first byte to its last.

use lofting_syntax::{Children, Element, Node, Token, Tree};

/// What is met on the way.
pub(crate) enum Event<'t> {
    /// A node begins.
    Enter(Node<'t>),
    /// A token.
    Token(Token<'t>),
    /// The innermost open node ends.
    Exit,
}

/// The tree in the order of the text; the stream itself is left out.
pub(crate) fn walk(tree: &Tree) -> impl Iterator<Item = Event<'_>> {
    let mut open: Vec<Children<'_>> = vec![tree.root().children()];
    std::iter::from_fn(move || {
        let children = open.last_mut()?;
        Some(match children.next() {
            Some(Element::Token(token)) => Event::Token(token),
            Some(Element::Node(node)) => {
                open.push(node.children());
                Event::Enter(node)
            }
            None => {
                open.pop();
                if open.is_empty() {
                    return None;
                }
                Event::Exit
            }
        })
    })
}
