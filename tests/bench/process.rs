//! Whole processes: the command line by the clock.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

/// How often each call is made.
pub const RUNS: usize = 9;

/// Writes files below a directory.
pub fn write<'f>(directory: &Path, files: impl IntoIterator<Item = &'f (String, String)>) -> anyhow::Result<()> {
    for (path, text) in files {
        let path = directory.join(path);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text));
        written.with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// The time of one process that has to succeed, with all it prints read; and what it printed.
pub fn once(program: &Path, arguments: &[&str], folder: &Path) -> anyhow::Result<(Duration, Vec<u8>)> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    let start = Instant::now();
    let output = command.output().with_context(|| program.display().to_string())?;
    let took = start.elapsed();
    if !output.status.success() {
        bail!("{} {arguments:?}: {}", program.display(), String::from_utf8_lossy(&output.stderr));
    }
    Ok((took, output.stdout))
}

/// The median and the least of several times, in milliseconds.
pub fn median_and_least(times: &[Duration]) -> [f64; 2] {
    let mut sorted = times.to_vec();
    sorted.sort();
    let milliseconds = |at: usize| sorted.get(at).map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0);
    [milliseconds(sorted.len() / 2), milliseconds(0)]
}
