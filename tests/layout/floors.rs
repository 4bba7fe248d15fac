//! The floors inside the large crates: a module uses only modules below it.
//!
//! Arrows back up are listed, each as `(from, to)`. The list may only get shorter: a new arrow fails, and so does an
//! entry that is no longer needed. Modules are the files and folders directly below `src`.

use std::collections::{BTreeMap, BTreeSet};

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
            "quiet",
            "earlier",
            "head",
            "resources",
            "json_schema",
            "inside",
            "openchoreo",
            "kubernetes",
            "ytt",
            "proposals",
            "data_values",
            "openapi",
        ],
        up: &[],
    },
    Floors {
        crate_name: "check",
        order: &[
            "path",
            "placing",
            "decimal",
            "final_values",
            "moved",
            "finding",
            "layers",
            "score",
            "memo",
            "view",
            "words",
            "at",
            "bound",
            "place",
            "read_places",
            "rules",
            "meant",
            "following",
            "repeated",
            "visit",
            "limit",
            "document",
            "values",
            "overlay",
            "syntax",
            "schema",
            "set",
            "tree",
            "unused",
            "data_values",
            "part",
        ],
        up: &[],
    },
    Floors {
        crate_name: "workspace",
        order: &[
            "disk",
            "settings",
            "inputs",
            "config",
            "discover",
            "threads",
            "floors",
            "caches",
            "files",
            "source",
            "input_sets",
            "evaluation",
            "association",
            "formatting",
            "findings",
            "state",
            "render",
            "running",
            "snapshot",
            "workspace",
            "command_line",
        ],
        up: &[],
    },
    Floors {
        crate_name: "ide",
        order: &[
            "anchors",
            "diagnostics",
            "document_links",
            "final_values",
            "formatting",
            "half_typed",
            "markdown",
            "path",
            "rename_files",
            "rendered_output",
            "selection_ranges",
            "significant",
            "token_kinds",
            "workspace_symbols",
            "yaml_text",
            "json",
            "answers",
            "describe",
            "document_kind",
            "effective",
            "explain",
            "linked_editing",
            "completion_item",
            "document_symbols",
            "governing",
            "configuration",
            "inside",
            "likely_values",
            "target",
            "field",
            "pages",
            "starlark",
            "named",
            "type_definition",
            "completion",
            "data_value",
            "migration",
            "folding_ranges",
            "inlay_hints",
            "value_at",
            "semantic_tokens",
            "signature_help",
            "uses",
            "code_actions",
            "code_lenses",
            "hover",
            "document_highlights",
            "references",
            "goto_definition",
            "rename",
            "on_type_formatting",
            "choose_schema",
            "keyword_tests",
            "fixture",
            "robustness",
        ],
        up: &[],
    },
    Floors {
        crate_name: "lsp",
        order: &[
            "cancel",
            "client_process",
            "editor_settings",
            "evaluator",
            "evaluation",
            "event",
            "fetching",
            "jsonrpc",
            "languages",
            "last_pull",
            "lifecycle",
            "out_queue",
            "client",
            "plain",
            "pool",
            "positions",
            "rewrite",
            "router",
            "terminal",
            "token_results",
            "trust",
            "typing",
            "uri",
            "awaited",
            "code",
            "outbox",
            "report",
            "forms",
            "mcp",
            "settings",
            "virtual_documents",
            "capabilities",
            "log",
            "outputs",
            "view",
            "to_proto",
            "closed_files",
            "requests",
            "session",
            "main_loop",
            "notifications",
            "facade",
            "transport",
            "server",
            "cli",
        ],
        up: &[],
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

/// The names that the root of a crate shows, by the modules that they come from.
fn shown_by_root<'s>(root: &'s str, order: &[&str]) -> BTreeMap<&'s str, &'s str> {
    let mut shown = BTreeMap::new();
    for part in root.split("use ").skip(1).filter_map(|rest| rest.split(';').next()) {
        let module = first_name(part);
        let Some(names) = part.strip_prefix(module).and_then(|rest| rest.strip_prefix("::")) else { continue };
        if !order.contains(&module) {
            continue;
        }
        // `a::{B, c::D, E as F}`: the last word is the name.
        for name in names.split(['{', '}', ',']) {
            let name = name.trim().rsplit([' ', ':']).next().unwrap_or_default();
            if !name.is_empty() {
                shown.insert(name, module);
            }
        }
    }
    shown
}

/// The arrows between modules of a crate.
fn arrows(floors: &Floors) -> BTreeSet<(String, String)> {
    let folder = format!("server/{}/src/", floors.crate_name);
    let mut arrows = BTreeSet::new();
    let is_root = |path: &str| matches!(path.strip_prefix(&folder), Some("lib.rs" | "main.rs"));
    let root = server_sources().into_iter().find(|source| is_root(&source.path.replace('\\', "/")));
    let root = root.map(|root| root.code).unwrap_or_default();
    let shown = shown_by_root(&root, floors.order);
    for source in server_sources().iter().filter(|source| source.crate_name == floors.crate_name) {
        let path = source.path.replace('\\', "/");
        let Some(below) = path.strip_prefix(&folder) else { continue };
        let from = below.split('/').next().unwrap_or(below).trim_end_matches(".rs");
        let named = named_modules(&source.code).into_iter();
        let modules = named.map(|name| shown.get(name).copied().unwrap_or(name));
        for to in modules.filter(|to| floors.order.contains(to) && *to != from) {
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
    let shown = shown_by_root("mod a;\npub use a::{B, c::D, E as F};\npub(crate) use b::G;\nuse std::H;", &["a", "b"]);
    let shown: Vec<(&str, &str)> = shown.into_iter().collect();
    assert_eq!(shown, [("B", "a"), ("D", "a"), ("F", "a"), ("G", "b")]);
}
