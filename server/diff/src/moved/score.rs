//! How likely it is that two places are one that moved.

use super::Moves;
use super::side::{OldOrNew, Side, State};
use crate::change::PathStep;
use crate::evidence::{is_flag, likeness_of_texts, text, told};
use crate::names::{
    Likeness, are_of_two_things, likeness_of_names, names, plain_text, rearranged, repeats, say_different_things,
    words_of_path,
};
use crate::place::Described;
use crate::renamed::TOLD;
use lofting_document::{Key, Node, NodeValue};
use lofting_schema::compare::equal;
use rustc_hash::FxHashMap;

/// From how many percent on words count as the same ones in another arrangement.
pub(super) const REARRANGED: usize = 55;

/// How many of the places that are left have a form: what is below them, as a number.
pub(super) type Forms = FxHashMap<u64, usize>;

/// Counts the forms of what is left of a side.
pub(super) fn forms(side: &Side<'_>, prints: &[u64]) -> Forms {
    let mut forms = Forms::default();
    for form in side.places.iter().filter(|place| place.state == State::Free).filter_map(|place| place.form(prints)) {
        *forms.entry(form).or_default() += 1;
    }
    forms
}

impl Moves<'_> {
    /// The points for two places being one that moved; None if that cannot be.
    pub(super) fn score(&self, old: &OldOrNew, new: &OldOrNew) -> Option<usize> {
        let common = old.now.iter().zip(&new.path).take_while(|(one, other)| one == other).count();
        let (from, to) = (old.now.get(common..)?, new.path.get(common..)?);
        // A plan moves nothing out of an item of an array, nor out of what any key leads to, and nothing into itself.
        let is_key = |step: &PathStep| matches!(step, PathStep::Key(_));
        if from.is_empty() || to.is_empty() || !from.iter().chain(to).all(is_key) {
            return None;
        }
        let (before, after) = (Described::of(self.gone.schema, &old.ids), Described::of(self.fresh.schema, &new.ids));
        if before.is_unknown || after.is_unknown || before.meant() != after.meant() {
            return None;
        }
        let (old_names, new_names) = (names(&old.path), names(&new.path));
        let (old_name, new_name) = (old_names.last()?, new_names.last()?);
        if says(&before, new, old_name) || says(&after, old, new_name) {
            return Some(TOLD);
        }
        let is_joined = names(from).concat() == names(to).concat();
        let likeness = likeness_of_names(old_name, new_name);
        let rearranged = rearranged(from, to);
        // A name that many keys have says little about the path.
        let is_common = likeness == Likeness::Same && !self.evidence.is_only_name(old_name, new_name);
        let is_rearranged = rearranged >= REARRANGED + if is_common { 10 } else { 0 };
        let mut points: usize = match likeness {
            _ if is_joined => 50,
            _ if self.known.contains(&(old_name.clone(), new_name.clone())) && from.len() == 1 && to.len() == 1 => 55,
            _ if is_rearranged => (rearranged * 6 / 10).max(if likeness == Likeness::Same { 40 } else { 0 }),
            Likeness::Same => 40,
            Likeness::Part => 15,
            Likeness::Some | Likeness::None => 0,
        };
        let mut doubts: usize = if is_rearranged && say_different_things(from, to) { 15 } else { 0 };
        let is_flag = is_flag(&before);
        // Up or down, within one map.
        let is_in_line = from.len() == 1 || to.len() == 1;
        points += if is_in_line && !is_flag { 15 } else { 5 * usize::from(is_in_line) };
        let around = |names: &[String]| names.len().checked_sub(2).and_then(|at| names.get(at).cloned());
        let is_same_map = around(&old_names).is_some_and(|name| around(&new_names) == Some(name));
        points += if is_same_map && likeness == Likeness::Same { 15 } else { 0 };
        if self.evidence.is_only_name(old_name, new_name) && matches!(likeness, Likeness::Same) {
            points += if is_flag { 5 } else { 15 };
        }
        let is_one_name = is_joined || is_rearranged || likeness == Likeness::Same;
        points += if is_joined || is_one_name && is_made_of_words(new.path.last()) { 10 } else { 0 };
        if is_rearranged && self.is_only_one_of_its_form(old, new) {
            points += 15;
        }
        // `cert-manager.resources.limits` and `cert-manager.resources.certManager.limits`.
        points += if to.len() > from.len() && repeats(&old.path, to) { 10 } else { 0 };
        let mut is_told = false;
        match (text(&before), text(&after)) {
            (Some(one), Some(other)) if one == other && self.evidence.is_only_text(&one) => {
                points += 40;
                is_told = self.evidence.is_only_name(old_name, new_name);
            }
            (Some(one), Some(other)) if one == other => points += 15,
            (Some(one), Some(other)) => match likeness_of_texts(&one, &other) {
                likeness if likeness > 0.8 => points += 20,
                likeness if likeness < 0.4 => doubts += 30,
                _ => {}
            },
            _ => {}
        }
        let content = self.evidence.points_for_content(&before, &after);
        let has_keys = !before.keys.is_empty() && !after.keys.is_empty();
        if has_keys && content == 0 {
            doubts += 25;
        }
        // Several keys with names that are nowhere else.
        let is_telling = content > 30;
        // What many keys have tells more below the same name in the same map.
        let most = if is_in_line && likeness == Likeness::Same { 15 } else { 5 };
        points += if is_telling || self.evidence.is_rare(&old.ids, &new.ids) { content } else { content.min(most) };
        is_told |= is_telling;
        if let (Some(one), Some(other)) = (before.default, after.default) {
            match equal(&one.value, &other.value) {
                Some(true) if says_something(&one.value) => points += 15,
                Some(true) => points += 5,
                _ if is_flag => doubts += 15,
                _ => doubts += 5,
            }
        }
        // `apps.loki.query.replicas` and `apps.tempo.scheduler.replicas` are of two apps, whatever they have in common.
        let may_be_one = is_told || is_in_line || is_rearranged && common == 0;
        if !may_be_one && are_of_two_things(from, to) {
            return None;
        }
        // A map that is gone and another one that is new often have keys of the same names.
        let is_like = is_joined || is_rearranged || is_told;
        if old.parent.is_some() && new.parent.is_some() && !is_like && !are_alike_above(from, to) {
            return None;
        }
        Some(points.saturating_sub(doubts))
    }

    /// Whether nothing else that is gone, and nothing else that is new, looks like these two maps.
    fn is_only_one_of_its_form(&self, old: &OldOrNew, new: &OldOrNew) -> bool {
        let prints = &self.evidence.prints;
        let is_only = |forms: &Forms, form: u64| forms.get(&form) == Some(&1);
        let forms = old.form(&prints.old).zip(new.form(&prints.new));
        forms.is_some_and(|(before, after)| {
            before == after && is_only(&self.forms.0, before) && is_only(&self.forms.1, after)
        })
    }
}

/// Whether the maps around two places are probably one, by their names.
fn are_alike_above(from: &[PathStep], to: &[PathStep]) -> bool {
    let (from, to) = (names(from), names(to));
    let same = from.iter().rev().zip(to.iter().rev()).take_while(|(one, other)| one == other).count();
    let above = |names: &[String]| names.len().checked_sub(same + 1).and_then(|at| names.get(at).cloned());
    same > 0
        && match (above(&from), above(&to)) {
            (Some(one), Some(other)) => matches!(likeness_of_names(&one, &other), Likeness::Same | Likeness::Part),
            _ => true,
        }
}

/// Whether a text of one place names the path of the other, or its name if the two are called differently.
fn says(place: &Described<'_>, other: &OldOrNew, own_name: &str) -> bool {
    let path: Vec<String> = names(&other.path);
    let Some(name) = path.last() else { return false };
    told(place).iter().any(|named| {
        let named: Vec<String> = named.split('.').map(plain_text).collect();
        let is_end = path.ends_with(&named);
        is_end && (named.len() > 1 || name != own_name && name.len() > 2)
    })
}

/// Whether a name consists of several words, so that it is hardly used for two things: `adminPassword`.
fn is_made_of_words(step: Option<&PathStep>) -> bool {
    let Some(PathStep::Key(Key::String(name))) = step else { return false };
    name.len() > 5 && words_of_path(step.map_or(&[], std::slice::from_ref)).len() > 1
}

/// Whether a default is hardly that of two things.
fn says_something(value: &Node) -> bool {
    match &value.value {
        NodeValue::Null | NodeValue::Bool(_) => false,
        NodeValue::Int(number) => number.get() > 9,
        NodeValue::Float(_) => true,
        NodeValue::String(text) => text.len() > 2,
        NodeValue::Map(items) => items.len() > 1,
        NodeValue::Array(items) => !items.is_empty(),
        NodeValue::Unknown => false,
    }
}
