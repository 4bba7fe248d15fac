//! The fixtures of single rules, each a file of `fixtures` with marks under what is found.

use crate::fixture::check_as;
use lofting_fixture::{File, marks};
use std::fs;
use std::path::Path;

/// The fixtures with their names.
fn all() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules/fixtures");
    let mut paths: Vec<_> = fs::read_dir(folder).expect("the folder").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let named = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    paths.iter().map(|path| (named(path), fs::read_to_string(path).expect("a text"))).collect()
}

/// The files of each fixture, without marks.
pub fn files() -> impl Iterator<Item = (String, Vec<File>)> {
    let bare = |file: File| File { text: marks(&file.text).0, ..file };
    all().into_iter().map(move |(name, text)| (name, lofting_fixture::files(&text).into_iter().map(bare).collect()))
}

#[test]
fn rules_find_what_their_fixtures_mark() {
    for (name, text) in all() {
        check_as(&name, &text);
    }
}
