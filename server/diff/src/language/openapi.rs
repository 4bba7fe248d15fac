//! Request bodies of OpenAPI documents.

use super::numbered::numbered;
use super::{Compared, Incomparable, NoVersion, Side, Texts, json_schema_of, unwritten};
use crate::change::{Breaks, Change, Kind, Part, Path, PathStep};
use crate::place::{Described, ids};
use lofting_dialect::json_schema;
use lofting_document::{Document, Key, Node, NodeValue, Span};
use lofting_schema::{Access, Schema, SchemaId};
use rustc_hash::{FxHashMap, FxHashSet};

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
    /// Requests without a body are refused: where the document says so.
    required: Option<Span>,
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

/// Where an object says that it is required.
fn required(node: &Node) -> Option<Span> {
    node.get(&key("required")).filter(|it| it.value == NodeValue::Bool(true)).map(|it| it.span)
}

/// The name of an operation without the names of the parameters in its path, which callers do not see.
fn without_names(operation: &str) -> String {
    let parts = operation.split('/').map(|part| {
        let (before, rest) = part.split_once('{').unwrap_or((part, ""));
        match rest.split_once('}') {
            Some((_, after)) => format!("{before}{{}}{after}"),
            None => part.to_owned(),
        }
    });
    parts.collect::<Vec<_>>().join("/")
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
                        found.push(Body {
                            part: part(&media_type),
                            pointer,
                            span: schema.span,
                            required: required(node),
                        });
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
                    let required = required(node);
                    found.push(Body { part: part("application/json"), pointer, span: schema.span, required });
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
            required: None,
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
    fn name(part: &Part) -> (Option<String>, Option<&str>, Option<&str>) {
        (part.operation.as_deref().map(without_names), part.media_type.as_deref(), part.component.as_deref())
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
    let operation = |body: Option<&Body>| body.and_then(|body| body.part.operation.as_deref()).map(without_names);
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
    let callable: FxHashSet<String> = operations(&old_document.value).map(|name| without_names(&name)).collect();
    let had_body: FxHashSet<Option<String>> = old.iter().map(|body| operation(Some(body))).collect();
    for body in fresh.into_iter().filter_map(|index| new.get(index)) {
        let name = operation(Some(body));
        // Of an operation that is new, no client has left out the body.
        let is_needed = !had_body.contains(&name) && name.is_some_and(|name| callable.contains(&name));
        let kind = match body.required {
            Some(_) if is_needed => Kind::AddedRequired,
            _ => Kind::AddedOptional,
        };
        let change = Change::new(kind).breaking(Breaks::values_if(kind == Kind::AddedRequired));
        compared.changes.push(Change { part: body.part.clone(), ..change.at(None, Some(body.span)) });
    }
    add_required(compared, &old, &new);
    let id = |ids: &[Option<SchemaId>], index: usize| ids.get(index).copied().flatten();
    let roots = roots
        .into_iter()
        .filter_map(|(from, to)| Some((new.get(to)?.part.clone(), id(&old_ids, from)?, id(&new_ids, to)?)));
    let roots: Vec<(Part, SchemaId, SchemaId)> = roots.collect();
    let first = compared.changes.len();
    compared.add_roots(&old_schema, &new_schema, texts, roots.clone());
    if [old_document, new_document].into_iter().all(asks_for_answers) {
        let asks_senders = |change: &Change| {
            let is_about = matches!(change.kind, Kind::AddedRequired | Kind::BecameRequired | Kind::BecameOptional);
            let roots = roots.iter().find(|(part, ..)| *part == change.part && part.operation.is_some());
            let is_answered = |(_, old, new): &(Part, SchemaId, SchemaId)| {
                is_read_only(&old_schema, *old, &change.path) || is_read_only(&new_schema, *new, &change.path)
            };
            !is_about || !roots.is_some_and(is_answered)
        };
        let of_bodies = compared.changes.split_off(first);
        for change in of_bodies {
            match (asks_senders(&change), change.kind) {
                (true, _) => compared.changes.push(change),
                (false, Kind::AddedRequired) => {
                    compared.changes.push(Change { kind: Kind::AddedOptional, breaks: Breaks::NOTHING, ..change });
                }
                (false, _) => {}
            }
        }
    }
    Ok(())
}

/// The names of all operations.
fn operations(root: &Node) -> impl Iterator<Item = String> {
    let of_path = |path: &'_ lofting_document::MapItem| {
        let item = resolved(root, format!("/paths/{}", escaped(&path.key.to_string()))).map(|(_, item)| item);
        let has = |method: &&&str| item.is_some_and(|item| item.get(&key(method)).is_some());
        let name = |method: &str| format!("{} {}", method.to_uppercase(), path.key);
        METHODS.iter().filter(has).map(|method| name(method)).collect::<Vec<_>>()
    };
    entries(root.get(&key("paths"))).iter().flat_map(of_path)
}

/// Bodies that requests must have now, or may leave out, each operation once.
fn add_required(compared: &mut Compared, old: &[Body], new: &[Body]) {
    fn by_operation(bodies: &[Body]) -> Vec<(String, &Body)> {
        let mut known = FxHashSet::default();
        let named = bodies.iter().filter_map(|body| Some((without_names(body.part.operation.as_deref()?), body)));
        named.filter(|(name, _)| known.insert(name.clone())).collect()
    }
    let before: FxHashMap<String, &Body> = by_operation(old).into_iter().collect();
    for (name, after) in by_operation(new) {
        let Some(before) = before.get(&name) else { continue };
        let (kind, breaks) = match (before.required, after.required) {
            (None, Some(_)) => (Kind::BecameRequired, Breaks::VALUES),
            (Some(_), None) => (Kind::BecameOptional, Breaks::TEMPLATES),
            _ => continue,
        };
        let span = |body: &Body| Some(body.required.unwrap_or(body.span));
        let part = Part { media_type: None, ..after.part.clone() };
        compared.changes.push(Change { part, ..Change::new(kind).breaking(breaks).at(span(before), span(after)) });
    }
}

/// Whether a document is of a version in which what is read only is required in answers only.
fn asks_for_answers(document: &Document) -> bool {
    let is_3_0 = |version: &Node| match &version.value {
        NodeValue::String(text) => text.starts_with("3.0"),
        NodeValue::Float(number) => *number == 3.0,
        _ => false,
    };
    document.value.get(&key("openapi")).is_some_and(is_3_0)
}

/// Whether only answers have the value at a place.
fn is_read_only(schema: &Schema, root: SchemaId, path: &Path) -> bool {
    let mut place = ids([root]);
    for step in &path.0 {
        let described = Described::of(schema, &place);
        place = match step {
            PathStep::Key(key) => described.below(key),
            PathStep::AnyKey => ids(described.others.iter().flat_map(|rule| rule.below.to_vec())),
            PathStep::Items => ids(described.items.iter().flat_map(|(items, _)| items.to_vec())),
        };
    }
    Described::of(schema, &place).nodes.iter().any(|node| node.docs.access == Some(Access::ReadOnly))
}
