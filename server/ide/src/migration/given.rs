//! Keys in flags of `lofting.toml` and in commands, after moves.

use super::{LeftAlone, Migration};
use crate::answers::OutsideEdit;
use crate::data_value::keys_in_command;
use lofting_document::FileId;
use lofting_eval::code::ValueStep;
use lofting_migration::{Move, moved_inside, moved_path, valued_otherwise};
use lofting_workspace::Snapshot;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What becomes of a key that is given.
enum Given {
    Stays,
    /// Its new name, and what is left to be said.
    Moves(String),
    Left(String),
}

pub(super) fn look(
    snapshot: &Snapshot,
    schema: FileId,
    moves: &[Move],
    is_asked: &dyn Fn(&Path) -> bool,
    migration: &mut Migration,
) {
    let mut edits: BTreeMap<FileId, BTreeMap<(usize, usize), String>> = BTreeMap::new();
    for flag in snapshot.flag_keys() {
        if !flag.schema.state.files.contains(&schema) || !is_asked(snapshot.path(flag.place.file)) {
            continue;
        }
        let parts: Vec<String> = flag.parts.iter().map(|(part, _)| part.clone()).collect();
        let new = match given(&parts, moves) {
            Given::Stays => continue,
            Given::Left(words) => {
                migration.left.push(LeftAlone::new(flag.place, words));
                continue;
            }
            Given::Moves(new) => new,
        };
        let ends = flag.parts.first().and_then(|(_, first)| *first).zip(flag.parts.last().and_then(|(_, last)| *last));
        match ends {
            Some((first, last)) => {
                let range = (first.range().start, last.range().end);
                edits.entry(flag.place.file).or_default().insert(range, new);
            }
            None => {
                let words = format!("`{}` is given here in a form that is not changed", parts.join("."));
                migration.left.push(LeftAlone::new(flag.place, words));
            }
        }
    }
    for (file, edits) in edits {
        let mut text = snapshot.text(file).to_string();
        for ((start, end), new) in edits.into_iter().rev() {
            if text.is_char_boundary(start) && text.is_char_boundary(end) && start <= end && end <= text.len() {
                text.replace_range(start..end, &new);
            }
        }
        migration.changed.insert(file, text);
    }
    commands(snapshot, schema, moves, is_asked, migration);
}

fn commands(
    snapshot: &Snapshot,
    schema: FileId,
    moves: &[Move],
    is_asked: &dyn Fn(&Path) -> bool,
    migration: &mut Migration,
) {
    let mut seen = BTreeSet::new();
    for command in snapshot.command_keys() {
        if !command.schema.state.files.contains(&schema) || !is_asked(&command.path) {
            continue;
        }
        let key = command.parts.join(".");
        let name = command.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut left = |words: &str| {
            let words = format!("the command at {name}:{}: {words}", command.line);
            migration.left.push(LeftAlone { span: None, words, has_to_change: true });
        };
        let new = match given(&command.parts, moves) {
            Given::Stays => continue,
            Given::Left(words) => {
                left(&words);
                continue;
            }
            Given::Moves(new) => new,
        };
        let text = snapshot.command_text(&command.path);
        let found = text.as_ref().map(|text| keys_in_command(text, command.line, &key)).unwrap_or_default();
        let Some(text) = text.filter(|_| !found.is_empty()) else {
            left(&format!("`{key}` is given here in a form that is not changed"));
            continue;
        };
        for at in found {
            if seen.insert((command.path.clone(), at)) {
                let (path, text, new) = (command.path.clone(), text.clone(), new.clone());
                migration.outside.push(OutsideEdit { path, text, range: at..at + key.len(), new });
            }
        }
    }
}

fn given(parts: &[String], moves: &[Move]) -> Given {
    let old: Vec<ValueStep> = parts.iter().cloned().map(ValueStep::Key).collect();
    let key = parts.join(".");
    let Some(new) = moved_path(&old, moves) else {
        return Given::Left(format!("`{key}` is given here, and is removed or in several places now"));
    };
    if let Some(path) = moved_inside(&old, moves) {
        return Given::Left(format!("`{key}` is given here as a whole, and `{path}` moves"));
    }
    if valued_otherwise(&old, moves).is_some() {
        return Given::Left(format!("`{key}` is given here and has other values now"));
    }
    if new == old {
        return Given::Stays;
    }
    let names: Option<Vec<&str>> = new
        .iter()
        .map(|step| match step {
            // Characters that ytt, TOML or a shell would interpret.
            ValueStep::Key(name) => {
                name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '/')).then_some(name.as_str())
            }
            ValueStep::Item => None,
        })
        .collect();
    match names {
        Some(names) => Given::Moves(names.join(".")),
        None => Given::Left(format!("`{key}` is given here, where the new name cannot be written")),
    }
}
