//! Code that was interrupted: reported, and run again when it is time.

use crate::fixture::{Fixture, shown};
use lofting_eval::{
    Batch, CodeRange, Data, EvalError, EvalErrorKind, Evaluated, Evaluation, EvaluationId, Evaluator, Fragment,
    FragmentKind, Frame, LibraryFiles, Outcome,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Fails the first time.
struct Flaky {
    kind: EvalErrorKind,
    failed: AtomicBool,
}

impl Evaluator for Flaky {
    fn evaluate(&self, evaluation: &Evaluation, _files: &dyn LibraryFiles) -> Evaluated {
        let place = CodeRange { path: evaluation.program.path.clone(), start: 0, end: 1 };
        let frames = vec![Frame { function: "<toplevel>".to_owned(), place: Some(place) }];
        let documents = Fragment { kind: FragmentKind::DocumentSet, items: Vec::new() };
        let result = if self.failed.swap(true, Ordering::Relaxed) {
            Ok(Outcome { documents, text: None, names: Vec::new(), loaded: Vec::new() })
        } else {
            Err(EvalError { frames, ..EvalError::new(self.kind, "it was stopped") })
        };
        Evaluated { result, id: None, printed: Vec::new() }
    }

    fn call_batch(&self, _: EvaluationId, batch: &Batch<'_>) -> Vec<Result<Data, EvalError>> {
        batch.calls.iter().map(|_| Ok(Data::None)).collect()
    }

    fn release(&self, _: EvaluationId) {}
}

fn reported(fixture: &mut Fixture) -> String {
    let snapshot = fixture.evaluated("schema.yml");
    shown(&snapshot, fixture.id("schema.yml"))
}

#[test]
fn what_was_interrupted_runs_again_and_what_was_bounded_does_not() {
    for (kind, again) in
        [(EvalErrorKind::Interrupted, true), (EvalErrorKind::Limit, false), (EvalErrorKind::Refused, false)]
    {
        let mut fixture = Fixture::scanned("#- schema.yml\n#@data/values-schema\n---\na: #@ 1 + 1\n");
        fixture.workspace.set_evaluator(Arc::new(Flaky { kind, failed: AtomicBool::new(false) }));
        let first = reported(&mut fixture);
        assert!(first.contains("ytt/not-evaluated it was stopped"), "{kind:?}: {first}");
        assert_eq!(fixture.workspace.take_interrupted(), again, "{kind:?}");
        assert!(!fixture.workspace.take_interrupted(), "{kind:?}: it is reported once");
        fixture.workspace.run_interrupted_again();
        let then = reported(&mut fixture);
        assert_eq!(then.contains("ytt/not-evaluated"), !again, "{kind:?}: {then}");
    }
}
