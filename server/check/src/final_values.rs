//! The final data values: schema defaults, values documents, plain files and flags, merged in ytt's order (docs/ytt.md
//! 10, 11), with the origin of every value.
//!
//! The steps are separate, so that the caller can check types after each document, as ytt does.

mod flag;
mod library_ref;
mod replaced_kinds;

pub use flag::flag_document;
pub use library_ref::{LibraryRef, LibraryRefError};

use lofting_document::{Document, FileId, Node, NodeValue, Notes, Span};
use lofting_overlay::{Functions, Mode, NoFunctions, Overlay, Problem};
use lofting_schema::semantics::NewKeys;
use lofting_schema::{Schema, SchemaId};

/// Data values while they are being merged.
#[derive(Debug, Clone)]
pub struct DataValues<'s> {
    schema: Option<&'s Schema>,
    document: Option<Document>,
}

impl<'s> DataValues<'s> {
    /// Starts with the schema's defaults, or without any value.
    pub fn new(schema: Option<&'s Schema>) -> Self {
        let document = schema.map(|schema| declared(schema, schema.effective_default(schema.root())));
        DataValues { schema, document }
    }

    /// Starts with values that were merged onto the schema's defaults.
    pub fn over(schema: Option<&'s Schema>, values: Node) -> Self {
        DataValues { schema, document: schema.map(|schema| declared(schema, values)) }
    }

    /// Merges the next document into the current values, then adds defaults. Call it in the order of docs/ytt.md 11.1.
    /// Returns what could not be merged; everything else is merged nevertheless.
    pub fn lay(&mut self, right: &Document, mode: Mode, functions: &dyn Functions) -> Vec<Problem> {
        let Some(left) = &mut self.document else {
            // Without a schema the first document is the base (docs/ytt.md 11.2).
            self.document = Some(right.clone());
            return Vec::new();
        };
        let new_keys = self.schema.is_some_and(|schema| schema.semantics().data_values.new_keys == NewKeys::Free);
        if let Some(schema) = self.schema {
            replaced_kinds::clear(schema, &mut left.value, &right.value);
        }
        let mut overlay = Overlay::new(functions).with_new_keys(new_keys);
        overlay.apply(left, right, mode);
        if let Some(schema) = self.schema {
            if lofting_overlay::asks_functions(right) {
                schema.fill_defaults(schema.root(), &mut left.value)
            } else {
                schema.fill_defaults_below(schema.root(), &mut left.value, &right.value)
            }
        }
        overlay.into_problems()
    }

    /// The values so far; `None` without a schema and before the first document.
    pub fn current(&self) -> Option<&Document> {
        self.document.as_ref()
    }

    /// The final values; an empty map if there is neither a schema nor a document.
    pub fn finish(self) -> Node {
        self.document.map_or_else(
            || Node::new(NodeValue::Map(Default::default()), Span::new(FileId(0), 0..0)),
            |document| document.value,
        )
    }
}

/// Values as a document where a schema is declared.
fn declared(schema: &Schema, value: Node) -> Document {
    let declared = schema.node(schema.root()).declared;
    let (span, marker) = (declared.span, Some(declared.name));
    Document { span, marker, notes: Notes::default(), value, conditional: false }
}

/// The final value at one place of `schema` when `given` is merged into `left` and defaults are added. Equals the
/// corresponding part of [`DataValues::lay`] for a document without overlay annotations.
pub(crate) fn laid_over(schema: &Schema, id: SchemaId, left: Option<Node>, given: Node, mode: Mode) -> Node {
    let document =
        |value: Node| Document { span: value.span, marker: None, notes: Notes::default(), value, conditional: false };
    let nothing = |left: &Node| matches!(&left.value, NodeValue::Array(items) if items.is_empty() && !left.partial);
    let mut value = match left {
        None => given,
        Some(left) if nothing(&left) => given,
        Some(left) => {
            let mut left = document(left);
            Overlay::new(&NoFunctions).apply(&mut left, &document(given), mode);
            left.value
        }
    };
    schema.fill_defaults(id, &mut value);
    value
}
