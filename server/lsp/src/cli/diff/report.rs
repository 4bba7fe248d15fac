//! The formats of changes. Texts of the schemas are shown as what they are: never as markup, never as commands.

use std::fmt::Write;

use lofting_diff::{Breaks, Change, Compared, Fate, Kind};
use lofting_document::{FileId, Span};
use serde_json::{Map, Value, json};

use super::lines::ChangeLine;
use super::{LanguageName, Pair};
use crate::terminal::line;

/// The changes of two files.
pub(super) struct Report<'a> {
    names: [&'a str; 2],
    /// Where the lines of each file begin, in bytes.
    lines: [Vec<usize>; 2],
    compared: &'a Compared,
}

/// Whether changes that break these belong to a group.
type IsIn = fn(Breaks) -> bool;

/// Groups of changes, by whom they break.
const GROUPS: [(&str, IsIn); 3] = [
    ("Breaks values", |breaks| breaks.values),
    ("Breaks templates", |breaks| breaks.templates && !breaks.values),
    ("Breaks nothing", |breaks| !breaks.templates && !breaks.values),
];

/// The place in the schema, with the part of the file that has it.
pub(in crate::cli) fn subject(change: &Change) -> String {
    let part = &change.part;
    let of_part = [&part.resource, &part.version, &part.operation, &part.media_type, &part.component];
    let mut words: Vec<String> = of_part.into_iter().flatten().map(|word| line(word).into_owned()).collect();
    let path = change.path.to_string();
    match path.as_str() {
        "" if words.is_empty() => words.push("(root)".to_owned()),
        "" => {}
        path => words.push(line(path).into_owned()),
    }
    words.join(" ")
}

impl<'a> Report<'a> {
    pub fn new(pair: &'a Pair) -> Self {
        let Pair { names: [old_name, new_name], texts, compared } = pair;
        let lines = |text: &String| {
            let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
            std::iter::once(0).chain(breaks).collect()
        };
        let [old, new] = texts;
        Report { names: [old_name, new_name], lines: [lines(old), lines(new)], compared }
    }

    /// The file of a span, and its line from 1.
    fn place(&self, span: Option<Span>) -> Option<(&'a str, usize)> {
        let span = span?;
        let side = usize::from(span.file != FileId(0));
        let line = self.lines.get(side)?.partition_point(|start| *start <= span.range().start);
        Some((self.names.get(side)?, line.max(1)))
    }

    /// `old.yml:3 -> new.yml:4`
    fn places(&self, change: &Change) -> String {
        let shown = |(name, number): (&str, usize)| format!("{}:{number}", line(name));
        let places = [change.old, change.new].map(|span| self.place(span).map(shown));
        places.into_iter().flatten().collect::<Vec<_>>().join(" -> ")
    }

    /// What changed, on one line.
    fn words(change: &Change) -> String {
        let words = line(&change.words()).into_owned();
        match change.breaks {
            Breaks::BOTH => format!("{words} (breaks templates as well)"),
            _ => words,
        }
    }

    /// How many changes there are, and what was left out.
    pub fn summary(&self) -> String {
        summary(&[self.compared])
    }

    fn groups(&self) -> impl Iterator<Item = (&'static str, Vec<&'a Change>)> {
        let changes = &self.compared.changes;
        let of_group = move |(title, is_in): (&'static str, IsIn)| {
            (title, changes.iter().filter(|change| is_in(change.breaks)).collect::<Vec<_>>())
        };
        GROUPS.into_iter().map(of_group).filter(|(_, changes)| !changes.is_empty())
    }

    /// Lines for people.
    pub fn text(&self) -> String {
        self.groups_as_text() + &self.summary() + "\n"
    }

    /// The changes in groups, each followed by an empty line.
    pub fn groups_as_text(&self) -> String {
        let mut out = String::new();
        for (title, changes) in self.groups() {
            let _ = writeln!(out, "{title}:");
            for change in changes {
                let (subject, words) = (subject(change), Self::words(change));
                let _ = writeln!(out, "  {subject}: {words}\n      {} [diff/{}]", self.places(change), change.rule());
            }
            out.push('\n');
        }
        out
    }

    /// Headings and lists for a comment on a pull request.
    pub fn lists(&self) -> String {
        self.groups_as_lists() + &plain(&self.summary()) + "\n"
    }

    /// The changes as lists below headings.
    pub fn groups_as_lists(&self) -> String {
        let mut out = String::new();
        for (title, changes) in self.groups() {
            let _ = writeln!(out, "### {title}\n");
            for change in changes {
                let (subject, words) = (code(&subject(change)), plain(&Self::words(change)));
                let _ = writeln!(out, "- {subject}: {words} ({})", code(&self.places(change)));
            }
            out.push('\n');
        }
        out
    }

    /// One entry for each change.
    pub fn lines(&self) -> Vec<ChangeLine> {
        let changes = self.compared.changes.iter().map(|change| ChangeLine {
            file: self.names[1].to_owned(),
            line: self.place(change.new).map(|(_, number)| number),
            rule: change.rule(),
            severity: change.severity(),
            subject: subject(change),
            words: Self::words(change),
        });
        changes.collect()
    }

    /// All that is known, as one document.
    pub fn json(&self) -> String {
        format!("{:#}\n", self.value())
    }

    /// See [`Report::json`].
    pub fn value(&self) -> Value {
        let changes: Vec<Value> = self.compared.changes.iter().map(|change| self.change(change)).collect();
        json!({
            "language": LanguageName::of(self.compared.language).name(),
            "old": self.names[0],
            "new": self.names[1],
            "changes": changes,
            "breaking": breaking(&[self.compared]),
            "not_compared": self.compared.unknown,
            "complete": !self.compared.is_cut,
        })
    }

    fn change(&self, change: &Change) -> Value {
        let breaks = [("values", change.breaks.values), ("templates", change.breaks.templates)];
        let breaks: Vec<&str> = breaks.into_iter().filter(|(_, does)| *does).map(|(name, _)| name).collect();
        let mut all = Map::new();
        let mut add = |name: &str, value: Value| {
            if !value.is_null() {
                all.insert(name.to_owned(), value);
            }
        };
        let part = &change.part;
        add("resource", json!(part.resource));
        add("version", json!(part.version));
        add("operation", json!(part.operation));
        add("media_type", json!(part.media_type));
        add("component", json!(part.component));
        add("path", json!(change.path.to_string()));
        add("kind", json!(change.kind.name()));
        add("rule", json!(format!("diff/{}", change.rule())));
        add("breaks", json!(breaks));
        add("severity", json!(change.severity().name()));
        add("keyword", json!(change.keyword));
        add("from", json!(change.from));
        let renamed = change.renamed.as_ref();
        let new_path = renamed.map(|renamed| renamed.to.to_string());
        match change.kind {
            Kind::RenamedTo => add("to", json!(new_path)),
            _ => {
                add("to", json!(change.to));
                add("renamed_to", json!(new_path));
            }
        }
        add("certainty", json!(renamed.map(|renamed| renamed.certainty)));
        let moved = change.moved.iter().filter_map(|key| match &key.fate {
            Fate::Moved(to) => {
                Some(json!({"path": key.was.to_string(), "to": to.to.to_string(), "certainty": to.certainty}))
            }
            Fate::Gone | Fate::Emptied => None,
        });
        let moved: Vec<Value> = moved.collect();
        if !moved.is_empty() {
            add("moved", json!(moved));
        }
        if !change.values.is_empty() {
            add("values", json!(change.values));
        }
        add("retired", json!(change.retired));
        add("witness", json!(change.witness));
        if change.assumed {
            add("assumed", json!(true));
        }
        add("message", json!(change.words()));
        let place = |span| self.place(span).map(|(file, line)| json!({ "file": file, "line": line }));
        add("old", json!(place(change.old)));
        add("new", json!(place(change.new)));
        Value::Object(all)
    }
}

fn count(all: &[&Compared], breaks: fn(Breaks) -> bool) -> usize {
    all.iter().flat_map(|compared| &compared.changes).filter(|change| breaks(change.breaks)).count()
}

/// How many changes break whom.
pub(super) fn breaking(all: &[&Compared]) -> Value {
    json!({ "values": count(all, |breaks| breaks.values), "templates": count(all, |breaks| breaks.templates) })
}

/// How many changes there are, and what was left out.
pub(super) fn summary(all: &[&Compared]) -> String {
    let (values, templates) = (count(all, |breaks| breaks.values), count(all, |breaks| breaks.templates));
    let breaking = |count: usize, whom: &str| match count {
        1 => format!("1 breaks {whom}"),
        count => format!("{count} break {whom}"),
    };
    let mut summary = match count(all, |_| true) {
        0 => "No changes.".to_owned(),
        1 => format!("1 change: {}, {}.", breaking(values, "values"), breaking(templates, "templates")),
        all => format!("{all} changes: {}, {}.", breaking(values, "values"), breaking(templates, "templates")),
    };
    match all.iter().map(|compared| compared.unknown).sum() {
        0usize => {}
        1 => summary += " 1 place was not compared, because only code or another file tells what it is.",
        some => {
            let _ = write!(
                summary,
                " {some} places were not compared, because only code or another file tells what they are."
            );
        }
    }
    if all.iter().any(|compared| compared.is_cut) {
        summary += " There is more than was compared: the schemas are too large.";
    }
    summary
}

/// A text as code: nothing in it is markup.
pub(in crate::cli) fn code(text: &str) -> String {
    let runs = text.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0) + 1);
    // A text that begins or ends with the mark needs a blank, which is not shown.
    let blank = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{blank}{text}{blank}{fence}")
}

/// A text in which nothing is markup.
pub(in crate::cli) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        // An `@` would call people.
        match c {
            '@' => out.push_str("@\u{200b}"),
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            c if c.is_ascii_punctuation() && !matches!(c, '.' | ',' | ';' | ':' | '%' | '(' | ')' | '"' | '/') => {
                out.extend(['\\', c]);
            }
            c => out.push(c),
        }
    }
    // Addresses would become links.
    out.replace("://", ":\u{200b}//")
}

#[cfg(test)]
mod tests {
    use super::{code, plain};

    #[test]
    fn texts_of_schemas_are_no_markup() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a``b"), "```a``b```");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(plain("**a** <b> @me"), "\\*\\*a\\*\\* &lt;b> @\u{200b}me".replace('>', "\\>"));
    }
}
