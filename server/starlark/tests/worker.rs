//! The worker process starts lazily, ends when it should, and never harms the server.

#![allow(clippy::print_stdout, reason = "what was skipped or measured is shown by the test runner")]

mod harness;

use std::process::Command;
use std::time::{Duration, Instant};

use harness::{Files, data};
use lofting_eval::{
    Batch, Call, Caller, Data, EvalError, EvalErrorKind, Evaluated, Evaluation, EvaluationId, Evaluator, FileAnswer,
    FileQuestion, Fragment, FragmentItem, FragmentKind, LibraryAnswer, LibraryFiles, LibraryRequest,
};
use lofting_worker::wire::{self, FromWorker, VERSION};
use lofting_worker::{Confinement, Launch, Limits, WorkerEvaluator};

fn worker(time: Duration) -> WorkerEvaluator {
    WorkerEvaluator::new(
        || Command::new(env!("CARGO_BIN_EXE_lofting-eval-worker")),
        Limits { time, ..Limits::IN_EDITORS },
    )
}

fn evaluate(worker: &WorkerEvaluator, files: &Files) -> Evaluated {
    let evaluation = Evaluation { program: files.program(&files.0[0].0), ..Evaluation::default() };
    worker.evaluate(&evaluation, files)
}

/// The output of a large generator: its values leave the worker as well, in its limits of memory.
#[test]
fn a_template_may_make_more_than_a_million_nodes() {
    let worker = worker(Duration::from_secs(60));
    // Many nodes for each turn of the loop, which takes most of the time.
    let keys: String = (0..60).map(|number| format!("k{number}: text of a node\n")).collect();
    let item = format!("#@ for i in range(24000):\n---\na: #@ \"of the item {{}}\".format(i)\n{keys}#@ end\n");
    let files = Files::new(&[("config.yml", &item)]);
    let outcome = evaluate(&worker, &files).result.expect("it evaluates");
    assert_eq!(outcome.documents.items.len(), 24_000);
    let Some(Data::Fragment(last)) = outcome.documents.items.last().map(|item| &item.value) else { panic!("a map") };
    assert_eq!(last.items.len(), 61);
    assert_eq!(last.items[0].value, Data::String("of the item 23999".into()));
}

/// What a worker reserves without using it counts as well, because its sandbox limits address space.
#[cfg(target_os = "linux")]
#[test]
fn an_idle_worker_reserves_little_of_its_address_space() {
    let command = Command::new(env!("CARGO_BIN_EXE_lofting-eval-worker"));
    let mut child = lofting_worker::spawn(command).expect("it starts");
    let output = child.stdout.as_mut().expect("a pipe");
    let ready = wire::receive(output, usize::MAX).expect("it writes").expect("a message");
    assert!(matches!(wire::parse(&ready), Ok(FromWorker::Ready { .. })));
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:")).expect("a size");
    let size: usize = size.trim().trim_end_matches(" kB").parse().expect("a number");
    child.kill().and_then(|()| child.wait()).expect("it ends");
    // The stack of the evaluation has 128 MB of it.
    assert!(size < 200 << 10, "{size} KiB");
}

/// Code that is stopped by the clock alone: each step takes milliseconds.
fn endless() -> Files {
    code("x = \"a\" * 2000000\n#@ for i in range(1000000):\n#@   x.count(\"b\")\n#@ end")
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
    assert_eq!(map.items[0].value, Data::int(2));
    let id = evaluated.id.expect("an id");
    let call = Call { handle: 0, attribute: None, arguments: vec![Data::int(2)] };
    let results = worker.call(id, &[call.clone(), call.clone()]);
    assert_eq!(results.iter().map(|r| data(r.as_ref().unwrap())).collect::<Vec<_>>(), ["true", "true"]);
    worker.release(id);
    assert!(worker.call(id, &[call])[0].is_err());
    assert!(worker.is_running());
}

#[test]
fn bombs_end_and_the_next_evaluation_works() {
    let worker = worker(Duration::from_secs(4));
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
        "x = list(range(1000000000000))".to_owned(),
        "x = [1]\n#@ for i in range(60):\n#@   x = [x, x]\n#@ end\n#@ y = repr(x)".to_owned(),
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
        // A worker that does not answer gets a second chance.
        assert!(start.elapsed() < Duration::from_secs(12), "{head}");
        println!("{:>6} ms {:?} {} <- {head}", start.elapsed().as_millis(), error.kind, error.message);
        let fine = evaluate(&worker, &code("x = 1"));
        assert!(fine.result.is_ok(), "after {head}: {:?}", fine.result);
    }
}

#[cfg(unix)]
#[test]
fn what_made_the_worker_die_is_not_tried_again() {
    let workers = Known::default();
    let worker = WorkerEvaluator::new(workers.clone(), Limits::IN_EDITORS);
    let files = Files::new(&[("schema.yml", "#@ load(\"f.star\", \"f\")\n---\na: #@ f\n"), ("f.star", "f = 1\n")]);
    // What the runtime does when the system has no more memory.
    let dies = Disturbed { files: &files, workers: &workers, signal: rustix::process::Signal::ABORT, times: 1.into() };
    let evaluation = Evaluation { program: files.program("schema.yml"), ..Evaluation::default() };
    let first = worker.evaluate(&evaluation, &dies).result.expect_err("it is stopped");
    assert_eq!(first.kind, EvalErrorKind::Limit);
    assert!(first.message.ends_with("it is not retried until the text changes"), "{}", first.message);
    assert!(!worker.is_running());
    let second = worker.evaluate(&evaluation, &files).result.expect_err("it is refused");
    assert_eq!(second, first);
    assert!(!worker.is_running());
    // The files that code reads are part of the question, so a changed library makes it a new one.
    let changed = Files::new(&[("schema.yml", ""), ("f.star", "f = 2\n")]);
    assert!(worker.evaluate(&evaluation, &changed).result.is_ok());
}

/// An evaluation may be dropped by the thread that owns all state, so dropping must not wait.
#[test]
fn giving_up_an_evaluation_waits_for_nobody() {
    let worker = worker(Duration::from_secs(4));
    let kept = Files::new(&[("schema.yml", "---\n#@schema/validation (\"x\", lambda v: True)\na: 1\n")]);
    let id = evaluate(&worker, &kept).id.expect("an id, because a function can be called");
    assert_eq!(evaluate(&worker, &code("x = 1")).id, None);
    std::thread::scope(|scope| {
        let (sender, begun) = std::sync::mpsc::channel();
        let worker = &worker;
        scope.spawn(move || {
            sender.send(()).expect("the test waits");
            evaluate(worker, &endless()).result.expect_err("it is stopped")
        });
        begun.recv().expect("it begins");
        let asked = Instant::now();
        worker.release(id);
        assert!(worker.is_running());
        assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
    });
    let call = Call { handle: 0, attribute: None, arguments: Vec::new() };
    assert!(worker.call(id, &[call])[0].is_err());
}

/// The code ends itself, so that the worker can go on.
#[test]
fn what_takes_too_long_rests_before_it_is_tried_again() {
    let worker = worker(Duration::from_millis(300));
    let first = evaluate(&worker, &endless()).result.expect_err("it is stopped");
    assert_eq!(first.kind, EvalErrorKind::Interrupted);
    assert_eq!(first.message, "evaluation was stopped after 300 ms; it is retried after 5 s");
    assert!(worker.is_running());
    let begin = Instant::now();
    let second = evaluate(&worker, &endless()).result.expect_err("it rests");
    assert_eq!(second, first);
    assert!(begin.elapsed() < Duration::from_millis(300), "nothing was run for it");
    assert!(evaluate(&worker, &code("x = 1")).result.is_ok());
    // So do functions.
    let text = "#@ x = \"a\" * 2000000\n---\n\
        #@schema/validation (\"x\", lambda v: [x.count(\"b\") for i in range(1000000)])\na: 1\n";
    let id = evaluate(&worker, &Files::new(&[("schema.yml", text)])).id.expect("an id");
    let call = Call { handle: 0, attribute: None, arguments: vec![Data::int(2)] };
    let answer = worker.call(id, &[call]).remove(0).expect_err("it is stopped");
    assert_eq!((answer.kind, answer.message), (first.kind, first.message));
    assert!(worker.is_running());
}

/// Starts workers and keeps their process ids.
#[cfg(unix)]
#[derive(Clone, Default)]
struct Known(std::sync::Arc<std::sync::Mutex<Vec<u32>>>);

#[cfg(unix)]
impl Launch for Known {
    fn command(&self, _confined: bool) -> std::io::Result<Command> {
        Ok(Command::new(env!("CARGO_BIN_EXE_lofting-eval-worker")))
    }

    fn hold(&self, child: &std::process::Child) -> std::io::Result<Box<dyn std::any::Any + Send>> {
        self.0.lock().unwrap().push(child.id());
        Ok(Box::new(()))
    }
}

#[cfg(unix)]
impl Known {
    fn started(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    fn signal(&self, signal: rustix::process::Signal) {
        let newest = *self.0.lock().unwrap().last().expect("one was started");
        let pid = rustix::process::Pid::from_raw(newest.cast_signed()).expect("a process");
        rustix::process::kill_process(pid, signal).expect("it is there");
        // Its threads stop or end one after the other, and one that still runs could answer.
        if signal == rustix::process::Signal::STOP {
            rustix::process::waitpid(Some(pid), rustix::process::WaitOptions::UNTRACED).expect("it stops");
        } else {
            let ended = rustix::process::WaitIdOptions::EXITED | rustix::process::WaitIdOptions::NOWAIT;
            rustix::process::waitid(rustix::process::WaitId::Pid(pid), ended).expect("it ends");
        }
    }
}

/// Files that disturb the waiting worker before they give their first answers.
#[cfg(unix)]
struct Disturbed<'f> {
    files: &'f Files,
    workers: &'f Known,
    signal: rustix::process::Signal,
    times: std::cell::Cell<usize>,
}

#[cfg(unix)]
impl LibraryFiles for Disturbed<'_> {
    fn look_up(&self, question: &FileQuestion) -> FileAnswer {
        if let Some(left) = self.times.get().checked_sub(1) {
            self.times.set(left);
            self.workers.signal(self.signal);
        }
        self.files.look_up(question)
    }

    fn run(&self, request: &LibraryRequest, caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        self.files.run(request, caller)
    }
}

/// Files of a template whose result nothing needs any more once it runs.
#[cfg(unix)]
struct Unwanted<'f>(&'f Files);

#[cfg(unix)]
impl LibraryFiles for Unwanted<'_> {
    fn look_up(&self, question: &FileQuestion) -> FileAnswer {
        self.0.look_up(question)
    }

    fn is_wanted(&self) -> bool {
        false
    }

    fn run(&self, request: &LibraryRequest, caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        self.0.run(request, caller)
    }
}

#[cfg(unix)]
#[test]
fn code_whose_result_is_no_longer_wanted_is_stopped_and_neither_tried_again_nor_refused() {
    let workers = Known::default();
    let worker = WorkerEvaluator::new(workers.clone(), Limits { time: Duration::from_secs(20), ..Limits::IN_EDITORS });
    // Each round takes a long time, so that the limit on steps ends it only after minutes.
    let slow = Files::new(&[(
        "a.yml",
        "#@ for x in range(1000000):\n#@   y = (\"a\" * 1000000).replace(\"a\", \"b\")\n#@ end\na: 1\n",
    )]);
    let evaluation = Evaluation { program: slow.program("a.yml"), ..Evaluation::default() };
    for _ in 0..3 {
        let error = worker.evaluate(&evaluation, &Unwanted(&slow)).result.expect_err("it is stopped");
        assert_eq!(error.message, "evaluation was stopped: its result is no longer wanted");
    }
    assert_eq!(workers.started(), 3, "one for each attempt");
    // What ends soon is not asked about.
    let quick = Files::new(&[("a.yml", "a: #@ 1\n")]);
    let evaluation = Evaluation { program: quick.program("a.yml"), ..Evaluation::default() };
    assert!(worker.evaluate(&evaluation, &Unwanted(&quick)).result.is_ok());
    // So it is with functions, and others of the same template can be called afterwards.
    let text = "#@ x = \"a\" * 1000000\n---\n\
        #@schema/validation (\"x\", lambda v: [x.replace(\"a\", \"b\") for i in range(1000000 * v)])\na: 1\n";
    let id = evaluate(&worker, &Files::new(&[("schema.yml", text)])).id.expect("an id");
    let call = |times| Call { handle: 0, attribute: None, arguments: vec![Data::int(times)] };
    let unwanted = Batch { shared: &[], calls: &[call(1)], is_wanted: &|| false };
    let error = worker.call_batch(id, &unwanted).remove(0).expect_err("it is stopped");
    assert_eq!(error.message, "evaluation was stopped: its result is no longer wanted");
    assert_eq!(worker.call(id, &[call(0)]), [Ok(Data::List(Vec::new()))]);
}

/// Whether hang-ups are ignored, as they are for tests started with `nohup`; workers inherit that.
#[cfg(unix)]
fn ignores_hang_ups() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

#[cfg(unix)]
#[test]
fn a_worker_that_was_killed_or_stopped_from_outside_is_replaced_and_asked_again() {
    use rustix::process::Signal;
    let text = "#@ load(\"f.star\", \"f\")\n---\n#@schema/validation (\"x\", lambda v: f(v) == 3)\na: #@ f(1)\n";
    let files = Files::new(&[("schema.yml", text), ("f.star", "def f(x): return x + 1\n")]);
    let evaluation = Evaluation { program: files.program("schema.yml"), ..Evaluation::default() };
    for signal in [Signal::KILL, Signal::TERM, Signal::HUP, Signal::STOP] {
        if signal == Signal::HUP && ignores_hang_ups() {
            continue;
        }
        let workers = Known::default();
        let time = if signal == Signal::STOP { Duration::from_secs(1) } else { Duration::from_secs(20) };
        let worker = WorkerEvaluator::new(workers.clone(), Limits { time, ..Limits::IN_EDITORS });
        // During a request.
        let once = Disturbed { files: &files, workers: &workers, signal, times: 1.into() };
        let evaluated = worker.evaluate(&evaluation, &once);
        assert!(evaluated.result.is_ok(), "{signal:?}: {:?}", evaluated.result);
        assert_eq!(workers.started(), 2, "{signal:?}");
        // Between requests: the evaluations that the worker held are repeated.
        workers.signal(signal);
        let call = Call { handle: 0, attribute: None, arguments: vec![Data::int(2)] };
        let answers = worker.call(evaluated.id.expect("an id"), &[call]);
        assert_eq!(answers, [Ok(Data::Bool(true))], "{signal:?}");
        assert_eq!(workers.started(), 3, "{signal:?}");
        // Every time: then the question rests, while others are still answered.
        let always = Disturbed { files: &files, workers: &workers, signal, times: usize::MAX.into() };
        let error = worker.evaluate(&evaluation, &always).result.expect_err("it is interrupted");
        assert_eq!(error.kind, EvalErrorKind::Interrupted, "{signal:?}: {}", error.message);
        let started = workers.started();
        assert_eq!(worker.evaluate(&evaluation, &files).result, Err(error), "{signal:?}");
        assert_eq!(workers.started(), started, "{signal:?}");
        assert!(
            worker.evaluate(&Evaluation { library: "other/".to_owned(), ..evaluation.clone() }, &files).result.is_ok()
        );
    }
}

/// What a shell prints to send a message of a worker.
fn printed(message: &FromWorker) -> String {
    let mut bytes = Vec::new();
    wire::send(&mut bytes, message).expect("a message");
    let octal: String = bytes.iter().map(|byte| format!("\\{byte:03o}")).collect();
    format!("printf '{octal}'")
}

/// The first message of a worker of a version, with what its sandbox lacks.
fn ready(version: &str, missing: &[(&str, &str)]) -> FromWorker {
    let missing = missing.iter().map(|(layer, why)| ((*layer).to_owned(), (*why).to_owned())).collect();
    FromWorker::Ready { version: version.to_owned(), confinement: Confinement { holds: Vec::new(), missing } }
}

#[test]
fn a_sandbox_can_be_demanded() {
    let gaps = |command: &str| {
        let first = printed(&ready(VERSION, &[("memory limit", "not here")]));
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &format!("{first}; exec \"$0\""), command]);
        shell
    };
    let worker = WorkerEvaluator::new(move || gaps("/bin/cat"), Limits::IN_EDITORS);
    worker.demand_sandbox(true);
    let error = evaluate(&worker, &code("x = 1")).result.expect_err("there are gaps");
    assert_eq!(error.kind, EvalErrorKind::Refused);
    let message = "not evaluated: a sandbox is required, and this system does not provide: memory limit (not here)";
    assert_eq!(error.message, message);
    // On systems without a sandbox, the demand changes nothing.
    let worker = WorkerEvaluator::new(|| Command::new(env!("CARGO_BIN_EXE_lofting-eval-worker")), Limits::IN_EDITORS);
    worker.demand_sandbox(cfg!(target_os = "linux"));
    assert!(evaluate(&worker, &code("x = 1")).result.is_ok());
}

#[test]
fn a_program_that_is_no_worker_is_reported() {
    for (script, said) in [
        ("exit 0".to_owned(), "it ended before it was ready"),
        ("echo nonsense; cat".to_owned(), "it ended before it was ready"),
        (format!("{}; cat", printed(&FromWorker::Called(Vec::new()))), "it does not report that it is ready"),
        (format!("{}; cat", printed(&ready("0", &[]))), "replaced by another version"),
    ] {
        let command = script.clone();
        let start = move || {
            let mut shell = Command::new("/bin/sh");
            shell.args(["-c", &command]);
            shell
        };
        let worker = WorkerEvaluator::new(start, Limits::IN_EDITORS);
        let error = evaluate(&worker, &code("x = 1")).result.expect_err(&script);
        assert_eq!(error.kind, EvalErrorKind::Refused, "{script}");
        assert!(error.message.contains(said), "{script}: {}", error.message);
    }
}

#[test]
fn a_worker_that_can_not_start_is_reported() {
    let worker = WorkerEvaluator::new(|| Command::new("./no-such-program"), Limits::IN_EDITORS);
    let error = evaluate(&worker, &code("x = 1")).result.expect_err("there is no worker");
    assert_eq!(error.kind, EvalErrorKind::Refused);
}

/// Libraries that are evaluated by the same worker that waits for them.
struct Libraries<'w> {
    files: Files,
    worker: &'w WorkerEvaluator,
}

impl LibraryFiles for Libraries<'_> {
    fn look_up(&self, question: &FileQuestion) -> FileAnswer {
        self.files.look_up(question)
    }

    fn run(&self, request: &LibraryRequest, caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        let program = self.files.program(&format!("{}config.yml", request.directory));
        let evaluation = Evaluation { program, library: request.directory.clone(), ..Evaluation::default() };
        let evaluated = self.worker.evaluate(&evaluation, self);
        let outcome = evaluated.result?;
        let mut items = outcome.documents.items;
        if !request.given.is_empty() {
            // Both ways to the functions of the waiting template give the same result.
            let call = Call { handle: 0, attribute: None, arguments: vec![Data::int(1)] };
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
    assert_eq!(outcome.documents.items[2].value, Data::int(2));
    // No template is waiting any more.
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

#[cfg(unix)]
#[test]
fn functions_outlive_the_worker_that_made_them() {
    let workers = Known::default();
    let worker = WorkerEvaluator::new(workers.clone(), Limits::IN_EDITORS);
    let files = Files::new(&[
        ("schema.yml", "#@ load(\"f.star\", \"f\")\n---\n#@schema/validation (\"x\", lambda v: f(v) == 3)\na: 1\n"),
        ("f.star", "def f(x): return x + 1\n"),
    ]);
    let id = evaluate(&worker, &files).id.expect("an id");
    let call = |value| Call { handle: 0, attribute: None, arguments: vec![Data::int(value)] };
    workers.signal(rustix::process::Signal::KILL);
    assert_eq!(worker.call(id, &[call(2)]), [Ok(Data::Bool(true))]);
    // However many other evaluations were made since.
    let with_function = |i| format!("---\n#@schema/validation (\"x\", lambda v: v == {i})\na: 1\n");
    let others: Vec<_> = (0..70)
        .filter_map(|i| evaluate(&worker, &Files::new(&[("schema.yml", with_function(i).as_str())])).id)
        .collect();
    assert_eq!(others.len(), 70);
    assert_eq!(worker.call(id, &[call(2), call(3)]), [Ok(Data::Bool(true)), Ok(Data::Bool(false))]);
    worker.release(id);
    assert!(worker.call(id, &[call(2)])[0].is_err());
}

/// A command with a hundred functions that hang ends after the total, and says so.
#[test]
fn slow_code_of_a_command_has_a_total() {
    let limits = Limits { time: Duration::from_millis(400), slow: Some(Duration::from_secs(1)), ..Limits::OF_COMMANDS };
    let worker = WorkerEvaluator::new(|| Command::new(env!("CARGO_BIN_EXE_lofting-eval-worker")), limits);
    // Quick code does not count.
    for number in 0..20 {
        assert!(evaluate(&worker, &code(&format!("x = {number}"))).result.is_ok());
    }
    let begin = std::time::Instant::now();
    let mut messages = Vec::new();
    for number in 0..100 {
        let slow = format!("y = \"a\" * 1000000\n#@ for i in range(4000000):\n#@   z = y.count(\"b{number}\")\n#@ end");
        messages.push(evaluate(&worker, &code(&slow)).result.expect_err("it is stopped").message);
    }
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    let last = messages.last().expect("a message");
    assert_eq!(last, "not evaluated: code that takes a long time has used up the 1 s that one command gives it");
    assert!(messages[0].contains("evaluation was stopped"), "{messages:?}");
}

/// The pipe to a worker is full after some 64 KB.
#[test]
fn a_worker_that_does_not_read_is_given_up() {
    let deaf = || {
        let first = printed(&ready(VERSION, &[]));
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &format!("{first}; exec /bin/sleep 60")]);
        shell
    };
    let limits = Limits { time: Duration::from_millis(300), ..Limits::IN_EDITORS };
    let worker = WorkerEvaluator::new(deaf, limits);
    let begin = std::time::Instant::now();
    let large = format!("x = '{}'", "a".repeat(1_000_000));
    let error = evaluate(&worker, &code(&large)).result.expect_err("no answer comes");
    assert_eq!(error.kind, EvalErrorKind::Interrupted, "{}", error.message);
    // Two attempts.
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}
