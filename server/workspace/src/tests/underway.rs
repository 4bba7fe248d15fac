//! Code that runs while texts change: what an edit makes stale ends at once, and nothing else does.

use crate::Need;
use crate::evaluation::Evaluation as Ran;
use crate::fixture::Fixture;
use lofting_eval::{
    AnnotationData, Batch, Data, EvalError, Evaluated, Evaluation, EvaluationId, Evaluator, Fragment, FragmentItem,
    FragmentKind, Function, LibraryFiles, Origin, Outcome,
};
use lofting_memo::until_abandoned;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// Says that code runs, which then runs until it is not wanted, or until it may end. A template that is slow has loaded a
/// library before.
struct Slow {
    runs: Mutex<Sender<String>>,
    may_end: Mutex<Receiver<()>>,
    /// The template that is slow, or [`FUNCTIONS`].
    slow: &'static str,
}

/// A rule of the schema is slow, no template.
const RULE: &str = "a rule";

impl Slow {
    fn run(&self, what: &str, is_wanted: &dyn Fn() -> bool) {
        self.runs.lock().send(what.to_owned()).expect("the test listens");
        let may_end = self.may_end.lock();
        while is_wanted() && may_end.try_recv().is_err() {
            std::thread::yield_now();
        }
    }
}

impl Evaluator for Slow {
    fn evaluate(&self, evaluation: &Evaluation, files: &dyn LibraryFiles) -> Evaluated {
        if evaluation.program.path == self.slow {
            files.library("lib.star");
            self.run(self.slow, &|| files.is_wanted());
        }
        let (documents, id) = match evaluation.program.path.as_str() {
            "schema.yml" => (schema(), Some(EvaluationId(1))),
            _ => (Fragment { kind: FragmentKind::DocumentSet, items: Vec::new() }, None),
        };
        Evaluated {
            result: Ok(Outcome { documents, text: None, names: Vec::new(), loaded: Vec::new() }),
            id,
            printed: Vec::new(),
        }
    }

    fn call_batch(&self, _: EvaluationId, batch: &Batch<'_>) -> Vec<Result<Data, EvalError>> {
        if self.slow == RULE {
            self.run(RULE, batch.is_wanted);
        }
        batch.calls.iter().map(|_| Ok(Data::Bool(true))).collect()
    }

    fn release(&self, _: EvaluationId) {}
}

/// What the schema below gives.
fn schema() -> Fragment {
    let item = |node, key, value, annotation, positional| FragmentItem {
        origin: Some(Origin { path: "schema.yml".into(), node }),
        key,
        value,
        annotations: vec![AnnotationData {
            annotation: node,
            name: String::from(annotation),
            positional,
            keywords: vec![],
        }],
    };
    let one = |kind, item| Fragment { kind, items: vec![item] };
    let rule = Data::Function(Box::new(Function {
        handle: 1,
        evaluation: None,
        name: "lambda".to_owned(),
        parameters: Some(1),
        made_with: Vec::new(),
    }));
    let rule = vec![Data::Tuple(vec![Data::String("small".into()), rule])];
    let key = item(1, Some(Data::String("a".into())), Data::int(1), "schema/validation", rule);
    let map = Data::Fragment(one(FragmentKind::Map, key));
    one(FragmentKind::DocumentSet, item(0, None, map, "data/values-schema", Vec::new()))
}

const FILES: &str = "#- lofting.toml
[sets.all]
files = ['config']
#- config/schema.yml
#@data/values-schema
---
#@schema/validation ('small', lambda v: v < 3)
a: #@ 1 + 1
#- config/values.yml
#@data/values
---
a: 1
#- config/lib.star
x = 1
#- config/template.yml
b: #@ 1 + 1
#- config/other.yml
c: #@ 2
";

/// Runs code on another thread, and edits a file while `slow` runs. Whether the work was abandoned.
fn ends(slow: &'static str, edited: Option<&str>, may_be_abandoned: bool) -> bool {
    let mut fixture = Fixture::scanned(FILES);
    let ((runs, running), (end, may_end)) = (channel(), channel());
    let evaluator = Slow { runs: Mutex::new(runs), may_end: Mutex::new(may_end), slow };
    fixture.workspace.set_evaluator(Arc::new(evaluator));
    let (schema, template) = (fixture.id("config/schema.yml"), fixture.id("config/template.yml"));
    let (snapshot, runner) = (fixture.workspace.snapshot(), fixture.workspace.runner());
    let (mut all, mut found) = (Vec::<Ran>::new(), None);
    let abandoned = std::thread::scope(|scope| {
        let mut work = || {
            let snapshot = snapshot.with_code(&[schema], Need::Findings, &runner, 1, &mut |one| all.push(one));
            let outputs: Vec<_> = snapshot.output_calls(template).iter().map(|call| snapshot.output(call)).collect();
            found = Some(outputs.len());
        };
        let thread = scope.spawn(move || match may_be_abandoned {
            true => until_abandoned(work).is_err(),
            false => {
                work();
                false
            }
        });
        assert_eq!(running.recv().as_deref(), Ok(slow));
        if let Some(edited) = edited {
            fixture.open(edited, "z: 2\n");
        }
        // One end for each time that it may run.
        (0..20).for_each(|_| end.send(()).expect("it listens"));
        thread.join().expect("it does not panic")
    });
    assert_eq!(found.is_none(), abandoned, "work that is abandoned leaves nothing");
    abandoned
}

#[test]
fn what_an_edit_makes_stale_is_abandoned_and_what_it_leaves_alone_goes_on() {
    for (slow, edited, is_stale) in [
        ("schema.yml", "config/schema.yml", true),
        ("schema.yml", "config/lib.star", true),
        ("schema.yml", "config/values.yml", false),
        ("schema.yml", "config/template.yml", false),
        ("template.yml", "config/template.yml", true),
        ("template.yml", "config/lib.star", true),
        ("template.yml", "config/values.yml", true),
        ("template.yml", "config/schema.yml", true),
        ("template.yml", "config/other.yml", false),
        (RULE, "config/schema.yml", true),
        (RULE, "config/other.yml", false),
        // Its answer is remembered for the value.
        (RULE, "config/values.yml", false),
    ] {
        assert_eq!(ends(slow, Some(edited), true), is_stale, "{edited} changes while {slow} runs");
        // An answer that the user waits for, whatever else is typed.
        assert!(!ends(slow, Some(edited), false), "{edited} changes while {slow} runs to its end");
    }
    assert!(!ends("template.yml", None, true));
}
