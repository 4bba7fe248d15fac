//! Walking YAML files that contain pieces of shell.

use lofting_syntax::{Tree, Value, ValueKind};

/// A scalar below a key, with the first line of its text (from 0).
pub(super) struct ScalarPiece {
    pub key: String,
    pub text: String,
    pub first_line: usize,
}

/// Values visited in one file.
const MAX_VALUES: usize = 100_000;

/// All scalars below map keys, also those in arrays; the key is the nearest one above.
pub(super) fn pieces(tree: &Tree) -> Vec<ScalarPiece> {
    let text = tree.to_text();
    let mut lines = LineCounter { text: &text, at: 0, line: 0 };
    let mut found = Vec::new();
    let mut open: Vec<(String, Value<'_>)> =
        tree.documents().filter_map(|document| document.root()).map(|root| (String::new(), root)).collect();
    open.reverse();
    let mut visited = 0;
    while let Some((key, value)) = open.pop() {
        visited += 1;
        if visited > MAX_VALUES {
            break;
        }
        if let Some(map) = value.map() {
            let entries: Vec<(String, Value<'_>)> =
                map.entries().map(|entry| (entry_key(entry.key()), entry.value())).collect();
            open.extend(entries.into_iter().rev());
        } else if let Some(seq) = value.seq() {
            let items: Vec<Value<'_>> = seq.items().map(|item| item.value()).collect();
            open.extend(items.into_iter().rev().map(|item| (key.clone(), item)));
        } else if let Some(scalar) = value.scalar() {
            let start = lines.line_of(scalar.range().start);
            let block = matches!(value.kind(), ValueKind::Literal | ValueKind::Folded);
            found.push(ScalarPiece { key, text: scalar.value().into_owned(), first_line: start + usize::from(block) });
        }
    }
    found
}

pub(super) fn entry_key(key: Option<Value<'_>>) -> String {
    key.and_then(|key| key.scalar()).map(|key| key.value().into_owned()).unwrap_or_default()
}

/// Line numbers of offsets that mostly increase.
struct LineCounter<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl LineCounter<'_> {
    fn line_of(&mut self, offset: usize) -> usize {
        if offset < self.at {
            self.at = 0;
            self.line = 0;
        }
        let between = self.text.get(self.at..offset).unwrap_or_default();
        self.line += between.bytes().filter(|byte| *byte == b'\n').count();
        self.at = offset;
        self.line
    }
}
