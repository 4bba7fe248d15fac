//! The Zed extension: compiled for this machine, which finds every type error. Zed itself cannot be driven.

use crate::report::Report;
use crate::shell;

/// Lints the extension; takes about a minute the first time.
pub fn test(report: &mut Report) {
    let mut command = shell::cargo(&["clippy", "--quiet", "--", "--deny", "warnings"]);
    command.current_dir(shell::root().join("editors/zed")).env("CARGO_TARGET_DIR", shell::target_dir().join("zed"));
    report.command("Zed extension", &mut command);
}
