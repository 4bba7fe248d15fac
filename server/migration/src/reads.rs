//! What code reads after moves: the edits of reads that can be changed, and what is left to be changed by hand.
//!
//! A read is a chain, such as `data.values.service.port`: what is in front, and the steps after it that the code names.
//! Only steps that are written there are changed. Where a name in front holds a part of the values, the rest of the chain has to
//! stay below that part.

mod chains;
mod other_values;
mod parts;
mod unseen;

use crate::data::is_literal;
use crate::edit::Rewrite;
use crate::path::{Path, Step};
use crate::plan::Move;
use chains::{Chain, Chains, How, Segment};
use lofting_eval::code::{BindingKind, Code, Use, UseKind, ValueStep};
use lofting_eval::is_field_name;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::ops::Range;

/// The reads in a text after moves.
#[derive(Debug, Default)]
pub struct Reads {
    /// The text, if anything in it changes.
    pub text: Option<String>,
    /// What is not changed.
    pub left: Vec<Left>,
    /// What the new text has to read, as [`ends`] finds it.
    pub ends: Vec<Vec<ValueStep>>,
}

/// A read that is not changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// Its bytes.
    pub range: Range<usize>,
    /// The path of the values that it is about.
    pub path: Path,
    /// Why it is left.
    pub why: Why,
}

/// Why a read is left as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The key is gone, and nothing takes its place.
    Removed,
    /// What was there is now in several places.
    Split,
    /// A name in front of it holds a part of the values that the key is not in any more.
    Held,
    /// Another value may be meant.
    Uncertain,
    /// It is in a form that is not changed: over several lines, between parentheses, in a call.
    Form,
    /// The name cannot be written there.
    Name,
    /// Code checks whether the key is there, and the key moves.
    Asked,
    /// Values around it are passed on, and what is read of them is not seen.
    Passed,
    /// A key is computed.
    Computed,
    /// The values that are read have changed.
    Values,
    /// What was one value is a map of its parts now.
    Parts,
}

impl Why {
    /// Whether the code certainly reads what is moved, so that it has to be changed by hand.
    pub fn has_to_change(self) -> bool {
        !matches!(self, Why::Passed | Why::Computed | Why::Values)
    }
}

impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = &self.path;
        match self.why {
            Why::Removed => write!(f, "`{path}` is removed and still read here"),
            Why::Split => write!(f, "`{path}` is read here and is in several places now"),
            Why::Held => write!(f, "`{path}` is read here through a name for values that it is not in any more"),
            Why::Uncertain => write!(f, "this may read `{path}` or something else"),
            Why::Form => write!(f, "`{path}` is read here in a form that is not changed"),
            Why::Name => write!(f, "`{path}` is read here, where the new name cannot be written"),
            Why::Asked => write!(f, "this checks whether `{path}` is there, and it has moved"),
            Why::Passed => write!(f, "values around `{path}` go where they cannot be followed"),
            Why::Computed => write!(f, "a key is computed here, which may be `{path}`"),
            Why::Values => write!(f, "`{path}` is read here and has other values now"),
            Why::Parts => write!(f, "`{path}` is read here as one value, and is a map of its parts now"),
        }
    }
}

/// Applies moves to the reads in the code of a text.
pub fn moved_reads(text: &str, code: &Code, moves: &[Move]) -> Reads {
    let chains = Chains::of(code);
    let mut work = Work { text, code, moves, edits: BTreeMap::new(), left: Vec::new() };
    let all = chains.outermost();
    let mut ends: Vec<_> = all.iter().filter_map(|chain| work.chain(chain)).collect();
    ends.extend(asked(code, &all).filter_map(|used| work.question(used)));
    other_values::look(&mut work, &chains);
    unseen::look(&mut work);
    parts::look(&mut work, &chains);
    work.left.sort_by_key(|left| (left.range.start, left.range.end));
    work.left.dedup();
    ends.sort();
    let text = (!work.edits.is_empty()).then(|| applied(text, &work.edits));
    Reads { text, left: work.left, ends }
}

/// The paths that code reads: of each chain the whole, and of each question whether a key is there; sorted.
pub fn ends(code: &Code) -> Vec<Vec<ValueStep>> {
    let chains = Chains::of(code);
    let all = chains.outermost();
    let asked = asked(code, &all).map(|used| code.values.steps(used.path));
    let mut ends: Vec<_> = all.iter().map(|chain| chain.steps(code)).chain(asked).collect();
    ends.sort();
    ends
}

/// Questions whether a key is there that are not a step of a chain: `hasattr(value, "key")`, `"key" in value`.
fn asked<'c>(code: &'c Code, chains: &[Chain]) -> impl Iterator<Item = &'c Use> {
    let steps: HashSet<usize> =
        chains.iter().flat_map(|chain| &chain.segments).map(|segment| segment.key.start).collect();
    let uses = code.values.uses.iter();
    uses.filter(move |used| used.kind == UseKind::Test && !steps.contains(&used.range.start))
}

/// Where a path leads after moves; None if it is removed.
pub fn moved_path(path: &[ValueStep], moves: &[Move]) -> Option<Vec<ValueStep>> {
    match fate(path, moves) {
        Fate::At(path) => Some(path),
        Fate::Gone(..) => None,
    }
}

/// A key that moves out of the value at a path, or into it, or gets other values there.
pub fn moved_inside<'m>(path: &[ValueStep], moves: &'m [Move]) -> Option<&'m Path> {
    unseen::inside(path, moves)
}

/// The key at a path, if it has other values.
pub fn valued_otherwise<'m>(path: &[ValueStep], moves: &'m [Move]) -> Option<&'m Path> {
    other_values::other_values(path, moves).map(|(path, _)| path)
}

struct Work<'c> {
    text: &'c str,
    code: &'c Code,
    moves: &'c [Move],
    /// By where they begin and end.
    edits: BTreeMap<(usize, usize), String>,
    left: Vec<Left>,
}

/// Where a path leads after moves.
enum Fate<'m> {
    At(Vec<ValueStep>),
    /// It is removed, and whether the path is that of the key itself.
    Gone(&'m Move, bool),
}

impl<'c> Work<'c> {
    /// Rewrites a chain. Returns what the new text reads there, unless nothing.
    fn chain(&mut self, chain: &Chain) -> Option<Vec<ValueStep>> {
        let old = chain.steps(self.code);
        let front = self.code.values.steps(chain.front);
        let Fate::At(new_front) = fate(&front, self.moves) else {
            // It is reported where the name in front gets the value.
            return Some(old);
        };
        let steps_after = old.get(front.len()..).unwrap_or_default();
        // What is read if the chain stays as it is.
        let kept = Some([new_front.as_slice(), steps_after].concat());
        let new = match fate(&old, self.moves) {
            Fate::At(new) => new,
            Fate::Gone(step, is_exact) => {
                if let (Move::Remove { default: Some(default), inline: true, .. }, true) = (step, is_exact)
                    && let Some(literal) = default.literal()
                    && chain.is_certain
                    && self.is_plain(&chain.range)
                {
                    self.edits.insert((chain.range.start, chain.range.end), literal);
                    return None;
                }
                // What is bound to a name is looked at where the name is used.
                if !step.stays_as_map() || !self.is_bound(&chain.range) {
                    self.leave(&chain.range, step.path(), why_gone(step));
                }
                return kept;
            }
        };
        let Some(tail) = new.strip_prefix(new_front.as_slice()).filter(|tail| !tail.is_empty()) else {
            self.leave(&chain.range, &path_of(&old), Why::Held);
            return kept;
        };
        if tail == steps_after {
            // What is in front is looked at where it is bound, and may be a chain that this one continues.
            return Some(new);
        }
        if !chain.is_certain {
            self.leave(&chain.range, &path_of(&old), Why::Uncertain);
            return kept;
        }
        match self.rewritten(chain, tail) {
            Ok(edits) => {
                self.edits.extend(edits.into_iter().map(|edit| ((edit.range.start, edit.range.end), edit.new)));
                Some(new)
            }
            Err(why) => {
                self.leave(&chain.range, &path_of(&old), why);
                kept
            }
        }
    }

    /// The edits that make the steps after the front others. Items of arrays are in both.
    fn rewritten(&self, chain: &Chain, tail: &[ValueStep]) -> Result<Vec<Rewrite>, Why> {
        let groups: Vec<&[Segment]> = chain.segments.split(|segment| segment.how == How::Item).collect();
        let news: Vec<&[ValueStep]> = tail.split(|step| *step == ValueStep::Item).collect();
        if groups.len() != news.len() {
            return Err(Why::Held);
        }
        let mut edits = Vec::new();
        let mut end = chain.front_end;
        let mut items = chain.segments.iter().filter(|segment| segment.how == How::Item);
        for (segments, new) in groups.into_iter().zip(news) {
            edits.extend(self.group(segments, new, (end, chain.is_dict))?);
            end = items.next().map_or(end, |item| item.end);
        }
        Ok(edits)
    }

    /// The edit of keys that follow each other; `end` is where what is before them ends.
    fn group(&self, old: &[Segment], new: &[ValueStep], (end, is_dict): (usize, bool)) -> Result<Option<Rewrite>, Why> {
        let is_same = |segment: &Segment, step: &ValueStep| matches!(step, ValueStep::Key(key) if *key == segment.name);
        let lead = old.iter().zip(new).take_while(|(segment, step)| is_same(segment, step)).count();
        let (before, old) = old.split_at(lead);
        let new = &new[lead..];
        let trail = old.iter().rev().zip(new.iter().rev()).take_while(|(segment, step)| is_same(segment, step)).count();
        let (old, after) = old.split_at(old.len() - trail);
        let new: Vec<&str> = new[..new.len() - trail]
            .iter()
            .filter_map(|step| match step {
                ValueStep::Key(key) => Some(key.as_str()),
                ValueStep::Item => None,
            })
            .collect();
        if old.is_empty() && new.is_empty() {
            return Ok(None);
        }
        if new.iter().any(|name| !is_literal(name)) {
            return Err(Why::Name);
        }
        if let ([segment], [name]) = (old, new.as_slice())
            && (segment.how != How::Attribute || is_field_name(name))
        {
            return Ok(Some(Rewrite { range: segment.key.clone(), new: (*name).to_owned() }));
        }
        if old.iter().any(|segment| segment.how == How::Argument) {
            return Err(Why::Form);
        }
        let start = before.last().map_or(end, |segment| segment.end);
        let range = start..old.last().map_or(start, |segment| segment.end);
        if !self.is_plain(&range) {
            return Err(Why::Form);
        }
        let is_index = is_dict || old.last().or(after.first()).is_some_and(|segment| segment.how == How::Index);
        let written = new.iter().map(|name| {
            let is_attribute = !is_index && is_field_name(name);
            if is_attribute { format!(".{name}") } else { format!("[\"{name}\"]") }
        });
        Ok(Some(Rewrite { range, new: written.collect() }))
    }

    /// Rewrites a question whether a key is there. Returns what the new text asks for.
    fn question(&mut self, used: &Use) -> Option<Vec<ValueStep>> {
        let old = self.code.values.steps(used.path);
        let (ValueStep::Key(key), parent) = old.split_last()? else { return None };
        match (fate(&old, self.moves), fate(parent, self.moves)) {
            (Fate::At(new), Fate::At(parent)) => {
                if let Some((ValueStep::Key(name), above)) = new.split_last()
                    && *above == *parent
                {
                    if name == key {
                        return Some(new);
                    }
                    if used.certain && is_literal(name) {
                        self.edits.insert((used.range.start, used.range.end), name.clone());
                        return Some(new);
                    }
                }
                self.leave(&used.range, &path_of(&old), Why::Asked);
            }
            (Fate::Gone(step, _), Fate::At(_)) => self.leave(&used.range, step.path(), why_gone(step)),
            // It is reported where the value that has it is read.
            (_, Fate::Gone(..)) => {}
        }
        Some(old)
    }

    /// Whether an expression is what a name is bound to.
    fn is_bound(&self, range: &Range<usize>) -> bool {
        self.code.bindings.iter().any(|binding| match binding.kind {
            BindingKind::Value(term) => self.code.term(term).is_some_and(|term| term.range == *range),
            _ => false,
        })
    }

    fn leave(&mut self, range: &Range<usize>, path: &Path, why: Why) {
        self.left.push(Left { range: range.clone(), path: path.clone(), why });
    }

    /// Whether nothing but a chain of names is written there, on one line.
    fn is_plain(&self, range: &Range<usize>) -> bool {
        self.text.get(range.clone()).is_some_and(|text| !text.contains(['\n', '\r', '(', ')', '#']))
    }
}

fn applied(text: &str, edits: &BTreeMap<(usize, usize), String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for ((start, end), new) in edits {
        // An edit within another one is a part of it.
        if *start < at {
            continue;
        }
        out.push_str(text.get(at..*start).unwrap_or_default());
        out.push_str(new);
        at = *end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// Where a path leads after all moves.
fn fate<'m>(path: &[ValueStep], moves: &'m [Move]) -> Fate<'m> {
    let mut path = path.to_vec();
    for step in moves {
        match step {
            Move::Key { from, to } if begins(&path, from) => path = after_move(&path, from, to),
            Move::Remove { path: gone, .. } if begins(&path, gone) => {
                return Fate::Gone(step, path.len() == gone.0.len());
            }
            // What is below a scalar is what has come in its place.
            Move::Split { from, .. } if begins(&path, from) && path.len() == from.0.len() => {
                return Fate::Gone(step, true);
            }
            Move::Key { .. } | Move::Split { .. } | Move::Remove { .. } | Move::Values { .. } => {}
        }
    }
    Fate::At(path)
}

fn after_move(path: &[ValueStep], from: &Path, to: &Path) -> Vec<ValueStep> {
    // What leads to several values is at the beginning of both.
    let moved =
        to.0.iter().zip(path.iter().map(Some).chain(std::iter::repeat(None))).map(|(step, old)| match (step, old) {
            (Step::Key(name), _) => ValueStep::Key(name.clone()),
            (Step::AnyKey, Some(step)) => step.clone(),
            (Step::Items | Step::AnyKey, _) => ValueStep::Item,
        });
    moved.chain(path.iter().skip(from.0.len()).cloned()).collect()
}

fn is_step((step, value): (&Step, &ValueStep)) -> bool {
    match (step, value) {
        (Step::Key(name), ValueStep::Key(key)) => name == key,
        // An item of a map is one of its values.
        (Step::Items | Step::AnyKey, ValueStep::Item) | (Step::AnyKey, ValueStep::Key(_)) => true,
        _ => false,
    }
}

/// Whether a path in code begins with a path.
fn begins(path: &[ValueStep], with: &Path) -> bool {
    path.len() >= with.0.len() && with.0.iter().zip(path).all(is_step)
}

/// Whether a path goes on below a path in code.
fn is_below(path: &Path, above: &[ValueStep]) -> bool {
    path.0.len() > above.len() && path.0.iter().zip(above).all(is_step)
}

fn path_of(steps: &[ValueStep]) -> Path {
    let step = |step: &ValueStep| match step {
        ValueStep::Key(name) => Step::Key(name.clone()),
        ValueStep::Item => Step::Items,
    };
    Path(steps.iter().map(step).collect())
}

/// Why a read of what is gone is left.
fn why_gone(step: &Move) -> Why {
    match step {
        Move::Split { .. } if step.stays_as_map() => Why::Parts,
        Move::Split { .. } => Why::Split,
        Move::Key { .. } | Move::Remove { .. } | Move::Values { .. } => Why::Removed,
    }
}

#[cfg(test)]
mod tests;
