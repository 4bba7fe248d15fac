//! Answers that are made once and kept as long as they hold.
//!
//! A [`Memo`] holds the answers to one question, keyed by what the question is about (a file, a set of files). Each
//! answer is stored with its [`Inputs`]: the stamps of everything it was made from. It is reused only for a request
//! with equal inputs, so nothing ever has to be invalidated. States of a workspace that live at the same time share one
//! memo.
//!
//! * Two requests for the same answer at the same time make it once; the second waits for the first.
//! * The newest state has priority: the answer of an older state is kept beside the newest one and never replaces it.
//! * All memos of a workspace share one [`Budget`]. When it is exceeded, [`sweep`] evicts the answers that no recent
//!   state asked for.
#![forbid(unsafe_code)]

mod alike;
mod answer;
mod budget;
mod cancel;
mod memo;
pub mod recorder;
mod stamp;
mod steps;
#[cfg(test)]
mod tests;

pub use alike::{Shared, are_alike};
pub use answer::Cancelled;
pub use budget::{Budget, Forgetful, sweep};
pub use cancel::CancelFlag;
pub use memo::{Inputs, Memo, Weigh};
pub use stamp::Stamp;
pub use steps::{STEPS, abandon, may_be_abandoned, side_by_side, step, to_the_end, until_abandoned};
