//! Applies every action offered anywhere in the cases of the repository, and in real files if present. A readable text
//! stays readable, sure and likely fixes fix their finding, and sure ones cause no other.

use super::fixed::{Found, found};
use super::{all_at, applied};
use lofting_diagnostic::Confidence;
use lofting_document::FileId;
use lofting_workspace::{CancelFlag, Settings, Snapshot, Workspace};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How many findings of a file are tried.
const FINDINGS: usize = 6;

/// The YAML files of each folder below `root`.
fn folders(root: &Path) -> Vec<Vec<PathBuf>> {
    let mut by_folder: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml") {
                by_folder.entry(folder.clone()).or_default().push(path);
            }
        }
    }
    by_folder.into_values().collect()
}

/// The files of a folder as a workspace of their own, all open.
fn opened(paths: &[PathBuf]) -> Snapshot {
    let root = PathBuf::from("/lofting-ide-files");
    let mut workspace = Workspace::new(vec![root.clone()], Settings::default());
    let mut paths = paths.to_vec();
    paths.sort();
    for path in paths {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        workspace.open(&root.join(path.file_name().unwrap_or_default()), 1, &text);
    }
    workspace.snapshot()
}

fn errors(snapshot: &Snapshot) -> usize {
    snapshot.files().map(|file| snapshot.tree(file).errors().len()).sum()
}

/// Applies the actions for the first findings of a file; returns how many there were.
fn apply_all(snapshot: &Snapshot, file: FileId, before: &Found, wrong: &mut Vec<String>) -> usize {
    let mut count = 0;
    let findings = snapshot.diagnostics(file, &CancelFlag::new());
    for finding in findings.iter().take(FINDINGS) {
        for action in all_at(snapshot, file, finding.span.range()) {
            let Some(change) = action.change.filter(|_| action.finding.as_ref() == Some(finding)) else { continue };
            count += 1;
            let (name, title) = (snapshot.shown_path(file), &action.name.title);
            let after = applied(snapshot, &change);
            let now = found(&after);
            let number = |found: &Found, key: &(String, String)| found.get(key).copied().unwrap_or(0);
            let own = (name.clone(), finding.code().into_owned());
            let reported = format!("{} {title}: {}", own.1, finding.message);
            let text = || after.text(file).slice(0..2_000).into_owned();
            if errors(&after) > errors(snapshot) {
                wrong.push(format!("{reported}: cannot be read any more:\n{}", text()));
            } else if action.confidence >= Confidence::Likely && number(&now, &own) >= number(before, &own) {
                wrong.push(format!("{reported}: is found all the same:\n{}", text()));
            } else if action.confidence == Confidence::Sure {
                let more: Vec<_> = now.iter().filter(|(key, count)| number(before, key) < **count).collect();
                if !more.is_empty() && finding.stage != lofting_check::Stage::Parse {
                    wrong.push(format!("{reported}: brings {more:?}:\n{}", text()));
                }
            }
        }
    }
    count
}

#[test]
fn whatever_is_offered_in_cases_and_real_files_can_be_applied() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let real = repository.join("../shared/conformance/real");
    let mut roots = vec![repository.join("tests/conformance"), repository.join("examples")];
    if real.is_dir() {
        roots.push(real)
    } else {
        eprintln!("skipped: no real files at {}", real.display())
    }
    let (mut wrong, mut count) = (Vec::new(), 0);
    for folder in roots.iter().flat_map(|root| folders(root)) {
        let snapshot = opened(&folder);
        let before = found(&snapshot);
        let mut files: Vec<FileId> = snapshot.files().collect();
        files.sort();
        for file in files {
            let mut here = Vec::new();
            count += apply_all(&snapshot, file, &before, &mut here);
            wrong.extend(here.into_iter().map(|wrong| format!("{}: {wrong}", folder[0].display())));
        }
    }
    assert!(count > 1_000, "only {count} actions were offered");
    assert!(wrong.is_empty(), "{} of {count} are wrong:\n{}", wrong.len(), wrong.join("\n---\n"));
}

/// How many lines of a file are tried for refactorings.
const PLACES: usize = 12;

/// Refactorings that convert a schema into another language.
const CONVERSIONS: [&str; 2] = ["other_form", "ytt_form"];

/// The values of all documents, without the order of keys, which one refactoring changes.
fn values(snapshot: &Snapshot, file: FileId) -> Vec<Vec<u8>> {
    let json = |document: &lofting_document::Document| {
        let mut bytes = lofting_document::write::to_json(&document.value).into_bytes();
        bytes.sort_unstable();
        bytes
    };
    snapshot.lowered(file).documents.iter().map(json).collect()
}

/// A refactoring must not change what the text means.
#[test]
fn refactorings_change_no_values() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let roots = ["tests/conformance/ytt", "examples", "../shared/conformance/real"].map(|root| repository.join(root));
    let (mut wrong, mut count) = (Vec::new(), 0);
    for folder in roots.iter().flat_map(|root| folders(root)) {
        let snapshot = opened(&folder);
        for file in snapshot.files() {
            let text = snapshot.text(file);
            let step = (text.line_count() / PLACES).max(1);
            for line in (0..text.line_count()).step_by(step) {
                let line = text.line_range(line);
                let content = text.slice(line.clone());
                let at = line.start + content.len() - content.trim_start_matches([' ', '-']).len();
                for action in all_at(&snapshot, file, at..at) {
                    let Some(change) =
                        action.change.filter(|change| action.finding.is_none() && change.is_only_in(file))
                    else {
                        continue;
                    };
                    count += 1;
                    let after = applied(&snapshot, &change);
                    let converts = CONVERSIONS.contains(&action.name.source.as_str());
                    let keeps_values = || converts || values(&after, file) == values(&snapshot, file);
                    if errors(&after) > errors(&snapshot) || !keeps_values() {
                        let text = after.text(file).slice(at.saturating_sub(500)..at + 500).into_owned();
                        wrong.push(format!("{}: {}: {content}\n{text}", folder[0].display(), action.name.title));
                    }
                }
            }
        }
    }
    assert!(count > 100, "only {count} were offered");
    assert!(wrong.is_empty(), "{} of {count} are wrong:\n{}", wrong.len(), wrong.join("\n---\n"));
}
