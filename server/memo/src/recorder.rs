//! Compares what is read while an answer is made with the inputs that it is stored with.
//!
//! An answer that was made from something that its inputs do not name is reused after that has changed. In builds with
//! assertions, everything that has versions says so when it is read ([`read`], [`Recorded`]), and a memo panics when an
//! answer that it stores was made from more than its inputs cover. Answers of other memos count as the inputs that they
//! are stored with, or as a stamp that they carry ([`Weigh::version`], [`Weigh::meaning`]), and what is found once for each
//! state ([`Reads`]) as all that it was made from. Other builds record nothing.

#[cfg(test)]
mod tests;

use crate::{Inputs, Stamp, Weigh};
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::fmt::Write;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

/// Whether this build records at all.
const RECORDS: bool = cfg!(debug_assertions);

/// Switched off where allocations and time are measured.
static IS_OFF: AtomicBool = AtomicBool::new(false);

/// What stamps stand for besides themselves.
static STANDS_FOR: LazyLock<Mutex<FxHashMap<Stamp, Arc<[Stamp]>>>> = LazyLock::new(Mutex::default);

thread_local! {
    /// What the answers that are being made on this thread have read so far, the innermost last.
    static FRAMES: RefCell<Vec<Recording>> = const { RefCell::new(Vec::new()) };
}

/// What was read while an answer was made.
#[derive(Debug, Default)]
struct Recording {
    /// Versions of things, with what they are.
    versions: FxHashMap<Stamp, (&'static str, String)>,
    /// Things that exist once in each state.
    parts: FxHashSet<&'static str>,
    /// Answers, by the address of their inputs and what they are.
    answers: FxHashMap<(usize, &'static str), ReadAnswer>,
    /// What was found once for a state, by its address.
    shared: FxHashMap<usize, Arc<Recording>>,
}

#[derive(Debug)]
struct ReadAnswer {
    inputs: Inputs,
    /// The stamps that stand for the answer.
    version: Option<Stamp>,
    meaning: Option<Stamp>,
}

/// From now on this process records nothing.
pub fn switch_off() {
    IS_OFF.store(true, Ordering::Relaxed);
}

fn is_on() -> bool {
    RECORDS && !IS_OFF.load(Ordering::Relaxed)
}

fn in_frame(note: impl FnOnce(&mut Recording)) {
    FRAMES.with_borrow_mut(|frames| frames.last_mut().map(note));
}

/// A version of something is read; `of` tells which thing it is.
#[inline]
pub fn read(what: &'static str, version: Stamp, of: impl FnOnce() -> String) {
    if is_on() {
        in_frame(|frame| _ = frame.versions.entry(version).or_insert_with(|| (what, of())));
    }
}

/// Notes that a stamp changes whenever one of the given stamps does, so that it covers them.
pub fn stands_for(stamp: Stamp, others: impl IntoIterator<Item = Stamp>) {
    if is_on() {
        STANDS_FOR.lock().insert(stamp, others.into_iter().collect());
    }
}

/// Work from which an answer needs only what some stamps identify, whatever it reads; `what` tells what that is.
pub fn only<T, S>(what: &'static str, stamps: impl FnOnce() -> S, work: impl FnOnce() -> T) -> T
where
    S: IntoIterator<Item = Stamp>,
{
    if !is_on() {
        return work();
    }
    let ((made, stamps), _) = framed(|| (work(), stamps()));
    stamps.into_iter().for_each(|stamp| read("what it needs of", stamp, || what.to_owned()));
    made
}

/// A part of a state: looking at it is recorded.
#[derive(Debug, Clone, Default)]
pub struct Recorded<T> {
    /// What it is; [`Inputs::part`] says which stamps cover it.
    what: &'static str,
    value: T,
}

impl<T> Recorded<T> {
    /// The part with this name.
    pub fn new(what: &'static str, value: T) -> Self {
        Recorded { what, value }
    }

    /// The value, for what follows from no more than the question.
    pub fn unrecorded(&self) -> &T {
        &self.value
    }
}

impl<T> Deref for Recorded<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        if is_on() {
            in_frame(|frame| _ = frame.parts.insert(self.what));
        }
        &self.value
    }
}

impl<T> DerefMut for Recorded<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

/// What was read for something that is found once for each state.
#[derive(Debug, Clone, Default)]
pub struct Reads(Option<Arc<Recording>>);

impl Reads {
    /// Does work, and tells what it read. Nothing of it counts as read yet.
    pub fn of<T>(work: impl FnOnce() -> T) -> (T, Reads) {
        if !is_on() {
            return (work(), Reads(None));
        }
        let (made, frame) = framed(work);
        (made, Reads(Some(Arc::new(frame))))
    }

    /// Its result is used now.
    pub fn again(&self) {
        if let Some(read) = self.0.as_ref().filter(|_| is_on()) {
            in_frame(|frame| _ = frame.shared.insert(Arc::as_ptr(read).addr(), read.clone()));
        }
    }
}

/// Ends the innermost frame, even when work panics or is cancelled.
struct EndOfFrame;

impl Drop for EndOfFrame {
    fn drop(&mut self) {
        FRAMES.with_borrow_mut(|frames| drop(frames.pop()));
    }
}

fn framed<T>(work: impl FnOnce() -> T) -> (T, Recording) {
    FRAMES.with_borrow_mut(|frames| frames.push(Recording::default()));
    let end = EndOfFrame;
    let made = work();
    let frame = FRAMES.with_borrow_mut(|frames| frames.last_mut().map(std::mem::take));
    drop(end);
    (made, frame.unwrap_or_default())
}

/// Makes an answer of a memo.
///
/// # Panics
///
/// In builds with assertions, if it was made from something that the inputs do not cover.
pub(crate) fn making<V: Weigh>(memo: fn() -> &'static str, inputs: &Inputs, make: impl FnOnce() -> V) -> V {
    if !is_on() {
        return make();
    }
    let (made, frame) = framed(make);
    let lacking = Covered::by(inputs).lacking(&frame);
    assert!(lacking.is_empty(), "a memo keeps a `{}` whose inputs do not cover:{lacking}", memo());
    if let Some(version) = made.version() {
        stands_for(version, inputs.stamps.iter().copied().chain(made.meaning()));
    }
    made
}

/// An answer of a memo is used.
pub(crate) fn used<V: Weigh>(memo: fn() -> &'static str, inputs: &Inputs, answer: &V) {
    if is_on() {
        let address = inputs.stamps.as_ptr().addr();
        let (version, meaning) = (answer.version(), answer.meaning());
        let answer = || ReadAnswer { inputs: inputs.clone(), version, meaning };
        in_frame(|frame| _ = frame.answers.entry((address, memo())).or_insert_with(answer));
    }
}

/// What inputs cover.
struct Covered<'i> {
    inputs: &'i Inputs,
    stamps: FxHashSet<Stamp>,
}

impl<'i> Covered<'i> {
    fn by(inputs: &'i Inputs) -> Self {
        let (known, mut stamps) = (STANDS_FOR.lock(), FxHashSet::default());
        let mut todo: Vec<Stamp> = inputs.stamps.to_vec();
        while let Some(stamp) = todo.pop() {
            if stamps.insert(stamp) {
                todo.extend(known.get(&stamp).into_iter().flat_map(|others| others.iter()));
            }
        }
        Covered { inputs, stamps }
    }

    fn covers(&self, stamp: Stamp) -> bool {
        // What has no version yet has the stamp of `Default`.
        stamp == Stamp::default() || self.stamps.contains(&stamp)
    }

    /// What was read and is not covered, in words.
    fn lacking(&self, frame: &Recording) -> String {
        let mut lacking = String::new();
        // The number of a state changes with everything.
        if self.stamps.contains(&self.inputs.asked_by) {
            return lacking;
        }
        let (mut todo, mut seen) = (vec![frame], FxHashSet::default());
        while let Some(frame) = todo.pop() {
            for (_, (what, of)) in frame.versions.iter().filter(|(version, _)| !self.covers(**version)) {
                let _ = write!(lacking, "\n* {what} {of}");
            }
            for what in &frame.parts {
                let is_covered = |(part, stamp): &(&str, Stamp)| part == what && self.covers(*stamp);
                if !self.inputs.parts.iter().any(is_covered) {
                    let _ = write!(lacking, "\n* {what} of the state");
                }
            }
            for ((_, what), answer) in &frame.answers {
                let is_known =
                    [answer.version, answer.meaning].into_iter().flatten().any(|stamp| self.stamps.contains(&stamp));
                if !is_known && !answer.inputs.stamps.iter().all(|stamp| self.covers(*stamp)) {
                    let _ = write!(lacking, "\n* a `{what}`");
                }
            }
            todo.extend(frame.shared.iter().filter(|(address, _)| seen.insert(**address)).map(|(_, frame)| &**frame));
        }
        lacking
    }
}
