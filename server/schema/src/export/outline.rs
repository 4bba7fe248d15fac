//! A schema in a few lines, for readers with little space or time: language models, and people in a hurry.
//!
//! ```text
//! service: map  # Where it listens
//!   port: integer, required, at least 1, at most 65535, default 8080
//!   names[]: string
//! ```
//!
//! What is near the root comes first; descriptions come after all keys. What is left out is counted.

use super::parts::{Part, bounds, choices, cut, one_line, parts};
use crate::words::literal;
use crate::{Schema, SchemaId, SchemaNode};
use lofting_document::NodeValue;

/// What to write of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutlineLimits {
    /// The maximum number of levels of keys; None for all.
    pub depth: Option<usize>,
    /// The maximum number of tokens, as [`tokens`] counts them.
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

/// The maximum number of keys that are looked at: no budget has space for more.
const MOST: usize = 20_000;
/// Longer descriptions, values and patterns are cut, in characters.
const DESCRIPTION: usize = 100;
const VALUE: usize = 40;
/// The maximum number of allowed values that are listed; more are only counted.
const VALUES: usize = 12;

/// A key and its description.
struct OutlineLine {
    parent: Option<usize>,
    depth: usize,
    required: bool,
    /// The number among the keys of its map.
    number: usize,
    words: String,
    description: String,
    children: Vec<usize>,
    /// Whether there are keys below it that were not looked at.
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
    let root = Part::root(nodes);
    let root = root.unfolded(schema);
    let mut lines: Vec<OutlineLine> = Vec::new();
    // The nodes above, so that schemas that contain themselves end.
    let mut above: Vec<(Part, Option<usize>, usize, Vec<SchemaId>)> = Vec::new();
    if !root.label.is_empty() || depth == Some(0) || parts(schema, &root).is_empty() {
        lines.push(line_of(&root, schema, (None, 0), 0));
        above.push((root, Some(0), 0, Vec::new()));
    } else {
        above.push((root, None, 0, Vec::new()));
    }
    let mut next = 0;
    while let Some((part, parent, level, path)) = above.get(next) {
        next += 1;
        let (parent, level) = (*parent, *level);
        let below: Vec<Part> = parts(schema, part).into_iter().map(|part| part.unfolded(schema)).collect();
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
            lines.push(line_of(&part, schema, (parent, number), indentation));
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

/// The line of a part.
fn line_of(part: &Part, schema: &Schema, (parent, number): (Option<usize>, usize), depth: usize) -> OutlineLine {
    let speaking = part.speaking(schema);
    let mut words = match part.label.as_str() {
        "" => String::new(),
        label => format!("{label}: "),
    };
    words.push_str(&kinds(part, schema, &speaking));
    if part.required {
        words.push_str(", required");
    }
    for word in bounds(&speaking).iter().map(|word| cut(word, VALUE)) {
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
    let nodes = part.nodes.iter().map(|id| schema.node(*id)).chain(speaking.iter().copied());
    let description = nodes.into_iter().find_map(|node| node.docs.description.as_ref());
    let description = description.map(|text| first_sentence(&text.text)).unwrap_or_default();
    let required = part.required;
    OutlineLine { parent, depth, required, number, words, description, children: Vec::new(), cut: false }
}

/// The allowed values, or the types.
fn kinds(part: &Part, schema: &Schema, speaking: &[&SchemaNode]) -> String {
    let Some(values) = choices(speaking) else { return part.types(schema) };
    let mut shown: Vec<String> = values.iter().take(VALUES).map(|value| cut(&literal(value), VALUE)).collect();
    let more = values.len().saturating_sub(VALUES);
    shown.extend((more > 0).then(|| format!("… {more} more")));
    shown.join(" | ")
}

/// The first sentence of a description on one line.
fn first_sentence(text: &str) -> String {
    let line = one_line(text);
    let end = line.find(". ").map_or(line.len(), |end| end + 1);
    cut(line.get(..end).unwrap_or(&line), DESCRIPTION)
}
