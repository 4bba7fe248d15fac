//! Inputs that grow: each shape makes, for a number `n`, an input set with `n` of one thing.
//!
//! The bench measures how the cost of each answer grows with `n`; a test counts the work. What is new in the language of
//! ytt or YAML gets a shape here.

mod authored;
mod discovered;
mod json_schemas;
mod overlays;
mod schemas;
mod templates;
mod values;
mod workspaces;

/// Marks where a key is pressed and where the editor asks; taken out of the text.
pub const CURSOR: char = '█';

/// One way in which an input grows.
pub struct Shape {
    /// What there is `n` of.
    pub name: &'static str,
    /// The largest `n` that is measured.
    pub most: usize,
    /// The power of `n` with which ytt's own work grows: 1, but for what [`PAIRS`] lists.
    pub power: u32,
    /// The input with `n` of it.
    pub make: fn(usize) -> Case,
}

/// An input set.
#[derive(Default)]
pub struct Case {
    /// Schema, templates, overlays, libraries: path and text.
    pub config: Vec<(String, String)>,
    /// Plain data values, if there are any.
    pub values: Option<String>,
    /// Further arguments of ytt.
    pub flags: Vec<String>,
    /// Environment variables.
    pub environment: Vec<(String, String)>,
}

/// The position of the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// The file, as an index into the files.
    pub file: usize,
    /// The line, from 0.
    pub line: u32,
    /// Bytes from the start of the line.
    pub column: u32,
}

/// The name of the file with plain values.
pub const VALUES: &str = "values.yml";

impl Case {
    /// Values below a schema.
    fn governed(schema: impl std::fmt::Display, values: String) -> Case {
        Case { config: vec![("schema.yml".to_owned(), schema_text(schema))], values: Some(values), ..Case::default() }
    }

    /// One file that is not a plain values file.
    fn config(text: String) -> Case {
        Case { config: vec![("config.yml".to_owned(), text)], ..Case::default() }
    }

    /// This case with one file more.
    fn and(mut self, path: impl Into<String>, text: String) -> Case {
        self.config.push((path.into(), text));
        self
    }

    /// The size of all that is given.
    pub fn bytes(&self) -> usize {
        let pairs = self.config.iter().chain(&self.environment).map(|(name, text)| name.len() + text.len());
        let values = self.values.as_ref().map_or(0, String::len);
        pairs.sum::<usize>() + values + self.flags.iter().map(String::len).sum::<usize>()
    }

    /// All files, the values last, and the position of the cursor in them: where it is marked, or at the end of the
    /// last one.
    pub fn files(&self) -> (Vec<(String, String)>, Cursor) {
        let mut files = self.config.clone();
        files.extend(self.values.clone().map(|text| (VALUES.to_owned(), text)));
        let last = files.len().saturating_sub(1);
        let marked = files.iter().position(|(_, text)| text.contains(CURSOR));
        let text = &files[marked.unwrap_or(last)].1;
        let offset = text.find(CURSOR).unwrap_or(text.len());
        let before = &text[..offset];
        let line = before.bytes().filter(|byte| *byte == b'\n').count();
        let column = offset - before.rfind('\n').map_or(0, |at| at + 1);
        let cursor = Cursor {
            file: marked.unwrap_or(last),
            line: u32::try_from(line).unwrap_or(0),
            column: u32::try_from(column).unwrap_or(0),
        };
        for (_, text) in &mut files {
            *text = text.replace(CURSOR, "");
        }
        (files, cursor)
    }
}

/// All shapes.
pub fn all() -> Vec<Shape> {
    let all = [
        values::SHAPES,
        schemas::SHAPES,
        json_schemas::SHAPES,
        authored::SHAPES,
        overlays::SHAPES,
        templates::SHAPES,
        workspaces::SHAPES,
        discovered::SHAPES,
    ];
    all.into_iter()
        .flatten()
        .map(|&(name, most, make)| {
            let pairs = PAIRS.iter().any(|(pairs, _)| *pairs == name);
            Shape { name, most, power: if pairs { 2 } else { 1 }, make }
        })
        .collect()
}

/// Shapes that need `n * n` comparisons in any implementation, and why. A shape that no longer grows like that fails
/// the test of growth, so nothing is hidden here.
const PAIRS: &[(&str, &str)] = &[
    ("items matched by a function", "what a function says about one pair tells nothing about another: each is a call"),
    ("overlays over all documents", "every overlay changes every document"),
];

/// Name, largest `n`, and what makes it.
type Row = (&'static str, usize, fn(usize) -> Case);

fn schema_text(body: impl std::fmt::Display) -> String {
    format!("#@data/values-schema\n---\n{body}")
}

fn values_text(body: impl std::fmt::Display) -> String {
    format!("#@data/values\n---\n{body}")
}

/// `n` pieces of text, numbered from 0, with the cursor after the first line of the middle one.
fn each(n: usize, piece: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for number in 0..n {
        let piece = piece(number);
        if number == n / 2 {
            let (first, rest) = piece.split_once('\n').unwrap_or((&piece, ""));
            text += &format!("{first}{CURSOR}\n{rest}");
        } else {
            text += &piece;
        }
    }
    text
}

/// `n` pieces of text, numbered from 0, without a cursor.
fn plain(n: usize, piece: impl Fn(usize) -> String) -> String {
    (0..n).map(piece).collect()
}
