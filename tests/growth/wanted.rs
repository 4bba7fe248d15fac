//! Work that is cancelled ends within a bounded number of steps, however large the file and the workspace are.
//!
//! Each request is answered right after an edit, with a flag that counts the allocations between two looks at it. The
//! most of them is as much as can still happen after the client has cancelled, and it may not grow with the input.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lofting_document::{FileId, Span};
use lofting_ide::{
    Abilities, ActionsAsked, Changes, CompletionOptions, HintChoices, LensChoices, Markup, TokenChoices, TokenMemo,
};
use lofting_workspace::{CancelFlag, Settings, Snapshot, Workspace};

use crate::{ALLOCATOR, turn};

/// Where a question is asked.
struct Place<'a> {
    snapshot: &'a Snapshot,
    file: FileId,
    offset: usize,
    cancel: &'a CancelFlag,
}

impl Place<'_> {
    fn whole(&self) -> std::ops::Range<usize> {
        0..self.snapshot.text(self.file).len()
    }
}

type Ask = fn(&Place<'_>);

/// What each request asks, by the files of `server/lsp/src/requests`.
const REQUESTS: &[(&str, Ask)] = &[
    ("call_hierarchy", |at| {
        drop(lofting_ide::prepare_call_hierarchy(at.snapshot, at.file, at.offset));
        drop(lofting_ide::incoming_calls(at.snapshot, at.file, at.offset));
        drop(lofting_ide::outgoing_calls(at.snapshot, at.file, at.offset));
    }),
    ("code_action", |at| {
        let asked = ActionsAsked { changes: Changes::None, ..ActionsAsked::ALL };
        drop(lofting_ide::code_actions(at.snapshot, at.file, at.whole(), &asked, at.cancel));
    }),
    ("code_action_resolve", |at| {
        drop(lofting_ide::code_actions(at.snapshot, at.file, at.whole(), &ActionsAsked::ALL, at.cancel));
    }),
    ("code_lens", |at| {
        drop(lofting_ide::code_lenses(at.snapshot, at.file, LensChoices::default()));
        std::hint::black_box(lofting_ide::key_uses(at.snapshot, Span::new(at.file, at.offset..at.offset), at.cancel));
    }),
    ("completion", |at| {
        let options = CompletionOptions { snippets: true, unasked: false };
        drop(lofting_ide::completion(at.snapshot, at.file, at.offset, &options));
    }),
    ("completion_resolve", |at| {
        let options = CompletionOptions { snippets: true, unasked: false };
        for item in lofting_ide::completion(at.snapshot, at.file, at.offset, &options).iter().take(3) {
            drop(item.documentation(at.snapshot, Markup::Markdown));
        }
    }),
    ("definition", |at| drop(lofting_ide::goto_definition(at.snapshot, at.file, at.offset))),
    ("describe_input_set", |at| {
        drop(lofting_ide::describe_input_set(at.snapshot, at.file, Abilities::default()));
    }),
    ("diagnostic", |at| drop(lofting_ide::diagnostics(at.snapshot, at.file, at.cancel))),
    ("document_highlight", |at| drop(lofting_ide::document_highlights(at.snapshot, at.file, at.offset))),
    ("document_link", |at| drop(lofting_ide::document_links(at.snapshot, at.file))),
    ("document_symbol", |at| drop(lofting_ide::document_symbols(at.snapshot, at.file))),
    ("folding_range", |at| drop(lofting_ide::folding_ranges(at.snapshot, at.file))),
    ("formatting", |at| drop(lofting_ide::formatting(at.snapshot, at.file, None))),
    ("hover", |at| drop(lofting_ide::hover(at.snapshot, at.file, at.offset, Markup::Markdown))),
    ("inlay_hint", |at| {
        drop(lofting_ide::inlay_hints(at.snapshot, at.file, at.whole(), &HintChoices::default()));
    }),
    ("linked_editing_range", |at| drop(lofting_ide::linked_editing(at.snapshot, at.file, at.offset))),
    ("on_type_formatting", |at| drop(lofting_ide::on_type_formatting(at.snapshot, at.file, at.offset))),
    ("prepare_rename", |at| drop(lofting_ide::prepare_rename(at.snapshot, at.file, at.offset))),
    ("range_formatting", |at| drop(lofting_ide::formatting(at.snapshot, at.file, Some(at.whole())))),
    ("references", |at| drop(lofting_ide::references(at.snapshot, at.file, at.offset, true))),
    ("rename", |at| drop(lofting_ide::rename(at.snapshot, at.file, at.offset, "renamed"))),
    ("schema_choices", |at| {
        drop(lofting_ide::schema_choices(at.snapshot, at.file, Abilities::default(), at.cancel));
    }),
    ("selection_range", |at| drop(lofting_ide::selection_ranges(at.snapshot, at.file, at.offset))),
    ("semantic_tokens", |at| {
        let mut memo = TokenMemo::default();
        drop(lofting_ide::semantic_tokens(at.snapshot, at.file, TokenChoices::default(), &mut memo));
    }),
    ("signature_help", |at| {
        drop(lofting_ide::signature_help(at.snapshot, at.file, at.offset, Markup::Markdown));
    }),
    ("type_definition", |at| drop(lofting_ide::type_definition(at.snapshot, at.file, at.offset))),
    ("will_rename_files", |at| {
        let path = at.snapshot.path(at.file).to_owned();
        let moved = [(path.clone(), path.with_file_name("moved.yml"))];
        drop(lofting_ide::rename_files(at.snapshot, &moved, at.cancel));
    }),
    ("workspace_diagnostic", |at| {
        for file in at.snapshot.files() {
            drop(at.snapshot.findings_of_closed_file(file, at.cancel));
        }
    }),
    ("workspace_symbol", |at| drop(lofting_ide::workspace_symbols(at.snapshot, "r", at.cancel))),
];

/// Requests that are not among them, and why.
const OTHERS: &[(&str, &str)] = &[
    ("choose_schema", "changes a line"),
    ("explain", "says what `status` knows"),
    ("status", "says what the state knows"),
    ("final_data_values", "runs code, which has limits of its own"),
    ("rendered_output", "runs code, which has limits of its own"),
];

/// A file that grows, among others.
struct Kind {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    head: &'static str,
    path: &'static str,
    /// A piece of the text; `NUMBER` is its number.
    piece: &'static str,
    /// So many other files have a piece each.
    others: usize,
}

const SCHEMA: &str = "#@data/values-schema\n---\nroutes:\n- name: ''\n  port: 0\n";

const JSON_SCHEMA: &str =
    r#"{"properties": {"routes": {"items": {"properties": {"name": {"enum": ["a"]}, "port": {"minimum": 1}}}}}}"#;

const KINDS: &[Kind] = &[
    Kind {
        name: "values in many files",
        files: &[("schema.yml", SCHEMA)],
        head: "#@data/values\n---\nroutes:\n",
        path: "values.yml",
        piece: "- name: rNUMBER\n  port: NUMBER\n",
        others: 300,
    },
    Kind {
        name: "a template",
        files: &[("schema.yml", SCHEMA)],
        head: "#@ load(\"@ytt:data\", \"data\")\nitems:\n",
        path: "values.yml",
        piece: "#@ if data.values.routes:\n- name: #@ data.values.routes[0].name\n#@ end\n",
        others: 0,
    },
    Kind {
        name: "aliases",
        files: &[("schema.json", JSON_SCHEMA)],
        head: "# yaml-language-server: $schema=schema.json\nname: &n x\nroutes:\n",
        path: "values.yml",
        piece: "- name: *n\n  port: NUMBER\n",
        others: 0,
    },
    Kind {
        name: "a stream of resources",
        files: &[],
        head: "",
        path: "values.yml",
        piece: "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: cNUMBER\ndata:\n  a: b\n",
        others: 0,
    },
    Kind {
        name: "a schema",
        files: &[("values.yml", "#@data/values\n---\nk1: 2\n")],
        head: "#@data/values-schema\n---\n",
        path: "schema.yml",
        piece: "#@schema/desc \"dNUMBER\"\nkNUMBER: NUMBER\n",
        others: 0,
    },
    Kind {
        name: "wrong values",
        files: &[("schema.json", JSON_SCHEMA)],
        head: "# yaml-language-server: $schema=schema.json\nroutes:\n",
        path: "values.yml",
        piece: "- {name: rNUMBER, port: 0}\n",
        others: 0,
    },
];

/// What is allocated at most between two looks at a flag, and how often it was looked at.
#[derive(Clone, Debug, Default)]
struct Looks {
    last: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
    looks: Arc<AtomicUsize>,
}

impl Looks {
    fn allocations() -> usize {
        let stats = ALLOCATOR.stats();
        stats.allocations + stats.reallocations
    }

    fn begin() -> Looks {
        let looks = Looks::default();
        looks.last.store(Looks::allocations(), Ordering::SeqCst);
        looks
    }

    fn look(&self) {
        let now = Looks::allocations();
        let gap = now - self.last.swap(now, Ordering::SeqCst);
        self.most.fetch_max(gap, Ordering::SeqCst);
        self.looks.fetch_add(1, Ordering::SeqCst);
    }
}

/// Pieces of the file.
const PIECES: usize = 2_400;

/// Allocations without a look at the flag that take a few milliseconds at most, for requests that take a few hundred
/// thousand of them.
const MOST: usize = 25_000;

/// A workspace with a file that grows: its directory, the path and the text of the file, and an offset in its middle.
fn workspace(kind: &Kind) -> (tempfile::TempDir, Workspace, PathBuf, String, usize) {
    let directory = tempfile::tempdir().expect("a directory");
    let root: PathBuf = directory.path().canonicalize().expect("a directory");
    for (path, text) in kind.files {
        fs::write(root.join(path), text).expect("a file");
    }
    let (mut text, mut middle) = (kind.head.to_owned(), 0);
    for number in 0..PIECES {
        let piece = kind.piece.replace("NUMBER", &number.to_string());
        if number == PIECES / 2 {
            middle = text.len() + piece.find(": ").map_or(0, |at| at - 1);
        }
        text += &piece;
    }
    for number in 0..kind.others {
        fs::write(root.join(format!("other{number}.yml")), format!("{}- name: r{number}\n", kind.head))
            .expect("a file");
    }
    let path = root.join(kind.path);
    fs::write(&path, &text).expect("a file");
    let mut workspace = Workspace::new(vec![root], Settings::default());
    workspace.scan(&mut |_| {}, &CancelFlag::new());
    (directory, workspace, path, text, middle)
}

/// The most that is allocated between two looks, and after the flag is raised at a third of them.
fn longest(workspace: &mut Workspace, path: &Path, text: &str, middle: usize, ask: Ask) -> usize {
    let file = workspace.open(path, 1, text);
    workspace.edit(file, 2, middle..middle, "x");
    let snapshot = workspace.snapshot();
    let looks = Looks::begin();
    let watched = looks.clone();
    let flag = CancelFlag::watched(move || {
        watched.look();
        false
    });
    let place = Place { snapshot: &snapshot, file, offset: middle, cancel: &flag };
    assert!(flag.until_cancelled(|| ask(&place)).is_ok());
    looks.look();
    workspace.edit(file, 3, middle..middle, "y");
    let snapshot = workspace.snapshot();
    let (left, raised) = (AtomicUsize::new(looks.looks.load(Ordering::SeqCst) / 3), Looks::begin());
    let watched = raised.clone();
    let flag = CancelFlag::watched(move || {
        watched.last.store(Looks::allocations(), Ordering::SeqCst);
        left.fetch_sub(1, Ordering::SeqCst) <= 1
    });
    let place = Place { snapshot: &snapshot, file, offset: middle, cancel: &flag };
    let _ = flag.until_cancelled(|| ask(&place));
    raised.look();
    workspace.close(file);
    looks.most.load(Ordering::SeqCst).max(raised.most.load(Ordering::SeqCst))
}

#[test]
fn every_request_ends_soon_after_it_is_cancelled() {
    let _turn = turn();
    let only = std::env::var("LOFTING_GROWTH").unwrap_or_default();
    let mut wrong = String::new();
    for kind in KINDS.iter().filter(|kind| kind.name.contains(&only)) {
        let (_directory, mut workspace, path, text, middle) = workspace(kind);
        for (name, ask) in REQUESTS {
            let longest = longest(&mut workspace, &path, &text, middle, *ask);
            if longest > MOST {
                let _ = writeln!(wrong, "{}, {name}: {longest} allocations without a look", kind.name);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_request_is_here() {
    let source = include_str!("../../server/lsp/src/requests.rs");
    let (_, list) = source.split_once("requests! {\n").expect("the list");
    let files = list.lines().filter_map(|line| line.trim().split_once(": ")).map(|(file, _)| file);
    let known = REQUESTS.iter().map(|(name, _)| *name).chain(OTHERS.iter().map(|(name, _)| *name));
    assert_eq!(files.collect::<BTreeSet<_>>(), known.collect::<BTreeSet<_>>());
}
