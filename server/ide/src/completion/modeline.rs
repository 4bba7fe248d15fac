//! Comments for this program: the schema of a file, and findings that are known.

use super::context::Cursor;
use super::texts::paths;
use crate::completion_item::{CompletionItem, ItemKind};
use crate::markdown::Words;
use lofting_check::rules;
use lofting_document::FileId;
use lofting_workspace::Snapshot;
use std::ops::Range;

/// What can follow `lofting:`.
const STATEMENTS: [(&str, &str); 3] = [
    ("schema=", "The schema that governs this file: a path that begins at the file."),
    ("ignore ", "Findings of these rules are known in this line, or in the next one."),
    ("ignore-file ", "Findings of these rules are known in the whole file."),
];

/// What can be inserted in the comment of `range`, if it is one of these.
pub(super) fn items(
    snapshot: &Snapshot,
    file: FileId,
    cursor: &Cursor<'_>,
    range: &Range<usize>,
) -> Option<Vec<CompletionItem>> {
    let before = cursor.text.slice(range.start..cursor.offset);
    let words = before.trim_start_matches('#').trim_start_matches('!').trim_start();
    if let Some(rest) = words.strip_prefix("lofting:").map(str::trim_start) {
        if let Some(path) = rest.strip_prefix("schema=") {
            return Some(path_items(snapshot, file, cursor, range, path));
        }
        let codes = rest.strip_prefix("ignore-file ").or_else(|| rest.strip_prefix("ignore "));
        return Some(match codes {
            // The reason follows two dashes.
            Some(codes) if codes.contains("--") => Vec::new(),
            Some(codes) => code_items(cursor, range, codes),
            None => statement_items(cursor, range, rest, &STATEMENTS),
        });
    }
    let rest = words.strip_prefix("yaml-language-server:").map(str::trim_start)?;
    Some(match rest.strip_prefix("$schema=") {
        Some(path) => path_items(snapshot, file, cursor, range, path),
        None => statement_items(cursor, range, rest, &[("$schema=", "The schema that governs this file.")]),
    })
}

fn statement_items(
    cursor: &Cursor<'_>,
    comment: &Range<usize>,
    typed: &str,
    statements: &[(&str, &'static str)],
) -> Vec<CompletionItem> {
    if typed.contains(char::is_whitespace) {
        return Vec::new();
    }
    let range = word(cursor, comment, typed);
    let item = |(index, (name, about)): (usize, &(&str, &'static str))| CompletionItem {
        about: Some(Words::default().ours(about).into()),
        sort_text: format!("{index:03}"),
        triggers_suggest: true,
        ..CompletionItem::new(name.trim_end(), ItemKind::Keyword, (range.clone(), (*name).to_owned()))
    };
    statements.iter().enumerate().map(item).collect()
}

fn code_items(cursor: &Cursor<'_>, comment: &Range<usize>, codes: &str) -> Vec<CompletionItem> {
    let is_between = |c: char| c == ',' || c.is_whitespace();
    let typed = codes.rsplit(is_between).next().unwrap_or_default();
    let given: Vec<&str> = codes.split(is_between).filter(|code| *code != typed).collect();
    let range = word(cursor, comment, typed);
    let known = rules::registry().rules().iter().filter(|rule| !given.contains(&rule.code));
    let item = |(index, rule): (usize, &&'static lofting_check::Rule)| CompletionItem {
        detail: Some(rule.title().to_owned()),
        sort_text: format!("{index:03}"),
        ..CompletionItem::new(rule.code, ItemKind::Constant, (range.clone(), rule.code.to_owned()))
    };
    known.enumerate().map(item).collect()
}

fn path_items(
    snapshot: &Snapshot,
    file: FileId,
    cursor: &Cursor<'_>,
    comment: &Range<usize>,
    path: &str,
) -> Vec<CompletionItem> {
    if path.contains(char::is_whitespace) {
        return Vec::new();
    }
    let range = word(cursor, comment, path.rsplit('/').next().unwrap_or_default());
    let item = |(index, name): (usize, String)| CompletionItem {
        sort_text: format!("{index:03}"),
        triggers_suggest: name.ends_with('/'),
        ..CompletionItem::new(name.clone(), ItemKind::File, (range.clone(), name))
    };
    paths(snapshot, file, path).into_iter().enumerate().map(item).collect()
}

/// The whole word around the cursor, whose part before the cursor is `typed`.
fn word(cursor: &Cursor<'_>, comment: &Range<usize>, typed: &str) -> Range<usize> {
    let rest = cursor.text.slice(cursor.offset..comment.end.max(cursor.offset));
    let more = rest.find(|c: char| c == ',' || c == '/' || c.is_whitespace()).unwrap_or(rest.len());
    cursor.offset - typed.len()..cursor.offset + more
}
