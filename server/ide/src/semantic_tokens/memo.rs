//! Remembers the tokens of parts of a text by their nodes in the tree, which revisions of the text share.

use super::contexts::{ContextId, Contexts, Node};
use super::{SemanticToken, TokenChoices};
use lofting_schema::Schema;
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Green, Node as TreeNode};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The tokens of a file as they were made last. One for each file.
#[derive(Default)]
pub struct TokenMemo {
    /// What they were made with; with other inputs nothing is remembered.
    made_with: Option<(Vec<Arc<Schema>>, Profile, TokenChoices)>,
    pub(super) contexts: Contexts,
    chunks: FxHashMap<ChunkKey, Chunk>,
    /// The chunks that are part of the text now.
    kept: FxHashMap<ChunkKey, Chunk>,
}

/// What the tokens of a part of the tree depend on.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct ChunkKey {
    /// The address of the node, which the chunk holds.
    green: usize,
    pub context: ContextId,
    /// Bytes between the start of the line and the node.
    pub column: usize,
    /// Steps from the root of the document.
    pub depth: usize,
    /// The parts inside that schemas govern: where they begin, how deep, and the node.
    pub parts: Vec<(usize, usize, Node)>,
}

struct Chunk {
    _green: Arc<Green>,
    tokens: Arc<[SemanticToken]>,
}

/// Smaller parts are not worth remembering, larger ones change too often.
const SIZES: std::ops::RangeInclusive<usize> = 512..=16 * 1024;

/// Whether the tokens of a node may be remembered.
pub(super) fn is_chunk(node: &TreeNode<'_>) -> bool {
    node.green().is_some() && SIZES.contains(&node.range().len())
}

impl TokenMemo {
    /// Begins a walk.
    pub(super) fn begin(&mut self, schemas: &[Arc<Schema>], profile: Profile, choices: TokenChoices) {
        let is_same = self.made_with.as_ref().is_some_and(|(known, of, chosen)| {
            let same = known.iter().zip(schemas).all(|(one, other)| Arc::ptr_eq(one, other));
            same && known.len() == schemas.len() && *of == profile && *chosen == choices
        });
        if !is_same || self.contexts.is_full() {
            *self = TokenMemo { made_with: Some((schemas.to_vec(), profile, choices)), ..TokenMemo::default() };
        }
    }

    /// The key of a node; None if it cannot be remembered.
    pub(super) fn key(node: &TreeNode<'_>, context: ContextId) -> Option<ChunkKey> {
        let green = Arc::as_ptr(node.green()?) as usize;
        Some(ChunkKey { green, context, column: 0, depth: 0, parts: Vec::new() })
    }

    /// The tokens of a part, whose lines count from its first, or what `make` finds.
    pub(super) fn get(
        &mut self,
        key: ChunkKey,
        node: &TreeNode<'_>,
        make: impl FnOnce(&mut Contexts) -> Vec<SemanticToken>,
    ) -> Arc<[SemanticToken]> {
        let known = self.chunks.remove(&key).or_else(|| self.kept.remove(&key));
        let chunk = known.or_else(|| {
            let green = node.green()?.clone();
            Some(Chunk { _green: green, tokens: make(&mut self.contexts).into() })
        });
        let Some(chunk) = chunk else { return Arc::from([]) };
        let tokens = chunk.tokens.clone();
        self.kept.insert(key, chunk);
        tokens
    }

    /// Ends a walk: what it did not meet is forgotten.
    pub(super) fn end(&mut self) {
        self.chunks = std::mem::take(&mut self.kept);
    }
}
