//! The lists of what holds. They may only grow.

use crate::judge::{ASPECTS, Judgement};
use std::collections::BTreeMap;
use std::path::Path;

/// Compares with the list at `path`, or rewrites it if asked to.
pub fn compare(path: &Path, judged: &BTreeMap<String, Judgement>) {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let listed = read(&text);
    let mut worse = Vec::new();
    let mut better = Vec::new();
    for (name, judgement) in judged {
        let wanted = listed.get(name.as_str()).map(Vec::as_slice).unwrap_or_default();
        for (aspect, holds) in &judgement.aspects {
            match (wanted.contains(aspect), holds) {
                (true, false) => worse.push(format!("{name} {aspect}\n    {}", judgement.notes.join("\n    "))),
                (false, true) => better.push(format!("{name} {aspect}")),
                _ => {}
            }
        }
    }
    let gone = listed.keys().filter(|name| !judged.contains_key(**name));
    worse.extend(gone.map(|name| format!("{name}: there is no such case any more")));
    if std::env::var_os("LOFTING_UPDATE").is_some() {
        std::fs::write(path, write(judged)).expect("a writable list");
    } else if !better.is_empty() {
        worse.push(format!(
            "{} aspects hold and are not listed; run the test with LOFTING_UPDATE=1 to list them:\n{}",
            better.len(),
            better.join("\n")
        ));
    }
    assert!(worse.is_empty(), "{}\n{} problems with {}", worse.join("\n"), worse.len(), path.display());
}

/// Compares how many cases hold each aspect, for cases that are not part of this repository. An aspect
/// that no case has is not listed.
pub fn compare_counts(path: &Path, judged: &BTreeMap<String, Judgement>) {
    let count = |aspect: &str| judged.values().filter(|judgement| judgement.aspects.get(aspect) == Some(&true)).count();
    let counts = ASPECTS.iter().map(|aspect| (aspect, count(aspect))).filter(|(_, count)| *count > 0);
    let now: String = counts.map(|(aspect, count)| format!("{aspect} {count}\n")).collect();
    if std::env::var_os("LOFTING_UPDATE").is_some() {
        std::fs::write(path, &now).expect("a writable list");
    }
    let listed = std::fs::read_to_string(path).unwrap_or_default();
    let notes: Vec<String> = judged
        .iter()
        .filter(|(_, judgement)| !judgement.passed())
        .map(|(name, judgement)| format!("{name}\n    {}", judgement.notes.join("\n    ")))
        .collect();
    assert_eq!(now, listed, "numbers may only grow, and LOFTING_UPDATE=1 lists them\n{}", notes.join("\n"));
}

fn read(text: &str) -> BTreeMap<&str, Vec<&str>> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?, words.collect()))
        })
        .collect()
}

fn write(judged: &BTreeMap<String, Judgement>) -> String {
    let mut text = String::from("# What holds, by case. May only grow; LOFTING_UPDATE=1 rewrites it.\n");
    for (name, judgement) in judged {
        let held: Vec<&str> =
            ASPECTS.iter().filter(|aspect| judgement.aspects.get(**aspect) == Some(&true)).copied().collect();
        if !held.is_empty() {
            text.push_str(&format!("{name} {}\n", held.join(" ")));
        }
    }
    text
}
