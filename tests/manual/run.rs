//! Running commands as a reader types them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::page::root;

/// The program, in a folder, without anything of the user around it.
pub fn lofting(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lofting"));
    command.args(arguments);
    alone(&mut command, folder);
    command
}

fn alone(command: &mut Command, folder: &Path) {
    let bin = Path::new(env!("CARGO_BIN_EXE_lofting")).parent().expect("a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(bin.to_owned()).chain(std::env::split_paths(&path));
    command.env("PATH", std::env::join_paths(paths).expect("paths")).env("XDG_CACHE_HOME", folder.join(".cache"));
    for variable in ["LOFTING_TRUST", "LOFTING_ALLOWED_HOSTS", "LOFTING_CATALOGUE", "LOFTING_LOG"] {
        command.env_remove(variable);
    }
    command.current_dir(folder).stdin(Stdio::null());
}

/// Whether the program was built with schemas.
pub fn has_built_in_schemas() -> bool {
    let output = lofting(&["schemas", "show", "v1/Service"], &std::env::temp_dir()).output().expect("lofting starts");
    output.status.success()
}

/// Whether the program refuses the arguments of a line such as `lofting check a.yml  # a comment`. What they name need
/// not be there.
pub fn refused(line: &str) -> Result<(), String> {
    let line = line.split(" #").next().unwrap_or(line).trim();
    let Some(arguments) = line.strip_prefix("lofting ") else { return Ok(()) };
    // These run until they are stopped, or print what other tests look at.
    if arguments.contains("--watch") || arguments.contains(['|', '>', '<', '$', ';', '…']) {
        return Ok(());
    }
    let words = words(arguments);
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let output = lofting(&words, folder.path()).output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr);
    if said.starts_with("error:") { Err(format!("{line}: {said}")) } else { Ok(()) }
}

/// The words of a command. Brackets of a synopsis are left out.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(begin), _) if begin == c => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, ' ') => words.push(String::new()),
            _ => words.last_mut().expect("a word").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The folder in which the commands of a page run.
pub struct Folder {
    _directory: TempDir,
    path: PathBuf,
}

impl Folder {
    pub fn new() -> Folder {
        let directory = tempfile::tempdir().expect("a folder");
        let path = directory.path().join("work");
        fs::create_dir(&path).expect("a folder");
        Folder { path: path.canonicalize().expect("a path"), _directory: directory }
    }

    /// Writes a file.
    pub fn write(&mut self, name: &str, text: &str) {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// Copies a folder of the repository.
    pub fn copy(&mut self, from: &str) {
        copy(&root().join(from), &self.path);
    }

    /// What a terminal shows where these commands are typed: each with its output.
    pub fn console(&self, text: &str) -> String {
        let mut shown = String::new();
        for line in text.lines().filter_map(|line| line.strip_prefix("$ ")) {
            let mut command = Command::new("sh");
            command.arg("-c").arg(format!("exec 2>&1\n{line}"));
            alone(&mut command, &self.path);
            let output = command.output().expect("a shell");
            let printed = String::from_utf8_lossy(&output.stdout);
            shown.push_str(&format!("$ {line}\n"));
            // White space at the end of a line is invisible on a page.
            for line in printed.lines() {
                shown.push_str(line.trim_end());
                shown.push('\n');
            }
        }
        shown
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())).flatten() {
        let path = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &path)
        } else {
            fs::copy(entry.path(), path).expect("a copy");
        }
    }
}

/// Whether a page shows what was printed; a line `…` stands for any number of lines.
pub fn is_shown(page: &str, printed: &str) -> bool {
    fn fits(page: &[&str], printed: &[&str]) -> bool {
        match page.split_first() {
            None => printed.is_empty(),
            Some((&"…", rest)) => (0..=printed.len()).any(|skipped| fits(rest, &printed[skipped..])),
            Some((first, rest)) => printed.first() == Some(first) && fits(rest, &printed[1..]),
        }
    }
    fits(&page.lines().collect::<Vec<_>>(), &printed.lines().collect::<Vec<_>>())
}
