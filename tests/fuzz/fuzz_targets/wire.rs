//! Messages between the server and its worker: any line is read or refused; what is read is written and read the same;
//! and a worker that answers something else than the truth does no harm.
//!
//! A text is cut at lines `#-`: a template, and pairs of lines: what to replace in its true answer, and by what.
#![no_main]

mod questions;

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use lofting_eval::{Call, Data, EvalError, Evaluated, Evaluation, EvaluationId, Evaluator, LibraryFiles};
use lofting_starlark::InProcess;
use lofting_worker::wire::{FromWorker, ToWorker};
use lofting_workspace::Need;
use questions::{ask, workspace};

fuzz_target!(|text: &str| {
    let (template, changes) = text.split_once("\n#-\n").unwrap_or((text, ""));
    for line in changes.lines() {
        if let Ok(message) = serde_json::from_str::<FromWorker>(line) {
            same(&message, |text| serde_json::from_str::<FromWorker>(text).map(|read| format!("{read:?}")));
        }
        if let Ok(message) = serde_json::from_str::<ToWorker<'_>>(line) {
            same(&message, |text| serde_json::from_str::<ToWorker<'_>>(text).map(|read| format!("{read:?}")));
        }
    }
    let lines: Vec<String> = changes.lines().map(str::to_owned).collect();
    let changes = lines.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
    let schema = "#@data/values-schema\n---\na: 1\nb: \"\"\n";
    let (mut workspace, files) =
        workspace(&[("schema.yml", schema), ("values.yml", template), ("template.yml", template)]);
    workspace.set_evaluator(Arc::new(Liar { honest: InProcess::default(), changes }));
    for file in &files[1..] {
        ask(&workspace.evaluate(&[*file], Need::Values, 1), *file, template);
    }
});

/// What is written is read as what it was.
fn same<M: serde::Serialize + std::fmt::Debug>(message: &M, read: impl Fn(&str) -> serde_json::Result<String>) {
    let text = serde_json::to_string(message).expect("it can be written");
    assert!(!text.contains('\n'), "one line");
    assert_eq!(read(&text).expect("it can be read"), format!("{message:?}"));
}

/// An evaluator that does not say what it found.
struct Liar {
    honest: InProcess,
    changes: Vec<(String, String)>,
}

impl Liar {
    fn changed<M: serde::Serialize + serde::de::DeserializeOwned>(&self, truth: M) -> M {
        let mut text = serde_json::to_string(&truth).expect("it can be written");
        for (old, new) in self.changes.iter().filter(|(old, _)| !old.is_empty()) {
            text = text.replacen(old, new, 3);
        }
        serde_json::from_str(&text).unwrap_or(truth)
    }
}

impl Evaluator for Liar {
    fn evaluate(&self, evaluation: &Evaluation, files: &dyn LibraryFiles) -> Evaluated {
        self.changed(self.honest.evaluate(evaluation, files))
    }

    fn call_sharing(&self, evaluation: EvaluationId, shared: &[Data], calls: &[Call]) -> Vec<Result<Data, EvalError>> {
        self.changed(self.honest.call_sharing(evaluation, shared, calls))
    }

    fn release(&self, evaluation: EvaluationId) {
        self.honest.release(evaluation);
    }
}
