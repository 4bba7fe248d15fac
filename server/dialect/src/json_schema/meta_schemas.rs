//! The meta-schemas, read once for the whole program.

use super::by_type::{with_offers, with_types};
use super::dialect::{FLAVOUR, SEMANTICS};
use super::drafts::{Draft, USUAL, UnknownDraft};
use super::linked::{Alone, built_in_document, built_in_text, read_linked};
use super::openapi::Version;
use lofting_document::Node;
use lofting_schema::{Schema, Semantics};
use std::sync::{Arc, OnceLock};

/// The meta-schema with this URI, which schemas of its draft have to fit; None if it belongs to no draft. It has no
/// place in any file.
pub fn meta_schema(uri: &str) -> Option<Arc<Schema>> {
    static READ: [OnceLock<Option<Arc<Schema>>>; Draft::ALL.len()] = [const { OnceLock::new() }; Draft::ALL.len()];
    // A schema of an unknown draft is read as one of the usual draft.
    let unknown = || matches!(UnknownDraft::of(uri), Some(UnknownDraft::Other(_))).then_some(USUAL);
    let draft = Draft::of_meta_schema(uri).or_else(unknown)?;
    let slot = Draft::ALL.iter().zip(&READ).find(|(other, _)| **other == draft)?.1;
    slot.get_or_init(|| read(draft.meta_schema(), |meta| with_offers(meta, draft))).clone()
}

/// The schema that documents of a version of OpenAPI have to fit. It is declared in no file.
pub fn open_api_schema(version: Version) -> Option<Arc<Schema>> {
    static READ: [OnceLock<Option<Arc<Schema>>>; Version::ALL.len()] = [const { OnceLock::new() }; Version::ALL.len()];
    let slot = Version::ALL.iter().zip(&READ).find(|(other, _)| **other == version)?.1;
    slot.get_or_init(|| read(version.schema(), Node::clone)).clone()
}

/// A schema of the newest draft in a built-in text, with what means nothing for the `type` left out of what is offered.
pub(crate) fn own_meta_schema(text: &'static str, semantics: &'static Semantics) -> Option<Arc<Schema>> {
    let document = built_in_text(text)?;
    let with_types = with_types(&document.value);
    Some(Arc::new(read_linked("", &with_types, &FLAVOUR, semantics, &Alone).read.schema))
}

fn read(uri: &str, with: impl Fn(&Node) -> Node) -> Option<Arc<Schema>> {
    let document = built_in_document(uri)?;
    let linked = read_linked(uri, &with(&document.value), &FLAVOUR, &SEMANTICS, &Alone);
    Some(Arc::new(linked.read.schema))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lofting_schema::Step;

    #[test]
    fn each_draft_has_one_that_knows_its_keywords() {
        for (draft, known, unknown) in [
            (Draft::Draft4, "id", "const"),
            (Draft::Draft6, "const", "if"),
            (Draft::Draft7, "if", "$defs"),
            (Draft::Draft201909, "$recursiveRef", "prefixItems"),
            (Draft::Draft202012, "prefixItems", "foo"),
        ] {
            let schema = meta_schema(draft.meta_schema()).expect("a schema");
            // Every draft accepts any key, so the declared keys tell the drafts apart.
            let declares = |key: &str| !schema.nodes_at(schema.root(), &[Step::Key(key.into())]).is_empty();
            assert!(declares(known), "{draft:?} knows {known}");
            assert!(!declares(unknown), "{draft:?} does not know {unknown}");
        }
        assert!(meta_schema("https://example.com/schema").is_none());
    }
}
