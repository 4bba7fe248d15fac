//! Finds out which removed keys were renamed, and to what.

use crate::clauses::Prints;
use crate::place::{DeclaredAt, Described};
use lofting_document::Key;
use lofting_schema::compare::equal;
use rustc_hash::FxHashMap;

/// How many added keys a removed key may be compared with. If there are more, only names that differ in their spelling
/// count.
const COMPARED: usize = 5_000;

/// What is less certain than this, in percent, is not said.
const LEAST: u32 = 60;

/// A new name of a key.
pub(crate) struct NewName {
    /// The key in the old schema.
    pub old: Key,
    /// The key in the new schema.
    pub new: Key,
    /// In percent; 100 if a text of the schema says so.
    pub certainty: u8,
}

/// A name without its spelling: `create_namespace` and `createNamespace` are the same.
fn plain(key: &Key) -> String {
    let text = key.to_string();
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The new names of keys that are gone, each new key for at most one of them.
pub(crate) fn new_names(
    old: &Described<'_>,
    new: &Described<'_>,
    removed: &[&DeclaredAt],
    added: &[&DeclaredAt],
    prints: &Prints,
) -> Vec<NewName> {
    let mut scored: Vec<(u32, usize, usize)> = Vec::new();
    if removed.len().saturating_mul(added.len()) <= COMPARED {
        for (from, gone) in removed.iter().enumerate() {
            for (to, fresh) in added.iter().enumerate() {
                let is_alone = removed.len() == 1 && added.len() == 1;
                scored.push((score((old, gone), (new, fresh), is_alone, prints), from, to));
            }
        }
    } else {
        let by_name: FxHashMap<String, usize> =
            added.iter().enumerate().map(|(to, fresh)| (plain(&fresh.key), to)).collect();
        for (from, gone) in removed.iter().enumerate() {
            scored.extend(by_name.get(&plain(&gone.key)).map(|to| (90, from, *to)));
        }
    }
    scored.retain(|(score, ..)| *score >= LEAST);
    scored.sort_by_key(|(score, from, to)| (u32::MAX - score, *from, *to));
    let (mut gone, mut taken) = (vec![false; removed.len()], vec![false; added.len()]);
    let mut found = Vec::new();
    for (score, from, to) in scored {
        let (Some(is_gone), Some(is_taken)) = (gone.get_mut(from), taken.get_mut(to)) else { continue };
        if std::mem::replace(is_gone, true) || std::mem::replace(is_taken, true) {
            continue;
        }
        if let (Some(old), Some(new)) = (removed.get(from), added.get(to)) {
            let certainty = u8::try_from(score).unwrap_or(100);
            found.push(NewName { old: old.key.clone(), new: new.key.clone(), certainty });
        }
    }
    found
}

/// How certain it is that a key is the new name of another one, in percent.
fn score(
    (old, gone): (&Described<'_>, &DeclaredAt),
    (new, fresh): (&Described<'_>, &DeclaredAt),
    is_alone: bool,
    prints: &Prints,
) -> u32 {
    let (before, after) = (Described::of(old.schema, &gone.below), Described::of(new.schema, &fresh.below));
    if says_renamed(&before, &gone.key, &after, &fresh.key) {
        return 100;
    }
    if before.kinds != after.kinds {
        return 0;
    }
    let (old_name, new_name) = (plain(&gone.key), plain(&fresh.key));
    let likeness = strsim::jaro_winkler(&old_name, &new_name);
    let is_part =
        old_name.len() > 3 && new_name.len() > 3 && { new_name.ends_with(&old_name) || old_name.ends_with(&new_name) };
    let mut score = match likeness {
        _ if old_name == new_name => 65,
        _ if is_part => 40,
        likeness if likeness > 0.9 => 40,
        likeness if likeness > 0.8 => 25,
        _ => 0,
    };
    let text = |place: &Described<'_>| {
        place.nodes.iter().find_map(|node| Some(node.docs.description.as_ref()?.text.trim().to_owned()))
    };
    score += match (text(&before), text(&after)) {
        (Some(before), Some(after)) if before == after => 35,
        (Some(before), Some(after)) if strsim::normalized_damerau_levenshtein(&cut(&before), &cut(&after)) > 0.8 => 20,
        _ => 0,
    };
    // Many flags look alike; what has keys of its own does not.
    let is_rich = !before.keys.is_empty() || !before.bounds.is_empty();
    if prints.are_alike(&gone.below, &fresh.below) {
        score += if is_rich { 30 } else { 10 };
    }
    let default = |place: &Described<'_>| place.default.map(|default| default.value.clone());
    if let (Some(before), Some(after)) = (default(&before), default(&after)) {
        score += if equal(&before, &after) == Some(true) { 10 } else { 0 };
    }
    if neighbours(old, &gone.key) == neighbours(new, &fresh.key) {
        score += 10;
    }
    score += if is_alone { 5 } else { 0 };
    score.min(95)
}

/// The beginning of a text: long ones cost much to compare.
fn cut(text: &str) -> String {
    text.chars().take(200).collect()
}

/// The keys before and after a key.
fn neighbours<'p>(place: &'p Described<'_>, key: &Key) -> Option<(Option<&'p Key>, Option<&'p Key>)> {
    let at = *place.by_key.get(key)?;
    let key_at = |index: Option<usize>| Some(&place.keys.get(index?)?.key);
    Some((key_at(at.checked_sub(1)), key_at(at.checked_add(1))))
}

/// Words in texts that say that a key was renamed.
const TELLING: [&str; 6] = ["renamed", "replaced", "instead", "formerly", "moved to", "use "];

/// Whether a text of either key names the other one as its new or former name.
fn says_renamed(before: &Described<'_>, old: &Key, after: &Described<'_>, new: &Key) -> bool {
    let names = |place: &Described<'_>, key: &Key| {
        let name = key.to_string();
        let docs = place.nodes.iter().map(|node| &node.docs);
        let texts = docs.flat_map(|docs| [&docs.description, &docs.deprecated, &docs.removed]);
        let is_word = |c: char| !(c.is_alphanumeric() || c == '_' || c == '-');
        name.len() > 2
            && texts.flatten().any(|text| {
                let text = cut(&text.text);
                let lower = text.to_lowercase();
                TELLING.iter().any(|word| lower.contains(word)) && text.split(is_word).any(|word| word == name)
            })
    };
    names(before, new) || names(after, old)
}
