//! The crate as its users see it. One file per topic.

mod associations;
mod changes;
mod checks;
mod limits;
mod sets;
