//! Walking YAML files that contain pieces of shell.

use lofting_syntax::{Tree, Value, ValueKind};
use std::rc::Rc;

/// A scalar below a key, with the first line of its text (from 0).
pub(super) struct ScalarPiece {
    pub key: Rc<str>,
    pub text: String,
    pub first_line: usize,
}

/// Values visited in one file.
const MAX_VALUES: usize = 100_000;

/// All scalars below map keys, including those in arrays; the key is the nearest one above.
pub(super) fn pieces(tree: &Tree) -> Vec<ScalarPiece> {
    let text = tree.to_text();
    let lines = Lines::of(&text);
    let mut found = Vec::new();
    let mut open: Vec<(Rc<str>, Value<'_>)> =
        tree.documents().filter_map(|document| document.root()).map(|root| (Rc::from(""), root)).collect();
    open.reverse();
    let mut visited = 0;
    while let Some((key, value)) = open.pop() {
        visited += 1;
        if visited > MAX_VALUES {
            break;
        }
        if let Some(map) = value.map() {
            let entries: Vec<(Rc<str>, Value<'_>)> =
                map.entries().map(|entry| (entry_key(entry.key()).into(), entry.value())).collect();
            open.extend(entries.into_iter().rev());
        } else if let Some(seq) = value.seq() {
            let items: Vec<Value<'_>> = seq.items().map(|item| item.value()).collect();
            open.extend(items.into_iter().rev().map(|item| (Rc::clone(&key), item)));
        } else if let Some(scalar) = value.scalar() {
            let start = lines.at(scalar.range().start);
            let block = matches!(value.kind(), ValueKind::Literal | ValueKind::Folded);
            found.push(ScalarPiece { key, text: scalar.value().into_owned(), first_line: start + usize::from(block) });
        }
    }
    found
}

pub(super) fn entry_key(key: Option<Value<'_>>) -> String {
    key.and_then(|key| key.scalar()).map(|key| key.value().into_owned()).unwrap_or_default()
}

/// The numbers of lines, from 0.
pub(super) struct Lines(Vec<usize>);

impl Lines {
    pub fn of(text: &str) -> Lines {
        Lines(memchr::memchr_iter(b'\n', text.as_bytes()).collect())
    }

    /// The line of an offset.
    pub fn at(&self, offset: usize) -> usize {
        self.0.partition_point(|end| *end < offset)
    }
}
