//! What every package is made of: the program and the texts that come with it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use super::dependencies::{self, Dependency};
use super::entries::{Entry, Style, read};
use super::target::Target;
use super::time;
use crate::shell;

/// What packages are made of.
pub struct Product {
    pub version: String,
    pub target: &'static Target,
    /// The program.
    pub program: Vec<u8>,
    /// Scripts of completions by the name of the shell.
    pub completions: Vec<Entry>,
    /// Man pages by the name of the file.
    pub man_pages: Vec<Entry>,
    /// Licences: ours, and those of what is built in.
    pub licences: Vec<Entry>,
    /// The page that registries show.
    pub page: String,
    pub changelog: String,
    pub dependencies: Vec<Dependency>,
    pub style: Style,
    /// Where packages are written.
    pub out: PathBuf,
}

/// The shells with their names in the program.
const SHELLS: &[&str] = &["bash", "zsh", "fish", "powershell", "elvish"];

/// The size from which a program can only be one for tests; packing it fast is worth more than packing it well.
const FOR_TESTS: usize = 45_000_000;

impl Product {
    /// Reads a program. Its texts come from `texts_from`, which has to run here: the program itself, or a build for this
    /// machine where the program is for another one.
    pub fn read(target: &'static Target, program: &Path, texts_from: &Path, out: &Path) -> anyhow::Result<Product> {
        let version = version()?;
        let said = shell::quiet(Command::new(texts_from).arg("--version"))?;
        let first = said.lines().next().unwrap_or_default();
        if first.split(' ').nth(1) != Some(version.as_str()) {
            bail!("{} is `{first}`, and Cargo.toml has {version}", texts_from.display());
        }
        let program = read(program)?;
        let dependencies = dependencies::built_in(target.triple)?;
        let mut completions = Vec::new();
        for shell in SHELLS {
            let script = shell::quiet(Command::new(texts_from).args(["completions", shell]))?;
            completions.push(Entry::new(*shell, script));
        }
        let level = if program.len() > FOR_TESTS { 1 } else { 9 };
        Ok(Product {
            version,
            target,
            program,
            completions,
            man_pages: man_pages(texts_from)?,
            licences: licences(&dependencies)?,
            page: text("packaging/README.md")?,
            changelog: text("CHANGELOG.md")?,
            dependencies,
            style: Style { time: time::of_source(), level },
            out: out.to_owned(),
        })
    }

    /// The program as an entry.
    pub fn program_at(&self, folder: &str) -> Entry {
        Entry::program(format!("{folder}/{}", self.target.program()), self.program.clone())
    }

    /// The script of completions for a shell.
    pub fn completion(&self, shell: &str) -> Vec<u8> {
        let found = self.completions.iter().find(|script| script.path == shell);
        found.map(|script| script.bytes.clone()).unwrap_or_default()
    }
}

/// The version of the workspace, the one source of all versions.
pub fn version() -> anyhow::Result<String> {
    let manifest = text("Cargo.toml")?;
    let section = manifest.split("[workspace.package]").nth(1).unwrap_or_default();
    let line = section.lines().find_map(|line| line.strip_prefix("version = "));
    line.map(|version| version.trim_matches('"').to_owned()).context("Cargo.toml has no version")
}

/// A file of the repository.
pub fn text(path: &str) -> anyhow::Result<String> {
    std::fs::read_to_string(shell::root().join(path)).with_context(|| path.to_string())
}

fn man_pages(program: &Path) -> anyhow::Result<Vec<Entry>> {
    let folder = shell::target_dir().join("man-pages");
    let _ = std::fs::remove_dir_all(&folder);
    shell::quiet(Command::new(program).args(["debug", "man-pages"]).arg(&folder))?;
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
        pages.push(Entry::new(entry.file_name().to_string_lossy(), read(&entry.path())?));
    }
    pages.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(pages)
}

fn licences(dependencies: &[Dependency]) -> anyhow::Result<Vec<Entry>> {
    let mut licences = Vec::new();
    for name in ["LICENSE-MIT", "LICENSE-APACHE", "THIRD_PARTY.md"] {
        licences.push(Entry::new(name, text(name)?));
    }
    licences.push(Entry::new("THIRD_PARTY_LICENSES.txt", dependencies::licence_texts(dependencies)));
    Ok(licences)
}
