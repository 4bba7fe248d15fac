//! How much memory all memos of a workspace use together, and the eviction of the oldest answers.

use crate::Stamp;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts roughly how many bytes the answers of several memos take. Clones share one count.
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

/// The bytes that one answer is charged with; given back when the memo drops the answer.
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

/// A memo that can evict answers.
pub trait Forgetful {
    /// For each answer: the newest state that asked for it, and the bytes that evicting it would free.
    fn ages(&self) -> Vec<(Stamp, usize)>;

    /// Evicts the answers that were last requested by states older than this one.
    fn forget_before(&self, oldest: Stamp);
}

/// Evicts the answers that were last used longest ago until no more than `most` bytes are held. Answers used by the
/// newest state are always kept. Costs nothing while the budget is kept.
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
            // Answers of one age are evicted together.
            break;
        }
        oldest = used;
    }
    memos.iter().for_each(|memo| memo.forget_before(oldest));
}
