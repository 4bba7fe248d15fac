//! Visits the entries of maps and the items of arrays.
//!
//! A long collection comes in parts, which are remembered like collections: a change in one of 10,000 entries leads to
//! one part with a few dozen entries.

use super::{Last, Place, Task, Visit, Walk, accepts, misspelt};
use crate::rules::renaming::rename;
use crate::values::left::{Children, Existing, Left, effective};
use crate::view::{Count, Entry, Item, Kind, Operation, Piece, View};
use crate::{rules, suggest};
use lofting_diagnostic::{Lack, Stage};
use lofting_document::{Key, Span};
use lofting_schema::semantics::Required;
use lofting_schema::{ArrayShape, DeclaredKey, KeyChild, Kinds, MapShape, Via};
use std::rc::Rc;

/// A part of a collection to visit.
pub(super) struct EntryGroup<'a, V> {
    /// The collection, with the part as its value.
    pub visit: Visit<'a, V>,
    pub of: Of<'a>,
}

/// What the part belongs to.
pub(super) enum Of<'a> {
    Map {
        shape: &'a MapShape,
        /// The existing values under the keys, looked up once for all parts.
        children: Rc<Children<'a>>,
    },
    /// A map of any type.
    Open { children: Rc<Children<'a>> },
    Array {
        shape: &'a ArrayShape,
        /// The index of the part's first item.
        first: usize,
    },
}

/// Shorter names, in characters, are not taken for misspelt where any name is allowed.
const SLIPS_FROM: usize = 4;

impl<'a, V: View> Walk<'_, 'a, V> {
    pub(super) fn map(&mut self, visit: &Visit<'a, V>, shape: &'a MapShape) {
        let children = Rc::new(visit.left.children(self.schema, self.certain()));
        match self.declared_entries(visit, shape) {
            Some(entries) => {
                entries.into_iter().for_each(|entry| self.entry(visit, shape, &children, entry, false));
            }
            None => self.entries(visit, shape, &children),
        }
    }

    pub(super) fn array(&mut self, visit: &Visit<'a, V>, shape: &'a ArrayShape) {
        self.items(visit, shape, 0);
    }

    pub(super) fn part(&mut self, part: EntryGroup<'a, V>) {
        let EntryGroup { visit, of } = part;
        match of {
            Of::Map { shape, children } => {
                if !self.recalls_part(&visit, false) {
                    self.entries(&visit, shape, &children);
                }
            }
            Of::Open { children } => {
                if !self.recalls_part(&visit, false) {
                    self.open_entries(&visit, &children);
                }
            }
            Of::Array { shape, first } => {
                // Where nodes depend on the index, a part may have different ones from before.
                if first < shape.prefix.len() || !self.recalls_part(&visit, true) {
                    self.items(&visit, shape, first);
                }
            }
        }
    }

    fn entries(&mut self, visit: &Visit<'a, V>, shape: &'a MapShape, children: &Rc<Children<'a>>) {
        let merging = self.merges() && visit.left.existing(self.schema, self.certain()) != Existing::Nothing;
        // All items share the path, so it is created once.
        let place = Place { path: Some(self.path(visit.place, None)), ..visit.place };
        for piece in visit.value.entry_pieces() {
            match piece {
                Piece::One(entry) => {
                    self.entry(visit, shape, children, self.check.named(entry), merging);
                }
                Piece::Part(value, _) => {
                    let of = Of::Map { shape, children: children.clone() };
                    self.stack.push(Task::EntryGroup(EntryGroup { visit: Visit { value, place, ..*visit }, of }));
                }
            }
        }
    }

    fn entry(
        &mut self,
        visit: &Visit<'a, V>,
        shape: &'a MapShape,
        children: &Children<'a>,
        entry: Entry<V>,
        merging: bool,
    ) {
        let place = Place { name: entry.key_span, parent: self.path(visit.place, None), path: None };
        if merging && self.is_merged(&entry) {
            match shape.child(&entry.key) {
                KeyChild::Child(_) => self.merged_entry(&entry, place),
                // What was probably meant follows from the other keys.
                _ => self.found.needs_merging = true,
            }
            return;
        }
        if merging && (entry.overlay.by || effective(entry.overlay.count, visit.inherited) == Count::When) {
            // It depends on a pattern, or on the number of keys, whether the key is checked.
            return;
        }
        if self.is_dedented(&entry) {
            return;
        }
        let child = shape.child(&entry.key);
        let is_other = matches!(&child, KeyChild::Child(child) if child.via == Via::Rest);
        if !matches!(child, KeyChild::Child(_)) {
            self.meets_unchecked(visit, &entry.key);
        }
        let (id, declared) = match child {
            KeyChild::Child(child) => {
                let filled = child.via == Via::Declared && !self.schema.node(child.schema).left_out;
                (child.schema, filled.then_some(child.schema))
            }
            KeyChild::Free => return,
            KeyChild::Unread => return self.unread(visit, shape, &entry, place),
            KeyChild::Undeclared => return self.undeclared(visit, shape, &entry, (place, merging)),
        };
        if self.is_above_its_keys(visit, shape, (&entry, id)) {
            return;
        }
        if entry.value.kind() == Kind::Null && self.drops_null(shape, &entry.key, id) {
            return;
        }
        if let Some(removed) = &self.schema.node(id).docs.removed {
            self.meets_unchecked(visit, &entry.key);
            if self.check.checks.types {
                let place = self.settle(place, Last::Key(&entry.key));
                self.report(&rules::schema_removed_value::RULE, place, |at| {
                    rules::schema_removed_value::finding(at, removed)
                });
            }
            return;
        }
        if self.check.checks.notices
            && let Some(deprecated) = &self.schema.node(id).docs.deprecated
        {
            let place = self.settle(place, Last::Key(&entry.key));
            self.report(&rules::ytt_deprecated_value::RULE, place, |at| {
                rules::ytt_deprecated_value::finding(at, deprecated)
            });
        }
        let left = children.get(&entry.key, declared);
        if left.is_none() {
            self.meets_new_key(visit, &entry.key);
        }
        if left.is_none() && merging {
            match self.unmatched(&entry, visit.inherited) {
                Some(Stage::Overlay) => {
                    let place = self.settle(place, Last::Key(&entry.key));
                    return self.report(&rules::ytt_overlay_new_key::RULE, place, |at| {
                        rules::ytt_overlay_new_key::finding(at, &entry.key)
                    });
                }
                Some(_) => {}
                // It has no effect.
                None => return,
            }
        }
        let left = left.unwrap_or(Left::Fresh);
        let level = visit.level + 1;
        let child = Visit {
            value: entry.value,
            id,
            left,
            inherited: visit.inherited,
            level,
            within_any: false,
            nesting: 0,
            place,
            ..*visit
        };
        if !shape.patterns.is_empty() {
            // Further nodes for the same key. Nothing is merged in languages with patterns.
            for more in shape.children(&entry.key).into_iter().skip(1) {
                let more = Visit { id: more.schema, left: Left::Fresh, ..child };
                self.child(more, entry.overlay, Last::Key(&entry.key));
            }
        }
        let before = self.found.findings.len();
        self.child(child, entry.overlay, Last::Key(&entry.key));
        if is_other && self.found.findings.len() > before {
            self.explain_case(visit, shape, &entry);
        }
    }

    /// Adds to a finding about the kind of a value that a declared key, which differs in case only, takes this value.
    fn explain_case(&mut self, visit: &Visit<'a, V>, shape: &'a MapShape, entry: &Entry<V>) {
        let Some(name) = entry.key.as_str() else { return };
        let is_alike = |declared: &&DeclaredKey| {
            declared.key.as_str().is_some_and(|other| other.eq_ignore_ascii_case(name))
                && accepts(self.schema, declared.schema, entry.value.kind())
        };
        let alike = shape.keys.iter().find(is_alike).filter(|declared| !self.has_key(visit, &declared.key));
        let Some(meant) = alike.and_then(|declared| declared.key.as_str()) else { return };
        let profile = self.schema.semantics().profile;
        let last = self.found.findings.last_mut().map(|found| &mut found.diagnostic);
        if let Some(finding) = last.filter(|finding| *finding.rule == rules::ytt_type_mismatch::RULE) {
            finding.help.get_or_insert_with(|| format!("did you mean the key `{meant}`?"));
            finding.fixes.push(rename(entry.key_span, meant, profile).possible());
        }
    }

    /// A key that is allowed but has no effect.
    fn unread(&mut self, visit: &Visit<'a, V>, shape: &'a MapShape, entry: &Entry<V>, place: Place) {
        if !self.check.checks.notices || visit.only_judges {
            return;
        }
        let rule = &rules::schema_unread_key::RULE;
        let meant = self.meant_by(visit, shape, entry, rule);
        let place = self.settle(place, Last::Key(&entry.key));
        let declared = self.schema.node(visit.id).declared.name;
        self.report(rule, place, |at| rules::schema_unread_key::finding(at, &entry.key, declared, meant.as_ref()));
    }

    /// Reports missing required keys.
    pub(super) fn required(&mut self, visit: &Visit<'a, V>, shape: &'a MapShape) {
        if self.schema.semantics().required == Required::Never {
            return;
        }
        // Among ytt's values, defaults are merged and so checked with the values.
        let asks_defaults = self.check.fills_defaults() && self.schema.semantics().required == Required::AfterDefaults;
        let doubtful = |declared: &&DeclaredKey| {
            let node = self.schema.node(declared.schema);
            node.default.is_some() && !node.constraints.is_empty()
        };
        let keys = if asks_defaults { shape.keys.as_slice() } else { &[] };
        let doubtful: Vec<&DeclaredKey> = keys.iter().filter(doubtful).collect();
        let nothing = shape.required.is_empty() && doubtful.is_empty();
        if nothing || !self.check.checks.types {
            return;
        }
        if self.scorer().is_partial(visit.value) {
            return;
        }
        for declared in doubtful {
            if self.has_key(visit, &declared.key) {
                continue;
            }
            let name = self.schema.node(declared.schema).declared.name;
            if self.is_default_wrong(declared.schema) {
                let place = self.place_of_key(visit, &declared.key);
                let lack = self.lack(visit, [&declared.key]);
                self.report(&rules::schema_missing_key::RULE, place, |at| {
                    rules::schema_missing_key::wrong_default(at, &declared.key, name).lack(lack)
                });
            }
        }
        for key in &shape.required {
            if self.has_key(visit, key) {
                continue;
            }
            let declared = shape.get(key).map(|declared| declared.schema);
            if self.check.has_default(declared) || !self.missing.insert((visit.told_of(), key.clone())) {
                continue;
            }
            let slip = self.slip_of(visit, shape, key);
            let profile = self.schema.semantics().profile;
            let takes = match declared.map(|id| self.schema.node(id)) {
                Some(node) if node.nullable => node.kinds | Kinds::NULL,
                Some(node) => node.kinds,
                // A key that the map does not take either is not meant.
                None if matches!(shape.child(key), KeyChild::Undeclared) => Kinds::NONE,
                None => Kinds::ANY,
            };
            let declared = self.schema.node(declared.unwrap_or(visit.id)).declared.name;
            let place = self.place_of_key(visit, key);
            let lack = self.lack(visit, [key]);
            let before = self.found.findings.len();
            let reason = self.reason(visit);
            self.report(&rules::schema_missing_key::RULE, place, |at| {
                let finding = rules::schema_missing_key::finding(at, key, declared).lack(lack);
                let finding = reason.explain(at, finding);
                match (&slip, key.as_str()) {
                    (Some((name, span)), Some(key)) => misspelt::with_slip(finding, (name, *span), key, profile),
                    _ => finding,
                }
            });
            self.set_kinds(before, takes);
        }
    }

    /// The required keys that a map lacks, if it would have enough keys with them.
    pub(super) fn lack_of_few(&mut self, visit: &Visit<'a, V>, kind: Kind, few: usize) -> Option<Lack> {
        let shape = self.schema.node(visit.id).map.as_deref().filter(|_| kind == Kind::Map)?;
        let mut missing: Vec<&Key> = Vec::new();
        for key in &shape.required {
            let declared = shape.get(key).map(|declared| declared.schema);
            if !self.check.has_default(declared) && !self.has_key(visit, key) {
                missing.push(key);
            }
        }
        (missing.len() >= few).then(|| self.lack(visit, missing))
    }

    /// What a finding says is missing in a map.
    pub(super) fn lack<'k>(&self, visit: &Visit<'a, V>, keys: impl IntoIterator<Item = &'k Key>) -> Lack {
        let beside = visit.value.entries().next().map(|entry| entry.key_span);
        Lack { keys: keys.into_iter().cloned().collect(), beside, is_required: true, instead: Vec::new() }
    }

    /// A key of the map that is most likely a typing error of a missing one, where the map may have any keys.
    fn slip_of(&mut self, visit: &Visit<'a, V>, shape: &'a MapShape, missing: &Key) -> Option<(String, Span)> {
        // Short names are near to each other by chance.
        let is_long = |name: &&str| name.chars().count() >= SLIPS_FROM;
        let meant = missing.as_str().filter(is_long).filter(|_| shape.get(missing).is_some())?;
        // Whether there are few or many is all that matters.
        if !self.suggestions.allow(self.check.entries(visit.value).take(100).count()) {
            return None;
        }
        let is_free = |key: &Key| match shape.child(key) {
            KeyChild::Free => true,
            KeyChild::Child(child) => child.via == Via::Rest,
            KeyChild::Unread | KeyChild::Undeclared => false,
        };
        let mut slips = self.check.entries(visit.value).filter(|entry| {
            entry.key.as_str().is_some_and(|written| suggest::is_slip(written, meant)) && is_free(&entry.key)
        });
        let slip = slips.next()?;
        Some((slip.key.to_string(), slip.key_span))
    }

    /// Checks the number of undeclared keys.
    pub(super) fn counts(&mut self, visit: &Visit<'a, V>, shape: &'a MapShape) {
        let asks = shape.free.iter().any(|free| !free.expects.is_empty());
        if !asks || !self.check.checks.counts || self.scorer().is_partial(visit.value) {
            return;
        }
        let mut keys: Vec<(Key, Span)> = Vec::new();
        let given: Vec<Entry<V>> = visit.value.entries().collect();
        if !matches!(visit.left, Left::Fresh) {
            let plain = |entry: &Entry<V>| entry.overlay == crate::view::Overlay::default();
            match visit.left.children(self.schema, self.certain()) {
                Children::Uncertain => return,
                _ if !given.iter().all(plain) => {
                    self.found.needs_merging = true;
                    return;
                }
                Children::Map(items) => {
                    let below = items.iter().filter(|item| !given.iter().any(|entry| entry.key == item.key));
                    keys.extend(below.map(|item| (item.key.clone(), item.key_span)));
                }
                Children::Fresh | Children::Defaults => {}
            }
        }
        keys.extend(given.into_iter().map(|entry| (entry.key, entry.key_span)));
        let taken: Vec<(KeyChild, Span)> = keys.iter().map(|(key, span)| (shape.child(key), *span)).collect();
        if taken.iter().any(|(child, _)| *child == KeyChild::Free) {
            return;
        }
        for free in &shape.free {
            let own = |child: &KeyChild| matches!(child, KeyChild::Child(child) if child.schema == free.schema);
            let found: Vec<Span> = taken.iter().filter(|(child, _)| own(child)).map(|(_, span)| *span).collect();
            if free.allows(found.len()) == Some(false) {
                let path = Some(self.path(visit.place, None));
                let place = Place { name: found.last().copied().unwrap_or(visit.place.name), path, ..visit.place };
                self.report(&rules::schema_key_count::RULE, place, |at| {
                    rules::schema_key_count::finding(at, free, found.len())
                });
            }
        }
    }

    /// The place of a missing key.
    fn place_of_key(&mut self, visit: &Visit<'a, V>, key: &Key) -> Place {
        let place = Place { name: visit.place.name, parent: self.path(visit.place, None), path: None };
        self.settle(place, Last::Key(key))
    }

    fn items(&mut self, visit: &Visit<'a, V>, shape: &'a ArrayShape, first: usize) {
        let place = Place { path: Some(self.path(visit.place, None)), ..visit.place };
        let mut index = first;
        for piece in visit.value.item_pieces() {
            match piece {
                Piece::One(item) => {
                    self.item(visit, shape, item, index);
                    index += 1;
                }
                Piece::Part(value, count) => {
                    let of = Of::Array { shape, first: index };
                    self.stack.push(Task::EntryGroup(EntryGroup { visit: Visit { value, place, ..*visit }, of }));
                    index += count;
                }
            }
        }
    }

    fn item(&mut self, visit: &Visit<'a, V>, shape: &'a ArrayShape, item: Item<V>, index: usize) {
        let merging = self.merges() && !matches!(visit.left, Left::Fresh);
        let place = Place { name: item.span, parent: self.path(visit.place, None), path: None };
        // Items are appended unless a matcher finds an existing one.
        let merged = merging && item.overlay.matches;
        if merged && effective(item.overlay.count, visit.inherited) == Count::When {
            return;
        }
        let left = if merged { Left::Uncertain } else { Left::Fresh };
        if merging && !merged && !matches!(item.overlay.operation, Operation::Merge | Operation::Add) {
            // Without a matcher it matches nothing and has no effect (docs/ytt.md 14.3).
            return;
        }
        let (id, level) = (shape.child(index).schema, visit.level);
        let child = Visit {
            value: item.value,
            id,
            left,
            inherited: visit.inherited,
            level,
            within_any: false,
            nesting: 0,
            place,
            ..*visit
        };
        self.child(child, item.overlay, Last::Index(index));
    }
}
