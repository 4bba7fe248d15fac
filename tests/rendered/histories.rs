//! Random histories: what `lofting check --since` and `lofting impact` call new is what a check of both states shows to be
//! new. Both check less than everything; this is the other way to the same answer. With findings that are kept from one run
//! to the next, the answers are the same as without.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use lofting_tests::history::History;
use serde_json::Value;

use lofting_tests::made_up::dice::Dice;
use lofting_tests::made_up::files::Files;

/// The texts of a folder by path.
type Folder = BTreeMap<String, String>;

/// How many histories are tried.
const HISTORIES: u64 = 40;
/// How many of them with findings that are kept.
const KEPT: u64 = 12;

/// Several input sets, which share nothing, one of which has values files of its own; and values with a JSON Schema.
fn folder(number: u64) -> Folder {
    let mut folder = Folder::new();
    let mut sets = String::new();
    for set in 0..3 {
        for (path, text) in Files::new(number * 3 + set).list {
            folder.insert(format!("s{set}/{path}"), text);
        }
        sets += &format!(
            "[sets.s{set}]\nfiles = [\"s{set}/config\"]\nvalues = [\"s{set}/*.values\", \"s{set}/more/*.yml\"]\n"
        );
    }
    for (name, text) in [("a", "name: web\n"), ("b", "port: 80\nunknown: 1\n"), ("c", "db:\n  x: 1\n")] {
        folder.insert(format!("s0/more/{name}.yml"), text.to_owned());
    }
    if number.is_multiple_of(2) {
        sets += "[schemas]\n\"plain/*.yml\" = \"plain.schema.json\"\n";
        folder.insert(
            "plain.schema.json".to_owned(),
            "{\"properties\": {\"port\": {\"type\": \"integer\"}}}\n".to_owned(),
        );
        folder.insert("plain/one.yml".to_owned(), "port: 80\n".to_owned());
        folder.insert("plain/two.yml".to_owned(), "port: x\n".to_owned());
    }
    folder.insert("lofting.toml".to_owned(), sets);
    folder
}

/// A later state: of values alone in every second history, which is when only few files are checked.
fn later(old: &Folder, number: u64) -> Folder {
    let mut dice = Dice::new(number + 1_000);
    let other = folder(number + 500);
    let mut new = old.clone();
    for _ in 0..1 + dice.below(3) {
        let is_chosen =
            |path: &&String| number.is_multiple_of(2) || path.contains("/more/") || path.ends_with(".values");
        let paths: Vec<String> = new.keys().filter(is_chosen).cloned().collect();
        if paths.is_empty() {
            break;
        }
        let path = dice.pick(&paths).clone();
        let text = new.get(&path).cloned().unwrap_or_default();
        match dice.below(6) {
            0 => drop(new.remove(&path)),
            1 => drop(new.insert(path.clone(), other.get(&path).cloned().unwrap_or(text))),
            2 => drop(new.insert(path, format!("{text}port: x\n"))),
            3 => drop(new.insert(path, text.replace("80", "x").replace("web", "3"))),
            4 => {
                let mut lines: Vec<&str> = text.lines().collect();
                if !lines.is_empty() {
                    lines.remove(dice.below(lines.len()));
                }
                drop(new.insert(path, lines.iter().map(|line| format!("{line}\n")).collect()));
            }
            _ => drop(new.insert(format!("s{}/more/new.yml", dice.below(3)), "port: x\nnmae: a\n".to_owned())),
        }
    }
    new
}

fn write(root: &Path, folder: &Folder) {
    for (path, text) in folder {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().expect("it has one")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }
}

fn answer(root: &Path, arguments: &[&str]) -> Value {
    printed(root, arguments).0
}

/// What is on standard output, and what is on standard error with the exit code.
fn printed(root: &Path, arguments: &[&str]) -> (Value, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_lofting"));
    program.current_dir(root).args(arguments).args(["--format", "json"]);
    let output = program.output().expect("it runs");
    let errors = format!("{} {}", output.status, String::from_utf8_lossy(&output.stderr));
    (serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{arguments:?}: {errors}")), errors)
}

/// The beginning of an answer.
fn cut((answer, errors): &(Value, String)) -> String {
    format!("{errors}: {answer}").chars().take(2_000).collect()
}

/// Whether a command that keeps findings says what it says without, the first time and later.
fn is_same_with(cache: &str, root: &Path, arguments: &[&str], name: &str) {
    let expected = printed(root, arguments);
    for time in ["first", "second"] {
        let kept = printed(root, &[arguments, &["--cache", cache]].concat());
        assert!(kept == expected, "{name}: {arguments:?}, the {time} time:\n{}\n{}", cut(&kept), cut(&expected));
    }
}

/// How often each file has a finding of a rule at a place, or with a text where there is none.
fn findings<'v>(found: impl Iterator<Item = &'v Value>) -> BTreeMap<String, usize> {
    let mut times = BTreeMap::new();
    for finding in found {
        let place = finding["path"].as_str().or(finding["message"].as_str()).unwrap_or_default();
        let name = format!("{} {} {place}", finding["file"], finding["code"]).replace('"', "");
        *times.entry(name).or_default() += 1;
    }
    times
}

fn of_check(answer: &Value) -> BTreeMap<String, usize> {
    findings(answer["diagnostics"].as_array().into_iter().flatten())
}

#[test]
fn what_is_new_since_a_revision_is_what_two_checks_show() {
    let (mut with_news, mut without) = (0, 0);
    for number in 0..HISTORIES {
        let before = folder(number);
        let after = later(&before, number);
        let [old, new] = [(); 2].map(|()| tempfile::tempdir().expect("a directory"));
        write(old.path(), &before);
        // The history is that of the folder that the later state is in.
        write(new.path(), &before);
        History::at(new.path()).commit_all("main");
        before.keys().for_each(|path| std::fs::remove_file(new.path().join(path)).expect("it was written"));
        write(new.path(), &after);
        let (known, all) =
            (of_check(&answer(old.path(), &["check", "."])), of_check(&answer(new.path(), &["check", "."])));
        let mut expected = all;
        for (name, times) in &known {
            if let Some(left) = expected.get_mut(name) {
                *left = left.saturating_sub(*times);
            }
        }
        expected.retain(|_, times| *times > 0);
        let since = of_check(&answer(new.path(), &["check", "--since", "HEAD", "."]));
        assert_eq!(since, expected, "history {number}: check --since");
        let impact = answer(new.path(), &["impact", "--against", "HEAD"]);
        let causes = impact["causes"].as_array().into_iter().flatten();
        let impact = findings(causes.flat_map(|cause| cause["findings"].as_array().into_iter().flatten()));
        assert_eq!(impact, expected, "history {number}: impact");
        if expected.is_empty() { without += 1 } else { with_news += 1 }
    }
    assert!(with_news > 10 && without > 3, "{with_news} histories with news, {without} without");
}

/// A folder goes from one state to others and back, and findings of all of them are kept in one place.
#[test]
fn what_is_kept_changes_no_answer() {
    for number in 0..KEPT {
        let [root, cache] = [(); 2].map(|()| tempfile::tempdir().expect("a directory"));
        let cache = cache.path().to_str().expect("a text");
        let before = folder(number);
        write(root.path(), &before);
        History::at(root.path()).commit_all("main");
        let mut states = vec![before.clone()];
        for step in 0..3 {
            states.push(later(&states[states.len() - 1], number + step * 7));
        }
        states.push(before);
        let mut there = states[0].clone();
        for (index, state) in states.iter().enumerate() {
            there.keys().for_each(|path| std::fs::remove_file(root.path().join(path)).expect("it was written"));
            write(root.path(), state);
            there.clone_from(state);
            let name = format!("history {number}, state {index}");
            for arguments in [&["check", "."][..], &["check", "--since", "HEAD", "."], &["impact", "--against", "HEAD"]]
            {
                is_same_with(cache, root.path(), arguments, &name);
            }
        }
    }
}
