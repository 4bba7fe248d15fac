//! Where what is wrong with rules of a schema is not reported, because its types are wrong.

use super::schema;
use crate::kubernetes::fields::Fields;
use crate::kubernetes::structure::{Structured, text};
use lofting_diagnostic::Severity;
use lofting_document::{Node, Span};

/// The types, which the built-in schema of definitions lists as well.
const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];

/// What is refused in a schema.
#[derive(Debug)]
pub(in crate::kubernetes) enum Refused {
    /// Its structure, without which no rule has types.
    Structure,
    /// The types of the schemas at these places, in their order.
    Types(Vec<Span>),
}

impl Refused {
    /// What is refused in the schema of a version.
    pub fn read(root: &Node, places: &[Structured<'_>]) -> Refused {
        let mut found = Vec::new();
        schema::check(Fields(root), false, &mut found);
        found.retain(|found| found.severity == Severity::Error);
        if found.iter().any(schema::is_about_structure) {
            return Refused::Structure;
        }
        let is_wrong = |node: &Node| text(node, "type").is_some_and(|(_, own)| !TYPES.contains(&own.as_str()));
        let wrong = places.iter().map(|place| place.node).filter(|node| is_wrong(node));
        let mut refused: Vec<Span> = wrong.map(|node| node.span).collect();
        refused.sort_by_key(|span| span.start);
        Refused::Types(refused)
    }

    /// Whether the types are wrong that the rules of a schema are about. The server compiles none of its rules then.
    pub fn hides_rules_of(&self, schema: &Node) -> bool {
        match self {
            Refused::Structure => true,
            Refused::Types(places) => {
                let first = places.partition_point(|place| place.start < schema.span.start);
                places.get(first).is_some_and(|place| place.is_within(schema.span))
            }
        }
    }
}
