//! The version is written in the `Cargo.toml` of the workspace. Other files have to repeat it: `cargo xtask version`
//! writes it there, and a test checks that they agree.

use std::fs;

use anyhow::{Context, bail};

use crate::shell;

/// Files with what comes directly before a version in them.
const PLACES: &[(&str, &[&str])] = &[
    ("Cargo.toml", &["[workspace.package]\nversion = \""]),
    ("action.yml", &["default: \""]),
    ("editors/vscode/package.json", &["\n  \"description\": \"*\",\n  \"version\": \""]),
    (
        "editors/vscode/package-lock.json",
        &["\"name\": \"lofting\",\n  \"version\": \"", "\"name\": \"lofting\",\n      \"version\": \""],
    ),
    ("editors/zed/Cargo.toml", &["name = \"lofting-zed\"\nversion = \""]),
    ("editors/zed/Cargo.lock", &["name = \"lofting-zed\"\nversion = \""]),
    ("editors/zed/extension.toml", &["name = \"Lofting\"\nversion = \""]),
    ("packaging/gitlab/lofting.yml", &["LOFTING_VERSION: \"", "lofting/v"]),
    ("packaging/pre-commit/pyproject.toml", &["version = \"", "lofting=="]),
    ("packaging/pre-commit/package.json", &["\"version\": \"", "\"lofting\": \""]),
    ("docs/ci/bazel.md", &["tag = \"v"]),
    ("integrations/bazel/MODULE.bazel", &["version = \""]),
    ("docs/installing.md", &["lofting-yaml/lofting@v", "lofting_"]),
    ("packaging/pre-commit/README.md", &["rev: v"]),
    ("examples/ci/github/.github/workflows/lofting.yml", &["lofting-yaml/lofting@v"]),
    ("examples/ci/gitlab/.gitlab-ci.yml", &["lofting/v"]),
    ("examples/ci/pre-commit/.pre-commit-config.yaml", &["rev: v"]),
];

/// `cargo xtask version [--check] [NEW]`
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    let check = arguments.iter().any(|argument| argument == "--check");
    let new = arguments.iter().find(|argument| *argument != "--check");
    let version = new.map_or_else(crate::dist::version, |new| Ok(new.clone()))?;
    let is_version = version.split('.').count() == 3 && version.split('.').all(|part| part.parse::<u32>().is_ok());
    if !is_version {
        bail!("`{version}` is not a version such as 1.2.3");
    }
    let wrong = differences(&version, !check)?;
    for line in &wrong {
        println!("   {line}");
    }
    Ok(!check || wrong.is_empty())
}

/// Where another version is written; with `write`, it is replaced.
fn differences(version: &str, write: bool) -> anyhow::Result<Vec<String>> {
    let mut wrong = Vec::new();
    for (file, places) in PLACES {
        let path = shell::root().join(file);
        let mut text = fs::read_to_string(&path).with_context(|| file.to_string())?;
        let before = text.clone();
        for place in *places {
            let found = after(&text, place);
            if found.is_empty() {
                bail!("{file}: there is no version after `{place}`");
            }
            for (at, length) in found.into_iter().rev() {
                if &text[at..at + length] != version {
                    wrong.push(format!("{file}: {} is written instead of {version}", &text[at..at + length]));
                    text.replace_range(at..at + length, version);
                }
            }
        }
        if write && text != before {
            fs::write(&path, text).with_context(|| file.to_string())?;
        }
    }
    Ok(wrong)
}

/// The versions after a text: where each begins, and its length. `*` in the text is the rest of a string.
fn after(text: &str, place: &str) -> Vec<(usize, usize)> {
    let mut parts = place.split('*');
    let (first, rest) = (parts.next().unwrap_or_default(), parts.next());
    let mut found = Vec::new();
    for (begin, _) in text.match_indices(first) {
        let mut at = begin + first.len();
        if let Some(rest) = rest {
            at += text[at..].find('"').unwrap_or(0);
            let Some(after) = text[at..].strip_prefix(rest) else { continue };
            at = text.len() - after.len();
        }
        let end = text[at..].find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len() - at);
        let version = text[at..at + end].trim_end_matches('.');
        if version.split('.').count() == 3 {
            found.push((at, version.len()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{after, differences};

    #[test]
    fn all_files_have_one_version() {
        let wrong = differences(&crate::dist::version().expect("a version"), false).expect("all files");
        assert!(wrong.is_empty(), "run `cargo xtask version`:\n{}", wrong.join("\n"));
    }

    #[test]
    fn versions_are_found_after_a_text() {
        assert_eq!(after("x v1.2.3. y v1.2 z", " v"), [(3, 5)]);
        assert_eq!(after("a: \"some text\"\nv: 1.2.3", "a: \"*\"\nv: "), [(18, 5)]);
        assert_eq!(after("a: \"some text\"\nw: 1.2.3", "a: \"*\"\nv: "), []);
    }
}
