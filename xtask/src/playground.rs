//! The page on which Lofting is tried without an installation: `cargo xtask playground` builds it into `target/playground`.

use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::report::Report;
use crate::shell::{self, program};
use crate::{vscode, wasm};

/// The sources.
pub const FOLDER: &str = "editors/playground";

/// Where the page is.
pub fn folder() -> PathBuf {
    shell::target_dir().join("playground")
}

/// `cargo xtask playground [--test]`: builds the page; with `--test` also tests it, in a browser.
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    if let Some(argument) = arguments.iter().find(|argument| *argument != "--test") {
        bail!("`cargo xtask playground` knows the argument `--test`, not `{argument}`");
    }
    if let Some(why) = wasm::missing() {
        println!("skipped: playground: {why:#}");
        return Ok(true);
    }
    wasm::make()?;
    if !arguments.is_empty() {
        let mut report = Report::default();
        test(&mut report);
        return Ok(report.close());
    }
    vscode::install_in(FOLDER)?;
    build(&folder())?;
    println!("   {}; the module: {}", folder().display(), wasm::sizes(&wasm::module())?);
    Ok(true)
}

/// Bundles the page, with the module that was built before.
pub fn build(out: &Path) -> anyhow::Result<()> {
    shell::quiet(program("node", &["build.mjs"], FOLDER).arg(out)).map(drop)
}

/// Types and tests of the page, and a run in a browser where the module was built and a browser is there.
pub fn test(report: &mut Report) {
    report.heading("playground");
    if !report.check("playground: node modules", vscode::install_in(FOLDER)) {
        return;
    }
    report.command("playground: types", &mut vscode::npm_in(FOLDER, &["run", "--silent", "check"]));
    report.command("playground: tests", &mut vscode::npm_in(FOLDER, &["test", "--silent"]));
    let title = "playground in a browser";
    if !wasm::module().is_file() {
        return report.skip(title, "`cargo xtask wasm` has not been run");
    }
    if !shell::is_there(BROWSER) {
        return report.skip(title, &format!("`{BROWSER}` is not installed"));
    }
    if report.check("playground: page", build(&folder())) {
        let mut drive = program("node", &["e2e/drive.mjs"], FOLDER);
        report.command(title, drive.arg(folder()).arg(shell::target_dir().join("playground-pictures")));
    }
}

/// The browser of the test.
pub const BROWSER: &str = "chromium";
