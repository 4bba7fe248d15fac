//! Answers that are made once and kept as long as they hold.
//!
//! A [`Memo`] holds the answers to one question, by what was asked about (a file, a set of files). Each answer is noted with
//! its [`Inputs`]: the stamps of all it was made from. It holds for who asks with equal inputs, and for nobody else, so that
//! there is nothing to invalidate. States of a workspace that live at the same time share one memo.
//!
//! * Two who ask the same at the same time make it once; the second waits for the first.
//! * The newest state counts: an answer of an older one is kept beside it, never instead of it.
//! * All memos of a workspace draw on one [`Budget`]. When it is exceeded, [`sweep`] lets go of the answers that no recent
//!   state asked for.
#![forbid(unsafe_code)]

mod answer;
mod budget;
mod cancel;
mod memo;
mod stamp;
#[cfg(test)]
mod tests;

pub use answer::Cancelled;
pub use budget::{Budget, Forgetful, sweep};
pub use cancel::CancelFlag;
pub use memo::{Inputs, Memo, Weigh};
pub use stamp::Stamp;
