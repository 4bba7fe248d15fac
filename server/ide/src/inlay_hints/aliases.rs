//! What an alias refers to, and which keys a merge key adds: `*base → 8080`, `<<: *base → host, port`.

use super::{Here, HintKind, HintPart, HintRole, HintedPart, InlayHint, listed};
use crate::anchors::anchors_before;
use crate::describe::shorten;
use crate::path::Step;
use lofting_document::{Key, Span};
use lofting_syntax::{Map, Token, Value};
use std::ops::Range;

/// The kind.
pub(super) const KIND: HintKind = HintKind { name: "aliases", is_usual: true, find: hints };

/// How many values are followed through aliases of aliases, and merged maps that merge others.
const MAX_VALUES: usize = 64;

fn hints(part: &HintedPart<'_>, hints: &mut Vec<InlayHint>) {
    let entries = part.entries();
    let mentions = |value: Value<'_>| {
        let items = value.seq().into_iter().flat_map(|seq| seq.items().take(MAX_VALUES));
        value.alias().is_some() || items.into_iter().any(|item| item.value().alias().is_some())
    };
    if !entries.iter().any(|here| mentions(here.value)) {
        return;
    }
    let anchors = Anchors { part, all: anchors_before(&part.tree, &part.text, part.range.end) };
    for here in &entries {
        let found = if here.key.is_some_and(is_merge) {
            anchors.merged(here)
        } else if is_in_merge(here) {
            // The contents of a merged array are shown at its key.
            None
        } else {
            here.value.alias().and_then(|alias| anchors.meant(alias))
        };
        let Some((words, place)) = found.filter(|(words, _)| !words.is_empty()) else { continue };
        let target = Some(Span::new(part.file, place));
        let parts = vec![HintPart { text: format!("→ {words}"), target }];
        hints.push(InlayHint { offset: part.after(here), parts, role: HintRole::Value });
    }
}

/// The meaning, and the bytes of the anchor.
type Meant = (String, Range<usize>);

/// The anchors above the end of the part.
struct Anchors<'p, 's> {
    part: &'p HintedPart<'s>,
    all: Vec<Token<'p>>,
}

impl<'p> Anchors<'p, '_> {
    /// The value that an alias refers to: that of the last anchor with its name above it, in its document.
    fn value(&self, alias: Token<'_>) -> Option<(Value<'p>, Token<'p>)> {
        let (name, start) = (alias.text(), alias.range().start);
        let name = name.strip_prefix('*')?;
        let above = self.all.partition_point(|anchor| anchor.range().start < start);
        let mut above = self.all.iter().take(above).rev();
        let anchor = *above.find(|anchor| anchor.text().strip_prefix('&') == Some(name))?;
        Some((self.part.tree.anchored_value(anchor.range().start)?, anchor))
    }

    /// What an alias refers to, on one line.
    fn meant(&self, alias: Token<'_>) -> Option<Meant> {
        let (mut value, first) = self.value(alias)?;
        let mut left = MAX_VALUES;
        while let Some(next) = value.alias() {
            left = left.checked_sub(1)?;
            value = self.value(next)?.0;
        }
        let words = match (value.map(), value.seq()) {
            (Some(map), _) => format!("{{{}}}", listed(keys(map))),
            (_, Some(seq)) => match seq.items().take(MAX_VALUES).count() {
                1 => "[1 item]".to_owned(),
                MAX_VALUES => "[many items]".to_owned(),
                count => format!("[{count} items]"),
            },
            _ => {
                let text = value.scalar()?.value().into_owned();
                let line = text.lines().next().unwrap_or_default().to_owned();
                shorten(if line.len() < text.trim_end().len() { line + "…" } else { line })
            }
        };
        Some((words, first.range()))
    }

    /// The keys that `<<: value` adds: those that are not next to it.
    fn merged(&self, here: &Here<'p>) -> Option<Meant> {
        let around = self.part.tree.path_at(here.start);
        let beside: Vec<String> = around.into_iter().rev().find_map(Map::cast).into_iter().flat_map(keys).collect();
        let mut brought: Vec<String> = Vec::new();
        let mut place = None;
        let mut open = vec![here.value];
        let mut left = MAX_VALUES;
        while let Some(value) = open.pop() {
            left = left.checked_sub(1)?;
            if let Some(alias) = value.alias() {
                let Some((meant, anchor)) = self.value(alias) else { continue };
                place.get_or_insert(anchor.range());
                open.push(meant);
            } else if let Some(seq) = value.seq() {
                let items: Vec<Value<'_>> = seq.items().take(MAX_VALUES).map(|item| item.value()).collect();
                open.extend(items.into_iter().rev());
            } else if let Some(map) = value.map() {
                let new = keys(map).filter(|key| key != "<<" && !beside.contains(key));
                let new: Vec<String> = new.filter(|key| !brought.contains(key)).take(MAX_VALUES).collect();
                brought.extend(new);
                let merges = map.entries().take(MAX_KEYS).filter(|entry| entry.key().is_some_and(is_merge));
                open.extend(merges.map(|entry| entry.value()));
            }
        }
        Some((listed(brought), place?))
    }
}

/// How many keys of one map are looked at.
const MAX_KEYS: usize = 500;

fn is_in_merge(here: &Here<'_>) -> bool {
    let above = here.path.iter().rev().nth(1);
    here.key.is_none() && above == Some(&Step::Key(Key::from("<<")))
}

fn is_merge(key: Value<'_>) -> bool {
    key.scalar().is_some_and(|scalar| scalar.value() == "<<")
}

fn keys(map: Map<'_>) -> impl Iterator<Item = String> + use<'_> {
    let entries = map.entries().take(MAX_KEYS);
    entries.filter_map(|entry| Some(entry.key()?.scalar()?.value().into_owned()))
}
