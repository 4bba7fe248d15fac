//! Semantic tokens: what the grammar of an editor cannot know about a text. Tokens replace the editor's own colours, so
//! nothing is sent that a grammar for YAML colours as well.
//!
//! They come from four sources: code in comments and strings (`starlark/semantic_tokens`), keys that declare something
//! in a schema ([`declarations`]), and from the tree keys that a schema knows, anchors, scalars that are not what they
//! look like, and texts in other languages ([`walk`]).

mod contexts;
mod declarations;
mod lines;
mod memo;
mod scalars;
#[cfg(test)]
mod tests;
mod walk;

pub use memo::TokenMemo;

use crate::starlark::code_tokens;
use crate::token_kinds::{SemanticKind, SemanticModifiers, Stretch};
use lines::Lines;
use lofting_document::FileId;
use lofting_workspace::{FileKind, Snapshot};
use std::ops::Range;
use walk::Walked;

/// A coloured token, within one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SemanticToken {
    /// The line, from 0.
    pub line: u32,
    /// Bytes between the start of the line and the token.
    pub column: u32,
    /// Its length in bytes.
    pub length: u32,
    /// Its kind.
    pub kind: SemanticKind,
    /// What else is known about it.
    pub modifiers: SemanticModifiers,
}

/// Which tokens are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenChoices {
    /// Keys, by what a schema says about them.
    pub keys: bool,
}

impl Default for TokenChoices {
    fn default() -> Self {
        TokenChoices { keys: true }
    }
}

/// The tokens of a file in order, without overlaps.
///
/// `memo` belongs to the file: parts of the text that did not change since it was used last are not read again.
pub fn semantic_tokens(
    snapshot: &Snapshot,
    file: FileId,
    choices: TokenChoices,
    memo: &mut TokenMemo,
) -> Vec<SemanticToken> {
    let whole = 0..snapshot.text(file).len();
    found(snapshot, file, &whole, choices, Some(memo))
}

/// The tokens of [`semantic_tokens`] that touch a part of the file (bytes). The cost grows with the part, and in a
/// schema with what it declares.
pub fn semantic_tokens_in(
    snapshot: &Snapshot,
    file: FileId,
    part: Range<usize>,
    choices: TokenChoices,
) -> Vec<SemanticToken> {
    found(snapshot, file, &part, choices, None)
}

fn found(
    snapshot: &Snapshot,
    file: FileId,
    part: &Range<usize>,
    choices: TokenChoices,
    memo: Option<&mut TokenMemo>,
) -> Vec<SemanticToken> {
    let touches = |stretch: &Stretch| stretch.range.end > part.start && stretch.range.start < part.end;
    let mut stretches = code_tokens(snapshot, file, part);
    let kind = snapshot.kind(file);
    let mut walked = Walked::default();
    if !matches!(kind, FileKind::Other | FileKind::Configuration) {
        if choices.keys {
            stretches.extend(declarations::declarations(snapshot, file, kind));
        }
        walked = walk::walk(snapshot, file, kind, part, choices, memo);
        stretches.append(&mut walked.stretches);
    }
    stretches.retain(touches);
    stretches.sort_by_key(|stretch| stretch.range.start);
    let mut tokens = Vec::with_capacity(stretches.len() + walked.remembered());
    if let (Some(first), Some(last)) = (stretches.first(), stretches.last()) {
        let text = snapshot.text(file);
        let mut lines = Lines::new(&text, first.range.start..last.range.end);
        stretches.iter().for_each(|stretch| lines.add(stretch, &mut tokens));
    }
    walked.add_remembered(&mut tokens);
    // The order of what begins at one place is that of the sources, and the first counts.
    tokens.sort_by_key(|token| (token.line, token.column));
    let mut end = (0, 0);
    tokens.retain(|token| {
        let is_free = end <= (token.line, token.column);
        if is_free {
            end = (token.line, token.column + token.length);
        }
        is_free
    });
    tokens
}
