//! What a worker keeps of long values: the client knows it, and says what to forget.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use crate::wire::ToWorker;
use lofting_eval::{Call, Data, Portion};

/// The portions that the worker of a seat keeps.
#[derive(Debug, Default)]
pub(crate) struct Portions {
    /// The worker; another one keeps nothing yet.
    generation: u64,
    kept: HashMap<u64, KeptPortion>,
    weight: usize,
    /// Counts the batches.
    batch: u64,
    /// Those of which it is not known whether the worker keeps them.
    lost: Vec<u64>,
}

#[derive(Debug)]
struct KeptPortion {
    weight: usize,
    /// The last batch that needed it.
    used: u64,
}

/// Whether the portions in the arguments of a batch take more than `most` values.
pub(crate) fn is_too_long(shared: &[Data], calls: &[Call], most: usize) -> bool {
    let all = portions(shared, calls);
    all.iter().fold(0usize, |sum, portion| sum.saturating_add(portion.whole())) > most
}

/// The portions in the arguments of a batch, each of them once.
fn portions<'d>(shared: &'d [Data], calls: &'d [Call]) -> Vec<&'d Arc<Portion>> {
    let mut found = Vec::new();
    shared.iter().for_each(|data| data.portions(&mut found));
    calls.iter().flat_map(|call| &call.arguments).for_each(|data| data.portions(&mut found));
    found.sort_unstable_by_key(|portion| portion.number());
    found.dedup_by_key(|portion| portion.number());
    found
}

impl Portions {
    /// What the worker of this generation, which may keep `most` values, has to learn before a batch; None for
    /// nothing. From then on it is taken to know it.
    pub(crate) fn before(
        &mut self,
        generation: u64,
        shared: &[Data],
        calls: &[Call],
        most: usize,
    ) -> Option<ToWorker<'static>> {
        if self.generation != generation {
            *self = Portions { generation, ..Self::default() };
        }
        self.batch += 1;
        let mut new = Vec::new();
        portions(shared, calls).into_iter().for_each(|portion| self.need(portion, &mut new));
        let mut forgotten = std::mem::take(&mut self.lost);
        if self.weight > most {
            forgotten.append(&mut self.forget(most / 2));
        }
        let portions: Vec<_> = new.into_iter().map(|portion| Cow::Owned(Portion::clone(portion))).collect();
        (!portions.is_empty() || !forgotten.is_empty()).then_some(ToWorker::Keep { forgotten, portions })
    }

    /// Adds a portion to `new`, after those in it, unless it is kept. One that is kept needs nothing else.
    fn need<'p>(&mut self, portion: &'p Arc<Portion>, new: &mut Vec<&'p Arc<Portion>>) {
        if let Some(kept) = self.kept.get_mut(&portion.number()) {
            kept.used = self.batch;
            return;
        }
        // Portions nest as deeply as values and their groups do.
        portion.inner().iter().for_each(|inner| self.need(inner, new));
        self.weight += portion.weight();
        self.kept.insert(portion.number(), KeptPortion { weight: portion.weight(), used: self.batch });
        new.push(portion);
    }

    /// Forgets what was not needed for the longest time, until no more than `rest` values are left, but nothing that
    /// the current batch needs.
    fn forget(&mut self, rest: usize) -> Vec<u64> {
        let mut old: Vec<(u64, u64)> = self.kept.iter().map(|(number, kept)| (kept.used, *number)).collect();
        old.retain(|(used, _)| *used != self.batch);
        old.sort_unstable();
        let mut forgotten = Vec::new();
        for (_, number) in old {
            if self.weight <= rest {
                break;
            }
            self.weight -= self.kept.remove(&number).map_or(0, |kept| kept.weight);
            forgotten.push(number);
        }
        forgotten
    }

    /// Everything is sent again when it is needed.
    pub(crate) fn lose(&mut self) {
        self.lost.extend(self.kept.drain().map(|(number, _)| number));
        self.weight = 0;
    }
}
