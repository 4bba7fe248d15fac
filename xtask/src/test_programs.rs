//! Runs the test programs of the workspace, two at a time: many have one test that takes most of their time, and one after
//! the other they leave a processor without work.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use anyhow::{Context, bail};
use parking_lot::Mutex;
use serde_json::Value;

use crate::lanes::{self, LANES};
use crate::lints;
use crate::report::Report;

/// The programs that take the longest start first, so that none of them is left alone at the end.
const LONGEST: [&str; 4] = ["lsp e2e", "lsp growth", "lsp rendered", "lsp conformance"];

/// A program that runs tests.
#[derive(Debug, PartialEq)]
struct TestProgram {
    /// The folder of the package and the target, such as `lsp growth`.
    name: String,
    executable: PathBuf,
    /// The folder of the package, in which its tests expect to run.
    folder: PathBuf,
}

/// Runs all of them, with `seed` as what random inputs are made from. Tests in documentation come after them.
pub fn run(report: &mut Report, seed: Option<&str>) {
    report.heading("tests");
    let programs = match build() {
        Ok(programs) => programs,
        Err(why) => return report.fail("tests", why),
    };
    let threads = thread::available_parallelism().map_or(1, |processors| processors.get().div_ceil(LANES));
    let shared = Mutex::new(&mut *report);
    lanes::run(&programs, |program| {
        // If the run is ended because one of them hangs, this tells which.
        println!("   {} …", program.name);
        let started = Instant::now();
        let output = command(program, threads, seed).output();
        let seconds = started.elapsed().as_secs_f32();
        let mut report = shared.lock();
        match output {
            Ok(output) => report.output(&format!("{} ({seconds:.1} s)", program.name), &output),
            Err(error) => report.fail(&program.name, format!("cannot start it: {error}")),
        }
    });
    report.command("tests in documentation", &mut lints::with_lints(&["test", "--quiet", "--workspace", "--doc"]));
}

fn command(program: &TestProgram, threads: usize, seed: Option<&str>) -> Command {
    let mut command = Command::new(&program.executable);
    command.arg("--quiet").arg(format!("--test-threads={threads}")).current_dir(&program.folder);
    command.env("CARGO_MANIFEST_DIR", &program.folder).stdin(Stdio::null());
    if let Some(seed) = seed {
        command.env("PROPTEST_RNG_SEED", seed);
    }
    command
}

/// Builds them.
fn build() -> anyhow::Result<Vec<TestProgram>> {
    let arguments = ["test", "--quiet", "--workspace", "--no-run", "--message-format", "json"];
    let output = lints::with_lints(&arguments).stdin(Stdio::null()).output().context("cannot start cargo")?;
    if !output.status.success() {
        bail!("the tests do not build\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let mut programs: Vec<_> = String::from_utf8_lossy(&output.stdout).lines().filter_map(test_program).collect();
    if programs.is_empty() {
        bail!("cargo names no test programs");
    }
    programs.sort_by_key(|program| LONGEST.iter().position(|name| *name == program.name).unwrap_or(LONGEST.len()));
    Ok(programs)
}

/// The test program that a line of cargo's messages tells of.
fn test_program(line: &str) -> Option<TestProgram> {
    let message: Value = serde_json::from_str(line).ok()?;
    if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
        return None;
    }
    let manifest = Path::new(message["manifest_path"].as_str()?);
    let folder = manifest.parent()?.to_owned();
    let package = folder.file_name()?.to_string_lossy().into_owned();
    Some(TestProgram {
        name: format!("{package} {}", message["target"]["name"].as_str()?),
        executable: message["executable"].as_str()?.into(),
        folder,
    })
}

#[cfg(test)]
mod tests {
    use super::{TestProgram, test_program};

    #[test]
    fn test_programs_are_told_from_other_artifacts() {
        let line = |test: bool, executable: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","manifest_path":"/r/server/check/Cargo.toml","profile":{{"test":{test}}},"target":{{"name":"rules"}},"executable":{executable}}}"#
            )
        };
        let found = TestProgram {
            name: "check rules".to_owned(),
            executable: "/r/target/debug/deps/rules-1".into(),
            folder: "/r/server/check".into(),
        };
        assert_eq!(test_program(&line(true, r#""/r/target/debug/deps/rules-1""#)), Some(found));
        assert_eq!(test_program(&line(false, r#""/r/target/debug/lofting""#)), None);
        assert_eq!(test_program(&line(true, "null")), None);
        assert_eq!(test_program("not JSON"), None);
    }
}
