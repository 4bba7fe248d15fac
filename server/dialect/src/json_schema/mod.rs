//! Reads the structural keywords that JSON Schema, OpenAPI and Kubernetes have in common into the model. A [`Flavour`]
//! describes how they differ.

mod authoring;
mod by_type;
mod clauses;
mod cycles;
mod dialect;
mod discriminator;
mod drafts;
mod editor;
pub mod from_example;
mod keywords;
mod linked;
mod locations;
mod meta_schemas;
pub mod openapi;
mod references;
mod resources;
pub mod rules;
mod schema;
mod scopes;
mod uri;
mod written_out;

pub use dialect::{JsonSchema, SEMANTICS};
pub use linked::{Documents, DocumentsNamed, Linked, Unread, read_linked};
pub(crate) use linked::{built_in_schema, built_in_schema_at, built_in_text};

pub use authoring::{has_keyword, is_schema};
pub(crate) use authoring::{is_type, meant_type};
pub use drafts::{is_meta_schema, usual_meta_schema};
pub use keywords::Fault;
pub use keywords::FaultKind;
pub(crate) use meta_schemas::own_meta_schema;
pub use meta_schemas::{meta_schema, open_api_schema};
pub use written_out::written_out;

use lofting_document::{FileId, Node, Span};
use lofting_schema::{Declared, Facet, Judged, PatternDialect, Schema, SchemaId, SchemaNode, Semantics};

/// The differences between languages with these keywords.
#[derive(Debug, Clone, Copy)]
pub struct Flavour {
    /// How exclusive bounds are written.
    pub exclusive: Exclusive,
    /// Where references may lead.
    pub references: References,
    /// What undeclared keys mean, if the schema says nothing about them.
    pub unknown_keys: UnknownKeys,
    /// How regular expressions are read.
    pub patterns: PatternDialect,
    /// Whether `nullable` allows null, as only OpenAPI 3.0 has it.
    pub nullable: bool,
    /// Whether numbers may stand for quantities of Kubernetes, whose definition only mentions texts.
    pub quantities: bool,
    /// What else values have to satisfy in a schema with these keywords.
    pub judged: Option<fn(&Node) -> Option<Judged>>,
    /// The known keywords, besides those that begin with `x-`; None if unknown ones are allowed.
    pub keywords: Option<&'static [&'static str]>,
}

/// How `exclusiveMinimum` and `exclusiveMaximum` are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exclusive {
    /// As a boolean beside the bound (draft 4, OpenAPI 3.0).
    Flags,
    /// As the bound itself.
    Numbers,
}

/// Where `$ref` may lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum References {
    /// To `#/$defs/Name` in the root of the schema. The keywords of the target are copied, and keywords beside the
    /// reference override them; cycles are faults.
    Definitions,
    /// Anywhere: to places in this document or others, by URI, pointer or anchor. All references to a place share its
    /// nodes, so schemas may refer to themselves.
    ByLocation,
}

/// What an undeclared key means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownKeys {
    /// It is allowed.
    Fine,
    /// It is allowed, but nothing reads it.
    Unread,
}

/// The result of reading a schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The schema; it accepts anything where it is wrong.
    pub schema: Schema,
    /// Its faults, in the order of reading.
    pub faults: Vec<Fault>,
}

/// Reads a schema from its value in a document.
pub fn read(value: &Node, flavour: &Flavour, semantics: &'static Semantics) -> Read {
    let mut reader = schema::JsonSchemaReader::new(value, flavour);
    let declared = Declared { span: value.span, name: value.span };
    let root = reader.node(value, declared);
    let (nodes, faults, _) = reader.finish();
    Read { schema: Schema::new(nodes, root, semantics), faults }
}

/// A schema that accepts anything.
pub fn anything(semantics: &'static Semantics) -> crate::Read {
    let span = Span::new(FileId(u32::MAX), 0..0);
    let node = SchemaNode::new(Facet::Unknown, Declared { span, name: span });
    crate::Read { schema: Schema::new(vec![node], SchemaId(0), semantics), faults: Vec::new(), alone: Vec::new() }
}
