//! A line at the wrong depth is one mistake, however much follows from it: the key is not declared where it is, it is
//! missing where it belongs, and the lines below it are at the wrong place as well.

use crate::files::file::File;
use lofting_check::Diagnostic;
use lofting_check::meant::is_stray;
use lofting_diagnostic::{Lack, drop_at};
use lofting_document::Span;
use lofting_syntax::{Kind, Map};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// How many findings about keys that are written are compared with those about missing ones.
const COMPARED: usize = 200;

/// Where a key is.
struct KeyAt {
    /// The key and its value.
    entry: Range<usize>,
    /// The map that has it.
    map: Range<usize>,
}

/// The map and the entry of a key at a place.
fn key_at(file: &File, key: Span) -> Option<KeyAt> {
    let path = (key.file == file.id).then(|| file.tree().path_at(key.range().start))?;
    let index = path.iter().rposition(|node| node.kind() == Kind::MapEntry)?;
    let map = path.get(..index)?.iter().rfind(|node| matches!(node.kind(), Kind::BlockMap | Kind::FlowMap))?;
    Some(KeyAt { entry: path.get(index)?.range(), map: map.range() })
}

/// The range of the map that has the key at a place.
pub(super) fn map_of(file: &File, key: Span) -> Option<Range<usize>> {
    key_at(file, key).map(|at| at.map)
}

/// Keeps one finding for each line that is at the wrong depth.
pub(crate) fn keep_one_for_each_depth(found: &mut Vec<Diagnostic>, file: &File) {
    if found.iter().any(is_stray) {
        join_moved(found, file);
        drop_below_empty(found, file);
    }
    drop_beside_damage(found, file);
}

/// What is in a map, and what is missing in it, is not known where the text beside it is damaged: the damaged line may
/// belong to it.
fn drop_beside_damage(found: &mut Vec<Diagnostic>, file: &File) {
    let errors = file.errors();
    if errors.is_empty() {
        return;
    }
    let text = file.text();
    let mut damaged: Vec<usize> = errors.iter().map(|error| text.line_of(error.range.start)).collect();
    damaged.sort_unstable();
    damaged.dedup();
    let indent = |line: usize| {
        let content = text.slice(text.line_range(line));
        let inner = content.trim_start_matches([' ', '\t']);
        (!inner.trim().is_empty() && !inner.starts_with('#')).then(|| content.len() - inner.len())
    };
    let is_damaged = |line: usize| damaged.binary_search(&line).is_ok();
    let is_damaged_after = |offset: usize| {
        let last = text.line_of(offset);
        let next = (last + 1..text.line_count()).find(|line| indent(*line).is_some());
        next.is_some_and(is_damaged)
    };
    // The lines below a damaged one that are as deep.
    let is_below_damage = |line: usize| {
        let before = damaged.partition_point(|damaged| *damaged < line);
        let Some(above) = before.checked_sub(1).and_then(|index| damaged.get(index)).copied() else { return false };
        let depth = indent(above).unwrap_or_default();
        line - above <= COMPARED && (above + 1..=line).all(|line| indent(line).is_none_or(|own| own >= depth))
    };
    let last_of = |range: &Range<usize>| {
        let written = text.slice(range.clone());
        range.start + written.trim_end().len()
    };
    let is_hidden = |finding: &Diagnostic| {
        if finding.span.file != file.id {
            return false;
        }
        let start = finding.span.range().start;
        if is_stray(finding) {
            let Some(at) = key_at(file, finding.span) else { return false };
            return is_damaged_after(last_of(&at.entry)) || is_below_damage(text.line_of(start));
        }
        if let Some(map) = finding.lack.as_ref().and_then(|lack| map_of(file, lack.beside?)) {
            let lines = text.line_of(map.start)..text.line_of(last_of(&map)) + 1;
            let first = damaged.partition_point(|line| *line < lines.start);
            return damaged.get(first).is_some_and(|line| *line < lines.end) || is_damaged_after(last_of(&map));
        }
        finding.is_about_null() && is_damaged_after(start)
    };
    found.retain(|finding| !is_hidden(finding));
}

/// Joins a key that is not declared where it is with the finding that it is missing in a map inside or around that one.
fn join_moved(found: &mut Vec<Diagnostic>, file: &File) {
    let mut lacking: FxHashMap<String, Vec<(usize, Range<usize>)>> = FxHashMap::default();
    for (index, finding) in found.iter().enumerate() {
        let Some(Lack { keys, beside: Some(beside), .. }) = finding.lack.as_deref() else { continue };
        let Some(map) = map_of(file, *beside) else { continue };
        for name in keys.iter().filter_map(|key| key.as_str()) {
            lacking.entry(name.to_owned()).or_default().push((index, map.clone()));
        }
    }
    if lacking.is_empty() {
        return;
    }
    let mut joined: FxHashSet<usize> = FxHashSet::default();
    let mut moved: Vec<(usize, &str)> = Vec::new();
    for (index, finding) in found.iter().enumerate().filter(|(_, finding)| is_stray(finding)).take(COMPARED) {
        let Some(at) = key_at(file, finding.span) else { continue };
        let is_inside = |one: &Range<usize>, other: &Range<usize>| one.start >= other.start && one.end <= other.end;
        // Keys that follow a line that is too far left are taken for its own.
        let mut is_needed_below = false;
        for (name, column) in keys_at_the_end(file, &at) {
            let is_above = |map: &Range<usize>| {
                is_inside(map, &at.map) && map.end <= at.entry.start && column_of(file, map.start) == column
            };
            let above = lacking.get(&name).into_iter().flatten().filter(|(_, map)| is_above(map));
            above.for_each(|(lack, _)| is_needed_below |= joined.insert(*lack));
        }
        if is_needed_below {
            moved.push((index, "a map above this line needs keys that are below it: is the line indented too little?"));
        }
        let name = file.tree().scalar_at(finding.span.range().start).map(|scalar| scalar.value().into_owned());
        let Some(all) = name.and_then(|name| lacking.get(&name)) else { continue };
        let near = all.iter().filter(|(lack, _)| !joined.contains(lack)).filter(|(_, map)| {
            *map != at.map && (is_inside(&at.map, map) || is_inside(map, &at.map) && map.start < at.entry.start)
        });
        // The nearest one, by where it begins.
        let nearest = near.max_by_key(|(_, map)| (map.start < at.entry.start, map.start));
        let Some(map) = nearest.map(|(_, map)| map.clone()) else { continue };
        joined.extend(all.iter().filter(|(_, own)| *own == map).map(|(lack, _)| *lack));
        moved.push((
            index,
            if is_inside(&map, &at.map) {
                "a map above this line needs the key: is the line indented too little?"
            } else {
                "a map around this one needs the key: is the line indented too much?"
            },
        ));
    }
    for (index, help) in moved {
        if let Some(finding) = found.get_mut(index) {
            finding.fixes.clear();
            finding.help = Some(help.to_owned());
        }
    }
    drop_at(found, |index| joined.contains(&index));
}

/// The keys of the maps with which an entry ends, and their columns: lines that follow it at the same depth belong there.
fn keys_at_the_end(file: &File, at: &KeyAt) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let path = file.tree().path_at(at.entry.start);
    let entry = path.iter().rfind(|node| node.kind() == Kind::MapEntry && node.range() == at.entry);
    let mut next = entry.and_then(|entry| Some(lofting_syntax::Entry::cast(*entry)?.value()));
    while let Some(value) = next.take() {
        lofting_memo::step();
        if let Some(map) = value.map().filter(|map| !map.is_flow()) {
            for entry in map.entries().take(COMPARED) {
                if let Some(key) = entry.key().and_then(|key| key.scalar()) {
                    let column = column_of(file, entry.node().range().start);
                    found.push((key.value().into_owned(), column));
                }
                next = Some(entry.value());
            }
        } else if let Some(items) = value.seq() {
            next = items.items().last().map(|item| item.value());
        }
    }
    found
}

/// Bytes between the beginning of the line and an offset.
fn column_of(file: &File, offset: usize) -> usize {
    offset - file.tree().line_start(offset)
}

/// Keys that are not declared and follow a key without a value, which is reported, are most likely meant to be below
/// it.
fn drop_below_empty(found: &mut Vec<Diagnostic>, file: &File) {
    let strays = found.iter().filter(|finding| is_stray(finding) && finding.span.file == file.id);
    let strays: FxHashSet<usize> = strays.map(|finding| finding.span.range().start).collect();
    if strays.is_empty() {
        return;
    }
    let reported: FxHashSet<usize> = found.iter().map(|finding| finding.span.range().start).collect();
    let mut dropped: FxHashSet<usize> = FxHashSet::default();
    let mut looked_at: FxHashSet<Range<usize>> = FxHashSet::default();
    for start in strays.iter().take(COMPARED) {
        let path = file.tree().path_at(*start);
        let Some(map) = path.iter().rfind(|node| node.kind() == Kind::BlockMap) else { continue };
        if !looked_at.insert(map.range()) {
            continue;
        }
        let Some(map) = Map::cast(*map) else { continue };
        let mut follows = false;
        for entry in map.entries() {
            lofting_memo::step();
            let Some(key) = entry.key().map(|key| key.content_range().start) else { continue };
            if follows && strays.contains(&key) {
                dropped.insert(key);
                continue;
            }
            let value = entry.value();
            follows = value.is_missing() && value.alias().is_none() && reported.contains(&key);
        }
    }
    found.retain(|finding| !(is_stray(finding) && dropped.contains(&finding.span.range().start)));
}
