//! Determines what the options leave open, as most of the file has it.

use crate::options::{Options, Sequences};
use lofting_syntax::{Event, Kind, Tree};

/// How many steps of the indentation are distinguished.
const STEPS: usize = 8;

/// By how many spaces a map is indented if neither options nor file say so.
const USUAL_STEP: usize = 2;

/// The columns of collections that begin on lines of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    /// Columns from a key to the map below it, at least 1.
    pub(crate) step: usize,
    /// Where the items of a sequence are placed below their key.
    pub(crate) sequences: Sequences,
}

impl Style {
    pub(crate) fn new(tree: &Tree, text: &str, options: &Options) -> Style {
        if let (Some(step), Some(sequences)) = (options.indent, options.sequences) {
            return Style { step: step.max(1), sequences };
        }
        let found = UsedStyle::of(tree, text);
        let sequences = options.sequences.unwrap_or_else(|| found.sequences());
        Style { step: options.indent.unwrap_or_else(|| found.step(sequences)).max(1), sequences }
    }
}

/// How often each style was found.
#[derive(Default)]
struct UsedStyle {
    /// Maps by their distance from their key, from 1.
    maps: [usize; STEPS],
    /// Sequences deeper than their key, by their distance from it, from 1.
    deeper: [usize; STEPS],
    /// Sequences in the column of their key.
    in_column: usize,
}

impl UsedStyle {
    fn of(tree: &Tree, text: &str) -> UsedStyle {
        let mut found = UsedStyle::default();
        // Columns of the block collections that are open, `None` for all other nodes.
        let mut open: Vec<Option<usize>> = Vec::new();
        // The innermost one is that of the key or dash that a collection belongs to.
        let mut outer: Vec<(Kind, usize)> = Vec::new();
        for event in tree.walk() {
            match event {
                Event::Enter(node) => {
                    let kind = node.kind();
                    let column = matches!(kind, Kind::BlockMap | Kind::BlockSeq).then(|| {
                        let start = node.range().start;
                        let before = text.get(..start).unwrap_or_default();
                        let line = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
                        // A byte order mark takes no column.
                        let has_mark = before.get(line..).is_some_and(|line| line.starts_with('\u{feff}'));
                        let line = line + if has_mark { '\u{feff}'.len_utf8() } else { 0 };
                        let column = start - line;
                        let is_first = before.get(line..).is_some_and(|blank| blank.bytes().all(|byte| byte == b' '));
                        if let Some((Kind::BlockMap, key)) = outer.last().filter(|_| is_first) {
                            found.count(kind, *key, column);
                        }
                        column
                    });
                    outer.extend(column.map(|column| (kind, column)));
                    open.push(column);
                }
                Event::Exit => {
                    if open.pop().flatten().is_some() {
                        outer.pop();
                    }
                }
                Event::Token(_) => {}
            }
        }
        found
    }

    fn count(&mut self, kind: Kind, key: usize, column: usize) {
        let Some(step) = column.checked_sub(key) else { return };
        let counts = if kind == Kind::BlockMap { &mut self.maps } else { &mut self.deeper };
        match step.checked_sub(1) {
            None => self.in_column += usize::from(kind == Kind::BlockSeq),
            Some(index) => counts.get_mut(index).into_iter().for_each(|count| *count += 1),
        }
    }

    /// The smaller one of equally frequent steps. Sequences that will be in the column of their key say nothing about it:
    /// the formatted text would have another one.
    fn step(&self, sequences: Sequences) -> usize {
        let has_no_maps = self.maps.iter().all(|count| *count == 0);
        let counts = if has_no_maps && sequences == Sequences::Indented { &self.deeper } else { &self.maps };
        let most = counts.iter().copied().max().unwrap_or(0);
        let first = counts.iter().position(|count| *count == most && most > 0);
        first.map_or(USUAL_STEP, |index| index + 1)
    }

    fn sequences(&self) -> Sequences {
        if self.deeper.iter().sum::<usize>() > self.in_column { Sequences::Indented } else { Sequences::Column }
    }
}
