//! Where the rules of a schema are not compiled, because something else in it is refused.

use super::schema;
use crate::kubernetes::fields::Fields;
use crate::kubernetes::structure::{Structured, text};
use lofting_diagnostic::Severity;
use lofting_document::{Node, Span};

/// The keywords with few values, which the built-in schema of definitions lists as well.
const CHOICES: [(&str, &[&str]); 3] = [
    ("type", &["array", "boolean", "integer", "number", "object", "string"]),
    ("x-kubernetes-list-type", &["atomic", "set", "map"]),
    ("x-kubernetes-map-type", &["granular", "atomic"]),
];

/// What is refused in a schema.
#[derive(Debug)]
pub(in crate::kubernetes) enum Refused {
    /// Its structure, without which no rule has types.
    Structure,
    /// What is at these places, in their order.
    At(Vec<Span>),
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
        let choices = places.iter().flat_map(|place| CHOICES.map(|(keyword, allowed)| (place.node, keyword, allowed)));
        let wrong = choices.filter_map(|(node, keyword, allowed)| {
            text(node, keyword).filter(|(_, own)| !own.is_empty() && !allowed.contains(&own.as_str()))
        });
        let mut refused: Vec<Span> = found.iter().map(|found| found.span).collect();
        refused.extend(wrong.map(|(node, _)| node.span));
        refused.sort_by_key(|span| span.start);
        Refused::At(refused)
    }

    /// Whether the server does not look at the rules of a schema: it skips them if anything in it is refused.
    pub fn hides_rules_of(&self, schema: &Node) -> bool {
        match self {
            Refused::Structure => true,
            Refused::At(places) => {
                let first = places.partition_point(|place| place.start < schema.span.start);
                places.get(first).is_some_and(|place| place.is_within(schema.span))
            }
        }
    }
}
