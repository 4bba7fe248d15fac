//! The packages that are built into the program, with their licences.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use serde_json::Value;

use crate::shell::{self, cargo};

/// The package of the program.
const PROGRAM: &str = "lofting-lsp";

/// A package that is built in.
#[derive(Debug)]
pub struct Dependency {
    pub name: String,
    pub version: String,
    pub licence: String,
    /// SHA-256 of its archive in the registry; None for our own.
    pub checksum: Option<String>,
    /// Where its sources are.
    pub folder: PathBuf,
}

/// All packages in the program for a target, sorted: those that it needs to run, not those that only build it.
pub fn built_in(triple: &str) -> anyhow::Result<Vec<Dependency>> {
    let arguments = ["metadata", "--locked", "--format-version", "1", "--filter-platform", triple];
    let metadata: Value = serde_json::from_str(&shell::quiet(&mut cargo(&arguments))?).context("cargo metadata")?;
    let lock = fs::read_to_string(shell::root().join("Cargo.lock")).context("Cargo.lock")?;
    let found = reached(&metadata, &checksums(&lock));
    if found.len() < 2 { Err(anyhow!("cargo metadata names no packages")) } else { Ok(found) }
}

fn reached(metadata: &Value, checksums: &BTreeMap<(String, String), String>) -> Vec<Dependency> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let packages: BTreeMap<String, Value> =
        list(&metadata["packages"]).into_iter().map(|package| (text(&package["id"]), package)).collect();
    let nodes: BTreeMap<String, Value> =
        list(&metadata["resolve"]["nodes"]).into_iter().map(|node| (text(&node["id"]), node)).collect();
    let mut left: Vec<String> =
        packages.iter().filter(|(_, package)| package["name"] == PROGRAM).map(|(id, _)| id.clone()).collect();
    let mut seen = BTreeSet::new();
    while let Some(id) = left.pop() {
        let package = &packages[&id];
        // Macros run in the compiler.
        let is_macro = list(&package["targets"]).iter().any(|target| target["kind"][0] == "proc-macro");
        if is_macro || !seen.insert(id.clone()) {
            continue;
        }
        for next in list(&nodes[&id]["deps"]) {
            if list(&next["dep_kinds"]).iter().any(|kind| kind["kind"].is_null()) {
                left.push(text(&next["pkg"]));
            }
        }
    }
    let mut found: Vec<Dependency> = seen
        .iter()
        .map(|id| {
            let package = &packages[id];
            let (name, version) = (text(&package["name"]), text(&package["version"]));
            let folder = PathBuf::from(text(&package["manifest_path"])).with_file_name("");
            let checksum = checksums.get(&(name.clone(), version.clone())).cloned();
            Dependency { name, version, licence: text(&package["license"]).replace('/', " OR "), checksum, folder }
        })
        .collect();
    found.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    found
}

/// The checksums of the lock file, by name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let blocks = lock.split("[[package]]").skip(1);
    let value = |block: &str, key: &str| {
        let line = block.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "))?;
        Some(line.trim_matches('"').to_owned())
    };
    blocks
        .filter_map(|block| Some(((value(block, "name")?, value(block, "version")?), value(block, "checksum")?)))
        .collect()
}

/// The texts of all licences, each once, with the packages that have it.
pub fn licence_texts(dependencies: &[Dependency]) -> String {
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut without = Vec::new();
    for dependency in dependencies.iter().filter(|dependency| dependency.checksum.is_some()) {
        let name = format!("{} {} ({})", dependency.name, dependency.version, dependency.licence);
        let texts = licence_files(&dependency.folder);
        if texts.is_empty() {
            without.push(name.clone());
        }
        for text in texts {
            by_text.entry(text).or_default().push(name.clone());
        }
    }
    let mut page = "Libraries in this program, and their licences.\n".to_owned();
    for (text, names) in by_text {
        let _ = write!(page, "\n{}\n\n{}\n\n{text}\n", "=".repeat(80), names.join("\n"));
    }
    if !without.is_empty() {
        let _ = write!(page, "\n{}\n\nWithout a text of their own:\n\n{}\n", "=".repeat(80), without.join("\n"));
    }
    page
}

fn licence_files(folder: &Path) -> Vec<String> {
    let is_licence = |name: &str| {
        let name = name.to_ascii_uppercase();
        let is_named =
            ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"].iter().any(|begin| name.starts_with(begin));
        is_named && !name.ends_with(".RS") && !name.ends_with(".TOML")
    };
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| is_licence(&entry.file_name().to_string_lossy()))
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    let mut texts: Vec<String> = paths
        .iter()
        .filter_map(|path| fs::read_to_string(path).ok())
        .map(|text| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_owned())
        .collect();
    texts.dedup();
    texts
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{checksums, reached};

    #[test]
    fn only_what_runs_is_built_in() {
        let package = |name: &str, kind: &str| json!({"id": name, "name": name, "version": "1.0.0", "license": "MIT/Apache-2.0", "manifest_path": "/x/Cargo.toml", "targets": [{"kind": [kind]}]});
        let needs = |id: &str, deps: &[(&str, Option<&str>)]| {
            let deps: Vec<_> =
                deps.iter().map(|(pkg, kind)| json!({"pkg": pkg, "dep_kinds": [{"kind": kind}]})).collect();
            json!({"id": id, "deps": deps})
        };
        let metadata = json!({
            "packages": [package("lofting-lsp", "bin"), package("a", "lib"), package("m", "proc-macro"), package("b", "lib"), package("t", "lib")],
            "resolve": {"nodes": [
                needs("lofting-lsp", &[("a", None), ("m", None), ("t", Some("dev"))]),
                needs("a", &[("b", None), ("t", Some("build"))]), needs("m", &[("t", None)]), needs("b", &[("a", None)]), needs("t", &[]),
            ]},
        });
        let lock = "[[package]]\nname = \"b\"\nversion = \"1.0.0\"\nchecksum = \"ff\"\n";
        let found = reached(&metadata, &checksums(lock));
        let names: Vec<_> = found.iter().map(|found| (found.name.as_str(), found.checksum.as_deref())).collect();
        assert_eq!(names, [("a", None), ("b", Some("ff")), ("lofting-lsp", None)]);
        assert_eq!(found[0].licence, "MIT OR Apache-2.0");
    }
}
