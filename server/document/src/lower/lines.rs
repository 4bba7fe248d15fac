//! Numbers of lines, which ytt prints in place of keys that are arrays.

use crate::Span;
use lofting_syntax::Tree;
use std::cell::OnceCell;

/// Where the lines of a text begin. Found once, because a text may have as many such keys as lines.
#[derive(Default)]
pub(super) struct Lines(OnceCell<Found>);

struct Found {
    /// The offset of each line break, in order.
    breaks: Vec<usize>,
    has_marker: bool,
}

/// How far into the text (bytes) its first marker is searched for.
const MARKER_WITHIN: usize = 4096;

impl Lines {
    /// The number of a line as ytt's library counts: from 0, with the marker that ytt puts above a text without one.
    pub(super) fn counted_by_go(&self, tree: &Tree, span: Span) -> usize {
        let Found { breaks, has_marker } = self.0.get_or_init(|| {
            let text = tree.text(0..tree.len());
            let breaks = text.match_indices('\n').map(|(at, _)| at).collect();
            let top = tree.text(0..tree.len().min(MARKER_WITHIN));
            Found { breaks, has_marker: top.trim_start().starts_with("---") }
        });
        breaks.partition_point(|at| *at < span.range().start) + usize::from(!has_marker)
    }
}
