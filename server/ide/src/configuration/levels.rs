//! `[rules]`: codes of rules and their levels.

use super::item;
use crate::completion_item::{CompletionItem, CompletionOptions, ItemKind};
use crate::markdown::{Page, Words};
use lofting_check::rules;
use lofting_diagnostic::{Level, Rule};
use lofting_workspace::config::{StatementKind, statements};
use std::ops::Range;

/// The description of the table.
pub(super) const RULES: &str = "How bad findings of a rule are: its code in quotes, and `\"off\"`, `\"hint\"`, \
                                `\"info\"`, `\"warning\"` or `\"error\"`.";

/// The range of the code that begins with the quote at `start`, including its quotes.
pub(super) fn place(text: &str, start: usize, offset: usize) -> Option<Range<usize>> {
    let quote = text.get(start..)?.chars().next()?;
    let typed = text.get(start + 1..offset)?;
    let rest = text.get(offset..)?;
    let word = rest.find(|c: char| !is_in_code(c)).unwrap_or(rest.len());
    let closed = usize::from(rest.get(word..)?.starts_with(quote));
    typed.chars().all(is_in_code).then_some(start..offset + word + closed)
}

fn is_in_code(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '/')
}

/// Rules that the table does not mention yet.
pub(super) fn rule_items(text: &str, range: Range<usize>, options: &CompletionOptions) -> Vec<CompletionItem> {
    let used: Vec<String> =
        entries(text).into_iter().filter(|(_, at)| at.start != range.start).map(|(code, _)| code).collect();
    let has_value = text.get(range.end..).is_some_and(|rest| rest.trim_start_matches([' ', '\t']).starts_with('='));
    let new = rules::registry().rules().iter().filter(|rule| !used.iter().any(|code| code == rule.code));
    let made = new.enumerate().map(|(index, rule)| {
        let (insert, is_snippet) = if has_value {
            (format!("\"{}\"", rule.code), false)
        } else if options.snippets {
            (format!("\"{}\" = \"$0\"", rule.code), true)
        } else {
            (format!("\"{}\" = ", rule.code), false)
        };
        let mut item = item(rule.code, ItemKind::Key, (range.clone(), insert), index);
        item.is_snippet = is_snippet;
        // Including what is typed already, which may be a quote.
        item.filter_text = format!("\"{}\"", rule.code);
        item.detail = Some(rule.title().to_owned());
        item.about = Some(page(rule).into());
        item
    });
    made.collect()
}

/// All levels.
pub(super) fn level_items(range: Range<usize>, quote: Option<char>) -> Vec<CompletionItem> {
    let made = Level::ALL.into_iter().enumerate().map(|(index, (name, _))| {
        let insert = if quote.is_some() { name.to_owned() } else { format!("\"{name}\"") };
        item(name, ItemKind::EnumMember, (range.clone(), insert), index)
    });
    made.collect()
}

/// The description of a rule.
pub(super) fn describe(code: &str) -> Option<Page> {
    rules::registry().get(code).map(page)
}

fn page(rule: &'static Rule) -> Page {
    let head = Words::default().code(rule.code).ours(": ").ours(rule.title()).ours(". ");
    let level = Words::default().ours("Without an entry: ").code(rule.level());
    Page::from(head).description(rule.section("What")).words(level)
}

/// Codes of the table with their places.
fn entries(text: &str) -> Vec<(String, Range<usize>)> {
    let mut inside = false;
    let mut found = Vec::new();
    for statement in statements(text) {
        match statement.kind {
            StatementKind::Header(names) => inside = matches!(names.as_slice(), [(rules, _)] if rules == "rules"),
            StatementKind::Entry(entry) if inside => found.push(entry),
            StatementKind::Entry(_) => {}
        }
    }
    found
}
