//! Holds the workspace to its own architecture: which crate may use which (`arrows`), and the house style that a
//! compiler does not check (`style`). Both are described in docs/architecture.md.

mod arrows;
mod sources;
mod style;
