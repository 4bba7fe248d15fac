//! Which tokens of comments are comments.

use crate::Kind;

/// Reads tokens in order, and tells comments from what follows the header of a block scalar (`| # why`), which belongs to
/// the scalar: no YAML library reports it.
#[derive(Debug, Default)]
pub struct CommentReader {
    follows_header: bool,
}

impl CommentReader {
    /// Whether the next token is a comment.
    pub fn is_comment(&mut self, token: Kind) -> bool {
        let is_comment = token == Kind::Comment && !self.follows_header;
        self.follows_header = token == Kind::BlockHeader || self.follows_header && token == Kind::Whitespace;
        is_comment
    }
}
