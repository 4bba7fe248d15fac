//! "Did you mean": the declared name nearest to a wrong one.

use crate::{Registry, Rule};
use std::collections::HashMap;

/// Searching for the nearest of many names for many wrong names takes quadratic time; beyond this number of wrong names
/// there are no suggestions.
pub const SEARCHES: usize = 200;

/// How many more wrong names are compared with many known ones, at first [`SEARCHES`].
#[derive(Debug, Clone, Copy)]
pub struct Comparisons {
    left: usize,
}

/// So few names are compared with any number of wrong ones: that takes no more time than reporting these.
const FEW: usize = 50;

impl Default for Comparisons {
    fn default() -> Self {
        Comparisons { left: SEARCHES }
    }
}

impl Comparisons {
    /// Whether a wrong name may be compared with so many known ones.
    pub fn allow(&mut self, names: usize) -> bool {
        let allowed = names <= FEW || self.are_left();
        self.left = self.left.saturating_sub(usize::from(names > FEW));
        allowed
    }

    /// Whether any are left.
    pub fn are_left(&self) -> bool {
        self.left > 0
    }
}

/// Finds what is meant by wrong names, as long as [`Comparisons`] are left.
#[derive(Default)]
pub struct Searches {
    comparisons: Comparisons,
    /// The rules that were found so far: one wrong code is often repeated.
    rules: HashMap<String, Option<&'static Rule>>,
}

impl Searches {
    /// The nearest of `names`, as [`nearest`] finds it; None as well if that was asked too often.
    pub fn nearest<'n>(&mut self, wrong: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
        let mut names = names.into_iter();
        let first: Vec<&str> = names.by_ref().take(FEW + 1).collect();
        self.comparisons.allow(first.len()).then(|| nearest(wrong, first.into_iter().chain(names))).flatten()
    }

    /// The rule whose code is most like a wrong one, as [`Registry::nearest`] finds it; None as well if that was asked too
    /// often.
    pub fn nearest_rule(&mut self, rules: &Registry, wrong: &str) -> Option<&'static Rule> {
        if let Some(known) = self.rules.get(wrong) {
            return *known;
        }
        // Codes are compared more thoroughly than names.
        if !self.comparisons.allow(usize::MAX) {
            return None;
        }
        let found = rules.nearest(wrong);
        self.rules.insert(wrong.to_owned(), found);
        found
    }
}

/// Whether nothing but `meant` can be meant by a wrong word: it differs in case and separators only, or by one slip (a
/// letter too many, too few, another one, or two in each other's place), and no other word is nearly as similar. A
/// plural, and a word with a different number, may be a new word on purpose.
pub fn is_only_meaning<'n>(wrong: &str, meant: &str, words: impl IntoIterator<Item = &'n str>) -> bool {
    let is_long = |word: &str, least: usize| (least..=LONGEST).contains(&word.len()) && word.is_ascii();
    if !is_long(wrong, 3) || !is_long(meant, 4) || wrong == meant {
        return false;
    }
    let (folded_wrong, folded_meant) = (fold(wrong), fold(meant));
    if folded_wrong != folded_meant {
        let is_plural = |one: &str, other: &str| one.strip_suffix('s') == Some(other);
        let may_be_new = is_plural(&folded_wrong, &folded_meant)
            || is_plural(&folded_meant, &folded_wrong)
            || !have_same_number(wrong, meant);
        // A separator is not a slip beside another one: `service_a` is no `services`.
        let is_slip = |wrong: &str, meant: &str| strsim::osa_distance(wrong, meant) == 1;
        if may_be_new
            || !is_slip(&folded_wrong, &folded_meant)
            || !is_slip(&wrong.to_lowercase(), &meant.to_lowercase())
        {
            return false;
        }
    }
    let is_similar = |word: &str| {
        let length = word.len().abs_diff(wrong.len());
        length <= 2 + word.len() / 4 && strsim::osa_distance(&folded_wrong, &fold(word)) <= 2
    };
    let mut others = words.into_iter().filter(|word| *word != meant);
    // Of words that are not compared, one may be meant as well.
    others.by_ref().take(MOST_WORDS).all(|word| !is_similar(word)) && others.next().is_none()
}

/// The maximum number of words that are compared.
const MOST_WORDS: usize = 5_000;

/// Folds what people mix up: case and separators.
fn fold(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' ')).flat_map(char::to_lowercase).collect()
}

/// How often each letter and digit occurs. Names whose counts differ a lot are far from each other, so their order need
/// not be compared.
struct Letters {
    counts: [u8; 37],
    all: usize,
}

impl Letters {
    /// For a name folded by [`fold`].
    fn of(name: &str) -> Letters {
        let mut letters = Letters { counts: [0; 37], all: 0 };
        for character in name.chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' ')) {
            let place = match character.to_ascii_lowercase() {
                letter @ 'a'..='z' => letter as usize - 'a' as usize,
                digit @ '0'..='9' => 26 + digit as usize - '0' as usize,
                _ => 36,
            };
            if let Some(count) = letters.counts.get_mut(place) {
                *count = count.saturating_add(1);
            }
            letters.all += 1;
        }
        letters
    }

    /// A lower bound of the distance.
    fn least_distance(&self, other: &Letters) -> usize {
        let differing: usize = self.counts.iter().zip(&other.counts).map(|(a, b)| usize::from(a.abs_diff(*b))).sum();
        differing.div_ceil(2).max(self.all.abs_diff(other.all))
    }
}

/// Whether a name is so close to another that it is most likely a typing error of it: used where unknown names are also
/// valid, so only such cases are mistakes. A different number is meant as it is written.
pub fn is_slip(wrong: &str, meant: &str) -> bool {
    let length = wrong.chars().count();
    let slips = if length < 6 { 1 } else { 2 };
    let may_be = wrong.len() <= LONGEST && length.abs_diff(meant.chars().count()) <= slips;
    may_be && have_same_number(wrong, meant) && strsim::damerau_levenshtein(wrong, meant) <= slips
}

fn have_same_number(one: &str, other: &str) -> bool {
    digits(one).eq(digits(other))
}

fn digits(word: &str) -> impl Iterator<Item = u8> {
    word.bytes().filter(u8::is_ascii_digit)
}

/// The names that are equally near to a wrong one.
#[derive(Debug, Default)]
pub struct Nearest<'n> {
    /// How far each is as it is written, with the nearest first.
    names: Vec<(usize, &'n str)>,
}

/// Of more names that are equally near, none is asked for more than its distance.
const TIED: usize = 16;

impl<'n> Nearest<'n> {
    /// The nearest of `names`. ytt accepts a Levenshtein distance below half the length (docs/ytt.md 12.1) and so has
    /// no hint for `prot`; here two swapped letters count as one error, because people make that error often.
    pub fn of(wrong: &str, names: impl IntoIterator<Item = &'n str>) -> Nearest<'n> {
        // Long texts are not misspelt names, and the cost of a distance is the product of the lengths.
        if wrong.len() > 4 * LONGEST {
            return Nearest::default();
        }
        let folded = fold(wrong);
        if folded.is_empty() || folded.len() > LONGEST {
            return Nearest::default();
        }
        let limit = folded.len().div_ceil(2);
        // Letters of other alphabets are not counted.
        let letters = folded.is_ascii().then(|| Letters::of(&folded));
        let names = names.into_iter().filter(|name| *name != wrong && name.len() <= 4 * LONGEST);
        let bound = |name: &str| match &letters {
            Some(letters) if name.is_ascii() => letters.least_distance(&Letters::of(name)),
            _ => 0,
        };
        let mut candidates: Vec<(usize, &str)> =
            names.map(|name| (bound(name), name)).filter(|(least, _)| *least < limit).collect();
        // The most likely first: after a match, only those are compared that may be nearer.
        candidates.sort_unstable();
        candidates.dedup();
        let mut best = limit - 1;
        let mut found: Vec<(usize, &str)> = Vec::new();
        for (least, name) in candidates {
            if least > best {
                break;
            }
            let other = fold(name);
            if other.len().abs_diff(folded.len()) > limit {
                continue;
            }
            let distance = strsim::osa_distance(&folded, &other);
            if distance < best {
                found.clear();
            }
            if distance <= best {
                best = distance;
                found.push((strsim::osa_distance(wrong, name), name));
            }
        }
        found.sort_unstable();
        Nearest { names: found }
    }

    /// The nearest as it is written, or the first in the order of the alphabet.
    pub fn first(&self) -> Option<&'n str> {
        self.names.first().map(|(_, name)| *name)
    }

    /// Whether another name is as near as the first.
    pub fn is_tied(&self) -> bool {
        matches!(self.names.as_slice(), [(first, _), (second, _), ..] if first == second)
    }

    /// All of them.
    pub fn names(&self) -> impl Iterator<Item = &'n str> {
        self.names.iter().map(|(_, name)| *name)
    }

    /// The only one that is meant; None if several may be. Of names that are equally near, those are meant that `fit`,
    /// if some do, and of these the nearest as it is written.
    pub fn only(&self, fit: impl FnMut(&str) -> bool) -> Option<&'n str> {
        if let [(_, only)] = self.names.as_slice() {
            return Some(only);
        }
        if self.names.len() > TIED {
            return None;
        }
        let mut fit = fit;
        let fitting: Vec<(usize, &'n str)> = self.names.iter().copied().filter(|(_, name)| fit(name)).collect();
        match if fitting.is_empty() { &self.names } else { &fitting }.as_slice() {
            [(_, only)] => Some(only),
            [(first, name), (second, _), ..] if first < second => Some(name),
            _ => None,
        }
    }
}

/// Whether two names are equally near to a wrong one, as [`Nearest`] compares them.
pub fn are_equally_near(wrong: &str, one: &str, other: &str) -> bool {
    Nearest::of(wrong, [one, other]).names.len() == 2
}

/// The nearest of `names`, as [`Nearest`] finds it: used where only a hint follows from it.
pub fn nearest<'n>(wrong: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    Nearest::of(wrong, names).first()
}

/// How many names are compared with a wrong one by their distance, among those with the most letters in common.
const COMPARED: usize = 32;

/// At most `most` of `items`, the one with the name nearest to the wrong one first, by the measure of [`nearest`]; items
/// without a name last. All are compared by their letters, which allocates nothing, and [`COMPARED`] by their distance.
pub fn nearest_first<T, N: AsRef<str>>(
    wrong: &str,
    items: impl IntoIterator<Item = (T, Option<N>)>,
    most: usize,
) -> Vec<T> {
    // Texts that are too long for names are not compared.
    let is_name = |text: &str| text.len() <= LONGEST;
    let letters = is_name(wrong).then(|| Letters::of(wrong));
    let bound = |name: &Option<N>| match (&letters, name.as_ref().map(N::as_ref)) {
        (Some(letters), Some(name)) if is_name(name) => {
            if wrong.is_ascii() && name.is_ascii() {
                letters.least_distance(&Letters::of(name))
            } else {
                // Letters of other alphabets are not counted.
                0
            }
        }
        _ => usize::MAX,
    };
    let mut likely: Vec<(usize, T, Option<N>)> = Vec::with_capacity(COMPARED + 1);
    for (item, name) in items {
        let least = bound(&name);
        let place = likely.partition_point(|(other, ..)| *other <= least);
        if place < COMPARED {
            likely.insert(place, (least, item, name));
            likely.truncate(COMPARED);
        }
    }
    let folded = fold(wrong);
    for (distance, _, name) in likely.iter_mut().filter(|(least, ..)| *least != usize::MAX) {
        *distance = name.as_ref().map_or(usize::MAX, |name| {
            let name = fold(name.as_ref());
            // A word of a few letters is most likely short for the one that it begins.
            let is_short_for = folded.len() >= SHORT && name.starts_with(&folded);
            let distance = strsim::osa_distance(&folded, &name);
            if is_short_for { distance.min(1) } else { distance }
        });
    }
    // Where distances are equal, those with more letters in common stay first.
    likely.sort_by_key(|(distance, ..)| *distance);
    likely.into_iter().take(most).map(|(_, item, _)| item).collect()
}

/// How many letters (in bytes) are short for a longer word.
const SHORT: usize = 3;

/// The maximum length (bytes) of a folded name for which others are suggested.
const LONGEST: usize = 100;

#[cfg(test)]
mod tests {
    use super::{Comparisons, MOST_WORDS, Nearest, Searches, fold, is_only_meaning, nearest, nearest_first};

    /// Thousands of wrong names have suggestions where few names are known; where there are many, as many as ever.
    #[test]
    fn what_is_compared_is_bounded_not_what_is_wrong() {
        let mut few = Searches::default();
        assert!((0..20_000).all(|_| few.nearest("prot", ["host", "port"]) == Some("port")));
        let (mut many, mut none) = (Comparisons::default(), Comparisons::default());
        assert_eq!((0..1_000).filter(|_| many.allow(1_000_000)).count(), super::SEARCHES);
        assert!((0..1_000_000).all(|_| none.allow(0)));
    }

    #[test]
    fn finds_what_was_meant() {
        let names = ["hostname", "port", "replicas"];
        assert_eq!(nearest("hostnmae", names), Some("hostname"));
        assert_eq!(nearest("prot", names), Some("port"));
        assert_eq!(nearest("replica", names), Some("replicas"));
        assert_eq!(nearest("host_name", names), Some("hostname"));
        assert_eq!(nearest("zzzzzz", names), None);
        assert_eq!(nearest("x", names), None);
    }

    /// A letter too many and two that are swapped are both one slip: what fits decides, then what is nearer as written.
    #[test]
    fn several_may_be_equally_near() {
        let near = Nearest::of("elemenst", ["element", "elements", "port"]);
        assert_eq!(near.names().collect::<Vec<_>>(), ["element", "elements"]);
        assert_eq!((near.only(|_| true), near.is_tied()), (None, true));
        assert_eq!(near.only(|_| false), None);
        assert_eq!(near.only(|name| name == "elements"), Some("elements"));
        let near = Nearest::of("prot", ["port", "Port"]);
        assert_eq!((near.first(), near.only(|_| true)), (Some("port"), Some("port")));
        assert_eq!(near.only(|name| name == "Port"), Some("Port"));
        assert_eq!(Nearest::of("zzzzzz", ["port"]).only(|_| true), None);
    }

    /// Words that are not compared may be as near as the one that is found.
    #[test]
    fn nothing_is_certain_beyond_the_words_that_are_compared() {
        let words = |count: usize| (0..count).map(|i| format!("region-{i}")).chain(["portal".to_owned()]).collect();
        let (few, many): (Vec<String>, Vec<String>) = (words(MOST_WORDS), words(MOST_WORDS + 1));
        let is_only = |words: &[String]| is_only_meaning("protal", "portal", words.iter().map(String::as_str));
        assert!(is_only(&few));
        assert!(!is_only(&many));
    }

    #[test]
    fn orders_by_nearness_among_many() {
        let many: Vec<String> = (0..1_000).map(|i| format!("region-{i}")).chain(["proud".to_owned()]).collect();
        let items = || many.iter().map(|name| (name.as_str(), Some(name)));
        assert_eq!(nearest_first("prodd", items(), 1), ["proud"]);
        assert_eq!(nearest_first("regoin-777", items(), 8).first(), Some(&"region-777"));
        assert_eq!(nearest_first("", items(), 8).len(), 8);
        let unnamed = [(1, None), (2, Some("warning")), (3, Some("info"))];
        assert_eq!(nearest_first("inof", unnamed, 3), [3, 2, 1]);
        let types = ["array", "string", "integer"].map(|name| (name, Some(name)));
        assert_eq!(nearest_first("int", types, 2), ["integer", "string"]);
        assert_eq!(nearest_first(&"long".repeat(100), unnamed, 3), [1, 2, 3]);
    }

    /// Counting letters excludes only what the distance would exclude as well.
    #[test]
    fn counting_letters_excludes_nothing_that_is_near() {
        let names = ["port", "ports", "Port_2", "prot-2", "host.name", "hostname", "schlüssel", "Schlussel", "a", "ab"];
        let slow = |wrong: &str| {
            let folded = fold(wrong);
            let limit = folded.len().div_ceil(2);
            let distances = names.iter().filter(|name| **name != wrong).map(|name| {
                let other = fold(name);
                let near = other.len().abs_diff(folded.len()) <= limit;
                let distance = if near { strsim::osa_distance(&folded, &other) } else { usize::MAX };
                (distance, strsim::osa_distance(wrong, name), *name)
            });
            distances.filter(|(distance, ..)| *distance < limit).min().map(|(.., name)| name)
        };
        for wrong in names.iter().copied().chain(["prto", "hots_name", "schlusel", "ba", "PORT", "2port", "nmae"]) {
            assert_eq!(nearest(wrong, names), slow(wrong), "{wrong}");
        }
    }
}
