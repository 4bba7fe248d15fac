//! Taskfiles: pieces of shell below `cmds` and `cmd`; variables are written `{{.NAME}}`.

use super::script::in_text;
use super::shell::{Dialect, join};
use super::variables::Variables;
use super::yaml::{Lines, entry_key, pieces};
use super::{FoundCommand, MAX_COMMANDS};

pub(super) fn commands(text: &str) -> Vec<FoundCommand> {
    let tree = lofting_syntax::parse(text);
    let lines = Lines::of(text);
    let mut variables = Variables::default();
    let mut found = Vec::new();
    // Tasks with a directory of their own.
    let mut directories: Vec<(std::ops::Range<usize>, String)> = Vec::new();
    let root = tree.documents().find_map(|document| document.root()?.map());
    for entry in root.iter().flat_map(|root| root.entries()) {
        let Some(map) = entry.value().map() else { continue };
        match entry_key(entry.key()).as_str() {
            "vars" | "env" => {
                for variable in map.entries() {
                    if let Some(value) = variable.value().scalar() {
                        variables.set(&entry_key(variable.key()), value.value().into_owned());
                    }
                }
            }
            "tasks" => {
                for task in map.entries() {
                    let inner = task.value().map();
                    let keys = inner.iter().flat_map(|inner| inner.entries());
                    let directory = keys
                        .filter(|entry| entry_key(entry.key()) == "dir")
                        .find_map(|entry| Some(entry.value().scalar()?.value().into_owned()));
                    directories.extend(directory.map(|directory| {
                        (lines.at(task.range().start) + 1..lines.at(task.range().end) + 2, directory)
                    }));
                }
            }
            _ => {}
        }
    }
    for piece in pieces(&tree) {
        if found.len() >= MAX_COMMANDS {
            break;
        }
        if !matches!(&*piece.key, "cmds" | "cmd") {
            continue;
        }
        for mut command in in_text(&piece.text, piece.first_line, Dialect::Braces, &mut variables) {
            if let Some((_, directory)) = directories.iter().find(|(lines, _)| lines.contains(&command.line)) {
                command.directory = join(directory, &command.directory);
            }
            found.push(command);
        }
    }
    found
}
