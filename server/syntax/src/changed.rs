//! What an edit changed, where that is a single token.

use crate::green::{Child, GreenChildren, GreenNode, flag};
use crate::kind::Kind;
use crate::tree::Tree;
use std::ops::Range;
use std::sync::Arc;

/// The only token that differs between two revisions of a text. Everything around it is the same, only moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedToken {
    /// Its kind, which is the same in both.
    pub kind: Kind,
    /// Its bytes in the earlier text.
    pub old: Range<usize>,
    /// Its bytes in the later text.
    pub new: Range<usize>,
}

/// The token that an edit of `range` changed, if it changed nothing else.
pub(crate) fn only_token(old: &Tree, new: &Tree, range: Range<usize>) -> Option<ChangedToken> {
    if old.loose != new.loose {
        return None;
    }
    let (mut before, mut after) = (GreenNode::Shared(&old.green), GreenNode::Shared(&new.green));
    let mut at = 0;
    // With other properties, there is an error more or less.
    while properties(before) == properties(after) {
        let (mut ones, mut others) = (before.children(), after.children());
        let (one, other) = loop {
            let (one, other) = (ones.next()?, others.next()?);
            if at + one.len() > range.start || !is_same(one, other) {
                break (one, other);
            }
            at += one.len();
        };
        if at > range.start || at + one.len() < range.end || !are_same(ones, others) {
            return None;
        }
        match (one, other) {
            (Child::Token { kind, len }, Child::Token { kind: other, len: new_len }) if kind == other => {
                return Some(ChangedToken { kind, old: at..at + len as usize, new: at..at + new_len as usize });
            }
            (Child::Node(one), Child::Node(other)) => (before, after) = (one, other),
            _ => return None,
        }
    }
    None
}

fn properties(node: GreenNode<'_>) -> (Kind, u8) {
    (node.kind(), node.flags() & flag::INHERITED)
}

fn are_same(mut ones: GreenChildren<'_>, mut others: GreenChildren<'_>) -> bool {
    loop {
        match (ones.next(), others.next()) {
            (None, None) => return true,
            (Some(one), Some(other)) if is_same(one, other) => {}
            _ => return false,
        }
    }
}

/// Whether two children of equal texts are read in the same way. Most nodes are shared by both revisions, and those that
/// are not are near the edit.
fn is_same(one: Child<'_>, other: Child<'_>) -> bool {
    let mut open = vec![(one, other)];
    while let Some(pair) = open.pop() {
        match pair {
            (Child::Token { kind, len }, Child::Token { kind: other, len: other_len }) => {
                if kind != other || len != other_len {
                    return false;
                }
            }
            (Child::Node(one), Child::Node(other)) => {
                if let (GreenNode::Shared(one), GreenNode::Shared(other)) = (one, other)
                    && Arc::ptr_eq(one, other)
                {
                    continue;
                }
                // How far its reader looked ahead does not matter.
                if properties(one) != properties(other) || one.len() != other.len() {
                    return false;
                }
                let (mut ones, mut others) = (one.children(), other.children());
                loop {
                    match (ones.next(), others.next()) {
                        (None, None) => break,
                        (Some(one), Some(other)) => open.push((one, other)),
                        _ => return false,
                    }
                }
            }
            _ => return false,
        }
    }
    true
}
