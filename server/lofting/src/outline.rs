//! A schema in a few lines.

use lofting_schema::export::{self, OutlineLimits};
use schemars::JsonSchema;
use serde::Serialize;

#[cfg(test)]
mod tests;

use crate::{DocumentVersion, Problem, Snapshot, VERSION};

pub use lofting_schema::export::tokens;

/// What to write of a schema.
#[derive(Debug, Clone, Default)]
pub struct OutlineChoice {
    /// The path of the value to begin with, `spec.template` or `ports[]`; empty for the document.
    pub below: String,
    /// The maximum number of levels of keys; None for all.
    pub depth: Option<usize>,
    /// The maximum number of tokens, as [`tokens`] counts them; None for 1,000.
    pub budget: Option<usize>,
    /// The number of the document in the file, from 0; None for the first one with a schema.
    pub document: Option<usize>,
}

/// The tokens of an outline, unless the caller chooses another number.
const BUDGET: usize = 1_000;

/// The outline of the schema that a file contains or that governs it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Outline {
    /// The version of this form.
    #[serde(rename = "version")]
    pub form: u32,
    /// The file, and which text of it this is about.
    pub document: DocumentVersion,
    /// The path that it begins with; empty for the document.
    pub below: String,
    /// The lines.
    pub outline: String,
    /// Their tokens, as [`tokens`] counts them: never more than the budget.
    pub tokens: usize,
    /// Nothing was left out.
    pub complete: bool,
}

impl Snapshot {
    /// The outline of the schema in the file, or of the one that governs it.
    ///
    /// # Errors
    ///
    /// There is no schema, or it says nothing about the path.
    pub fn outline(&self, choice: &OutlineChoice) -> Result<Outline, Problem> {
        let found = lofting_ide::schema_nodes(&self.inner, self.file, &choice.below, choice.document);
        let (schema, nodes) = found.ok_or_else(|| {
            let place = if choice.below.is_empty() { String::new() } else { format!(" about `{}`", choice.below) };
            Problem::NothingThere(format!("{}: no schema says anything{place}", self.name))
        })?;
        let limits = OutlineLimits { depth: choice.depth, budget: choice.budget.unwrap_or(BUDGET) };
        let export::Outline { text, tokens, complete } = export::outline(&schema, &nodes, limits);
        let below = choice.below.clone();
        Ok(Outline { form: VERSION, document: self.document(), below, outline: text, tokens, complete })
    }
}
