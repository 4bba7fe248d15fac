//! What code reads after moves.

use super::{LeftAlone, Migration, annotations};
use crate::data_value::{Governed, governed_files};
use lofting_document::{FileId, Span};
use lofting_migration::{Move, ends, moved_reads};
use lofting_workspace::Snapshot;
use std::collections::BTreeMap;
use std::path::Path;

pub(super) fn look(
    snapshot: &Snapshot,
    schema: FileId,
    moves: &[Move],
    is_asked: &dyn Fn(&Path) -> bool,
    migration: &mut Migration,
) {
    let mut expected = BTreeMap::new();
    let mut after = snapshot.clone();
    for governed in governed_files(snapshot).iter().filter(|governed| is_asked(snapshot.path(governed.file))) {
        lofting_memo::step();
        let Governed { file, schemas, code, .. } = governed;
        let is_of_it = |files: &[FileId]| files.contains(&schema);
        if code.is_empty() || !schemas.iter().any(|other| is_of_it(&other.state.files)) {
            continue;
        }
        if is_yaml(snapshot, *file) {
            annotations::look(snapshot, *file, moves, migration);
        }
        let before = snapshot.text(*file).to_string();
        let reads = moved_reads(&before, code, moves);
        let place = |range| Span::new(*file, range);
        migration.left.extend(reads.left.into_iter().map(|left| LeftAlone {
            span: Some(place(left.range.clone())),
            words: left.to_string(),
            has_to_change: left.why.has_to_change(),
        }));
        let Some(text) = reads.text else { continue };
        if schemas.iter().any(|other| !is_of_it(&other.state.files)) {
            let words = "what is read here may be values of another schema as well, which has no such moves";
            migration.left.push(LeftAlone::new(place(0..0), words));
            continue;
        }
        after = after.with_text(*file, &text);
        expected.insert(*file, (reads.ends, text));
    }
    if expected.is_empty() {
        return;
    }
    // Nothing is trusted to have worked: the new texts have to read exactly what the moves say.
    let mut found: BTreeMap<FileId, _> =
        governed_files(&after).into_iter().map(|governed| (governed.file, governed.code)).collect();
    for (file, (expected, text)) in expected {
        let has_errors = |snapshot: &Snapshot| is_yaml(snapshot, file) && !snapshot.tree(file).errors().is_empty();
        let is_same = found.remove(&file).is_some_and(|code| ends(&code) == expected);
        if is_same && (has_errors(snapshot) || !has_errors(&after)) {
            migration.changed.insert(file, text);
        } else {
            let words = "its code is written in a way that cannot be changed safely: this has to be changed by hand";
            migration.refused.push((file, words.to_owned()));
        }
    }
}

/// Starlark and text are not YAML.
fn is_yaml(snapshot: &Snapshot, file: FileId) -> bool {
    snapshot.path(file).extension().is_some_and(|name| name == "yml" || name == "yaml")
}
