//! A thousand files with a mistake each, repaired by the fixes that are certain: most of them are as they were before, and
//! none is worse.
//!
//! The files are those of `examples/`, without the mistakes that some of them show on purpose. `LOFTING_MUTATIONS=20000` makes more
//! mistakes, and prints what becomes of each kind.

#![allow(clippy::print_stdout)]

mod mutations;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lofting::{Certainty, Finding, FixChoice, Snapshot, Workspace};
use mutations::{Dice, KINDS, Mutation};

/// How many mistakes are made that are found.
const FILES: usize = 1_000;

/// How often an agent applies fixes and looks again.
const ROUNDS: usize = 10;

/// A file without mistakes that certain fixes repair, and the folder of its workspace.
struct Sound {
    /// The mistakes that it has on purpose.
    known: usize,
    folder: usize,
    name: String,
    text: String,
}

/// What became of the mistakes of a kind.
#[derive(Default, Debug)]
struct Tally {
    found: usize,
    restored: usize,
    /// Nothing is found any more, but the text has changed.
    clean: usize,
    worse: usize,
    unnoticed: usize,
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// The YAML files below a folder.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            match entry.path() {
                path if path.is_dir() => open.push(path),
                path if path.extension().is_some_and(|ending| ending == "yml" || ending == "yaml") => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

fn text_of(workspace: &mut Workspace<'_>, name: &str, text: &str) -> Snapshot {
    workspace.edit(name, text).expect("the name is in the folder");
    workspace.snapshot(name).expect("it was just edited")
}

/// Mistakes, not remarks.
fn mistakes(snapshot: &Snapshot) -> usize {
    snapshot.findings().iter().filter(|finding| finding.severity >= lofting::Severity::Warning).count()
}

fn is_read(snapshot: &Snapshot) -> bool {
    !snapshot.findings().iter().any(|finding| finding.code.starts_with("yaml/"))
}

/// Applies the certain fixes of the findings as a program does that reads them as JSON: those that do not overlap at
/// once, then looks again.
fn repaired(workspace: &mut Workspace<'_>, name: &str, mutated: &str) -> String {
    let mut text = mutated.to_owned();
    for _ in 0..ROUNDS {
        let snapshot = text_of(workspace, name, &text);
        let findings: Vec<Finding> = snapshot.findings();
        let fixes = findings.iter().flat_map(|finding| finding.fixes.first());
        let certain = fixes.filter(|fix| fix.certainty == Certainty::Sure);
        let mut edits: Vec<(usize, usize, String)> = Vec::new();
        for fix in certain.filter(|fix| fix.edits.iter().all(|edit| edit.file == name)) {
            let own = fix.edits.iter().map(|edit| (edit.range.start.byte, edit.range.end.byte, edit.text.clone()));
            let own: Vec<_> = own.collect();
            let overlaps =
                |(start, end, _): &(usize, usize, String)| edits.iter().any(|(from, to, _)| from <= end && start <= to);
            if !own.iter().any(overlaps) {
                edits.extend(own);
            }
        }
        if edits.is_empty() {
            return text;
        }
        edits.sort();
        for (start, end, new) in edits.into_iter().rev() {
            text.replace_range(start..end, &new);
        }
    }
    text
}

/// The files of the examples that a schema governs, with the fixes of the mistakes that some show on purpose.
fn sound_files(workspaces: &mut [(PathBuf, Workspace<'static>)]) -> Vec<Sound> {
    let mut found = Vec::new();
    for (folder, (root, workspace)) in workspaces.iter_mut().enumerate() {
        for path in files_below(root) {
            let name = path.strip_prefix(&*root).expect("below").to_string_lossy().into_owned();
            let Ok(snapshot) = workspace.snapshot(&name) else { continue };
            let choice = FixChoice { certainty: Certainty::Likely, only: Vec::new() };
            let text = snapshot.fix(&choice).map_or_else(|| snapshot.text(), |fixed| fixed.after);
            let now = text_of(workspace, &name, &text);
            let governing = now.explain();
            // Schemas are not governed by themselves.
            let is_own = governing.schemas.iter().any(|schema| schema.files.contains(&name));
            let is_governed = !is_own && (!governing.schemas.is_empty() || !governing.parts.is_empty());
            let known = mistakes(&now);
            if is_governed && is_read(&now) && repaired(workspace, &name, &text) == text {
                found.push(Sound { folder, name, text, known });
            }
        }
        workspace.refresh();
    }
    found
}

#[test]
fn certain_fixes_restore_most_files_and_make_none_worse() {
    let asked: usize = std::env::var("LOFTING_MUTATIONS").ok().and_then(|number| number.parse().ok()).unwrap_or(FILES);
    let folders = std::fs::read_dir(examples()).expect("examples").flatten().map(|entry| entry.path());
    let mut folders: Vec<PathBuf> = folders.filter(|path| path.is_dir()).collect();
    folders.sort();
    let mut workspaces: Vec<(PathBuf, Workspace<'static>)> =
        folders.into_iter().map(|folder| (folder.clone(), Workspace::open(&folder))).collect();
    let sound = sound_files(&mut workspaces);
    assert!(sound.len() >= 10, "{} sound files", sound.len());
    println!("{} files", sound.len());
    let mut dice = Dice::new(25);
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let (mut found, mut tries) = (0, 0);
    let mut examples: Vec<String> = Vec::new();
    while found < asked {
        tries += 1;
        assert!(tries < 50 * asked, "the files do not admit so many mistakes: {tallies:?}");
        let file = dice.of(&sound);
        let kind = &KINDS[found % KINDS.len()];
        let Some(Mutation { text: mutated }) = (kind.make)(&file.text, &mut dice) else { continue };
        let (_, workspace) = &mut workspaces[file.folder];
        let before = text_of(workspace, &file.name, &mutated);
        let tally = tallies.entry(kind.name).or_default();
        let (number, was_read) = (mistakes(&before), is_read(&before));
        if number <= file.known {
            tally.unnoticed += 1;
            workspace.edit(&file.name, &file.text).expect("the name is in the folder");
            continue;
        }
        found += 1;
        tally.found += 1;
        let after = repaired(workspace, &file.name, &mutated);
        let now = text_of(workspace, &file.name, &after);
        let is_worse = mistakes(&now) > number || (was_read && !is_read(&now));
        tally.restored += usize::from(after == file.text);
        tally.clean += usize::from(after != file.text && mistakes(&now) <= file.known);
        tally.worse += usize::from(is_worse);
        workspace.edit(&file.name, &file.text).expect("the name is in the folder");
        if is_worse || (std::env::var("LOFTING_MUTATIONS").is_ok() && after != file.text) {
            let is_changed = |(a, b): &(&str, &str)| a != b;
            let change = file.text.lines().zip(mutated.lines()).find(is_changed);
            let codes: Vec<String> = before
                .findings()
                .iter()
                .map(|finding| {
                    let fix = finding.fixes.first().map(|fix| format!("{:?} {}", fix.certainty, fix.title));
                    format!("{} [{}]", finding.code, fix.unwrap_or_default())
                })
                .collect();
            examples.push(format!("{} {}: {change:?}: {codes:?} worse: {is_worse}", kind.name, file.name));
        }
    }
    let sum = |of: fn(&Tally) -> usize| tallies.values().map(of).sum::<usize>();
    let (restored, worse) = (sum(|tally| tally.restored), sum(|tally| tally.worse));
    println!("{found} files with a mistake, {restored} restored, {worse} worse");
    for (kind, tally) in &tallies {
        println!("{kind}: {tally:?}");
    }
    examples.sort_by_key(|example| !example.ends_with("worse: true"));
    for example in examples.iter().take(if asked == FILES { 20 } else { 200 }) {
        println!("{example}");
    }
    assert_eq!(worse, 0, "files that are worse after certain fixes");
    assert!(restored * 100 >= found * 60, "{restored} of {found} files are restored: {tallies:#?}");
}
