//! What code gives in this process, and in a worker in its sandbox.

use std::sync::Arc;

use lofting_document::write;
use lofting_eval::Evaluator;
use lofting_starlark::InProcess;
use lofting_tests::made_up::dice::Dice;
use lofting_tests::made_up::files::{Files, PLAIN};
use lofting_tests::made_up::pairs;
use lofting_workspace::inputs::{InputContext, InputFlags, InputSet};
use lofting_workspace::{RenderedContent, Settings, render_input_set};

use crate::answers::{difference, shown};
use crate::program::Program;
use crate::worker::evaluator;

pub fn make(number: u64) -> Program {
    let mut files = match number % 5 {
        0 => pairs::chain(number).files,
        _ => Files::new(number).list,
    };
    // Some of them with a mistake in a line of code.
    let mut dice = Dice::new(number ^ 0xc0de);
    if dice.percent(25) {
        let at = dice.below(files.len());
        let text = &mut files[at].1;
        *text = text.replacen(dice.pick(&["data.values", " + ", "x", "load(", "def ", "\"name\"", "range("]), "y", 1);
    }
    Program { files, edits: Vec::new() }
}

thread_local! {
    /// The process is kept from one program to the next.
    static WORKER: Arc<dyn Evaluator> = evaluator();
}

pub fn differs(program: &Program) -> Option<String> {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path().canonicalize().expect("its path");
    for (path, text) in &program.files {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().expect("it has one")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }
    let has_plain = program.files.iter().any(|(path, _)| path == PLAIN);
    let flags = InputFlags {
        files: vec!["config".to_owned()],
        data_values_files: has_plain.then(|| PLAIN.to_owned()).into_iter().collect(),
        ..InputFlags::default()
    };
    let context = InputContext { base: root, environment: Vec::new(), streams: Default::default() };
    let inputs = InputSet::from_flags(&flags, &context).expect("all files are there");
    let here = said(&inputs, Arc::new(InProcess::default()));
    difference(["in this process", "in the worker"], &here, &said(&inputs, WORKER.with(Arc::clone)))
}

/// All that is printed, and all findings.
fn said(inputs: &InputSet, evaluator: Arc<dyn Evaluator>) -> Vec<String> {
    let rendering = render_input_set(inputs, Settings::default(), evaluator);
    let mut said: Vec<String> =
        rendering.report.diagnostics().map(|finding| shown(&rendering.report.snapshot, finding)).collect();
    for file in rendering.files.iter().flatten() {
        let text = match &file.content {
            RenderedContent::Documents(documents) => {
                let text = |document: &lofting_document::Document| {
                    format!(
                        "{}{} layers",
                        write::yaml_document(&document.value),
                        rendering.origins(&document.value, &lofting_workspace::MadeParts::of(&document.value)).len()
                    )
                };
                documents.iter().map(text).collect::<Vec<_>>().join("---\n")
            }
            RenderedContent::Text(text) => text.clone(),
        };
        said.push(format!("{}\n{text}", file.name));
    }
    said
}
