//! Whatever is offered anywhere in the cases of the repository, and in real files where they are at hand, is applied:
//! what was readable stays so, what is certain or likely mends its finding, and what is certain brings no other.

use super::mended::{Found, found};
use super::{all_at, applied};
use lofting_diagnostic::Confidence;
use lofting_document::FileId;
use lofting_workspace::{CancelFlag, Settings, Snapshot, Workspace};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Findings of one file that are looked at.
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

/// Applies what is offered for the first findings of a file. Gives how many actions that were.
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
            let told = format!("{} {title}: {}", own.1, finding.message);
            let text = || after.text(file).slice(0..2_000).into_owned();
            if errors(&after) > errors(snapshot) {
                wrong.push(format!("{told}: cannot be read any more:\n{}", text()));
            } else if action.confidence >= Confidence::Likely && number(&now, &own) >= number(before, &own) {
                wrong.push(format!("{told}: is found all the same:\n{}", text()));
            } else if action.confidence == Confidence::Sure {
                let more: Vec<_> = now.iter().filter(|(key, count)| number(before, key) < **count).collect();
                if !more.is_empty() && finding.stage != lofting_check::Stage::Parse {
                    wrong.push(format!("{told}: brings {more:?}:\n{}", text()));
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
    match real.is_dir() {
        true => roots.push(real),
        false => eprintln!("skipped: no real files at {}", real.display()),
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
