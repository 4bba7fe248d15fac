//! The lines of a `lofting.toml` that begin a statement: headers and keys. They are found in any text, so damage stays
//! within its statement.

use std::ops::Range;

/// A statement, with everything that belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Its kind.
    pub kind: StatementKind,
    /// Its bytes: from its first character to the beginning of the next statement.
    pub range: Range<usize>,
}

/// A kind of statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatementKind {
    /// `[sets.prod]`: the names with their ranges, quotes included.
    Header(Vec<Name>),
    /// `files = [...]`, or the beginning of it: the name of the key with its range, quotes included.
    Entry(Name),
}

/// A name with its range.
pub type Name = (String, Range<usize>);

/// All statements, in order. Text before the first one belongs to none.
pub fn statements(text: &str) -> Vec<Statement> {
    let mut found: Vec<Statement> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let indentation = line.len() - line.trim_start_matches([' ', '\t', '\u{feff}']).len();
        let at = start + indentation;
        let rest = line.get(indentation..).unwrap_or_default().trim_end();
        let kind = header(rest, at).map(StatementKind::Header).or_else(|| entry(rest, at).map(StatementKind::Entry));
        if let Some(kind) = kind {
            if let Some(last) = found.last_mut() {
                last.range.end = start;
            }
            found.push(Statement { kind, range: at..text.len() });
        }
        start += line.len();
    }
    found
}

/// Whether the character may be in a name without quotes.
pub fn is_bare(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

/// The names of a header, which may lack its end. Items of arrays look different: they begin with a quote or a digit,
/// or have a comma.
fn header(line: &str, start: usize) -> Option<Vec<Name>> {
    let inside = line.strip_prefix('[')?.trim_start_matches('[');
    let mut at = start + line.len() - inside.len();
    if !inside.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || matches!(c, ' ' | '\t')) {
        return inside.is_empty().then(Vec::new);
    }
    let mut names = Vec::new();
    let mut rest = inside;
    loop {
        let gap = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        (at, rest) = (at + gap, rest.get(gap..).unwrap_or_default());
        let (name, length) = match rest.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                let inside = rest.get(1..).unwrap_or_default();
                match inside.find(quote) {
                    Some(end) => (inside.get(..end).unwrap_or_default(), end + 2),
                    None => (inside, rest.len()),
                }
            }
            _ => {
                let length = rest.find(|c| !is_bare(c)).unwrap_or(rest.len());
                (rest.get(..length).unwrap_or_default(), length)
            }
        };
        if length > 0 {
            names.push((name.to_owned(), at..at + length));
        }
        (at, rest) = (at + length, rest.get(length..).unwrap_or_default());
        let after = rest.trim_start_matches([' ', '\t']);
        match after.chars().next() {
            Some('.') => {
                at += rest.len() - after.len() + 1;
                rest = after.get(1..).unwrap_or_default();
            }
            None | Some(']' | '#') => return Some(names),
            Some(_) => return None,
        }
    }
}

fn entry(line: &str, start: usize) -> Option<Name> {
    if let Some(quote @ ('"' | '\'')) = line.chars().next() {
        // Only text before `=` is a key; otherwise it is an item of an array over several lines.
        let (name, rest) = line.get(1..)?.split_once(quote)?;
        let is_key = rest.trim_start().starts_with('=');
        return is_key.then(|| (name.to_owned(), start..start + name.len() + 2));
    }
    if !line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return None;
    }
    let length = line.find(|c| !is_bare(c)).unwrap_or(line.len());
    let name = line.get(..length)?;
    // An item of an array over several lines.
    let is_item = matches!(name, "true" | "false") && line.get(length..)?.trim_start().starts_with([',', ']']);
    (!is_item).then(|| (name.to_owned(), start..start + length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn shown(text: &str) -> String {
        let line = |statement: Statement| {
            let words = match &statement.kind {
                StatementKind::Header(names) => {
                    let names: Vec<String> =
                        names.iter().map(|(name, range)| format!("{name} «{}»", &text[range.clone()])).collect();
                    format!("header {}", names.join(", "))
                }
                StatementKind::Entry((name, range)) => format!("entry {name} «{}»", &text[range.clone()]),
            };
            format!("{words}: {:?}\n", &text[statement.range])
        };
        statements(text).into_iter().map(line).collect()
    }

    #[test]
    fn damage_ends_where_the_next_statement_begins() {
        let text = "# c\n[sets.\"a b\" . x] # c\nfiles = [\n  \"x\", # y\n  ['z'],\n  true,\n[sets.pr\nvalu\n  values = [\"a\r\n[\n[x, y]\n";
        expect![[r##"
            header sets «sets», a b «"a b"», x «x»: "[sets.\"a b\" . x] # c\n"
            entry files «files»: "files = [\n  \"x\", # y\n  ['z'],\n  true,\n"
            header sets «sets», pr «pr»: "[sets.pr\n"
            entry valu «valu»: "valu\n"
            entry values «values»: "values = [\"a\r\n"
            header : "[\n[x, y]\n"
        "##]]
        .assert_eq(&shown(text));
    }
}
