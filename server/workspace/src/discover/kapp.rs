//! kapp-controller: the `ytt` steps of `App`, `Package`, `PackageBuild` and the like.

use super::Found;
use super::yaml::entry_key;
use crate::inputs::{InputFlags, InputOptions};
use lofting_syntax::{Map, Value};

/// Bundles of packages keep their configuration one level down.
const BESIDE: [&str; 1] = ["bundle"];

/// Values visited in one file.
const MAX_VALUES: usize = 20_000;

pub(super) fn commands(text: &str) -> Vec<Found> {
    let tree = lofting_syntax::parse(text);
    let mut found = Vec::new();
    for document in tree.documents() {
        let Some(root) = document.root().and_then(|root| root.map()) else { continue };
        let kind = text_of(&root, "kind").unwrap_or_default();
        if !text_of(&root, "apiVersion").is_some_and(|version| is_carvel(&version)) {
            continue;
        }
        // `template` lists steps; where it stands differs by kind.
        let mut open: Vec<Value<'_>> = root.entries().map(|entry| entry.value()).collect();
        let mut visited = 0;
        while let Some(value) = open.pop() {
            visited += 1;
            if visited > MAX_VALUES {
                break;
            }
            if let Some(map) = value.map() {
                for entry in map.entries() {
                    match entry.value().map() {
                        Some(step) if entry_key(entry.key()) == "ytt" => {
                            found.extend(read_step(&step, &kind, text, entry.range().start));
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

fn read_step(step: &Map<'_>, kind: &str, text: &str, start: usize) -> Option<Found> {
    let mut flags = InputFlags::default();
    let mut incomplete = false;
    let mut more_values = false;
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
            // Text inside this file can hold schema documents, too.
            "inline" => incomplete = true,
            "valuesFrom" => {
                for source in entry.value().seq().iter().flat_map(|seq| seq.items()) {
                    let path = source.value().map().and_then(|source| text_of(&source, "path"));
                    // Values of the cluster: secrets, config maps and what it says of itself.
                    more_values |= path.is_none();
                    flags.data_values_files.extend(path);
                }
            }
            _ => {}
        }
    }
    // Steps without paths work on what was fetched as a whole.
    if flags.files.is_empty() {
        return None;
    }
    let line = text.as_bytes().iter().take(start).filter(|byte| **byte == b'\n').count() + 1;
    let command = format!("ytt step of {kind}");
    Some(Found { flags, directory: String::new(), line, command, incomplete, more_values, beside: &BESIDE })
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
