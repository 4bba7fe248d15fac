//! One entry of a map, read at the cost of its own text.

use super::{Context, Lower, Options};
use crate::ownership::{OwnerKind, owners_in};
use crate::{FileId, MapItem};
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Entry, Node};

/// An entry of a block in a template, with its annotations and all that is in it. None if it is half-typed or its key
/// cannot be read.
pub fn lower_entry(file: FileId, entry: Node<'_>, profile: Profile, options: Options) -> Option<MapItem> {
    let parts = Entry::cast(entry)?.parts();
    if parts.is_incomplete {
        return None;
    }
    let mut lower = Lower::with_owners(file, entry.tree(), profile, options, owners_in(entry));
    lower.is_template = true;
    let start = entry.range().start;
    let context = Context { depth: 0, templated: false, conditional: false, copy: false, keys: 0, unused: false };
    let notes = lower.item_notes(OwnerKind::MapItem, start, context);
    let (key, key_span) = lower.key(parts.key, start, context, &notes);
    let value = lower.item_value(parts.value, &notes, context.deeper());
    let span = lower.span(start..value.span.range().end.max(key_span.range().end));
    Some(MapItem { key: key?, key_span, span, value, notes, merged: false, conditional: false })
}
