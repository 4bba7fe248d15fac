//! `cargo xtask format`: rustfmt for every Rust file.
//!
//! `cargo fmt` follows `mod` lines and so misses modules that a macro declares, such as the rules.

use std::process::Command;

use anyhow::anyhow;

use crate::shell;

const EDITION: &str = "2024";

/// `cargo xtask format [--check]`
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => rustfmt(&[]).map(|()| true),
        ["--check"] => check().map(|()| true),
        other => Err(anyhow!("`cargo xtask format` does not know `{}`", other.join(" "))),
    }
}

/// Fails with the differences when a file is not formatted.
pub fn check() -> anyhow::Result<()> {
    rustfmt(&["--check"])
}

fn rustfmt(flags: &[&str]) -> anyhow::Result<()> {
    let listed = shell::quiet(&mut shell::program("git", &["ls-files", "*.rs"], "."))?;
    let mut command = Command::new("rustfmt");
    command.args(["--edition", EDITION]).args(flags).args(listed.lines()).current_dir(shell::root());
    shell::quiet(&mut command).map(|_| ())
}
