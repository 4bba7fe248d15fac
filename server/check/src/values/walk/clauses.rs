//! Clauses: what other nodes say about the same value. All of them, one of several, or none has to accept it.
//!
//! Alternatives are first scored without reporting anything, and only the closest is explained, because the faults of the others do
//! not help the user. What is unknown counts as fitting.

use super::choice::Choice;
use super::discriminator::NAMED;
use super::reason::Because;
use super::score::{ONLY, Scorer, allowed};
use super::{Last, Place, Task, Visit, Walk};
use crate::rules;
use crate::rules::renaming::Meant;
use crate::score::{Score, Scored};
use crate::values::Root;
use crate::values::left::Left;
use crate::view::{Count, Entry, Kind, NodeView, Piece, View, to_node};
use crate::words;
use lofting_document::{Key, Node, NodeValue, Span};
use lofting_schema::{Clause, KeyChild, Kinds, MapShape, SchemaId, Shape};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many clauses may lead from node to node for one value.
pub(super) const NESTING: u8 = 200;

/// More types of other alternatives than this are not named.
const OTHERS: usize = 3;

impl<'a, V: View> Walk<'_, 'a, V> {
    /// Checks the clauses of a node, for a value of a kind that the node accepts.
    pub(super) fn clauses(&mut self, visit: &Visit<'a, V>, kind: Kind) {
        let schema = self.schema;
        if !self.check.checks.types || self.filled_clauses(visit, kind) {
            return;
        }
        if visit.nesting >= NESTING {
            return self.cut(visit);
        }
        self.scores.pass(visit.value.span(), &mut self.indexes);
        self.indexes.make(self.check, visit.value, schema.node(visit.id));
        for clause in &schema.node(visit.id).clauses {
            match clause {
                Clause::All(members) => members.iter().for_each(|member| self.also(visit, *member)),
                Clause::Any(members) => drop(self.closest(visit, kind, members)),
                Clause::One(members) => {
                    let mut fitting = self.closest(visit, kind, members);
                    // Which of them is meant may depend on a key that is missing, which is reported.
                    if fitting.len() > 1 {
                        fitting.retain(|member| !self.is_about_missing(visit, *member));
                    }
                    if fitting.len() > 1 {
                        self.several(visit, &fitting);
                    }
                }
                Clause::Not(member) => {
                    let score = self.score(visit.value, *member);
                    if score.fits && !score.unsure {
                        self.forbidden(visit, *member);
                    }
                }
                Clause::If { condition, then, otherwise } => {
                    let score = self.score(visit.value, *condition);
                    let follows = if score.fits { then } else { otherwise };
                    // What is not written yet makes a condition neither true nor false.
                    let is_open = score.is_open() && self.lacks_value(visit)
                        || self.is_about_missing(visit, *condition)
                            && (score.fits || self.fits_as_written(visit, *condition));
                    if let (Some(follows), false) = (follows, score.unsure || is_open)
                        && !self.asks_for_wrong(visit, *condition)
                    {
                        let because = Some(Because::Condition(*condition));
                        self.also(&Visit { because, ..*visit }, *follows);
                    }
                }
                Clause::Dependent { key, schema } => {
                    if kind == Kind::Map && self.has_key(visit, key) {
                        self.also(&Visit { because: Some(Because::Key(key)), ..*visit }, *schema);
                    }
                }
                Clause::Names(names) => self.names(visit, visit.value, *names),
                Clause::Contains { schema, least, most, .. } => self.contains(visit, *schema, *least, *most),
                Clause::OtherKeys(others) => self.other_keys(visit, *others),
                Clause::OtherItems(others) => self.other_items(visit, *others),
            }
        }
        if self.scores.is_cut {
            self.cut(visit);
        }
    }

    /// Whether the value of a key is not written yet, where none would be wrong: that is reported there.
    fn lacks_value(&mut self, visit: &Visit<'a, V>) -> bool {
        let Some(map) = &self.schema.node(visit.id).map else { return false };
        let entries = self.declared_entries(visit, map);
        let entries = entries.unwrap_or_else(|| self.check.entries(visit.value).collect());
        entries.into_iter().filter(|entry| entry.value.is_missing()).any(|entry| match map.child(&entry.key) {
            KeyChild::Child(child) => !self.score(entry.value, child.schema).fits,
            _ => false,
        })
    }

    /// Whether a condition, or an alternative, may hold for a map only because a key that it is about is missing, where another
    /// node requires it: the key is reported, and what it would have been is unknown.
    fn is_about_missing(&mut self, visit: &Visit<'a, V>, condition: SchemaId) -> bool {
        // Of nothing but a map is a key required.
        if visit.value.kind() != Kind::Map {
            return false;
        }
        let Some(asked) = &self.schema.node(condition).map else { return false };
        let at = visit.told_of();
        let own = self.schema.node(visit.id).map.as_deref().map(|map| &map.required);
        let is_required = |key: &Key| own.is_some_and(|required| required.contains(key));
        let is_missing =
            |key: &Key| is_required(key) && !self.has_key(visit, key) || self.missing.contains(&(at, key.clone()));
        asked.keys.iter().map(|declared| &declared.key).any(is_missing)
    }

    /// Reports that a value was not compared with everything. Once: if one value has too many alternatives, so have those
    /// inside it.
    fn cut(&mut self, visit: &Visit<'a, V>) {
        if !std::mem::replace(&mut self.cut_reported, true) {
            let rule = &rules::lofting_too_many_alternatives::RULE;
            self.report(rule, visit.place, rules::lofting_too_many_alternatives::finding);
        }
    }

    /// Compares the same value with another node.
    fn also(&mut self, visit: &Visit<'a, V>, id: SchemaId) {
        // Several ways may lead to one node; its findings are reported once.
        if !self.reported.insert((visit.told_of(), id)) {
            return;
        }
        let only_judges = visit.only_judges || self.schema.node(visit.id).map.is_some();
        let base = visit.base();
        let visit = Visit { id, nesting: visit.nesting + 1, base, only_judges, left: Left::Fresh, ..*visit };
        if visit.value.kind().is_collection() {
            self.stack.push(Task::Visit(visit));
        } else {
            self.visit(visit);
        }
    }

    /// Reports the findings of the alternative closest to the value. If some alternatives fit, returns those that
    /// certainly do.
    fn closest(&mut self, visit: &Visit<'a, V>, kind: Kind, members: &[SchemaId]) -> Vec<SchemaId> {
        let schema = self.schema;
        let mut scores = self.scorer().alternatives(visit.value, members, 0);
        // A key that the map's own node declares is not meant for another one.
        if scores.iter().any(|(score, _)| score.slips > 0) && self.declares_all(visit) {
            scores.iter_mut().for_each(|(score, _)| score.slips = 0);
        }
        let best = scores.iter().rev().max_by_key(|(score, _)| *score);
        let Some((best, closest)) = best.copied() else { return Vec::new() };
        if best.fits {
            let certain = scores.iter().filter(|(score, _)| score.fits && !score.unsure);
            return certain.map(|(_, id)| *id).collect();
        }
        if !best.kind {
            // No alternative accepts values of this kind, so all their kinds are listed together.
            self.mismatch(visit, kind);
            return Vec::new();
        }
        let choice = if kind.is_collection() { None } else { self.choice(&scores) };
        if choice.as_ref().is_none_or(|choice| !choice.others.is_empty())
            && let Some((_, meant)) = self.read_otherwise(visit.value, members)
        {
            self.also(visit, meant);
            return Vec::new();
        }
        if let Some(Choice { listed, others }) = choice {
            let suggest = self.suggestions.allow(listed.len());
            let message = schema.node(visit.id).message.as_ref();
            self.report(&rules::ytt_one_of::RULE, visit.place, |at| {
                let mut finding = rules::ytt_one_of::finding_of(at, visit.value, &listed, &others, suggest);
                if let Some(message) = message {
                    finding.message = format!("{}: {message}", at.subject());
                }
                finding
            });
            return Vec::new();
        }
        if !kind.is_collection() && scores.iter().filter(|(score, _)| score.kind).count() > 1 {
            // The values of one alternative are not all that is allowed.
            if allowed(schema, closest).is_some() {
                let declared = schema.node(visit.id).declared.name;
                self.report(&rules::schema_no_branch::RULE, visit.place, |at| {
                    rules::schema_no_branch::finding(at, visit.value, declared)
                });
                return Vec::new();
            }
        }
        if best.picked < ONLY
            && let Some((place, value, allowed)) = self.discriminator(visit, members)
        {
            let suggest = self.suggestions.allow(allowed.len());
            self.report(&rules::ytt_one_of::RULE, place, |at| rules::ytt_one_of::finding(at, value, &allowed, suggest));
            return Vec::new();
        }
        if best.known == 0 && self.strange_to_all(visit, &scores) {
            return Vec::new();
        }
        if best.picked < ONLY && self.is_of_none(visit, members) {
            return Vec::new();
        }
        if self.exclude_each_other(visit, &scores) {
            return Vec::new();
        }
        let choices = self.missing_choices(visit, &scores, best);
        if choices.len() > 1 {
            let declared = schema.node(visit.id).declared.name;
            let lack = self.lack(visit, choices.iter().flatten().copied());
            self.report(&rules::schema_no_branch::RULE, visit.place, |at| {
                rules::schema_no_branch::missing(at, &choices, declared).lack(lack)
            });
            return Vec::new();
        }
        let explains = |id: SchemaId| !schema.node(id).clauses.iter().all(|clause| matches!(clause, Clause::Not(_)));
        if explains(closest) || !schema.node(closest).says_only_clauses() {
            let before = self.found.findings.len();
            self.also(visit, closest);
            if !kind.is_collection() {
                self.name_other_types(kind, &scores, before);
            }
        } else {
            let declared = schema.node(visit.id).declared.name;
            let message = schema.node(visit.id).message.as_ref();
            self.report(&rules::schema_no_branch::RULE, visit.place, |at| {
                let mut finding = rules::schema_no_branch::finding(at, visit.value, declared);
                if let Some(message) = message {
                    finding.message = format!("{}: {message}", at.subject());
                }
                finding
            });
        }
        Vec::new()
    }

    /// Adds the types of the other alternatives to a finding that says which pattern a string should match: the string may be
    /// what is wrong.
    fn name_other_types(&mut self, kind: Kind, scores: &[(Score, SchemaId)], before: usize) {
        let schema = self.schema;
        let Some([found]) = self.found.findings.get_mut(before..) else { return };
        if found.diagnostic.rule.code != rules::schema_pattern::RULE.code {
            return;
        }
        let mut others: Vec<String> = Vec::new();
        for (_, id) in scores {
            let node = schema.node(*id);
            // Alternatives that take strings as well have patterns or lists of their own.
            if node.kinds.has(kind.kinds()) || node.kinds == Kinds::NULL || node.kinds == Kinds::NONE {
                continue;
            }
            let other = words::with_article(&words::wanted(schema, *id));
            if !others.contains(&other) {
                others.push(other);
            }
        }
        if !others.is_empty() && others.len() <= OTHERS {
            let others = format!(" should be {}, or ", others.join(", "));
            found.diagnostic.message = found.diagnostic.message.replacen(" should ", &others, 1);
        }
    }

    /// The missing keys of each of the closest alternatives, if they lack nothing but keys: then none is closer than
    /// the others.
    fn missing_choices(
        &mut self,
        visit: &Visit<'a, V>,
        scores: &[(Score, SchemaId)],
        best: Score,
    ) -> Vec<Vec<&'a Key>> {
        let nearest = scores.iter().filter(|(score, _)| *score == best);
        let missing = nearest.filter_map(|(_, id)| {
            let node = self.schema.node(*id);
            let is_alike = |map: &&MapShape| map.keys.is_empty() || best.known == 0;
            let map = node.map.as_deref().filter(is_alike).filter(|_| node.clauses.is_empty())?;
            let missing: Vec<&Key> = map.required.iter().filter(|key| !self.has_key(visit, key)).collect();
            (!missing.is_empty()).then_some(missing)
        });
        missing.collect()
    }

    /// Alternatives, with those of one that only has alternatives itself in its place.
    pub(super) fn all_alternatives(&self, members: &[SchemaId]) -> Vec<SchemaId> {
        let mut all = Vec::new();
        for member in members {
            match self.schema.node(*member).shape() {
                Shape::Union(inner) if all.len() + inner.len() <= NAMED => all.extend_from_slice(inner),
                _ => all.push(*member),
            }
        }
        all
    }

    /// Whether the default of a node breaks its own bounds.
    pub(super) fn is_default_wrong(&mut self, id: SchemaId) -> bool {
        let Some(default) = &self.schema.node(id).default else { return false };
        let score = self.scorer().score_aside(&default.value, id, 0);
        !score.fits && !score.unsure
    }

    pub(super) fn scorer(&mut self) -> Scorer<'_, 'a, V> {
        let memo = self.memo.as_mut().map(|(_, memo)| &mut **memo);
        Scorer::new(self.check, &mut self.scores, &mut self.indexes).with_memo(memo)
    }

    pub(super) fn score(&mut self, value: V, id: SchemaId) -> Score {
        self.scorer().score(value, id, 0)
    }

    /// Checks the names of the keys of a map, or of a part of it.
    fn names(&mut self, visit: &Visit<'a, V>, value: V, names: SchemaId) {
        for piece in value.entry_pieces() {
            match piece {
                Piece::One(entry) => self.name(visit, &self.check.named(entry), names),
                Piece::Part(part, _) if matches!(self.scorer().remembered(part, names), Some(Scored::QuietNames)) => {}
                Piece::Part(part, _) => {
                    let count = |walk: &Self| walk.found.findings.len() + walk.found.more;
                    let before = count(self);
                    self.names(visit, part, names);
                    if count(self) == before {
                        self.scorer().remember(part, names, Scored::QuietNames);
                    }
                }
            }
        }
    }

    fn name(&mut self, visit: &Visit<'a, V>, entry: &Entry<V>, names: SchemaId) {
        let name = entry.name();
        let root = Root { is_value: true, ..Root::new(NodeView(&name), entry.key_span) };
        // The worst decides: if a text deserves only a hint, so does a name.
        let found = self.check.run_at(root, names).findings.into_iter();
        let Some(why) = found.min_by_key(|finding| finding.diagnostic.severity) else { return };
        let place = self.place_of_entry(visit, entry.key_span, &entry.key);
        let meant = self.name_meant_by(visit, &entry.key, names);
        self.report(&rules::schema_key_name::RULE, place, |at| {
            rules::schema_key_name::finding(at, &entry.key, &why.diagnostic, meant.as_ref())
        });
    }

    /// What is most likely meant by a key whose name is not among those that are listed.
    fn name_meant_by(&mut self, visit: &Visit<'a, V>, key: &Key, names: SchemaId) -> Option<Meant> {
        let schema = self.schema;
        let listed = allowed(schema, names).filter(|listed| self.suggestions.allow(listed.len()))?;
        let name = |node: &'a Node| match &node.value {
            NodeValue::String(name) => Some(name.as_str()),
            _ => None,
        };
        let listed: Vec<&str> = listed.iter().filter_map(name).collect();
        let is_free = |name: &&&str| !self.has_key(visit, &Key::from(**name));
        let free: Vec<&str> = listed.iter().filter(is_free).copied().collect();
        Meant::among(key.as_str()?, &listed, &free)
    }

    /// Counts the items that fit.
    fn contains(&mut self, visit: &Visit<'a, V>, id: SchemaId, least: u64, most: Option<u64>) {
        if visit.value.kind() != Kind::Array {
            return;
        }
        let mut scorer = self.scorer();
        let Some(count) = scorer.count(visit.value, id, 0) else { return };
        if count < least || most.is_some_and(|most| count > most) {
            let declared = self.schema.node(id).declared.name;
            self.report(&rules::schema_contains::RULE, visit.place, |at| {
                rules::schema_contains::finding(at, visit.value, declared, count, (least, most))
            });
        }
    }

    /// Checks the keys that were not evaluated otherwise.
    fn other_keys(&mut self, visit: &Visit<'a, V>, others: SchemaId) {
        if visit.value.kind() != Kind::Map {
            return;
        }
        let seen = self.scorer().seen(visit.value, visit.id, 0);
        if seen.unsure {
            return;
        }
        let unseen: Vec<Entry<V>> = self.check.entries(visit.value).filter(|entry| !seen.has_key(&entry.key)).collect();
        if self.schema.node(others).kinds == Kinds::NONE {
            return self.refuse(visit, unseen, self.schema.node(others).declared.span);
        }
        for entry in unseen {
            let place = self.place_of_entry(visit, entry.key_span, &entry.key);
            self.beneath(visit, entry.value, others, place);
        }
    }

    /// Reports keys of a map that neither its node nor a clause of it declares; `declared` is the place that says so.
    pub(super) fn refuse(&mut self, visit: &Visit<'a, V>, entries: Vec<Entry<V>>, declared: Span) {
        let mut joined: Option<MapShape> = None;
        for entry in entries {
            let place = self.place_of_entry(visit, entry.key_span, &entry.key);
            let shape = joined.get_or_insert_with(|| self.joined_keys(visit.id));
            let rule = &rules::ytt_undeclared_key::RULE;
            let meant = self.meant_by(visit, shape, &entry, rule);
            let before = self.found.findings.len();
            self.report(rule, place, |at| {
                rules::ytt_undeclared_key::finding(at, &entry.key, shape, declared, meant.as_ref())
            });
            self.set_kinds(before, entry.value.kind().kinds());
        }
    }

    /// All keys that a node and those that its clauses name declare, and their patterns.
    fn joined_keys(&self, id: SchemaId) -> MapShape {
        let speaking = self.schema.speaking(id);
        let maps: Vec<&MapShape> = speaking.into_iter().filter_map(|id| self.schema.node(id).map.as_deref()).collect();
        let mut known = FxHashSet::default();
        let keys = maps.iter().flat_map(|map| &map.keys).filter(|key| known.insert(&key.key)).cloned().collect();
        let mut known = FxHashSet::default();
        let patterns = maps.iter().flat_map(|map| &map.patterns);
        let patterns = patterns.filter(|(pattern, _)| known.insert(pattern.source.as_str())).cloned().collect();
        MapShape { patterns, ..MapShape::closed(keys) }
    }

    /// Checks the items that were not evaluated otherwise.
    fn other_items(&mut self, visit: &Visit<'a, V>, others: SchemaId) {
        if visit.value.kind() != Kind::Array {
            return;
        }
        let seen = self.scorer().seen(visit.value, visit.id, 0);
        if seen.unsure {
            return;
        }
        let items = visit.value.items().enumerate().filter(|(index, _)| !seen.has_item(*index));
        for (index, item) in items {
            let place = Place { name: item.span, parent: self.path(visit.place, None), path: None };
            let place = self.settle(place, Last::Index(index));
            self.beneath(visit, item.value, others, place);
        }
    }

    pub(super) fn place_of_entry(&mut self, visit: &Visit<'a, V>, name: Span, key: &Key) -> Place {
        let place = Place { name, parent: self.path(visit.place, None), path: None };
        self.settle(place, Last::Key(key))
    }

    /// Visits a value below the current one.
    fn beneath(&mut self, visit: &Visit<'a, V>, value: V, id: SchemaId, place: Place) {
        let level = visit.level + 1;
        let inherited = Count::Inherit;
        let below =
            Visit { value, id, left: Left::Fresh, inherited, level, within_any: false, nesting: 0, place, ..*visit };
        self.stack.push(Task::Visit(below));
    }
}

/// The indices of two equal items; None if all differ or some are unknown.
pub(in crate::values) fn equal_items<V: View>(value: V) -> Option<(usize, usize)> {
    let items = value.all_items()?;
    let mut seen: FxHashMap<u64, Vec<(usize, Node)>> = FxHashMap::default();
    for (index, item) in items.into_iter().enumerate() {
        let node = to_node(item.value)?;
        let alike = seen.entry(lofting_schema::compare::equality_hash(&node)).or_default();
        if let Some((first, _)) =
            alike.iter().find(|(_, other)| lofting_schema::compare::equal(other, &node) == Some(true))
        {
            return Some((*first, index));
        }
        alike.push((index, node));
    }
    None
}
