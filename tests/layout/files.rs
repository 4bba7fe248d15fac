//! The way to the file system is one: who opens, lists or resolves anything without it is found here.

use crate::sources::{line_of, server_sources};

/// The file in which files are opened.
const OPENS: &str = "server/workspace/src/disk/open.rs";

/// Other files and folders that may touch files, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("server/disk/", "writes everything that the program writes, and nothing through a link"),
    ("server/git/src/open.rs", "reads git's own directory, which nothing else may"),
    ("server/sandbox/src/inherited.rs", "lists the descriptors of the process itself"),
    ("server/sandbox/src/elsewhere.rs", "tries what must fail, on macOS, in the process that runs code"),
];

/// What touches the file system.
const TOUCHES: &[&str] = &[
    "std::fs",
    "fs::",
    "File::open",
    "OpenOptions",
    ".canonicalize(",
    ".read_dir(",
    ".read_link(",
    ".symlink_metadata(",
    ".try_exists(",
    ".is_dir()",
    ".is_symlink()",
    "WalkBuilder",
    "Gitignore::new(",
    ".matched_path_or_any_parents(",
    "builder.add(",
];

/// Methods of paths whose names others have as well: these are called on what is not a path.
const ALSO_OTHERS: &[(&str, &str)] = &[(".is_dir()", "kind"), (".is_dir()", "meta")];

/// Who acts for the user, so that no bound holds, with the reason.
const FOR_THE_USER: &[(&str, &str)] = &[
    ("server/workspace/src/disk/mod.rs", "reads a file that the user named"),
    ("server/workspace/src/files/sources.rs", "text in a folder that the user trusts"),
    ("server/workspace/src/command_line/check_below.rs", "paths of the command line"),
    ("server/workspace/src/command_line/check_set.rs", "flags of the command line"),
    ("server/workspace/src/workspace.rs", "files that the command line names"),
    ("server/workspace/src/workspace/probe.rs", "looks for `lofting.toml` above an opened file; reads nothing"),
    ("server/workspace/src/inputs/lister.rs", "flags of the command line"),
    ("server/lofting/src/workspace.rs", "the file that the command line names, where a caller says so"),
    ("server/lsp/src/cli/explain.rs", "whether the command line names a file; reads nothing"),
    ("server/lsp/src/cli/schemas.rs", "the file that the command line names, and its `lofting.toml`"),
];

#[test]
fn files_are_opened_in_one_place() {
    let mut wrong = Vec::new();
    for source in server_sources() {
        if source.path == OPENS || EXCEPTIONS.iter().any(|(path, _)| source.path.starts_with(path)) {
            continue;
        }
        for touch in TOUCHES {
            for (offset, _) in source.code.match_indices(touch) {
                let before = &source.code[..offset];
                let is_other = |(known, owner): &(&str, &str)| known == touch && before.ends_with(owner);
                if !ALSO_OTHERS.iter().any(is_other) && !is_crates_own(before, touch) {
                    wrong.push(format!(
                        "{}:{}: `{touch}`: only {OPENS} may",
                        source.path,
                        line_of(&source.code, offset)
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `fs::` as the end of another name, such as `refs::`.
fn is_crates_own(before: &str, touch: &str) -> bool {
    touch == "fs::" && before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
}

#[test]
fn who_acts_for_the_user_is_known() {
    let mut wrong = Vec::new();
    for source in server_sources() {
        let acts = ["Reach::of_user", "DiskLister"].iter().any(|word| source.code.contains(word));
        let is_known = FOR_THE_USER.iter().any(|(path, _)| *path == source.path);
        // What only passes names on is not a decision.
        let passes = source.path.ends_with("inputs/mod.rs");
        if acts && !is_known && !passes {
            wrong.push(format!(
                "{}: reads without bounds; use the reach of the setting or file that names it",
                source.path
            ));
        }
        if is_known && !acts {
            wrong.push(format!("{}: take it from the list", source.path));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
