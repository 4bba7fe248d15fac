//! Moves in the schema itself, if it still has the keys.
//!
//! A key that is deprecated stays: it is there for values that are not migrated yet.

use super::{LeftAlone, Migration, is_values};
use lofting_document::{Document, FileId, Key, Node, NodeValue, Options, Span, lower};
use lofting_migration::{Move, Path, Step, migrated};
use lofting_workspace::{FileKind, Snapshot};
use std::sync::Arc;

pub(super) fn look(snapshot: &Snapshot, schema: FileId, moves: &[Move], migration: &mut Migration) {
    if snapshot.kind(schema) != FileKind::Schema {
        return in_another_language(snapshot, schema, moves, migration);
    }
    let before = snapshot.text(schema).to_string();
    let profile = snapshot.profile(schema);
    // The file may have data values as well.
    let text = match migrated(&before, profile, moves, &|_, document| is_values(document)) {
        Ok(text) => text,
        Err(refusal) => return migration.refused.push((schema, refusal.to_string())),
    };
    if text != before {
        migration.changed.insert(schema, text.clone());
    }
    let documents = snapshot.lowered(schema);
    let declares =
        |path: &Path| documents.documents.iter().filter(|one| one.is_schema()).find_map(|one| key(one, path));
    let mut pending: Vec<Move> = Vec::new();
    for step in moves {
        let (from, to) = match step {
            Move::Key { from, to } => (from, Some(to)),
            Move::Remove { path, .. } => (path, None),
            Move::Split { from, to, .. } => {
                // Which of its annotations belong to which part is not known.
                let is_split = to.iter().any(|to| declares(&to.path).is_some());
                if let Some((span, false)) = declares(from).filter(|_| !is_split) {
                    migration.left.push(LeftAlone::new(span, format!("the schema still has `{from}`")));
                }
                continue;
            }
            Move::Values { .. } => continue,
        };
        let found = declares(from);
        let is_there = to.is_some_and(|to| declares(to).is_some());
        // A move after another one may begin where that one ends.
        let follows =
            pending.iter().any(|earlier| matches!(earlier, Move::Key { to, .. } if from.0.starts_with(&to.0)));
        let stays = found.is_some_and(|(_, is_deprecated)| is_deprecated);
        if (found.is_none() && !follows) || is_there || stays {
            continue;
        }
        pending.push(match step {
            // Its value is a default, which goes with the key.
            Move::Remove { path, .. } => {
                Move::Remove { path: path.clone(), default: None, discard: true, inline: false }
            }
            step => step.clone(),
        });
    }
    if pending.is_empty() {
        return;
    }
    match migrated(&text, profile, &pending, &|_, document| document.is_schema()) {
        Ok(after) if after == text => {}
        Ok(after) => {
            migration.changed.insert(schema, after);
        }
        // Its keys are not lost: they are there until they are changed by hand.
        Err(refusal) => {
            let words = format!("the schema still has the keys of before: {refusal}");
            migration.left.push(LeftAlone::new(Span::new(schema, 0..0), words));
        }
    }
}

/// Moves the keys of a JSON Schema, which has them below `properties`.
fn in_another_language(snapshot: &Snapshot, schema: FileId, moves: &[Move], migration: &mut Migration) {
    let before = snapshot.text(schema).to_string();
    let profile = snapshot.profile(schema);
    let mut text = before.clone();
    let mut lowered = snapshot.lowered(schema);
    for step in moves {
        let (from, to) = match step {
            Move::Key { from, to } => (from, Some(to)),
            Move::Split { from, to, .. } => (from, to.first().map(|to| &to.path)),
            Move::Remove { path, .. } => (path, None),
            Move::Values { .. } => continue,
        };
        let Some(root) = lowered.documents.first().map(|document| &document.value) else { return };
        let Some((span, node)) = property(root, from) else { continue };
        let is_deprecated = node.get(&Key::from("deprecated")).is_some_and(|it| it.value == NodeValue::Bool(true));
        let is_there = to.is_some_and(|to| property(root, to).is_some());
        if is_deprecated || is_there {
            continue;
        }
        let mut leave = |why: &str| {
            // What was changed before may have moved the lines.
            let span = if text == before { span } else { Span::new(schema, 0..0) };
            migration.left.push(LeftAlone::new(span, format!("the schema still has `{from}`{why}")));
        };
        if is_required(root, from) {
            leave(", which is required");
            continue;
        }
        let Some(step) = of_schema(step) else {
            leave("");
            continue;
        };
        let after = match migrated(&text, profile, &[step], &|_, _| true) {
            Ok(after) => after,
            Err(refusal) => {
                leave(&format!(": {refusal}"));
                continue;
            }
        };
        let made = to.into_iter().flat_map(|to| (1..to.0.len()).map(|end| Path(to.0[..end].to_vec())));
        for path in made.filter(|path| matches!(path.0.last(), Some(Step::Key(_))) && property(root, path).is_none()) {
            let words = format!("`{path}` is new in the schema: add its `type`, and whether it takes other keys");
            migration.left.push(LeftAlone { has_to_change: false, ..LeftAlone::new(Span::new(schema, 0..0), words) });
        }
        text = after;
        lowered = Arc::new(lower(schema, &lofting_syntax::parse(&text), profile, Options::default()));
    }
    if text != before {
        migration.changed.insert(schema, text);
    }
}

/// What a move of values is in the text of their JSON Schema; None if that cannot be said.
fn of_schema(step: &Move) -> Option<Move> {
    let path = |path: &Path| {
        let steps = path.0.iter().flat_map(|step| match step {
            Step::Key(name) => vec![Step::Key("properties".to_owned()), Step::Key(name.clone())],
            Step::Items => vec![Step::Key("items".to_owned())],
            Step::AnyKey => vec![Step::Key("additionalProperties".to_owned())],
        });
        Path(steps.collect())
    };
    match step {
        Move::Key { from, to } => Move::key(path(from), path(to)).ok(),
        Move::Remove { path: from, .. } => {
            Some(Move::Remove { path: path(from), default: None, discard: true, inline: false })
        }
        Move::Split { .. } | Move::Values { .. } => None,
    }
}

/// Whether the map around a key requires it.
fn is_required(root: &Node, path: &Path) -> bool {
    let Some((Step::Key(name), above)) = path.0.split_last() else { return false };
    let around = if above.is_empty() { Some(root) } else { at(root, above).map(|(_, node)| node) };
    let required = around.and_then(|node| node.get(&Key::from("required")));
    let Some(NodeValue::Array(names)) = required.map(|node| &node.value) else { return false };
    names.iter().any(|item| matches!(&item.value.value, NodeValue::String(text) if **text == **name))
}

/// The key in `properties` at a path of values, and its schema.
fn property<'d>(root: &'d Node, path: &Path) -> Option<(Span, &'d Node)> {
    let (span, node) = at(root, &path.0)?;
    span.map(|span| (span, node))
}

/// The schema at a path of values, and the last key in `properties` on the way.
fn at<'d>(root: &'d Node, path: &[Step]) -> Option<(Option<Span>, &'d Node)> {
    let mut here = root;
    let mut found = None;
    for step in path {
        match step {
            Step::Items => here = here.get(&Key::from("items"))?,
            Step::AnyKey => {
                let only = || match &here.get(&Key::from("patternProperties"))?.value {
                    NodeValue::Map(rules) if rules.len() == 1 => rules.first().map(|rule| &rule.value),
                    _ => None,
                };
                here = here.get(&Key::from("additionalProperties")).filter(|rule| is_map(rule)).or_else(only)?;
            }
            Step::Key(name) => {
                let NodeValue::Map(keys) = &here.get(&Key::from("properties"))?.value else { return None };
                let item = keys.get(keys.position(&Key::from(name.as_str()))?)?;
                found = Some(item.key_span);
                here = &item.value;
            }
        }
    }
    Some((found, here))
}

fn is_map(node: &Node) -> bool {
    matches!(node.value, NodeValue::Map(_))
}

/// The key at a path in a document, and whether it or a key on the way is deprecated.
fn key(document: &Document, path: &Path) -> Option<(Span, bool)> {
    let mut here: &Node = &document.value;
    let mut found = None;
    let mut is_deprecated = false;
    for step in &path.0 {
        match (step, &here.value) {
            (Step::Key(name), NodeValue::Map(items)) => {
                let item = items.get(items.position(&Key::from(name.as_str()))?)?;
                is_deprecated |= item.notes.has("schema/deprecated");
                found = Some(item.key_span);
                here = &item.value;
            }
            (Step::Items, NodeValue::Array(items)) => here = &items.first()?.value,
            _ => return None,
        }
    }
    found.map(|span| (span, is_deprecated))
}
