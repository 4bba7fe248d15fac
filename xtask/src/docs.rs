//! `cargo xtask docs`: writes the manual's pages that repeat the source.
//!
//! `docs/rules.md` and the pages below `docs/rules` come from the registry of rules, the table in `docs/settings.md` from the manifest of the VS Code
//! extension, which needs the settings in a machine-readable form anyway.

mod rules;
mod settings;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, anyhow};

use crate::shell;

/// A page with the text it should have.
struct Page {
    path: String,
    text: String,
}

/// `cargo xtask docs [--check]`
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--check"] => check().map(|()| true),
        [] => {
            let pages = pages()?;
            for page in &pages {
                if current(page) != page.text {
                    write(page).with_context(|| page.path.clone())?;
                    println!("wrote {}", page.path);
                }
            }
            for path in rules::old(&pages) {
                fs::remove_file(shell::root().join(&path)).with_context(|| path.to_string())?;
                println!("removed {path}");
            }
            settings::same_names()?;
            Ok(true)
        }
        other => Err(anyhow!("`cargo xtask docs` does not know `{}`", other.join(" "))),
    }
}

/// Fails when a page differs from the source.
pub fn check() -> anyhow::Result<()> {
    let pages = pages()?;
    let differs = pages.iter().filter(|page| current(page) != page.text).map(|page| page.path.clone());
    let old: Vec<String> = differs.chain(rules::old(&pages)).collect();
    if !old.is_empty() {
        return Err(anyhow!("not up to date: {}; run `cargo xtask docs`", old.join(", ")));
    }
    settings::same_names()
}

fn pages() -> anyhow::Result<Vec<Page>> {
    let mut pages = rules::pages()?;
    pages.push(rules::summary(&pages)?);
    pages.push(settings::page()?);
    Ok(pages)
}

fn absolute(page: &Page) -> PathBuf {
    shell::root().join(&page.path)
}

fn write(page: &Page) -> std::io::Result<()> {
    let path = absolute(page);
    fs::create_dir_all(path.parent().unwrap_or(&path))?;
    fs::write(path, &page.text)
}

/// The files of a folder below the root, and those in its folders, by their paths below the root.
fn files_below(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(shell::root().join(folder)).into_iter().flatten().flatten();
    let below = entries.flat_map(|entry| {
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() { files_below(&path) } else { vec![path] }
    });
    below.collect()
}

fn current(page: &Page) -> String {
    fs::read_to_string(absolute(page)).unwrap_or_default()
}

/// Reads a file below the root.
fn read(path: &str) -> anyhow::Result<String> {
    fs::read_to_string(shell::root().join(path)).with_context(|| path.to_string())
}
