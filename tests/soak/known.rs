//! What the soak found once, each as the few edits that showed it.

use crate::desk::Change;
use crate::edits::Edit;
use crate::texts::FILES;
use crate::{evaluator, scanned, tell};

/// Opens `before` as values, looks at it, makes the edits (offset, length, new text), each followed by a look, and
/// compares with a fresh workspace.
fn agrees(before: &str, edits: &[(usize, usize, &str)]) {
    let evaluator = evaluator();
    let folder = tempfile::tempdir().expect("a directory");
    let root = folder.path().canonicalize().expect("its path");
    let path = root.join("values.yml");
    let mut kept = scanned(&root, &evaluator);
    let mut text = before.to_owned();
    tell(&mut kept, 1, vec![Change::Opened(path.clone(), text.clone())]);
    crate::answers(&crate::evaluated(&mut kept), 0);
    for (version, (at, length, new)) in (2..).zip(edits) {
        let old = text.clone();
        text.replace_range(*at..at + length, new);
        tell(&mut kept, version, vec![Change::Edited(path.clone(), old, *at..at + length, (*new).to_owned())]);
        crate::answers(&crate::evaluated(&mut kept), 0);
    }
    let mut fresh = scanned(&root, &evaluator);
    fresh.open(&path, 1, &text);
    let found = crate::differences(
        &crate::answers(&crate::evaluated(&mut kept), 0),
        &crate::answers(&crate::evaluated(&mut fresh), 0),
    );
    assert!(found.is_empty(), "{before:?} and {edits:?}:\n{found}");
}

/// What a document is was carried over edits that looked harmless: an annotation became text of a block scalar, and the
/// file stayed a template.
#[test]
fn what_a_file_is_follows_from_its_text_alone() {
    agrees("-detected\n- >\n #@library/ref \"@l\"\n", &[(0, 0, "port: 1\n")]);
    agrees("- >\n #@ x = 1\n", &[(0, 0, "a\n")]);
    agrees("a: |\n  #@data/values\n  x\n", &[(3, 1, "")]);
    agrees("a: \"\n#@data/values\n---\nb: 1\n", &[(4, 0, "\"")]);
}

/// A sitting the soak has failed in once.
fn sitting(edits: &[Edit]) {
    if let Err(found) = crate::sitting(edits, &evaluator()) {
        panic!("{edits:?}: {found}");
    }
}

fn number(path: &str) -> usize {
    FILES.iter().position(|(name, _)| *name == path).expect("a file")
}

/// A file that a command names was open and gone from disk: it counted until something else changed.
#[test]
fn an_open_document_is_there_for_commands_whatever_is_on_disk() {
    let values = number("plain/values.yaml");
    sitting(&[Edit::Open(values), Edit::Ask, Edit::Rename(values, number("config/functions.lib.yml"))]);
    sitting(&[Edit::Open(values), Edit::Delete(values)]);
    sitting(&[Edit::Delete(values), Edit::Ask, Edit::Open(values), Edit::Ask, Edit::Save(values), Edit::Close(values)]);
}
