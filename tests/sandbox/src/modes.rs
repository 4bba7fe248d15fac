//! What the program can be.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Stdin, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};

use lofting_sandbox::{Layer, Output};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

use crate::attempts;

pub(crate) fn run(arguments: &[&str]) -> ExitCode {
    match arguments {
        ["worker", layers] => worker(layers),
        ["program", attempt] => program(attempt),
        ["parent", layers] => parent(layers),
        ["without", calls, errno, rest @ ..] => without(calls, errno, rest),
        other => panic!("{other:?}"),
    }
}

/// The layers of these names; `all` are all.
fn layers(names: &str) -> Vec<Layer> {
    let named = |layer: &Layer| names == "all" || names.split(',').any(|name| name == format!("{layer:?}"));
    Layer::ALL.into_iter().filter(named).collect()
}

fn worker(names: &str) -> ExitCode {
    if let Ok(here) = std::env::current_dir() {
        attempts::PREPARED.get_or_init(|| here);
    }
    let input = Hostile(BufReader::new(std::io::stdin()));
    match lofting_starlark::run_worker(&layers(names), input, Output::default()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Confines itself and tries one thing; says so if it cannot confine itself.
fn program(attempt: &str) -> ExitCode {
    if let Ok(here) = std::env::current_dir() {
        attempts::PREPARED.get_or_init(|| here);
    }
    // A command is not the first thread of its process.
    let confined = || {
        let confinement = lofting_sandbox::program::confine();
        (confinement.is_ok(), attempts::run(attempt))
    };
    let (is_confined, result) = std::thread::scope(|scope| scope.spawn(confined).join().expect("it does not panic"));
    let prefix = if is_confined { "" } else { "unconfined, " };
    let answer = result.map_or_else(|error| format!("refused: {error}"), |()| "done".to_owned());
    match writeln!(std::io::stdout().lock(), "{prefix}{answer}") {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Input that is requests, and orders to misbehave.
struct Hostile(BufReader<Stdin>);

impl Read for Hostile {
    /// An order may come instead of a message: no message is as long as its first letters would say.
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        while self.0.fill_buf()?.starts_with(b"probe ") {
            let mut line = String::new();
            self.0.read_line(&mut line)?;
            let result = attempts::run(line.trim_start_matches("probe ").trim_end());
            let mut output = std::io::stdout().lock();
            match result {
                Ok(()) => writeln!(output, "done")?,
                Err(error) => writeln!(output, "refused: {error}")?,
            }
            output.flush()?;
        }
        self.0.read(buffer)
    }
}

impl BufRead for Hostile {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        self.0.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.0.consume(amount);
    }
}

/// Dies while the worker computes, which has this process's output.
fn parent(names: &str) -> ExitCode {
    let program = std::env::current_exe().expect("this program has a path");
    let mut worker = Command::new(program);
    worker.args(["worker", names]).env_clear().stdin(Stdio::piped()).stderr(Stdio::null());
    let mut worker = worker.spawn().expect("a worker starts");
    // Open until this process is gone.
    let mut input = worker.stdin.take().expect("its input");
    writeln!(input, "probe spin").expect("the order is sent");
    let mut end = String::new();
    // The test says when.
    let _ = std::io::stdin().read_line(&mut end);
    std::process::abort();
}

/// A system on which some calls fail.
fn without(calls: &str, errno: &str, rest: &[&str]) -> ExitCode {
    let number = |name: &str| match name {
        "landlock_create_ruleset" => libc::SYS_landlock_create_ruleset,
        "landlock_restrict_self" => libc::SYS_landlock_restrict_self,
        "seccomp" => libc::SYS_seccomp,
        "prlimit64" => libc::SYS_prlimit64,
        "close" => libc::SYS_close,
        other => panic!("{other}"),
    };
    let errno = match errno {
        "ENOSYS" => libc::ENOSYS,
        "EPERM" => libc::EPERM,
        "EOPNOTSUPP" => libc::EOPNOTSUPP,
        other => panic!("{other}"),
    };
    // Starting a program closes descriptors: only the leaked one stays.
    let leaked = || SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, attempts::LEAKED as u64);
    let cases = |name: &str| match name {
        "close" => vec![SeccompRule::new(vec![leaked().expect("a condition")]).expect("a rule")],
        _ => Vec::new(),
    };
    let rules: BTreeMap<i64, _> = calls.split(',').map(|name| (number(name), cases(name))).collect();
    let system = std::env::consts::ARCH.try_into().expect("seccomp is known here");
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(errno as u32), system);
    let program: BpfProgram = filter.and_then(TryInto::try_into).expect("a filter");
    seccompiler::apply_filter(&program).expect("the filter holds");
    let program = std::env::current_exe().expect("this program has a path");
    panic!("{}", Command::new(program).args(rest).exec());
}
