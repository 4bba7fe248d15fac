//! The npm packages: one for each platform with the program, and `lofting`, which depends on all of them as optional
//! packages. Clients install the one whose `os`, `cpu` and `libc` fit. No script runs on installing.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::entries::{Entry, tar_gz, write};
use super::product::{Product, text};
use super::target::TARGETS;

/// Below this scope are the packages of platforms.
pub const SCOPE: &str = "@lofting";

/// The file that starts the program of the platform.
const SHIM: &str = "packaging/npm/lofting.js";

pub fn make(product: &Product) -> anyhow::Result<Vec<PathBuf>> {
    let shim = product.out.join(format!("lofting-{}.tgz", product.version));
    write(&shim, &tar_gz(&shim_entries(product)?, product.style)?)?;
    let mut made = vec![shim];
    if let Some(platform) = product.target.npm {
        let path = product.out.join(format!("lofting-cli-{}-{}.tgz", platform.name, product.version));
        write(&path, &tar_gz(&platform_entries(product), product.style)?)?;
        made.push(path);
    }
    Ok(made)
}

/// What all packages say.
fn manifest(product: &Product, name: &str, description: &str) -> Map<String, Value> {
    let mut manifest = Map::new();
    let mut put = |key: &str, value: Value| manifest.insert(key.to_owned(), value);
    put("name", json!(name));
    put("version", json!(product.version));
    put("description", json!(description));
    put("license", json!("MIT OR Apache-2.0"));
    put("repository", json!({"type": "git", "url": "git+https://github.com/lofting-yaml/lofting.git"}));
    put("homepage", json!("https://github.com/lofting-yaml/lofting"));
    put("publishConfig", json!({"access": "public", "provenance": true}));
    manifest
}

fn shim_entries(product: &Product) -> anyhow::Result<Vec<Entry>> {
    let description = "Checks, explains and completes YAML against its schema: language server and command line.";
    let mut manifest = manifest(product, "lofting", description);
    let platforms = TARGETS.iter().filter_map(|target| target.npm);
    let optional: Map<String, Value> =
        platforms.map(|platform| (format!("{SCOPE}/cli-{}", platform.name), json!(product.version))).collect();
    manifest.insert("keywords".to_owned(), json!(["yaml", "schema", "linter", "lsp", "kubernetes", "ytt"]));
    manifest.insert("bin".to_owned(), json!({"lofting": "bin/lofting.js"}));
    manifest.insert("engines".to_owned(), json!({"node": ">=14"}));
    manifest.insert("optionalDependencies".to_owned(), Value::Object(optional));
    let mut entries = vec![
        Entry::program("bin/lofting.js", text(SHIM)?),
        Entry::new("README.md", product.page.clone()),
        package_json(manifest),
    ];
    entries.extend(product.licences.iter().filter(|licence| licence.path.starts_with("LICENSE")).cloned());
    Ok(in_package(&entries))
}

fn platform_entries(product: &Product) -> Vec<Entry> {
    let Some(platform) = product.target.npm else { return Vec::new() };
    let description = format!("The program of the package `lofting` for {}.", platform.name);
    let mut manifest = manifest(product, &format!("{SCOPE}/cli-{}", platform.name), &description);
    manifest.insert("os".to_owned(), json!([platform.os]));
    manifest.insert("cpu".to_owned(), json!([platform.cpu]));
    if let Some(libc) = platform.libc {
        manifest.insert("libc".to_owned(), json!([libc]));
    }
    let mut entries = vec![Entry::program(product.target.program(), product.program.clone()), package_json(manifest)];
    entries.push(Entry::new("README.md", format!("{description}\n\nInstall `lofting` instead.\n")));
    entries.extend(product.licences.iter().cloned());
    in_package(&entries)
}

fn package_json(manifest: Map<String, Value>) -> Entry {
    Entry::new("package.json", format!("{:#}\n", Value::Object(manifest)))
}

/// Clients expect everything in a folder of this name.
fn in_package(entries: &[Entry]) -> Vec<Entry> {
    entries.iter().map(|entry| entry.below("package")).collect()
}
