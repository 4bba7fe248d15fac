//! kapp-controller: the `ytt` steps of `App`, `Package`, `PackageBuild` and the like.

use super::yaml::{Lines, entry_key};
use super::{FoundCommand, InlineFile, MAX_COMMANDS};
use crate::inputs::{InputFlags, InputOptions};
use lofting_syntax::{Map, Value, ValueKind};

/// Bundles of packages keep their configuration one level down.
const BESIDE: [&str; 1] = ["bundle"];

/// Values visited in one file.
const MAX_VALUES: usize = 20_000;

pub(super) fn commands(text: &str) -> Vec<FoundCommand> {
    let tree = lofting_syntax::parse(text);
    let lines = Lines::of(text);
    let mut found = Vec::new();
    for document in tree.documents() {
        let Some(root) = document.root().and_then(|root| root.map()) else { continue };
        let kind = text_of(&root, "kind").unwrap_or_default();
        if !text_of(&root, "apiVersion").is_some_and(|version| is_carvel(&version)) {
            continue;
        }
        // `template` lists steps; its place depends on the kind.
        let mut open: Vec<Value<'_>> = root.entries().map(|entry| entry.value()).collect();
        let mut visited = 0;
        while let Some(value) = open.pop() {
            visited += 1;
            if visited > MAX_VALUES || found.len() >= MAX_COMMANDS {
                break;
            }
            if let Some(map) = value.map() {
                for entry in map.entries() {
                    match entry.value().map() {
                        Some(step) if entry_key(entry.key()) == "ytt" => {
                            found.extend(read_step(&step, &kind, text, lines.at(entry.range().start) + 1));
                        }
                        _ => open.push(entry.value()),
                    }
                }
            } else if let Some(seq) = value.seq() {
                open.extend(seq.items().map(|item| item.value()));
            }
        }
    }
    found.sort_by_key(|command| command.line);
    found
}

fn is_carvel(version: &str) -> bool {
    ["kappctrl.k14s.io/", "packaging.carvel.dev/", "data.packaging.carvel.dev/", "kctrl.carvel.dev/"]
        .iter()
        .any(|group| version.starts_with(group))
}

fn read_step(step: &Map<'_>, kind: &str, text: &str, line: usize) -> Option<FoundCommand> {
    let mut flags = InputFlags::default();
    let mut incomplete = false;
    let mut more_values = false;
    let mut inline = Vec::new();
    for entry in step.entries() {
        match entry_key(entry.key()).as_str() {
            "paths" => flags.files.extend(texts(entry.value())),
            "fileMarks" => flags.file_marks.extend(texts(entry.value())),
            "ignoreUnknownComments" => {
                let on = entry.value().scalar().is_some_and(|value| value.value() == "true");
                flags.options = InputOptions { ignore_unknown_comments: on, ..flags.options };
            }
            "strict" => {
                let on = entry.value().scalar().is_some_and(|value| value.value() == "true");
                flags.options = InputOptions { strict: on, ..flags.options };
            }
            "inline" => {
                let (files, all) = inline_files(entry.value(), text);
                inline = files;
                incomplete |= !all;
            }
            "valuesFrom" => {
                for source in entry.value().seq().iter().flat_map(|seq| seq.items()) {
                    let path = source.value().map().and_then(|source| text_of(&source, "path"));
                    // Values of the cluster: secrets, config maps and its own properties.
                    more_values |= path.is_none();
                    flags.data_values_files.extend(path);
                }
            }
            _ => {}
        }
    }
    // Marks are for what was fetched; it is not known which of these files they also match.
    incomplete |= !inline.is_empty() && !flags.file_marks.is_empty();
    // Its output is not completely known, because templates can read data of any of these files.
    more_values |= !inline.is_empty();
    // Steps without paths work on everything that was fetched.
    if flags.files.is_empty() {
        return None;
    }
    let command = format!("ytt step of {kind}");
    Some(FoundCommand {
        flags,
        keys: Vec::new(),
        directory: String::new(),
        line,
        command,
        incomplete,
        more_values,
        inline,
        beside: &BESIDE,
    })
}

/// The files of `inline`, and whether these are all: files from secrets and config maps are in the cluster.
fn inline_files(value: Value<'_>, text: &str) -> (Vec<InlineFile>, bool) {
    let Some(map) = value.map() else { return (Vec::new(), value.scalar().is_none()) };
    let mut files = Vec::new();
    let mut all = true;
    for entry in map.entries() {
        match (entry_key(entry.key()).as_str(), entry.value().map()) {
            ("paths", Some(paths)) => {
                for file in paths.entries() {
                    let content = file.value().scalar();
                    all &= content.is_some();
                    files.extend(content.map(|content| {
                        let range = content.range();
                        let value = content.value().into_owned();
                        let literal = file.value().kind() == ValueKind::Literal;
                        let lines = if literal { lines_of(&value, &range, text) } else { Vec::new() };
                        InlineFile { name: entry_key(file.key()), text: value, around: text.len(), range, lines }
                    }));
                }
            }
            _ => all = false,
        }
    }
    // ytt gets them as a directory.
    files.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
    (files, all)
}

/// Where the lines of a literal block begin, in its value and in the surrounding text.
fn lines_of(value: &str, range: &std::ops::Range<usize>, text: &str) -> Vec<(usize, usize)> {
    let Some(block) = text.get(range.clone()) else { return Vec::new() };
    // After the line of the `|`.
    let Some(header) = block.find('\n') else { return Vec::new() };
    let (mut at, mut host) = (0, range.start + header + 1);
    let mut lines = Vec::new();
    for line in value.split_inclusive('\n') {
        let content = line.trim_end_matches('\n');
        let rest = text.get(host..).unwrap_or_default();
        let written = rest.split('\n').next().unwrap_or_default();
        let Some(indent) = written.trim_end_matches('\r').len().checked_sub(content.len()) else { return Vec::new() };
        if written.get(indent..indent + content.len()) != Some(content) {
            return Vec::new();
        }
        lines.push((at, host + indent));
        at += line.len();
        host += written.len() + 1;
    }
    lines
}

fn texts(value: Value<'_>) -> Vec<String> {
    let items = value.seq();
    let items = items.iter().flat_map(|seq| seq.items());
    items.filter_map(|item| Some(item.value().scalar()?.value().into_owned())).collect()
}

fn text_of(map: &Map<'_>, key: &str) -> Option<String> {
    let entry = map.entries().find(|entry| entry_key(entry.key()) == key)?;
    Some(entry.value().scalar()?.value().into_owned())
}
