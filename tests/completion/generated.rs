//! Schemas and valid documents for them, in every style people indent, quote and bracket.

use crate::documents::Document;
use std::fmt::Write as _;

/// Numbers that look random and are the same in every run.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Less than `below`.
    pub fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % below.max(1)
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.roll(times) == 0
    }

    pub fn pick<'a>(&mut self, of: &'a [&'a str]) -> &'a str {
        of[self.roll(of.len())]
    }
}

enum Type {
    Bool,
    Int,
    Text,
    Choice(&'static [&'static str]),
    Map(Vec<(&'static str, Type)>),
    Array(Box<Type>),
}

const NAMES: &[&str] = &[
    "name",
    "image",
    "tag",
    "ports",
    "port",
    "env",
    "value",
    "labels",
    "host",
    "path",
    "rules",
    "items",
    "limits",
    "cpu",
    "memory",
    "tls",
    "secret",
    "mode",
    "level",
    "users",
    "email",
    "enabled",
    "debug",
    "count",
    "app.io/name",
    "two words",
    "on",
    "größe",
];
const CHOICES: &[&[&str]] = &[&["debug", "info", "warn"], &["TCP", "UDP"], &["1.2", "1.3"], &["a b", "c: d", "yes"]];
const TEXTS: &[&str] = &["web", "nginx", "a b c", "\"1.0\"", "'it''s'", "name", "x-y_z", "\"name: x\"", "über"];

fn make(dice: &mut Dice, depth: usize) -> Type {
    match dice.roll(if depth > 3 { 4 } else { 8 }) {
        0 => Type::Bool,
        1 => Type::Int,
        2 => Type::Text,
        3 => Type::Choice(CHOICES[dice.roll(CHOICES.len())]),
        4 | 5 => Type::Array(Box::new(if dice.once_in(2) { make_map(dice, depth + 1) } else { make(dice, depth + 1) })),
        _ => make_map(dice, depth + 1),
    }
}

fn make_map(dice: &mut Dice, depth: usize) -> Type {
    let mut keys: Vec<(&'static str, Type)> = Vec::new();
    for _ in 0..2 + dice.roll(4) {
        let name = NAMES[dice.roll(NAMES.len())];
        if keys.iter().all(|(known, _)| *known != name) {
            keys.push((name, make(dice, depth)));
        }
    }
    Type::Map(keys)
}

fn quoted(name: &str) -> String {
    if name == "on" { "\"on\"".to_owned() } else { name.to_owned() }
}

fn scalar(text: &str) -> String {
    if text.contains(": ") || matches!(text, "yes" | "1.2" | "1.3") { format!("\"{text}\"") } else { text.to_owned() }
}

/// The schema's node after `key:` or `-`, with children at `column`.
fn schema(out: &mut String, of: &Type, column: usize) {
    let blanks = " ".repeat(column);
    match of {
        Type::Bool => out.push_str(" false\n"),
        Type::Int => out.push_str(" 1\n"),
        Type::Text => out.push_str(" \"\"\n"),
        Type::Choice(values) => {
            let _ = writeln!(out, " {}", scalar(values[0]));
        }
        Type::Map(keys) => {
            out.push('\n');
            for (name, of) in keys {
                rule(out, of, &blanks);
                let _ = write!(out, "{blanks}{}:", quoted(name));
                schema(out, of, column + 2);
            }
        }
        Type::Array(item) => {
            out.push('\n');
            rule(out, item, &blanks);
            let _ = write!(out, "{blanks}-");
            schema(out, item, column + 2);
        }
    }
}

fn rule(out: &mut String, of: &Type, blanks: &str) {
    if let Type::Choice(values) = of {
        let _ = writeln!(out, "{blanks}#@schema/validation one_of={values:?}");
    }
}

/// How a document is written.
struct Style {
    indent: usize,
    /// Columns between a key and the dashes below it.
    dash: usize,
    /// One collection in this many is in brackets; 0 for none.
    brackets: usize,
    /// One line in this many is followed by an empty one or a comment; 0 for none.
    gaps: usize,
}

struct Writer<'d> {
    dice: &'d mut Dice,
    style: Style,
    out: String,
}

impl Writer<'_> {
    fn scalar(&mut self, of: &Type) -> String {
        match of {
            Type::Bool => self.dice.pick(&["true", "false"]).to_owned(),
            Type::Int => self.dice.roll(9000).to_string(),
            Type::Text => self.dice.pick(TEXTS).to_owned(),
            Type::Choice(values) => scalar(values[self.dice.roll(values.len())]),
            Type::Map(_) | Type::Array(_) => unreachable!("no scalar"),
        }
    }

    fn end_line(&mut self) {
        self.out.push('\n');
        if self.style.gaps > 0 && self.dice.once_in(self.style.gaps) {
            self.out.push_str(if self.dice.once_in(2) { "\n" } else { "# note\n" });
        }
    }

    fn flow(&mut self, of: &Type) {
        match of {
            Type::Map(keys) => {
                self.out.push('{');
                for (index, (name, of)) in keys.iter().enumerate() {
                    let _ = write!(self.out, "{}{}: ", if index > 0 { ", " } else { "" }, quoted(name));
                    self.flow(of);
                }
                self.out.push('}');
            }
            Type::Array(item) => {
                self.out.push('[');
                for index in 0..1 + self.dice.roll(2) {
                    self.out.push_str(if index > 0 { ", " } else { "" });
                    self.flow(item);
                }
                self.out.push(']');
            }
            scalar => {
                let text = self.scalar(scalar);
                self.out.push_str(&text);
            }
        }
    }

    /// Keys of a map at `column`; the first one is where the text ends now.
    fn map(&mut self, keys: &[(&'static str, Type)], column: usize) {
        let mut first = true;
        for (name, of) in keys {
            if !first && self.dice.once_in(6) {
                continue;
            }
            if !first {
                self.out.push_str(&" ".repeat(column));
            }
            first = false;
            let _ = write!(self.out, "{}:", quoted(name));
            self.below(of, column);
        }
    }

    /// The value of a key at `column`, from after its colon to the end of its last line.
    fn below(&mut self, of: &Type, column: usize) {
        let brackets = self.style.brackets > 0 && self.dice.once_in(self.style.brackets);
        match of {
            Type::Map(keys) if !brackets => {
                self.end_line();
                let column = column + self.style.indent;
                self.out.push_str(&" ".repeat(column));
                self.map(keys, column);
            }
            Type::Array(item) if !brackets => {
                self.end_line();
                let column = column + self.style.dash;
                for _ in 0..1 + self.dice.roll(3) {
                    self.out.push_str(&" ".repeat(column));
                    self.out.push('-');
                    self.item(item, column);
                }
            }
            other => {
                self.out.push(' ');
                self.flow(other);
                self.end_line();
            }
        }
    }

    /// What follows a dash at `column`.
    fn item(&mut self, of: &Type, column: usize) {
        self.out.push(' ');
        match of {
            Type::Map(keys) => self.map(keys, column + 2),
            Type::Array(item) => {
                self.out.push('-');
                self.item(item, column + 2);
            }
            scalar => {
                let text = self.scalar(scalar);
                self.out.push_str(&text);
                self.end_line();
            }
        }
    }
}

/// As many documents, each with a schema of its own.
pub fn documents(seed: u64, count: usize) -> impl Iterator<Item = Document> {
    let mut dice = Dice::new(seed);
    (0..count).map(move |index| {
        let Type::Map(keys) = make_map(&mut dice, 0) else { unreachable!("a map was made") };
        let mut schema_text = "#@data/values-schema\n---".to_owned();
        let root = Type::Map(keys);
        schema(&mut schema_text, &root, 0);
        let style = Style {
            indent: [2, 2, 4][dice.roll(3)],
            dash: [0, 0, 2][dice.roll(3)],
            brackets: [0, 5][dice.roll(2)],
            gaps: [0, 4][dice.roll(2)],
        };
        let mut writer = Writer { dice: &mut dice, style, out: String::new() };
        if let Type::Map(keys) = &root {
            writer.map(keys, 0);
        }
        let mut text = writer.out;
        if dice.once_in(5) {
            text = text.replace('\n', "\r\n");
        }
        Document { name: format!("generated {seed}.{index}"), schema: Some(schema_text), text }
    })
}
