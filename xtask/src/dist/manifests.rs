//! The files for package managers, from the templates in `packaging/`: `@VERSION@` and `@SHA256:FILE@` are replaced, the
//! latter by the checksum of a package of that name.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use super::checksums;
use super::entries::write;
use super::product::{text, version};
use crate::shell;

/// Files in `packaging/` that are not templates.
const OTHERS: &[&str] = &["README.md", "npm", "pre-commit", "gitlab"];

/// Writes the files of all package managers and the notes of the release into `out`, and the checksums of all packages.
pub fn make(packages: &Path, out: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let sums: BTreeMap<String, String> = checksums::of_folder(packages)?.into_iter().collect();
    let mut made = Vec::new();
    let mut missing = Vec::new();
    for (name, template) in templates()? {
        match filled(&template, &version()?, |file| sums.get(file).cloned()) {
            Ok(text) => {
                write(&out.join(&name), text.as_bytes())?;
                made.push(out.join(&name));
            }
            Err(lacking) => missing.push(format!("{name}: {}", lacking.join(", "))),
        }
    }
    if missing.is_empty() {
        write(&out.join("NOTES.md"), section(&text("CHANGELOG.md")?, &version()?)?.as_bytes())?;
        made.extend([out.join("NOTES.md"), checksums::make(packages)?]);
        return Ok(made);
    }
    Err(anyhow!("these packages are not in {}:\n{}", packages.display(), missing.join("\n")))
}

/// The section of a version, without its heading.
fn section(changelog: &str, version: &str) -> anyhow::Result<String> {
    let mut sections = changelog.split("\n## ").skip(1).filter_map(|section| section.split_once('\n'));
    let found = sections.find(|(heading, _)| heading.split(' ').next() == Some(version));
    found
        .map(|(_, text)| format!("{}\n", text.trim()))
        .with_context(|| format!("CHANGELOG.md has no section {version}"))
}

/// The templates by their paths below `packaging/`.
pub fn templates() -> anyhow::Result<Vec<(String, String)>> {
    let root = shell::root().join("packaging");
    let mut folders = vec![root.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())?.flatten() {
            let path = entry.path();
            let name = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            if OTHERS.contains(&name.as_str()) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push((name, fs::read_to_string(&path).with_context(|| path.display().to_string())?));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The text with all marks replaced, or the names of packages that are not there.
fn filled(template: &str, version: &str, sum: impl Fn(&str) -> Option<String>) -> Result<String, Vec<String>> {
    let template = template.replace("@VERSION@", version);
    let mut parts = template.split("@SHA256:");
    let mut text = parts.next().unwrap_or_default().to_owned();
    let mut missing = Vec::new();
    for part in parts {
        let (file, rest) = part.split_once('@').unwrap_or((part, ""));
        match sum(file) {
            Some(sum) => text += &sum,
            None => missing.push(file.to_owned()),
        }
        text += rest;
    }
    if missing.is_empty() { Ok(text) } else { Err(missing) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{filled, section, templates, text, version};
    use crate::dist::target::TARGETS;

    #[test]
    fn notes_are_the_section_of_the_version() {
        let changelog = "# Changes\n\n## 0.2.0 (2027-01-01)\n\nTwo.\n\n## 0.1.0\n\nOne.\n";
        assert_eq!(section(changelog, "0.2.0").expect("it"), "Two.\n");
        assert_eq!(section(changelog, "0.1.0").expect("it"), "One.\n");
        assert!(section(changelog, "0.1").is_err());
        section(&text("CHANGELOG.md").expect("it"), &version().expect("a version"))
            .expect("a section for this version");
    }

    #[test]
    fn marks_are_replaced() {
        let sum = |file: &str| (file == "a.zip").then(|| "ff".to_owned());
        assert_eq!(filled("v@VERSION@ @SHA256:a.zip@.", "1.2.3", sum), Ok("v1.2.3 ff.".to_owned()));
        assert_eq!(filled("@SHA256:b.zip@ @SHA256:a.zip@", "1", sum), Err(vec!["b.zip".to_owned()]));
    }

    /// Every package that a template names is one that is made, and its text is complete and well formed.
    #[test]
    fn templates_name_packages_that_are_made() {
        let archives: BTreeSet<String> = TARGETS.iter().map(|target| target.archive()).collect();
        let mut used = BTreeSet::new();
        let all = templates().expect("templates");
        assert!(all.len() >= 8, "{all:?}");
        for (name, template) in &all {
            let text = filled(template, "7.8.9", |file| archives.contains(file).then(|| "f".repeat(64)));
            let text = text.unwrap_or_else(|missing| panic!("{name}: no such package: {missing:?}"));
            used.extend(archives.iter().filter(|archive| template.contains(archive.as_str())).cloned());
            for mark in ["@VERSION", "@SHA256", "0.1.0"] {
                assert!(!text.contains(mark), "{name}: {mark} in\n{text}");
            }
            assert!(!text.contains(".tar.gz") && !text.contains(".whl") || text.contains("7.8.9"), "{name}:\n{text}");
            if name.ends_with(".json") {
                serde_json::from_str::<serde_json::Value>(&text).unwrap_or_else(|why| panic!("{name}: {why}"));
            }
        }
        assert!(used.len() >= 6, "{used:?}");
    }
}
