//! Writes node trees as text: YAML exactly as ytt prints it, and JSON.

mod collection_key;
mod float;
mod json;
mod positions;
mod scalar;
mod yaml;

pub(crate) use collection_key::printed_key;
pub use float::float_text;
pub use json::{json_document, to_json};
pub use positions::PositionWriter;
pub use scalar::{double_quoted, inside_double_quotes};
pub use yaml::{to_yaml, yaml_document, yaml_with_comments, yaml_with_places};

#[cfg(test)]
mod tests;
