//! The evaluator without a process of its own: code ends in the time of a command, and what it waits for does not count.

mod harness;

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use harness::Files;
use lofting_eval::{
    Call, Caller, Data, EvalError, EvalErrorKind, Evaluated, Evaluation, EvaluationId, Evaluator, FileAnswer,
    FileQuestion, LibraryAnswer, LibraryFiles, LibraryRequest,
};
use lofting_starlark::InProcess;
use lofting_worker::Limits;

const SLOW: &str = "#@ def f():\n#@   for i in range(1000000000):\n#@     x = i\n#@   end\n#@ end\n---\na: #@ f()\n";
const QUICK: &str = "a: #@ 1 + 1\n";

fn limits(time: u64) -> Limits {
    Limits { time: Duration::from_millis(time), ..Limits::OF_COMMANDS }
}

fn evaluate(evaluator: &InProcess, text: &str) -> Evaluated {
    let files = Files::new(&[("config.yml", text)]);
    let evaluation = Evaluation { program: files.program("config.yml"), ..Evaluation::default() };
    evaluator.evaluate(&evaluation, &files)
}

fn error(evaluated: Evaluated) -> (EvalErrorKind, String) {
    let error = evaluated.result.expect_err("it does not come to its end");
    (error.kind, error.message)
}

#[test]
fn code_ends_when_its_time_is_over() {
    let evaluator = InProcess::with_limits(limits(20));
    let stopped = (EvalErrorKind::Interrupted, "evaluation was stopped after 20 ms".to_owned());
    assert_eq!(error(evaluate(&evaluator, SLOW)), stopped);
    evaluate(&evaluator, QUICK).result.expect("others are evaluated");
    assert!(!evaluator.is_overdue());
    let evaluator = InProcess::with_limits(Limits { whole: Duration::from_millis(10), ..limits(20) });
    let stopped = (EvalErrorKind::Interrupted, "evaluation was stopped after 10 ms".to_owned());
    assert_eq!(error(evaluate(&evaluator, SLOW)), stopped);
}

#[test]
fn slow_code_has_a_total() {
    let evaluator = InProcess::with_limits(Limits { slow: Some(Duration::from_secs(1)), ..limits(100) });
    assert_eq!(error(evaluate(&evaluator, SLOW)).0, EvalErrorKind::Interrupted);
    evaluate(&evaluator, QUICK).result.expect("there is time left");
    let attempts = (0..100).map(|_| error(evaluate(&evaluator, SLOW)).0);
    assert!(attempts.into_iter().any(|kind| kind == EvalErrorKind::Limit));
    let (kind, message) = error(evaluate(&evaluator, QUICK));
    assert_eq!(kind, EvalErrorKind::Limit);
    assert!(message.contains("has used up the 1 s"), "{message}");
}

/// Files that take a while, and libraries that take as long.
struct Slowly(Files, Duration);

impl LibraryFiles for Slowly {
    fn look_up(&self, question: &FileQuestion) -> FileAnswer {
        thread::sleep(self.1);
        self.0.look_up(question)
    }

    fn run(&self, _: &LibraryRequest, _: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        thread::sleep(self.1);
        Ok(LibraryAnswer::Values(Data::Struct(Vec::new())))
    }

    fn call(&self, _: EvaluationId, _: &[Call]) -> Vec<Result<Data, EvalError>> {
        Vec::new()
    }
}

#[test]
fn what_code_waits_for_is_not_its_time() {
    let text = "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:library\", \"library\")\n---\na: #@ data.read(\"a.txt\")\n\
                b: #@ type(library.get(\"l\").data_values())\n";
    let files = Files::new(&[("config.yml", text), ("a.txt", "text"), ("_ytt_lib/l/a.yml", "")]);
    let evaluation = Evaluation { program: files.program("config.yml"), ..Evaluation::default() };
    let evaluator = InProcess::with_limits(limits(400));
    let evaluated = evaluator.evaluate(&evaluation, &Slowly(files, Duration::from_millis(500)));
    evaluated.result.expect("its own code is quick");
}

/// Many threads of one process evaluate and call at a time.
#[test]
fn threads_do_not_wait_for_each_other() {
    let evaluator = Arc::new(InProcess::default());
    let text = "#@ def f(v): return v + 1\n#@ def wait():\n#@   for i in range(100000):\n#@     x = i\n#@   end\n\
                #@   return 1\n#@ end\n---\n#@schema/validation (\"a\", f)\na: #@ wait()\n";
    let threads: Vec<_> = (0..8)
        .map(|_| {
            let evaluator = Arc::clone(&evaluator);
            thread::spawn(move || evaluate(&evaluator, text).result.is_ok())
        })
        .collect();
    assert!(threads.into_iter().all(|thread| thread.join().expect("it does not panic")));
}
