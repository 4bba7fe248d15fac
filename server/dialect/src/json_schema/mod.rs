//! The structural keywords that JSON Schema, OpenAPI and Kubernetes have in common, read into the model. What they
//! disagree about is said by a [`Flavour`].

mod clauses;
mod cycles;
mod dialect;
mod drafts;
mod editor;
mod keywords;
mod linked;
mod locations;
mod meta_schemas;
mod references;
mod resources;
pub mod rules;
mod schema;
mod uri;
mod written_out;

pub use dialect::{JsonSchema, SEMANTICS};
pub use linked::{Documents, Linked, Unread, documents_named, read_linked};

pub use drafts::is_meta_schema;
pub use keywords::Fault;
pub use keywords::FaultKind;
pub use meta_schemas::meta_schema;
pub use written_out::written_out;

use lofting_document::{FileId, Node, Span};
use lofting_schema::{Declared, Facet, PatternDialect, Schema, SchemaId, SchemaNode, Semantics};

/// What languages with these keywords disagree about.
#[derive(Debug, Clone, Copy)]
pub struct Flavour {
    /// How a bound says that it is exclusive.
    pub exclusive: Exclusive,
    /// Where references may lead.
    pub references: References,
    /// What keys mean that are not declared, where nothing is said about them.
    pub unknown_keys: UnknownKeys,
    /// How regular expressions are read.
    pub patterns: PatternDialect,
    /// Whether `nullable` takes null as well, which only OpenAPI 3.0 has.
    pub nullable: bool,
    /// The keywords there are, those that begin with `x-` aside; none: others are fine.
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
    /// To `#/$defs/Name` in the root of the schema. The target is taken over, and keys beside the reference replace its
    /// keys; circles are faults.
    Definitions,
    /// Anywhere: to places in this document or others, by URI, pointer or anchor. All that refer to a place share its
    /// nodes, so that schemas may refer to themselves.
    ByLocation,
}

/// What a key means that is not declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownKeys {
    /// Something that is permitted.
    Fine,
    /// Something that is permitted and nobody reads.
    Unread,
}

/// What reading gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The schema, open where it is wrong.
    pub schema: Schema,
    /// What is wrong, in the order of reading.
    pub faults: Vec<Fault>,
}

/// Reads a schema from its value in a document.
pub fn read(value: &Node, flavour: &Flavour, semantics: &'static Semantics) -> Read {
    let mut reader = schema::Reader::new(value, flavour);
    let declared = Declared { span: value.span, name: value.span };
    let root = reader.node(value, declared);
    let (nodes, faults, _) = reader.finish();
    Read { schema: Schema::new(nodes, root, semantics), faults }
}

/// A schema that takes anything.
pub fn anything(semantics: &'static Semantics) -> crate::Read {
    let span = Span::new(FileId(u32::MAX), 0..0);
    let node = SchemaNode::new(Facet::Unknown, Declared { span, name: span });
    crate::Read { schema: Schema::new(vec![node], SchemaId(0), semantics), faults: Vec::new(), alone: Vec::new() }
}
