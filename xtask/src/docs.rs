//! `cargo xtask docs`: writes the manual's pages that repeat the source.
//!
//! `docs/rules.md` comes from the registry of rules, the table in `docs/settings.md` from the manifest of the VS Code
//! extension, which needs the settings in a machine-readable form anyway.

mod rules;
mod settings;

use std::fs;
use std::path::PathBuf;

use crate::shell;

/// A page with the text it should have.
struct Page {
    path: &'static str,
    text: String,
}

/// `cargo xtask docs [--check]`
pub fn run(arguments: &[String]) -> Result<bool, String> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--check"] => check().map(|()| true),
        [] => {
            for page in pages()? {
                if current(&page) != page.text {
                    fs::write(absolute(&page), &page.text).map_err(|error| format!("{}: {error}", page.path))?;
                    println!("wrote {}", page.path);
                }
            }
            settings::same_names()?;
            Ok(true)
        }
        other => Err(format!("`cargo xtask docs` does not know `{}`", other.join(" "))),
    }
}

/// Fails when a page differs from the source.
pub fn check() -> Result<(), String> {
    let old: Vec<&str> = pages()?.iter().filter(|page| current(page) != page.text).map(|page| page.path).collect();
    if !old.is_empty() {
        return Err(format!("not up to date: {}; run `cargo xtask docs`", old.join(", ")));
    }
    settings::same_names()
}

fn pages() -> Result<Vec<Page>, String> {
    Ok(vec![rules::page()?, settings::page()?])
}

fn absolute(page: &Page) -> PathBuf {
    shell::root().join(page.path)
}

fn current(page: &Page) -> String {
    fs::read_to_string(absolute(page)).unwrap_or_default()
}

/// Reads a file below the root.
fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(shell::root().join(path)).map_err(|error| format!("{path}: {error}"))
}
