//! Changes of the text of a `lofting.toml` that leave everything else as it is: comments, layout, order.
//!
//! What was written is read again: a change after which the text does not say what it should is not made. Such texts are
//! half-typed, or say the same in one of TOML's rarer forms (`schemas = [{ … }]`).

use super::{Config, ListKey, SET_KEYS, Statement, StatementKind, Takes, is_bare, read, statements};
use crate::disk::path::relative;
use crate::settings::local_path;
use std::ops::Range;
use std::path::Path;
use toml::de::{DeTable, DeValue};

#[cfg(test)]
mod tests;

/// Replacements in one text, in any order.
type Edits = Vec<(Range<usize>, String)>;

/// The text after `schema` (a path relative to the directory of the `lofting.toml`, or a URL) was made the schema of the
/// file at `path`. None if the text cannot say so.
pub fn with_schema(text: &str, directory: &Path, path: &Path, schema: &str) -> Option<String> {
    let pattern = format!("/{}", globset::escape(&relative(directory, path).filter(|path| !path.starts_with("../"))?));
    let source = ConfigText::new(text);
    let entries = source.schema_entries();
    let governing = entries.iter().position(|entry| entry.governs(directory, path));
    let before = entries.iter().take(governing.unwrap_or(entries.len()));
    let name = |entry: &SchemaEntry<'_>| {
        let named = entry.parts.iter().find(|part| matches!(part.name, "path" | "url"))?;
        Some((named.range.start..named.value.end, named_schema(schema)))
    };
    let edits = match governing.and_then(|index| entries.get(index)) {
        Some(entry) if entry.names(schema) => Vec::new(),
        // An entry of this file alone: most likely an earlier choice.
        Some(entry) if entry.is_only_of(&pattern) => vec![name(entry)?],
        governing => match before.rev().find(|entry| entry.names(schema)).and_then(|entry| entry.files()) {
            Some(files) => appended(text, &files.value, &pattern)?,
            None => {
                let at = governing.map(|entry| source.with_comments(entry.range.start));
                let entry = format!("[[schemas]]\n{}\nfiles = [{}]\n", named_schema(schema), quoted(&pattern));
                vec![source.inserted(at.unwrap_or_else(|| source.end_of_schemas()), &entry)]
            }
        },
    };
    let changed = applied(text, edits)?;
    let config = source.sound(&changed)?;
    let (first, _) = config.schemas_of(directory, path).next()?;
    (first.schema == schema).then_some(changed)
}

/// The text after the file at `path` was made a part of the input set `name`: of its plain values, or of its files. Where
/// other sets name the file itself, it is removed from them. None if the text cannot say so.
pub fn with_file_in_set(text: &str, directory: &Path, path: &Path, name: &str, key: ListKey) -> Option<String> {
    let written = relative(directory, path).filter(|path| !path.contains(['*', '?', '[', '{', '=']))?;
    let source = ConfigText::new(text);
    let mut edits = Edits::new();
    for (set, parts) in source.sets() {
        for part in parts.iter().filter(|_| set != name) {
            let items = strings(text, &part.value)?;
            let is_last = items.len() == 1 && part.name == "files";
            if matches!(part.name, "files" | "values")
                && !is_last
                && let Some(own) = items.iter().position(|(item, _)| item.trim_start_matches("./") == written)
            {
                edits.push((without(text, &items, own)?, String::new()));
            }
        }
    }
    let (_, parts) = source.sets().into_iter().find(|(set, _)| set == name)?;
    let list = SET_KEYS.iter().find(|known| matches!(known.takes, Takes::List(list, _) if list == key))?.name;
    match parts.iter().find(|part| part.name == list) {
        Some(part) => {
            let items = strings(text, &part.value)?;
            if !items.iter().any(|(item, _)| *item == written) {
                edits.extend(appended(text, &part.value, &written)?);
            }
        }
        None => {
            let header = source.header_of_set(name)?;
            let at = parts.last().map_or(header.end, |part| part.value.end);
            let at = source.line_after(at);
            let above = if text.get(..at.start)?.ends_with('\n') { "" } else { "\n" };
            edits.push((at, format!("{above}{list} = [{}]\n", quoted(&written))));
        }
    }
    let changed = applied(text, edits)?;
    let config = source.sound(&changed)?;
    let set = config.sets.iter().find(|set| set.name == name)?;
    set.list(key).iter().any(|(item, _)| *item == written).then_some(changed)
}

/// The text with an input set more, and the name that it got: `name`, followed by a number if that is taken. `values`
/// may be empty. None if the text cannot say so.
pub fn with_set(text: &str, name: &str, files: &[String], values: &[String]) -> Option<(String, String)> {
    let source = ConfigText::new(text);
    let known = read(text).sets;
    let names = std::iter::once(name.to_owned()).chain((2..).map(|number| format!("{name}-{number}")));
    let name = names.take(known.len() + 1).find(|name| !known.iter().any(|set| set.name == *name))?;
    let key = if name.chars().all(is_bare) { name.clone() } else { quoted(&name) };
    let list = |name: &str, items: &[String]| {
        let items: Vec<String> = items.iter().map(|item| quoted(item)).collect();
        format!("{name} = [{}]\n", items.join(", "))
    };
    let mut set = format!("[sets.{key}]\n{}", list("files", files));
    if !values.is_empty() {
        set += &list("values", values);
    }
    let changed = applied(text, vec![source.inserted(text.len(), &set)])?;
    let config = source.sound(&changed)?;
    let made = config.sets.iter().find(|set| set.name == name)?;
    let says = |key, want: &[String]| made.list(key).iter().map(|(item, _)| item).eq(want);
    (says(ListKey::Files, files) && says(ListKey::Values, values)).then_some((changed, name))
}

/// A text with its statements.
struct ConfigText<'t> {
    text: &'t str,
    statements: Vec<Statement>,
}

/// A key with its value.
struct Part<'t> {
    name: &'t str,
    /// The whole statement.
    range: Range<usize>,
    value: Range<usize>,
}

/// An entry of `[[schemas]]`.
struct SchemaEntry<'t> {
    /// From its header to the next one.
    range: Range<usize>,
    parts: Vec<Part<'t>>,
    /// What it says; None if it is half-typed, or a bundle.
    read: Option<super::ConfigSchema>,
}

impl SchemaEntry<'_> {
    fn governs(&self, directory: &Path, path: &Path) -> bool {
        self.read.as_ref().is_some_and(|read| read.pattern_for(directory, path).is_some())
    }

    fn names(&self, schema: &str) -> bool {
        self.read.as_ref().is_some_and(|read| read.schema == schema)
    }

    fn is_only_of(&self, pattern: &str) -> bool {
        let files = self.read.as_ref().map_or(&[][..], |read| read.files.as_slice());
        matches!(files, [(only, _)] if only.pattern() == pattern)
    }

    fn files(&self) -> Option<&Part<'_>> {
        self.parts.iter().find(|part| part.name == "files")
    }
}

impl<'t> ConfigText<'t> {
    fn new(text: &'t str) -> ConfigText<'t> {
        ConfigText { text, statements: statements(text) }
    }

    /// The headers, each with the keys below it.
    fn tables(&self) -> Vec<(&Statement, Vec<Part<'t>>)> {
        let mut found: Vec<(&Statement, Vec<Part<'t>>)> = Vec::new();
        for statement in &self.statements {
            match &statement.kind {
                StatementKind::Header(_) => found.push((statement, Vec::new())),
                StatementKind::Entry(_) => {
                    if let Some((_, parts)) = found.last_mut() {
                        parts.extend(self.part(statement));
                    }
                }
            }
        }
        found
    }

    fn part(&self, statement: &Statement) -> Option<Part<'t>> {
        let StatementKind::Entry((_, name)) = &statement.kind else { return None };
        let written = self.text.get(statement.range.clone())?;
        let table = DeTable::parse(written).ok()?;
        let (_, value) = table.get_ref().iter().next()?;
        let start = statement.range.start;
        let name = self.text.get(name.clone())?.trim_matches(['"', '\'']);
        Some(Part { name, range: statement.range.clone(), value: start + value.span().start..start + value.span().end })
    }

    fn schema_entries(&self) -> Vec<SchemaEntry<'t>> {
        let mut found = Vec::new();
        for (header, parts) in self.tables() {
            if !self.is_schema_entry(header) {
                continue;
            }
            let end = parts.last().map_or(header.range.end, |part| part.range.end);
            let range = header.range.start..end;
            let read = read(self.text.get(range.clone()).unwrap_or_default()).schemas.into_iter().next();
            found.push(SchemaEntry { range, parts, read });
        }
        found
    }

    fn is_schema_entry(&self, header: &Statement) -> bool {
        let is_item = self.text.get(header.range.clone()).is_some_and(|text| text.starts_with("[["));
        let names = match &header.kind {
            StatementKind::Header(names) => names.as_slice(),
            StatementKind::Entry(_) => &[],
        };
        is_item && matches!(names, [(name, _)] if name == "schemas")
    }

    /// The sets by name, each with its keys.
    fn sets(&self) -> Vec<(String, Vec<Part<'t>>)> {
        let sets = self.tables().into_iter().filter_map(|(header, parts)| Some((set_of(header)?.to_owned(), parts)));
        sets.collect()
    }

    /// The header of a set, without what follows on later lines.
    fn header_of_set(&self, name: &str) -> Option<Range<usize>> {
        let header = self.statements.iter().find(|statement| set_of(statement) == Some(name))?;
        let first = self.text.get(header.range.clone())?.lines().next()?;
        Some(header.range.start..header.range.start + first.len())
    }

    /// Where a further entry of `[[schemas]]` begins: after the others, or before `[schemas.mirror]`, which cannot
    /// precede the first of them.
    fn end_of_schemas(&self) -> usize {
        if let Some(last) = self.schema_entries().last() {
            let end = last.parts.last().map_or(last.range.start, |part| part.value.end);
            return self.line_after(end).start;
        }
        let is_mirror = |statement: &&Statement| matches!(&statement.kind, StatementKind::Header(names) if matches!(names.as_slice(), [(name, _), ..] if name == "schemas"));
        self.statements.iter().find(is_mirror).map_or(self.text.len(), |found| self.with_comments(found.range.start))
    }

    /// The beginning of the comments directly above a place.
    fn with_comments(&self, at: usize) -> usize {
        let mut start = at;
        for line in self.text.get(..at).unwrap_or_default().split_inclusive('\n').rev() {
            if !line.trim_start_matches('\u{feff}').trim_start().starts_with('#') {
                break;
            }
            start -= line.len();
        }
        start
    }

    /// The beginning of the line below a place, as an empty range.
    fn line_after(&self, at: usize) -> Range<usize> {
        let rest = self.text.get(at..).unwrap_or_default();
        let end = rest.find('\n').map_or(self.text.len(), |end| at + end + 1);
        end..end
    }

    /// An entry at the beginning of a line, with blank lines around it.
    fn inserted(&self, at: usize, entry: &str) -> (Range<usize>, String) {
        let before = self.text.get(..at).unwrap_or_default();
        let above = match before {
            "" | "\u{feff}" => "",
            _ if before.ends_with("\n\n") || before.ends_with("\n\r\n") => "",
            _ if before.ends_with('\n') => "\n",
            _ => "\n\n",
        };
        let rest = self.text.get(at..).unwrap_or_default();
        let below = if rest.is_empty() || rest.starts_with(['\n', '\r']) { "" } else { "\n" };
        (at..at, format!("{above}{entry}{below}"))
    }

    /// A changed text as read, if it has no mistakes that the text before did not have.
    fn sound(&self, changed: &str) -> Option<Config> {
        let config = read(changed);
        (config.errors.len() <= read(self.text).errors.len()).then_some(config)
    }
}

/// The name of the set that a header begins.
fn set_of(header: &Statement) -> Option<&str> {
    match &header.kind {
        StatementKind::Header(names) => match names.as_slice() {
            [(first, _), (name, _)] if first == "sets" => Some(name),
            _ => None,
        },
        StatementKind::Entry(_) => None,
    }
}

/// `path = "…"` or `url = "…"`
fn named_schema(schema: &str) -> String {
    let key = if local_path(schema).is_some() { "path" } else { "url" };
    format!("{key} = {}", quoted(schema))
}

/// A string in TOML.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// The strings of an array with their ranges, quotes included; None if it is not an array of strings.
fn strings(text: &str, array: &Range<usize>) -> Option<Vec<(String, Range<usize>)>> {
    let written = text.get(array.clone())?;
    let value = format!("a={written}");
    let table = DeTable::parse(&value).ok()?;
    let (_, value) = table.get_ref().iter().next()?;
    let DeValue::Array(items) = value.get_ref() else { return None };
    let string = |item: &toml::Spanned<DeValue<'_>>| {
        let span = item.span();
        let range = array.start + span.start.checked_sub(2)?..array.start + span.end.checked_sub(2)?;
        Some((item.get_ref().as_str()?.to_owned(), range))
    };
    items.iter().map(string).collect()
}

/// The edits that add a string at the end of an array.
fn appended(text: &str, array: &Range<usize>, item: &str) -> Option<Edits> {
    let items = strings(text, array)?;
    let Some((_, last)) = items.last() else {
        return Some(vec![(array.clone(), format!("[{}]", quoted(item)))]);
    };
    let after = text.get(last.end..array.end)?;
    if !after.contains('\n') {
        return Some(vec![(last.end..last.end, format!(", {}", quoted(item)))]);
    }
    // One item on each line: the new one gets a line of its own, below the comment after the last one.
    let line = text.get(..last.start)?.rfind('\n').map_or(0, |line| line + 1);
    let before = text.get(line..last.start)?;
    let indentation: String = before.chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    let (first, _) = after.split_once('\n')?;
    let end = last.end + first.trim_end_matches('\r').len();
    let comma = if after.trim_start().starts_with(',') { "," } else { "" };
    let mut edits = vec![(end..end, format!("\n{indentation}{}{comma}", quoted(item)))];
    if comma.is_empty() {
        edits.push((last.end..last.end, ",".to_owned()));
    }
    Some(edits)
}

/// The range of an item of an array with the comma that belongs to it.
fn without(text: &str, items: &[(String, Range<usize>)], index: usize) -> Option<Range<usize>> {
    let (_, own) = items.get(index)?;
    match (index.checked_sub(1).and_then(|before| items.get(before)), items.get(index + 1)) {
        (_, Some((_, next))) if !text.get(own.end..next.start)?.contains('#') => Some(own.start..next.start),
        (Some((_, before)), _) if !text.get(before.end..own.start)?.contains('#') => Some(before.end..own.end),
        (None, None) => {
            let rest = text.get(own.end..)?;
            let comma = rest.trim_start().starts_with(',');
            let end = if comma { own.end + rest.find(',')? + 1 } else { own.end };
            Some(own.start..end)
        }
        _ => None,
    }
}

/// The text after edits that do not overlap. New lines end as those of the text do.
fn applied(text: &str, mut edits: Edits) -> Option<String> {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let (mut changed, mut at) = (String::with_capacity(text.len()), 0);
    for (range, new) in edits {
        changed.push_str(text.get(at..range.start)?);
        changed.push_str(&new.replace('\n', newline));
        at = range.end;
    }
    changed.push_str(text.get(at..)?);
    Some(changed)
}
