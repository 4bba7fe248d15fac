//! The contents of files as hashes, by which findings are kept from one run to the next.

use std::fmt::Debug;

/// A hash that no two contents share.
pub type ContentHash = [u8; 32];

/// Where findings are kept.
pub trait KeepsFindings: Debug + Send + Sync {
    /// The hash of a content.
    fn hash(&self, content: &[u8]) -> ContentHash;
    /// What is kept under a name; None if there is nothing, or if it was damaged.
    fn load(&self, name: &ContentHash) -> Option<Vec<u8>>;
    /// Keeps something. If that is not possible, it only costs time.
    fn save(&self, name: &ContentHash, bytes: &[u8]);
}
