//! `cargo xtask test`: everything that must hold before a change lands.

use crate::report::Report;
use crate::shell::{self, cargo};
use crate::{docs, fuzz, neovim, vscode};

/// Seconds for each fuzz target here; in development `cargo xtask fuzz --seconds 600` runs longer.
const FUZZ_SECONDS: u32 = 30;

/// Runs all steps, also those behind a failed one, and prints the total.
pub fn run(arguments: &[String]) -> Result<bool, String> {
    if let Some(argument) = arguments.first() {
        return Err(format!("`cargo xtask test` takes no arguments, not `{argument}`"));
    }
    let mut report = Report::default();
    report.command("formatting", &mut cargo(&["fmt", "--all", "--check"]));
    report.command(
        "lints",
        &mut cargo(&["clippy", "--quiet", "--workspace", "--all-targets", "--", "--deny", "warnings"]),
    );
    report.command("tests", &mut cargo(&["test", "--quiet", "--workspace", "--no-fail-fast"]));
    report.heading("generated pages");
    report.check("docs are up to date", docs::check());
    fuzz::all(&mut report, FUZZ_SECONDS, None);
    neovim::test(&mut report);
    vscode::test(&mut report);
    if let Some(note) = missing_shared() {
        report.skip("measurements on outside material", &note);
    }
    Ok(report.close())
}

/// Some tests read material beside the repository when it is there; say so when it is not.
fn missing_shared() -> Option<String> {
    let path = shell::root().join("../shared/conformance");
    (!path.is_dir()).then(|| "../shared: not present".to_owned())
}
