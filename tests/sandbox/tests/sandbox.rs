//! Hostile code inside the real worker: what it tries is refused, by each layer alone and by all together.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout, reason = "what was skipped is shown by the test runner")]

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixListener;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use lofting_worker::Confinement;
use lofting_worker::wire::{self, FromWorker};
use tempfile::TempDir;

const WORKER: &str = env!("CARGO_BIN_EXE_hostile-worker");

/// What is tried, and the layers that refuse it alone. Those marked with `*` need privileges or a network that not
/// every system gives: without a sandbox they may fail as well.
const ATTEMPTS: &[(&str, &[&str])] = &[
    ("read a system file", &["Access", "Descriptors", "Calls"]),
    ("read a file of the workspace", &["Access", "Descriptors", "Calls"]),
    ("read a relative path", &["Directory", "Access", "Descriptors", "Calls"]),
    ("open a device", &["Access", "Descriptors", "Calls"]),
    ("*read the environment of the server", &["Access", "Descriptors", "Calls"]),
    ("list the root", &["Access", "Descriptors", "Calls"]),
    ("look at a file", &["Calls"]),
    ("read a link", &["Calls"]),
    ("create a file", &["Access", "Descriptors", "Calls"]),
    ("make a directory", &["Access", "Calls"]),
    ("delete a file", &["Access", "Calls"]),
    ("rename a file", &["Access", "Calls"]),
    ("change permissions", &["Calls"]),
    ("change the working directory", &["Calls"]),
    ("read from a leaked descriptor", &["Inherited", "Calls"]),
    ("write to a leaked descriptor", &["Inherited", "Limits", "Calls"]),
    ("map a leaked descriptor", &["Inherited", "Calls"]),
    ("let a file grow", &["Limits", "Access", "Descriptors", "Calls"]),
    ("connect by TCP", &["Descriptors", "Calls", "Kills"]),
    ("*connect by TCP over IPv6", &["Descriptors", "Calls", "Kills"]),
    ("send by UDP", &["Descriptors", "Calls", "Kills"]),
    ("connect to a socket in a file", &["Descriptors", "Calls", "Kills"]),
    ("make a pair of sockets", &["Descriptors", "Calls"]),
    ("make a raw socket", &["Descriptors", "Calls", "Kills"]),
    ("make a pipe", &["Descriptors", "Calls"]),
    ("copy a descriptor", &["Descriptors", "Calls"]),
    ("watch files", &["Descriptors", "Calls"]),
    ("start a program", &["Access", "Calls"]),
    ("become another program", &["Access", "Calls", "Kills"]),
    ("start a thread", &["Calls"]),
    ("signal the server", &["Calls", "Kills"]),
    ("*trace the server", &["Access", "Calls", "Kills"]),
    ("*read the memory of the server", &["Access", "Calls", "Kills"]),
    ("hold on to the server", &["Descriptors", "Calls", "Kills"]),
    ("limit the server", &["Calls"]),
    ("slow the server down", &["Calls"]),
    ("*raise own limits", &["Calls"]),
    ("start a session", &["Calls"]),
    ("leave the namespaces", &["Calls", "Kills"]),
    ("*mount", &["Calls", "Kills"]),
    ("let data be run", &["Calls"]),
    ("make memory that can be run", &["Calls"]),
    ("take a gibibyte", &["Limits"]),
];

/// A directory with what the attempts are aimed at.
struct Prepared {
    directory: TempDir,
    _listener: UnixListener,
}

fn prepared() -> Prepared {
    let directory = tempfile::tempdir().expect("a directory");
    let at = |name: &str| directory.path().join(name);
    for name in ["secret", "victim", "old"] {
        std::fs::write(at(name), name).expect("a file");
    }
    std::os::unix::fs::symlink("secret", at("link")).expect("a link");
    let listener = UnixListener::bind(at("socket")).expect("a socket");
    Prepared { directory, _listener: listener }
}

struct Worker {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    confinement: Confinement,
}

/// The command of a process with descriptor 9 left open by mistake.
fn leaking(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "exec \"$0\" \"$@\" 9<>leaked", WORKER]).args(arguments).env_clear();
    command.current_dir(directory).stderr(Stdio::null());
    command
}

impl Worker {
    /// Starts one with a leaked descriptor.
    fn start(directory: &Path, arguments: &[&str]) -> Worker {
        let mut command = leaking(directory, arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("a worker starts");
        let input = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().expect("its output"));
        let first = wire::receive(&mut output, 64 * 1024).expect("a message").expect("its first message");
        let FromWorker::Ready { confinement, .. } = wire::parse(&first).expect("a message of the worker") else {
            panic!("{arguments:?}: its first message says something else");
        };
        Worker { child, input, output, confinement }
    }

    fn tell(&mut self, attempt: &str) {
        let input = self.input.as_mut().expect("it gets no orders after the end");
        writeln!(input, "probe {attempt}").expect("the order is sent");
    }

    /// What it answers; empty if it ended instead.
    fn answer(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("lines are text");
        line
    }

    fn end(mut self) -> ExitStatus {
        self.input = None;
        self.child.wait().expect("it ends")
    }
}

#[derive(Debug, PartialEq)]
enum Verdict {
    Done,
    Refused,
}

/// One worker, one attempt.
fn attempt(layers: &str, name: &str) -> Verdict {
    const SIGXFSZ: i32 = 25;
    const SIGSYS: i32 = 31;
    let prepared = prepared();
    let mut worker = Worker::start(prepared.directory.path(), &["worker", layers]);
    worker.tell(name);
    let answer = worker.answer();
    let status = worker.end();
    match answer.trim_end() {
        "done" => Verdict::Done,
        refused if refused.starts_with("refused: ") => Verdict::Refused,
        // It did: the worker is no more.
        "" if name == "become another program" && status.success() => Verdict::Done,
        "" if matches!(status.signal(), Some(SIGXFSZ | SIGSYS)) => Verdict::Refused,
        other => panic!("{name} with {layers}: {other:?}, {status}"),
    }
}

fn attempts() -> impl Iterator<Item = (&'static str, bool, &'static [&'static str])> {
    ATTEMPTS.iter().map(|(name, layers)| (name.trim_start_matches('*'), name.starts_with('*'), *layers))
}

/// Otherwise the tests below would say nothing.
#[test]
fn without_layers_everything_succeeds() {
    for (name, privileged, _) in attempts() {
        match attempt("none", name) {
            Verdict::Done => {}
            Verdict::Refused if privileged => println!("skipped: {name} is impossible here"),
            Verdict::Refused => panic!("{name} is refused without a sandbox"),
        }
    }
}

#[test]
fn each_layer_alone_refuses_what_it_is_for() {
    for (name, _, layers) in attempts() {
        for layer in layers {
            assert_eq!(attempt(layer, name), Verdict::Refused, "{name} with {layer} alone");
        }
    }
}

#[test]
fn all_layers_together_refuse_everything() {
    for (name, ..) in attempts() {
        assert_eq!(attempt("all", name), Verdict::Refused, "{name}");
    }
    // And nothing of it left a trace.
    let prepared = prepared();
    let directory = prepared.directory.path();
    for (name, ..) in attempts() {
        let mut worker = Worker::start(directory, &["worker", "all"]);
        worker.tell(name);
        worker.answer();
        worker.end();
    }
    let mut left: Vec<_> =
        std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    left.sort();
    assert_eq!(left, ["leaked", "link", "old", "secret", "socket", "victim"]);
    assert_eq!(std::fs::read(directory.join("leaked")).unwrap(), b"");
}

/// What a program answers that confines itself and tries something; empty if that ended it.
fn by_program(prefix: &[&str], name: &str) -> String {
    let prepared = prepared();
    let mut command = leaking(prepared.directory.path(), &[prefix, &["program", name]].concat());
    let output = command.stdin(Stdio::null()).output().expect("a program starts");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn a_program_that_confined_itself_computes_and_starts_threads_and_does_nothing_else() {
    // Its input is in its memory already.
    let may = ["compute", "start a thread", "take a gibibyte"];
    for name in may {
        assert_eq!(by_program(&[], name), "done\n", "{name}");
    }
    for (name, ..) in attempts().filter(|(name, ..)| !may.contains(name)) {
        let answer = by_program(&[], name);
        assert!(answer.is_empty() || answer.starts_with("refused: "), "{name}: {answer:?}");
    }
}

#[test]
fn a_program_that_cannot_be_confined_has_its_rights() {
    for (missing, errno) in [
        ("landlock_create_ruleset", "ENOSYS"),
        ("landlock_create_ruleset", "EOPNOTSUPP"),
        ("landlock_restrict_self", "EPERM"),
        ("prlimit64", "EPERM"),
    ] {
        let answer = by_program(&["without", missing, errno], "start a program");
        assert_eq!(answer, "unconfined, done\n", "{missing} {errno}");
    }
}

#[test]
fn ordinary_work_and_ordinary_ends_are_as_without() {
    for layers in ["none", "Access,Descriptors", "Calls", "Kills", "all"] {
        assert_eq!(attempt(layers, "compute"), Verdict::Done, "{layers}");
    }
    for (name, layers) in [
        ("fill the stack", "none"),
        ("fill the stack", "all"),
        ("abort", "none"),
        ("abort", "all"),
        ("fill the memory", "Limits"),
        ("fill the memory", "all"),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let mut worker = Worker::start(directory.path(), &["worker", layers]);
        worker.tell(name);
        assert_eq!(worker.answer(), "", "{name} with {layers}");
        assert_eq!(worker.end().signal(), Some(6), "{name} with {layers}");
    }
}

#[test]
fn all_layers_hold_here() {
    let directory = tempfile::tempdir().unwrap();
    let worker = Worker::start(directory.path(), &["worker", "all"]);
    assert!(worker.confinement.missing.is_empty(), "{:?}", worker.confinement.missing);
    assert_eq!(worker.confinement.holds.len(), 7, "{:?}", worker.confinement.holds);
}

#[test]
fn a_layer_that_is_missing_is_reported_and_the_others_hold() {
    let files = "no file access";
    let calls = "few system calls";
    let limits = "memory limit";
    let inherited = "no inherited descriptors";
    let cases: &[(&str, &str, &[&str], Verdict)] = &[
        ("landlock_create_ruleset", "ENOSYS", &[files], Verdict::Refused),
        ("landlock_create_ruleset", "EPERM", &[files], Verdict::Refused),
        ("landlock_create_ruleset", "EOPNOTSUPP", &[files], Verdict::Refused),
        ("landlock_restrict_self", "ENOSYS", &[files], Verdict::Refused),
        ("seccomp", "EPERM", &[calls], Verdict::Refused),
        ("seccomp", "ENOSYS", &[calls], Verdict::Refused),
        ("prlimit64", "EPERM", &[limits], Verdict::Refused),
        ("close", "EPERM", &[inherited], Verdict::Refused),
        ("landlock_create_ruleset,seccomp", "ENOSYS", &[files, calls], Verdict::Refused),
        ("landlock_create_ruleset,seccomp,prlimit64", "ENOSYS", &[files, calls, limits], Verdict::Done),
    ];
    for (missing, errno, expected, verdict) in cases {
        let prepared = prepared();
        let mut worker = Worker::start(prepared.directory.path(), &["without", missing, errno, "worker", "all"]);
        let gaps = &worker.confinement.missing;
        assert!(gaps.iter().all(|(_, why)| !why.is_empty()), "{missing} {errno}: {gaps:?}");
        for layer in [files, calls, limits, inherited] {
            let is_missing = gaps.iter().any(|(name, _)| name.contains(layer));
            assert_eq!(is_missing, expected.contains(&layer), "{missing} {errno}: {gaps:?}");
        }
        worker.tell("compute");
        assert_eq!(worker.answer(), "done\n", "{missing} {errno}");
        worker.tell("read a file of the workspace");
        let refused = worker.answer().starts_with("refused");
        assert_eq!(refused, *verdict == Verdict::Refused, "{missing} {errno}");
    }
}

#[test]
fn a_worker_whose_server_died_ends_though_it_computes() {
    let directory = tempfile::tempdir().unwrap();
    let mut parent = Worker::start(directory.path(), &["parent", "all"]);
    writeln!(parent.input.as_mut().unwrap(), "die").unwrap();
    let begin = Instant::now();
    // The worker has the other end of this pipe.
    let mut rest = Vec::new();
    parent.output.read_to_end(&mut rest).unwrap();
    assert!(begin.elapsed() < Duration::from_secs(6), "{:?}", begin.elapsed());
    assert_eq!(parent.end().signal(), Some(6));
}

#[test]
fn who_asks_and_ends_gets_the_answer() {
    let directory = tempfile::tempdir().unwrap();
    let mut worker = Worker::start(directory.path(), &["worker", "all"]);
    worker.tell("compute");
    worker.input = None;
    assert_eq!(worker.answer(), "done\n");
    assert!(worker.end().success());
}

/// A server that asks for nothing for a while is not one that is gone.
#[test]
fn a_worker_waits_for_its_server() {
    let directory = tempfile::tempdir().unwrap();
    let mut worker = Worker::start(directory.path(), &["worker", "all"]);
    std::thread::sleep(Duration::from_secs(4));
    worker.tell("compute");
    assert_eq!(worker.answer(), "done\n");
}

#[test]
fn a_worker_that_was_stopped_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let mut worker = Worker::start(directory.path(), &["worker", "all"]);
    let pid = worker.child.id().to_string();
    for signal in ["-STOP", "-CONT", "-STOP", "-CONT"] {
        assert!(Command::new("/bin/kill").args([signal, &pid]).status().unwrap().success());
    }
    worker.tell("compute");
    assert_eq!(worker.answer(), "done\n");
}
