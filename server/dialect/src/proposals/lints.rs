//! Checks of all annotations: where they are allowed, how often, and how they are spelled.

use super::rules::{annotation_place, repeated_annotation, spelling};
use super::{ProposalReader, Site};
use lofting_document::{Notes, OwnerKind, SCHEMA_HEADS};
use lofting_schema::Declared;

/// Annotations that have another name in ytt.
pub(super) const OTHER_NAMES: [(&str, &str); 2] =
    [("schema/desc", "schema/doc"), ("schema/validation", "schema/validate")];

/// Annotations that are not allowed everywhere: on a document, on a map item, on an array item.
const PLACES: [(&str, [bool; 3]); 6] = [
    ("schema/default", [true, true, false]),
    ("schema/deprecated", [false, true, true]),
    ("schema/removed", [false, true, false]),
    ("schema/any-key", [false, true, false]),
    ("schema/key-may-be-present", [false, true, false]),
    ("schema/key", [false, true, false]),
];

impl ProposalReader<'_> {
    pub(super) fn lints(&mut self, notes: &Notes, declared: Declared, site: Site) {
        for (index, note) in notes.annotations.iter().enumerate() {
            let name = note.name.as_str();
            let allowed = PLACES.iter().find(|(known, _)| *known == name).map(|(_, allowed)| allowed);
            if let Some([document, map_item, array_item]) = allowed {
                let (allowed, node) = match site.place {
                    OwnerKind::Document => (*document, "a document"),
                    OwnerKind::MapItem => (*map_item, "a map item"),
                    OwnerKind::ArrayItem => (*array_item, "an array item"),
                };
                if !allowed {
                    self.found(annotation_place::finding(declared.name, note, node));
                }
            }
            if let Some((_, own)) = OTHER_NAMES.iter().find(|(other, _)| *other == name) {
                self.found(spelling::finding(note.name_span, own));
            }
            let before = notes.annotations.iter().take(index).rev().find(|other| other.name == note.name);
            // A repeated example is an error of its own.
            let reported = name == "schema/example" || SCHEMA_HEADS.contains(&name) || !name.starts_with("schema/");
            if let (Some(before), false) = (before, reported) {
                self.found(repeated_annotation::finding(before.span, note.span, name));
            }
        }
    }
}
