//! The table of settings.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::{Context, anyhow};
use serde_json::Value;

use super::{Page, read};

const PAGE: &str = "docs/settings.md";
const MANIFEST: &str = "editors/vscode/package.json";
const BEGIN: &str = "<!-- settings: written by `cargo xtask docs` from editors/vscode/package.json -->\n";
const END: &str = "<!-- end of settings -->\n";

/// Where the server documents its settings: those of the engine, those of the program around it, and those for display.
const SOURCES: [&str; 3] =
    ["server/workspace/src/settings.rs", "server/lsp/src/settings.rs", "server/lsp/src/editor_settings.rs"];

/// Settings of the VS Code extension itself.
const EXTENSION: &[&str] = &["lofting.server.path", "lofting.trace.server"];

pub fn page() -> anyhow::Result<Page> {
    let old = read(PAGE)?;
    let (before, rest) = old.split_once(BEGIN).with_context(|| format!("{PAGE} has no line `{}`", BEGIN.trim()))?;
    let (_, after) = rest.split_once(END).with_context(|| format!("{PAGE} has no line `{}`", END.trim()))?;
    Ok(Page { path: PAGE.to_owned(), text: format!("{before}{BEGIN}{}{END}{after}", table()?) })
}

fn table() -> anyhow::Result<String> {
    let mut table = String::from("\n| setting | type | default | meaning |\n| --- | --- | --- | --- |\n");
    for (name, setting) in properties()? {
        if EXTENSION.contains(&name.as_str()) {
            continue;
        }
        let kind = setting["type"].as_str().unwrap_or_default();
        let meaning = setting["markdownDescription"].as_str().unwrap_or_default().replace('|', "\\|");
        let _ = writeln!(table, "| `{name}` | {kind} | `{}` | {meaning} |", setting["default"]);
    }
    table.push('\n');
    Ok(table)
}

/// The settings which the server reads and those which the manual lists must be the same.
pub fn same_names() -> anyhow::Result<()> {
    let sources: Vec<String> = SOURCES.iter().map(|source| read(source)).collect::<Result<_, _>>()?;
    let read: BTreeSet<String> = sources
        .concat()
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("/// `lofting."))
        .filter_map(|rest| rest.split('`').next())
        .map(|name| format!("lofting.{name}"))
        .collect();
    let listed: BTreeSet<String> =
        properties()?.into_iter().map(|(name, _)| name).filter(|name| !EXTENSION.contains(&name.as_str())).collect();
    let difference: Vec<&String> = read.symmetric_difference(&listed).collect();
    if difference.is_empty() {
        Ok(())
    } else {
        Err(anyhow!("only one of {SOURCES:?} and {MANIFEST} has: {difference:?}"))
    }
}

fn properties() -> anyhow::Result<Vec<(String, Value)>> {
    let manifest: Value = serde_json::from_str(&read(MANIFEST)?).with_context(|| MANIFEST.to_string())?;
    match &manifest["contributes"]["configuration"]["properties"] {
        Value::Object(properties) => Ok(properties.iter().map(|(name, value)| (name.clone(), value.clone())).collect()),
        _ => Err(anyhow!("{MANIFEST} lists no settings")),
    }
}
