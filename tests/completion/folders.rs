//! Folders of files that belong together: schemas with their values, templates, overlays, libraries, and configuration.

use std::path::{Path, PathBuf};

/// Files that are open together.
pub struct Folder {
    pub name: String,
    /// By their paths in the folder, `/` between the parts.
    pub files: Vec<(String, String)>,
}

/// The largest files that are typed in, in bytes.
const MAX_SIZE: usize = 64 * 1024;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The examples, and cases of all languages.
pub fn own() -> Vec<Folder> {
    let cases = repository().join("tests/conformance");
    let mut found = each_below(&repository().join("examples"), 1);
    // One proposal has its forms in folders beside each other, which are different schemas of the same values.
    found.retain(|folder| folder.name != "proposals");
    found.extend(each_below(&repository().join("examples/proposals"), 2));
    found.extend(each_below(&cases.join("ytt"), 2));
    found.extend(each_below(&cases.join("proposal"), 2));
    found.extend(each_below(&cases.join("openchoreo"), 1));
    found.push(Folder {
        name: "every word".to_owned(),
        files: lofting_fixture::files(include_str!("words/every_word.yml"))
            .into_iter()
            .map(|file| (file.path, file.text))
            .collect(),
    });
    found
}

/// Files of public repositories, where these are at hand.
pub fn real() -> Vec<Folder> {
    let shared = repository().join("../shared/conformance");
    let mut found = each_below(&shared.join("real"), 1);
    found.extend(files_below(&shared.join("openchoreo-real")));
    found
}

/// Each folder is this number of levels below a root.
fn each_below(root: &Path, levels: usize) -> Vec<Folder> {
    let mut folders = vec![root.to_path_buf()];
    for _ in 0..levels {
        folders = folders.iter().flat_map(|folder| entries(folder)).filter(|path| path.is_dir()).collect();
    }
    // Cases that ytt refuses have words that mean nothing.
    let is_right = |folder: &PathBuf| {
        let expected = std::fs::read_to_string(folder.join("expected.json")).unwrap_or_default();
        !expected.contains("\"ok\": false")
    };
    let folders =
        folders.into_iter().filter(is_right).map(|folder| Folder { name: shown(root, &folder), files: read(&folder) });
    folders.filter(|folder| !folder.files.is_empty()).collect()
}

/// Each file of a folder for itself.
fn files_below(root: &Path) -> Vec<Folder> {
    let files = read(root).into_iter();
    files.map(|(name, text)| Folder { name: name.clone(), files: vec![(name, text)] }).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn read(folder: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for path in entries(&next) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            let is_text = matches!(ending, "yml" | "yaml" | "star" | "toml" | "txt");
            let Some(text) = is_text.then(|| std::fs::read_to_string(&path).ok()).flatten() else { continue };
            if text.len() <= MAX_SIZE && path.file_name().is_some_and(|name| name != "SOURCE.txt") {
                files.push((shown(folder, &path), text));
            }
        }
    }
    files.sort();
    files
}

fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}
