//! Every value that a schema declares, with all that it says about it: what documentation is written from.

use super::parts::{Part, bounds, choices, parts};
use crate::compare::equal;
use crate::{Kinds, Schema, SchemaId, SchemaNode};
use lofting_document::{Key, Node, Span};
use std::rc::Rc;

/// The maximum number of values that are listed: longer pages would not be read, and schemas that share their parts can
/// have millions.
const MOST: usize = 20_000;

/// The values that a schema declares, each after the one that contains it.
#[derive(Debug, Clone, Default)]
pub struct DeclaredValues<'s> {
    /// The description of the whole document, or of the value at its root.
    pub root: Option<DeclaredValue<'s>>,
    /// The values below it, in the order of the schema.
    pub values: Vec<DeclaredValue<'s>>,
    /// Whether there are more than are listed.
    pub is_cut: bool,
}

/// A declared value.
#[derive(Debug, Clone)]
pub struct DeclaredValue<'s> {
    /// The path: keys joined by dots, `[]` for items, `*` for undeclared keys and
    /// `/…/` for those that match a pattern. What would mean one of these in a key has a backslash before it. Unique.
    pub path: String,
    /// The last step of the path.
    pub name: String,
    /// How many entries contain it.
    pub depth: usize,
    /// The types in words.
    pub types: String,
    /// It has to be given.
    pub required: bool,
    /// The allowed values, if only some are, each with its meaning if that is documented.
    pub allowed: Vec<(&'s Node, Option<&'s str>)>,
    /// Ranges, lengths, patterns and formats in words.
    pub bounds: Vec<String>,
    /// What its rules in code say, as far as they have descriptions.
    pub rules: Vec<&'s str>,
    /// The value if none is given, as far as it is known without running code.
    pub default: Option<Node>,
    /// A short name.
    pub title: Option<&'s str>,
    /// A text, which may be Markdown.
    pub description: Option<&'s str>,
    /// Examples, with what they show.
    pub examples: Vec<(&'s Node, &'s str)>,
    /// It should no longer be used; what to use instead.
    pub deprecated: Option<&'s str>,
    /// The place of its declaration.
    pub declared: Span,
    /// The path of the entry above it with the same keys, which are not listed again.
    pub same_as: Option<String>,
}

/// All values below these nodes, which say something about one value.
pub fn declared_values<'s>(schema: &'s Schema, nodes: &[SchemaId]) -> DeclaredValues<'s> {
    let mut found = DeclaredValues::default();
    let root = Part::root(nodes);
    found.root = declared_value(schema, &root, "", 0);
    let mut open: Vec<Open> = below(schema, root, 0, "", &Vec::new());
    while let Some(Open { part, path, depth, above }) = open.pop() {
        lofting_memo::step();
        if found.values.len() >= MOST {
            found.is_cut = true;
            break;
        }
        let Some(mut value) = declared_value(schema, &part, &path, depth) else { continue };
        let same = above.iter().find(|(nodes, _)| part.nodes.iter().any(|node| nodes.contains(node)));
        value.same_as = same.map(|(_, path)| path.clone());
        let is_new = value.same_as.is_none();
        found.values.push(value);
        if is_new {
            open.extend(below(schema, part, depth + 1, &path, &above));
        }
    }
    found
}

/// A value that is still to be looked at.
struct Open {
    part: Part,
    path: String,
    depth: usize,
    /// The values that contain it.
    above: Rc<Above>,
}

/// The nodes of values that contain each other, with their paths.
type Above = Vec<(Vec<SchemaId>, String)>;

/// The values directly below one, the first one last.
fn below(schema: &Schema, part: Part, depth: usize, path: &str, above: &Above) -> Vec<Open> {
    let mut above = above.clone();
    let (mut part, mut path) = (part, path.to_owned());
    // Items that say nothing of their own have no entry: their keys follow those of the array.
    let mut open = Vec::new();
    loop {
        let keys = parts(schema, &part);
        let item = part.items(schema);
        above.push((part.nodes, path.clone()));
        let around = Rc::new(above.clone());
        open.extend(keys.into_iter().map(|part| {
            let name = name(&part);
            let path = if path.is_empty() { name } else { format!("{path}.{name}") };
            Open { part, path, depth, above: Rc::clone(&around) }
        }));
        let Some(item) = item else { break };
        let path_of_items = format!("{path}[]");
        let speaking = item.speaking(schema);
        let says_something = speaking
            .iter()
            .any(|node| node.docs.description.is_some() || !node.constraints.is_empty() || !node.rules.is_empty());
        let is_again = above.iter().any(|(nodes, _)| item.nodes.iter().any(|node| nodes.contains(node)));
        if says_something || is_again {
            open.push(Open { part: item, path: path_of_items, depth, above: around });
            break;
        }
        (part, path) = (item, path_of_items);
    }
    open.reverse();
    open
}

/// The step of a path to a value: its key, in which dots are escaped, or what stands for its keys.
fn name(part: &Part) -> String {
    match &part.key {
        Some(key) => escaped(key),
        None => part.label.clone(),
    }
}

/// A key in a path, with a backslash before what would mean something else there.
pub fn escaped(key: &Key) -> String {
    let key = key.to_string();
    let mut out = String::with_capacity(key.len());
    if key == "*" || key.starts_with('/') {
        out.push('\\');
    }
    for c in key.chars() {
        if matches!(c, '\\' | '.' | '[') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// What the schema says about a value; None if it must no longer be given, or if there is no such text.
fn declared_value<'s>(schema: &'s Schema, part: &Part, path: &str, depth: usize) -> Option<DeclaredValue<'s>> {
    let speaking = part.speaking(schema);
    let nodes = || part.nodes.iter().map(|id| schema.node(*id)).chain(speaking.iter().copied());
    let first = nodes().next()?;
    let text = |text: &'s Option<crate::Text>| text.as_ref().map(|text| text.text.as_str());
    let said = |text: &&'s str| !text.is_empty();
    let name = match path.strip_suffix("[]") {
        Some(_) if part.key.is_none() => "[]".to_owned(),
        _ => name(part),
    };
    Some(DeclaredValue {
        path: path.to_owned(),
        name,
        depth,
        types: types(schema, part, &speaking),
        required: part.required,
        allowed: allowed(&speaking),
        bounds: bounds(&speaking),
        rules: speaking.iter().flat_map(|node| &node.rules).filter_map(|rule| rule.description.as_deref()).collect(),
        default: default(schema, part, &speaking),
        title: nodes().find_map(|node| text(&node.docs.title)).filter(said),
        description: nodes().find_map(|node| text(&node.docs.description)).filter(said),
        examples: examples(nodes()),
        deprecated: nodes().find_map(|node| text(&node.docs.deprecated)),
        declared: first.declared.name,
        same_as: None,
    })
}

/// The types in words: if the schema says none, those of the allowed values.
fn types(schema: &Schema, part: &Part, speaking: &[&SchemaNode]) -> String {
    let said = part.types(schema);
    let values = choices(speaking).unwrap_or_default();
    if said != "any" || values.is_empty() {
        return said;
    }
    let kinds = values.iter().filter_map(|value| Kinds::of(&value.value)).fold(Kinds::NONE, Kinds::or);
    kinds.words(&schema.semantics().words).join(" or ")
}

fn allowed<'s>(speaking: &[&'s SchemaNode]) -> Vec<(&'s Node, Option<&'s str>)> {
    let meanings = speaking.iter().map(|node| &node.docs.of_values).find(|meanings| !meanings.is_empty());
    let meaning = |index: usize| meanings?.get(index).map(String::as_str).filter(|meaning| !meaning.is_empty());
    let values = choices(speaking).unwrap_or_default().iter().enumerate();
    values.map(|(index, value)| (value, meaning(index))).collect()
}

/// The default, but not one that only joins the defaults of the keys, which have entries of their own.
fn default(schema: &Schema, part: &Part, speaking: &[&SchemaNode]) -> Option<Node> {
    let declared = part.nodes.iter().filter(|id| schema.node(**id).default.is_some());
    let whole = declared.map(|id| schema.effective_default(*id)).find(Node::is_known);
    whole.or_else(|| {
        let values = speaking.iter().filter_map(|node| Some(&node.default.as_ref()?.value));
        values.into_iter().find(|value| value.is_known()).cloned()
    })
}

fn examples<'s>(nodes: impl Iterator<Item = &'s SchemaNode>) -> Vec<(&'s Node, &'s str)> {
    let mut examples: Vec<(&Node, &str)> = Vec::new();
    for example in nodes.flat_map(|node| &node.docs.examples).filter(|example| example.value.is_known()) {
        // Several statements about a value may give the same one.
        let (value, description) = (&example.value, example.description.as_str());
        if !examples.iter().any(|(known, about)| *about == description && equal(known, value) == Some(true)) {
            examples.push((value, description));
        }
    }
    examples
}
