//! Turns untrusted texts into Markdown: everything in them is shown, and nothing in them acts.
//!
//! Of descriptions, which may be Markdown themselves, emphasis, lists, quotations, code and `https` links are kept; titles,
//! keys and places are shown literally. The texts of hovers and the pages of documentation are made with it.
#![forbid(unsafe_code)]

mod description;
mod literal;

pub use description::{as_html, in_blocks, on_one_line};
pub use literal::{code_block, code_span, literal};
