//! Documents as users have them: the examples, ytt's cases, and the manual's.

use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Files with their text, by their path in a workspace.
pub(crate) type Files = Vec<(String, String)>;

/// The folders of the examples.
pub(crate) fn examples() -> Vec<Files> {
    let folders = below(&repository().join("examples"));
    folders.iter().filter(|path| path.is_dir()).map(|folder| read(folder)).collect()
}

/// The inputs of ytt's cases, each with its folder's name in front.
pub(crate) fn cases() -> Vec<Files> {
    let root = repository().join("tests/conformance/ytt");
    let folders = below(&root).into_iter().filter(|path| path.is_dir()).flat_map(|category| below(&category));
    let named = |folder: PathBuf| {
        let name = folder.strip_prefix(&root).expect("below the root").to_string_lossy().replace('\\', "/");
        read(&folder).into_iter().map(|(path, text)| (format!("{name}/{path}"), text)).collect()
    };
    folders.map(named).collect()
}

/// The examples of the rules' documentation, each in a folder of the rule's name.
pub(crate) fn rules() -> Vec<Files> {
    let pages = read(&repository().join("docs/rules"));
    let mut all = Vec::new();
    for (path, page) in &pages {
        let name = path.trim_end_matches(".md").replace('/', "-");
        let Some(example) = page.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()) else {
            continue;
        };
        let parts = example
            .strip_prefix("#! schema\n")
            .map(|rest| (rest.split_once("#! values\n"), rest.split_once("#! template\n")));
        all.push(match parts {
            Some((Some((schema, values)), _)) => vec![
                (format!("{name}/schema.yml"), format!("#@data/values-schema\n---\n{schema}")),
                (format!("{name}/values.yml"), format!("#@data/values\n---\n{values}")),
            ],
            Some((_, Some((schema, template)))) => vec![
                (format!("{name}/schema.yml"), format!("#@data/values-schema\n---\n{schema}")),
                (format!("{name}/app.yml"), template.to_owned()),
            ],
            _ => vec![(format!("{name}/all.yml"), example.to_owned())],
        });
    }
    all
}

fn read(folder: &Path) -> Files {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for path in below(&next) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let of_case = path.file_name().is_some_and(|name| name == "case.json" || name == "expected.json");
            let name = path.strip_prefix(folder).expect("below").to_string_lossy().replace('\\', "/");
            if let (false, Ok(text)) = (of_case, std::fs::read_to_string(&path)) {
                files.push((name, text));
            }
        }
    }
    files.sort();
    files
}

/// What is in a folder, in order.
fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a readable folder");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}
