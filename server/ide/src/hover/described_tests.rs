//! Every described key of real JSON Schemas shows its description, whatever is beside it.

use super::hover;
use crate::markdown::Markup;
use lofting_workspace::{Settings, Workspace};
use serde_json::Value;
use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};

/// How many keys of one schema are tried.
const KEYS: usize = 40;
/// Larger schemas are left out, in bytes.
const SIZE: u64 = 600_000;
/// Deeper places are left out.
const DEPTH: usize = 5;

/// A step to a value in a document.
#[derive(Clone)]
enum Step {
    Key(String),
    Item,
}

/// A place in a document with the description of its key.
struct Described {
    path: Vec<Step>,
    text: String,
}

/// The letters and digits of a text, which no markup changes.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The described keys that are reached from a schema without a condition, each place of the schema once.
fn described(schema: &Value) -> Vec<Described> {
    let mut found = Vec::new();
    let mut seen: HashSet<*const Value> = HashSet::new();
    let mut open: VecDeque<(&Value, Vec<Step>)> = VecDeque::from([(schema, Vec::new())]);
    while let Some((node, path)) = open.pop_front() {
        if path.len() >= DEPTH || found.len() >= KEYS || !seen.insert(node) {
            continue;
        }
        if let Some(target) = node.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix('#')) {
            open.extend(schema.pointer(target).map(|target| (target, path.clone())));
        }
        for member in node.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            open.push_back((member, path.clone()));
        }
        for (key, below) in node.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let path: Vec<Step> = path.iter().cloned().chain([Step::Key(key.clone())]).collect();
            let is_word = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
            let is_word = is_word && !matches!(key.as_str(), "null" | "true" | "false" | "y" | "n" | "yes" | "no");
            let text = below.get("description").and_then(Value::as_str).map(letters).unwrap_or_default();
            if is_word && text.len() > 3 {
                let text = text.chars().take(30).collect();
                found.push(Described { path: path.clone(), text });
            }
            if is_word {
                open.push_back((below, path));
            }
        }
        if let Some(items) = node.get("items").filter(|items| items.is_object()) {
            open.push_back((items, path.into_iter().chain([Step::Item]).collect()));
        }
    }
    found.truncate(KEYS);
    found
}

/// A document that leads to a place, and the offset of the last key in it.
fn document(path: &[Step]) -> (String, usize) {
    let (mut text, mut column, mut at) = (String::from("---\n"), 0, 0);
    let mut is_dashed = false;
    for step in path {
        match step {
            Step::Key(key) => {
                if !is_dashed {
                    text.push_str(&" ".repeat(column));
                }
                at = text.len();
                text.push_str(&format!("{key}:\n"));
                (column, is_dashed) = (column + 2, false);
            }
            Step::Item => {
                if !is_dashed {
                    text.push_str(&" ".repeat(column));
                }
                text.push_str("- ");
                (column, is_dashed) = (column + 2, true);
            }
        }
    }
    (text, at)
}

/// The schemas to try: those of the folder in `LOFTING_SCHEMAS`, or of the real documents beside the repository.
fn schemas() -> Vec<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance/schemastore/schemas");
    let folder = std::env::var_os("LOFTING_SCHEMAS").map_or(beside, PathBuf::from);
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    found.retain(|path| std::fs::metadata(path).is_ok_and(|it| it.is_file() && it.len() <= SIZE));
    found.sort();
    found
}

#[test]
#[allow(clippy::print_stdout, reason = "the figures are what the test is for")]
fn every_described_key_shows_its_description() {
    let (mut asked, mut without) = (0, Vec::new());
    for path in schemas() {
        let Ok(schema) = std::fs::read_to_string(&path) else { continue };
        let Ok(value) = serde_json::from_str::<Value>(&schema) else { continue };
        let described = described(&value);
        let root = PathBuf::from("/lofting-ide-described");
        let mut workspace = Workspace::new(vec![root.clone()], Settings::default());
        workspace.open(&root.join("schema.json"), 1, &schema);
        let mut text = "# yaml-language-server: $schema=schema.json\n".to_owned();
        let mut offsets = Vec::new();
        for place in &described {
            let (document, at) = document(&place.path);
            offsets.push(text.len() + at);
            text.push_str(&document);
        }
        let file = workspace.open(&root.join("values.yaml"), 1, &text);
        let snapshot = workspace.snapshot();
        for (place, offset) in described.iter().zip(offsets) {
            asked += 1;
            let shown = hover(&snapshot, file, offset + 1, Markup::Markdown).map(|hover| hover.text.to_string());
            if !shown.as_deref().is_some_and(|shown| letters(shown).contains(&place.text)) {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let steps: Vec<&str> = place
                    .path
                    .iter()
                    .map(|step| match step {
                        Step::Key(key) => key.as_str(),
                        Step::Item => "[]",
                    })
                    .collect();
                without.push(format!("{name} {}: {} / {shown:?}", steps.join("."), place.text));
            }
        }
    }
    if asked == 0 {
        return println!("skipped: not present");
    }
    println!("{} of {asked} described keys show no description", without.len());
    without.iter().for_each(|line| println!("{line}"));
    assert!(without.len() * 1_000 <= asked * 5, "{} of {asked}", without.len());
}

#[test]
fn carriage_returns_in_a_description_are_line_breaks() {
    let root = PathBuf::from("/lofting-ide-described");
    for (breaks, want) in [("\\r", "First.\nSecond."), ("\\r\\n", "First.\nSecond."), ("\\r\\r", "First.\n\nSecond.")] {
        let mut workspace = Workspace::new(vec![root.clone()], Settings::default());
        let schema = format!(r#"{{"properties": {{"a": {{"description": "First.{breaks}Second."}}}}}}"#);
        workspace.open(&root.join("schema.json"), 1, &schema);
        let text = "# yaml-language-server: $schema=schema.json\na: 1\n";
        let file = workspace.open(&root.join("values.yaml"), 1, text);
        let shown =
            hover(&workspace.snapshot(), file, text.len() - 5, Markup::Plain).map(|hover| hover.text.to_string());
        assert!(shown.as_deref().is_some_and(|shown| shown.contains(want)), "{breaks}: {shown:?}");
    }
}
