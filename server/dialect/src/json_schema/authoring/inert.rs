//! Keywords that have no effect where they are.

use super::Vocabulary;
use crate::json_schema::drafts::Draft;
use crate::json_schema::rules::inert_keyword;
use lofting_diagnostic::Diagnostic;
use lofting_document::{Key, MapItem, Node, NodeValue};

/// The finding about an entry of a schema, if it is such a keyword. A schema that names no draft may use the keywords of
/// any.
pub(super) fn finding(item: &MapItem, schema: &Node, vocabulary: Vocabulary) -> Option<Diagnostic> {
    let keyword = item.key.as_str().filter(|_| !item.merged)?;
    let leader = match keyword {
        "then" | "else" => Some("if"),
        "minContains" | "maxContains" => Some("contains"),
        _ => None,
    };
    let (span, named) = (item.key_span, vocabulary.draft);
    if let Some(leader) = leader {
        let is_alone = schema.get(&Key::from(leader)).is_none() && !schema.partial;
        return (is_alone && vocabulary.later(keyword).is_none()).then(|| inert_keyword::alone(span, keyword, leader));
    }
    if !vocabulary.is_named {
        return None;
    }
    let instead = match keyword {
        "additionalItems" => "`prefixItems` for the first items and `items` for the others",
        "$recursiveRef" => "`$dynamicRef`",
        "$recursiveAnchor" => "`$dynamicAnchor`",
        // Programs for earlier drafts often have it.
        "nullable" if item.value.value == NodeValue::Bool(true) && vocabulary.nullable.is_none() => {
            return (named > Draft::Draft7).then(|| inert_keyword::nullable(span, named));
        }
        _ => return None,
    };
    (named >= Draft::Draft202012).then(|| inert_keyword::removed(span, keyword, named, instead))
}
