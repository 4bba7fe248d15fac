//! Made-up schemas of data values, and values for them, in all ways of writing YAML: mostly right, here and there wrong.

use std::fmt::Write;

use super::dice::Dice;

/// What a schema declares.
enum Declared {
    Map(Vec<(String, Entry)>),
    Items(Box<Entry>),
    Any,
    /// A scalar: the default, values that fit, and what its text is in the schema's validations.
    Scalar(&'static Sort),
}

/// A declared value with its annotations.
struct Entry {
    lines: Vec<&'static str>,
    is_nullable: bool,
    is: Declared,
}

/// Scalars of one type.
struct Sort {
    default: &'static str,
    fitting: &'static [&'static str],
    /// Validations that the default fulfils.
    validations: &'static [&'static str],
}

const SORTS: [Sort; 4] = [
    Sort {
        default: "web",
        fitting: &["web", "'it''s'", "\"a\\tb\"", "two words", "x-y", "\"\"", "w", "aaaaaaaaaaaa", "web  # said"],
        validations: &["min_len=2", "max_len=9", "one_of=[\"web\", \"job\"]", "min_len=1, max_len=3"],
    },
    Sort {
        default: "80",
        fitting: &["80", "0", "-3", "7", "0x1f", "0o17", "99999999999"],
        validations: &["min=1", "max=1000", "min=2, max=80", "one_of=[80, 7]"],
    },
    Sort { default: "1.5", fitting: &["1.5", "2", "-0.25", "1e3"], validations: &["min=1", "max=2.5"] },
    Sort { default: "true", fitting: &["true", "false", "yes", "off"], validations: &["one_of=[True]"] },
];

const KEYS: [&str; 12] =
    ["name", "port", "tls", "db", "app-id", "items", "host", "env", "kind", "\"10\"", "size", "\"a b\""];

/// Values that fit few places.
const ODD: [&str; 12] =
    ["web", "80", "1.5", "true", "~", "null", "{}", "[]", "{a: 1}", "[1, {b: x}]", "2024-01-31", "'80'"];

/// What a writer of values may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// What JSON has as well.
    Json,
    /// A plain file: all of YAML, and mistakes in it.
    Plain,
    /// Below `#@data/values`: with annotations of overlays.
    Annotated,
}

/// A schema with rules, of which some are code, and values for it.
pub struct Values {
    dice: Dice,
    root: Vec<(String, Entry)>,
}

impl Values {
    /// What a number makes.
    #[must_use]
    pub fn new(number: u64) -> Values {
        let mut dice = Dice::new(number ^ 0x7a1e);
        let root = keys(&mut dice, 3);
        Values { dice, root }
    }

    /// The text of the schema. `code`: there may be rules that are code.
    pub fn schema(&mut self, code: bool) -> String {
        let mut out = "#@data/values-schema\n---\n".to_owned();
        let mut rules = code.then_some(&mut self.dice);
        write_keys(&mut out, &self.root, 0, &mut rules);
        out
    }

    /// Values in a manner, in several documents now and then.
    pub fn values(&mut self, manner: Manner) -> String {
        let documents = if manner != Manner::Json && self.dice.percent(12) { 2 + self.dice.below(2) } else { 1 };
        let mut out = String::new();
        for number in 0..documents {
            match manner {
                Manner::Annotated => out += "#@data/values\n---\n",
                _ if number > 0 => out += "---\n",
                _ => {}
            }
            let mut writer = Writer { dice: &mut self.dice, manner, out: &mut out };
            writer.keys(&self.root, 0);
        }
        if manner != Manner::Json && self.dice.percent(12) {
            damage(&mut self.dice, &mut out);
        }
        out
    }
}

fn keys(dice: &mut Dice, depth: usize) -> Vec<(String, Entry)> {
    let first = dice.below(KEYS.len());
    let names = (0..1 + dice.below(4)).map(|step| KEYS[(first + step) % KEYS.len()].to_owned());
    let names: Vec<String> = names.collect();
    names.into_iter().map(|name| (name, entry(dice, depth))).collect()
}

fn entry(dice: &mut Dice, depth: usize) -> Entry {
    let is = match dice.below(if depth == 0 { 6 } else { 11 }) {
        0..=4 => Declared::Scalar(dice.pick(&SORTS)),
        5 => Declared::Any,
        6..=8 => Declared::Map(keys(dice, depth - 1)),
        _ => Declared::Items(Box::new(item(dice, depth - 1))),
    };
    let mut lines = Vec::new();
    let is_nullable = !matches!(is, Declared::Any) && dice.percent(12);
    match &is {
        Declared::Any => lines.push("schema/type any=True"),
        _ if is_nullable => lines.push("schema/nullable"),
        Declared::Scalar(sort) if dice.percent(35) => lines.push(*dice.pick::<&str>(sort.validations)),
        Declared::Items(_) if dice.percent(15) => lines.push("max_len=2"),
        _ => {}
    }
    if dice.percent(5) {
        lines.push("schema/deprecated \"no\"");
    }
    if dice.percent(5) {
        lines.push("schema/desc \"words\"");
    }
    Entry { lines, is_nullable, is }
}

/// ytt takes no nullable items, and none of them have defaults.
fn item(dice: &mut Dice, depth: usize) -> Entry {
    let mut entry = entry(dice, depth);
    entry.is_nullable = false;
    entry.lines.retain(|line| *line != "schema/nullable" && !line.starts_with("schema/deprecated"));
    entry
}

fn write_keys(out: &mut String, entries: &[(String, Entry)], indent: usize, rules: &mut Option<&mut Dice>) {
    for (key, entry) in entries {
        write_entry(out, &format!("{key}:"), entry, indent, rules);
    }
}

fn write_entry(out: &mut String, head: &str, entry: &Entry, indent: usize, rules: &mut Option<&mut Dice>) {
    let pad = " ".repeat(indent);
    for line in &entry.lines {
        let name = if line.starts_with("schema/") { "" } else { "schema/validation " };
        let _ = writeln!(out, "{pad}#@{name}{line}");
    }
    let is_any = matches!(entry.is, Declared::Any);
    let has_validation = entry.lines.iter().any(|line| !line.starts_with("schema/"));
    if let Some(dice) = rules.as_mut().filter(|_| !is_any && !has_validation)
        && dice.percent(10)
    {
        let _ = writeln!(out, "{pad}#@schema/validation (\"be short\", lambda v: len(str(v)) < 9)");
    }
    let _ = write!(out, "{pad}{head}");
    match &entry.is {
        Declared::Map(keys) => {
            out.push('\n');
            write_keys(out, keys, indent + 2, rules);
        }
        Declared::Items(item) => {
            out.push('\n');
            match &item.is {
                // Keys are on the lines below, so that they may have annotations.
                Declared::Map(keys) => {
                    let _ = writeln!(out, "{pad}-");
                    write_keys(out, keys, indent + 2, rules);
                }
                _ => write_entry(out, "-", item, indent, rules),
            }
        }
        Declared::Any => out.push_str(" {a: 1}\n"),
        Declared::Scalar(sort) => {
            let _ = writeln!(out, " {}", sort.default);
        }
    }
}

struct Writer<'w> {
    dice: &'w mut Dice,
    manner: Manner,
    out: &'w mut String,
}

impl Writer<'_> {
    fn is_free(&self) -> bool {
        self.manner != Manner::Json
    }

    fn keys(&mut self, entries: &[(String, Entry)], indent: usize) {
        let pad = " ".repeat(indent);
        let mut is_empty = true;
        for (key, entry) in entries {
            if self.dice.percent(25) {
                continue;
            }
            is_empty = false;
            if self.is_free() {
                self.above(indent);
            }
            let key = self.key(key);
            let _ = write!(self.out, "{pad}{key}:");
            self.value(entry, indent);
            if self.is_free() && self.dice.percent(3) {
                let _ = writeln!(self.out, "{pad}{key}: again");
            }
        }
        if self.dice.percent(6) {
            is_empty = false;
            let odd = *self.dice.pick(&ODD);
            let _ = writeln!(self.out, "{pad}nmae: {odd}");
        }
        if is_empty {
            let _ = writeln!(self.out, "{pad}{{}}");
        }
    }

    /// Comments above an entry or item, and annotations.
    fn above(&mut self, indent: usize) {
        let pad = " ".repeat(indent);
        match self.dice.below(40) {
            0 if self.manner == Manner::Plain => {
                let _ = writeln!(self.out, "{pad}# said");
            }
            1 => self.out.push('\n'),
            2 => {
                let _ = writeln!(self.out, "{pad}#! said");
            }
            3..=6 if self.manner == Manner::Annotated => {
                let line = self.dice.pick(&[
                    "overlay/replace",
                    "overlay/match missing_ok=True",
                    "overlay/remove",
                    "overlay/match by=\"name\"",
                    "overlay/replace or_add=True",
                    "overlay/append",
                    "overlay/match-child-defaults missing_ok=True",
                ]);
                let _ = writeln!(self.out, "{pad}#@{line}");
            }
            _ => {}
        }
    }

    /// A key, written in some way.
    fn key(&mut self, key: &str) -> String {
        if key.starts_with('"') || !self.is_free() {
            return key.to_owned();
        }
        match self.dice.below(30) {
            0 => format!("\"{key}\""),
            1 => format!("'{key}'"),
            2 => format!("{key} "),
            3 => format!("? {key}\n"),
            _ => key.to_owned(),
        }
        .replace('\n', "")
    }

    /// A value after a key or dash, to the end of its last line.
    fn value(&mut self, entry: &Entry, indent: usize) {
        if self.dice.percent(if self.is_free() { 8 } else { 5 }) {
            let odd = *self.dice.pick(&ODD);
            let _ = writeln!(self.out, " {odd}");
            return;
        }
        if entry.is_nullable && self.dice.percent(40) {
            self.out.push_str(" null\n");
            return;
        }
        match &entry.is {
            Declared::Map(keys) if !keys.is_empty() => {
                if self.dice.percent(12) {
                    let flow = self.flow(entry, 3);
                    let _ = writeln!(self.out, " {flow}");
                    return;
                }
                let step = if self.is_free() && self.dice.percent(10) { 4 } else { 2 };
                self.out.push('\n');
                self.keys(keys, indent + step);
            }
            Declared::Items(item) => self.items(item, indent),
            _ => {
                let text = self.scalar(entry, indent);
                let _ = writeln!(self.out, " {text}");
            }
        }
    }

    fn items(&mut self, item: &Entry, indent: usize) {
        if self.dice.percent(15) {
            let items: Vec<String> = (0..self.dice.below(4)).map(|_| self.flow(item, 2)).collect();
            let _ = writeln!(self.out, " [{}]", items.join(", "));
            return;
        }
        self.out.push('\n');
        let indent = indent + 2 * self.dice.below(2);
        let pad = " ".repeat(indent);
        for _ in 0..1 + self.dice.below(4) {
            if self.is_free() {
                self.above(indent);
            }
            let _ = write!(self.out, "{pad}-");
            match &item.is {
                Declared::Map(keys) => {
                    // The first key is on the line of the dash.
                    let mut inner = String::new();
                    let mut writer = Writer { dice: self.dice, manner: self.manner, out: &mut inner };
                    writer.keys(keys, indent + 2);
                    let is_comment = inner.trim_start().starts_with('#') || inner.starts_with('\n');
                    let _ = if is_comment && self.manner == Manner::Annotated {
                        write!(self.out, "\n{inner}")
                    } else {
                        write!(self.out, " {}", inner.trim_start())
                    };
                }
                _ => self.value(item, indent),
            }
        }
    }

    fn scalar(&mut self, entry: &Entry, indent: usize) -> String {
        let Declared::Scalar(sort) = &entry.is else { return (*self.dice.pick(&ODD)).to_owned() };
        let text = *self.dice.pick(sort.fitting);
        if !self.is_free() {
            let is_json = !matches!(text, "0x1f" | "0o17" | "1e3") && !text.contains('#');
            return if is_json { text } else { sort.default }.to_owned();
        }
        let pad = " ".repeat(indent + 2);
        match self.dice.below(60) {
            0 => format!("|\n{pad}one\n{pad}two"),
            1 => format!(">-\n{pad}one\n\n{pad}two"),
            2 => format!("&a {text}"),
            3 => "*a".to_owned(),
            4 => format!("!!str {text}"),
            5 => format!("{text} # said"),
            6 => format!("one\n{pad}two"),
            _ => text.to_owned(),
        }
    }

    fn flow(&mut self, entry: &Entry, depth: usize) -> String {
        match &entry.is {
            Declared::Map(keys) if depth > 0 => {
                let mut parts = Vec::new();
                for (key, entry) in keys {
                    if self.dice.percent(70) {
                        parts.push(format!("{key}: {}", self.flow(entry, depth - 1)));
                    }
                }
                format!("{{{}}}", parts.join(", "))
            }
            Declared::Items(item) if depth > 0 => {
                let items: Vec<String> = (0..self.dice.below(3)).map(|_| self.flow(item, depth - 1)).collect();
                format!("[{}]", items.join(", "))
            }
            Declared::Scalar(sort) if self.dice.percent(92) => {
                let text = *self.dice.pick(sort.fitting);
                let is_short = !text.contains('#') && (self.is_free() || !matches!(text, "0x1f" | "0o17" | "1e3"));
                if is_short { text } else { sort.default }.to_owned()
            }
            _ => (*self.dice.pick(&ODD)).to_owned(),
        }
    }
}

/// Puts something into a text that is being typed.
fn damage(dice: &mut Dice, text: &mut String) {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.is_empty() {
        return;
    }
    let before: usize = lines[..dice.below(lines.len())].iter().map(|line| line.len()).sum();
    let piece = *dice.pick(&["na", "'", "  x: 1\n", "- ", "key\n", "a: b: c\n", "[", "\t", "}\n", "...\n", "? a\n"]);
    text.insert_str(before, piece);
}
