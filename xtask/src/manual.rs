//! `cargo xtask manual`: builds the manual as a book that can be put on any file server, and follows its links.
//!
//! `mdbook` is built from the crate registry once (some minutes), into `target/tools`; it is not a dependency of the
//! repository.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use crate::shell;

/// The version whose output was looked at.
const VERSION: &str = "0.5.4";

/// Pages that the book makes itself and whose links begin elsewhere.
const WITHOUT_PLACE: &[&str] = &["404.html", "toc.html"];

/// Builds the book into `target/manual`.
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    if let Some(argument) = arguments.first() {
        bail!("`cargo xtask manual` takes no arguments, not `{argument}`");
    }
    let book = shell::target_dir().join("manual");
    let mut command = Command::new(mdbook()?);
    command.arg("build").arg(shell::root().join("docs")).arg("--dest-dir").arg(&book);
    // What it cannot read, it says and leaves out.
    let output = command.output().context("mdbook")?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() || said.contains("WARN") || said.contains("ERROR") {
        bail!("mdbook build docs\n{said}");
    }
    let (pages, broken) = followed(&book)?;
    if !broken.is_empty() {
        bail!("links of the book lead nowhere:\n{}", broken.join("\n"));
    }
    println!("{pages} pages: {}", book.join("index.html").display());
    Ok(true)
}

/// `LOFTING_MDBOOK` if set, else the one that is built below `target/tools`.
fn mdbook() -> anyhow::Result<PathBuf> {
    if let Some(path) = std::env::var_os("LOFTING_MDBOOK") {
        return Ok(path.into());
    }
    let home = shell::tools_dir().join("mdbook");
    let program = home.join("bin").join(shell::program_name("mdbook"));
    if !program.exists() {
        println!("   building mdbook {VERSION} into {}", home.display());
        let mut install = shell::cargo(&["install", "--quiet", "--locked", "--no-default-features", "--features"]);
        install.args(["search", "--version", VERSION, "--root"]).arg(&home).arg("mdbook");
        // The lints of this repository are not theirs.
        shell::quiet(install.env_remove("RUSTC_WORKSPACE_WRAPPER"))?;
    }
    Ok(program)
}

/// How many pages there are, and which of their links and sources lead nowhere, or to another host for a script or style.
fn followed(book: &Path) -> anyhow::Result<(usize, Vec<String>)> {
    let mut pages = Vec::new();
    let mut folders = vec![book.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())?.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "html") {
                pages.push(path);
            }
        }
    }
    let mut broken = Vec::new();
    for page in &pages {
        if WITHOUT_PLACE.iter().any(|name| page.ends_with(name)) {
            continue;
        }
        let text = fs::read_to_string(page).with_context(|| page.display().to_string())?;
        let shown = page.strip_prefix(book).unwrap_or(page).display();
        for address in attributes(&text, " src=\"").filter(|address| address.contains("://")) {
            broken.push(format!("{shown}: {address} is fetched from elsewhere"));
        }
        let links: BTreeSet<&str> = attributes(&text, " href=\"").chain(attributes(&text, " src=\"")).collect();
        broken
            .extend(links.into_iter().filter(|link| !leads(page, &text, link)).map(|link| format!("{shown}: {link}")));
    }
    Ok((pages.len(), broken))
}

fn attributes<'t>(text: &'t str, start: &'static str) -> impl Iterator<Item = &'t str> {
    text.split(start).skip(1).filter_map(|rest| rest.split('"').next())
}

/// Whether a link of a page leads to something in the book; what leads out of it is not followed.
fn leads(page: &Path, text: &str, link: &str) -> bool {
    if link.contains("://") || link.starts_with("mailto:") || link.starts_with("data:") {
        return true;
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = page.parent().unwrap_or(page).join(path);
    let has = |text: &str| anchor.is_empty() || text.contains(&format!("id=\"{anchor}\""));
    match path {
        "" => has(text),
        _ if !target.exists() => false,
        _ if anchor.is_empty() => true,
        _ => fs::read_to_string(target).is_ok_and(|text| has(&text)),
    }
}

#[cfg(test)]
mod tests {
    use super::{attributes, leads};
    use std::path::Path;

    #[test]
    fn links_are_followed() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/main.rs");
        let text = "<h2 id=\"a-b\">A</h2> <a href=\"#a-b\"> <img src=\"x.png\">";
        assert_eq!(attributes(text, " href=\"").collect::<Vec<_>>(), ["#a-b"]);
        assert!(leads(&page, text, "#a-b") && !leads(&page, text, "#a"));
        assert!(
            leads(&page, text, "docs.rs") && leads(&page, text, "docs/../lints.rs") && !leads(&page, text, "no.rs")
        );
        assert!(leads(&page, text, "https://example.com/#x"));
    }
}
