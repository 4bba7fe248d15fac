//! `--cache`: what code gave is kept in a folder, and is used only if everything that it read is the same.

use std::fs;
use std::path::Path;

use crate::command_line::{lofting, workspace};

const FILES: &[(&str, &str)] = &[
    ("c/schema.yml", "#@data/values-schema\n---\n#@schema/validation min_len=2\nname: web\nport: 80\n"),
    ("c/fns.star", "def twice(x):\n  return x * 2\nend\n"),
    ("c/text.txt", "hello"),
    (
        "c/app.yml",
        "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n\
         #@ load(\"fns.star\", \"twice\")\n---\nname: #@ data.values.name\nport: #@ twice(data.values.port)\n\
         text: #@ data.read(\"text.txt\")\n--- #@ template.replace(library.get(\"lib\").eval())\n",
    ),
    (
        "c/over.yml",
        "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all,expects=\"1+\"\n---\n#@overlay/match missing_ok=True\nadded: 1\n",
    ),
    ("c/_ytt_lib/lib/a.yml", "#@ load(\"@ytt:data\", \"data\")\n---\nlib: #@ len(data.list())\n"),
];

/// Every command that runs code.
const COMMANDS: &[&[&str]] = &[
    &["render", "-f", "c"],
    &["render", "-f", "c", "-o", "pos"],
    &["render", "-f", "c", "--origin"],
    &["check", "--render", "-f", "c", "--format", "json"],
    &["check", "--render"],
    &["values", "-f", "c"],
    &["schema", "-f", "c", "--to", "json-schema"],
    &["explain", "c/app.yml"],
];

/// A change of a file that some result depends on.
const CHANGES: &[(&str, &str)] = &[
    ("c/fns.star", "def twice(x):\n  return x * 3\nend\n"),
    ("c/text.txt", "good day"),
    ("c/schema.yml", "#@data/values-schema\n---\n#@schema/validation min_len=5\nname: web\nport: 80\n"),
    ("c/_ytt_lib/lib/b.yml", "b: 1\n"),
    ("c/_ytt_lib/lib/a.yml", "lib: 7\n"),
    ("c/fns.star", "def twice(x):\n  return x / 0\nend\n"),
    ("c/app.yml", "#@ load(\"fns.star\", \"twice\")\nport: 1\n"),
];

fn said(folder: &Path, command: &[&str]) -> (Option<i32>, String, String) {
    let output = lofting(folder, command);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn commands_say_the_same_with_results_of_earlier_runs() {
    let folder = workspace(FILES);
    let cache = tempfile::tempdir().expect("a folder");
    let cache = cache.path().join("results").to_string_lossy().into_owned();
    let mut states = vec![None];
    states.extend(CHANGES.iter().map(Some));
    for change in states {
        if let Some((path, text)) = change {
            fs::write(folder.path().join(path), text).expect("written");
        }
        for command in COMMANDS {
            let expected = said(folder.path(), command);
            let with_cache = [command, &["--cache", &cache][..]].concat();
            for time in ["first", "second"] {
                assert_eq!(said(folder.path(), &with_cache), expected, "{command:?}, {change:?}, {time} time");
            }
        }
    }
    // Several may be in one directory, whose name is the beginning of theirs.
    let directories = fs::read_dir(&cache).expect("a folder").flatten();
    let kept = directories.flat_map(|directory| fs::read_dir(directory.path()).into_iter().flatten()).count();
    assert!(kept > 3, "{kept} results");
}

#[test]
fn a_folder_that_cannot_be_used_is_an_error() {
    let folder = workspace(FILES);
    for command in COMMANDS {
        let (code, _, errors) = said(folder.path(), &[command, &["--cache", "c/schema.yml"][..]].concat());
        assert_eq!(code, Some(2), "{command:?}: {errors}");
        assert!(errors.contains("--cache c/schema.yml: ") && errors.contains("is not a directory"), "{errors}");
    }
}
