//! Made-up input sets: a schema, values, templates, overlays, a library.

use std::fmt::{self, Write};

use super::deep;
use super::dice::Dice;

/// The files of an input set, and its plain values file.
pub struct Files {
    /// Paths with texts.
    pub list: Vec<(String, String)>,
}

/// The plain values file, if there is one.
pub const PLAIN: &str = "plain.values";

/// A template that shows what templates see of the data values.
pub const SEEN: &str = "config/seen.yml";

const KEYS: [&str; 8] = ["name", "port", "tls", "db", "app-id", "items", "y", "10"];
const SCALARS: [&str; 14] = [
    "web",
    "80",
    "1.5",
    "true",
    "''",
    "\"x: y\"",
    "'it''s'",
    "-1",
    "two words",
    "0x1f",
    "1e3",
    "\"\\u00e9\\n\"",
    "2024-01-31",
    "~x",
];
const TEXTS: [&str; 5] = ["|\n", ">\n", "|-\n", ">+\n", "|2\n"];

/// What a declared value is.
#[derive(Clone, PartialEq)]
enum Kind {
    Text,
    Integer,
    Truth,
    List,
    Any,
    Null,
}

/// A declared value that is not a map: the code that reads it, and its kind.
struct Value {
    code: String,
    path: Vec<&'static str>,
    kind: Kind,
}

impl fmt::Display for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.list.iter().try_for_each(|(path, text)| write!(f, "#- {path}\n{text}"))
    }
}

struct Maker {
    dice: Dice,
    values: Vec<Value>,
}

impl Files {
    /// The files of a case.
    pub fn new(number: u64) -> Files {
        let mut maker = Maker { dice: Dice::new(number), values: Vec::new() };
        let mut list = vec![("config/schema.yml".to_owned(), maker.schema())];
        let mut add = |path: &str, text: String| list.push((path.to_owned(), text));
        add(SEEN, "#@ load(\"@ytt:data\", \"data\")\n--- #@ data.values\n".to_owned());
        if maker.dice.percent(70) {
            add("config/values.yml", maker.data_values());
        }
        if maker.dice.percent(40) {
            add(PLAIN, maker.plain_values());
        }
        for index in 0..1 + maker.dice.below(3) {
            add(&format!("config/t{index}.yml"), maker.template());
        }
        if maker.dice.percent(50) {
            add("config/z-over.yml", maker.overlay());
        }
        if maker.dice.percent(25) {
            add("config/_ytt_lib/lib/schema.yml", "#@data/values-schema\n---\nname: lib\nport: 1\n".to_owned());
            add("config/_ytt_lib/lib/c.yml", maker.of_library());
            add("config/use.yml", maker.uses_library());
        }
        if maker.dice.percent(30) {
            list.extend(deep::files(&mut maker.dice));
        }
        let mut add = |path: &str, text: String| list.push((path.to_owned(), text));
        if maker.dice.percent(20) {
            let code = maker.expression();
            add("config/note.txt", format!("(@ load(\"@ytt:data\", \"data\") -@)\nnote (@= str({code}) @)\n"));
        }
        Files { list }
    }
}

impl Maker {
    fn schema(&mut self) -> String {
        let mut out = "#@data/values-schema\n---\n".to_owned();
        self.declare(&mut out, 0, "data.values", &[], 3);
        out
    }

    fn declare(&mut self, out: &mut String, indent: usize, code: &str, path: &[&'static str], depth: usize) {
        let pad = " ".repeat(indent);
        for key in self.keys() {
            // Keys that are not strings cannot be read as attributes.
            let shown = if matches!(key, "y" | "10") { format!("\"{key}\"") } else { key.to_owned() };
            let code = if key.contains('-') || key == "10" {
                format!("getattr({code}, \"{key}\")")
            } else {
                format!("{code}.{key}")
            };
            let path: Vec<&'static str> = path.iter().copied().chain([key]).collect();
            if depth > 0 && self.dice.percent(30) {
                let _ = writeln!(out, "{pad}{shown}:");
                self.declare(out, indent + 2, &code, &path, depth - 1);
                continue;
            }
            let (written, mut kind) = match self.dice.below(5) {
                0 => (self.dice.pick(&["80", "0", "-3"]).to_string(), Kind::Integer),
                1 => (self.dice.pick(&["true", "false"]).to_string(), Kind::Truth),
                2 => (self.dice.pick(&["\n{pad}- 1", " [1]", "\n{pad}- 2"]).replace("{pad}", &pad), Kind::List),
                _ => (self.dice.pick(&["web", "''", "\"x\"", "two words"]).to_string(), Kind::Text),
            };
            match self.dice.below(12) {
                0 => {
                    let _ = writeln!(out, "{pad}#@schema/nullable");
                    kind = Kind::Null;
                }
                1 => {
                    let _ = writeln!(out, "{pad}#@schema/type any=True");
                    kind = Kind::Any;
                }
                2 => {
                    let _ = writeln!(out, "{pad}#@schema/desc \"words\"");
                }
                3 if kind == Kind::Integer => {
                    let _ = writeln!(out, "{pad}#@schema/validation max=1000");
                }
                _ => {}
            }
            let colon = if written.starts_with('\n') { ":" } else { ": " };
            let _ = writeln!(out, "{pad}{shown}{colon}{}", written.trim_start_matches(' '));
            self.values.push(Value { code, path, kind });
        }
    }

    /// Some keys, each once.
    fn keys(&mut self) -> Vec<&'static str> {
        let first = self.dice.below(KEYS.len());
        (0..1 + self.dice.below(3)).map(|step| KEYS[(first + step) % KEYS.len()]).collect()
    }

    fn data_values(&mut self) -> String {
        let head = match self.dice.below(20) {
            0..=5 => "#@ x = 7\n",
            6 => "#@ x = 7\n#@ y = x + \"text\"\n",
            _ => "",
        };
        let mut out = format!("{head}#@data/values\n---\n");
        self.given(&mut out, !head.is_empty());
        out
    }

    fn plain_values(&mut self) -> String {
        let mut out = String::new();
        self.given(&mut out, false);
        out
    }

    /// Values for some of what is declared, rarely wrong ones.
    fn given(&mut self, out: &mut String, coded: bool) {
        let Some(at) = (!self.values.is_empty()).then(|| self.dice.below(self.values.len())) else { return };
        let value = &self.values[at];
        let (path, kind) = (value.path.clone(), value.kind.clone());
        for (depth, key) in path.iter().enumerate() {
            let pad = " ".repeat(2 * depth);
            let _ = write!(out, "{pad}\"{key}\":{}", if depth + 1 < path.len() { "\n" } else { " " });
        }
        let written = match kind {
            _ if self.dice.percent(6) => "{wrong: 1}",
            Kind::Integer if coded => "#@ x + 1",
            Kind::Integer => "7",
            Kind::Truth => "yes",
            Kind::List => "[5, 6]",
            Kind::Any => "{a: [1, {b: ~}], 5: x}",
            Kind::Text | Kind::Null => "given",
        };
        // A template reads maps as structs, whose keys are text.
        let _ = writeln!(out, "{}", if kind == Kind::Any { "{a: [1, {b: ~}]}" } else { written });
    }

    fn template(&mut self) -> String {
        let mut out = "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:template\", \"template\")\n".to_owned();
        let function = self.dice.percent(40);
        if function {
            out.push_str("#@ def made(x):\nfrom: #@ x\nmore:\n- a\n#@ end\n");
        }
        for _ in 0..1 + self.dice.below(2) {
            out.push_str("---\n");
            self.map(&mut out, 0, 3, function);
        }
        out
    }

    fn map(&mut self, out: &mut String, indent: usize, depth: usize, function: bool) {
        let pad = " ".repeat(indent);
        for key in self.keys() {
            match self.dice.below(14) {
                0 => {
                    let test = self.expression();
                    let _ = writeln!(out, "{pad}#@ if/end {test}:\n{pad}{key}-if: 1");
                }
                1 => {
                    let test = self.expression();
                    let (one, two) = (self.scalar(indent), self.scalar(indent));
                    let _ = writeln!(
                        out,
                        "{pad}#@ if {test}:\n{pad}{key}-one: {one}\n{pad}#@ else:\n{pad}{key}-two: {two}\n{pad}#@ end"
                    );
                }
                2 => {
                    let value = self.scalar(indent);
                    let _ = writeln!(
                        out,
                        "{pad}{key}:\n{pad}#@ for i in range({}):\n{pad}- at: #@ i\n{pad}  is: {value}\n{pad}#@ end",
                        self.dice.below(4)
                    );
                }
                3 if function => {
                    let value = self.expression();
                    let _ = writeln!(out, "{pad}{key}: #@ made({value})");
                }
                4 if function => {
                    let _ = writeln!(out, "{pad}_: #@ template.replace(made(1))\n{pad}{key}: 1");
                }
                5 => {
                    let code = self.expression();
                    // Without quotes `: ` in the code makes it a map.
                    let quote = if self.dice.percent(95) { "'" } else { "" };
                    let _ = writeln!(
                        out,
                        "{pad}#@yaml/text-templated-strings\n{pad}{key}: {quote}a-(@= str({code}) @)-b{quote}"
                    );
                }
                6 | 7 if depth > 0 => {
                    let _ = writeln!(out, "{pad}{key}:");
                    self.map(out, indent + 2, depth - 1, function);
                }
                8 if depth > 0 => {
                    let _ = writeln!(out, "{pad}{key}:");
                    for _ in 0..1 + self.dice.below(3) {
                        let value = self.scalar(indent);
                        let _ = writeln!(out, "{pad}- {value}");
                    }
                }
                9 => {
                    let _ = writeln!(out, "{pad}{key}: {{a: [1, {{b: x}}], c: }}");
                }
                10 | 11 => {
                    let code = self.expression();
                    let _ = writeln!(out, "{pad}{key}: #@ {code}");
                }
                _ => {
                    let value = self.scalar(indent);
                    let _ = writeln!(out, "{pad}{key}: {value}");
                }
            }
        }
    }

    fn scalar(&mut self, indent: usize) -> String {
        if self.dice.percent(12) {
            let pad = " ".repeat(indent + 4);
            return format!("{}{pad}one\n\n{pad}  two\n{pad}three", self.dice.pick(&TEXTS).replace("|2", "|4"));
        }
        self.dice.pick(&SCALARS).to_string()
    }

    /// An expression, rarely a wrong one.
    fn expression(&mut self) -> String {
        if self.values.is_empty() || self.dice.percent(15) {
            return self
                .dice
                .pick(&["1 + 2", "\"x\" * 3", "[1, {\"a\": None}]", "{\"k\": 2.0}", "None", "True"])
                .to_string();
        }
        let value = &self.values[self.dice.below(self.values.len())];
        let (code, kind) = (value.code.clone(), value.kind.clone());
        match (kind, self.dice.below(30)) {
            (_, 0) => format!("{code}.nothing"),
            (Kind::Text, 1..=9) => format!("{code} + \"-x\""),
            (Kind::Integer, 1..=9) => format!("{code} * 2"),
            (Kind::List, 1..=9) => format!("[i for i in {code}]"),
            (_, 10..=12) => format!("({code} or \"none\")"),
            _ => code,
        }
    }

    fn overlay(&mut self) -> String {
        let mut out = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@ load(\"@ytt:data\", \"data\")\n".to_owned();
        let matcher = self.dice.pick(&[
            "by=overlay.all, expects=\"0+\"",
            "by=overlay.index(0)",
            "by=overlay.subset({\"name\": 1}), missing_ok=True",
        ]);
        let _ = writeln!(out, "#@overlay/match {matcher}\n---");
        for key in self.keys() {
            let value = if self.dice.percent(40) { format!("#@ {}", self.expression()) } else { self.scalar(0) };
            match self.dice.below(5) {
                0 => {
                    let _ = writeln!(out, "#@overlay/match missing_ok=True\n#@overlay/remove\n\"{key}\":");
                }
                1 => {
                    let _ = writeln!(
                        out,
                        "#@overlay/match missing_ok=True\n#@overlay/replace via=lambda a, b: b, or_add=True\n\"{key}\": {value}"
                    );
                }
                2 if self.dice.percent(30) => {
                    let _ = writeln!(out, "\"{key}\": {value}");
                }
                _ => {
                    let _ = writeln!(out, "#@overlay/match missing_ok=True\n\"{key}\": {value}");
                }
            }
        }
        out
    }

    fn of_library(&mut self) -> String {
        let scalar = self.scalar(0);
        format!(
            "#@ load(\"@ytt:data\", \"data\")\n---\nname: #@ data.values.name\nport: #@ data.values.port\nmore: {scalar}\n"
        )
    }

    fn uses_library(&mut self) -> String {
        let code = self.expression();
        let given = self
            .dice
            .pick(&["{}", "{\"name\": str(CODE)}", "{\"port\": 5}", "{\"port\": \"x\"}"])
            .replace("CODE", &code);
        format!(
            "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:library\", \"library\")\n\
             #@ load(\"@ytt:template\", \"template\")\n#@ lib = library.get(\"lib\").with_data_values({given})\n\
             --- #@ template.replace(lib.eval())\n"
        )
    }
}
