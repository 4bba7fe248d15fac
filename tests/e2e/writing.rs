//! Every command that writes, at every place that a repository may have prepared.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::command_line::{lofting, workspace};

/// A file that every command would change: it is not formatted, and a fix is known.
const TEXT: &str = "#@data/values\n---\nname:   a\nport: \"80\"\n";
const SCHEMA: &str = "#@data/values-schema\n---\nname: \"\"\nport: 1\n";

/// A command that writes to a place below `out` in the current directory.
struct Writer {
    arguments: &'static [&'static str],
    /// What it writes.
    place: &'static str,
    /// The command reads the place before.
    reads: bool,
}

const WRITERS: &[Writer] = &[
    Writer { arguments: &["render", "-f", "in", "--output-files", "out"], place: "out/sub/a.yml", reads: false },
    Writer {
        arguments: &["render", "-f", "in", "--dangerous-emptied-output-directory", "out"],
        place: "out/sub/a.yml",
        reads: false,
    },
    Writer { arguments: &["fmt", "out/sub/a.yml"], place: "out/sub/a.yml", reads: true },
    Writer { arguments: &["fmt", "out"], place: "out/sub/a.yml", reads: true },
    Writer { arguments: &["check", "--fix", "out/sub/a.yml"], place: "out/sub/a.yml", reads: true },
    Writer { arguments: &["check", "--fix", "out/sub"], place: "out/sub/a.yml", reads: true },
    Writer {
        arguments: &["check", "--output", "json=out/sub/report.json", "-f", "in"],
        place: "out/sub/report.json",
        reads: false,
    },
    Writer { arguments: &["docs", "schema.yml", "--output", "out/sub/a.yml"], place: "out/sub/a.yml", reads: true },
    Writer { arguments: &["docs", "schema.yml", "--inject", "out/sub/a.yml"], place: "out/sub/a.yml", reads: true },
    Writer { arguments: &["render", "-f", "in", "--cache", "out/sub"], place: "out/sub/CACHEDIR.TAG", reads: false },
    Writer { arguments: &["lsp", "--log-file", "out/sub/log"], place: "out/sub/log", reads: false },
];

/// What is prepared at a place, or above it.
const PLACES: &[&str] = &[
    "link",
    "link inside",
    "dangling",
    "linked directory",
    "linked parent",
    "pipe",
    "socket",
    "device",
    "directory",
    "file above",
];

/// The command's output; it may not wait for anything.
fn run(directory: &Path, arguments: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lofting"))
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let begin = Instant::now();
    while child.try_wait().expect("a process").is_none() {
        if begin.elapsed() > Duration::from_secs(60) {
            child.kill().expect("it is killed");
            panic!("{arguments:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("its output")
}

/// All that is outside the current directory.
fn state(outside: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![outside.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path)
            } else {
                found.push((path.clone(), fs::read_to_string(&path).expect("a file")))
            }
        }
    }
    found.sort();
    found
}

fn pipe(path: &Path) {
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, mode, 0).expect("a pipe");
}

/// A device that swallows what is written to it, as `/dev/null` does; not every user may make one.
fn device(path: &Path) -> rustix::io::Result<()> {
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    let number = rustix::fs::makedev(1, 3);
    rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::CharacterDevice, mode, number)
}

/// Prepares a place, and returns what has to stay as it is.
fn prepare(kind: &str, inside: &Path, outside: &Path, place: &str) {
    let place = inside.join(place);
    let name = place.file_name().expect("a name");
    let above = place.parent().expect("a directory");
    fs::create_dir_all(above).expect("directories");
    fs::create_dir_all(outside.join("sub")).expect("a directory");
    for text in ["target", "sub/a.yml", "sub/log", "sub/report.json", "a.yml", "log", "report.json"] {
        fs::write(outside.join(text), TEXT).expect("a file");
    }
    match kind {
        "link" => symlink(outside.join("target"), &place).expect("a link"),
        "link inside" => {
            fs::write(inside.join("target.yml"), TEXT).expect("a file");
            symlink(inside.join("target.yml"), &place).expect("a link");
        }
        "dangling" => symlink(outside.join("none"), &place).expect("a link"),
        "linked directory" => {
            fs::remove_dir(above).expect("it is empty");
            symlink(outside, above).expect("a link");
        }
        "linked parent" => {
            fs::remove_dir_all(inside.join("out")).expect("it is there");
            symlink(outside, inside.join("out")).expect("a link");
        }
        "pipe" => pipe(&place),
        // What is not permitted cannot be prepared by a repository either.
        "device" => drop(device(&place)),
        "socket" => drop(std::os::unix::net::UnixListener::bind(above.join(name)).expect("a socket")),
        "directory" => fs::create_dir(&place).expect("a directory"),
        "file above" => {
            fs::remove_dir(above).expect("it is empty");
            fs::write(above, TEXT).expect("a file");
        }
        other => panic!("{other}"),
    }
}

#[test]
fn nothing_is_written_through_what_a_repository_prepares() {
    for writer in WRITERS {
        for kind in PLACES {
            for is_repository in [true, false] {
                let directory = workspace(&[
                    ("repo/in/sub/a.yml", TEXT),
                    ("repo/in/schema.yml", SCHEMA),
                    ("repo/schema.yml", SCHEMA),
                ]);
                let (inside, outside) = (directory.path().join("repo"), directory.path().join("outside"));
                fs::write(inside.join("in/sub/a.yml"), "name: a\n").expect("a file");
                if is_repository {
                    for name in [".git/objects", ".git/refs"] {
                        fs::create_dir_all(inside.join(name)).expect("a directory");
                    }
                    fs::write(inside.join(".git/HEAD"), "ref: refs/heads/main\n").expect("a file");
                }
                fs::create_dir_all(&outside).expect("a directory");
                prepare(kind, &inside, &outside, writer.place);
                let before = state(&outside);
                let output = run(&inside, writer.arguments);
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                let what = format!("{:?} at a {kind} ({is_repository}): {said}", writer.arguments);
                assert_eq!(state(&outside), before, "{what}");
                assert!(!said.contains("panicked"), "{what}");
                let emptied = writer.arguments.contains(&"--dangerous-emptied-output-directory");
                // What lies in an emptied directory is gone before anything is written.
                let is_free = *kind == "device" && !inside.join(writer.place).exists();
                if !(is_free || writer.reads || emptied && *kind != "linked parent" || *kind == "link inside") {
                    assert_eq!(output.status.code(), Some(2), "{what}");
                }
            }
        }
    }
}

#[test]
fn nothing_is_written_to_git_whatever_its_name() {
    let names = [
        ".git/hooks/x.yml",
        ".GIT/hooks/x.yml",
        "git~1/x.yml",
        "sub/.git/x.yml",
        ".git./x.yml",
        ".gi\u{200c}t/x.yml",
        "store/hooks/x.yml",
    ];
    for name in names {
        let directory = workspace(&[("in/a.yml", "a: 1\n"), ("out/store/HEAD", "x"), ("out/keep", "x")]);
        for inner in ["out/store/objects", "out/store/refs", "out/store/hooks"] {
            fs::create_dir_all(directory.path().join(inner)).expect("a directory");
        }
        let input = format!("{name}=in/a.yml");
        let output = run(directory.path(), &["render", "-f", &input, "--output-files", "out"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{name}: {said}");
        assert!(said.contains("belongs to git"), "{name}: {said}");
        assert!(!directory.path().join("out").join(name).exists(), "{name}");
    }
    let directory = workspace(&[
        ("in/a.yml", "a: 1\n"),
        ("out/.git/config", "x"),
        ("store/HEAD", "x"),
        ("store/a.yml", "a:   1\n"),
    ]);
    for inner in ["store/objects", "store/refs"] {
        fs::create_dir_all(directory.path().join(inner)).expect("a directory");
    }
    for arguments in [
        &["render", "-f", "in", "--dangerous-emptied-output-directory", "out"][..],
        &["render", "-f", "in", "--output-files", "out/.git/hooks"],
        &["render", "-f", "in", "--output-files", "store/hooks"],
        &["fmt", "store/a.yml"],
        &["lsp", "--log-file", "out/.git/config"],
    ] {
        let output = run(directory.path(), arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains("belongs to git"), "{arguments:?}: {said}");
    }
    let kept = |name: &str| fs::read_to_string(directory.path().join(name)).expect("a file");
    assert_eq!((kept("out/.git/config").as_str(), kept("store/a.yml").as_str()), ("x", "a:   1\n"));
}

/// A repository with a worktree and a submodule, as git makes them: both have a file `.git` that names a directory of git.
fn with_worktrees() -> tempfile::TempDir {
    let directory = workspace(&[
        ("in/a.yml", "a: 1\n"),
        ("in/schema.yml", SCHEMA),
        ("main/.git/HEAD", "ref: refs/heads/main\n"),
        ("main/.git/objects/x", "x"),
        ("main/.git/refs/x", "x"),
        ("main/.git/worktrees/tree/HEAD", "ref: refs/heads/tree\n"),
        ("main/.git/worktrees/tree/commondir", "../..\n"),
        ("main/.git/modules/sub/HEAD", "ref: refs/heads/main\n"),
        ("main/.git/modules/sub/objects/x", "x"),
        ("main/.git/modules/sub/refs/x", "x"),
        ("main/sub/.git", "gitdir: ../.git/modules/sub\n"),
        ("main/sub/a.yml", "a:   1\n"),
        ("apart/HEAD", "ref: refs/heads/main\n"),
        ("apart/commondir", "../main/.git\n"),
        ("apart/a.yml", "a:   1\n"),
    ]);
    let git = format!("gitdir: {}\n", directory.path().join("main/.git/worktrees/tree").display());
    fs::create_dir(directory.path().join("tree")).expect("a directory");
    fs::write(directory.path().join("tree/.git"), git).expect("a file");
    fs::write(directory.path().join("tree/a.yml"), "a:   1\n").expect("a file");
    directory
}

#[test]
fn worktrees_and_submodules_keep_what_is_of_git() {
    let refused: &[&[&str]] = &[
        &["render", "-f", "in", "--dangerous-emptied-output-directory", "tree"],
        &["render", "-f", "in", "--dangerous-emptied-output-directory", "main/sub"],
        &["render", "-f", "in", "--output-files", "tree/.git"],
        &["render", "-f", ".git/a.yml=in/a.yml", "--output-files", "tree"],
        &["render", "-f", "in", "--output-files", "main/.git/worktrees/tree"],
        &["render", "-f", "in", "--output-files", "main/.git/modules/sub/hooks"],
        &["render", "-f", "in", "--output-files", "apart"],
        &["check", "--output", "json=tree/.git", "-f", "in"],
        &["check", "--output", "json=main/.git/modules/sub/config", "-f", "in"],
        &["check", "--output", "json=apart/config", "-f", "in"],
        &["fmt", "apart/a.yml"],
        &["docs", "in/schema.yml", "--output", "main/.git/modules/sub/config"],
        &["docs", "in/schema.yml", "--output", "apart/config"],
        &["lsp", "--log-file", "main/sub/.git"],
        &["lsp", "--log-file", "apart/config"],
    ];
    for arguments in refused {
        let directory = with_worktrees();
        let before = state(directory.path());
        let output = run(directory.path(), arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains("git, and nothing is written") || said.contains("a file"), "{arguments:?}: {said}");
        assert_eq!(state(directory.path()), before, "{arguments:?}");
    }
    // The files of a working tree are the user's.
    let written: &[(&[&str], &str)] = &[
        (&["render", "-f", "in", "--output-files", "tree"], "tree/a.yml"),
        (&["render", "-f", "in", "--output-files", "main/sub"], "main/sub/a.yml"),
        (&["fmt", "main/sub/a.yml"], "main/sub/a.yml"),
        (&["fmt", "tree/a.yml"], "tree/a.yml"),
    ];
    for (arguments, place) in written {
        let directory = with_worktrees();
        let output = run(directory.path(), arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
        assert_eq!(fs::read_to_string(directory.path().join(place)).expect("a file"), "a: 1\n", "{arguments:?}");
    }
}

#[test]
fn a_schema_is_not_written_through_what_a_repository_prepares() {
    for kind in ["link", "link inside", "dangling", "pipe", "socket", "device", "directory"] {
        let directory = workspace(&[("repo/a.yml", "a: 1\n"), ("repo/schema.json", "{}")]);
        let (inside, outside) = (directory.path().join("repo"), directory.path().join("outside"));
        fs::create_dir_all(&outside).expect("a directory");
        prepare(kind, &inside, &outside, "lofting.toml");
        // Not every user may make a device.
        let is_prepared = inside.join("lofting.toml").symlink_metadata().is_ok();
        let before = state(&outside);
        let output = run(&inside, &["schemas", "add", "./schema.json", "a.yml"]);
        assert_eq!(state(&outside), before, "{kind}: {output:?}");
        // A link that stays inside leads to the user's file.
        let code = if is_prepared && kind != "link inside" { 2 } else { 0 };
        assert_eq!(output.status.code(), Some(code), "{kind}: {output:?}");
    }
}

/// Names that a system may refuse and a terminal may obey.
#[test]
fn names_of_output_are_plain_text_and_lead_nowhere() {
    let long = format!("{}.yml", "x".repeat(300));
    let deep = format!("{}a.yml", "d/".repeat(1_000));
    let names = [
        "a\nb.yml",
        "a\u{1b}[31m.yml",
        "a\rb.yml",
        "a\u{202e}b.yml",
        "a\u{200b}b.yml",
        "CON.yml",
        " .yml",
        "a?.yml",
        "C:a.yml",
        "a\\..\\b.yml",
        &long,
        &deep,
    ];
    for name in names {
        for flag in ["--output-files", "--dangerous-emptied-output-directory"] {
            let directory = workspace(&[("repo/in/a.yml", "a: 1\n"), ("outside/a.yml", "mine")]);
            let inside = directory.path().join("repo");
            let before = state(&directory.path().join("outside"));
            let output = run(&inside, &["render", "-f", &format!("{name}=in/a.yml"), flag, "out"]);
            let said =
                format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            let obeyed = |c: &char| c.is_control() && *c != '\n' || ['\u{202e}', '\u{200b}'].contains(c);
            assert_eq!(said.chars().find(obeyed), None, "{name:?}: {said:?}");
            assert!(!said.contains("panicked"), "{name:?}: {said:?}");
            // Either the file is there under this name, or its absence is reported.
            let is_there = fs::read_to_string(inside.join("out").join(name)).is_ok_and(|text| text == "a: 1\n");
            assert_eq!(is_there, output.status.success(), "{name:?}: {said:?}");
            assert_eq!(state(&directory.path().join("outside")), before, "{name:?}");
            assert_eq!(state(&inside.join("in")).len(), 1, "{name:?}");
        }
    }
}

#[test]
fn an_emptied_directory_loses_its_links_and_not_what_they_lead_to() {
    let directory = workspace(&[("repo/in/a.yml", "a: 1\n"), ("repo/out/old.yml", "x"), ("outside/mine", "x")]);
    let (inside, outside) = (directory.path().join("repo"), directory.path().join("outside"));
    symlink(&outside, inside.join("out/linked")).expect("a link");
    pipe(&inside.join("out/pipe"));
    let output = run(&inside, &["render", "-f", "in", "--dangerous-emptied-output-directory", "out"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(fs::read_to_string(outside.join("mine")).expect("a file"), "x");
    let left: Vec<_> =
        fs::read_dir(inside.join("out")).expect("a directory").map(|e| e.expect("an entry").file_name()).collect();
    assert_eq!(left, ["a.yml"]);
    // The directory itself is a link.
    fs::remove_dir_all(inside.join("out")).expect("it is there");
    symlink(&outside, inside.join("out")).expect("a link");
    let output = run(&inside, &["render", "-f", "in", "--dangerous-emptied-output-directory", "out"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(fs::read_to_string(outside.join("mine")).expect("a file"), "x");
}

#[test]
fn other_names_of_a_file_keep_its_text_and_rights_stay() {
    let directory = workspace(&[("in/a.yml", "a: 1\n"), ("out/a.yml", "old"), ("out/log", "old")]);
    let at = |name: &str| directory.path().join(name);
    fs::hard_link(at("out/a.yml"), at("other")).expect("a link");
    fs::set_permissions(at("out/a.yml"), fs::Permissions::from_mode(0o640)).expect("a file");
    let output = lofting(directory.path(), &["render", "-f", "in", "--output-files", "out"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(fs::read_to_string(at("out/a.yml")).expect("a file"), "a: 1\n");
    assert_eq!(fs::metadata(at("out/a.yml")).expect("a file").permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_to_string(at("other")).expect("a file"), "old");
    // A log is written at the end of the file that is there, and so to all its names.
    fs::hard_link(at("out/log"), at("other log")).expect("a link");
    assert_eq!(run(directory.path(), &["lsp", "--log-file", "out/log"]).status.code(), Some(2));
    // What is read-only stays.
    fs::set_permissions(at("out/a.yml"), fs::Permissions::from_mode(0o444)).expect("a file");
    let output = lofting(directory.path(), &["render", "-f", "in", "--output-files", "out"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    // Names that lead out.
    for name in ["../x.yml", "/x.yml", "sub/../../x.yml"] {
        let output =
            lofting(directory.path(), &["render", "-f", &format!("{name}=in/a.yml"), "--output-files", "out/new"]);
        assert!(
            !at("x.yml").exists() && !at("out/x.yml").exists() && !Path::new("/x.yml").exists(),
            "{name}: {output:?}"
        );
    }
    assert!(
        fs::read_dir(at("out"))
            .expect("a directory")
            .all(|entry| { !entry.expect("an entry").file_name().to_string_lossy().starts_with(".lofting") })
    );
}
