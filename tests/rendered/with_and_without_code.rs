//! Findings of one state, asked for by those who wait for code and by those who do not, in any order.
//!
//! Both share what was computed for the state. Builds with assertions also notice an answer that is kept without all that
//! it was made from.

use std::path::Path;
use std::sync::Arc;

use lofting_document::FileId;
use lofting_starlark::InProcess;
use lofting_workspace::{CancelFlag, Need, Settings, Snapshot, Workspace};

use crate::files::Files;
use crate::write;

/// What a function says decides what this schema declares.
const SCHEMA_WITH_FUNCTION: &str = "#@data/values-schema
---
list:
- name: a
  port: 80
";
const LAID_OVER: &str = "#@ load('@ytt:overlay', 'overlay')
#@data/values-schema
#@overlay/match by=lambda index, left, right: True
---
#@overlay/match missing_ok=True
more: 1
list:
#@overlay/match by=lambda index, left, right: left['name'] == 'a'
- port: x
";

fn editor(root: &Path, files: &[(String, String)]) -> Workspace {
    let mut workspace = Workspace::new(vec![root.to_owned()], Settings::default());
    workspace.set_evaluator(Arc::new(InProcess::default()));
    workspace.scan(&mut |_| {}, &CancelFlag::new());
    for (path, text) in files {
        workspace.open(&root.join(path), 1, text);
    }
    workspace
}

fn said(snapshot: &Snapshot, files: &[FileId]) -> Vec<String> {
    let said = |file: &FileId| format!("{:?}", snapshot.diagnostics(*file, &CancelFlag::new()));
    files.iter().map(said).collect()
}

/// The findings with code in a state where those without were asked for `before`, or not.
fn with_code(root: &Path, files: &[(String, String)], before: bool) -> Vec<String> {
    let mut workspace = editor(root, files);
    let ids: Vec<FileId> = files.iter().filter_map(|(path, _)| workspace.snapshot().file(&root.join(path))).collect();
    workspace.evaluate(&ids, Need::Values, 1);
    // Functions are called again, and no file has to be run for that.
    workspace.run_interrupted_again();
    let state = workspace.snapshot();
    let without = before.then(|| said(&state, &ids));
    let found = said(&state.with_code(&ids, Need::Values, &workspace.runner(), 1, &mut |_| {}), &ids);
    if let Some(without) = without {
        assert_eq!(said(&state, &ids), without, "without code, before and after");
    }
    found
}

#[test]
fn findings_with_code_do_not_depend_on_what_was_asked_without() {
    let flags = "[sets.all]\nfiles = [\"config\"]\nvalues = [\"plain.yml\"]\ndata-values = [\"port=1\", \"nmae=x\"]\n\
                 [sets.b]\nfiles = [\"second\", \"config/values.yml\", \"config/app.yml\"]\n";
    let own = [
        ("config/a-schema.yml", SCHEMA_WITH_FUNCTION),
        ("config/b-schema.yml", LAID_OVER),
        ("config/values.yml", "#@data/values\n---\nmore: x\n"),
        // Its set has a schema that does not govern it.
        ("config/other.yml", "#! lofting: schema=../other-schema.yml\n#@data/values\n---\nmore: y\n"),
        ("second/schema.yml", "#@data/values-schema\n---\nmore: true\n"),
        ("second/values.yml", "#@data/values\n#@library/ref '@lib'\n---\nmore: 7\n"),
        ("plain.yml", "# yaml-language-server: $schema=other-schema.yml\nmore: z\n"),
        ("other-schema.yml", "#@data/values-schema\n---\nmore: true\n"),
        ("config/app.yml", "#@ load('@ytt:data', 'data')\n---\na: #@ data.values.more\nb: #@ data.values.less\n"),
    ];
    let own = own.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let made_up = (0..60).map(|number| Files::new(number).list);
    for (number, mut files) in std::iter::once(own.to_vec()).chain(made_up).enumerate() {
        files.push(("lofting.toml".to_owned(), flags.to_owned()));
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().canonicalize().expect("its path");
        write(&root, &Files { list: files.clone() });
        assert_eq!(with_code(&root, &files, true), with_code(&root, &files, false), "case {number}");
    }
}
