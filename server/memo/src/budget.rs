//! How much all memos of a workspace hold, and letting go of the oldest.

use crate::Stamp;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts the bytes that the answers of several memos take, about. Clones are the same budget.
#[derive(Debug, Clone, Default)]
pub struct Budget(Arc<AtomicUsize>);

impl Budget {
    /// Bytes held now.
    pub fn held(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn charge(&self, weight: usize) -> Charge {
        self.0.fetch_add(weight, Ordering::Relaxed);
        Charge { weight, budget: self.clone() }
    }
}

/// What one answer takes; given back when a memo lets go of it.
#[derive(Debug)]
pub(crate) struct Charge {
    weight: usize,
    budget: Budget,
}

impl Charge {
    pub fn weight(&self) -> usize {
        self.weight
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.budget.0.fetch_sub(self.weight, Ordering::Relaxed);
    }
}

/// A memo whose answers can be let go of.
pub trait Forgetful {
    /// For each answer the newest state that asked for it, with the bytes that letting go of it frees.
    fn ages(&self) -> Vec<(Stamp, usize)>;

    /// Lets go of the answers that were last asked for by states before this one.
    fn forget_before(&self, oldest: Stamp);
}

/// Lets go of the answers that were asked for longest ago until no more than `most` bytes are held. Those that the newest
/// of all states asked for stay in any case. Costs nothing while the budget holds.
pub fn sweep(memos: &[&dyn Forgetful], budget: &Budget, most: usize) {
    if budget.held() <= most {
        return;
    }
    let mut ages: Vec<(Stamp, usize)> = memos.iter().flat_map(|memo| memo.ages()).collect();
    ages.sort_unstable_by_key(|(used, _)| std::cmp::Reverse(*used));
    let mut kept = 0;
    let mut oldest = ages.first().map_or_else(Stamp::default, |(newest, _)| *newest);
    for (used, weight) in ages {
        kept += weight;
        if kept > most {
            // Answers of one age go together.
            break;
        }
        oldest = used;
    }
    memos.iter().for_each(|memo| memo.forget_before(oldest));
}
