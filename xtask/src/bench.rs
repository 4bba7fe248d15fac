//! `cargo xtask bench`: measures the real binary, built in release, over the protocol.

use crate::shell;

/// Builds server and bench, then hands the arguments on.
pub fn run(arguments: &[String]) -> Result<bool, String> {
    let server = shell::build_lofting(true)?;
    let mut command =
        shell::cargo(&["run", "--quiet", "--release", "--package", "lofting-tests", "--bin", "bench", "--"]);
    command.arg("--server").arg(server).args(arguments);
    shell::watched(&mut command, |_| {})
}
