//! Files of a fixture, open in a workspace, and what is found in them.

use lofting_check::{Diagnostic, Rule, rules};
use lofting_diagnostic::{Level, Levels};
use lofting_document::FileId;
use lofting_fixture::File;
use lofting_workspace::{CancelFlag, FileKind, Settings, Snapshot, Workspace};
use std::path::Path;
use tempfile::TempDir;

/// No such directory exists: all files are open.
const ROOT: &str = "/lofting-rules";

/// A workspace in which all files of a fixture are open.
pub struct Opened {
    workspace: Workspace,
    pub snapshot: Snapshot,
    pub files: Vec<(FileId, File)>,
    /// Kept until the end.
    _directory: Option<TempDir>,
}

impl Opened {
    /// Files in editors, and nothing on disk.
    pub fn new(files: &[File]) -> Opened {
        Opened::below(Path::new(ROOT), None, files)
    }

    /// Files on disk and in editors, so that it is known that there are no others.
    pub fn scanned(files: &[File]) -> Opened {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().canonicalize().expect("a path");
        for file in files {
            let path = root.join(&file.path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, &file.text).expect("a file");
        }
        Opened::below(&root, Some(directory), files)
    }

    fn below(root: &Path, directory: Option<TempDir>, files: &[File]) -> Opened {
        let mut levels = Levels::default();
        for rule in rules::registry().rules().iter().filter(|rule| rule.silent) {
            levels.choose(rule.code, Level::Reported(rule.severity));
        }
        let settings = Settings { levels, ..Settings::default() };
        let mut workspace = Workspace::new(vec![root.to_owned()], settings);
        if directory.is_some() {
            workspace.scan(&mut |_| {}, &CancelFlag::new());
        }
        let open = |file: &File| (workspace.open(&root.join(&file.path), 1, &file.text), file.clone());
        let files = files.iter().map(open).collect();
        Opened { snapshot: workspace.snapshot(), workspace, files, _directory: directory }
    }

    /// The findings of the file with this number.
    pub fn findings(&self, number: usize) -> Vec<Diagnostic> {
        self.snapshot.diagnostics(self.files[number].0, &CancelFlag::new()).to_vec()
    }

    pub fn kind(&self, number: usize) -> FileKind {
        self.snapshot.kind(self.files[number].0)
    }

    /// Replaces the text of a file as an editor does, so that the others are not read again.
    pub fn replace(&mut self, number: usize, text: &str) {
        let id = self.files[number].0;
        let version = self.snapshot.version(id).unwrap_or_default() + 1;
        self.workspace.replace(id, version, text);
        self.snapshot = self.workspace.snapshot();
    }
}

/// The ways in which the example of a rule may be meant.
pub fn examples(rule: &Rule) -> Vec<Vec<File>> {
    let sections = rule.sections().into_iter().filter(|section| section.heading == "Example");
    sections.flat_map(|section| ways(&section.text)).collect()
}

fn ways(text: &str) -> Vec<Vec<File>> {
    let Some(example) = text.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()) else {
        return Vec::new();
    };
    let mut fixtures = vec![lofting_fixture::files(&lofting_fixture::of_example(example))];
    if let Some(text) = example.strip_prefix("# schema\n") {
        let (schema, values) = text.split_once("# values\n").unwrap_or((text, ""));
        let values = format!("# yaml-language-server: $schema=schema.yml\n{values}");
        let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
        fixtures.push(vec![file("schema.yml", schema), file("values.yml", &values)]);
    }
    fixtures
}

/// The examples of all rules, with the code of each.
pub fn all_examples() -> impl Iterator<Item = (&'static str, Vec<File>)> {
    let rules = rules::registry().rules().iter();
    rules.flat_map(|rule| examples(rule).into_iter().map(|files| (rule.code, files)))
}

/// An example of one file in other kinds of file, where other ways lead to the same rules. Each holds a key that no
/// finding is about.
pub fn framed(files: &[File]) -> Vec<Vec<File>> {
    let [only] = files else { return Vec::new() };
    let text = only.text.strip_prefix("#@data/values\n---\n").unwrap_or(&only.text);
    // Code would lead to one way only.
    let plain: String = text.split_inclusive('\n').filter(|line| !line.starts_with("#@ ")).collect();
    let is_map = plain.lines().last().is_some_and(|line| line.contains(": "));
    let end = if plain.ends_with('\n') { "" } else { "\n" };
    let plain = if is_map { format!("{plain}{end}lofting: 1\n") } else { plain };
    let file = |path: &str, text: String| File { path: path.to_owned(), text };
    vec![
        vec![file("values.yml", format!("#@data/values\n---\n{plain}"))],
        vec![
            file("schema.yml", "{}\n".to_owned()),
            file("values.yml", format!("# yaml-language-server: $schema=schema.yml\n{plain}")),
        ],
        vec![file("app.yml", format!("#! A template.\n#@ x = 1\n---\n{text}"))],
    ]
}
