//! A set says the same in every form: its flags, and a `lofting.toml` that names it.

use crate::case::Case;
use crate::judge;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// ytt's flags with a value, and the lists of a set that mean the same.
const LISTS: [(&str, &str); 9] = [
    ("-f", "files"),
    ("--data-values-file", "values"),
    ("--data-value", "data-values"),
    ("--data-value-yaml", "data-values-yaml"),
    ("--data-value-file", "data-value-files"),
    ("--data-values-env", "data-values-env"),
    ("--data-values-env-yaml", "data-values-env-yaml"),
    ("--file-mark", "file-marks"),
    ("-v", "data-values"),
];

/// The switches of a set are flags of the same names.
const SWITCHES: [&str; 4] =
    ["ignore-unknown-comments", "implicit-map-key-overrides", "strict", "dangerous-data-values-disable-validation"];

/// What is found: the exit code, and each error with its file and line.
type Verdict = (Option<i32>, BTreeSet<String>);

/// How the forms of a case differ; None if they do not, or if it has only one.
pub fn difference(program: &Path, case: &Case) -> Option<String> {
    let set = described(&case.input())?;
    let mut words = vec!["check", "--format", "json"];
    if case.renders() {
        words.push("--render");
    }
    let flags = judge::run(program, case, &words);
    let (code, flags) = verdict(flags.code, &flags.out)?;
    let folder = tempfile::tempdir().expect("a folder");
    copy(&case.folder, folder.path());
    for name in ["case.json", "expected.json"] {
        std::fs::remove_file(folder.path().join(name)).expect("a copy");
    }
    std::fs::write(folder.path().join("lofting.toml"), set).expect("a writable folder");
    let output = Command::new(program)
        .args(words)
        .args(["--trust", "."])
        .envs(case.environment())
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    let named = verdict(output.status.code(), &String::from_utf8_lossy(&output.stdout));
    let Some((named_code, named)) = named else { return Some(String::from_utf8_lossy(&output.stderr).into_owned()) };
    if (code, &flags) == (named_code, &named) {
        return None;
    }
    let mut said = format!("exit codes {code:?} and {named_code:?}");
    for (form, more) in [("by flags", flags.difference(&named)), ("as a set", named.difference(&flags))] {
        for finding in more {
            let _ = write!(said, "\n    only {form}: {finding}");
        }
    }
    Some(said)
}

/// The set as a `lofting.toml`; None if some flag is not part of a set.
fn described(words: &[String]) -> Option<String> {
    let mut lists: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    let mut switches: BTreeSet<&str> = BTreeSet::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if let Some(switch) = word.strip_prefix("--").and_then(|name| SWITCHES.iter().find(|switch| **switch == name)) {
            switches.insert(switch);
            continue;
        }
        let (flag, value) = match word.split_once('=') {
            Some((flag, value)) => (flag, value.to_owned()),
            None => (word.as_str(), words.next()?.clone()),
        };
        let (_, list) = LISTS.iter().find(|(known, _)| *known == flag)?;
        lists.entry(list).or_default().push(value.into());
    }
    let mut set = String::from("[sets.x]\n");
    for (list, values) in lists {
        let _ = writeln!(set, "{list} = {}", Value::Array(values));
    }
    for switch in switches {
        let _ = writeln!(set, "{switch} = true");
    }
    Some(set)
}

fn verdict(code: Option<i32>, report: &str) -> Option<Verdict> {
    let report: Value = serde_json::from_str(report).ok()?;
    let errors = report["diagnostics"].as_array()?.iter().filter(|finding| finding["severity"] == "error");
    let shown = |finding: &Value| {
        let (file, code) = (finding["file"].as_str().unwrap_or_default(), finding["code"].as_str().unwrap_or_default());
        // A set has its flags in its `lofting.toml`.
        if file.starts_with('(') || file == "lofting.toml" {
            format!("{code} in a flag")
        } else {
            format!("{code} at {file}:{}", finding["range"]["start"]["line"])
        }
    };
    Some((code, errors.map(shown).collect()))
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("a readable folder").flatten() {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            std::fs::create_dir(&to).expect("a writable folder");
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).expect("a readable file");
        }
    }
}
