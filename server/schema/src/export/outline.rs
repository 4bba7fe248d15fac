//! A schema in few lines, for readers who pay for each word: models, and people in a hurry.
//!
//! ```text
//! service: map  # Where it listens
//!   port: integer, required, at least 1, at most 65535, default 8080
//!   names[]: string
//! ```
//!
//! What is near the root comes first; descriptions come after all keys. What is left out is counted.

use crate::navigate::{Step, Via};
use crate::words::literal;
use crate::{ConstraintKind, KeyChild, Schema, SchemaId, SchemaNode, Shape};
use lofting_document::{Key, NodeValue};
use rustc_hash::FxHashSet;

/// What to write of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutlineLimits {
    /// So many levels of keys; None for all.
    pub depth: Option<usize>,
    /// At most so many tokens, as [`tokens`] counts them.
    pub budget: usize,
}

/// The lines of a schema.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// The text; each line ends with a line feed.
    pub text: String,
    /// Its tokens, as [`tokens`] counts them.
    pub tokens: usize,
    /// Nothing was left out: no key, and no description.
    pub complete: bool,
}

/// More keys are not looked at: no budget has space for them.
const MOST: usize = 20_000;
/// Longer descriptions, values and patterns are cut, in characters.
const DESCRIPTION: usize = 100;
const VALUE: usize = 40;
/// More allowed values are counted only.
const VALUES: usize = 12;

/// A key and what is said about it.
struct OutlineLine {
    parent: Option<usize>,
    depth: usize,
    required: bool,
    /// The number among the keys of its map.
    number: usize,
    words: String,
    description: String,
    children: Vec<usize>,
    /// There are keys below it that were not looked at.
    cut: bool,
}

/// Estimates how many tokens a language model makes of a text. It counts more than the models that were measured, so that a
/// budget holds with any of them: one for three letters, for each other character, and for each byte that is not ASCII.
/// A blank before a word belongs to the word.
pub fn tokens(text: &str) -> usize {
    let (mut count, mut letters, mut blanks) = (0, 0_usize, 0_usize);
    for c in text.chars() {
        if c.is_ascii_alphabetic() {
            count += usize::from(blanks > 1) + usize::from(letters.is_multiple_of(3));
            (letters, blanks) = (letters + 1, 0);
            continue;
        }
        letters = 0;
        if c == ' ' {
            blanks += 1;
            continue;
        }
        count += usize::from(blanks > 0) + c.len_utf8();
        blanks = 0;
    }
    count + usize::from(blanks > 0)
}

/// The outline of these nodes, which say something about one value. It has never more tokens than the limits allow.
pub fn outline(schema: &Schema, nodes: &[SchemaId], limits: OutlineLimits) -> Outline {
    let lines = lines(schema, nodes, limits.depth);
    let ranks = ranks(&lines);
    let whole = |keys: usize, descriptions: usize| written(&lines, &ranks, keys, descriptions);
    let fits = |text: &str| tokens(text) <= limits.budget;
    let keys = most(lines.len(), |keys| fits(&whole(keys, 0)));
    let described = if keys == lines.len() { most(keys, |count| fits(&whole(keys, count))) } else { 0 };
    let text = whole(keys, described);
    let cut = lines.iter().any(|line| line.cut);
    if !fits(&text) {
        // Not even the mark for what is left out has space.
        return Outline::default();
    }
    Outline { tokens: tokens(&text), complete: !cut && keys == lines.len() && described == keys, text }
}

/// The largest number up to `limit` that fits; 0 if none does.
fn most(limit: usize, fits: impl Fn(usize) -> bool) -> usize {
    let (mut known, mut unknown) = (0, limit + 1);
    while known + 1 < unknown {
        let middle = known.midpoint(unknown);
        *if fits(middle) { &mut known } else { &mut unknown } = middle;
    }
    known
}

/// All keys, level by level.
fn lines(schema: &Schema, nodes: &[SchemaId], depth: Option<usize>) -> Vec<OutlineLine> {
    let root = Part { nodes: nodes.to_vec(), label: String::new(), required: false };
    let root = root.unfolded(schema);
    let mut lines: Vec<OutlineLine> = Vec::new();
    // The nodes above, so that schemas that contain themselves end.
    let mut above: Vec<(Part, Option<usize>, usize, Vec<SchemaId>)> = Vec::new();
    if !root.label.is_empty() || depth == Some(0) || parts(schema, &root).is_empty() {
        lines.push(root.line(schema, (None, 0), 0));
        above.push((root, Some(0), 0, Vec::new()));
    } else {
        above.push((root, None, 0, Vec::new()));
    }
    let mut next = 0;
    while let Some((part, parent, level, path)) = above.get(next) {
        next += 1;
        let (parent, level) = (*parent, *level);
        let below = parts(schema, part);
        let is_again = part.nodes.iter().any(|node| path.contains(node));
        let is_deep = depth.is_some_and(|depth| level >= depth) || lines.len() >= MOST;
        if !below.is_empty() && (is_again || is_deep) {
            if let Some(line) = parent.and_then(|parent| lines.get_mut(parent)) {
                line.cut = true;
            }
            continue;
        }
        let path: Vec<SchemaId> = path.iter().chain(&part.nodes).copied().collect();
        for (number, part) in below.into_iter().enumerate() {
            let own = lines.len();
            let indentation = parent.and_then(|parent| lines.get(parent)).map_or(0, |line| line.depth + 1);
            lines.push(part.line(schema, (parent, number), indentation));
            if let Some(line) = parent.and_then(|parent| lines.get_mut(parent)) {
                line.children.push(own);
            }
            above.push((part, Some(own), level + 1, path.clone()));
        }
    }
    lines
}

/// The place of each line among those that compete for the budget: level by level, first the required keys, and of each
/// map some before all of one.
fn ranks(lines: &[OutlineLine]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|at| lines.get(*at).map(|line| (line.depth, !line.required, line.number, *at)));
    let mut ranks = vec![0; lines.len()];
    for (rank, at) in order.into_iter().enumerate() {
        if let Some(place) = ranks.get_mut(at) {
            *place = rank;
        }
    }
    ranks
}

/// The lines with the first ranks, as a tree in the order of the schema.
fn written(lines: &[OutlineLine], ranks: &[usize], keys: usize, descriptions: usize) -> String {
    let is_among = |at: usize, count: usize| ranks.get(at).is_some_and(|rank| *rank < count);
    let mut text = String::new();
    let roots: Vec<usize> =
        lines.iter().enumerate().filter(|(_, line)| line.parent.is_none()).map(|(at, _)| at).collect();
    let mut open: Vec<usize> = roots.iter().copied().filter(|at| is_among(*at, keys)).rev().collect();
    while let Some(at) = open.pop() {
        let Some(line) = lines.get(at) else { continue };
        text.push_str(&"  ".repeat(line.depth));
        text.push_str(&line.words);
        let shown: Vec<usize> = line.children.iter().copied().filter(|child| is_among(*child, keys)).collect();
        let hidden = line.children.len() - shown.len();
        match hidden {
            _ if line.cut => text.push_str(" {…}"),
            0 => {}
            hidden => text.push_str(&format!(" {{… {hidden} more}}")),
        }
        if is_among(at, descriptions) && !line.description.is_empty() {
            text.push_str("  # ");
            text.push_str(&line.description);
        }
        text.push('\n');
        open.extend(shown.into_iter().rev());
    }
    let hidden = roots.iter().filter(|at| !is_among(**at, keys)).count();
    if hidden > 0 {
        text.push_str(&format!("{{… {hidden} more}}\n"));
    }
    text
}

/// A value, described by several nodes.
struct Part {
    nodes: Vec<SchemaId>,
    label: String,
    required: bool,
}

impl Part {
    /// The part of the items, if arrays are all that is described: `ports[]`.
    fn unfolded(mut self, schema: &Schema) -> Part {
        // No array is in itself for ever.
        for _ in 0..4 {
            let speaking = self.speaking(schema);
            let has_keys = speaking.iter().any(|node| node.map.as_ref().is_some_and(|map| !map.keys.is_empty()));
            if has_keys || !speaking.iter().any(|node| node.array.is_some()) {
                break;
            }
            let below = self.nodes.iter().flat_map(|id| schema.children(*id, &Step::Item));
            let below: Vec<SchemaId> = below.map(|child| child.schema).collect();
            if below.is_empty() {
                break;
            }
            self = Part { nodes: below, label: format!("{}[]", self.label), required: self.required };
        }
        self
    }

    fn speaking<'s>(&self, schema: &'s Schema) -> Vec<&'s SchemaNode> {
        let mut seen = FxHashSet::default();
        let ids = self.nodes.iter().flat_map(|id| schema.speaking(*id)).filter(|id| seen.insert(*id));
        ids.map(|id| schema.node(id)).collect()
    }

    fn line(&self, schema: &Schema, (parent, number): (Option<usize>, usize), depth: usize) -> OutlineLine {
        let speaking = self.speaking(schema);
        let mut words = match self.label.as_str() {
            "" => String::new(),
            label => format!("{label}: "),
        };
        words.push_str(&self.kinds(schema, &speaking));
        if self.required {
            words.push_str(", required");
        }
        for word in bounds(&speaking) {
            words.push_str(", ");
            words.push_str(&word);
        }
        let default = speaking.iter().find_map(|node| {
            let default = &node.default.as_ref()?.value;
            let is_shown = match &default.value {
                NodeValue::Map(_) | NodeValue::Unknown => false,
                NodeValue::Array(items) => !items.is_empty(),
                _ => true,
            };
            is_shown.then(|| cut(&literal(default), VALUE))
        });
        words.extend(default.map(|default| format!(", default {default}")));
        if speaking.iter().any(|node| node.docs.deprecated.is_some()) {
            words.push_str(", deprecated");
        }
        let nodes = self.nodes.iter().map(|id| schema.node(*id)).chain(speaking.iter().copied());
        let description = nodes.into_iter().find_map(|node| node.docs.description.as_ref());
        let description = description.map(|text| first_sentence(&text.text)).unwrap_or_default();
        let required = self.required;
        OutlineLine { parent, depth, required, number, words, description, children: Vec::new(), cut: false }
    }

    /// The allowed values, or the types.
    fn kinds(&self, schema: &Schema, speaking: &[&SchemaNode]) -> String {
        let choices = speaking.iter().find_map(|node| {
            node.constraints.iter().find_map(|constraint| match &constraint.kind {
                ConstraintKind::OneOf(values) if !constraint.conditional => Some(values),
                _ => None,
            })
        });
        if let Some(values) = choices {
            let mut shown: Vec<String> = values.iter().take(VALUES).map(|value| cut(&literal(value), VALUE)).collect();
            let more = values.len().saturating_sub(VALUES);
            shown.extend((more > 0).then(|| format!("… {more} more")));
            return shown.join(" | ");
        }
        let mut words: Vec<String> = Vec::new();
        for id in &self.nodes {
            for id in schema.speaking(*id) {
                let word = schema.type_words(id);
                if word != "any" && !words.contains(&word) {
                    words.push(word);
                }
            }
        }
        if words.is_empty() { "any".to_owned() } else { words.join(" or ") }
    }
}

fn bounds(speaking: &[&SchemaNode]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for constraint in speaking.iter().flat_map(|node| &node.constraints) {
        if matches!(constraint.kind, ConstraintKind::OneOf(_) | ConstraintKind::NotNull) {
            continue;
        }
        let word = cut(&constraint.words(), VALUE);
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// The keys below a value: the declared ones, those of patterns, and all others if something is said about them.
fn parts(schema: &Schema, part: &Part) -> Vec<Part> {
    let mut labels: Vec<(String, Key, bool)> = Vec::new();
    let mut others: Vec<(String, SchemaId)> = Vec::new();
    for node in part.speaking(schema) {
        let Some(map) = node.map.as_ref().filter(|_| !matches!(node.shape(), Shape::Union(_))) else { continue };
        for declared in &map.keys {
            if schema.node(declared.schema).docs.removed.is_some() {
                continue;
            }
            let required = declared.required || map.required.contains(&declared.key);
            match labels.iter_mut().find(|(_, key, _)| *key == declared.key) {
                Some((.., known)) => *known |= required,
                None => labels.push((one_line(&declared.key.to_string()), declared.key.clone(), required)),
            }
        }
        let patterns = map.patterns.iter().map(|(pattern, id)| (format!("/{}/", cut(&pattern.source, VALUE)), *id));
        let free = map.free.iter().map(|free| ("*".to_owned(), free.schema));
        let rest = match map.child_of_others() {
            KeyChild::Child(child) if child.via == Via::Rest => Some(("*".to_owned(), child.schema)),
            _ => None,
        };
        others.extend(patterns.chain(free).chain(rest));
    }
    let declared = labels.into_iter().map(|(label, key, required)| {
        let children = part.nodes.iter().flat_map(|id| schema.children(*id, &Step::Key(key.clone())));
        let mut nodes: Vec<SchemaId> = Vec::new();
        for child in children.filter(|child| child.via != Via::Rest) {
            if !nodes.contains(&child.schema) {
                nodes.push(child.schema);
            }
        }
        Part { nodes, label, required }
    });
    let others = others.into_iter().map(|(label, id)| Part { nodes: vec![id], label, required: false });
    declared.chain(others).map(|part| part.unfolded(schema)).collect()
}

/// The first sentence of a description on one line.
fn first_sentence(text: &str) -> String {
    let line = one_line(text);
    let end = line.find(". ").map_or(line.len(), |end| end + 1);
    cut(line.get(..end).unwrap_or(&line), DESCRIPTION)
}

/// Without line breaks and other control characters.
fn one_line(text: &str) -> String {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}
