//! Several workers at a time: each thread talks to one, and none waits for ever.

mod harness;

use std::process::{Child, Command};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use harness::Files;
use lofting_eval::{
    Call, Caller, Data, EvalError, Evaluation, EvaluationId, Evaluator, FileAnswer, FileQuestion, Fragment,
    FragmentKind, LibraryAnswer, LibraryFiles, LibraryRequest,
};
use lofting_worker::{Launch, Limits, WorkerEvaluator};

/// An evaluator of a command, and how many workers it has started.
fn workers(most: usize) -> (WorkerEvaluator, Arc<AtomicUsize>) {
    let started = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&started);
    let start = move || {
        count.fetch_add(1, Ordering::Relaxed);
        Command::new(env!("CARGO_BIN_EXE_lofting-eval-worker"))
    };
    let limits = Limits { workers: most, time: Duration::from_secs(30), ..Limits::OF_COMMANDS };
    (WorkerEvaluator::new(start, limits), started)
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Code that takes several milliseconds, and gives the number.
fn file(number: usize) -> Files {
    let text = format!(
        "#@ y = \"a\" * 200000\n#@ for i in range(300):\n#@   z = y.count(\"b\")\n#@ end\n---\na: #@ {number}\n"
    );
    Files::new(&[("config.yml", text.as_str())])
}

fn evaluation(files: &Files) -> Evaluation {
    Evaluation { program: files.program("config.yml"), ..Evaluation::default() }
}

#[test]
fn a_little_code_needs_one_worker() {
    let (worker, started) = workers(4);
    for number in 0..3 {
        let files = Files::new(&[("config.yml", "a: #@ 1 + 1\n")]);
        assert!(worker.evaluate(&evaluation(&files), &files).result.is_ok(), "{number}");
    }
    assert_eq!(started.load(Ordering::Relaxed), 1);
}

#[test]
fn a_worker_that_was_started_ahead_is_used() {
    let (worker, started) = workers(1);
    worker.prepare();
    worker.prepare();
    assert!(worker.is_running());
    let files = file(1);
    assert!(worker.evaluate(&evaluation(&files), &files).result.is_ok());
    worker.prepare();
    assert_eq!(started.load(Ordering::Relaxed), 1);
    worker.dismiss();
    worker.end();
    assert!(!worker.is_running());
}

/// Gives out a process that runs already, and counts how many others are started.
struct Ahead {
    child: Mutex<Option<Child>>,
    started: Arc<AtomicUsize>,
}

impl Launch for Ahead {
    fn ahead(&self) -> Option<Child> {
        self.child.lock().expect("nothing panics with it").take()
    }

    fn command(&self, _confined: bool) -> std::io::Result<Command> {
        self.started.fetch_add(1, Ordering::Relaxed);
        Ok(Command::new(env!("CARGO_BIN_EXE_lofting-eval-worker")))
    }
}

#[test]
fn a_process_that_runs_already_is_the_first_worker_whether_it_is_prepared_or_not() {
    for is_prepared in [true, false] {
        let started = Arc::new(AtomicUsize::new(0));
        let child = lofting_worker::spawn(Command::new(env!("CARGO_BIN_EXE_lofting-eval-worker"))).expect("it starts");
        let ahead = Ahead { child: Mutex::new(Some(child)), started: Arc::clone(&started) };
        let worker = WorkerEvaluator::new(ahead, Limits { workers: 1, ..Limits::OF_COMMANDS });
        if is_prepared {
            worker.prepare();
            assert!(worker.is_running());
        }
        let files = file(1);
        assert!(worker.evaluate(&evaluation(&files), &files).result.is_ok());
        assert_eq!(started.load(Ordering::Relaxed), 0, "prepared: {is_prepared}");
        worker.dismiss();
        worker.end();
        assert!(worker.evaluate(&evaluation(&files), &files).result.is_ok());
        assert_eq!(started.load(Ordering::Relaxed), 1, "prepared: {is_prepared}");
    }
}

#[test]
fn threads_get_their_own_results_from_no_more_workers_than_there_may_be() {
    for most in [1, 2] {
        let (worker, started) = workers(most);
        std::thread::scope(|scope| {
            for thread in 0..6 {
                let worker = &worker;
                scope.spawn(move || {
                    for number in (0..8).map(|number| thread * 100 + number) {
                        let files = file(number);
                        let outcome = worker.evaluate(&evaluation(&files), &files).result.expect("it evaluates");
                        let Data::Fragment(map) = &outcome.documents.items[0].value else { panic!("a map") };
                        assert_eq!(map.items[0].value, Data::int(number as i128));
                    }
                });
            }
        });
        assert_eq!(started.load(Ordering::Relaxed), most.min(processors()));
    }
}

/// A template that waits for its library calls a function that another worker made, however many threads do so.
struct Calling<'w> {
    files: Files,
    worker: &'w WorkerEvaluator,
    functions: &'w [EvaluationId],
}

impl LibraryFiles for Calling<'_> {
    fn look_up(&self, question: &FileQuestion) -> FileAnswer {
        self.files.look_up(question)
    }

    fn run(&self, _: &LibraryRequest, _: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        for function in self.functions {
            let call = Call { handle: 0, attribute: None, arguments: vec![Data::int(2)] };
            assert_eq!(self.worker.call(*function, &[call]), [Ok(Data::Bool(true))]);
        }
        Ok(LibraryAnswer::Documents(Fragment { kind: FragmentKind::DocumentSet, items: Vec::new() }))
    }
}

#[test]
fn functions_of_other_workers_can_be_called_while_templates_wait() {
    let (worker, _) = workers(2);
    let functions: Vec<EvaluationId> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6)
            .map(|number| {
                let worker = &worker;
                scope.spawn(move || {
                    // Slow enough for a second worker.
                    let slow = file(number);
                    assert!(worker.evaluate(&evaluation(&slow), &slow).result.is_ok());
                    let text = "---\n#@schema/validation (\"x\", lambda v: v == 2)\na: 1\n";
                    let files = Files::new(&[("config.yml", text)]);
                    worker.evaluate(&evaluation(&files), &files).id.expect("it has functions")
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("it ends")).collect()
    });
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let (worker, functions) = (&worker, functions.as_slice());
            scope.spawn(move || {
                let text = "#@ load(\"@ytt:library\", \"library\")\n#@ x = library.get(\"a\").eval()\n---\na: 1\n";
                let files = Files::new(&[("config.yml", text), ("_ytt_lib/a/config.yml", "b: 1\n")]);
                let evaluation = evaluation(&files);
                let calling = Calling { files, worker, functions };
                assert!(worker.evaluate(&evaluation, &calling).result.is_ok());
            });
        }
    });
    for function in functions {
        worker.release(function);
        let call = Call { handle: 0, attribute: None, arguments: vec![Data::int(2)] };
        assert!(worker.call(function, &[call])[0].is_err());
    }
}
