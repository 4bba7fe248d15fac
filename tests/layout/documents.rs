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
