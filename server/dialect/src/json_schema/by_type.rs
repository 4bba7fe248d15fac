//! What editors offer in a schema beyond what its meta-schema says: no keywords that mean nothing for the `type`, and the
//! names of formats and drafts.

use super::authoring::{FORMATS, keyword_of};
use super::drafts::Draft;
use lofting_document::{FileId, Key, MapItem, Node, NodeValue, Notes, Options, lower};
use lofting_syntax::resolve::Profile;

/// Keywords that say something about values of some types only.
const OF_TYPES: [(&[&str], &[&str]); 4] = [
    (
        &["string"],
        &["minLength", "maxLength", "pattern", "format", "contentMediaType", "contentEncoding", "contentSchema"],
    ),
    (&["integer", "number"], &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
    (
        &["array"],
        &[
            "items",
            "prefixItems",
            "additionalItems",
            "contains",
            "minContains",
            "maxContains",
            "minItems",
            "maxItems",
            "uniqueItems",
            "unevaluatedItems",
        ],
    ),
    (
        &["object"],
        &[
            "properties",
            "patternProperties",
            "additionalProperties",
            "propertyNames",
            "required",
            "minProperties",
            "maxProperties",
            "dependencies",
            "dependentRequired",
            "dependentSchemas",
            "unevaluatedProperties",
        ],
    ),
];

const TYPES: [&str; 7] = ["string", "integer", "number", "boolean", "object", "array", "null"];

/// The meta-schema of a draft with these additions. They are meant for what is offered, not for what is refused.
pub(super) fn with_offers(meta: &Node, draft: Draft) -> Node {
    with(meta, &offers(draft))
}

/// A schema of schemas without the keywords that say nothing for the `type`.
pub(super) fn with_types(meta: &Node) -> Node {
    let is_declared =
        |keyword: &str| meta.get(&Key::from("properties")).is_some_and(|all| all.get(&Key::from(keyword)).is_some());
    with(meta, &format!("[{}]", of_types(&is_declared).join(",")))
}

fn with(meta: &Node, offers: &str) -> Node {
    let NodeValue::Map(items) = &meta.value else { return meta.clone() };
    let Some(offers) = parsed(offers, meta.span.file) else { return meta.clone() };
    let NodeValue::Array(added) = &offers.value else { return meta.clone() };
    let key = Key::from("allOf");
    let mut items: Vec<MapItem> = items.iter().cloned().collect();
    match items.iter_mut().find(|item| item.key == key) {
        Some(MapItem { value: Node { value: NodeValue::Array(all), .. }, .. }) => all.extend(added.iter().cloned()),
        Some(_) => {}
        None => {
            let (span, notes) = (offers.span, Notes::default());
            items.push(MapItem { key, key_span: span, span, value: offers, notes, merged: false, conditional: false });
        }
    }
    Node { value: NodeValue::Map(items.into()), ..meta.clone() }
}

/// The schemas that are added.
fn offers(draft: Draft) -> String {
    let listed =
        |names: &mut dyn Iterator<Item = &str>| names.map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(",");
    let drafts = listed(&mut Draft::ALL.into_iter().rev().map(Draft::named));
    let formats = listed(&mut FORMATS.into_iter());
    let examples = format!(
        "{{\"properties\":{{\"format\":{{\"examples\":[{formats}]}},\"$schema\":{{\"examples\":[{drafts}]}}}}}}"
    );
    let is_known = |keyword: &str| keyword_of(keyword, draft, true).is_some();
    let all: Vec<String> = std::iter::once(examples).chain(of_types(&is_known)).collect();
    format!("[{}]", all.join(","))
}

/// For each type, a schema that forbids the keywords of the others.
fn of_types(is_known: &dyn Fn(&str) -> bool) -> Vec<String> {
    let of_type = |name: &str| {
        let others = OF_TYPES.iter().filter(|(types, _)| !types.contains(&name)).flat_map(|(_, keywords)| *keywords);
        let others = others.filter(|keyword| is_known(keyword));
        let others: Vec<String> = others.map(|keyword| format!("\"{keyword}\":false")).collect();
        format!(
            "{{\"if\":{{\"properties\":{{\"type\":{{\"const\":\"{name}\"}}}},\"required\":[\"type\"]}},\
             \"then\":{{\"properties\":{{{}}}}}}}",
            others.join(",")
        )
    };
    TYPES.into_iter().map(of_type).collect()
}

fn parsed(text: &str, file: FileId) -> Option<Node> {
    let documents = lower(file, &lofting_syntax::parse(text), Profile::Core12, Options::default());
    documents.documents.into_iter().next().map(|document| document.value)
}
