//! Writes the documentation of a schema, or what changed in it, as a page: Markdown, one HTML file, or a layout of the user's own.
//!
//! What a page says is [`lofting::Documentation`]; how it looks is a template, one file in `layouts` each. Texts of a
//! schema are never markup of the page: in HTML everything is escaped, descriptions are Markdown without its harmful
//! parts, and nothing in a page leads the browser to load anything.

mod anchor;
mod changelog;
mod layout;
mod markdown;
mod section;
#[cfg(test)]
mod tests;

pub use changelog::{Changelog, ChangesOfGroup, Release, SchemaChange};
pub use layout::{LAYOUTS, Layout, LayoutError};
pub use section::{NoSection, replaced};
