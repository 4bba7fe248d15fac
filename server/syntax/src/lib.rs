//! Parses YAML into a lossless tree: every byte of any text is in exactly one token, errors stay local, and an edit
//! rereads only what it can have changed. Knows nothing of ytt, schemas or editors.
#![forbid(unsafe_code)]

mod ast;
mod changed;
mod comments;
pub mod debug;
mod error;
pub mod events;
mod faults;
mod foreign;
mod green;
mod halves;
mod kind;
mod loose;
mod names;
mod parse;
mod percent;
pub mod resolve;
mod scalar;
mod source;
mod tree;
mod walk;

#[cfg(test)]
mod tests;

pub use ast::{Document, Entry, EntryParts, Item, Map, Seq, Value, ValueKind};
pub use changed::ChangedToken;
pub use comments::CommentReader;
pub use error::{ErrorCode, SyntaxError};
pub use faults::named_handle;
pub use foreign::{foreign_space, is_foreign_space};
pub use green::Green;
pub use halves::{LONG, halves};
pub use kind::Kind;
pub use loose::LooseValue;
pub use names::{Gathers, KeepsAnswers, NodeNames, OfNodes, Uses, gather};
pub use parse::{MAX_NESTING, parse, parse_in_two};
pub use percent::percent_decoded;
pub use scalar::{Origins, Scalar};
pub use tree::{Children, Element, Node, Token, Tree};
pub use walk::Event;
