//! A key that nothing declares, beside one that is missing, is one mistake if it is meant to be the missing one. The finding
//! about what is written has the exact place and can be fixed by renaming, so it takes the place of the others.

use crate::rules::renaming::{rename, renamed_to, title};
use crate::suggest::{Comparisons, Nearest, are_equally_near};
use crate::{Diagnostic, Fix, rules};
use lofting_diagnostic::{Confidence, Lack, drop_at};
use lofting_document::Key;
use lofting_syntax::resolve::Profile;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

/// How many missing keys a message lists.
const NAMED: usize = 8;

/// What tells findings apart that may be about one mistake.
pub trait Beside<T> {
    /// What stands for a map.
    type Map: Hash + Eq;

    /// The finding.
    fn finding<'t>(&self, of: &'t T) -> &'t Diagnostic;

    /// The finding, to be changed.
    fn finding_mut<'t>(&self, of: &'t mut T) -> &'t mut Diagnostic;

    /// The map that a finding about a key, or about the lack of one, is about.
    fn map(&self, of: &T) -> Option<Self::Map>;

    /// The name of the key that a finding about a key is about.
    fn name(&self, of: &T) -> Option<String>;

    /// Whether the value of a key that is written may be that of the missing one.
    fn fits(&self, stray: &T, missing: &T) -> bool;

    /// Whether all findings with one [`Beside::map`] are about one value. Code may make several at one
    /// place, each of which lacks the key.
    fn is_one_value(&self) -> bool {
        true
    }

    /// How plain scalars of the text are read.
    fn profile(&self) -> Profile;
}

/// The findings about the keys of one map, by their index.
#[derive(Default)]
struct OfMap {
    lacking: Vec<usize>,
    strays: Vec<usize>,
}

/// What is known of a list of findings while some of them are joined.
struct Joining<'j, T, B> {
    found: &'j [T],
    by: &'j B,
    /// How many more names may be compared with others.
    searches: Comparisons,
    /// Findings that others say as well.
    said: FxHashSet<usize>,
    /// Findings about keys that are written, with what is meant by each.
    meant: Vec<Meant>,
}

/// What is meant by a key that is written.
struct Meant {
    stray: usize,
    /// Any of these.
    keys: Vec<Key>,
    /// What the keys are missing for.
    lacking: Vec<usize>,
    /// The names are similar, and the value fits.
    is_likely: bool,
}

/// Joins findings about missing keys with those about keys that are meant to be these, and keeps one about each missing
/// key.
pub fn join<T, B: Beside<T>>(found: &mut Vec<T>, by: &B) {
    if !found.iter().any(|of| by.finding(of).lack.is_some()) {
        return;
    }
    let mut maps: FxHashMap<B::Map, OfMap> = FxHashMap::default();
    for (index, of) in found.iter().enumerate() {
        let finding = by.finding(of);
        let (is_lack, is_stray) = (finding.lack.is_some(), is_stray(finding));
        if !(is_lack || is_stray) {
            continue;
        }
        let Some(map) = by.map(of) else { continue };
        let own = maps.entry(map).or_default();
        if is_lack { own.lacking.push(index) } else { own.strays.push(index) }
    }
    let mut maps: Vec<OfMap> = maps.into_values().filter(|own| !own.lacking.is_empty()).collect();
    maps.sort_unstable_by_key(|own| (own.strays.first().copied(), own.lacking.first().copied()));
    let said = FxHashSet::default();
    let mut joining = Joining { found, by, searches: Comparisons::default(), said, meant: Vec::new() };
    for own in &maps {
        lofting_memo::step();
        if by.is_one_value() {
            joining.repeated(own);
        }
        joining.near(own);
        joining.only(own);
    }
    let Joining { said, meant, .. } = joining;
    for meant in &meant {
        explain(found, by, meant);
    }
    drop_at(found, |index| said.contains(&index));
}

/// Whether a finding is about a key that is written and that nothing declares, and that may be meant to be another one: where
/// the likely fix leaves its name as it is, only its place is wrong.
pub fn is_stray(finding: &Diagnostic) -> bool {
    let is_kept =
        |fix: &&Fix| fix.confidence >= Confidence::Likely && fix.edits.iter().all(|(span, _)| *span != finding.span);
    (*finding.rule == rules::UNDECLARED_KEY || *finding.rule == rules::UNREAD_KEY)
        && finding.fixes.first().filter(is_kept).is_none()
}

impl<T, B: Beside<T>> Joining<'_, T, B> {
    fn finding(&self, index: usize) -> Option<&Diagnostic> {
        self.found.get(index).map(|of| self.by.finding(of))
    }

    fn lack(&self, index: usize) -> Option<&Lack> {
        self.finding(index)?.lack.as_deref()
    }

    fn lacks(&self, index: usize, key: &Key) -> bool {
        self.lack(index).is_some_and(|lack| lack.keys.contains(key))
    }

    /// The findings about missing keys that are not joined yet.
    fn open(&self, own: &OfMap) -> Vec<usize> {
        own.lacking.iter().copied().filter(|index| !self.said.contains(index)).collect()
    }

    /// Keeps one finding about each missing key: what else asks for it says no more.
    fn repeated(&mut self, own: &OfMap) {
        let mut known: FxHashSet<&Key> = FxHashSet::default();
        let found = self.found;
        let mut lacking = own.lacking.clone();
        // An alias may repeat the map. The first place is kept.
        lacking.sort_by_key(|index| found.get(*index).map(|of| self.by.finding(of).span.start));
        let missing = |index: &usize| {
            let finding = found.get(*index).map(|of| self.by.finding(of))?;
            finding.key.as_ref().filter(|_| *finding.rule == rules::MISSING_KEY)
        };
        for index in &lacking {
            if let Some(key) = missing(index)
                && !known.insert(key)
            {
                self.said.insert(*index);
            }
        }
        for index in lacking.iter().filter(|index| missing(index).is_none()) {
            if self.lack(*index).is_some_and(|lack| lack.keys.iter().any(|key| known.contains(key))) {
                self.said.insert(*index);
            }
        }
    }

    /// Whether the value of a key that is written may be that of a missing one.
    fn is_fitting(&self, stray: usize, missing: usize) -> bool {
        match (self.found.get(stray), self.found.get(missing)) {
            (Some(stray), Some(missing)) => self.by.fits(stray, missing),
            _ => false,
        }
    }

    /// What the finding about a key that is written says is likely meant, if that is another name than this one.
    fn decided(&self, stray: usize, name: &str) -> Option<String> {
        let fix = self.finding(stray)?.fixes.first().filter(|fix| fix.confidence >= Confidence::Likely)?;
        renamed_to(&fix.title).filter(|other| *other != name).map(str::to_owned)
    }

    /// Joins keys with the missing ones whose names are similar.
    fn near(&mut self, own: &OfMap) {
        for stray in &own.strays {
            let open = self.open(own);
            let lacking = open.iter().filter_map(|index| self.lack(*index)).map(|lack| lack.keys.len()).sum();
            if open.is_empty() || !self.searches.allow(lacking) {
                return;
            }
            let Some(written) = self.found.get(*stray).and_then(|of| self.by.name(of)) else { continue };
            let lacks = open.iter().filter_map(|index| self.lack(*index));
            let names: Vec<&str> = lacks.flat_map(|lack| &lack.keys).filter_map(Key::as_str).collect();
            let near = Nearest::of(&written, names);
            // Of names that are equally near, the one whose value this may be.
            let takes = |name: &str| {
                let key = Key::from(name);
                let mut lacking = open.iter().filter(|index| self.lacks(**index, &key));
                lacking.all(|index| self.is_fitting(*stray, *index))
            };
            let only = near.only(takes);
            let Some(nearest) = only.or(near.first()) else { continue };
            // The schema of another one, which is as near, accepts the value.
            if self.decided(*stray, nearest).is_some_and(|other| are_equally_near(&written, nearest, &other)) {
                continue;
            }
            let key = Key::from(nearest);
            let lacking: Vec<usize> = open.into_iter().filter(|index| self.lacks(*index, &key)).collect();
            let is_likely = only.is_some() && lacking.iter().all(|index| self.is_fitting(*stray, *index));
            self.said.extend(&lacking);
            self.meant.push(Meant { stray: *stray, keys: vec![key], lacking, is_likely });
        }
    }

    /// Joins the only key for which nothing else can be meant with the only key that is missing.
    fn only(&mut self, own: &OfMap) {
        let is_free = |index: &&usize| {
            let finding = self.finding(**index);
            finding.is_some_and(|finding| *finding.rule == rules::UNDECLARED_KEY && finding.fixes.is_empty())
                && !self.meant.iter().any(|meant| meant.stray == **index)
        };
        let mut free = own.strays.iter().filter(is_free).copied();
        let (Some(stray), None) = (free.next(), free.next()) else { return };
        let of_stray = self.found.get(stray);
        let fits = |index: &usize| match (of_stray, self.found.get(*index)) {
            (Some(stray), Some(missing)) => self.by.name(stray).is_some() && self.by.fits(stray, missing),
            _ => false,
        };
        let open: Vec<usize> = self.open(own).into_iter().filter(fits).collect();
        let Some((first, others)) = open.split_first() else { return };
        let keys = self.lack(*first).map(|lack| lack.keys.clone()).unwrap_or_default();
        // One key makes up for all that is missing, or else it is more than one mistake.
        let keys: Vec<Key> =
            keys.into_iter().filter(|key| others.iter().all(|other| self.lacks(*other, key))).collect();
        // A key that is in the wrong map is not misspelt.
        let is_itself =
            |key: &Key| of_stray.and_then(|of| self.by.name(of)).is_some_and(|name| key.as_str() == Some(&*name));
        if keys.is_empty() || keys.iter().any(is_itself) {
            return;
        }
        self.said.extend(&open);
        self.meant.push(Meant { stray, keys, lacking: open, is_likely: false });
    }
}

/// Adds to the finding about a key that is written what is meant by it.
fn explain<T, B: Beside<T>>(found: &mut [T], by: &B, meant: &Meant) {
    let lacking = || meant.lacking.iter().filter_map(|index| found.get(*index)).map(|of| by.finding(of));
    let severity = lacking().map(|finding| finding.severity).min();
    let is_required = lacking().filter_map(|finding| finding.lack.as_ref()).any(|lack| lack.is_required);
    let Some(finding) = found.get_mut(meant.stray).map(|of| by.finding_mut(of)) else { return };
    // The lesser of two levels must not hide that the value is refused.
    finding.severity = severity.map_or(finding.severity, |severity| severity.min(finding.severity));
    let [key] = meant.keys.as_slice() else {
        let more = meant.keys.iter().skip(NAMED).take(1).map(|_| "another one".to_owned());
        let names = meant.keys.iter().take(NAMED).map(|key| format!("`{key}`")).chain(more);
        let names: Vec<String> = names.collect();
        if let [first @ .., last] = names.as_slice() {
            finding.help = Some(format!("did you mean {} or {last}?", first.join(", ")));
        }
        return;
    };
    let name = key.to_string();
    let is_first = |fix: &Fix| fix.title == title(&name) && (fix.confidence > Confidence::Possible || !meant.is_likely);
    if !finding.fixes.first().is_some_and(is_first) {
        finding.fixes.retain(|fix| fix.title != title(&name));
        let fix = rename(finding.span, &name, by.profile());
        finding.fixes.insert(0, if meant.is_likely { fix } else { fix.possible() });
    }
    let which = if is_required { ", which is required" } else { "" };
    finding.help = Some(format!("did you mean `{name}`{which}?"));
}
