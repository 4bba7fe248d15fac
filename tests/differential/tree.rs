//! Findings made in the tree, and those of the same text after its documents were lowered.
//!
//! A file is lowered if it has an anchor. So both ways get the same entries at the end, written with an anchor and its
//! alias, or without, in as many bytes.

use lofting_tests::made_up::dice::Dice;
use lofting_tests::made_up::values::{Manner, Values};
use serde_json::{Map, Value};

use crate::answers::{difference, findings, opened};
use crate::generator::{self, Draft};
use crate::program::Program;

const IN_TREE: &str = "zz:     0\nyy:   0\n";
const LOWERED: &str = "zz: &zz 0\nyy: *zz\n";

pub fn make(number: u64) -> Program {
    if number.is_multiple_of(3) { by_json_schema(number) } else { by_schema(number) }
}

fn by_schema(number: u64) -> Program {
    let mut made = Values::new(number);
    let schema = made.schema(number.is_multiple_of(5)) + "zz: 0\nyy: 0\n";
    let mut values = made.values(if number.is_multiple_of(2) { Manner::Annotated } else { Manner::Plain });
    if !number.is_multiple_of(2) {
        values.insert_str(0, "# lofting: schema=schema.yml\n");
    }
    let files = [("schema.yml", schema), ("values.yml", values)];
    Program { files: files.map(|(path, text)| (path.to_owned(), text)).into(), edits: Vec::new() }
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
        write(&mut values, &value, 0, &mut Dice::new(number));
    }
    let files = [("schema.json", schema), ("values.yml", values)];
    Program { files: files.map(|(path, text)| (path.to_owned(), text)).into(), edits: Vec::new() }
}

fn write(out: &mut String, value: &Value, indent: usize, dice: &mut Dice) {
    let pad = " ".repeat(indent);
    let mut entry = |out: &mut String, head: &str, value: &Value| {
        let is_filled = value.as_object().is_some_and(|map| !map.is_empty())
            || value.as_array().is_some_and(|items| !items.is_empty());
        if is_filled && dice.percent(80) {
            *out += &format!("{pad}{head}\n");
            write(out, value, indent + 2, dice);
        } else {
            *out += &format!("{pad}{head} {value}\n");
        }
    };
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| entry(out, &format!("{}:", Value::from(key.as_str())), value))
        }
        Value::Array(items) => items.iter().for_each(|item| entry(out, "-", item)),
        _ => {}
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
