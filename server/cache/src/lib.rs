//! Keeps what code gave in a folder that the user named, so that a later run does not have to run the same code again.
//!
//! Code is deterministic: it sees what is part of its [`lofting_eval::Evaluation`], and the answers to what it asks of
//! [`lofting_eval::LibraryFiles`]. A result is found by the first, and used if every question still has the same answer.
//! So no result is ever out of date, whatever happened to the files, the flags or the folder in between. The folder is
//! trusted as the program itself is: who can write there decides what code gives. What is cut or damaged is not used.
//!
//! What else is kept has a name, which its owner makes of all that it follows from.
#![forbid(unsafe_code)]

mod evaluator;
mod question;
mod store;

pub use evaluator::CachedEvaluator;
pub use question::sum;
pub use store::Store;

#[cfg(test)]
mod tests;
