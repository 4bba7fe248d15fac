//! Changes of clauses: alternatives, conditions, what must not be.

use crate::listed::Listed;
use crate::pattern::Patterns;
use crate::place::{Described, Ids, ids};
use crate::{accepted, alternatives};
use lofting_document::Key;
use lofting_schema::{Clause, MapShape, Schema, SchemaId, SchemaNode};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// What becomes of the clauses of a place.
#[derive(Default)]
pub(crate) struct Clauses {
    /// Nodes that describe the same value before and after.
    pub alike: Vec<(Ids, Ids)>,
    /// Clauses that say something else if anything about these nodes changed.
    pub whole: Vec<Whole>,
    /// Clauses and alternatives that are new or gone: their keyword, and whether that refuses more than before.
    pub changed: Vec<(&'static str, bool)>,
}

/// A clause that is compared as a whole.
pub(crate) struct Whole {
    /// Its keyword.
    pub keyword: &'static str,
    /// Its node before and after.
    pub pair: (Ids, Ids),
}

/// How many rounds of comparing what is below take part in a print.
const ROUNDS: usize = 4;

/// For each node of a schema a number that is the same for nodes that look alike, to find out which alternative is
/// which. What is found to be alike is compared nevertheless.
pub(crate) fn prints(schema: &Schema) -> Vec<u64> {
    let mut prints: Vec<u64> = vec![0; schema.nodes().count()];
    for _ in 0..ROUNDS {
        let of = |id: &SchemaId| prints.get(id.0 as usize).copied().unwrap_or_default();
        let next = schema.nodes().map(|(_, node)| {
            let mut hasher = FxHasher::default();
            (node.kinds, node.nullable, node.constraints.len()).hash(&mut hasher);
            for bound in &node.constraints {
                bound.words().hash(&mut hasher);
            }
            if let Some(map) = &node.map {
                for declared in &map.keys {
                    (&declared.key, declared.required, of(&declared.schema)).hash(&mut hasher);
                }
                map.patterns.iter().for_each(|(pattern, id)| (&pattern.source, of(id)).hash(&mut hasher));
            }
            if let Some(array) = &node.array {
                (array.open, of(&array.item)).hash(&mut hasher);
            }
            for clause in &node.clauses {
                clause.about_the_same().iter().for_each(|id| of(id).hash(&mut hasher));
            }
            hasher.finish()
        });
        prints = next.collect();
    }
    prints
}

/// The prints of both schemas.
pub(crate) struct Prints {
    pub old: Vec<u64>,
    pub new: Vec<u64>,
}

impl Prints {
    fn before(&self, id: SchemaId) -> u64 {
        self.old.get(id.0 as usize).copied().unwrap_or_default()
    }

    fn after(&self, id: SchemaId) -> u64 {
        self.new.get(id.0 as usize).copied().unwrap_or_default()
    }

    /// Whether two places look alike.
    pub fn are_alike(&self, old: &Ids, new: &Ids) -> bool {
        let before: Vec<u64> = old.iter().map(|id| self.before(*id)).collect();
        let after: Vec<u64> = new.iter().map(|id| self.after(*id)).collect();
        before == after
    }
}

fn keyword(clause: &Clause) -> &'static str {
    match clause {
        Clause::All(_) => "allOf",
        Clause::Any(_) => "anyOf",
        Clause::One(_) => "oneOf",
        Clause::Not(_) => "not",
        Clause::If { .. } => "if",
        Clause::Dependent { .. } => "dependentSchemas",
        Clause::Names(_) => "propertyNames",
        Clause::Contains { .. } => "contains",
        Clause::OtherKeys(_) => "unevaluatedProperties",
        Clause::OtherItems(_) => "unevaluatedItems",
    }
}

/// The keyword as changes name it: for keys that need others there is one of its own.
fn said(schema: &Schema, clause: &Clause) -> &'static str {
    match clause {
        Clause::Dependent { schema: id, .. } if only_requires(schema.node(*id)) => "dependentRequired",
        other => keyword(other),
    }
}

/// Whether a node only asks for keys.
fn only_requires(node: &SchemaNode) -> bool {
    let asks = |map: &MapShape| map.keys.is_empty() && !map.required.is_empty() && map.takes_any_other();
    let has_no_more = node.array.is_none() && node.clauses.is_empty() && node.constraints.is_empty();
    has_no_more && node.map.as_deref().is_some_and(asks)
}

/// Compares the clauses of a place.
pub(crate) fn compare(old: &Described<'_>, new: &Described<'_>, prints: &Prints, patterns: &mut Patterns) -> Clauses {
    let mut found = Clauses::default();
    // What a clause says may decide which keys or items are left for `unevaluatedProperties` or `unevaluatedItems`.
    let unevaluated = new.nodes.iter().flat_map(|node| &node.clauses).find_map(|clause| match clause {
        Clause::OtherKeys(_) | Clause::OtherItems(_) => Some(keyword(clause)),
        _ => None,
    });
    let mut after: FxHashMap<(&str, Option<&Key>), Vec<&Clause>> = FxHashMap::default();
    for clause in new.clauses.iter().rev() {
        after.entry(name(clause)).or_default().push(clause);
    }
    let schemas = (old.schema, new.schema);
    let mut without_same: Vec<&Clause> = Vec::new();
    for before in &old.clauses {
        match after.get_mut(&name(before)).and_then(Vec::pop) {
            None => without_same.push(before),
            Some(after) => pair(before, after, schemas, prints, &mut found),
        }
    }
    // `oneOf` may have become `anyOf`, or the other way round.
    for before in without_same {
        let other = match before {
            Clause::Any(_) => "oneOf",
            _ => "anyOf",
        };
        let other = if is_choice(before) { after.get_mut(&(other, None)).and_then(Vec::pop) } else { None };
        match other {
            None if unevaluated.is_none() && is_idle(before, old.schema, new, patterns) => {}
            None => found.changed.push((said(old.schema, before), unevaluated.is_some())),
            Some(after) => pair(before, after, schemas, prints, &mut found),
        }
    }
    if let Some(keyword) = unevaluated {
        found.whole.extend(found.alike.iter().map(|pair| Whole { keyword, pair: pair.clone() }));
    }
    // What is left is new: the last of each name.
    for clause in new.clauses.iter().rev() {
        let is_left = after.get_mut(&name(clause)).and_then(Vec::pop).is_some();
        if is_left && !is_idle(clause, new.schema, old, patterns) {
            found.changed.push((said(new.schema, clause), true));
        }
    }
    // Alternatives that are values were compared as lists of these; they may have texts of their own.
    let lists = |place: &Described<'_>| -> Vec<SchemaId> {
        let clauses = place.nodes.iter().flat_map(|node| &node.clauses);
        let lists = clauses.filter(|clause| Listed::is_made_of(place.schema, clause));
        lists.flat_map(|clause| clause.members().into_owned()).collect()
    };
    found.alike.extend(alike(&lists(old), &lists(new), prints));
    found
}

/// Whether a clause of one version refuses nothing that a place of the other version accepts.
fn is_idle(clause: &Clause, schema: &Schema, place: &Described<'_>, patterns: &mut Patterns) -> bool {
    match clause {
        Clause::Any(members) => accepted::are_idle_alternatives((schema, members, false), place, patterns),
        Clause::One(members) => accepted::are_idle_alternatives((schema, members, true), place, patterns),
        _ => false,
    }
}

/// Whether it has alternatives.
fn is_choice(clause: &Clause) -> bool {
    matches!(clause, Clause::Any(_) | Clause::One(_))
}

/// The nodes that look alike.
fn alike(old: &[SchemaId], new: &[SchemaId], prints: &Prints) -> Vec<(Ids, Ids)> {
    let mut by_print: FxHashMap<u64, Vec<SchemaId>> = FxHashMap::default();
    for id in new.iter().rev() {
        by_print.entry(prints.after(*id)).or_default().push(*id);
    }
    let same = |id: &SchemaId| Some((ids([*id]), ids([by_print.get_mut(&prints.before(*id))?.pop()?])));
    old.iter().filter_map(same).collect()
}

/// What a clause is compared with: the clauses of the same keyword, and about the same key.
fn name(clause: &Clause) -> (&'static str, Option<&Key>) {
    let key = match clause {
        Clause::Dependent { key, .. } => Some(key),
        _ => None,
    };
    (keyword(clause), key)
}

fn pair(
    before: &Clause,
    after: &Clause,
    (old_schema, schema): (&Schema, &Schema),
    prints: &Prints,
    found: &mut Clauses,
) {
    let keyword = keyword(after);
    let one = |id: &SchemaId| ids([*id]);
    match (before, after) {
        (Clause::Any(old) | Clause::One(old), Clause::Any(new) | Clause::One(new)) => {
            let first = found.alike.len();
            let (gone, added) = align(old, new, prints, found);
            // A value that two alternatives of `oneOf` accept is refused, so one that accepts more may refuse more.
            if keyword == "oneOf" && !alternatives::are_apart(schema, new) {
                let pairs = found.alike.iter().skip(first).cloned();
                found.whole.extend(pairs.map(|pair| Whole { keyword, pair }));
            }
            // What several alternatives accept, only `anyOf` accepts.
            let is_wider = matches!((before, after), (Clause::One(_), Clause::Any(_)))
                && !alternatives::are_apart(old_schema, old);
            let is_narrower =
                matches!((before, after), (Clause::Any(_), Clause::One(_))) && !alternatives::are_apart(schema, new);
            found.changed.extend(is_narrower.then_some((keyword, true)));
            found.changed.extend((added > 0 || is_wider).then_some((keyword, false)));
            found.changed.extend(std::iter::repeat_n((keyword, true), usize::from(gone > 0)));
        }
        (Clause::Not(old), Clause::Not(new)) | (Clause::Names(old), Clause::Names(new)) => {
            found.whole.push(Whole { keyword, pair: (one(old), one(new)) });
        }
        (
            Clause::Contains { schema: old, least, most, .. },
            Clause::Contains { schema: new, least: new_least, most: new_most, .. },
        ) => {
            found.whole.push(Whole { keyword, pair: (one(old), one(new)) });
            if (least, most) != (new_least, new_most) {
                let fewer = new_least > least || new_most.unwrap_or(u64::MAX) < most.unwrap_or(u64::MAX);
                found.changed.push((keyword, fewer));
            }
        }
        (
            Clause::If { condition: old, then: old_then, otherwise: old_else },
            Clause::If { condition: new, then: new_then, otherwise: new_else },
        ) => {
            found.whole.push(Whole { keyword, pair: (one(old), one(new)) });
            for (before, after) in [(old_then, new_then), (old_else, new_else)] {
                match (before, after) {
                    (Some(before), Some(after)) => found.alike.push((one(before), one(after))),
                    (Some(_), None) => found.changed.push((keyword, false)),
                    (None, Some(_)) => found.changed.push((keyword, true)),
                    (None, None) => {}
                }
            }
        }
        (Clause::Dependent { schema: old, .. }, Clause::Dependent { schema: new, .. }) => {
            found.alike.push((one(old), one(new)));
        }
        _ => {}
    }
}

/// Finds out which alternative is which; says how many are gone and how many are new.
fn align(old: &[SchemaId], new: &[SchemaId], prints: &Prints, found: &mut Clauses) -> (usize, usize) {
    let mut by_print: FxHashMap<u64, Vec<SchemaId>> = FxHashMap::default();
    for id in new.iter().rev() {
        by_print.entry(prints.after(*id)).or_default().push(*id);
    }
    let mut gone = Vec::new();
    for id in old {
        match by_print.get_mut(&prints.before(*id)).and_then(Vec::pop) {
            Some(same) => found.alike.push((ids([*id]), ids([same]))),
            None => gone.push(*id),
        }
    }
    let mut left: FxHashSet<SchemaId> = by_print.into_values().flatten().collect();
    let added: Vec<SchemaId> = new.iter().copied().filter(|id| left.remove(id)).collect();
    let both = gone.len().min(added.len());
    found.alike.extend(gone.iter().zip(&added).map(|(old, new)| (ids([*old]), ids([*new]))));
    (gone.len() - both, added.len() - both)
}
