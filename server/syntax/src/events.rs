//! Events in the notation of the public YAML test suite.

use crate::tree::Tree;

/// Events of the tree, one per line of the suite's `test.event`.
pub fn events(_tree: &Tree) -> Vec<String> {
    Vec::new()
}
