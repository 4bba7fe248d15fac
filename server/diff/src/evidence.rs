//! What tells that two keys are one key with another name, or in another place.

use crate::clauses::Prints;
use crate::names::plain;
use crate::place::{Described, Ids};
use lofting_schema::{Clause, Kinds, Schema, SchemaNode};
use rustc_hash::FxHashMap;

/// How many maps below two places are looked at to find out how alike these are, and how deep.
const LOOKS: usize = 100;
const DEPTH: usize = 6;

/// What is used more often is not counted any further.
const MANY: u32 = 8;

/// Descriptions that are shorter than this say little, in characters.
const TELLING_TEXT: usize = 12;

/// What both schemas say, counted: what is there once tells more than what is everywhere.
pub(crate) struct Evidence {
    pub prints: Prints,
    old: Counts,
    new: Counts,
}

/// In how many places each node of a schema is, up to [`MANY`]: what is declared once may be used everywhere.
fn uses(schema: &Schema) -> Vec<u32> {
    let mut uses = vec![0; schema.nodes().count()];
    let mut todo = vec![schema.root()];
    while let Some(id) = todo.pop() {
        let Some(uses) = uses.get_mut(id.0 as usize).filter(|uses| **uses < MANY) else { continue };
        *uses += 1;
        todo.extend(schema.named_by(id));
    }
    uses
}

/// How many declared keys of a schema have something.
#[derive(Default)]
struct Counts {
    names: FxHashMap<String, u32>,
    texts: FxHashMap<String, u32>,
    prints: FxHashMap<u64, u32>,
}

impl Counts {
    fn of(schema: &Schema, prints: &[u64]) -> Counts {
        let mut counts = Counts::default();
        let uses = uses(schema);
        let maps = schema.nodes().filter_map(|(id, node)| Some((uses.get(id.0 as usize)?, node.map.as_deref()?)));
        for (uses, declared) in maps.flat_map(|(uses, map)| map.keys.iter().map(move |declared| (uses, declared))) {
            *counts.names.entry(plain(&declared.key)).or_default() += uses;
            if let Some(text) = own_text(schema, schema.node(declared.schema)) {
                *counts.texts.entry(text).or_default() += uses;
            }
            let print = prints.get(declared.schema.0 as usize).copied().unwrap_or_default();
            *counts.prints.entry(print).or_default() += uses;
        }
        counts
    }
}

/// What is below two places.
#[derive(Clone, Copy)]
pub(crate) struct Content {
    /// How much of it is the same, in percent.
    pub share: usize,
    /// How many of the keys that both have are nowhere else.
    pub telling: usize,
}

impl Evidence {
    pub fn new(old: &Schema, new: &Schema, prints: Prints) -> Evidence {
        let counts = (Counts::of(old, &prints.old), Counts::of(new, &prints.new));
        Evidence { prints, old: counts.0, new: counts.1 }
    }

    /// Whether a name is that of one key before and of one key after.
    pub fn is_only_name(&self, old: &str, new: &str) -> bool {
        let is_once = |counts: &Counts, name: &str| counts.names.get(name).is_none_or(|count| *count <= 1);
        is_once(&self.old, old) && is_once(&self.new, new)
    }

    /// Whether a description is that of one key before and of one key after.
    pub fn is_only_text(&self, text: &str) -> bool {
        let is_once = |counts: &Counts| counts.texts.get(text).is_none_or(|count| *count <= 1);
        text.chars().count() >= TELLING_TEXT && is_once(&self.old) && is_once(&self.new)
    }

    /// Whether few other keys look like these.
    pub fn is_rare(&self, old: &Ids, new: &Ids) -> bool {
        let count = |counts: &Counts, prints: &[u64], ids: &Ids| {
            let print = |id: &lofting_schema::SchemaId| prints.get(id.0 as usize).copied().unwrap_or_default();
            ids.iter().map(|id| counts.prints.get(&print(id)).copied().unwrap_or_default()).max().unwrap_or_default()
        };
        count(&self.old, &self.prints.old, old) <= 2 && count(&self.new, &self.prints.new, new) <= 2
    }

    /// How alike two maps are.
    pub fn content(&self, old: &Described<'_>, new: &Described<'_>) -> Content {
        self.common(old, new, DEPTH, &mut LOOKS.clone())
    }

    fn common(&self, old: &Described<'_>, new: &Described<'_>, depth: usize, left: &mut usize) -> Content {
        let all = old.keys.len() + new.keys.len();
        let mut found = Content { share: 0, telling: 0 };
        // Maps of very different sizes are not alike.
        if all == 0 || 3 * old.keys.len().min(new.keys.len()) < old.keys.len().max(new.keys.len()) {
            return found;
        }
        let mut same = 0;
        for at in &old.keys {
            let Some(other) = new.by_key.get(&at.key).and_then(|index| new.keys.get(*index)) else { continue };
            let name = plain(&at.key);
            found.telling += usize::from(self.is_only_name(&name, &name));
            let (before, after) = (Described::of(old.schema, &at.below), Described::of(new.schema, &other.below));
            if before.meant() != after.meant() {
                continue;
            }
            let has_keys = !before.keys.is_empty() && !after.keys.is_empty();
            let below = match depth.checked_sub(1) {
                Some(depth) if has_keys && *left > 0 => {
                    *left -= 1;
                    self.common(&before, &after, depth, left)
                }
                _ => Content { share: 70, telling: 0 },
            };
            // What is declared once and used in many places is below many keys.
            if self.is_rare(&at.below, &other.below) {
                found.telling += below.telling;
            }
            same += if self.prints.are_alike(&at.below, &other.below) { 100 } else { below.share };
        }
        found.share = 2 * same / all;
        found
    }

    /// Points for what two places hold: many flags look alike; what has keys of its own does not.
    pub fn points_for_content(&self, before: &Described<'_>, after: &Described<'_>) -> usize {
        let is_same = self.prints.are_alike(&before.ids, &after.ids);
        if before.keys.is_empty() || after.keys.is_empty() {
            let most = if before.bounds.is_empty() { 10 } else { 30 };
            return if is_same { most } else { 0 };
        }
        let content = self.content(before, after);
        let share = if is_same { 100 } else { content.share };
        // Names that are nowhere else, several of them, are hardly there by chance.
        let telling = if self.is_rare(&before.ids, &after.ids) { content.telling } else { 0 };
        let most = match telling {
            0..5 => 30,
            5..10 if is_same => 65,
            5..10 => 60,
            _ => 75,
        };
        if share >= 50 { most * share / 100 } else { 0 }
    }
}

/// The description of a node, or that of what it refers to.
fn own_text(schema: &Schema, node: &SchemaNode) -> Option<String> {
    let own = |node: &SchemaNode| node.docs.description.as_ref().map(|docs| docs.text.trim().to_owned());
    let referred = || match node.clauses.as_slice() {
        [Clause::All(members)] => members.iter().find_map(|id| own(schema.node(*id))),
        _ => None,
    };
    own(node).or_else(referred)
}

/// The description of a place.
pub(crate) fn text(place: &Described<'_>) -> Option<String> {
    place.nodes.iter().find_map(|node| own_text(place.schema, node)).filter(|text| !text.is_empty())
}

/// The beginning of a text: long ones cost much to compare.
pub(crate) fn cut(text: &str) -> String {
    text.chars().take(200).collect()
}

/// How alike two descriptions are, from 0 to 1.
pub(crate) fn likeness_of_texts(one: &str, other: &str) -> f64 {
    strsim::normalized_damerau_levenshtein(&cut(one), &cut(other))
}

/// Whether only a boolean fits.
pub(crate) fn is_flag(place: &Described<'_>) -> bool {
    place.kinds == Kinds::BOOL
}

/// Words in texts that say that something has another name or place, before the name.
const LEADING: [&str; 10] =
    ["renamed", "replaced", "replaces", "moved", "use", "formerly", "previously", "instead", "favor", "favour"];

/// Words that may be between these and the name.
const BETWEEN: [&str; 14] =
    ["to", "by", "as", "the", "key", "field", "value", "option", "setting", "now", "under", "of", "called", "please"];

/// Words that may be between the name and `instead`.
const AFTER: [&str; 4] = ["should", "be", "used", "is"];

/// The paths and names that the texts of a place name as another name or place of it: `use container.image instead`.
pub(crate) fn told(place: &Described<'_>) -> Vec<String> {
    let docs = place.nodes.iter().map(|node| &node.docs);
    let texts = docs.flat_map(|docs| [&docs.description, &docs.deprecated, &docs.removed]);
    let mut found = Vec::new();
    for text in texts.flatten() {
        let text = cut(&text.text);
        let words = words(&text);
        let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let is_between = |word: &&String| BETWEEN.contains(&word.as_str());
        for (index, word) in words.iter().enumerate() {
            let before = lower.get(..index).unwrap_or_default().iter().rev();
            let after = lower.get(index + 1..).unwrap_or_default().iter();
            let lead = before.take(4).find(|word| !is_between(word));
            let end = after.take(4).find(|word| !AFTER.contains(&word.as_str()));
            let is_told = lead.is_some_and(|lead| LEADING.contains(&lead.as_str()));
            let is_told = is_told || end.is_some_and(|end| end == "instead");
            if is_told && !lower.get(index).is_some_and(|word| is_between(&word)) {
                found.push((*word).to_owned());
            }
        }
    }
    found
}

/// The words of a text; names and paths of keys are words.
pub(crate) fn words(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let words = text.split(|c| !is_word(c)).map(|word| word.trim_matches('.'));
    words.filter(|word| !word.is_empty()).collect()
}
