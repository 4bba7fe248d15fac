//! `lofting.toml`: completion of keys, paths and rules, and hovers on keys, sets and rules.

use crate::answers::Hovered;
use crate::completion_item::{CompletionItem, CompletionOptions, ItemKind};
use crate::markdown::{Page, Words};
use lofting_document::FileId;
use lofting_format::{Choice, Takes as Layout};
use lofting_workspace::Snapshot;
use lofting_workspace::config::{
    CATALOGUE_KEYS, ConfigKey, DEPRECATION_KEYS, KUBERNETES_KEYS, SCHEMA_KEYS, SET_KEYS, StatementKind, Takes,
    format_keys, is_bare, key_named, statements,
};
use std::ops::Range;

mod levels;
#[cfg(test)]
mod tests;
mod values;

/// How many files of a set a hover lists; the others are counted.
const MAX_FILES: usize = 10;

/// Where the cursor is.
#[derive(Debug, PartialEq, Eq)]
enum CursorContext {
    /// In or before the name of a key in the table with this header.
    Key { header: Vec<String>, range: Range<usize> },
    /// In a header with this many brackets; the range is between them, up to the end of the word at the cursor.
    Header { range: Range<usize>, brackets: usize },
    /// In or before the code of a rule.
    Rule { range: Range<usize> },
    /// At the level of a rule.
    Level { range: Range<usize>, quote: Option<char> },
    /// At a value of a key.
    Value { key: &'static ConfigKey, range: Range<usize>, quote: Option<char>, in_array: bool },
}

/// The completions at `offset`, best first, and whether it is inside a string.
pub(crate) fn completion(
    snapshot: &Snapshot,
    file: FileId,
    offset: usize,
    options: &CompletionOptions,
) -> (Vec<CompletionItem>, bool) {
    let text = snapshot.text(file).to_string();
    let Some(place) = place(&text, offset) else { return (Vec::new(), false) };
    match place {
        CursorContext::Header { range, brackets } => (header_items(range, brackets), false),
        CursorContext::Rule { range } => (levels::rule_items(&text, range, options), false),
        CursorContext::Level { range, quote } => (levels::level_items(range, quote), quote.is_some()),
        CursorContext::Key { header, range } => (key_items(&text, &header, range, options), false),
        CursorContext::Value { key, range, quote, in_array } => {
            (values::items(snapshot, file, (&text, offset), key, (range, quote), in_array), quote.is_some())
        }
    }
}

fn place(text: &str, offset: usize) -> Option<CursorContext> {
    let before = text.get(..offset)?;
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let all = statements(text);
    let index = all.iter().rposition(|statement| statement.range.start <= offset);
    let (upto, _) = all.split_at(index.map_or(0, |index| index + 1));
    let header = upto.iter().rev().find_map(|statement| match &statement.kind {
        StatementKind::Header(names) => Some(names.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>()),
        StatementKind::Entry(_) => None,
    });
    let word = text.get(offset..)?.find(|c| !is_bare(c)).map_or(text.len(), |length| offset + length);
    if let Some(statement) = upto.last() {
        match &statement.kind {
            StatementKind::Header(_) if statement.range.start >= line_start => {
                let brackets = text.get(statement.range.start..offset)?;
                let inside = brackets.trim_start_matches('[');
                let range = offset - inside.len()..word;
                let brackets = brackets.len() - inside.len();
                return (!inside.contains([']', '#'])).then_some(CursorContext::Header { range, brackets });
            }
            StatementKind::Entry((name, range)) if range.end < offset => {
                let part = text.get(range.end..offset)?;
                if let Some(value) = part.trim_start_matches([' ', '\t']).strip_prefix('=') {
                    let keys = header.as_ref().and_then(|names| keys_of(names));
                    let in_rules = header.as_ref().is_some_and(|names| is_rules(names));
                    match cursor_in_value(value) {
                        InValue::Comment => return None,
                        InValue::Behind => {}
                        InValue::String(_) | InValue::Gap { .. } if keys.is_none() && !in_rules => return None,
                        InValue::String(length) => {
                            let start = offset - length;
                            let quote = text.get(..start)?.chars().next_back()?;
                            let end =
                                text.get(offset..)?.find([quote, '\n', '\r']).map_or(text.len(), |at| offset + at);
                            if in_rules {
                                return Some(CursorContext::Level { range: start..end, quote: Some(quote) });
                            }
                            let in_array = value.trim_start().starts_with('[');
                            return Some(CursorContext::Value {
                                key: key_named(keys?, name)?,
                                range: start..end,
                                quote: Some(quote),
                                in_array,
                            });
                        }
                        InValue::Gap { in_array } => {
                            let start = offset - (before.len() - before.trim_end_matches(is_bare).len());
                            if in_rules {
                                return Some(CursorContext::Level { range: start..word, quote: None });
                            }
                            return Some(CursorContext::Value {
                                key: key_named(keys?, name)?,
                                range: start..word,
                                quote: None,
                                in_array,
                            });
                        }
                    }
                }
            }
            _ => {}
        }
    }
    let typed = text.get(line_start..offset)?.trim_start_matches([' ', '\t', '\u{feff}']);
    if header.as_ref().is_some_and(|names| is_rules(names)) && typed.starts_with(['"', '\'']) {
        return levels::place(text, offset - typed.len(), offset).map(|range| CursorContext::Rule { range });
    }
    typed
        .chars()
        .all(is_bare)
        .then(|| CursorContext::Key { header: header.unwrap_or_default(), range: offset - typed.len()..word })
}

fn is_rules(header: &[String]) -> bool {
    matches!(header, [rules] if rules == "rules")
}

/// The keys that the table with this header can have; None for other tables.
fn keys_of(header: &[String]) -> Option<&'static [ConfigKey]> {
    match header {
        [sets, _] if sets == "sets" => Some(&SET_KEYS),
        [schemas] if schemas == "schemas" => Some(&SCHEMA_KEYS),
        [format] if format == "format" => Some(format_keys()),
        [kubernetes] if kubernetes == "kubernetes" => Some(&KUBERNETES_KEYS),
        [catalogue] if catalogue == "catalogue" => Some(&CATALOGUE_KEYS),
        [deprecation] if deprecation == "deprecation" => Some(&DEPRECATION_KEYS),
        _ => None,
    }
}

/// Where the end of a value is that begins after `=`.
#[derive(Debug, PartialEq, Eq)]
enum InValue {
    /// In a string, this many bytes after its quote.
    String(usize),
    /// Outside strings, where a value can begin or is being typed.
    Gap { in_array: bool },
    /// In a comment.
    Comment,
    /// After the value.
    Behind,
}

fn cursor_in_value(value: &str) -> InValue {
    let mut depth = 0_usize;
    let mut any = false;
    let mut characters = value.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' | '\'' => {
                any = true;
                let mut escaped = false;
                let closed = characters.by_ref().find(|(_, c)| {
                    let ends = (*c == character && !escaped) || matches!(*c, '\n' | '\r');
                    escaped = character == '"' && *c == '\\' && !escaped;
                    ends
                });
                if closed.is_none() {
                    return InValue::String(value.len() - at - 1);
                }
            }
            '[' => (depth, any) = (depth + 1, true),
            ']' => depth = depth.saturating_sub(1),
            // Searching for the end of the comment also consumes it.
            '#' if characters.by_ref().all(|(_, c)| c != '\n') => return InValue::Comment,
            '\n' if depth == 0 => return InValue::Behind,
            _ => {}
        }
    }
    if depth > 0 {
        return InValue::Gap { in_array: true };
    }
    // A word that is being typed is not a value yet.
    if any { InValue::Behind } else { InValue::Gap { in_array: false } }
}

/// A table that can be started.
struct Table {
    /// The text between the brackets, as far as it is fixed.
    header: &'static str,
    /// It is an item of an array of tables: two brackets on each side.
    is_item: bool,
    detail: &'static str,
    about: &'static str,
    /// The table as a snippet, and without placeholders.
    snippet: &'static str,
    plain: &'static str,
}

const TABLES: [Table; 8] = [
    Table {
        header: "sets.",
        is_item: false,
        detail: "an input set",
        about: SETS,
        snippet: "[sets.${1:name}]\nfiles = [\"$0\"]",
        plain: "[sets.",
    },
    Table {
        header: "rules",
        is_item: false,
        detail: "levels of rules",
        about: levels::RULES,
        snippet: "[rules]\n",
        plain: "[rules]\n",
    },
    Table {
        header: "schemas",
        is_item: true,
        detail: "the schema of files",
        about: SCHEMAS,
        snippet: "[[schemas]]\npath = \"$1\"\nfiles = [\"$0\"]",
        plain: "[[schemas]]\n",
    },
    Table {
        header: "schemas.mirror",
        is_item: false,
        detail: "folders that stand for URLs",
        about: MIRROR,
        snippet: "[schemas.mirror]\n",
        plain: "[schemas.mirror]\n",
    },
    Table {
        header: "kubernetes",
        is_item: false,
        detail: "the cluster",
        about: KUBERNETES,
        snippet: "[kubernetes]\nversion = \"$0\"",
        plain: "[kubernetes]\n",
    },
    Table {
        header: "catalogue",
        is_item: false,
        detail: "the built-in schemas",
        about: CATALOGUE,
        snippet: "[catalogue]\nbuilt-in = ${1:false}",
        plain: "[catalogue]\n",
    },
    Table {
        header: "deprecation",
        is_item: false,
        detail: "when keys may go",
        about: DEPRECATION,
        snippet: "[deprecation]\nrelease = \"$0\"",
        plain: "[deprecation]\n",
    },
    Table {
        header: "format",
        is_item: false,
        detail: "the layout of files",
        about: FORMAT,
        snippet: "[format]\n",
        plain: "[format]\n",
    },
];

impl Table {
    fn label(&self) -> String {
        match (self.header.strip_suffix('.'), self.is_item) {
            (Some(before), _) => format!("[{before}.NAME]"),
            (None, true) => format!("[[{}]]", self.header),
            (None, false) => format!("[{}]", self.header),
        }
    }
}

fn header_items(range: Range<usize>, brackets: usize) -> Vec<CompletionItem> {
    let fitting = TABLES.iter().filter(|table| brackets < 2 || table.is_item);
    let items = fitting.enumerate().map(|(index, table)| {
        let insert = if table.is_item && brackets < 2 { format!("[{}", table.header) } else { table.header.to_owned() };
        let mut item = item(table.header, ItemKind::Key, (range.clone(), insert), index);
        item.detail = Some(table.detail.to_owned());
        item.about = Some(Words::default().ours(table.about).into());
        item
    });
    items.collect()
}

const SCHEMAS: &str = "The schema of files, by patterns of their names. Each `[[schemas]]` begins another one; of several that match, \
                       the first counts.";

const MIRROR: &str = "Folders that stand for URLs: a schema whose URL begins so is read from the folder.";

const KUBERNETES: &str = "The cluster that resources are meant for.";

const CATALOGUE: &str = "The built-in schemas.";

const DEPRECATION: &str = "When keys of schemas may be removed that are deprecated.";

const FORMAT: &str = "How YAML files are laid out by `lofting fmt` and by editors.";

const SETS: &str = "An input set: what one call of `ytt` gets. It begins with `[sets.NAME]`, and its keys follow.";

fn key_items(text: &str, header: &[String], range: Range<usize>, options: &CompletionOptions) -> Vec<CompletionItem> {
    let mut items = Vec::new();
    if let Some(keys) = keys_of(header) {
        let used = keys_of_table(text, header, range.start);
        let has_value = text.get(range.end..).is_some_and(|rest| rest.trim_start_matches([' ', '\t']).starts_with('='));
        let new = keys.iter().filter(|key| !used.iter().any(|used| used == key.name));
        for (index, key) in new.enumerate() {
            let (insert, is_snippet) = match key.takes {
                _ if has_value => (key.name.to_owned(), false),
                Takes::Switch(_) | Takes::Layout(Choice { takes: Layout::Flag(_), .. }) => {
                    (format!("{} = true", key.name), false)
                }
                Takes::BuiltIn => (format!("{} = false", key.name), false),
                Takes::Layout(Choice { takes: Layout::Word(_), .. }) if options.snippets => {
                    (format!("{} = \"$0\"", key.name), true)
                }
                Takes::Layout(_) => (format!("{} = ", key.name), false),
                Takes::List(..) | Takes::Patterns if options.snippets => (format!("{} = [\"$0\"]", key.name), true),
                Takes::Path | Takes::Url | Takes::Bundle | Takes::Version | Takes::Revision if options.snippets => {
                    (format!("{} = \"$0\"", key.name), true)
                }
                Takes::List(..) | Takes::Patterns | Takes::Path | Takes::Url => (format!("{} = ", key.name), false),
                Takes::Bundle | Takes::Version | Takes::Revision => (format!("{} = ", key.name), false),
            };
            let mut item = item(key.name, ItemKind::Key, (range.clone(), insert), index);
            item.is_snippet = is_snippet;
            item.detail = key.flag.map(|flag| format!("ytt {flag}"));
            item.about = Some(describe_key(key).into());
            items.push(item);
        }
    }
    if is_rules(header) {
        items.extend(levels::rule_items(text, range.clone(), options));
    }
    for table in &TABLES {
        let insert = if options.snippets { table.snippet } else { table.plain };
        let mut item = item(&table.label(), ItemKind::Snippet, (range.clone(), insert.to_owned()), items.len());
        item.is_snippet = options.snippets && insert.contains('$');
        item.filter_text = table.header.trim_end_matches('.').to_owned();
        item.detail = Some(table.detail.to_owned());
        item.about = Some(Words::default().ours(table.about).into());
        items.push(item);
    }
    items
}

/// The keys in the table around a place, which has this header, except for the one that begins at `except`.
fn keys_of_table(text: &str, header: &[String], except: usize) -> Vec<String> {
    let mut inside = false;
    let mut keys = Vec::new();
    for statement in statements(text) {
        match statement.kind {
            StatementKind::Header(names) => {
                // Each item of an array of tables has its own keys.
                let is_item = text.get(statement.range).is_some_and(|text| text.starts_with("[["));
                let is_after = names.first().is_some_and(|(_, range)| range.start > except);
                if is_item && is_after {
                    break;
                }
                inside = names.iter().map(|(name, _)| name).eq(header);
                if is_item {
                    keys.clear();
                }
            }
            StatementKind::Entry((name, range)) if inside && range.start != except => keys.push(name),
            StatementKind::Entry(_) => {}
        }
    }
    keys
}

fn item(label: &str, kind: ItemKind, edit: (Range<usize>, String), index: usize) -> CompletionItem {
    CompletionItem { sort_text: format!("{index:05}"), ..CompletionItem::new(label, kind, edit) }
}

/// The description of the key or set at `offset`.
pub(crate) fn hover(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<Hovered> {
    let text = snapshot.text(file).to_string();
    let at = |range: &Range<usize>| range.start <= offset && offset <= range.end;
    let mut header: Vec<String> = Vec::new();
    for statement in statements(&text) {
        match statement.kind {
            StatementKind::Header(names) => {
                header = names.iter().map(|(name, _)| name.clone()).collect();
                let (about, (_, range)) = match names.as_slice() {
                    [sets, (name, range)] if sets.0 == "sets" && at(range) => {
                        return Some((describe_set(snapshot, file, name)?, range.clone()));
                    }
                    [sets, ..] if sets.0 == "sets" => (SETS, sets),
                    [rules] if rules.0 == "rules" => (levels::RULES, rules),
                    [format] if format.0 == "format" => (FORMAT, format),
                    [kubernetes] if kubernetes.0 == "kubernetes" => (KUBERNETES, kubernetes),
                    [catalogue] if catalogue.0 == "catalogue" => (CATALOGUE, catalogue),
                    [deprecation] if deprecation.0 == "deprecation" => (DEPRECATION, deprecation),
                    [schemas] if schemas.0 == "schemas" => (SCHEMAS, schemas),
                    [schemas, mirror] if schemas.0 == "schemas" => (MIRROR, mirror),
                    _ => continue,
                };
                if at(range) {
                    return Some((Words::default().ours(about).into(), range.clone()));
                }
            }
            StatementKind::Entry((name, range)) if keys_of(&header).is_some() && at(&range) => {
                return Some((describe_key(key_named(keys_of(&header)?, &name)?), range));
            }
            StatementKind::Entry((code, range)) if is_rules(&header) && at(&range) => {
                return Some((levels::describe(&code)?, range));
            }
            StatementKind::Entry(_) => {}
        }
    }
    None
}

fn describe_key(key: &ConfigKey) -> Page {
    let takes = match key.takes {
        Takes::List(..) => "an array of strings",
        Takes::Patterns => "an array of patterns",
        Takes::Path => "a path",
        Takes::Url => "a URL",
        Takes::Bundle => "a path or a URL",
        Takes::Version => "a version",
        Takes::Revision => "a revision of git",
        Takes::Switch(_) | Takes::BuiltIn | Takes::Layout(Choice { takes: Layout::Flag(_), .. }) => "`true` or `false`",
        Takes::Layout(Choice { takes: Layout::Number { .. }, .. }) => "an integer",
        Takes::Layout(Choice { takes: Layout::Word(_), .. }) => "a string",
    };
    let head = Words::default().code(key.name).ours(": ").ours(takes);
    let head = match key.flag {
        Some(flag) => head.ours(", as ").code(format!("ytt {flag}")),
        None => head,
    };
    let example = Words::default().ours("Example: ").code(format!("{} = {}", key.name, key.example));
    Page::from(head).words(Words::default().ours(key.doc)).words(example)
}

fn describe_set(snapshot: &Snapshot, file: FileId, name: &str) -> Option<Page> {
    let files = snapshot.files_of_set(file, name)?;
    let mut page = Page::from(Words::default().ours("The input set ").code(name));
    for (title, files) in [
        ("Inputs:", files.inputs),
        ("Values of every call:", files.values),
        ("Values of one call each:", files.alternatives),
    ] {
        if files.is_empty() {
            continue;
        }
        let mut list: Vec<Words> =
            files.iter().take(MAX_FILES).map(|file| Words::default().code(snapshot.shown_path(*file))).collect();
        if let more @ 1.. = files.len().saturating_sub(MAX_FILES) {
            list.push(Words::default().text(format!("and {more} more")));
        }
        page = page.words(Words::default().ours(title)).list(list);
    }
    Some(page)
}
