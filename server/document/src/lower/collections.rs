//! Maps and arrays.

use super::{Context, Lower};
use crate::ownership::OwnerKind;
use crate::{ArrayItem, Issue, Key, MapItem, Node, NodeValue, Span};
use lofting_syntax::resolve::short_tag;
use lofting_syntax::{Map, Value, ValueKind};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

impl<'t> Lower<'t> {
    pub(super) fn map(&mut self, map: Map<'t>, context: Context) -> (Vec<MapItem>, bool) {
        let half_typed_is_null = map.is_flow();
        let outer = self.blocks.len();
        let mut partial = false;
        let mut keys = Keys::new(self.items.len());
        for entry in map.entries() {
            let start = entry.node().range().start;
            let notes = self.item_notes(OwnerKind::MapItem, start, context);
            let placement = self.placement(outer);
            let parts = entry.parts();
            if parts.is_incomplete && !half_typed_is_null {
                partial = true;
                // It is read for its anchors and code; its value is not used. Its keys belong to no map before the line is
                // whole: a walk through the tree does not look at them either.
                let _ = self.item_value(parts.value, &notes, Context { unused: true, ..context.deeper() });
                continue;
            }
            if parts.key.is_none()
                && !self.profile.allows_missing_key()
                && !context.copy
                && let (None, Some(colon)) = (entry.question(), entry.colon())
            {
                self.issues.push(Issue::NoKey { span: self.span(colon.range()) });
            }
            let (key, key_span) = self.key(parts.key, start, context.below(&placement), &notes);
            let conditional = placement.conditional;
            let inner = context.deeper().below(&placement);
            let value = self.item_value(parts.value, &notes, inner);
            partial |= placement.conditional || key.is_none();
            if matches!(&key, Some(Key::String(text)) if text == "<<") && self.is_merge_key(parts.key) {
                self.note_merged_alias(parts.value, context);
                let (added, complete) = self.merged(value, parts.value);
                partial |= !complete;
                for item in added {
                    self.insert(MapItem { merged: true, conditional, ..item }, &mut keys, context);
                }
                continue;
            }
            let splices = self.splices(&notes);
            partial |= splices;
            let value = self.computed(value, &notes);
            let Some(key) = key else { continue };
            let elsewhere = placement.in_function || (splices && key.as_str() == Some("_"));
            if elsewhere && !self.options.for_evaluation {
                self.in_functions |= placement.in_function;
                continue;
            }
            let span = self.span(start..value.span.range().end.max(key_span.range().end));
            let item = MapItem { key, key_span, span, value, notes, merged: false, conditional };
            self.insert(item, &mut keys, context);
        }
        (keys.finish(&mut self.items), partial)
    }

    /// Adds an item by the rules for repeated keys (docs/ytt.md 4.3).
    fn insert(&mut self, item: MapItem, keys: &mut Keys, context: Context) {
        let first =
            if item.conditional || self.options.for_evaluation { None } else { keys.first(&item.key, &self.items) };
        if let Some((index, first)) = first {
            let (span, key) = (item.key_span, item.key.clone());
            if self.merges_freely() && item.merged {
                return;
            }
            if self.merges_freely() && self.items.get(index).is_some_and(|item| item.merged) {
                keys.replaced.push(index);
            } else if self.is_template
                && (self.options.implicit_map_key_overrides || item.notes.has("yaml/map-key-override"))
            {
                // The later item replaces the earlier one and keeps its own, later place.
                keys.replaced.push(index);
            } else if context.copy || context.unused {
                // For an item that an alias copied, the original is reported.
            } else if self.is_template {
                self.issues.push(Issue::DuplicateKey { span, first, key });
            } else {
                self.issues.push(Issue::RepeatedKey { span, first, key });
            }
        }
        keys.push(item, &mut self.items);
    }

    /// Whether merge keys mean what they mean outside ytt.
    fn merges_freely(&self) -> bool {
        !self.profile.is_of_ytt() || self.options.merges_lists && !self.is_template
    }

    /// The items that `<<: value` adds, and whether they are all known. ytt's library takes an empty list, but no alias
    /// of one.
    fn merged(&mut self, value: Node, written: Value<'_>) -> (Vec<MapItem>, bool) {
        let alias = written.alias().map(|alias| self.span(alias.range()));
        let lists = self.merges_freely();
        match value.value {
            NodeValue::Map(items) => (items.into_iter().collect(), !value.partial),
            NodeValue::Unknown => (Vec::new(), false),
            NodeValue::Array(maps) if lists => {
                let (mut all, mut complete, mut wrong) = (Vec::new(), !value.partial, Vec::new());
                for ArrayItem { value: map, span, .. } in maps {
                    match map.value {
                        NodeValue::Map(items) => {
                            complete &= !map.partial;
                            all.extend(items);
                        }
                        NodeValue::Unknown => complete = false,
                        // What an alias among the items stands for is elsewhere.
                        _ if (value.span.start..=value.span.end).contains(&map.span.start) => wrong.push(map.span),
                        _ => wrong.push(span),
                    }
                }
                // Of a list that is written elsewhere, the alias is wrong.
                let wrong = alias.filter(|_| !wrong.is_empty()).map_or(wrong, |alias| vec![alias]);
                self.issues.extend(wrong.into_iter().map(|span| Issue::MergeValue { span, lists }));
                (all, complete)
            }
            NodeValue::Array(items) if items.is_empty() && alias.is_none() => (Vec::new(), !value.partial),
            _ => {
                self.issues.push(Issue::MergeValue { span: alias.unwrap_or(value.span), lists });
                (Vec::new(), true)
            }
        }
    }

    /// `<<` merges only when it is unquoted and has no tag of another meaning.
    fn is_merge_key(&self, key: Option<Value<'_>>) -> bool {
        let tag = |key: Value<'_>| key.tag().map(|tag| short_tag(&self.written_out(tag.text())));
        key.is_some_and(|key| match tag(key).as_deref() {
            None | Some("!") => key.kind() == ValueKind::Plain,
            Some(tag) => tag == "!!merge",
        })
    }

    fn note_merged_alias(&mut self, value: Value<'_>, context: Context) {
        if let Some(alias) = value.alias().filter(|_| !context.copy && !self.merges_freely()) {
            let name = alias.text().trim_start_matches('*').to_owned();
            self.merged_aliases.push((self.span(value.range()), name));
        }
    }

    /// Reports aliases that are merged in where a later anchor of their name is not that of a map: ytt's library looks
    /// at the last one, although it merges what the alias means.
    pub(super) fn check_merged_aliases(&mut self) {
        for (span, name) in std::mem::take(&mut self.merged_aliases) {
            let meant = self.aliases.get(&span.range().start).map(|value| value.range());
            let is_other = |value: &&Value<'_>| Some(value.range()) != meant && value.map().is_none();
            if self.anchors.get(&name).filter(is_other).is_some() {
                self.issues.push(Issue::MergeValue { span, lists: false });
            }
        }
    }

    pub(super) fn seq(
        &mut self,
        values: impl Iterator<Item = lofting_syntax::Item<'t>>,
        context: Context,
    ) -> (Vec<ArrayItem>, bool) {
        let outer = self.blocks.len();
        let (start, mut partial) = (self.array_items.len(), false);
        for item in values {
            let range = item.range();
            let notes = self.item_notes(OwnerKind::ArrayItem, range.start, context);
            let placement = self.placement(outer);
            let value = self.item_value(item.value(), &notes, context.deeper().below(&placement));
            let splices = self.splices(&notes);
            partial |= splices || placement.conditional;
            let value = self.computed(value, &notes);
            if (placement.in_function || splices) && !self.options.for_evaluation {
                self.in_functions |= placement.in_function;
                continue;
            }
            let span = item.dash().map_or(range, |dash| dash.range());
            let item = ArrayItem { span: self.span(span), value, notes, conditional: placement.conditional };
            self.array_items.push(item);
        }
        (self.array_items.drain(start.min(self.array_items.len())..).collect(), partial)
    }
}

/// The keys of a map while it is being read. Its items are at the end of the list of all maps that are being read, so that
/// a map takes memory once, when it is known how many there are.
struct Keys {
    /// Where its items begin in the list.
    start: usize,
    /// For each key, the index of the item that counts so far, once there are many.
    seen: FxHashMap<Key, usize>,
    /// Indices of items that a later one replaces, ascending per key.
    replaced: Vec<usize>,
}

impl Keys {
    fn new(start: usize) -> Self {
        Keys { start, seen: FxHashMap::default(), replaced: Vec::new() }
    }

    /// The item with a key that counts so far.
    fn first(&self, key: &Key, items: &[MapItem]) -> Option<(usize, Span)> {
        let own = items.get(self.start..)?;
        let index = if own.len() <= crate::Map::SEARCHED {
            self.start + own.iter().rposition(|item| !item.conditional && item.key == *key)?
        } else {
            *self.seen.get(key)?
        };
        Some((index, items.get(index)?.key_span))
    }

    fn push(&mut self, item: MapItem, items: &mut Vec<MapItem>) {
        items.push(item);
        let count = items.len() - self.start;
        // All of them when there are too many to be searched, and then each further one.
        let new = match count.cmp(&(crate::Map::SEARCHED + 1)) {
            Ordering::Less => return,
            Ordering::Equal => self.start,
            Ordering::Greater => items.len() - 1,
        };
        let new = items.iter().enumerate().skip(new).filter(|(_, item)| !item.conditional);
        self.seen.extend(new.map(|(index, item)| (item.key.clone(), index)));
    }

    fn finish(mut self, items: &mut Vec<MapItem>) -> Vec<MapItem> {
        let mut own: Vec<MapItem> = items.drain(self.start.min(items.len())..).collect();
        if self.replaced.is_empty() {
            return own;
        }
        self.replaced.sort_unstable();
        let (mut index, mut gone) = (self.start, self.replaced.iter().peekable());
        own.retain(|_| {
            let keep = gone.next_if(|next| **next == index).is_none();
            index += 1;
            keep
        });
        own.shrink_to_fit();
        own
    }
}
