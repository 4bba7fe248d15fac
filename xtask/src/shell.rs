//! Runs other programs and knows the folders.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, anyhow};

use crate::lints::build_all;

/// The repository's root: xtask is directly below it.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Where cargo puts what it builds; `CARGO_TARGET_DIR` is honoured.
pub fn target_dir() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

/// Where fetched tools (editors, node modules) are kept, so that `cargo clean` removes them too.
pub fn tools_dir() -> PathBuf {
    target_dir().join("tools")
}

/// The file name of a program on this system.
pub fn program_name(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

/// A `cargo` command in the repository's root, with the toolchain that runs this chore.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// Any other command, in the folder `dir` below the root.
pub fn program(name: impl AsRef<std::ffi::OsStr>, arguments: &[&str], dir: &str) -> Command {
    let mut command = Command::new(name);
    command.args(arguments).current_dir(root().join(dir));
    command
}

/// Runs a command whose output only matters when it fails; the error then contains that output.
pub fn quiet(command: &mut Command) -> anyhow::Result<String> {
    let what = shown(command);
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot start `{what}`"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(text);
    }
    Err(anyhow!("`{what}` failed ({})\n{text}{}", output.status, String::from_utf8_lossy(&output.stderr)))
}

/// Runs a command and shows its output line by line; every line of its standard output also goes to `line`. True if it
/// succeeded.
pub fn watched(command: &mut Command, mut line: impl FnMut(&str)) -> anyhow::Result<bool> {
    let what = shown(command);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{what}`"))?;
    if let Some(output) = child.stdout.take() {
        let mut reader = BufReader::new(output);
        let mut bytes = Vec::new();
        while matches!(reader.read_until(b'\n', &mut bytes), Ok(read) if read > 0) {
            let text = String::from_utf8_lossy(&bytes);
            print!("{text}");
            line(text.trim_end());
            bytes.clear();
        }
    }
    let status = child.wait().with_context(|| format!("cannot wait for `{what}`"))?;
    Ok(status.success())
}

/// True when a program of that name can be started.
pub fn is_there(name: &str) -> bool {
    Command::new(name)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// How many arguments of a command are shown; some take every file of the repository.
const SHOWN: usize = 20;

/// A command as one would type it.
pub fn shown(command: &Command) -> String {
    let mut text = command.get_program().to_string_lossy().into_owned();
    for argument in command.get_args().take(SHOWN) {
        text.push(' ');
        text.push_str(&argument.to_string_lossy());
    }
    match command.get_args().len().saturating_sub(SHOWN) {
        0 => text,
        more => format!("{text} … ({more} more)"),
    }
}

/// The value after a flag such as `--seconds 30`.
pub fn flag<'a>(arguments: &'a [String], name: &str) -> Option<&'a str> {
    let at = arguments.iter().position(|argument| argument == name)?;
    arguments.get(at + 1).map(String::as_str)
}

/// How the program is built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// For tests.
    Dev,
    /// For packages.
    Dist,
}

/// Builds the `lofting` binary and returns its path; `LOFTING_BINARY` names one that is already built.
pub fn build_lofting(profile: Profile) -> anyhow::Result<PathBuf> {
    if let Some(path) = std::env::var_os("LOFTING_BINARY") {
        return Ok(path.into());
    }
    let mut command = match profile {
        // All that the tests need: for fewer targets, cargo builds half of the dependencies again with other features.
        Profile::Dev => build_all(),
        Profile::Dist => cargo(&["build", "--quiet", "--package", "lofting-lsp", "--bin", "lofting"]),
    };
    if profile == Profile::Dist {
        if let Err(why) = crate::catalogue::make() {
            println!("   built without a catalogue of schemas: {why:#}");
        }
        command.args(["--profile", "dist"]);
    }
    quiet(&mut command)?;
    let folder = if profile == Profile::Dist { "dist" } else { "debug" };
    Ok(target_dir().join(folder).join(program_name("lofting")))
}

/// This machine's target triple.
pub fn host() -> anyhow::Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let text = quiet(Command::new(rustc).arg("-vV").current_dir(root()))?;
    text.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned).context("rustc -vV names no host")
}

/// The flags of the compiler with which no path of this machine gets into what is built.
pub fn remapped() -> String {
    let home = std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")));
    let given = std::env::var("RUSTFLAGS").unwrap_or_default();
    let root = root();
    let home = home.map_or_else(|_| String::new(), |home| format!(" --remap-path-prefix={home}=/cargo"));
    format!("{given}{home} --remap-path-prefix={}=/lofting", root.display()).trim().to_owned()
}

/// Copies a file, or a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    if !from.is_dir() {
        return std::fs::copy(from, to).map(drop).with_context(|| from.display().to_string());
    }
    std::fs::create_dir_all(to).with_context(|| to.display().to_string())?;
    for entry in std::fs::read_dir(from).with_context(|| from.display().to_string())?.flatten() {
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// How much room the disk of the repository has, in bytes; None where that is not known.
pub fn room() -> Option<u64> {
    let output = Command::new("df").args(["-Pk", "."]).current_dir(root()).output().ok()?;
    let line = String::from_utf8(output.stdout).ok()?;
    available(line.lines().nth(1)?)
}

/// What is available, in bytes, by a line of `df -Pk`: the number before the only column with a per cent sign.
fn available(line: &str) -> Option<u64> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let capacity = words.iter().position(|word| word.strip_suffix('%').is_some_and(|n| n.parse::<u8>().is_ok()))?;
    words.get(capacity.checked_sub(1)?)?.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::{available, room};

    #[test]
    fn room_is_read_from_what_df_prints() {
        assert_eq!(available("/dev/vda 263174212 21135772 75000000 22% /"), Some(75_000_000 << 10));
        assert_eq!(available("//server/a share 100 20 80 20% /mnt/a share"), Some(80 << 10));
        assert_eq!(available("none - - - - /"), None);
        assert!(cfg!(not(unix)) || room().is_some_and(|room| room > 0));
    }
}
