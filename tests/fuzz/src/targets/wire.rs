//! Messages between the server and its worker: any bytes are read or refused; what is read is written and read the
//! same; and a worker that lies does no harm.
//!
//! A text is cut at lines `#-`: a template, and pairs of lines: what to replace in its true answer, and by what.

use std::fmt::Debug;
use std::sync::Arc;

use lofting_eval::{Batch, Data, EvalError, Evaluated, Evaluation, EvaluationId, Evaluator, LibraryFiles};
use lofting_starlark::InProcess;
use lofting_worker::wire::{self, FromWorker, ToWorker};
use lofting_workspace::Need;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::measured::Target;
use crate::questions::{ask, workspace};

pub const TARGET: Target = Target::Text(run);

fn run(text: &str) {
    let (template, changes) = text.split_once("\n#-\n").unwrap_or((text, ""));
    for line in changes.lines() {
        same::<FromWorker>(line.as_bytes());
        same::<ToWorker<'static>>(line.as_bytes());
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
}

/// What can be read is written and read as what it was.
fn same<M: Serialize + DeserializeOwned + Debug>(content: &[u8]) {
    let Ok(message) = wire::parse::<M>(content) else { return };
    let again: M = wire::parse(&content_of(&message)).expect("it can be read");
    assert_eq!(format!("{again:?}"), format!("{message:?}"));
}

/// A message as bytes, without its length.
fn content_of(message: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    wire::send(&mut bytes, message).expect("it can be written");
    bytes.split_off(4)
}

/// An evaluator that does not say what it found.
struct Liar {
    honest: InProcess,
    changes: Vec<(String, String)>,
}

impl Liar {
    fn changed<M: Serialize + DeserializeOwned>(&self, truth: M) -> M {
        let mut bytes = content_of(&truth);
        for (old, new) in self.changes.iter().filter(|(old, _)| !old.is_empty()) {
            for _ in 0..3 {
                let found = bytes.windows(old.len()).position(|window| window == old.as_bytes());
                let Some(at) = found else { break };
                bytes.splice(at..at + old.len(), new.bytes());
            }
        }
        wire::parse(&bytes).unwrap_or(truth)
    }
}

impl Evaluator for Liar {
    fn evaluate(&self, evaluation: &Evaluation, files: &dyn LibraryFiles) -> Evaluated {
        self.changed(self.honest.evaluate(evaluation, files))
    }

    fn call_batch(&self, evaluation: EvaluationId, batch: &Batch<'_>) -> Vec<Result<Data, EvalError>> {
        self.changed(self.honest.call_batch(evaluation, batch))
    }

    fn release(&self, evaluation: EvaluationId) {
        self.honest.release(evaluation);
    }
}
