//! Lints, found by the build that the tests need anyway.
//!
//! `cargo clippy` checks every crate, dependencies included, without making code of it, and `cargo test` then compiles
//! all of them once more. Clippy's compiler can do both at once. It serves for the crates of the workspace only, so
//! dependencies are compiled as usual.

use std::process::{Command, Stdio};

use anyhow::{Context, anyhow, bail};
use serde_json::Value;

use crate::shell::{self, cargo};

/// A `cargo` command whose compiler for our crates also lints. All commands of one run must agree on it: artifacts of
/// the plain compiler are not reused.
pub fn with_lints(arguments: &[&str]) -> Command {
    let mut command = cargo(arguments);
    if shell::is_there("clippy-driver") {
        command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    }
    command
}

/// A command that builds everything that tests run.
pub fn build_all() -> Command {
    with_lints(&["build", "--quiet", "--workspace", "--all-targets"])
}

/// Builds everything that tests run. The error lists all warnings, which cargo repeats for crates that it does not
/// have to build again.
pub fn build() -> anyhow::Result<()> {
    if !shell::is_there("clippy-driver") {
        bail!("clippy is not installed: `rustup component add clippy` installs it");
    }
    let mut command = build_all();
    command.args(["--keep-going", "--message-format", "json"]);
    let what = shell::shown(&command);
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot start `{what}`"))?;
    let found: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().filter_map(complaint).collect();
    match found.as_slice() {
        [] if output.status.success() => Ok(()),
        [] => Err(anyhow!("`{what}` failed ({})\n{}", output.status, String::from_utf8_lossy(&output.stderr))),
        found => Err(anyhow!(found.join("\n"))),
    }
}

/// What the compiler says in a line of cargo's messages, if it is a warning or an error.
fn complaint(line: &str) -> Option<String> {
    let message: Value = serde_json::from_str(line).ok()?;
    if message["reason"] != "compiler-message" {
        return None;
    }
    let message = &message["message"];
    let is_complaint = matches!(message["level"].as_str(), Some("warning" | "error"));
    is_complaint.then(|| message["rendered"].as_str().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::complaint;

    #[test]
    fn only_warnings_and_errors_are_complaints() {
        let line = |reason: &str, level: &str| {
            format!(r#"{{"reason":"{reason}","message":{{"level":"{level}","rendered":"text"}}}}"#)
        };
        assert_eq!(complaint(&line("compiler-message", "warning")).as_deref(), Some("text"));
        assert_eq!(complaint(&line("compiler-message", "error")).as_deref(), Some("text"));
        assert_eq!(complaint(&line("compiler-message", "note")), None);
        assert_eq!(complaint(&line("compiler-artifact", "warning")), None);
        assert_eq!(complaint("not JSON"), None);
    }
}
