//! A key, and what editors ask after it, cost the same beside few and beside many files that have nothing to do with the
//! edited one. Which these are is seen from their marks, their paths and what names them, not by looking into them.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use lofting_document::{FileId, Span};
use lofting_ide::{ActionsAsked, Changes, CompletionOptions, HintChoices, LensChoices, LensKeys, Markup};
use lofting_workspace::{CancelFlag, Settings, Snapshot, Workspace};
use tempfile::TempDir;

use crate::ask::{Work, counted, evaluator};
use crate::turn;

/// How many other files there are of each sort.
const FEW: usize = 40;
const MANY: usize = 400;

/// How many more bytes a question may ask for, all other files together.
const LITTLE: usize = 20_000;

/// Files of ytt, and a resource of Kubernetes, each with what the cursor is after when something is typed there.
const EDITED: [(&str, &str, &str); 5] = [
    ("app/config/schema.yml", "#@data/values-schema\n---\nname: web\nports: [0]\n", "name: web"),
    ("app/config/more.yml", "#@data/values\n---\nports: [1]\nname: more\n", "name: more"),
    ("app/values.yml", "ports: [2]\nname: own\n", "name: own"),
    (
        "app/config/service.yml",
        "#@ load(\"@ytt:data\", \"data\")\n---\nname: #@ data.values.name\nports: #@ data.values.ports\nkind: x\n",
        "kind: x",
    ),
    ("manifests/one.yml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\ndata:\n  a: b\n", "a: b"),
];

/// What else lies in the workspace: resources, what a catalogue knows by its name, and YAML of any other kind.
const OTHERS: [(&str, &str); 4] = [
    ("manifests/@N/service.yml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c@N\ndata:\n  a: b\n"),
    ("jobs/@N/.github/workflows/build.yml", "on: push\njobs:\n  j@N:\n    runs-on: x\n    steps: []\n"),
    ("texts/@N/settings.yaml", "a:\n  b@N: 1\n  c: [1, 2]\n"),
    ("charts/@N/patch.yaml", "spec:\n  replicas: @N\n"),
];

/// What is asked about the place of the cursor, and about the whole file.
type Question = fn(&Snapshot, FileId, usize);

const QUESTIONS: &[(&str, Question)] = &[
    ("references", |snapshot, file, offset| drop(lofting_ide::references(snapshot, file, offset, true))),
    ("whether it can be renamed", |snapshot, file, offset| {
        drop(lofting_ide::prepare_rename(snapshot, file, offset));
    }),
    ("rename", |snapshot, file, offset| drop(lofting_ide::rename(snapshot, file, offset, "another"))),
    ("lenses", |snapshot, file, offset| {
        let choices = LensChoices { uses: LensKeys::All, sets: true };
        drop(lofting_ide::code_lenses(snapshot, file, choices));
        if snapshot.path(file).ends_with("schema.yml") {
            let key = Span::new(file, offset..offset + "name".len());
            assert!(lofting_ide::key_uses(snapshot, key, &CancelFlag::new()).values > 0, "it is used");
        }
    }),
    ("hover", |snapshot, file, offset| drop(lofting_ide::hover(snapshot, file, offset, Markup::Markdown))),
    ("completion", |snapshot, file, offset| {
        let options = CompletionOptions { snippets: true, unasked: false };
        drop(lofting_ide::completion(snapshot, file, offset, &options));
    }),
    ("definition", |snapshot, file, offset| drop(lofting_ide::goto_definition(snapshot, file, offset))),
    ("highlights", |snapshot, file, offset| drop(lofting_ide::document_highlights(snapshot, file, offset))),
    ("outline", |snapshot, file, _| drop(lofting_ide::document_symbols(snapshot, file))),
    ("links", |snapshot, file, _| drop(lofting_ide::document_links(snapshot, file))),
    ("inlay hints", |snapshot, file, offset| {
        drop(lofting_ide::inlay_hints(snapshot, file, 0..offset, &HintChoices::default()));
    }),
    ("code actions", |snapshot, file, offset| {
        let asked = ActionsAsked { changes: Changes::None, ..ActionsAsked::ALL };
        drop(lofting_ide::code_actions(snapshot, file, offset..offset, &asked, &CancelFlag::new()));
    }),
];

fn written(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
    fs::write(path, text).expect("a file");
}

/// A workspace with these files, and so many others of each sort.
fn workspace(others: usize, configuration: &str) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path();
    written(root, "lofting.toml", configuration);
    EDITED.iter().for_each(|(path, text, _)| written(root, path, text));
    for number in 0..others {
        let number = number.to_string();
        OTHERS
            .iter()
            .for_each(|(path, text)| written(root, &path.replace("@N", &number), &text.replace("@N", &number)));
    }
    directory
}

/// Bytes asked for by each question in each of the files, right after something was typed there.
fn work(others: usize, configuration: &str) -> Vec<(String, usize)> {
    let directory = workspace(others, configuration);
    let root = directory.path().canonicalize().expect("a directory");
    let mut all = Vec::new();
    for (path, text, place) in EDITED {
        let mut workspace = Workspace::new(vec![root.clone()], Settings::default());
        workspace.scan(&mut |_| {}, &CancelFlag::new());
        let file = workspace.open(&root.join(path), 1, text);
        let start = text.find(place).expect("the place");
        let end = start + place.len();
        let (mut version, mut key) = (1, Work { allocations: 0, bytes: 0 });
        for (name, question) in QUESTIONS {
            // The first time, what is done once for all files of a workspace is done.
            let mut asked = || {
                version += 1;
                key = counted(|| {
                    workspace.edit(file, version, end..end + usize::from(version > 2), "1");
                    drop(workspace.snapshot().diagnostics(file, &CancelFlag::new()));
                });
                counted(|| question(&workspace.snapshot(), file, start)).bytes
            };
            asked();
            all.push((format!("{name} in {path}"), asked()));
        }
        all.push((format!("a key in {path}"), key.bytes));
    }
    all
}

#[test]
fn a_key_and_a_question_cost_nothing_for_files_that_they_do_not_concern() {
    let _turn = turn();
    let mut wrong = String::new();
    for configuration in ["", "[rules]\n\"ytt/unused-key\" = \"warning\"\n"] {
        let (few, many) = (work(FEW, configuration), work(MANY, configuration));
        let more = (MANY - FEW) * OTHERS.len();
        for ((name, few), (_, many)) in few.into_iter().zip(many) {
            if many > few + LITTLE {
                let each = (many - few) / more;
                let _ = writeln!(wrong, "{name}: {few} bytes, and {each} for each other file {configuration}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Bytes that rendering a set may ask for each file that is not part of it: its path, and its text to see what it is.
const TO_SEE: usize = 14_000;

#[test]
fn a_set_is_rendered_without_checking_other_files() {
    let _turn = turn();
    for (target, configuration) in [
        ("app", "[sets.app]\nfiles = [\"app/config\"]\nvalues = [\"app/values.yml\"]\n"),
        // No set is known that it belongs to.
        ("app/config/service.yml", ""),
    ] {
        let work = |others| {
            let directory = workspace(others, configuration);
            let root = directory.path().canonicalize().expect("a directory");
            let render = || {
                let (settings, cancel) = (Settings::default(), CancelFlag::new());
                let rendered =
                    lofting_workspace::render_set(&root, Some(target), settings, evaluator(), &cancel).expect("a set");
                assert!(rendered.files.is_some(), "{target} is rendered");
            };
            counted(render).bytes
        };
        let (few, many) = (work(FEW), work(MANY));
        let more = (MANY - FEW) * OTHERS.len();
        assert!(many < few + LITTLE + more * TO_SEE, "{target}: {} bytes for each other file", (many - few) / more);
    }
}
