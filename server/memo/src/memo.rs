//! The memo: answers to one question, by key.

use crate::answer::{Answer, Cancelled};
use crate::steps::{current_flag, end, to_the_end};
use crate::{Budget, CancelFlag, Forgetful, Stamp, recorder};
use parking_lot::{Mutex, MutexGuard};
use rustc_hash::FxHashMap;
use std::collections::hash_map;
use std::hash::Hash;
use std::sync::Arc;

/// A value that can be kept in a memo.
pub trait Weigh {
    /// Roughly how many bytes evicting it frees. Memory that is shared with other owners does not count.
    fn weight(&self) -> usize;

    /// Whether the value identifies its inputs: as long as these are equal, every request must get the same one, so it is
    /// never evicted.
    const IDENTIFIES: bool = false;

    /// The stamp that was made with the value: it changes whenever the inputs do, so that it covers them.
    fn version(&self) -> Option<Stamp> {
        None
    }

    /// A stamp that stays the same as long as the value means the same. An answer that is made from the value may have it
    /// among its inputs instead of those of the value.
    fn meaning(&self) -> Option<Stamp> {
        self.version()
    }
}

impl Weigh for Stamp {
    fn weight(&self) -> usize {
        0
    }

    const IDENTIFIES: bool = true;

    fn version(&self) -> Option<Stamp> {
        Some(*self)
    }
}

/// The inputs of an answer. Cloning is cheap.
#[derive(Debug, Clone)]
pub struct Inputs {
    pub(crate) asked_by: Stamp,
    pub(crate) stamps: Arc<[Stamp]>,
    /// The stamps that cover parts of a state. Only for the recorder.
    pub(crate) parts: Vec<(&'static str, Stamp)>,
    /// Some of them are being edited.
    pass: bool,
}

impl Inputs {
    /// The stamps of everything that an answer is made from. `asked_by` is the number of the state that asks.
    pub fn new(asked_by: Stamp, stamps: impl IntoIterator<Item = Stamp>) -> Self {
        Inputs { asked_by, stamps: stamps.into_iter().collect(), parts: Vec::new(), pass: false }
    }

    /// Says which stamp changes with a part of a state ([`recorder::Recorded`]).
    pub fn part(mut self, what: &'static str, stamp: Stamp) -> Self {
        if cfg!(debug_assertions) {
            self.parts.push((what, stamp));
        }
        self
    }

    /// Says whether some of the inputs are being edited. Then the answer soon holds no more, and is given up with the
    /// request that needs it.
    pub fn passing(self, pass: bool) -> Self {
        Inputs { pass, ..self }
    }

    fn are(&self, others: &Inputs) -> bool {
        // States share long lists, so most comparisons are of two pointers.
        Arc::ptr_eq(&self.stamps, &others.stamps) || self.stamps == others.stamps
    }
}

/// The answers to one question, by key. The crate's documentation says when an answer is reused.
pub struct Memo<K, V> {
    slots: Mutex<FxHashMap<K, Slot<V>>>,
    budget: Budget,
}

/// The answer for the newest state, and the previous one.
struct Slot<V> {
    newest: MemoEntry<V>,
    before: Option<MemoEntry<V>>,
}

struct MemoEntry<V> {
    inputs: Inputs,
    /// The newest state that asked for this key.
    used: Stamp,
    answer: Arc<Answer<V>>,
}

impl<V> MemoEntry<V> {
    fn new(inputs: &Inputs) -> Self {
        MemoEntry { inputs: inputs.clone(), used: inputs.asked_by, answer: Arc::default() }
    }

    /// The answer, if it was made from these inputs.
    fn answer_to(&mut self, inputs: &Inputs) -> Option<Arc<Answer<V>>> {
        if !self.inputs.are(inputs) {
            return None;
        }
        self.used = self.used.max(inputs.asked_by);
        Some(self.answer.clone())
    }
}

impl<V> Slot<V> {
    fn answer_to(&mut self, inputs: &Inputs) -> Option<Arc<Answer<V>>> {
        self.newest.answer_to(inputs).or_else(|| self.before.as_mut()?.answer_to(inputs))
    }
}

impl<K: Hash + Eq, V: Weigh> Memo<K, V> {
    /// A memo without answers, which charges this budget.
    pub fn new(budget: &Budget) -> Self {
        Memo { slots: Mutex::default(), budget: budget.clone() }
    }

    fn slots(&self) -> MutexGuard<'_, FxHashMap<K, Slot<V>>> {
        // The lock is held only to look up and to store, never while an answer is made.
        self.slots.lock()
    }

    /// The answer for these inputs: a stored one, or else made now. `make` may ask other memos, but not for this same
    /// answer. It is finished even if the request that needs it is cancelled, unless its inputs pass.
    pub fn get(&self, key: K, inputs: &Inputs, make: impl Fn() -> V) -> Arc<V> {
        let answer = self.answer(key, inputs);
        let make = || recorder::making(Self::NAME, inputs, &make);
        let never = CancelFlag::new();
        let passing = current_flag().filter(|_| inputs.pass);
        let flag = passing.as_ref().unwrap_or(&never);
        loop {
            // Without a flag that is raised, the first attempt gives an answer.
            let made = answer.get(&self.budget, flag, |_| if passing.is_some() { make() } else { to_the_end(make) });
            match made {
                Ok(made) => return Self::used(inputs, made),
                Err(Cancelled) if passing.is_some() => end(),
                Err(Cancelled) => {}
            }
        }
    }

    /// Like [`Memo::get`], but the request can be cancelled. The flag that `make` gets is raised once all requests that
    /// wait for the answer are cancelled; what `make` returns then is not kept. If the work of this thread ends when it
    /// is cancelled, `make` does.
    pub fn get_unless(
        &self,
        cancel: &CancelFlag,
        key: K,
        inputs: &Inputs,
        make: impl FnOnce(&CancelFlag) -> V,
    ) -> Result<Arc<V>, Cancelled> {
        let make = |cancel: &CancelFlag| recorder::making(Self::NAME, inputs, || make(cancel));
        self.answer(key, inputs).get(&self.budget, cancel, make).map(|made| Self::used(inputs, made))
    }

    /// What the recorder calls the memo.
    const NAME: fn() -> &'static str = std::any::type_name::<V>;

    fn used(inputs: &Inputs, made: Arc<V>) -> Arc<V> {
        recorder::used(Self::NAME, inputs, &*made);
        made
    }

    /// The answer, if it has been made. Never makes one and never waits.
    pub fn peek(&self, key: &K, inputs: &Inputs) -> Option<Arc<V>> {
        let made = self.slots().get_mut(key)?.answer_to(inputs)?.made()?;
        Some(Self::used(inputs, made))
    }

    /// The answer that was made for the newest state, whatever its inputs.
    pub fn newest(&self, key: &K) -> Option<Arc<V>> {
        let slots = self.slots();
        let slot = slots.get(key)?;
        slot.newest.answer.made().or_else(|| slot.before.as_ref()?.answer.made())
    }

    /// Drops the answers of these keys.
    pub fn forget(&self, which: impl Fn(&K) -> bool) {
        let mut forgotten = Vec::new();
        let mut slots = self.slots();
        slots.retain(|key, slot| {
            let goes = which(key);
            if goes {
                forgotten.push((slot.newest.answer.clone(), slot.before.take()));
            }
            !goes
        });
        // Large values are dropped after the lock is released.
        drop(slots);
    }

    /// How many keys have an answer.
    pub fn len(&self) -> usize {
        self.slots().len()
    }

    /// Whether no key has an answer.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cell of the answer for a key and inputs, made or not.
    fn answer(&self, key: K, inputs: &Inputs) -> Arc<Answer<V>> {
        let mut slots = self.slots();
        let entry = match slots.entry(key) {
            hash_map::Entry::Occupied(known) => known.into_mut(),
            hash_map::Entry::Vacant(empty) => {
                return empty.insert(Slot { newest: MemoEntry::new(inputs), before: None }).newest.answer.clone();
            }
        };
        if let Some(known) = entry.answer_to(inputs) {
            return known;
        }
        let new = MemoEntry::new(inputs);
        let answer = new.answer.clone();
        // An old state must not push out what newer ones share, so its answer is not stored.
        if inputs.asked_by >= entry.newest.inputs.asked_by {
            let newest = std::mem::replace(&mut entry.newest, new);
            let oldest = entry.before.replace(newest);
            drop(slots);
            drop(oldest);
        }
        answer
    }
}

impl<K: Hash + Eq, V: Weigh> Forgetful for Memo<K, V> {
    fn ages(&self) -> Vec<(Stamp, usize)> {
        let slots = self.slots.lock();
        let entries = slots.values().flat_map(|slot| std::iter::once(&slot.newest).chain(&slot.before));
        entries.map(|entry| (entry.used, entry.answer.weight())).filter(|(_, weight)| *weight > 0).collect()
    }

    fn forget_before(&self, oldest: Stamp) {
        if V::IDENTIFIES {
            return;
        }
        let mut forgotten = Vec::new();
        let mut slots = self.slots.lock();
        slots.retain(|_, slot| {
            forgotten.extend(slot.before.take_if(|before| before.used < oldest).map(|before| before.answer));
            if slot.newest.used >= oldest {
                return true;
            }
            forgotten.push(slot.newest.answer.clone());
            // An older state may still have been using the previous answer.
            let before = slot.before.take();
            let stays = before.is_some();
            slot.newest = before.unwrap_or_else(|| MemoEntry::new(&slot.newest.inputs));
            stays
        });
        // Large values are dropped after the lock is released.
        drop(slots);
    }
}
