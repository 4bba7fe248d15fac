//! Counts what passed and failed over all steps of a chore.

use std::fmt::Display;
use std::process::{Command, Output};
use std::time::Instant;

use crate::shell;

/// With less room on the disk, in bytes, a failure is most likely its fault.
const LITTLE_ROOM: u64 = 1 << 30;

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
                self.add(&counts, ended_well, || format!("{title}: `{}`", shell::shown(command)));
                println!("   {title}: {:.1} s", started.elapsed().as_secs_f32());
                ended_well
            }
            Err(message) => {
                self.fail(title, message);
                false
            }
        }
    }

    /// A test program that has ended. What it said is shown if a test failed.
    pub fn output(&mut self, title: &str, output: &Output) {
        let said = String::from_utf8_lossy(&output.stdout);
        let mut counts = Counts::default();
        said.lines().for_each(|line| counts.read(line));
        let ended_well = output.status.success();
        println!("   {title}: {} passed, {} failed", counts.passed, counts.failed);
        if !ended_well {
            println!("{said}{}", String::from_utf8_lossy(&output.stderr));
        }
        self.add(&counts, ended_well, || format!("{title}: {}", output.status));
    }

    fn add(&mut self, counts: &Counts, ended_well: bool, failure: impl FnOnce() -> String) {
        self.passed += counts.passed;
        self.failed += counts.failed;
        if !ended_well {
            // A crash or a build error fails without a counted test.
            self.failed += usize::from(counts.failed == 0);
            self.failures.push(failure());
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
    use super::Counts;

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
