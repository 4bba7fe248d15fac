//! The parser.

use crate::green::{Green, GreenChild};
use crate::kind::Kind;
use crate::source::Source;
use crate::tree::Tree;
use std::ops::Range;
use std::sync::Arc;

/// Reads any text. Never fails: what is wrong is listed by [`Tree::errors`].
pub fn parse(text: &str) -> Tree {
    let green = Green {
        kind: Kind::Stream,
        flags: 0,
        level: 0,
        height: 1,
        len: text.len() as u32,
        lookahead: 0,
        column: 0,
        errors: None,
        children: vec![GreenChild::Token {
            kind: Kind::ErrorText,
            len: text.len() as u32,
        }]
        .into_boxed_slice(),
    };
    Tree {
        source: Arc::new(Source::new(text)),
        green: Arc::new(green),
    }
}

pub(crate) fn edit(tree: &Tree, range: Range<usize>, new_text: &str) -> Tree {
    let source = tree.source.edit(range, new_text);
    parse(&source.slice(0..source.len()))
}
