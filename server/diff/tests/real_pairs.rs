//! Pairs of schema versions of public repositories, with what changed and whom it breaks. They belong to others and are
//! compared only where they are present: beside the repository, or where `LOFTING_SCHEMA_PAIRS` says.

use lofting_diff::{Language, compare};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// How many pairs are answered as expected, at least.
const EXPECTED: usize = 120;

fn pairs(below: &Path) -> Vec<PathBuf> {
    let folders = |of: &Path| std::fs::read_dir(of).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = folders(below).flat_map(|group| folders(&group).collect::<Vec<_>>()).collect();
    found.retain(|folder| folder.join("pair.json").exists());
    found.sort();
    found
}

/// What a change says: whom it breaks, by path and kind.
type Said = BTreeMap<(String, String), Vec<String>>;

/// What is missing, unexpected or wrong; and whether something was called safe that is not.
fn judge(folder: &Path) -> (Vec<String>, bool) {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a readable file");
    let pair: Value = serde_json::from_str(&read("pair.json")).expect("JSON");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let language = match pair["language"].as_str() {
        Some("ytt") => Language::Ytt,
        Some("json-schema") => Language::JsonSchema,
        Some("crd") => Language::Crd,
        _ => Language::OpenApi,
    };
    let (old, new) = (read(&text(&pair["old"])), read(&text(&pair["new"])));
    assert_eq!(Language::of(&new), Some(language), "{}", folder.display());
    let compared = match compare(language, &old, &new) {
        Ok(compared) => compared,
        Err(problem) => return (vec![format!("{problem:?}")], false),
    };
    let operation = pair["operation"].as_str();
    let mut got = Said::new();
    for change in &compared.changes {
        if operation.is_some() && change.part.operation.is_some() && change.part.operation.as_deref() != operation {
            continue;
        }
        let breaks = [("templates", change.breaks.templates), ("values", change.breaks.values)];
        let breaks = breaks.iter().filter(|(_, does)| *does).map(|(name, _)| (*name).to_owned()).collect();
        got.insert((change.path.to_string(), change.kind.name().to_owned()), breaks);
    }
    let mut wrong = Vec::new();
    let mut is_unsafe = false;
    let mut matched = BTreeSet::new();
    for change in pair["changes"].as_array().into_iter().flatten() {
        let kinds = std::iter::once(&change["kind"]).chain(change["kind_any"].as_array().into_iter().flatten());
        let path = text(&change["path"]);
        let found = kinds.map(text).find_map(|kind| got.get_key_value(&(path.clone(), kind)));
        let mut breaks: Vec<String> = change["breaks"].as_array().into_iter().flatten().map(text).collect();
        breaks.sort();
        match found {
            None => {
                let is_told = got.iter().any(|((at, _), said)| *at == path && said.contains(&"values".to_owned()));
                is_unsafe |= breaks.contains(&"values".to_owned()) && !is_told;
                wrong.push(format!("missed {} at {path}", change["kind"]));
            }
            Some((key, said)) if *said != breaks => {
                matched.insert(key.clone());
                is_unsafe |= breaks.contains(&"values".to_owned()) && !said.contains(&"values".to_owned());
                wrong.push(format!("{} at {path} breaks {said:?}, not {breaks:?}", change["kind"]));
            }
            Some((key, _)) => _ = matched.insert(key.clone()),
        }
    }
    wrong.extend(
        got.keys().filter(|key| !matched.contains(*key)).map(|(path, kind)| format!("unexpected {kind} at {path}")),
    );
    (wrong, is_unsafe)
}

#[test]
fn changes_of_real_schemas_are_told_as_expected() {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance/schema-diff");
    let root = std::env::var_os("LOFTING_SCHEMA_PAIRS").map_or_else(beside, PathBuf::from);
    let pairs = pairs(&root);
    if pairs.is_empty() {
        return;
    }
    let mut passed = 0;
    let mut told = Vec::new();
    for folder in &pairs {
        let (wrong, is_unsafe) = judge(folder);
        passed += usize::from(wrong.is_empty());
        if !wrong.is_empty() {
            let mark = if is_unsafe { "UNSAFE " } else { "" };
            told.push(format!("{mark}{}: {}", folder.display(), wrong.join("; ")));
        }
    }
    assert!(passed >= EXPECTED, "{passed} of {}\n{}", pairs.len(), told.join("\n"));
    let is_unsafe = told.iter().any(|line| line.starts_with("UNSAFE"));
    assert!(!is_unsafe, "{}", told.join("\n"));
}
