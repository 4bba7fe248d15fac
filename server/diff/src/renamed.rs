//! Finds out which removed keys have another name in the same map, and which.

use crate::evidence::{Evidence, cut, is_flag, likeness_of_texts, text, words};
use crate::names::{Likeness, are_same_words, likeness_of_names, plain};
use crate::place::{DeclaredAt, Described};
use lofting_document::Key;
use lofting_schema::compare::equal;
use rustc_hash::FxHashMap;

/// How many added keys a removed key may be compared with. If there are more, only names that differ in their spelling
/// count.
const COMPARED: usize = 5_000;

/// What is less certain than this, in percent, is not said.
const LEAST: usize = 60;

/// More points than any evidence has: a text says so.
pub(crate) const TOLD: usize = 1_000;

/// Points in percent.
pub(crate) fn certainty(points: usize) -> u8 {
    if points >= TOLD { 100 } else { u8::try_from(points.min(95)).unwrap_or(95) }
}

/// Of two possibilities that differ by less, neither is named.
const MARGIN: usize = 5;

/// The points for content that many keys have.
const COMMON: usize = 10;

/// A new name of a key.
pub(crate) struct NewName {
    /// The key in the old schema.
    pub old: Key,
    /// The key in the new schema.
    pub new: Key,
    /// In percent; 100 if a text of the schema says so.
    pub certainty: u8,
}

/// A key before, one after, and how certain it is that they are the same.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub old: usize,
    pub new: usize,
    pub score: usize,
}

/// What has an old or a new place already.
pub(crate) trait Chosen {
    /// Whether neither of the two is chosen.
    fn is_free(&self, candidate: &Candidate) -> bool;
    /// Notes that the two are one.
    fn take(&mut self, candidate: Candidate);
}

/// Chooses from candidates in their order: each key at most once, and none if another choice is as good, within a margin.
pub(crate) fn choose(candidates: &[Candidate], margin: usize, chosen: &mut impl Chosen) {
    let mut of_old: FxHashMap<usize, Vec<Candidate>> = FxHashMap::default();
    let mut of_new: FxHashMap<usize, Vec<Candidate>> = FxHashMap::default();
    for candidate in candidates {
        of_old.entry(candidate.old).or_default().push(*candidate);
        of_new.entry(candidate.new).or_default().push(*candidate);
    }
    let scores: FxHashMap<(usize, usize), usize> = candidates.iter().map(|at| ((at.old, at.new), at.score)).collect();
    let score = |old: usize, new: usize| scores.get(&(old, new)).copied().unwrap_or_default();
    let all = |of: &'_ FxHashMap<usize, Vec<Candidate>>, at: usize| of.get(&at).cloned().unwrap_or_default();
    for candidate in candidates.iter().copied() {
        if !chosen.is_free(&candidate) {
            continue;
        }
        // Whether this one is better, although `rival` wants the same key: alone, or with what is left to the rival's other
        // key. Of `accessKeyID` and `secretAccessKey` either may be `accessKey` now, but only the second `secretKey`.
        let is_better = |rival: &Candidate, others: Vec<Candidate>| {
            let with_other = others
                .into_iter()
                .filter(|other| (other.old, other.new) != (rival.old, rival.new) && chosen.is_free(other));
            let crossed = |other: &Candidate| score(other.old, candidate.new) + score(candidate.old, other.new);
            let mut sums = with_other.map(|other| (candidate.score + other.score, crossed(&other)));
            candidate.score >= rival.score + margin || sums.any(|(this, crossed)| this >= crossed + margin)
        };
        let is_rival =
            |rival: &Candidate| (rival.old, rival.new) != (candidate.old, candidate.new) && chosen.is_free(rival);
        let has_rival =
            all(&of_new, candidate.new).iter().any(|at| is_rival(at) && !is_better(at, all(&of_old, at.old)))
                || all(&of_old, candidate.old).iter().any(|at| is_rival(at) && !is_better(at, all(&of_new, at.new)));
        if !has_rival {
            chosen.take(candidate);
        }
    }
}

/// New names among the keys of one map.
struct Names<'a> {
    removed: &'a [&'a DeclaredAt],
    added: &'a [&'a DeclaredAt],
    gone: Vec<bool>,
    taken: Vec<bool>,
    found: Vec<NewName>,
}

impl Chosen for Names<'_> {
    fn is_free(&self, candidate: &Candidate) -> bool {
        let is_taken = |list: &[bool], at: usize| list.get(at).copied().unwrap_or(true);
        !is_taken(&self.gone, candidate.old) && !is_taken(&self.taken, candidate.new)
    }

    fn take(&mut self, candidate: Candidate) {
        self.gone.get_mut(candidate.old).into_iter().for_each(|is| *is = true);
        self.taken.get_mut(candidate.new).into_iter().for_each(|is| *is = true);
        if let (Some(old), Some(new)) = (self.removed.get(candidate.old), self.added.get(candidate.new)) {
            let certainty = certainty(candidate.score);
            self.found.push(NewName { old: old.key.clone(), new: new.key.clone(), certainty });
        }
    }
}

/// The new names of keys that are gone, each new key for at most one of them.
pub(crate) fn new_names(
    old: &Described<'_>,
    new: &Described<'_>,
    removed: &[&DeclaredAt],
    added: &[&DeclaredAt],
    evidence: &Evidence,
) -> Vec<NewName> {
    let mut scored: Vec<Candidate> = Vec::new();
    if removed.len().saturating_mul(added.len()) <= COMPARED {
        for (from, gone) in removed.iter().enumerate() {
            for (to, fresh) in added.iter().enumerate() {
                let is_alone = removed.len() == 1 && added.len() == 1;
                let score = score((old, gone), (new, fresh), is_alone, evidence);
                scored.push(Candidate { old: from, new: to, score });
            }
        }
    } else {
        let mut by_name: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (to, fresh) in added.iter().enumerate() {
            by_name.entry(plain(&fresh.key)).or_default().push(to);
        }
        for (from, gone) in removed.iter().enumerate() {
            if let Some([to]) = by_name.get(&plain(&gone.key)).map(Vec::as_slice) {
                scored.push(Candidate { old: from, new: *to, score: 90 });
            }
        }
    }
    scored.retain(|candidate| candidate.score >= LEAST);
    scored.sort_by_key(|candidate| (usize::MAX - candidate.score, candidate.old, candidate.new));
    let (gone, taken) = (vec![false; removed.len()], vec![false; added.len()]);
    let mut names = Names { removed, added, gone, taken, found: Vec::new() };
    choose(&scored, MARGIN, &mut names);
    names.found
}

/// The points for a key being the new name of another one.
fn score(
    (old, gone): (&Described<'_>, &DeclaredAt),
    (new, fresh): (&Described<'_>, &DeclaredAt),
    is_alone: bool,
    evidence: &Evidence,
) -> usize {
    let (before, after) = (Described::of(old.schema, &gone.below), Described::of(new.schema, &fresh.below));
    if says_renamed(&before, &gone.key, &after, &fresh.key) {
        return TOLD;
    }
    if before.meant() != after.meant() {
        return 0;
    }
    let (old_name, new_name) = (plain(&gone.key), plain(&fresh.key));
    let mut score = match likeness_of_names(&old_name, &new_name) {
        // `nginx-ingress` and `ingressNginx`.
        Likeness::Some | Likeness::None if are_same_words(&gone.key, &fresh.key) => 40,
        Likeness::Same => 65,
        // Flags look all alike.
        Likeness::Part if is_flag(&before) => 30,
        Likeness::Part => 40,
        Likeness::Some => 25,
        Likeness::None => 0,
    };
    score += match (text(&before), text(&after)) {
        (Some(before), Some(after)) if before == after && evidence.is_only_text(&before) => 35,
        (Some(before), Some(after)) if before == after => 10,
        (Some(before), Some(after)) if likeness_of_texts(&before, &after) > 0.8 => 20,
        _ => 0,
    };
    let content = evidence.points_for_content(&before, &after);
    // What many keys have, like limits of processor and memory, tells little.
    let is_common = !before.keys.is_empty() && !evidence.is_rare(&gone.below, &fresh.below);
    score += if is_common { content.min(COMMON) } else { content };
    let default = |place: &Described<'_>| place.default.map(|default| default.value.clone());
    if let (Some(before), Some(after)) = (default(&before), default(&after))
        && equal(&before, &after) == Some(true)
    {
        score += 10;
        // The only key of its map.
        score += if old.keys.len() == 1 && new.keys.len() == 1 { 25 } else { 0 };
    }
    if neighbours(old, &gone.key) == neighbours(new, &fresh.key) {
        score += 10;
    }
    score += if is_alone { 5 } else { 0 };
    score
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
        name.len() > 2
            && texts.flatten().any(|text| {
                let text = cut(&text.text);
                let lower = text.to_lowercase();
                // Of `container.image` it is the last one that is meant.
                let is_named = |word: &&str| word.rsplit('.').next() == Some(name.as_str());
                TELLING.iter().any(|word| lower.contains(word)) && words(&text).iter().any(is_named)
            })
    };
    names(before, new) || names(after, old)
}
