//! Remembers in which parts of a tree the texts have no findings, so that after a keystroke only what it touched is
//! looked at again.

use lofting_schema::Schema;
use lofting_syntax::Green;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Shorter parts are not remembered, because looking at them again is cheaper.
const LEAST: usize = 128;

/// When more parts than this are remembered, those that no tree uses any more are dropped.
const SWEEP: usize = 16_384;

/// Parts of a file's tree in whose texts nothing was found, from one state of the file to the next.
#[derive(Debug, Default)]
pub struct QuietTexts {
    /// What texts were read with, by the addresses of its schemas and a number for everything else.
    given: FxHashMap<(Box<[usize]>, usize), Given>,
    /// The number of the last one of these.
    last: usize,
    /// Nodes are held, so that an address never refers to another one.
    nodes: FxHashMap<(usize, usize), Arc<Green>>,
    sweep_at: usize,
}

#[derive(Debug)]
struct Given {
    number: usize,
    /// Kept alive, so that an address never refers to another schema.
    _schemas: Vec<Option<Arc<Schema>>>,
    is_in_use: bool,
}

impl QuietTexts {
    /// The number of what texts are read with: parts that were quiet with other schemas need not be with these. Everything
    /// else that decides is in the number `others`.
    pub fn given(&mut self, schemas: Vec<Option<Arc<Schema>>>, others: usize) -> usize {
        let address = |schema: &Option<Arc<Schema>>| schema.as_ref().map_or(0, |schema| Arc::as_ptr(schema).addr());
        let key = (schemas.iter().map(address).collect(), others);
        let last = &mut self.last;
        let given = self.given.entry(key).or_insert_with(|| {
            *last += 1;
            Given { number: *last, _schemas: schemas, is_in_use: true }
        });
        given.is_in_use = true;
        given.number
    }

    /// Whether a part is known to be quiet with what has this number.
    pub fn contains(&self, part: &Arc<Green>, given: usize) -> bool {
        self.nodes.contains_key(&(address(part), given))
    }

    /// Remembers that a part is quiet, if that is worth it.
    pub fn insert(&mut self, part: &Arc<Green>, given: usize) {
        if part.len() >= LEAST {
            self.nodes.insert((address(part), given), part.clone());
        }
    }

    /// All texts of the file were looked at: what they were not read with is forgotten.
    pub fn finish(&mut self) {
        let before = self.given.len();
        self.given.retain(|_, given| std::mem::take(&mut given.is_in_use));
        if self.given.len() < before {
            let left: Vec<usize> = self.given.values().map(|given| given.number).collect();
            self.nodes.retain(|(_, given), _| left.contains(given));
        }
        if self.nodes.len() > self.sweep_at.max(SWEEP) {
            self.nodes.retain(|_, node| Arc::strong_count(node) > 1);
            self.sweep_at = 2 * self.nodes.len();
        }
    }
}

/// The identity of a node.
fn address(green: &Arc<Green>) -> usize {
    Arc::as_ptr(green).addr()
}
