//! Entries and values that are merged as they are written.

use lofting_document::{Map, MapItem, Node, NodeValue, Notes};

/// The entries of a map that are merged as they are: without annotations, conditions, or a merge key that brings them.
pub(super) fn entries(items: &Map) -> impl Iterator<Item = &MapItem> {
    items.iter().filter(|item| item.notes == Notes::default() && !item.merged && !item.conditional)
}

/// Whether a value is a complete scalar.
pub(super) fn is_scalar(value: &Node) -> bool {
    use NodeValue::{Bool, Float, Int, Null, String};
    !value.missing && !value.partial && matches!(value.value, Null | Bool(_) | Int(_) | Float(_) | String(_))
}
