//! Checks that the workspace keeps to its own architecture: which crate may use which (`arrows`), and the house style
//! that a compiler does not check (`style`), both described in docs/architecture.md, and the documents to the tree
//! (`documents`), and files are opened in one place (`files`).

mod arrows;
mod documents;
mod english;
mod files;
mod floors;
mod sources;
mod spelling;
mod style;
