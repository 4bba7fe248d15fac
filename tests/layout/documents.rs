//! The documents agree with the tree: links lead somewhere, every crate is described.

use std::fs;
use std::path::{Path, PathBuf};

use crate::sources::{root, server_crates};

/// All Markdown pages of the repository; folders that hold what others wrote are left out.
fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() {
                if !name.starts_with('.') && !["target", "node_modules", "conformance"].contains(&name.as_str()) {
                    folders.push(path);
                }
            } else if name.ends_with(".md") {
                pages.push(path);
            }
        }
    }
    assert!(pages.iter().any(|page| page.ends_with("README.md")));
    pages
}

/// What stands between `](` and `)` on the page.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap_or_default();
        let folder = page.parent().unwrap_or(Path::new("."));
        for link in links(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            if link.contains("://") || (file.is_empty() && !anchor.is_empty()) {
                continue;
            }
            if !folder.join(file).exists() {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_crate_is_described() {
    let text = fs::read_to_string(root().join("docs/architecture.md")).unwrap_or_default();
    for name in server_crates() {
        assert!(text.contains(&format!("| `{name}` |")), "docs/architecture.md does not describe `{name}`");
    }
}

/// Names of tests in the sources: functions in Rust, texts in TypeScript and Lua.
fn is_a_test(name: &str, sources: &[String]) -> bool {
    let function = format!("fn {name}()");
    let text = format!("test(\"{name}\"");
    sources.iter().any(|source| {
        let marks = ["#[test]", "#[tokio::test"];
        let is_mark = |line: &str| marks.iter().any(|mark| line.trim_start().starts_with(mark));
        let is_marked = |at: usize| source[..at].lines().rev().take(4).any(is_mark);
        source.match_indices(&function).any(|(at, _)| is_marked(at)) || source.contains(&text)
    })
}

/// The sources that hold tests.
fn test_sources() -> Vec<String> {
    let mut sources = Vec::new();
    let mut folders = ["server", "tests", "xtask", "editors"].map(|folder| root().join(folder)).to_vec();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if path.is_dir() {
                if !["target", "node_modules", "dist"].contains(&name.as_str()) {
                    folders.push(path);
                }
            } else if name.ends_with(".rs") || name.ends_with(".ts") {
                sources.push(fs::read_to_string(path).unwrap_or_default());
            }
        }
    }
    sources
}

/// docs/security.md promises nothing that no test holds: the last column of its tables names tests.
#[test]
fn every_promise_names_its_tests() {
    let text = fs::read_to_string(root().join("docs/security.md")).expect("docs/security.md");
    let sources = test_sources();
    let (mut promises, mut wrong) = (0, Vec::new());
    let mut in_promises = false;
    for line in text.lines() {
        if !line.starts_with('|') {
            in_promises = false;
        } else if line.trim_end().ends_with("| held by |") {
            in_promises = true;
        } else if in_promises && !line.starts_with("| ---") {
            promises += 1;
            let column = line.trim_end().trim_end_matches('|').rsplit('|').next().unwrap_or_default();
            let names: Vec<&str> = column.split('`').skip(1).step_by(2).collect();
            if names.is_empty() {
                wrong.push(format!("no test holds: {line}"));
            }
            for name in names.iter().filter(|name| !is_a_test(name, &sources)) {
                wrong.push(format!("there is no test `{name}`: {line}"));
            }
        }
    }
    assert!(promises > 10, "docs/security.md has {promises} promises");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
