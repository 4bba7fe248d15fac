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
    ("c/more.yml", "#@ load(\"fns.star\", \"twice\")\n---\nmore: #@ twice(4)\n"),
    ("c/other.yml", "#@ load(\"fns.star\", \"twice\")\n---\nother: #@ twice(2)\n"),
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

/// A folder with input sets, one of which has a wrong value.
const SETS: &[(&str, &str)] = &[
    (
        "lofting.toml",
        "[sets.a]\nfiles = [\"c\"]\nvalues = [\"v/a.yml\"]\n[sets.b]\nfiles = [\"c\"]\nvalues = [\"v/b.yml\"]\n",
    ),
    ("c/schema.yml", "#@data/values-schema\n---\nport: 80\n"),
    ("v/a.yml", "port: a\n"),
    ("v/b.yml", "port: 1\n"),
];

/// The one file in which findings are kept.
fn kept(cache: &Path) -> std::path::PathBuf {
    let directories = fs::read_dir(cache).expect("a folder").flatten();
    let files = directories.flat_map(|directory| fs::read_dir(directory.path()).into_iter().flatten().flatten());
    let mut files: Vec<_> = files.map(|file| file.path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files.remove(0)
}

#[test]
fn findings_of_an_earlier_run_are_used_if_they_are_whole() {
    let (folder, cache) = (workspace(SETS), tempfile::tempdir().expect("a folder"));
    let command = ["check", "--cache", cache.path().to_str().expect("a text")];
    let expected = said(folder.path(), &["check"]);
    assert_eq!(said(folder.path(), &command), expected);
    let file = kept(cache.path());
    let whole = fs::read(&file).expect("a file");
    // What is there is reported, as long as its hash is the right one.
    let forged = String::from_utf8_lossy(&whole[32..]).contains("should be an integer");
    assert!(forged, "a finding is kept");
    let at = whole.windows(9).position(|bytes| bytes == b"should be").expect("the words");
    let mut other = whole.clone();
    other[at..at + 9].copy_from_slice(b"could not");
    fs::write(&file, &other).expect("written");
    assert_eq!(said(folder.path(), &command), expected, "words that have another hash are not used");
    let sum = lofting_cache::sum(&other[32..]);
    other[..32].copy_from_slice(&sum);
    fs::write(&file, &other).expect("written");
    let (code, findings, _) = said(folder.path(), &command);
    assert!(code == Some(1) && findings.contains("could not an integer"), "what is kept is used: {findings}");
    // A file that is cut, or longer, or empty.
    for length in [0, 1, 31, 32, 33, whole.len() / 2, whole.len() - 1] {
        fs::write(&file, &whole[..length]).expect("written");
        assert_eq!(said(folder.path(), &command), expected, "{length} bytes");
    }
    fs::write(&file, [&whole[..], b"x"].concat()).expect("written");
    assert_eq!(said(folder.path(), &command), expected);
    // What is whole and nonsense.
    for nonsense in [&b""[..], b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", b"\x01", &[7; 200]] {
        fs::write(&file, [&lofting_cache::sum(nonsense)[..], nonsense].concat()).expect("written");
        assert_eq!(said(folder.path(), &command), expected, "{nonsense:?}");
    }
}

#[test]
fn findings_of_an_earlier_run_are_not_used_if_anything_is_different() {
    let (folder, cache) = (workspace(SETS), tempfile::tempdir().expect("a folder"));
    let cached = |arguments: &[&str]| {
        let command = [arguments, &["--cache", cache.path().to_str().expect("a text")]].concat();
        let expected = said(folder.path(), arguments);
        for _ in 0..2 {
            assert_eq!(said(folder.path(), &command), expected, "{arguments:?}");
        }
        expected
    };
    let before = cached(&["check"]);
    let states: &[(&str, &str)] = &[
        ("v/b.yml", "port: b\n"),
        ("v/a.yml", "port: 2\n"),
        ("v/b.yml", "# lofting: ignore ytt/type-mismatch\nport: b\n"),
        ("c/schema.yml", "#@data/values-schema\n---\nport: \"\"\n"),
        ("c/schema.yml", "#@data/values-schema\n---\n#@schema/validation max=0\nport: 1\n"),
        (
            "lofting.toml",
            "[rules]\n\"ytt/type-mismatch\" = \"warning\"\n[sets.a]\nfiles = [\"c\"]\nvalues = [\"v/*.yml\"]\n",
        ),
        ("v/c.yml", "port: c\n"),
        ("free.yml", "a: [\n"),
        (".gitignore", "v/c.yml\n"),
    ];
    for (path, text) in states {
        fs::write(folder.path().join(path), text).expect("written");
        assert_ne!(cached(&["check"]), before, "{path}: {text}");
        cached(&["check", "v/a.yml"]);
        cached(&["check", "v", "--format", "json"]);
    }
}

/// What is found in a schema does not follow from the values that are given to it.
#[test]
fn a_schema_is_not_checked_again_because_of_values() {
    let (folder, cache) = (workspace(SETS), tempfile::tempdir().expect("a folder"));
    let command = ["check", "--cache", cache.path().to_str().expect("a text")];
    let twice = "#@data/values-schema\n---\nport: 80\nport: 81\n";
    fs::write(folder.path().join("c/schema.yml"), twice).expect("written");
    let (_, findings, _) = said(folder.path(), &command);
    assert!(findings.contains("c/schema.yml:4"), "{findings}");
    // The words that are kept for the schema become others, so that it shows whether they are used.
    let file = kept(cache.path());
    let mut kept = fs::read(&file).expect("a file");
    let (place, words): (&[u8], &[u8]) = (b"c/schema.yml", b"already");
    let find = |bytes: &[u8], what: &[u8], from: usize| {
        bytes[from..].windows(what.len()).position(|part| part.eq_ignore_ascii_case(what)).map(|at| at + from)
    };
    let at = find(&kept, place, 32).and_then(|at| find(&kept, words, at)).expect("a finding in the schema");
    kept[at..at + 7].copy_from_slice(b"forging");
    let sum = lofting_cache::sum(&kept[32..]);
    kept[..32].copy_from_slice(&sum);
    fs::write(&file, &kept).expect("written");
    fs::write(folder.path().join("v/b.yml"), "port: b\n").expect("written");
    let (_, findings, _) = said(folder.path(), &command);
    assert!(findings.contains("forging"), "{findings}");
    // Code in it may be called with them.
    fs::write(folder.path().join("c/schema.yml"), format!("#@ def f(): pass\n{twice}")).expect("written");
    let whole = said(folder.path(), &["check"]);
    assert_eq!(said(folder.path(), &command), whole);
    fs::write(folder.path().join("v/b.yml"), "port: 3\n").expect("written");
    assert_eq!(said(folder.path(), &command), said(folder.path(), &["check"]));
}
