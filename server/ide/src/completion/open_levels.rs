//! The block collections that are still open at the start of a line, innermost last, each with the entry or item that a
//! deeper line would belong to. Follows one path of the tree, whatever the size of the file.

use crate::path::{self, Step};
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Document, Entry, Item, Kind, Map, Seq, Token, Tree, Value};

/// An open block collection.
#[derive(Debug, Clone)]
pub(crate) struct Level<'t> {
    /// Column of its keys or dashes.
    pub column: usize,
    /// The column of its last child, which differs if that line is indented wrongly.
    pub last_column: usize,
    /// The map; `None` for a sequence.
    pub map: Option<Map<'t>>,
    /// The step from it to the value of its last child.
    pub step: Step,
    /// The value of its last child.
    pub value: Value<'t>,
}

impl Level<'_> {
    /// Whether its keys or dashes are aligned with this column.
    pub fn is_at(&self, column: usize) -> bool {
        self.column == column || self.last_column == column
    }

    /// Whether it is a sequence.
    pub fn is_seq(&self) -> bool {
        self.map.is_none()
    }
}

/// The collections that are open after `token`, and its document.
pub(crate) fn open_levels<'t>(
    tree: &'t Tree,
    profile: Profile,
    token: Token<'t>,
    column_of: &dyn Fn(usize) -> usize,
) -> (Vec<Level<'t>>, Option<Document<'t>>) {
    let mut levels: Vec<Level<'t>> = Vec::new();
    let mut document = None;
    let start = token.range().start;
    let path = tree.path_at(start);
    for (index, node) in path.iter().copied().enumerate() {
        let child = path.get(index + 1).copied().filter(|child| child.range().start <= start);
        let in_error = path.get(index + 1).is_some_and(|child| child.kind() == Kind::Error);
        match node.kind() {
            // Keys in the column of a sequence, or dashes in that of a map: the map is meant.
            Kind::BlockSeq if in_error => {}
            Kind::Error if levels.last().is_some_and(|level| !level.is_seq()) => break,
            Kind::Document => document = Document::cast(node),
            Kind::BlockMap => {
                let Some(map) = Map::cast(node) else { continue };
                // The token can be in the collection without being part of a child (an error).
                let entry = child
                    .and_then(Entry::cast)
                    .or_else(|| map.entries().take_while(|entry| entry.node().range().start <= start).last());
                levels.extend(entry.map(|entry| map_level(profile, map, entry, column_of)));
            }
            Kind::BlockSeq => {
                let Some(seq) = Seq::cast(node) else { continue };
                let item = child
                    .and_then(Item::cast)
                    .or_else(|| seq.items().take_while(|item| item.node().range().start <= start).last());
                levels.extend(item.map(|item| seq_level(seq, item, column_of)));
            }
            // There are no columns between brackets.
            Kind::FlowMap | Kind::FlowSeq => break,
            _ => {}
        }
    }
    (levels, document)
}

fn map_level<'t>(profile: Profile, map: Map<'t>, entry: Entry<'t>, column_of: &dyn Fn(usize) -> usize) -> Level<'t> {
    let last_column = column_of(entry.node().range().start);
    Level {
        column: map.column().unwrap_or(last_column),
        last_column,
        map: Some(map),
        step: path::step_into(profile, entry),
        value: entry.value(),
    }
}

fn seq_level<'t>(seq: Seq<'t>, item: Item<'t>, column_of: &dyn Fn(usize) -> usize) -> Level<'t> {
    let last_column = column_of(item.node().range().start);
    Level { column: seq.column().unwrap_or(last_column), last_column, map: None, step: Step::Item, value: item.value() }
}
