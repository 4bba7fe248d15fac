//! Request bodies of OpenAPI documents.

use super::numbered::numbered;
use super::{Compared, Incomparable, NoVersion, Side, Texts, json_schema_of, unwritten};
use crate::change::{Breaks, Change, Kind, Part};
use lofting_dialect::json_schema;
use lofting_document::{Document, Key, Node, NodeValue, Span};
use lofting_schema::{Schema, SchemaId};
use rustc_hash::FxHashMap;

/// The key that is added to a document to read the schemas of all bodies at once.
const BODIES: &str = "x-lofting-bodies";

/// What can be called with a body.
const METHODS: [&str; 9] = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/// Steps from a reference to the next: longer chains are cycles.
const CHAIN: usize = 20;

/// A schema in a document.
struct Body {
    part: Part,
    /// The JSON pointer to it.
    pointer: String,
    span: Span,
}

fn key(name: &str) -> Key {
    Key::from(name)
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn entries(node: Option<&Node>) -> &[lofting_document::MapItem] {
    match node.map(|node| &node.value) {
        Some(NodeValue::Map(items)) => items,
        _ => &[],
    }
}

/// What a pointer leads to.
fn at<'n>(root: &'n Node, pointer: &str) -> Option<&'n Node> {
    let steps = pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~"));
    steps.into_iter().try_fold(root, |node, step| match &node.value {
        NodeValue::Map(items) => items.shown_as(&step).map(|item| &item.value),
        NodeValue::Array(items) => items.get(step.parse::<usize>().ok()?).map(|item| &item.value),
        _ => None,
    })
}

/// The place of an object that may be a reference within the document.
fn resolved(root: &Node, mut pointer: String) -> Option<(String, &Node)> {
    for _ in 0..CHAIN {
        let node = at(root, &pointer)?;
        match node.get(&key("$ref")).map(|to| &to.value) {
            Some(NodeValue::String(to)) => pointer = to.strip_prefix('#')?.to_owned(),
            _ => return Some((pointer, node)),
        }
    }
    None
}

/// The bodies of all operations; in a document without any, its named schemas.
fn bodies(root: &Node) -> Vec<Body> {
    let mut found = Vec::new();
    for path in entries(root.get(&key("paths"))) {
        let Some((above, item)) = resolved(root, format!("/paths/{}", escaped(&path.key.to_string()))) else {
            continue;
        };
        for method in METHODS {
            let Some(operation) = item.get(&key(method)) else { continue };
            let name = format!("{} {}", method.to_uppercase(), path.key);
            let part = |media_type: &str| Part {
                operation: Some(name.clone()),
                media_type: Some(media_type.to_owned()),
                ..Part::default()
            };
            let own = format!("{above}/{method}");
            if operation.get(&key("requestBody")).is_some()
                && let Some((body, node)) = resolved(root, format!("{own}/requestBody"))
            {
                for media in entries(node.get(&key("content"))) {
                    if let Some(schema) = media.value.get(&key("schema")) {
                        let media_type = media.key.to_string();
                        let pointer = format!("{body}/content/{}/schema", escaped(&media_type));
                        found.push(Body { part: part(&media_type), pointer, span: schema.span });
                    }
                }
            }
            // Up to version 2.0, a body was a parameter.
            let parameters = match operation.get(&key("parameters")).map(|node| &node.value) {
                Some(NodeValue::Array(items)) => items.len(),
                _ => 0,
            };
            for index in 0..parameters {
                let Some((pointer, node)) = resolved(root, format!("{own}/parameters/{index}")) else { continue };
                let is_body = node.get(&key("in")).is_some_and(|it| it.value == NodeValue::String("body".into()));
                if let Some(schema) = node.get(&key("schema")).filter(|_| is_body) {
                    let pointer = format!("{pointer}/schema");
                    found.push(Body { part: part("application/json"), pointer, span: schema.span });
                }
            }
        }
    }
    found
}

/// The named schemas of a document.
fn components(root: &Node) -> Vec<Body> {
    let named = |holder: Option<&Node>, pointer: &str| -> Vec<Body> {
        let body = |item: &lofting_document::MapItem| Body {
            part: Part { component: Some(item.key.to_string()), ..Part::default() },
            pointer: format!("{pointer}/{}", escaped(&item.key.to_string())),
            span: item.key_span,
        };
        entries(holder).iter().map(body).collect()
    };
    let of_components = root.get(&key("components")).and_then(|components| components.get(&key("schemas")));
    let mut found = named(of_components, "/components/schemas");
    found.extend(named(root.get(&key("definitions")), "/definitions"));
    found
}

/// The schemas of bodies, read as one.
fn read(document: &Document, bodies: &[Body]) -> (Schema, Vec<Option<SchemaId>>) {
    let root = &document.value;
    let span = root.span;
    let text = |text: String| Node::new(NodeValue::String(text.into()), span);
    let map = |items: Vec<lofting_document::MapItem>| Node::new(NodeValue::Map(items.into()), span);
    let reference = |(index, body): (usize, &Body)| {
        let reference = map(vec![unwritten(key("$ref"), text(format!("#{}", body.pointer)))]);
        unwritten(key(&index.to_string()), reference)
    };
    let properties = map(bodies.iter().enumerate().map(reference).collect());
    let mut items = entries(Some(root)).to_vec();
    items.push(unwritten(key(BODIES), map(vec![unwritten(key("properties"), properties)])));
    let with = Document { value: map(items), ..document.clone() };
    let schema = json_schema_of(&with, &format!("/{BODIES}"));
    let of_body = |index: usize| {
        let map = schema.node(schema.root()).map.as_deref()?;
        Some(map.get(&key(&index.to_string()))?.schema)
    };
    let ids = (0..bodies.len()).map(of_body).collect();
    (schema, ids)
}

/// The document of a file.
fn described(in_new: bool, side: &Side) -> Result<&Document, Incomparable> {
    let is_described =
        |document: &&Document| json_schema::openapi::HEADS.iter().any(|head| document.value.get(&key(head)).is_some());
    let found = side.document().filter(is_described);
    found.ok_or(Incomparable { in_new, why: NoVersion::NoOpenApi })
}

/// Compares two documents.
pub(super) fn add(compared: &mut Compared, before: &Side, after: &Side, texts: Texts<'_>) -> Result<(), Incomparable> {
    let (old_document, new_document) = (described(false, before)?, described(true, after)?);
    let (mut old, mut new) = (bodies(&old_document.value), bodies(&new_document.value));
    if old.is_empty() && new.is_empty() {
        (old, new) = (components(&old_document.value), components(&new_document.value));
    }
    let ((old_schema, old_ids), (new_schema, new_ids)) = (read(old_document, &old), read(new_document, &new));
    let mut roots = Vec::new();
    fn name(part: &Part) -> [Option<&str>; 3] {
        [part.operation.as_deref(), part.media_type.as_deref(), part.component.as_deref()]
    }
    let numbers = numbered(new.iter().map(|body| name(&body.part))).into_iter().enumerate();
    let mut left: FxHashMap<_, usize> = numbers.map(|(index, name)| (name, index)).collect();
    let mut gone = Vec::new();
    for (index, name) in numbered(old.iter().map(|body| name(&body.part))).into_iter().enumerate() {
        match left.remove(&name) {
            Some(at) => roots.push((index, at)),
            None => gone.push(index),
        }
    }
    // A single body of an operation is compared with the one that took its place, in another media type.
    let mut fresh: Vec<usize> = left.into_values().collect();
    fresh.sort_unstable();
    let operation = |body: Option<&Body>| body.and_then(|body| body.part.operation.clone());
    let mut of_operation: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for index in fresh {
        of_operation.entry(operation(new.get(index)).unwrap_or_default()).or_default().push(index);
    }
    for index in gone {
        let others = operation(old.get(index)).and_then(|operation| of_operation.get_mut(&operation));
        match others.and_then(Vec::pop) {
            Some(at) => roots.push((index, at)),
            None => {
                let Some(body) = old.get(index) else { continue };
                let change = Change::new(Kind::Removed).breaking(Breaks::BOTH).at(Some(body.span), None);
                compared.changes.push(Change { part: body.part.clone(), ..change });
            }
        }
    }
    let mut fresh: Vec<usize> = of_operation.into_values().flatten().collect();
    fresh.sort_unstable();
    for body in fresh.into_iter().filter_map(|index| new.get(index)) {
        let change = Change::new(Kind::AddedOptional).at(None, Some(body.span));
        compared.changes.push(Change { part: body.part.clone(), ..change });
    }
    let id = |ids: &[Option<SchemaId>], index: usize| ids.get(index).copied().flatten();
    let roots = roots
        .into_iter()
        .filter_map(|(from, to)| Some((new.get(to)?.part.clone(), id(&old_ids, from)?, id(&new_ids, to)?)));
    compared.add_roots(&old_schema, &new_schema, texts, roots.collect());
    Ok(())
}
