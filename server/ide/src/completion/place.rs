//! What can be typed at a place, before a schema is consulted: the path, what is already written there, which bytes an
//! accepted item replaces, and the text needed around it.

use crate::path::Step;
use lofting_syntax::{Document, Map};
use std::ops::Range;

/// What the cursor is at.
#[derive(Debug)]
pub(crate) enum Context<'t> {
    /// After the `#` of the comment with this range.
    Comment(Range<usize>),
    /// After the `*` of the alias with this range.
    Alias(Range<usize>),
    /// At a key, a value, or something that may become either.
    Place(Box<Place<'t>>),
}

/// A place for data. The schema type of the value at `path` decides which slot applies: keys for a map, items for an
/// array, the value for anything else.
#[derive(Debug)]
pub(crate) struct Place<'t> {
    /// The document; `None` in a text that has none yet.
    pub document: Option<Document<'t>>,
    /// The path to the value being written (for keys: to the map they belong to).
    pub path: Vec<Step>,
    /// A key of the map at `path` is possible here.
    pub keys: Option<KeySlot<'t>>,
    /// The value at `path` is possible here.
    pub value: Option<ValueSlot>,
    /// An item of the array at `path` is possible here.
    pub items: Option<ItemSlot>,
    /// `key:value` without the space: if the map at `path` has this key, its value is being typed.
    pub glued: Option<(String, ValueSlot)>,
}

/// White space to change along with the edit, so that the inserted text is at the right column.
pub(crate) type Fix = (Range<usize>, String);

/// A place for a key.
#[derive(Debug, Clone)]
pub(crate) struct KeySlot<'t> {
    /// The existing map, whose keys are not offered again.
    pub map: Option<Map<'t>>,
    /// The replaced range.
    pub replace: Range<usize>,
    /// The text before the key: nothing, a space after a dash, or a line break and indentation after a colon.
    pub lead: String,
    /// The column of the key.
    pub column: usize,
    /// What follows.
    pub tail: Tail,
    /// Between braces.
    pub flow: bool,
    /// Indentation to fix.
    pub fix: Option<Fix>,
    /// The dashes in the column of the key that follow, and would become its value.
    pub dashes_below: Option<Below>,
}

/// The next item below a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Below {
    /// A map.
    Map,
    /// Anything else.
    Other,
}

/// What follows a key that is being completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tail {
    /// Nothing: the key can be followed by a value and by lines with children.
    Free,
    /// Its colon: only the name is inserted.
    Colon,
    /// Deeper lines, which become its value: only the colon is added.
    Children,
    /// A comment on the line: nothing is added below it.
    Comment,
}

/// A place for a scalar, or for a collection in flow style.
#[derive(Debug, Clone)]
pub(crate) struct ValueSlot {
    /// The replaced range.
    pub replace: Range<usize>,
    /// A missing space after the colon or dash.
    pub lead: &'static str,
    /// Quotes around the place.
    pub quote: Quote,
    /// Between brackets.
    pub flow: bool,
    /// On a line below its key, where collections continue in block style.
    pub own_line: bool,
}

/// Quotes around a value that is being completed; `replace` is the range between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quote {
    /// None.
    None,
    /// An opening quote that is not closed: an accepted item closes it.
    Open(char),
    /// An opening and a closing quote.
    Closed(char),
}

/// A place for `- item`.
#[derive(Debug, Clone)]
pub(crate) struct ItemSlot {
    /// The path to the array, if it is not the value at the place's path: dashes can be in the column of the keys.
    pub path: Option<Vec<Step>>,
    /// The replaced range.
    pub replace: Range<usize>,
    /// The text before the dash.
    pub lead: String,
    /// The column of the dash.
    pub column: usize,
    /// Indentation to fix.
    pub fix: Option<Fix>,
}
