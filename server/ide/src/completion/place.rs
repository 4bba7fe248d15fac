//! What can be typed at a place, before any schema is asked: the path, what is written there already,
//! which bytes an accepted item replaces and what has to stand around it.

use crate::path::Step;
use lofting_syntax::{Document, Map};
use std::ops::Range;

/// What the cursor is at.
#[derive(Debug)]
pub(crate) enum Context<'t> {
    /// Behind the `#` of a comment, whose range this is.
    Comment(Range<usize>),
    /// Behind the `*` of an alias; the range is the whole alias.
    Alias(Range<usize>),
    /// At a key, a value, or what may become either.
    Place(Box<Place<'t>>),
}

/// A place for data. Which of the slots applies depends on the type that the schema gives the value
/// at `path`: keys are for a map, items for an array, the value for the rest.
#[derive(Debug)]
pub(crate) struct Place<'t> {
    /// The document; `None` in a text that has none yet.
    pub document: Option<Document<'t>>,
    /// The way to the value being written (for keys: to the map they belong to).
    pub path: Vec<Step>,
    /// A key of the map at `path` can stand here.
    pub keys: Option<KeySlot<'t>>,
    /// The value at `path` can stand here.
    pub value: Option<ValueSlot>,
    /// An item of the array at `path` can stand here.
    pub items: Option<ItemSlot>,
    /// `key:value` without the space: if the map at `path` has this key, its value is being typed.
    pub glued: Option<(String, ValueSlot)>,
}

/// Whitespace that has to change along with the edit, so that what is inserted stands where it
/// belongs.
pub(crate) type Fix = (Range<usize>, String);

/// Room for a key.
#[derive(Debug, Clone)]
pub(crate) struct KeySlot<'t> {
    /// The map that exists already; its other keys are not offered again.
    pub map: Option<Map<'t>>,
    /// What is replaced.
    pub replace: Range<usize>,
    /// What has to stand before the key: nothing, a space behind a dash, a line break and indentation
    /// behind a colon.
    pub lead: String,
    /// The column the key gets.
    pub column: usize,
    /// What follows.
    pub tail: Tail,
    /// Between braces.
    pub flow: bool,
    /// Indentation to mend.
    pub fix: Option<Fix>,
    /// Dashes in the column of the key follow, which would become its value.
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

/// What stands behind a key that is being completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tail {
    /// Nothing: the key can be followed by a value and by lines of children.
    Free,
    /// Its colon: only the name is inserted.
    Colon,
    /// Deeper lines below, which become its value: only the colon is added.
    Children,
    /// A comment on the line: nothing is added below it.
    Comment,
}

/// Room for a scalar, or for a collection in flow style.
#[derive(Debug, Clone)]
pub(crate) struct ValueSlot {
    /// What is replaced.
    pub replace: Range<usize>,
    /// A space that is missing behind the colon or dash.
    pub lead: &'static str,
    /// Quotes around the place.
    pub quote: Quote,
    /// Between brackets.
    pub flow: bool,
    /// On a line below its key: collections go on there in block style.
    pub own_line: bool,
}

/// Quotes around a value that is being completed; `replace` is what stands between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quote {
    /// None.
    None,
    /// An opening one that is not closed: an accepted item closes it.
    Open(char),
    /// Both.
    Closed(char),
}

/// Room for `- item`.
#[derive(Debug, Clone)]
pub(crate) struct ItemSlot {
    /// The way to the array, where it is not the value at the place's path: dashes can stand in the column of the keys.
    pub path: Option<Vec<Step>>,
    /// What is replaced.
    pub replace: Range<usize>,
    /// What has to stand before the dash.
    pub lead: String,
    /// The column the dash gets.
    pub column: usize,
    /// Indentation to mend.
    pub fix: Option<Fix>,
}
