//! Events in the notation of the public YAML test suite (`+MAP`, `=VAL :text`, ...).

use crate::ast::{Document, Entry, Item, Value, ValueKind};
use crate::faults::named_handle;
use crate::percent::percent_decoded;
use crate::tree::Tree;

/// What remains to be written; a stack, so the next task is the last one.
enum Task<'t> {
    Value(Option<Value<'t>>),
    Entries(Box<dyn Iterator<Item = Entry<'t>> + 't>),
    Items(Box<dyn Iterator<Item = Item<'t>> + 't>),
    End(&'static str),
}

/// The events of the tree, one for each line of the suite's `test.event`.
pub fn events(tree: &Tree) -> Vec<String> {
    let mut out = vec!["+STR".to_owned()];
    for document in tree.documents() {
        let explicit = if document.start_marker().is_some() { " ---" } else { "" };
        out.push(format!("+DOC{explicit}"));
        value_events(document, &mut out);
        let explicit = if document.end_marker().is_some() { " ..." } else { "" };
        out.push(format!("-DOC{explicit}"));
    }
    out.push("-STR".to_owned());
    out
}

fn value_events(document: Document<'_>, out: &mut Vec<String>) {
    let handles: Vec<(String, String)> = document
        .directives()
        .filter_map(|token| {
            let text = token.text();
            let mut words = text.split_ascii_whitespace();
            let tag = words.next() == Some("%TAG");
            let (handle, prefix) = (words.next()?, words.next()?);
            tag.then(|| (handle.to_owned(), prefix.to_owned()))
        })
        .collect();
    let mut tasks = vec![Task::Value(document.root())];
    while let Some(task) = tasks.pop() {
        match task {
            Task::End(event) => out.push(event.to_owned()),
            Task::Entries(mut entries) => {
                if let Some(entry) = entries.next() {
                    tasks.push(Task::Entries(entries));
                    tasks.push(Task::Value(Some(entry.value())));
                    tasks.push(Task::Value(entry.key()));
                }
            }
            Task::Items(mut items) => {
                if let Some(item) = items.next() {
                    tasks.push(Task::Items(items));
                    tasks.push(Task::Value(Some(item.value())));
                }
            }
            Task::Value(None) => out.push("=VAL :".to_owned()),
            Task::Value(Some(value)) => value_event(value, &handles, &mut tasks, out),
        }
    }
}

fn value_event<'t>(value: Value<'t>, handles: &[(String, String)], tasks: &mut Vec<Task<'t>>, out: &mut Vec<String>) {
    if let Some(alias) = value.alias() {
        out.push(format!("=ALI {}", alias.text()));
        return;
    }
    let mut properties = String::new();
    if let Some(anchor) = value.anchor() {
        properties.push(' ');
        properties.push_str(&anchor.text());
    }
    if let Some(tag) = value.tag() {
        properties.push_str(&format!(" <{}>", full_tag(&tag.text(), handles)));
    }
    if let Some(map) = value.map() {
        let flow = if map.is_flow() { " {}" } else { "" };
        out.push(format!("+MAP{flow}{properties}"));
        tasks.push(Task::End("-MAP"));
        tasks.push(Task::Entries(Box::new(map.entries())));
    } else if let Some(seq) = value.seq() {
        let flow = if seq.is_flow() { " []" } else { "" };
        out.push(format!("+SEQ{flow}{properties}"));
        tasks.push(Task::End("-SEQ"));
        tasks.push(Task::Items(Box::new(seq.items())));
    } else {
        let style = match value.kind() {
            ValueKind::SingleQuoted => '\'',
            ValueKind::DoubleQuoted => '"',
            ValueKind::Literal => '|',
            ValueKind::Folded => '>',
            _ => ':',
        };
        let text = value.scalar().map(|scalar| escaped(&scalar.value())).unwrap_or_default();
        out.push(format!("=VAL{properties} {style}{text}"));
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\0' => out.push_str("\\0"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            _ => out.push(c),
        }
    }
    out
}

/// The tag with its handle replaced by the declared prefix.
pub(crate) fn full_tag(tag: &str, handles: &[(String, String)]) -> String {
    if let Some(uri) = tag.strip_prefix("!<") {
        return uri.trim_end_matches('>').to_owned();
    }
    if tag == "!" {
        return tag.to_owned();
    }
    let handle = match named_handle(tag) {
        Some(handle) => handle,
        None if tag.starts_with("!!") => "!!",
        None => "!",
    };
    let declared = handles.iter().rev().find(|(name, _)| name == handle);
    let prefix = match declared {
        Some((_, prefix)) => prefix.as_str(),
        None if handle == "!!" => "tag:yaml.org,2002:",
        None => handle,
    };
    format!("{prefix}{}", String::from_utf8_lossy(&percent_decoded(&tag[handle.len()..])))
}
