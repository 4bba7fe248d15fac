//! Reads the sources of the crates without comments and tests.

use std::fs;
use std::path::{Path, PathBuf};

/// The repository's root.
pub fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap_or(tests).to_path_buf()
}

/// One Rust file of a crate below `server/`.
pub struct Source {
    /// The crate's folder name, such as `syntax`.
    pub crate_name: String,
    /// The path below the root, for messages.
    pub path: String,
    /// The file's lines up to its test module, comments taken out (the line count is kept).
    pub code: String,
}

/// All non-test sources below `server/*/src`.
pub fn server_sources() -> Vec<Source> {
    let mut sources = Vec::new();
    for crate_name in server_crates() {
        let folder = root().join("server").join(&crate_name).join("src");
        for path in files_below(&folder, ".rs", &[]) {
            let below = path.strip_prefix(&folder).unwrap_or(&path);
            let is_test = below.components().any(|part| {
                matches!(part.as_os_str().to_str(), Some("tests.rs" | "tests" | "fixture.rs" | "fixtures"))
                    || part.as_os_str().to_str().is_some_and(|name| name.ends_with("_tests.rs"))
            });
            if is_test {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap_or_default();
            let shown = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
            sources.push(Source { crate_name: crate_name.clone(), path: shown, code: code_of(&text) });
        }
    }
    assert!(!sources.is_empty(), "no sources below {}", root().display());
    sources
}

/// The folder names below `server/`.
pub fn server_crates() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(root().join("server"))
        .expect("server/ is there")
        .flatten()
        .filter(|entry| entry.path().join("Cargo.toml").exists())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Folders that tools fill.
const FILLED: &[&str] = &["target", "node_modules", "dist"];

/// Files below a folder with this ending, sorted. Hidden folders are left out, those that tools fill, and those of the
/// names in `aside`.
pub fn files_below(folder: &Path, ending: &str, aside: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if path.is_dir() {
                if !name.starts_with('.') && !FILLED.contains(&name.as_str()) && !aside.contains(&name.as_str()) {
                    folders.push(path);
                }
            } else if name.ends_with(ending) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The code of a file: everything before its test module, with line comments blanked.
fn code_of(text: &str) -> String {
    let mut code = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let trimmed = line.trim_start();
        // `#[cfg(test)] mod tests {` ends the code; `mod tests;` and other test-only items do not.
        let is_for_tests = trimmed == "#[cfg(test)]" || trimmed.starts_with("#[cfg(all(test,");
        if is_for_tests && lines.peek().is_some_and(|next| next.starts_with("mod ") && next.ends_with('{')) {
            break;
        }
        if !trimmed.starts_with("//") {
            code.push_str(line);
        }
        code.push('\n');
    }
    code
}

/// How many lines hold code.
pub fn code_lines(code: &str) -> usize {
    code.lines().filter(|line| !line.trim().is_empty()).count()
}

/// The line (from 1) of a byte offset.
pub fn line_of(code: &str, offset: usize) -> usize {
    code.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1
}
