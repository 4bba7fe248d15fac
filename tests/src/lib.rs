//! Tests across crates, and what they share with the bench.

pub mod shapes;
