//! The floors inside the large crates: a module uses only modules that stand below it.
//!
//! Arrows back up are listed, each as `(from, to)`. The list may only get shorter: a new arrow fails, and so does an
//! entry that is no longer needed. Modules are the files and folders directly below `src`.

use std::collections::BTreeSet;

use crate::arrows::{first_name, top_level_names};
use crate::sources::server_sources;

/// The modules of a crate, the lowest first, and the arrows back up that are left.
struct Floors {
    crate_name: &'static str,
    order: &'static [&'static str],
    up: &'static [(&'static str, &'static str)],
}

const FLOORS: &[Floors] = &[
    Floors {
        crate_name: "dialect",
        order: &[
            "claim",
            "resources",
            "json_schema",
            "kubernetes",
            "inside",
            "ytt",
            "data_values",
            "proposals",
            "openapi",
            "openchoreo",
        ],
        up: &[("data_values", "proposals")],
    },
    Floors {
        crate_name: "check",
        order: &[
            "path",
            "decimal",
            "moved",
            "memo",
            "view",
            "words",
            "rules",
            "library",
            "limit",
            "document",
            "values",
            "overlay",
            "syntax",
            "written",
            "unused_keys",
            "set",
            "tree",
            "unused",
            "data_values",
            "schema",
            "referents",
            "evaluation",
            "files",
            "part",
        ],
        up: &[("memo", "tree"), ("memo", "values"), ("rules", "referents"), ("rules", "values")],
    },
    Floors {
        crate_name: "workspace",
        order: &[
            "settings",
            "derived",
            "state",
            "threads",
            "input_sets",
            "files",
            "source",
            "evaluation",
            "association",
            "findings",
            "memos",
            "formatting",
            "shared",
            "render",
            "snapshot",
            "workspace",
            "command_line",
        ],
        up: &[
            ("association", "memos"),
            ("association", "shared"),
            ("association", "snapshot"),
            ("association", "workspace"),
            ("evaluation", "association"),
            ("evaluation", "findings"),
            ("evaluation", "render"),
            ("evaluation", "snapshot"),
            ("evaluation", "workspace"),
            ("files", "association"),
            ("files", "workspace"),
            ("findings", "shared"),
            ("input_sets", "association"),
            ("input_sets", "files"),
            ("input_sets", "findings"),
            ("input_sets", "workspace"),
            ("settings", "association"),
            ("settings", "files"),
            ("state", "association"),
            ("state", "evaluation"),
            ("state", "files"),
            ("state", "findings"),
            ("state", "input_sets"),
            ("state", "memos"),
            ("state", "render"),
            ("state", "shared"),
        ],
    },
    Floors {
        crate_name: "ide",
        order: &[
            "path",
            "markdown",
            "named",
            "effective",
            "yaml_text",
            "anchors",
            "fixture",
            "describe",
            "document_symbols",
            "inside",
            "starlark",
            "explain",
            "uses",
            "linked_editing",
            "significant",
            "code_lenses",
            "document_kind",
            "governing",
            "target",
            "completion",
            "field",
            "data_value",
            "document_highlights",
            "references",
            "hover",
            "folding_ranges",
            "selection_ranges",
            "on_type_formatting",
            "signature_help",
            "goto_definition",
            "type_definition",
            "keywords",
            "code_actions",
            "inlay_hints",
            "semantic_tokens",
            "configuration",
            "rename",
            "choose_schema",
            "robustness",
        ],
        up: &[
            ("completion", "configuration"),
            ("completion", "hover"),
            ("hover", "configuration"),
            ("inside", "completion"),
            ("starlark", "completion"),
            ("starlark", "goto_definition"),
            ("starlark", "hover"),
            ("starlark", "rename"),
            ("starlark", "semantic_tokens"),
            ("starlark", "signature_help"),
        ],
    },
    Floors {
        crate_name: "lsp",
        order: &[
            "from_proto",
            "uri",
            "client_process",
            "editor_settings",
            "cancel",
            "evaluator",
            "disk_looks",
            "pool",
            "event",
            "view",
            "code",
            "virtual_documents",
            "capabilities",
            "to_proto",
            "render",
            "trust",
            "outbox",
            "pulled",
            "typing",
            "publish",
            "outputs",
            "fetching",
            "settings",
            "answers",
            "facade",
            "log",
            "transport",
            "requests",
            "rendering",
            "session",
            "main_loop",
            "notifications",
            "server",
            "cli",
            "unopened",
            "elsewhere",
            "input_sets",
            "watched_files",
            "schemas",
            "scans",
            "workspace_problems",
        ],
        up: &[
            ("capabilities", "requests"),
            ("code", "outputs"),
            ("event", "code"),
            ("event", "session"),
            ("event", "view"),
            ("facade", "notifications"),
            ("facade", "requests"),
            ("fetching", "session"),
            ("outbox", "session"),
            ("pulled", "session"),
            ("render", "cli"),
            ("requests", "unopened"),
            ("session", "scans"),
            ("session", "watched_files"),
            ("session", "workspace_problems"),
            ("view", "capabilities"),
            ("view", "requests"),
            ("view", "to_proto"),
            ("view", "typing"),
        ],
    },
];

/// The modules that a text names after `crate::`, be it `crate::a::b` or `use crate::{a, b::{c}}`.
fn named_modules(code: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for (offset, _) in code.match_indices("crate::") {
        let is_part = code[..offset].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$');
        if is_part {
            continue;
        }
        let rest = &code[offset + "crate::".len()..];
        match rest.strip_prefix('{') {
            Some(list) => names.extend(top_level_names(list)),
            None => {
                names.insert(first_name(rest));
            }
        }
    }
    names
}

/// The arrows between modules of a crate.
fn arrows(floors: &Floors) -> BTreeSet<(String, String)> {
    let folder = format!("server/{}/src/", floors.crate_name);
    let mut arrows = BTreeSet::new();
    for source in server_sources().iter().filter(|source| source.crate_name == floors.crate_name) {
        let path = source.path.replace('\\', "/");
        let Some(below) = path.strip_prefix(&folder) else { continue };
        let from = below.split('/').next().unwrap_or(below).trim_end_matches(".rs");
        for to in named_modules(&source.code).into_iter().filter(|to| floors.order.contains(to) && *to != from) {
            arrows.insert((from.to_owned(), to.to_owned()));
        }
    }
    arrows
}

#[test]
fn modules_use_only_what_stands_below_them() {
    let mut wrong = Vec::new();
    for floors in FLOORS {
        let name = floors.crate_name;
        let floor = |module: &str| floors.order.iter().position(|known| *known == module);
        let mut left: BTreeSet<(&str, &str)> = floors.up.iter().copied().collect();
        let arrows = arrows(floors);
        for (from, to) in &arrows {
            if matches!(from.as_str(), "lib" | "main") {
                continue;
            }
            let Some(at) = floor(from) else {
                wrong.push(format!("{name}: `{from}` has no floor: put it into the order of its crate"));
                continue;
            };
            let is_up = floor(to).is_some_and(|other| other > at);
            if is_up && !left.remove(&(from.as_str(), to.as_str())) {
                wrong.push(format!("{name}: `{from}` uses `{to}`, which is above it"));
            }
        }
        wrong.extend(left.iter().map(|(from, to)| format!("{name}: `{from}` no longer uses `{to}`: remove the entry")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_are_found_in_all_forms() {
    let names = |code| named_modules(code).into_iter().collect::<Vec<_>>();
    assert_eq!(names("use crate::a::b; crate::c::d(); super::e"), ["a", "c"]);
    assert_eq!(names("use crate::{a, b::{c, d}, e::F};"), ["a", "b", "e"]);
    assert_eq!(names("$crate::a my_crate::b"), Vec::<&str>::new());
}
