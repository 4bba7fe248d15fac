//! The VS Code extension: its tests, its package, and a run in the real editor.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};

use crate::report::Report;
use crate::shell::{self, Profile, program};
use crate::vscode_web;

/// The sources.
pub const FOLDER: &str = "editors/vscode";

/// Type check, unit tests, bundle and a trial package (without a server inside).
pub fn test(report: &mut Report) {
    if !fetch(report) {
        return;
    }
    report.command("VS Code extension: types", &mut npm(&["run", "--silent", "check"]));
    report.command("VS Code extension: tests", &mut npm(&["test", "--silent"]));
    let out = shell::target_dir().join("lofting-without-server.vsix");
    report.check("VS Code extension: package", pack(platform(), &out));
}

/// Builds the server for this machine and packs it into a VSIX below `target/`.
pub fn package(report: &mut Report, profile: Profile) {
    if !fetch(report) {
        return;
    }
    report.heading("VSIX");
    let outcome = shell::build_lofting(profile).and_then(|server| {
        let program = fs::read(&server).with_context(|| server.display().to_string())?;
        let out = shell::target_dir().join(format!("lofting-{}.vsix", platform()));
        pack_with_server(&program, &shell::program_name("lofting"), platform(), &out)?;
        println!("   wrote {}", out.display());
        Ok(())
    });
    report.check("VSIX with server", outcome);
}

/// Packs the extension with a server for a platform.
pub fn pack_with_server(program: &[u8], name: &str, platform: &str, out: &Path) -> anyhow::Result<()> {
    let folder = shell::root().join(FOLDER).join("server");
    let file = folder.join(name);
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    fs::write(&file, program).with_context(|| file.display().to_string())?;
    let packed = make_executable(&file).and_then(|()| pack(platform, out));
    // If it were left, it would get into the next package without a server.
    fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    packed
}

#[cfg(unix)]
fn make_executable(file: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).with_context(|| file.display().to_string())
}

#[cfg(not(unix))]
fn make_executable(_file: &Path) -> anyhow::Result<()> {
    Ok(())
}

/// Drives a real VS Code (code-server) without a window; see editors/vscode/e2e/README.md.
pub fn drive(report: &mut Report) {
    let server = match shell::build_lofting(Profile::Dev) {
        Ok(path) => path,
        Err(why) => return report.fail("VS Code", why),
    };
    package(report, Profile::Dev);
    let vsix = shell::target_dir().join(format!("lofting-{}.vsix", platform()));
    let mut command = program("bash", &["e2e/run.sh"], FOLDER);
    command.arg(shell::tools_dir()).arg(vsix).arg(server);
    report.command("VS Code", &mut command);
    vscode_web::drive(report);
}

/// Draws a file in a real VS Code, with what the mouse shows at its first mistake.
pub fn picture(file: &Path, out: &Path) -> anyhow::Result<()> {
    install()?;
    let server = shell::build_lofting(Profile::Dev)?;
    let vsix = shell::target_dir().join(format!("lofting-{}.vsix", platform()));
    let program = fs::read(&server).with_context(|| server.display().to_string())?;
    pack_with_server(&program, &shell::program_name("lofting"), platform(), &vsix)?;
    let mut command = shell::program("bash", &["e2e/run.sh"], FOLDER);
    shell::quiet(command.arg(shell::tools_dir()).args([&vsix, &server]).args([file, out])).map(drop)
}

/// Installs the node modules of the lock file; true if they are there.
fn fetch(report: &mut Report) -> bool {
    report.heading("VS Code extension: packages");
    report.check("node modules", install())
}

/// Installs the node modules of the lock file, unless they are there.
pub fn install() -> anyhow::Result<()> {
    install_in(FOLDER)
}

/// Installs the node modules of the lock file of a folder, unless they are there.
pub fn install_in(folder: &str) -> anyhow::Result<()> {
    if !shell::is_there("node") || !shell::is_there("npm") {
        bail!("Node 20 or newer with npm is needed (Debian: apt-get install npm)");
    }
    let place = shell::root().join(folder);
    // npm writes this file last; when it is newer than the lock file, all packages are there.
    let age = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    let installed = age(&place.join("node_modules/.package-lock.json"));
    if installed.is_some() && installed >= age(&place.join("package-lock.json")) {
        return Ok(());
    }
    // The packages contain their programs; install scripts are not needed.
    shell::quiet(&mut npm_in(folder, &["ci", "--ignore-scripts", "--no-audit", "--no-fund"])).map(|_| ())
}

/// Bundles and packs what is in the folder.
fn pack(platform: &str, out: &Path) -> anyhow::Result<()> {
    let folder = shell::root().join(FOLDER);
    write_texts(&folder)?;
    let out = out.to_string_lossy();
    shell::quiet(&mut program(
        folder.join("node_modules/.bin/vsce"),
        &["package", "--target", platform, "--out", &out],
        FOLDER,
    ))
    .map(|_| ())
}

/// Writes the licence and the list of changes, which belong to every package.
pub fn write_texts(folder: &Path) -> anyhow::Result<()> {
    let mut licence = String::new();
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let path = shell::root().join(name);
        licence += &fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        licence.push('\n');
    }
    fs::write(folder.join("LICENSE"), licence).context("LICENSE")?;
    let changes = shell::root().join("CHANGELOG.md");
    fs::copy(changes, folder.join("CHANGELOG.md")).map(|_| ()).context("CHANGELOG.md")
}

fn npm(arguments: &[&str]) -> std::process::Command {
    npm_in(FOLDER, arguments)
}

/// A command of npm in a folder.
pub fn npm_in(folder: &str, arguments: &[&str]) -> std::process::Command {
    program(if cfg!(windows) { "npm.cmd" } else { "npm" }, arguments, folder)
}

/// This machine in the terms of VS Code's marketplace.
fn platform() -> &'static str {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("macos", "aarch64") => "darwin-arm64",
        ("macos", _) => "darwin-x64",
        ("windows", "aarch64") => "win32-arm64",
        ("windows", _) => "win32-x64",
        (_, "aarch64") => "linux-arm64",
        _ => "linux-x64",
    }
}
