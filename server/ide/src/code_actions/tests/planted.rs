//! Plants mistakes in correct documents and applies the first fix: one mistake is one finding, and its first fix restores
//! the text.

use super::applied;
use crate::code_actions::{Abilities, ActionsAsked, Changes, code_actions};
use crate::fixture::open;
use lofting_document::FileId;
use lofting_workspace::{CancelFlag, Settings, Snapshot, Workspace};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A line `key: value`, perhaps of an item.
struct Line<'t> {
    /// The offset of the key in the text.
    at: usize,
    /// What is before the key: blanks and dashes.
    lead: &'t str,
    key: &'t str,
    /// The value on the line; empty if it is below.
    value: &'t str,
}

/// The lines with keys outside comments and texts.
fn lines(text: &str) -> Vec<Line<'_>> {
    let mut found = Vec::new();
    let (mut start, mut literal) = (0, None);
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let indent = content.len() - content.trim_start_matches(' ').len();
        let is_text = literal.is_some_and(|above| indent > above || content.trim().is_empty());
        if !is_text {
            literal = content.ends_with(['|', '>', '-', '+']).then_some(indent).filter(|_| content.contains(": "));
            let lead = content.len() - content.trim_start_matches([' ', '-']).len();
            let (blanks, rest) = content.split_at(lead);
            let split = rest.split_once(": ").or_else(|| rest.strip_suffix(':').map(|key| (key, "")));
            if let Some((key, value)) = split {
                let is_word =
                    !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
                if is_word && !content.contains(['#', '&', '*', '{', '\t']) && !blanks.contains("--") {
                    found.push(Line { at: start + lead, lead: blanks, key, value });
                }
            }
        }
        start += line.len();
    }
    found
}

/// A word with two neighbouring letters swapped.
fn swapped(word: &str) -> Option<String> {
    let mut letters: Vec<char> = word.chars().collect();
    let middle = letters.len() / 2;
    (letters.len() >= 4 && letters[middle - 1] != letters[middle]).then(|| {
        letters.swap(middle - 1, middle);
        letters.into_iter().collect()
    })
}

fn other_case(word: &str) -> Option<String> {
    let first = word.chars().next().filter(char::is_ascii_alphabetic)?;
    let other = if first.is_ascii_lowercase() { first.to_ascii_uppercase() } else { first.to_ascii_lowercase() };
    Some(format!("{other}{}", word.get(1..)?))
}

/// A kind of mistake, and how it is planted in a line: the line's new text from the key on, or from its start.
type Kind = (&'static str, fn(&Line<'_>) -> Option<String>);

fn is_word(value: &str) -> bool {
    !value.is_empty() && value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

const KINDS: &[Kind] = &[
    ("typo in a key", |line| Some(format!("{}: {}", swapped(line.key)?, line.value))),
    ("case of a key", |line| Some(format!("{}: {}", other_case(line.key)?, line.value))),
    ("missing letter in a key", |line| (line.key.len() > 3).then(|| format!("{}: {}", &line.key[1..], line.value))),
    ("typo in a value", |line| {
        is_word(line.value).then(|| Some(format!("{}: {}", line.key, swapped(line.value)?))).flatten()
    }),
    ("case of a value", |line| {
        is_word(line.value).then(|| Some(format!("{}: {}", line.key, other_case(line.value)?))).flatten()
    }),
    ("quoted number", |line| line.value.parse::<i64>().ok().map(|number| format!("{}: \"{number}\"", line.key))),
    ("unquoted number", |line| {
        let number = line.value.strip_prefix('"')?.strip_suffix('"')?;
        number.parse::<f64>().ok().map(|_| format!("{}: {number}", line.key))
    }),
    ("word for a boolean", |line| match line.value {
        "true" => Some(format!("{}: yes", line.key)),
        "false" => Some(format!("{}: off", line.key)),
        _ => None,
    }),
    ("quoted boolean", |line| {
        matches!(line.value, "true" | "false").then(|| format!("{}: \"{}\"", line.key, line.value))
    }),
    ("list for a scalar", |line| is_word(line.value).then(|| format!("{}: [{}]", line.key, line.value))),
    ("extra key", |line| {
        let indent = " ".repeat(line.lead.len());
        is_word(line.value).then(|| format!("{}: {}\n{indent}quuxzzz: 1", line.key, line.value))
    }),
    ("repeated key", |line| {
        let indent = " ".repeat(line.lead.len());
        is_word(line.value).then(|| format!("{0}: {1}\n{indent}{0}: {1}", line.key, line.value))
    }),
    ("missing space", |line| is_word(line.value).then(|| format!("{}:{}", line.key, line.value))),
    ("missing colon", |line| is_word(line.value).then(|| format!("{} {}", line.key, line.value))),
    ("unclosed quote", |line| {
        let inner = line.value.strip_prefix('"')?.strip_suffix('"')?;
        Some(format!("{}: \"{inner}", line.key))
    }),
    ("list below a scalar", |line| {
        let indent = " ".repeat(line.lead.len() + 2);
        is_word(line.value).then(|| format!("{}:\n{indent}- {}", line.key, line.value))
    }),
    ("tab", |line| {
        let tabbed = line.lead.strip_prefix("  ").filter(|rest| rest.trim().is_empty())?;
        Some(format!("\u{0}\t{tabbed}{}: {}", line.key, line.value))
    }),
    ("doubled colon", |line| is_word(line.value).then(|| format!("{}:: {}", line.key, line.value))),
    ("equals sign", |line| is_word(line.value).then(|| format!("{}= {}", line.key, line.value))),
    ("stray bracket", |line| is_word(line.value).then(|| format!("{}: {}]", line.key, line.value))),
    ("stray quote", |line| is_word(line.value).then(|| format!("{}: {}\"", line.key, line.value))),
    ("too shallow", |line| {
        let lead = line.lead.strip_prefix(' ')?;
        is_word(line.value).then(|| format!("\u{0}{lead}{}: {}", line.key, line.value))
    }),
    ("two deeper", |line| is_word(line.value).then(|| format!("\u{0}  {}{}: {}", line.lead, line.key, line.value))),
    ("no value", |line| is_word(line.value).then(|| format!("{}:", line.key))),
    ("too deep", |line| is_word(line.value).then(|| format!("\u{0} {}{}: {}", line.lead, line.key, line.value))),
];

/// Plants a mistake of a kind in a line.
fn planted(text: &str, line: &Line<'_>, kind: Kind) -> Option<String> {
    let new = (kind.1)(line)?;
    let end = line.at + text[line.at..].find('\n').unwrap_or(text.len() - line.at);
    let (start, new) = match new.strip_prefix('\u{0}') {
        Some(whole) => (line.at - line.lead.len(), whole),
        None => (line.at, new.as_str()),
    };
    Some(format!("{}{}{}", &text[..start], new.trim_end_matches(' '), &text[end..]))
}

/// What came of the mistakes of one kind.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Outcome {
    planted: usize,
    found: usize,
    alone: usize,
    restored: usize,
}

type Outcomes = BTreeMap<&'static str, Outcome>;

/// How many mistakes of a kind are planted in one document.
const EACH: usize = 2;

fn try_document(snapshot: &Snapshot, file: FileId, outcomes: &mut Outcomes, shown: &mut Vec<String>) {
    let text = snapshot.text(file).to_string();
    let lines = lines(&text);
    for kind in KINDS {
        let all = lines.iter().filter_map(|line| Some((line, planted(&text, line, *kind)?)));
        let all: Vec<_> = all.filter(|(_, planted)| *planted != text).collect();
        let step = (all.len() / EACH).max(1);
        for (line, planted) in all.into_iter().step_by(step).take(EACH) {
            let outcome = outcomes.entry(kind.0).or_default();
            outcome.planted += 1;
            let wrong = snapshot.with_text(file, &planted);
            let findings = wrong.diagnostics(file, &CancelFlag::new());
            let Some(first) = findings.first() else {
                shown.push(format!(
                    "NOT FOUND {} in {} `{}: {}`",
                    kind.0,
                    snapshot.shown_path(file),
                    line.key,
                    line.value
                ));
                continue;
            };
            outcome.found += 1;
            outcome.alone += usize::from(findings.len() == 1);
            let (kinds, abilities) = (&["quickfix"][..], Abilities { creates_files: true });
            let asked = ActionsAsked { kinds, abilities, changes: Changes::All, unasked: false };
            let found = code_actions(&wrong, file, first.marked().range(), &asked, &CancelFlag::new());
            let change = found.first().and_then(|action| action.change.as_ref());
            let after = change.map(|change| applied(&wrong, change).text(file).to_string());
            let is_restored = after.as_deref() == Some(text.as_str());
            outcome.restored += usize::from(is_restored);
            if !is_restored || findings.len() != 1 {
                let title = found.first().map_or("nothing", |action| action.name.title.as_str());
                let reported: Vec<String> =
                    findings.iter().take(3).map(|it| format!("{}: {}", it.code(), it.message)).collect();
                let path = snapshot.shown_path(file);
                shown.push(format!("{} in {path} `{}: {}`: {title}; {reported:?}", kind.0, line.key, line.value));
            }
        }
    }
}

fn report(name: &str, outcomes: &Outcomes) -> Outcome {
    let mut all = Outcome::default();
    let mut text = String::new();
    for (kind, outcome) in outcomes {
        all.planted += outcome.planted;
        all.found += outcome.found;
        all.alone += outcome.alone;
        all.restored += outcome.restored;
        text += &format!("{kind:24} {outcome:?}\n");
    }
    writeln(&format!("{name}\n{text}{all:?}"));
    all
}

/// Test output, which is only shown when asked for.
#[allow(clippy::print_stdout, reason = "the figures are what the test is for")]
fn writeln(text: &str) {
    println!("{text}");
}

/// The correct documents of each language.
const DOCUMENTS: &[&str] =
    &[include_str!("planted/json_schema.yml"), include_str!("planted/ytt.yml"), include_str!("planted/crd.yml")];

#[test]
fn one_mistake_is_one_finding_whose_first_fix_restores_the_text() {
    let (mut outcomes, mut shown) = (Outcomes::new(), Vec::new());
    for document in DOCUMENTS {
        let fixture = open(document);
        let before = fixture.snapshot.diagnostics(fixture.file, &CancelFlag::new());
        assert!(before.is_empty(), "{before:#?}");
        try_document(&fixture.snapshot, fixture.file, &mut outcomes, &mut shown);
    }
    let all = report("own documents", &outcomes);
    shown.iter().for_each(|line| writeln(line));
    let reported = shown.join("\n");
    assert!(all.found >= 60, "only {} mistakes were found:\n{reported}", all.found);
    assert!(all.alone * 100 >= all.found * 90, "{all:?}:\n{reported}");
    assert!(all.restored * 100 >= all.found * 70, "{all:?}:\n{reported}");
}

/// Plants mistakes in real documents. A sample is enough to show a kind of mistake that is not understood.
#[test]
fn mistakes_in_real_documents() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance/schemastore");
    let Ok(folders) = std::fs::read_dir(root.join("valid")) else {
        return writeln("skipped: not present");
    };
    let mut folders: Vec<PathBuf> = folders.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    let (mut outcomes, mut shown) = (Outcomes::new(), Vec::new());
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(schema) = std::fs::read_to_string(root.join(format!("schemas/{name}.json"))) else { continue };
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|it| it.path()).collect();
        files.sort();
        for path in files.iter().take(1) {
            let Ok(text) = std::fs::read_to_string(path) else { continue };
            if text.len() > 20_000 || schema.len() > 400_000 {
                continue;
            }
            let root = PathBuf::from("/lofting-ide-planted");
            let mut workspace = Workspace::new(vec![root.clone()], Settings::default());
            workspace.open(&root.join("schema.json"), 1, &schema);
            let text = format!("# yaml-language-server: $schema=schema.json\n{text}");
            let file = workspace.open(&root.join(format!("{name}.yaml")), 1, &text);
            let snapshot = workspace.snapshot();
            if snapshot.diagnostics(file, &CancelFlag::new()).is_empty() {
                try_document(&snapshot, file, &mut outcomes, &mut shown);
            }
        }
    }
    let all = report("real documents", &outcomes);
    shown.iter().for_each(|line| writeln(line));
    // A missing value cannot be restored.
    assert!(all.restored * 100 >= all.found * 85, "{all:?}");
}
