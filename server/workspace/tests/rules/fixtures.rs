//! The fixtures of single rules, each a file of `fixtures` with marks under what is found.

use crate::fixture::{Compared, compare};
use lofting_fixture::{File, marks};
use std::fs;
use std::path::{Path, PathBuf};

/// The paths of the fixtures, and their texts.
fn all() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules/fixtures");
    let mut paths: Vec<_> = fs::read_dir(folder).expect("the folder").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a text");
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// The files of each fixture, without marks.
pub fn files() -> impl Iterator<Item = (String, Vec<File>)> {
    let bare = |file: File| File { text: marks(&file.text).0, ..file };
    let named = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    let files = move |text: &str| lofting_fixture::files(text).into_iter().map(bare).collect();
    all().into_iter().map(move |(path, text)| (named(&path), files(&text)))
}

#[test]
fn rules_find_what_their_fixtures_mark() {
    let mut wrong = String::new();
    for (path, text) in all() {
        let Compared { wanted_text, found_text, found } = compare(&text);
        if wanted_text == found_text {
            continue;
        }
        let messages: Vec<String> =
            found.iter().map(|finding| format!("{}: {}", finding.code(), finding.message)).collect();
        let name = path.display();
        wrong.push_str(&format!("{name}\nwanted:\n{wanted_text}\nfound:\n{found_text}\n{}\n", messages.join("\n")));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, found_text).expect("the fixture can be written");
        }
    }
    assert!(wrong.is_empty(), "{wrong}\n`UPDATE_EXPECT=1` writes the marks of what is found into the fixtures");
}
