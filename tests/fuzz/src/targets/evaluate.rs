//! End to end with evaluation: a schema, values, a template, library code and an overlay, whatever their code does. Every
//! question has an answer, and findings after an edit are those of the new texts read afresh.
//!
//! A text is cut at lines `#-`.

use std::sync::Arc;

use lofting_document::FileId;
use lofting_starlark::InProcess;
use lofting_workspace::{CancelFlag, Need, Snapshot, Workspace};

use crate::measured::Target;
use crate::questions::{ask, boundary, workspace};

const NAMES: [&str; 5] =
    ["config/schema.yml", "config/values.yml", "config/template.yml", "config/functions.lib.yml", "config/overlay.yml"];

pub const TARGET: Target = Target::Text(run);

fn run(text: &str) {
    let mut parts = text.split("\n#-\n");
    let mut texts = [(); 5].map(|()| parts.next().unwrap_or_default().to_owned());
    let (mut kept, files) = opened(&texts);
    for (file, text) in files.iter().zip(&texts) {
        ask(&evaluated(&mut kept, *file), *file, text);
    }
    let inserted = parts.next().unwrap_or("x");
    let number = inserted.len() % NAMES.len();
    let at = boundary(&texts[number], texts[number].len() / 2);
    texts[number].insert_str(at, inserted);
    kept.edit(files[number], 2, at..at, inserted);
    kept.typing_over(files[number]);
    let (mut fresh, fresh_files) = opened(&texts);
    for (file, fresh_file) in files.iter().zip(&fresh_files) {
        assert_eq!(findings(&mut kept, *file), findings(&mut fresh, *fresh_file));
    }
}

fn opened(texts: &[String; 5]) -> (Workspace, Vec<FileId>) {
    let files: Vec<(&str, &str)> = NAMES.into_iter().zip(texts.iter().map(String::as_str)).collect();
    let (mut workspace, ids) = workspace(&files);
    workspace.set_evaluator(Arc::new(InProcess::default()));
    (workspace, ids)
}

/// A state with all code run that the file needs.
fn evaluated(workspace: &mut Workspace, file: FileId) -> Snapshot {
    workspace.evaluate(&[file], Need::Values, 1)
}

fn findings(workspace: &mut Workspace, file: FileId) -> String {
    format!("{:#?}", evaluated(workspace, file).diagnostics(file, &CancelFlag::new()))
}
