//! Made-up input sets and values: each follows from its number.

pub mod deep;
pub mod dice;
pub mod files;
pub mod pairs;
pub mod values;
