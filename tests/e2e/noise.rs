//! Documents typed line by line, with the rest of them kept: what is half-typed raises nothing on other lines.
//!
//! `LOFTING_HALF_TYPED=all` types every line of every document instead of a sample.
#![allow(clippy::print_stdout, reason = "what was counted is shown")]

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::client::{Client, Setup};
use crate::documents::{Files, cases, examples};

/// One folder in this many is typed in.
const FOLDERS: usize = 24;

/// One line in this many is typed there.
const LINES: usize = 5;

/// What a first child begins with, or may be taken for.
const BEGINNINGS: &[&str] = &[
    "",
    "n",
    "na",
    "'",
    "'p",
    "\"",
    "\"p",
    "1",
    "-1",
    "~",
    "null",
    "true",
    "-",
    "- ",
    "&",
    "&a",
    "&a ",
    "!",
    "!t",
    "!!str ",
    "*",
    "*a",
    "{",
    "[",
    "{a",
    "[1,",
    "#",
    "# c",
    "#!",
    "#! c",
    "#@",
    "#@ ",
    "#@ x",
    "#@schema/",
    "@",
    "%",
    "`",
    "<",
    "|",
    ">",
];

/// The text into which a user changes a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Schema,
    Values,
    Template,
    OpenChoreo,
    Configuration,
}

fn kind(name: &str, text: &str) -> Kind {
    match text {
        _ if name.ends_with(".toml") => Kind::Configuration,
        text if text.contains("openchoreo.dev/") => Kind::OpenChoreo,
        text if text.contains("#@data/values-schema") => Kind::Schema,
        text if text.contains("openAPIV3Schema:") => Kind::Schema,
        text if !text.contains("#@") || text.contains("#@data/values") => Kind::Values,
        _ => Kind::Template,
    }
}

/// Whether a document has values below keys, and no schema.
fn is_values(name: &str, text: &str) -> bool {
    match kind(name, text) {
        Kind::Values => true,
        Kind::OpenChoreo => !text.contains("openAPIV3Schema:"),
        Kind::Schema | Kind::Template | Kind::Configuration => false,
    }
}

#[derive(Default)]
struct Count {
    states: usize,
    noisy: usize,
}

/// One document open in a server.
struct Typist<'c> {
    client: &'c mut Client,
    name: &'c str,
}

impl Typist<'_> {
    /// Lines, codes and messages of what is shown.
    fn shown(&mut self) -> Vec<(usize, String, String)> {
        let shown = |found: &Value| {
            let line = found["range"]["start"]["line"].as_u64().expect("a line") as usize;
            let text = |name: &str| found[name].as_str().expect("a text").to_owned();
            (line, text("code"), text("message"))
        };
        self.client.all_findings(self.name).iter().map(shown).collect()
    }

    fn put(&mut self, from: (usize, usize), to: (usize, usize), text: &str) {
        let range = [from.0, from.1, to.0, to.1].map(|number| u32::try_from(number).expect("a small document"));
        self.client.change(self.name, range, text);
    }
}

fn open(files: &Files) -> Client {
    let mut setup = Setup::rich()
        .capability("general.positionEncodings", json!(["utf-32"]))
        .capability("textDocument.diagnostic", json!({"dynamicRegistration": true}));
    for (name, text) in files {
        setup = setup.file(name, text);
    }
    let mut client = setup.start();
    client.wait("the end of the scan", |message| message["params"]["value"]["kind"] == "end");
    client
}

fn documents(files: &Files) -> impl Iterator<Item = &(String, String)> {
    let is_ours = |name: &str| name.ends_with(".yml") || name.ends_with(".yaml") || name.ends_with("lofting.toml");
    files.iter().filter(move |(name, text)| is_ours(name) && !text.contains('\r'))
}

#[test]
fn a_line_being_typed_raises_nothing_elsewhere() {
    let all = std::env::var("LOFTING_HALF_TYPED").is_ok_and(|value| value == "all");
    let examples = examples();
    let typed_in_any_case = examples.len();
    let folders: Vec<Files> = examples.into_iter().chain(cases()).collect();
    let mut counts: BTreeMap<Kind, Count> = BTreeMap::new();
    let mut classes: BTreeMap<(Kind, &str, String), Vec<String>> = BTreeMap::new();
    let mut turn = 0;
    for (number, files) in folders.iter().enumerate() {
        if !all && number % FOLDERS != 0 && number >= typed_in_any_case {
            continue;
        }
        let mut client = open(files);
        for (name, text) in documents(files) {
            let kind = kind(name, text);
            let lines: Vec<&str> = text.split('\n').collect();
            client.open(name, text);
            let mut typist = Typist { client: &mut client, name };
            let known: BTreeSet<(usize, String)> =
                typist.shown().into_iter().map(|(line, code, _)| (line, code)).collect();
            for (at, line) in lines.iter().enumerate() {
                turn += 1;
                if !(all || turn % LINES == 0) || line.trim().is_empty() {
                    continue;
                }
                let width = line.chars().count();
                let depth = width - line.trim_start().chars().count();
                // As after Enter on the line above, in an editor that indents.
                typist.put((at, 0), (at, width), &line[..depth]);
                for (typed, c) in line.chars().enumerate().skip(depth) {
                    typist.put((at, typed), (at, typed), &c.to_string());
                    if typed + 1 == width {
                        break;
                    }
                    let count = counts.entry(kind).or_default();
                    count.states += 1;
                    let elsewhere = |(line, code, _): &(usize, String, String)| {
                        *line != at && !known.contains(&(*line, code.clone()))
                    };
                    let raised: Vec<_> = typist.shown().into_iter().filter(elsewhere).collect();
                    count.noisy += usize::from(!raised.is_empty());
                    for (other, code, message) in raised {
                        let side = if other < at { "above" } else { "below" };
                        let typed: String = line.chars().take(typed + 1).collect();
                        let message = message.lines().next().unwrap_or_default();
                        let note = format!("{name}:{} {typed:?} raises in line {}: {message}", at + 1, other + 1);
                        classes.entry((kind, side, code)).or_default().push(note);
                    }
                }
            }
            client.close(name);
        }
    }
    for ((kind, side, code), notes) in &classes {
        println!("{:4} {kind:?} {side} {code}\n       {}", notes.len(), notes[0]);
    }
    for (kind, Count { states, noisy }) in &counts {
        println!("{kind:?}: {noisy} of {states} states are noisy");
        let permille = match kind {
            Kind::Values => 2,
            Kind::Schema | Kind::OpenChoreo | Kind::Configuration => 5,
            Kind::Template => 10,
        };
        // There is one short `lofting.toml`.
        let least = if *kind == Kind::Configuration { 10 } else { 100 };
        assert!(*states > least, "{kind:?} are typed");
        assert!(noisy * 1000 <= states * permille, "{kind:?}: {noisy} of {states} states are noisy");
    }
}

/// The lines of a block below the key in line `at`.
fn block(lines: &[&str], at: usize) -> std::ops::Range<usize> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let key = lines[at].len() - lines[at].trim_start_matches([' ', '-']).len();
    let deeper = |line: &&&str| {
        line.trim().is_empty() || depth(line) > key || (depth(line) == key && line.trim_start().starts_with("- "))
    };
    let mut end = at + 1 + lines[at + 1..].iter().take_while(deeper).count();
    while end > at + 1 && lines[end - 1].trim().is_empty() {
        end -= 1;
    }
    at + 1..end
}

#[test]
fn the_line_above_a_first_child_stays_quiet() {
    let mut wrong = Vec::new();
    let mut states = 0;
    for files in examples() {
        let mut client = open(&files);
        let values = documents(&files).filter(|(name, text)| is_values(name, text));
        for (name, text) in values {
            let lines: Vec<&str> = text.split('\n').collect();
            for at in 0..lines.len() {
                let block = block(&lines, at);
                if block.is_empty() || !lines[at].trim_end().ends_with(':') {
                    continue;
                }
                // The key alone, then Enter, then what is typed.
                let depth = lines[block.start].len() - lines[block.start].trim_start().len();
                let (above, below) = (lines[..=at].join("\n"), lines[block.end..].join("\n"));
                client.open(name, &format!("{above}\n{below}"));
                let mut typist = Typist { client: &mut client, name };
                let known: BTreeSet<(usize, String)> =
                    typist.shown().into_iter().map(|(line, code, _)| (line + usize::from(line > at), code)).collect();
                let width = lines[at].chars().count();
                typist.put((at, width), (at, width), &format!("\n{}", " ".repeat(depth)));
                let mut before = depth;
                for beginning in BEGINNINGS {
                    typist.put((at + 1, depth), (at + 1, before), beginning);
                    if beginning.is_empty() {
                        // Enter again: what the first test of this line replaced was nothing.
                        typist.put((at + 1, 0), (at + 1, depth), "");
                        typist.put((at, width), (at + 1, 0), "");
                        typist.put((at, width), (at, width), &format!("\n{}", " ".repeat(depth)));
                    }
                    before = depth + beginning.chars().count();
                    states += 1;
                    // A finding about the item that begins with the key is not about the key's value.
                    let of_item = |code: &str| lines[at].trim_start().starts_with('-') && code == "ytt/validation";
                    let raised = typist.shown().into_iter().filter(|(line, code, _)| {
                        let was_said = known.contains(&(*line, code.clone()));
                        if *line == at { !(was_said && of_item(code)) } else { *line != at + 1 && !was_said }
                    });
                    wrong.extend(raised.map(|(line, code, message)| {
                        format!("{name}:{} {beginning:?} raises {code} in line {}: {message}", at + 2, line + 1)
                    }));
                }
                client.close(name);
            }
        }
    }
    println!("{} of {states} states are noisy", wrong.len());
    assert!(states > 500);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
