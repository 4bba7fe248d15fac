//! Walks that ask whether their result is still wanted.
//!
//! Work that a request starts runs within [`CancelFlag::until_cancelled`]. Whatever may take a long time calls [`step`]
//! once for each thing that it looks at; when the flag is raised, one of the next steps ends the work, however deep it
//! is. Nothing incomplete can be taken for an answer, as nothing returns. It ends by unwinding, without a panic: what
//! work changes beyond its own values has to be right after each step.
//!
//! What others will need as well, such as answers in a memo, is finished: see [`to_the_end`].

use crate::{CancelFlag, Cancelled};
use parking_lot::Mutex;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread::{Builder, scope};

/// After how many steps the flag is looked at again.
pub const STEPS: u32 = 64;

thread_local! {
    /// The flag of the work of this thread, if it can be cancelled.
    static FLAG: RefCell<Option<CancelFlag>> = const { RefCell::new(None) };
    /// Steps until the flag is looked at.
    static LEFT: Cell<u32> = const { Cell::new(0) };
    /// Whether the work of this thread ends well if it is abandoned.
    static MAY_END: Cell<bool> = const { Cell::new(false) };
}

/// One step of a walk. Ends the work if its flag is raised.
#[inline]
pub fn step() {
    LEFT.with(|left| match left.get() {
        0 => look(left),
        more => left.set(more - 1),
    });
}

#[cold]
fn look(left: &Cell<u32>) {
    left.set(STEPS);
    let ends = FLAG.with_borrow(|flag| flag.as_ref().is_some_and(CancelFlag::is_cancelled));
    // What is dropped on the way out goes to its end.
    if ends && !std::thread::panicking() {
        end();
    }
}

/// Ends the work of this thread.
pub(crate) fn end() -> ! {
    resume_unwind(Box::new(Cancelled))
}

/// Sets the flag of this thread back.
struct Restored(Option<CancelFlag>);

impl Drop for Restored {
    fn drop(&mut self) {
        FLAG.set(self.0.take());
    }
}

fn with_flag<T>(flag: Option<CancelFlag>, work: impl FnOnce() -> T) -> T {
    let _restored = Restored(FLAG.replace(flag));
    LEFT.set(0);
    work()
}

/// Work that is finished even if the request that started it is cancelled, because others need its result.
pub fn to_the_end<T>(work: impl FnOnce() -> T) -> T {
    with_flag(None, work)
}

/// The flag of the work of this thread, if it can be cancelled.
pub(crate) fn current_flag() -> Option<CancelFlag> {
    FLAG.with_borrow(Clone::clone)
}

/// Runs work that [`abandon`] may end.
///
/// # Errors
///
/// If it was abandoned.
pub fn until_abandoned<T>(work: impl FnOnce() -> T) -> Result<T, Cancelled> {
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            MAY_END.set(self.0);
        }
    }
    let _before = Before(MAY_END.replace(true));
    until_the_end(work)
}

/// Whether the work of this thread may be abandoned.
pub fn may_be_abandoned() -> bool {
    MAY_END.get()
}

/// Ends the work of this thread, because nothing will use what it makes. Only for work that may be abandoned.
pub fn abandon() -> ! {
    end()
}

/// Runs work that may end by unwinding, without a panic.
fn until_the_end<T>(work: impl FnOnce() -> T) -> Result<T, Cancelled> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast::<Cancelled>() {
        Ok(cancelled) => *cancelled,
        Err(panic) => resume_unwind(panic),
    })
}

/// Does work on this thread and, if the system provides one with a stack of so many bytes, other work on a second thread;
/// otherwise one after the other. Both end when the flag of this thread is raised. None for work that has ended that way.
pub fn side_by_side<B: Send, H>(
    stack: usize,
    beside: impl FnOnce() -> B + Send,
    here: impl FnOnce() -> H,
) -> (Option<B>, H) {
    let flag = current_flag();
    let (waiting, made) = (Mutex::new(Some(beside)), Mutex::new(None));
    let take = || {
        let Some(work) = waiting.lock().take() else { return };
        let result = match &flag {
            Some(flag) => flag.until_cancelled(work).ok(),
            None => Some(work()),
        };
        *made.lock() = result;
    };
    let here = scope(|scope| {
        let _ = Builder::new().stack_size(stack).spawn_scoped(scope, take);
        here()
    });
    // Without a second thread it is done now.
    take();
    (made.into_inner(), here)
}

impl CancelFlag {
    /// Runs work whose steps look at this flag.
    ///
    /// # Errors
    ///
    /// If the flag was raised before the work was done.
    pub fn until_cancelled<T>(&self, work: impl FnOnce() -> T) -> Result<T, Cancelled> {
        until_the_end(|| with_flag(Some(self.clone()), work))
    }
}
