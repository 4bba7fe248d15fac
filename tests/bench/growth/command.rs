//! The command line: each form of input, each command.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use lofting_tests::shapes::{Case, VALUES};

use crate::process::write;

/// Milliseconds below which growth cannot be distinguished from noise.
pub const FLOOR: f64 = 40.0;

/// Longest run.
const LIMIT: Duration = Duration::from_secs(30);

/// One call.
pub struct Form {
    /// How it is called in the table.
    pub name: &'static str,
    directory: PathBuf,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
}

/// Writes the files and gives all calls that the case allows.
pub fn forms(case: &Case, directory: &Path) -> anyhow::Result<Vec<Form>> {
    let (files, cursor) = case.files();
    let configuration = &files[..case.config.len()];
    let values = files.get(case.config.len());
    let annotated = values.map(|(path, text)| (path.clone(), format!("#@data/values\n---\n{text}")));
    let (together, apart) = (directory.join("together"), directory.join("apart"));
    let (associated, alone) = (directory.join("associated"), directory.join("alone"));
    write(&together, configuration.iter().chain(&annotated))?;
    write(&associated, &files)?;
    write(&alone, files.get(cursor.file))?;
    let mut forms = Vec::new();
    let mut form = |name, directory: &Path, arguments: &[&str], flags: &[String]| {
        let mut arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
        arguments.extend_from_slice(flags);
        let environment = case.environment.clone();
        forms.push(Form { name, directory: directory.to_owned(), arguments, environment });
    };
    form("check -f", &together, &["check", "-f", "."], &case.flags);
    form("check --render", &together, &["check", "--render", "-f", "."], &case.flags);
    form("values", &together, &["values", "-f", "."], &case.flags);
    form("schema", &together, &["schema", "-f", "."], &[]);
    form("check by association", &associated, &["check"], &[]);
    form("check alone", &alone, &["check"], &[]);
    form("check --fix", &alone, &["check", "--fix", "--unsafe", "--diff"], &[]);
    form("fmt", &alone, &["fmt", "--diff", "."], &[]);
    if let Some((name, _)) = files.get(cursor.file) {
        form("schema --from-values", &alone, &["schema", "--from-values", name], &[]);
    }
    if values.is_some() {
        write(&apart.join("config"), configuration)?;
        write(&apart, values)?;
        form("check --data-values-file", &apart, &["check", "-f", "config", "--data-values-file", VALUES], &case.flags);
    }
    Ok(forms)
}

impl Form {
    /// Runs it once; returns the processor time of the process and its workers.
    pub fn run(&self, program: &Path) -> anyhow::Result<Duration> {
        let before = processor_time();
        let started = Instant::now();
        let mut child = Command::new(program)
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.directory)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| program.display().to_string())?;
        let status = loop {
            match child.try_wait()? {
                Some(status) => break status,
                None if started.elapsed() > LIMIT => {
                    // It may have ended just now; either way it is waited for.
                    let _ = child.kill();
                    let _ = child.wait();
                    bail!("not done in {LIMIT:?}");
                }
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        };
        // Findings end with 1, what cannot be asked of this input with 2.
        if status.code().is_none_or(|code| code > 2) {
            bail!("ended with {status}");
        }
        Ok(match (before, processor_time()) {
            (Some(before), Some(after)) => after.saturating_sub(before),
            _ => started.elapsed(),
        })
    }
}

/// What all ended children took.
#[cfg(unix)]
fn processor_time() -> Option<Duration> {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
    let time = |time: nix::sys::time::TimeVal| {
        Duration::from_micros(u64::try_from(time.tv_sec() * 1_000_000 + time.tv_usec()).unwrap_or(0))
    };
    Some(time(usage.user_time()) + time(usage.system_time()))
}

#[cfg(not(unix))]
fn processor_time() -> Option<Duration> {
    None
}
