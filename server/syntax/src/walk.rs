//! A tree from its first byte to its last, without recursion: documents can be nested deeper than threads have stack.

use crate::tree::{Children, Element, Node, Token, Tree};

/// What is met on the way.
#[derive(Clone, Copy, Debug)]
pub enum Event<'t> {
    /// A node begins.
    Enter(Node<'t>),
    /// A token.
    Token(Token<'t>),
    /// The innermost open node ends.
    Exit,
}

impl Tree {
    /// All nodes and tokens in the order of the text; the stream itself is left out.
    pub fn walk(&self) -> impl Iterator<Item = Event<'_>> {
        self.root().walk()
    }
}

impl<'t> Node<'t> {
    /// All nodes and tokens below this one, in the order of the text.
    pub fn walk(&self) -> impl Iterator<Item = Event<'t>> + use<'t> {
        let mut open: Vec<Children<'t>> = vec![self.children()];
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
}
