//! Reading blocks as the programs do that they are for.

use std::io::Write as _;

use serde_json::Value;

use crate::page::Block;
use crate::run::lofting;

/// Tables of `lofting.toml`.
const OWN_TABLES: &[&str] = &["sets", "schemas", "rules", "format", "kubernetes", "catalogue"];

/// Whether the block can be read.
pub fn read(block: &Block) -> Result<(), String> {
    let text = block.text.as_str();
    match block.language.as_str() {
        "" | "console" | "mermaid" | "text" => Ok(()),
        "yaml" => yaml(text),
        "json" => serde_json::from_str::<Value>(text).map(drop).map_err(|error| error.to_string()),
        "jsonc" => jsonc(text),
        "toml" => toml(text),
        "elisp" => balanced(text, ';'),
        "lua" => balanced(text.replace("--", "\u{1}").as_str(), '\u{1}'),
        "rust" => balanced(text.replace("//", "\u{1}").as_str(), '\u{1}'),
        "sh" | "kak" => balanced(text, '#'),
        "vim" => balanced(text, '"'),
        "groovy" => balanced(text, '\u{1}'),
        other => Err(format!("nothing reads `{other}`: add it here, or write `text`")),
    }
}

fn yaml(text: &str) -> Result<(), String> {
    let mut folder = tempfile::NamedTempFile::with_suffix(".yml").map_err(|error| error.to_string())?;
    folder.write_all(text.as_bytes()).map_err(|error| error.to_string())?;
    let output = lofting(&["debug", "events"], std::env::temp_dir().as_path()).arg(folder.path()).output();
    let output = output.map_err(|error| error.to_string())?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// JSON with comments, and with commas before the end.
fn jsonc(text: &str) -> Result<(), String> {
    let lines = text.lines().map(|line| match line.find("//") {
        Some(at) if !line[..at].ends_with(':') => &line[..at],
        _ => line,
    });
    let mut bare: String = lines.collect::<Vec<_>>().join("\n");
    for close in ['}', ']'] {
        let mut parts = bare.split(close).map(str::to_owned).collect::<Vec<_>>();
        let last = parts.len() - 1;
        for part in &mut parts[..last] {
            let end = part.trim_end();
            *part = end.strip_suffix(',').unwrap_or(end).to_owned();
        }
        bare = parts.join(&close.to_string());
    }
    serde_json::from_str::<Value>(&bare).map(drop).map_err(|error| format!("{error} in {bare}"))
}

/// TOML; what looks like a `lofting.toml` must have no mistake as one.
fn toml(text: &str) -> Result<(), String> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| error.to_string())?;
    if !table.keys().any(|key| OWN_TABLES.contains(&key.as_str())) {
        return Ok(());
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    std::fs::write(folder.path().join("lofting.toml"), text).map_err(|error| error.to_string())?;
    let output = lofting(&["check", "--format", "json"], folder.path()).output().map_err(|error| error.to_string())?;
    let report: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let found = report["diagnostics"].as_array().into_iter().flatten();
    // Nothing that it names is there.
    let missing = |finding: &Value| finding["message"].as_str().is_some_and(|text| text.contains("there is no "));
    match found.into_iter().find(|finding| finding["code"] == "lofting/configuration" && !missing(finding)) {
        Some(finding) => Err(finding["message"].to_string()),
        None => Ok(()),
    }
}

/// Brackets and quotes come in pairs. A comment goes from its sign to the end of the line.
fn balanced(text: &str, comment: char) -> Result<(), String> {
    let mut open = Vec::new();
    let mut quote = None;
    let mut before = '\n';
    for c in text.lines().flat_map(|line| line.chars().chain(['\n'])) {
        let is_escaped = before == '\\';
        before = if is_escaped { ' ' } else { c };
        match (quote, c) {
            _ if is_escaped => {}
            // Comments end, and a quote in one (`don't`) begins nothing.
            (Some('\u{1}'), '\n') => quote = None,
            (Some('\u{1}'), _) => {}
            (Some(begin), _) if begin == c => quote = None,
            (Some(_), _) => {}
            (None, _) if c == comment => quote = Some('\u{1}'),
            (None, '"' | '\'') if !(c == '\'' && comment == ';') => quote = Some(c),
            (None, '(' | '[' | '{') => open.push(c),
            (None, ')' | ']' | '}') => {
                let matches = matches!((open.pop(), c), (Some('('), ')') | (Some('['), ']') | (Some('{'), '}'));
                if !matches {
                    return Err(format!("`{c}` closes nothing"));
                }
            }
            _ => {}
        }
    }
    match (open.pop(), quote) {
        (Some(c), _) => Err(format!("`{c}` is not closed")),
        (None, Some(c)) if c != '\u{1}' => Err(format!("`{c}` is not closed")),
        _ => Ok(()),
    }
}
