//! Findings made in the tree, and those of the same text after its documents were lowered.
//!
//! A document is lowered if two anchors have the name of an alias, and values of ytt if there is an anchor. So both ways get
//! the same entries at the end, written with anchors and an alias, or without, in as many bytes.

use lofting_tests::made_up::dice::Dice;
use lofting_tests::made_up::values::{Manner, Values};
use serde_json::{Map, Value};

use crate::answers::{difference, findings, opened};
use crate::generator::{self, Draft};
use crate::program::Program;

const IN_TREE: &str = "zz:    0\nyz:    0\nyy:  0\n";
const LOWERED: &str = "zz: &z 0\nyz: &z 0\nyy: *z\n";

/// So many names of anchors are used in a document.
const NAMES: usize = 5;

const COMMENT: &str = " # A comment of this length makes the value that it is in long enough to be remembered, with what was found in it, \
                       until it changes.";

const TAGS: [&str; 8] =
    ["!!str ", "!Ref ", "!!int ", "!", "!local ", "!!binary ", "!<tag:yaml.org,2002:str> ", "!!map "];

pub fn make(number: u64) -> Program {
    if number.is_multiple_of(3) { by_json_schema(number) } else { by_schema(number) }
}

fn by_schema(number: u64) -> Program {
    let mut made = Values::new(number);
    let schema = made.schema(number.is_multiple_of(5)) + "zz: 0\nyz: 0\nyy: 0\n";
    let mut values = made.values(if number.is_multiple_of(2) { Manner::Annotated } else { Manner::Plain });
    if !number.is_multiple_of(2) {
        values = named(&values, &mut Dice::new(number));
        values.insert_str(0, "# lofting: schema=schema.yml\n");
    }
    let files = [("schema.yml", schema), ("values.yml", values)];
    Program { files: files.map(|(path, text)| (path.to_owned(), text)).into(), edits: Vec::new() }
}

/// Values with anchors, with aliases in place of some of them, and with merge keys.
fn named(values: &str, dice: &mut Dice) -> String {
    let (mut out, mut names) = (String::new(), 0);
    for line in values.split_inclusive('\n') {
        let indent = &line[..line.len() - line.trim_start().len()];
        let (head, value) = line.split_once(": ").unwrap_or((line, ""));
        if value.trim().is_empty() || value.starts_with(['|', '>', '&']) {
            out += line;
        } else if names > 0 && dice.percent(12) {
            out += &format!("{head}: *x{}\n", dice.below(names));
        } else if names > 0 && !line.trim_start().starts_with('-') && dice.percent(6) {
            out += &format!("{indent}<<: *x{}\n{line}", dice.below(names));
        } else if dice.percent(15) {
            out += &format!("{head}: &x{names} {value}");
            names += 1;
        } else {
            out += line;
        }
    }
    out
}

/// A document with a JSON Schema, in block style.
fn by_json_schema(number: u64) -> Program {
    let mut dice = generator::Dice(number);
    let draft = Draft::ALL[number as usize % Draft::ALL.len()];
    let schema = format!("{:#}\n", generator::schema(&mut dice, draft));
    let mut values = "# yaml-language-server: $schema=schema.json\n".to_owned();
    for document in 0..1 + dice.below(2) {
        if document > 0 {
            values += "---\n";
        }
        let mut value = generator::value(&mut dice, 3);
        while value.as_object().is_none_or(Map::is_empty) {
            value = generator::value(&mut dice, 3);
        }
        let mut dice = Dice::new(number);
        let names = number.is_multiple_of(2).then(Names::default);
        Writer { out: &mut values, dice: &mut dice, names }.value(&value, 0);
    }
    let files = [("schema.json", schema), ("values.yml", values)];
    Program { files: files.map(|(path, text)| (path.to_owned(), text)).into(), edits: Vec::new() }
}

/// The names that a document has so far.
#[derive(Default)]
struct Names(Vec<String>);

/// Writes a value in block style.
struct Writer<'w> {
    out: &'w mut String,
    dice: &'w mut Dice,
    /// None if it has no anchors, aliases, merge keys and tags.
    names: Option<Names>,
}

impl Writer<'_> {
    fn value(&mut self, value: &Value, indent: usize) {
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    self.merge_key(indent);
                    self.entry(&format!("{}:", Value::from(key.as_str())), value, indent);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.entry("-", item, indent)),
            _ => {}
        }
    }

    fn entry(&mut self, head: &str, value: &Value, indent: usize) {
        let pad = " ".repeat(indent);
        let before = self.before();
        // What is remembered from one edit to the next is long.
        let comment = if self.names.is_some() && self.dice.percent(25) { COMMENT } else { "" };
        if before.starts_with('*') {
            *self.out += &format!("{pad}{head} {before}{comment}\n");
            return;
        }
        let is_filled = value.as_object().is_some_and(|map| !map.is_empty())
            || value.as_array().is_some_and(|items| !items.is_empty());
        if is_filled && self.dice.percent(80) {
            *self.out += &format!("{pad}{head} {}{comment}\n", before.trim_end());
            self.value(value, indent + 2);
        } else {
            *self.out += &format!("{pad}{head} {before}{value}{comment}\n");
        }
    }

    /// An anchor or a tag, or an alias in place of the value.
    fn before(&mut self) -> String {
        let Some(names) = &mut self.names else { return String::new() };
        let kind = self.dice.below(100);
        if kind < 12 {
            // A few have the name of another one.
            let name = if self.dice.percent(95) { names.0.len() } else { self.dice.below(names.0.len() + 1) };
            names.0.push(format!("a{}", name % (NAMES * 4)));
            format!("&a{} ", name % (NAMES * 4))
        } else if kind < 20 {
            format!("*{}", self.name())
        } else if kind < 26 {
            (*self.dice.pick(&TAGS)).to_owned()
        } else {
            String::new()
        }
    }

    /// A name that most likely has a value.
    fn name(&mut self) -> String {
        let known = self.names.as_ref().map_or(&[][..], |names| &names.0);
        if known.is_empty() || self.dice.percent(4) { "unknown".to_owned() } else { self.dice.pick(known).clone() }
    }

    fn merge_key(&mut self, indent: usize) {
        if self.names.is_none() || !self.dice.percent(12) {
            return;
        }
        let (one, other) = (self.name(), self.name());
        let value = match self.dice.below(6) {
            0 => format!("[*{one}, *{other}]"),
            1 => format!("[{{a: 1, port: x}}, *{one}]"),
            2 => "{name: 1}".to_owned(),
            _ => format!("*{one}"),
        };
        *self.out += &format!("{}<<: {value}\n", " ".repeat(indent));
    }
}

pub fn differs(program: &Program) -> Option<String> {
    let said = |end: &str| {
        let mut files = program.files.clone();
        for (path, text) in &mut files {
            if path == "values.yml" {
                *text += end;
            }
        }
        let (mut workspace, ids) = opened(&files);
        // Half-typed lines count as they do after a pause.
        ids.iter().for_each(|file| _ = workspace.typing_over(*file));
        // The entries at the end differ in where their values are.
        let end = format!("values.yml:{}", program.text("values.yml").len());
        let is_before = |line: &String| !line.starts_with("values.yml:") || place(line) < place(&end);
        findings(&mut workspace, &ids).into_iter().filter(is_before).collect::<Vec<_>>()
    };
    difference(["in the tree", "lowered"], &said(IN_TREE), &said(LOWERED))
}

/// Where what a line is about begins.
fn place(line: &str) -> usize {
    let number = line.trim_start_matches("values.yml:");
    number[..number.find('.').unwrap_or(number.len())].parse().unwrap_or(0)
}
