//! The arrows: a crate may use only the crates below it, and the outside world only where it belongs.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use crate::sources::{line_of, root, server_crates, server_sources};

/// For each crate, the crates of ours it may use. A new crate needs a line here and in docs/architecture.md.
const ARROWS: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("syntax", &["memo"]),
    ("eval", &["memo"]),
    ("memo", &[]),
    ("disk", &[]),
    ("cache", &["disk", "eval"]),
    ("catalogue", &[]),
    ("fetch", &["disk"]),
    ("git", &["disk"]),
    ("fixture", &[]),
    ("markdown", &["text"]),
    ("sandbox", &[]),
    ("annotation", &["eval", "syntax"]),
    ("document", &["annotation", "eval", "memo", "syntax"]),
    ("format", &["annotation", "document", "syntax"]),
    ("diagnostic", &["document"]),
    ("template", &["annotation", "document", "eval", "syntax"]),
    ("overlay", &["annotation", "document", "eval", "memo", "syntax"]),
    ("migration", &["annotation", "document", "eval", "syntax"]),
    ("worker", &["eval"]),
    ("interpreter", &["eval"]),
    ("starlark", &["document", "eval", "interpreter", "overlay", "sandbox", "schema", "syntax", "worker"]),
    ("schema", &["document", "eval", "memo", "syntax"]),
    ("cel", &["schema"]),
    ("dialect", &["annotation", "cel", "diagnostic", "document", "eval", "memo", "overlay", "schema", "syntax"]),
    (
        "check",
        &[
            "annotation",
            "cel",
            "diagnostic",
            "dialect",
            "document",
            "eval",
            "memo",
            "overlay",
            "schema",
            "syntax",
            "template",
        ],
    ),
    ("diff", &["check", "dialect", "document", "overlay", "schema", "syntax"]),
    (
        "workspace",
        &[
            "annotation",
            "catalogue",
            "check",
            "diagnostic",
            "disk",
            "dialect",
            "document",
            "eval",
            "format",
            "memo",
            "overlay",
            "schema",
            "syntax",
            "template",
            "text",
        ],
    ),
    (
        "ide",
        &[
            "annotation",
            "check",
            "diagnostic",
            "dialect",
            "document",
            "eval",
            "format",
            "markdown",
            "memo",
            "migration",
            "overlay",
            "schema",
            "syntax",
            "text",
            "workspace",
        ],
    ),
    ("lofting", &["diagnostic", "document", "eval", "ide", "schema", "text", "workspace"]),
    ("wasm", &["catalogue", "diagnostic", "document", "format", "ide", "text", "workspace"]),
    ("documentation", &["lofting", "markdown", "text"]),
    (
        "lsp",
        &[
            "annotation",
            "cache",
            "catalogue",
            "cel",
            "check",
            "diagnostic",
            "diff",
            "disk",
            "dialect",
            "document",
            "documentation",
            "eval",
            "fetch",
            "format",
            "git",
            "ide",
            "lofting",
            "markdown",
            "migration",
            "overlay",
            "sandbox",
            "schema",
            "starlark",
            "syntax",
            "template",
            "text",
            "worker",
            "workspace",
        ],
    ),
];

/// Outside crates that only some of our crates may use (normal and build dependencies; tests are free).
const RESERVED: &[(&str, &[&str])] = &[
    ("tokio", &["lsp"]),
    ("gen-lsp-types", &["lsp"]),
    ("lsp-types", &["lsp"]),
    ("clap", &["lsp"]),
    ("clap_complete", &["lsp"]),
    ("clap_mangen", &["lsp"]),
    ("rmcp", &["lsp"]),
    ("minijinja", &["documentation"]),
    ("schemars", &["lofting", "lsp"]),
    ("annotate-snippets", &["lsp"]),
    ("tracing-subscriber", &["lsp"]),
    ("num-bigint", &["interpreter"]),
    ("ropey", &["text"]),
    ("regex-automata", &["diff"]),
    ("wasm-bindgen", &["wasm"]),
    ("ignore", &["workspace"]),
    ("gix-hash", &["git"]),
    ("gix-object", &["git"]),
    ("gix-odb", &["git"]),
    ("ureq", &["fetch"]),
    ("rustls", &["fetch"]),
    ("rustls-native-certs", &["fetch"]),
];

/// Names that may be written only in some crates, with the reason that the failing test shows.
const WORDS: &[(&str, &[&str], &str)] = &[
    ("gen_lsp_types", &["lsp"], "protocol types stay in lsp"),
    ("lsp_types", &["lsp"], "protocol types stay in lsp"),
    ("tokio", &["lsp"], "asynchronous code stays in lsp"),
    ("println!", &["lsp"], "only lsp writes to a terminal"),
    ("eprintln!", &["lsp"], "only lsp writes to a terminal"),
    ("ureq", &["fetch"], "only fetch opens connections"),
    // `std::net` has addresses too, which are only text.
    ("TcpStream", &[], "only fetch opens connections, through its client"),
    ("TcpListener", &[], "only fetch opens connections, through its client"),
    ("UdpSocket", &[], "only fetch opens connections, through its client"),
    ("print!", &["lsp"], "only lsp writes to a terminal"),
    ("eprint!", &["lsp"], "only lsp writes to a terminal"),
];

/// Names that may be written only in some files, with the reason that the failing test shows.
const IN_FILES: &[(&str, &[&str], &str)] = &[
    ("fs::write", &[], "only the crate `disk` writes files"),
    ("fs::rename", &["server/disk/src/steps_elsewhere.rs"], "only the crate `disk` writes files"),
    ("remove_dir_all", &["server/disk/src/replacement.rs"], "only the crate `disk` writes files"),
    ("remove_file", &["server/disk/src/steps_elsewhere.rs"], "only the crate `disk` writes files"),
    ("create_dir", &["server/disk/src/steps_elsewhere.rs"], "only the crate `disk` writes files"),
    ("create_dir_all", &[], "only the crate `disk` writes files"),
    ("create_new", WRITING, "only the crate `disk` writes files"),
    (
        "OpenOptions",
        &["server/disk/src/steps_elsewhere.rs", "server/workspace/src/disk/open.rs"],
        "only the crate `disk` writes files",
    ),
    ("Markdown", &MARKDOWN, "only texts that `ide::markdown` made are sent as Markdown"),
    ("MarkedString", &[], "only texts that `ide::markdown` made are sent as Markdown"),
    ("pulldown_cmark", &["server/markdown/src/description.rs"], "one module reads Markdown"),
    ("eprintln!", &["server/lsp/src/terminal.rs"], "one module writes for people at a terminal"),
    ("eprint!", &["server/lsp/src/terminal.rs"], "one module writes for people at a terminal"),
    ("Rest::Schema", NAVIGATOR, "one navigator says what holds below a node: `schema::navigate`"),
    ("prefix.get", NAVIGATOR, "one navigator says what holds below a node: `schema::navigate`"),
    ("Profile::Ytt", YTT_TEXTS, "how a text is read is a property of the file: take its profile"),
];

/// Where files are made.
const WRITING: &[&str] =
    &["server/disk/src/folder.rs", "server/disk/src/steps_elsewhere.rs", "server/disk/src/steps_unix.rs"];

/// Where the nodes below a node are found, and where schemas are read from and written in other languages.
const NAVIGATOR: &[&str] = &[
    "server/dialect/src/json_schema/schema.rs",
    "server/schema/src/export/json_schema.rs",
    "server/schema/src/hash.rs",
    "server/schema/src/navigate.rs",
];

/// Where text is ytt's in any file, and where a file's profile is decided.
const YTT_TEXTS: &[&str] = &[
    "server/document/src/lower.rs",
    "server/document/src/write/scalar.rs",
    "server/ide/src/yaml_text.rs",
    "server/dialect/src/ytt/mod.rs",
    // Kubernetes reads YAML with the library that ytt uses.
    "server/schema/src/semantics.rs",
    "server/starlark/src/modules/yaml.rs",
    "server/syntax/src/resolve.rs",
    "server/template/src/compile.rs",
    "server/workspace/src/files/file.rs",
    "server/workspace/src/input_sets/flags.rs",
    "server/workspace/src/snapshot.rs",
];

/// Where a markup is chosen, announced and applied.
const MARKDOWN: [&str; 10] = [
    "server/documentation/src/layout.rs",
    "server/ide/src/explain.rs",
    "server/ide/src/markdown.rs",
    "server/ide/src/robustness.rs",
    "server/lsp/src/capabilities.rs",
    "server/lsp/src/capabilities/completion.rs",
    "server/lsp/src/cli/examples.rs",
    "server/lsp/src/to_proto/markup.rs",
    "server/lsp/src/view.rs",
    "server/wasm/src/one_file.rs",
];

/// Modules of the standard library that touch the outside world, and who may use them: the files of a workspace, the
/// program itself, copies of what was fetched, the evaluator, which runs in a process of its own, and the sandbox, which
/// tries what must fail.
const OUTSIDE: &[(&str, &[&str])] =
    &[("fs", &["disk", "git", "workspace", "lsp", "sandbox"]), ("process", &["worker", "sandbox", "starlark", "lsp"])];

fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo metadata runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let mut all = BTreeMap::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let used = package["dependencies"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|dependency| dependency["kind"] != "dev")
            .filter_map(|dependency| dependency["name"].as_str())
            .map(str::to_owned)
            .collect();
        all.insert(name.to_owned(), used);
    }
    all
}

#[test]
fn every_crate_has_its_arrows() {
    for name in server_crates() {
        assert!(
            ARROWS.iter().any(|(known, _)| *known == name),
            "server/{name} has no line in ARROWS: decide what it may use"
        );
    }
}

#[test]
fn crates_use_only_what_stands_below_them() {
    let dependencies = dependencies();
    let mut wrong = Vec::new();
    for (name, allowed) in ARROWS {
        let Some(used) = dependencies.get(&format!("lofting-{name}")) else { continue };
        for other in used {
            if let Some(other) = other.strip_prefix("lofting-")
                && !allowed.contains(&other)
            {
                wrong.push(format!("{name} must not use {other}"));
            }
            if let Some((_, owners)) = RESERVED.iter().find(|(reserved, _)| reserved == other)
                && !owners.contains(name)
            {
                wrong.push(format!("{name} must not use {other}: only {owners:?} may"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_of_the_outside_stay_in_their_crates() {
    let mut wrong = Vec::new();
    for source in server_sources() {
        for (word, owners, why) in WORDS {
            if owners.contains(&source.crate_name.as_str()) {
                continue;
            }
            for offset in words(&source.code, word) {
                wrong.push(format!("{}:{}: `{word}`: {why}", source.path, line_of(&source.code, offset)));
            }
        }
        for (offset, module) in outside_modules(&source.code) {
            let owners = OUTSIDE.iter().find(|(name, _)| *name == module).map_or(&[][..], |(_, owners)| owners);
            if !owners.contains(&source.crate_name.as_str()) {
                let line = line_of(&source.code, offset);
                wrong.push(format!("{}:{line}: `std::{module}`: only {owners:?} may use it", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_stay_in_their_files() {
    let mut wrong = Vec::new();
    for source in server_sources() {
        for (word, files, why) in IN_FILES.iter().filter(|(_, files, _)| !files.contains(&source.path.as_str())) {
            for offset in words(&source.code, word) {
                wrong.push(format!(
                    "{}:{}: `{word}`: {why}; only {files:?}",
                    source.path,
                    line_of(&source.code, offset)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where `word` occurs as a whole word.
fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    code.match_indices(word).map(|(offset, _)| offset).filter(move |offset| {
        let before = code[..*offset].chars().next_back();
        let after = code[offset + word.len()..].chars().next();
        let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !part(before) && (word.ends_with('!') || !part(after))
    })
}

/// Uses of `std::fs`, `std::{…, process, …}` and the like.
fn outside_modules(code: &str) -> Vec<(usize, &'static str)> {
    let mut found = Vec::new();
    for (offset, _) in code.match_indices("std::") {
        let rest = &code[offset + "std::".len()..];
        let names = match rest.strip_prefix('{') {
            Some(list) => top_level_names(list),
            None => vec![first_name(rest)],
        };
        found.extend(
            OUTSIDE
                .iter()
                .map(|(module, _)| *module)
                .filter(|module| names.contains(module))
                .map(|module| (offset, module)),
        );
    }
    found
}

/// The name that a path begins with.
pub fn first_name(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// The first names of the entries of a use list, up to its closing brace.
pub fn top_level_names(list: &str) -> Vec<&str> {
    let mut names = vec![first_name(list.trim_start())];
    let mut depth = 0usize;
    for (offset, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(first_name(list[offset + 1..].trim_start())),
            _ => {}
        }
    }
    names
}

#[test]
fn the_search_for_outside_modules_sees_every_form() {
    let modules = |code| outside_modules(code).into_iter().map(|(_, module)| module).collect::<Vec<_>>();
    assert_eq!(modules("use std::fs;"), ["fs"]);
    assert_eq!(modules("std::process::Command::new(x)"), ["process"]);
    assert_eq!(modules("use std::{collections::{HashMap, process}, fs::File, sync::Arc};"), ["fs"]);
    assert_eq!(modules("use std::fmt; use std::{fslike, x}"), Vec::<&str>::new());
    assert_eq!(words("println!(); eprintln!()", "println!").count(), 1);
}
