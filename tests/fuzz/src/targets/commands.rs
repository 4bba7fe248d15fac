//! `ytt` commands are found in any text without a panic, and their ranges are inside it.

use std::path::Path;

use lofting_workspace::ytt_commands;

use crate::measured::Target;

/// One name for each kind of file that may hold commands.
const NAMES: [&str; 8] = [
    "Makefile",
    "build.sh",
    "Taskfile.yml",
    "Justfile",
    ".github/workflows/build.yml",
    ".gitlab-ci.yml",
    "README.md",
    "app.yml",
];

pub const TARGET: Target = Target::Text(run);

fn run(text: &str) {
    for name in NAMES {
        for found in ytt_commands(Path::new(name), text) {
            assert!(found.line >= 1 && found.line <= text.lines().count().max(1), "{found:?}");
            assert!(found.inline.iter().all(|range| text.get(range.clone()).is_some()), "{found:?}");
        }
    }
}
