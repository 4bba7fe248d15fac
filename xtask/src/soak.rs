//! `cargo xtask soak --hours N [--keys-a-second N]`: hours of typing in one server, at low priority beside other work.

use anyhow::{Context, anyhow};

use crate::lints::with_lints;
use crate::shell;

/// Types into the files of all examples, in the server that packages hold or the one that `LOFTING_BINARY` names.
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    let hours = shell::flag(arguments, "--hours").context("`--hours N` is missing")?;
    let _: f64 = hours.parse().map_err(|_| anyhow!("`{hours}` is not a number of hours"))?;
    let server = shell::build_lofting(shell::Profile::Dist)?;
    shell::quiet(&mut with_lints(&["build", "--quiet", "--package", "lofting-tests", "--bin", "bench"]))?;
    let bench = shell::target_dir().join("debug").join(shell::program_name("bench"));
    let mut typing = shell::program("nice", &["-n", "19"], ".");
    typing.arg(bench).arg("--server").arg(server).args(["--typing-hours", hours, "--examples"]);
    typing.arg(shell::root().join("examples"));
    if let Some(keys) = shell::flag(arguments, "--keys-a-second") {
        typing.args(["--keys-a-second", keys]);
    }
    shell::watched(&mut typing, |_| {})
}
