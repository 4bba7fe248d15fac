//! Counts what passed and failed over all steps of a chore.

use std::fmt::Display;
use std::io;
use std::process::{Command, Output, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crate::shell;

/// With less room on the disk, in bytes, a failure is most likely its fault.
const LITTLE_ROOM: u64 = 1 << 30;

/// Another chore of this program, which runs while the steps of a report do. It has to end with the line of
/// [`Report::close`].
pub struct Beside {
    title: String,
    command: String,
    started: Instant,
    output: JoinHandle<io::Result<Output>>,
}

impl Beside {
    /// Starts the chore. What it prints is kept until [`Report::join`], so that it does not get between other lines.
    pub fn start(title: &str, mut command: Command) -> Beside {
        let shown = shell::shown(&command);
        println!("\n== {title} begins beside what follows");
        command.stdin(Stdio::null());
        let output = thread::spawn(move || command.output());
        Beside { title: title.to_owned(), command: shown, started: Instant::now(), output }
    }
}

/// The running total of a chore with several steps.
#[derive(Default)]
pub struct Report {
    passed: usize,
    failed: usize,
    skipped: Vec<String>,
    failures: Vec<String>,
}

impl Report {
    /// Announces a step.
    pub fn heading(&self, title: &str) {
        println!("\n== {title}");
    }

    /// A step that runs one command. The tests which the command itself counts are added up; a command that
    /// counts none is one test.
    pub fn command(&mut self, title: &str, command: &mut Command) -> bool {
        self.heading(title);
        let started = Instant::now();
        let mut counts = Counts::default();
        match shell::watched(command, |line| counts.read(line)) {
            Ok(ended_well) => {
                if counts == Counts::default() {
                    self.passed += usize::from(ended_well);
                }
                self.passed += counts.passed;
                self.failed += counts.failed;
                if !ended_well {
                    // A crash or a build error fails without a counted test.
                    self.failed += usize::from(counts.failed == 0);
                    self.failures.push(format!("{title}: `{}`", shell::shown(command)));
                }
                println!("   {title}: {:.1} s", started.elapsed().as_secs_f32());
                ended_well
            }
            Err(message) => {
                self.fail(title, message);
                false
            }
        }
    }

    /// Waits for a chore that was started before, and adds its total to this one.
    pub fn join(&mut self, beside: Beside) {
        let Beside { title, command, started, output } = beside;
        self.heading(&title);
        let output = match output.join() {
            Ok(Ok(output)) => output,
            Ok(Err(why)) => return self.fail(&title, format!("cannot start `{command}`: {why}")),
            Err(_) => return self.fail(&title, "the thread that waits for it panicked"),
        };
        let text = String::from_utf8_lossy(&output.stdout);
        print!("{text}");
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        println!("   {title}: {:.1} s", started.elapsed().as_secs_f32());
        self.add(&title, &text, output.status.success());
    }

    /// The total of another chore, from what it printed.
    fn add(&mut self, title: &str, printed: &str, ended_well: bool) {
        let closing = printed.rsplit_once("\n\n").map_or(printed, |(_, closing)| closing);
        let mut counts = Counts::default();
        for line in closing.lines() {
            counts.read(line);
            if let Some(skipped) = line.strip_prefix("skipped: ") {
                self.skipped.push(skipped.to_owned());
            }
            if let Some(failure) = line.strip_prefix("failed: ") {
                self.failures.push(failure.to_owned());
            }
        }
        self.passed += counts.passed;
        self.failed += counts.failed;
        if counts == Counts::default() || !ended_well && counts.failed == 0 {
            self.failed += 1;
            self.failures.push(format!("{title}: it did not end with its total"));
        }
    }

    /// A step that this program does itself.
    pub fn check(&mut self, title: &str, outcome: anyhow::Result<()>) -> bool {
        match outcome {
            Ok(()) => {
                println!("   {title}: ok");
                self.passed += 1;
                true
            }
            Err(message) => {
                self.fail(title, message);
                false
            }
        }
    }

    /// Records a failure that no test counted.
    pub fn fail(&mut self, title: &str, message: impl Display) {
        let message = format!("{message:#}");
        println!("   {title}: FAILED\n{message}");
        self.failed += 1;
        self.failures.push(format!("{title}: {}", message.lines().next().unwrap_or_default()));
    }

    /// Records an optional step that could not be done here.
    pub fn skip(&mut self, title: &str, why: &str) {
        println!("skipped: {title}: {why}");
        self.skipped.push(format!("{title}: {why}"));
    }

    /// Prints the closing line; true when nothing failed.
    pub fn close(self) -> bool {
        println!();
        for skipped in &self.skipped {
            println!("skipped: {skipped}");
        }
        for failure in &self.failures {
            println!("failed: {failure}");
        }
        // Linkers, tests and editors each have other words for it, or none.
        if let (false, Some(left)) = (self.failures.is_empty(), shell::room().filter(|left| *left < LITTLE_ROOM)) {
            println!("the disk is nearly full, which makes any step fail: {} MB are left", left >> 20);
        }
        println!("{} passed, {} failed", self.passed, self.failed);
        self.failed == 0
    }
}

/// The numbers in the closing lines of test runners.
#[derive(Default, PartialEq, Eq, Debug)]
struct Counts {
    passed: usize,
    failed: usize,
}

impl Counts {
    /// Takes a line of output; understands cargo test, node's test runner, and the plain `N passed, N failed`.
    fn read(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["test", "result:", _, passed, "passed;", failed, "failed;", ..]
            | [passed, "passed,", failed, "failed"] => {
                self.passed += passed.parse::<usize>().unwrap_or(0);
                self.failed += failed.parse::<usize>().unwrap_or(0);
            }
            ["#" | "ℹ", "pass", passed] => self.passed += passed.parse::<usize>().unwrap_or(0),
            ["#" | "ℹ", "fail", failed] => self.failed += failed.parse::<usize>().unwrap_or(0),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, Report};

    #[test]
    fn the_total_of_another_chore_is_added() {
        let mut report = Report::default();
        report.add("fuzzing", "skipped: b: said once more\n\nskipped: b: no network\n3 passed, 0 failed\n", true);
        assert_eq!((report.passed, report.failed, report.skipped.len()), (3, 0, 1));
        report.add("fuzzing", "\nfailed: lower: crashed\n2 passed, 1 failed\n", false);
        assert_eq!((report.passed, report.failed), (5, 1));
        assert_eq!(report.failures, ["lower: crashed"]);
        // Killed before its end, or after a total that tells nothing of it.
        report.add("fuzzing", "== building\n", false);
        report.add("fuzzing", "\n1 passed, 0 failed\n", false);
        assert_eq!((report.passed, report.failed, report.failures.len()), (6, 3, 3));
    }

    #[test]
    fn closing_lines_of_all_runners_are_added_up() {
        let mut counts = Counts::default();
        for line in [
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s",
            "# pass 3",
            "# fail 1",
            "ℹ pass 2",
            "7 passed, 2 failed",
            "something passed, nothing failed",
        ] {
            counts.read(line);
        }
        assert_eq!(counts, Counts { passed: 24, failed: 3 });
    }
}
