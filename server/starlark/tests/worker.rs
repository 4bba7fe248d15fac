//! The worker process: starts lazily, survives nothing it should not, and leaves the server alone.

#![allow(clippy::print_stdout, reason = "what was skipped or measured is shown by the test runner")]

mod harness;

use std::process::Command;
use std::time::{Duration, Instant};

use harness::{Files, data};
use lofting_eval::{
    Call, Caller, Data, EvalError, EvalErrorKind, Evaluated, Evaluation, EvaluationId, Evaluator, Fragment,
    FragmentItem, FragmentKind, LibraryAnswer, LibraryFile, LibraryFiles, LibraryRequest, Limits, WorkerEvaluator,
};

fn worker(time: Duration) -> WorkerEvaluator {
    WorkerEvaluator::new(
        || Command::new(env!("CARGO_BIN_EXE_lofting-eval-worker")),
        Limits { time, ..Limits::default() },
    )
}

fn evaluate(worker: &WorkerEvaluator, files: &Files) -> Evaluated {
    let evaluation = Evaluation { program: files.program(&files.0[0].0), ..Evaluation::default() };
    worker.evaluate(&evaluation, files)
}

fn code(code: &str) -> Files {
    Files(vec![("schema.yml".to_owned(), format!("#@ {code}\n---\na: 1\n"))])
}

#[test]
fn evaluates_loads_and_calls() {
    let worker = worker(Duration::from_secs(20));
    assert!(!worker.is_running());
    let files = Files::new(&[
        (
            "schema.yml",
            "#@ load(\"lib/f.star\", \"f\")\n---\n#@schema/validation (\"x\", lambda v: f(v) == 3)\na: #@ f(1)\n",
        ),
        ("lib/f.star", "load(\"g.star\", \"g\")\ndef f(x):\n  return g(x)\nend\n"),
        ("lib/g.star", "def g(x): return x + 1\n"),
    ]);
    let evaluated = evaluate(&worker, &files);
    let outcome = evaluated.result.expect("it evaluates");
    let Data::Fragment(map) = &outcome.documents.items[0].value else { panic!("a map") };
    assert_eq!(map.items[0].value, Data::Int(2));
    let id = evaluated.id.expect("an id");
    let call = Call { handle: 0, attribute: None, arguments: vec![Data::Int(2)] };
    let results = worker.call(id, &[call.clone(), call.clone()]);
    assert_eq!(results.iter().map(|r| data(r.as_ref().unwrap())).collect::<Vec<_>>(), ["true", "true"]);
    worker.release(id);
    assert!(worker.call(id, &[call])[0].is_err());
    assert!(worker.is_running());
}

#[test]
fn bombs_end_and_the_next_evaluation_works() {
    let worker = worker(Duration::from_secs(8));
    let nested = |open: &str, close: &str, count: usize| format!("x = {}1{}", open.repeat(count), close.repeat(count));
    let bombs = [
        "x = len(\"x\" * 2000000000)".to_owned(),
        "s = \"x\"\n#@ for i in range(60):\n#@   s = s + s\n#@ end".to_owned(),
        "x = 10\n#@ for i in range(40):\n#@   x = x * x\n#@ end".to_owned(),
        "x = sorted(range(1000000000))".to_owned(),
        "x = (\"ab\" * 100000).replace(\"a\", \"b\" * 100000)".to_owned(),
        "x = \"\".join([\"x\" * 1000000] * 100000)".to_owned(),
        "x = [[i for i in range(100000)] for j in range(100000)]".to_owned(),
        "d = {}\n#@ for i in range(100000000):\n#@   d[i] = str(i)\n#@ end".to_owned(),
        "def f(): return f()\n#@ f()".to_owned(),
        "i = 0\n#@ while True:\n#@   i += 1\n#@ end".to_owned(),
        "x = range(1000000000000)".to_owned(),
        "x = \"x\" * 10000000000".to_owned(),
        "x = [0] * 10000000000".to_owned(),
        "x = 1 << (10 * 100000000000)".to_owned(),
        nested("(", ")", 100_000),
        nested("[", "]", 100_000),
        nested("not ", "", 100_000),
        nested("-", "", 100_000),
        nested("1+", "", 100_000),
        nested("lambda: ", "", 100_000),
        nested("f(", ")", 100_000),
        nested("1 if 1 else ", "", 50_000),
        format!("x = a{}", ".b".repeat(50_000)),
        format!("x = a{}", "()".repeat(50_000)),
        "if True:\n#@ ".repeat(5000),
    ];
    for bomb in &bombs {
        let head: String = bomb.chars().take(60).collect();
        let start = Instant::now();
        let error = evaluate(&worker, &code(bomb)).result.expect_err(&head);
        assert!(start.elapsed() < Duration::from_secs(12), "{head}");
        println!("{:>6} ms {:?} {} <- {head}", start.elapsed().as_millis(), error.kind, error.message);
        let fine = evaluate(&worker, &code("x = 1"));
        assert!(fine.result.is_ok(), "after {head}: {:?}", fine.result);
    }
}

#[test]
fn what_killed_the_worker_is_not_tried_again() {
    let worker = worker(Duration::from_millis(300));
    let bomb = code("x = 10\n#@ for i in range(40):\n#@   x = x * x\n#@ end");
    let first = evaluate(&worker, &bomb).result.expect_err("it is stopped");
    assert_eq!(first.kind, EvalErrorKind::Limit);
    assert!(!worker.is_running());
    let start = Instant::now();
    let second = evaluate(&worker, &bomb).result.expect_err("it is refused");
    assert!(second.message.contains("not evaluated") && start.elapsed() < Duration::from_millis(50), "{second:?}");
    assert!(!worker.is_running());
}

#[test]
fn a_worker_that_can_not_start_is_reported() {
    let worker = WorkerEvaluator::new(|| Command::new("./no-such-program"), Limits::default());
    let error = evaluate(&worker, &code("x = 1")).result.expect_err("there is no worker");
    assert_eq!(error.kind, EvalErrorKind::Unavailable);
}

/// Libraries that are evaluated by the worker that waits for them.
struct Libraries<'w> {
    files: Files,
    worker: &'w WorkerEvaluator,
}

impl LibraryFiles for Libraries<'_> {
    fn library(&self, path: &str) -> LibraryFile {
        self.files.library(path)
    }

    fn read(&self, path: &str) -> Option<String> {
        self.files.read(path)
    }

    fn list(&self, path: &str) -> Vec<String> {
        self.files.list(path)
    }

    fn find(&self, from: &str, name: &str) -> Option<String> {
        self.files.find(from, name)
    }

    fn run(&self, request: &LibraryRequest, caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        let program = self.files.program(&format!("{}config.yml", request.directory));
        let evaluation = Evaluation { program, library: request.directory.clone(), ..Evaluation::default() };
        let evaluated = self.worker.evaluate(&evaluation, self);
        let outcome = evaluated.result?;
        let mut items = outcome.documents.items;
        if !request.given.is_empty() {
            // Both ways to the functions of the template that waits lead to the same.
            let call = Call { handle: 0, attribute: None, arguments: vec![Data::Int(1)] };
            let given = caller(std::slice::from_ref(&call)).remove(0)?;
            assert_eq!(Ok(given.clone()), self.worker.call(EvaluationId::CALLER, &[call]).remove(0));
            items.push(FragmentItem { origin: None, key: None, value: given, annotations: Vec::new() });
        }
        Ok(LibraryAnswer::Documents(Fragment { kind: FragmentKind::DocumentSet, items }))
    }
}

#[test]
fn libraries_are_evaluated_while_a_template_waits() {
    let worker = worker(Duration::from_secs(20));
    let load = "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n";
    let main = format!(
        "{load}--- #@ template.replace(library.get(\"a\").with_data_values_schema({{\"f\": lambda v: v + 1}}).eval())\n"
    );
    let a = format!("{load}--- #@ template.replace(library.get(\"b\").eval())\n---\nin: a\n");
    let files = Files::new(&[
        ("config.yml", &main),
        ("_ytt_lib/a/config.yml", &a),
        ("_ytt_lib/a/_ytt_lib/b/config.yml", "#@ load(\"/x.star\", \"x\")\nin: #@ x\n"),
        ("_ytt_lib/a/_ytt_lib/b/x.star", "x = \"b\"\n"),
    ]);
    let evaluation = Evaluation { program: files.program("config.yml"), ..Evaluation::default() };
    let libraries = Libraries { files, worker: &worker };
    let evaluated = worker.evaluate(&evaluation, &libraries);
    let outcome = evaluated.result.expect("it evaluates");
    let values: Vec<String> = outcome.documents.items.iter().map(|item| data(&item.value)).collect();
    assert_eq!(values.len(), 3, "{values:?}");
    assert_eq!(outcome.documents.items[2].value, Data::Int(2));
    // Nobody waits any more.
    assert!(worker.call(EvaluationId::CALLER, &[]).is_empty());
}

#[test]
fn a_library_that_never_ends_ends_the_whole() {
    let worker = worker(Duration::from_secs(1));
    let files = Files::new(&[
        ("config.yml", "#@ load(\"@ytt:library\", \"library\")\n#@ x = library.get(\"a\").eval()\n---\na: 1\n"),
        ("_ytt_lib/a/config.yml", "#@ x = len(\"x\" * 2000000000)\n---\na: 1\n"),
    ]);
    let evaluation = Evaluation { program: files.program("config.yml"), ..Evaluation::default() };
    let libraries = Libraries { files, worker: &worker };
    let error = worker.evaluate(&evaluation, &libraries).result.expect_err("it ends");
    assert_eq!(error.kind, EvalErrorKind::Limit, "{}", error.message);
    // The next one works.
    assert!(evaluate(&worker, &code("x = 1")).result.is_ok());
}

#[test]
fn functions_outlive_the_worker_that_made_them() {
    let worker = worker(Duration::from_secs(4));
    let files = Files::new(&[
        ("schema.yml", "#@ load(\"f.star\", \"f\")\n---\n#@schema/validation (\"x\", lambda v: f(v) == 3)\na: 1\n"),
        ("f.star", "def f(x): return x + 1\n"),
    ]);
    let id = evaluate(&worker, &files).id.expect("an id");
    let call = |value| Call { handle: 0, attribute: None, arguments: vec![Data::Int(value)] };
    let bomb = code("x = (\"ab\" * 100000).replace(\"a\", \"b\" * 100000)");
    assert!(evaluate(&worker, &bomb).result.is_err());
    assert_eq!(worker.call(id, &[call(2)]), [Ok(Data::Bool(true))]);
    // Nor does it matter how many others were made since.
    let others: Vec<_> = (0..70).filter_map(|i| evaluate(&worker, &code(&format!("x = {i}"))).id).collect();
    assert_eq!(others.len(), 70);
    assert_eq!(worker.call(id, &[call(2), call(3)]), [Ok(Data::Bool(true)), Ok(Data::Bool(false))]);
    worker.release(id);
    assert!(worker.call(id, &[call(2)])[0].is_err());
}
