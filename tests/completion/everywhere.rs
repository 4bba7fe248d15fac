//! All files of all languages cut at any place, in one table: language by what was cut.
//!
//! * *back*: a key or value that something else declares is offered, and accepting it gives back what was there without
//!   touching anything else ([`crate::cuts`]).
//! * *typed*: a line cut while it is typed raises nothing on other lines.
//! * *opened*: nor in a file that is opened like this, where the server cannot know which line is being typed.
//!
//! `LOFTING_CUTS` is the number of cuts (3,000 by default); `LOFTING_CUTS_SHOWN` how many failures are printed.

use crate::cuts::{Before, Part, What, cut, judge, parts};
use crate::folders::{self, Folder};
use crate::generated::Dice;
use crate::words::{elsewhere, everywhere};
use crate::{Editor, number};
use lofting_document::FileId;
use lofting_ide::{LastEdit, goto_definition};
use lofting_syntax::Kind;
use lofting_workspace::{FileKind, Snapshot};
use std::collections::{BTreeMap, BTreeSet};

/// What a file is written in.
fn language(snapshot: &Snapshot, file: FileId, text: &str) -> &'static str {
    match snapshot.kind(file) {
        FileKind::Schema if text.contains("#@schema/type any") || text.contains("#@data/values-schema") => "schema",
        FileKind::Schema => "proposal",
        FileKind::DataValues => "values",
        FileKind::PlainValues => "plain values",
        FileKind::Template if text.contains("#@overlay/") => "overlay",
        FileKind::Template => "template",
        FileKind::Library if text.contains("#@") => "library",
        FileKind::Library => "starlark",
        FileKind::Configuration => "lofting.toml",
        FileKind::Parts if text.contains("openchoreo.dev/") => "openchoreo",
        FileKind::Parts if !snapshot.schemas_in(file).is_empty() => "json schema",
        FileKind::Parts => "plain yaml",
        FileKind::Other => "without schema",
    }
}

/// One cell of the table.
#[derive(Default)]
struct Cell {
    all: usize,
    wrong: Vec<String>,
}

/// Figures by measure, language and place.
#[derive(Default)]
struct Table(BTreeMap<(&'static str, &'static str, String), Cell>);

impl Table {
    fn add(&mut self, measure: &'static str, language: &'static str, place: String, judged: Result<(), String>) {
        let cell = self.0.entry((measure, language, place)).or_default();
        cell.all += 1;
        cell.wrong.extend(judged.err());
    }

    /// How many of a hundred are right in a language, or in all.
    fn share(&self, measure: &str, language: Option<&str>) -> f64 {
        let is_meant = |of: &&str, written_in: &&str| *of == measure && language.is_none_or(|it| it == *written_in);
        let cells = || self.0.iter().filter(|((of, it, _), _)| is_meant(of, it)).map(|(_, cell)| cell);
        let (all, wrong): (usize, usize) =
            (cells().map(|cell| cell.all).sum(), cells().map(|cell| cell.wrong.len()).sum());
        100.0 * (all - wrong) as f64 / all.max(1) as f64
    }

    fn tell(&self, shown: usize) {
        for measure in ["back", "typed", "opened"] {
            println!("{measure}: {:.2} %", self.share(measure, None));
            let languages: BTreeSet<&str> = self.0.keys().filter(|key| key.0 == measure).map(|key| key.1).collect();
            for language in languages {
                println!("    {language}: {:.2} %", self.share(measure, Some(language)));
            }
        }
        for ((measure, language, place), cell) in &self.0 {
            println!("{measure:6} {language:14} {place:44} {:5} of {:5}", cell.all - cell.wrong.len(), cell.all);
            for failure in cell.wrong.iter().take(shown) {
                println!("    {}", failure.replace('\n', "\n    "));
            }
        }
    }
}

/// Whether something declares a part: a key elsewhere, or what a value can be.
fn is_declared(snapshot: &Snapshot, file: FileId, text: &str, part: &Part) -> bool {
    let word = text[part.word.clone()].trim_matches(['"', '\'']);
    let is_elsewhere = |found: &lofting_ide::Definition| {
        let target = found.target_selection;
        let schema = snapshot.text(target.file).to_string();
        let is_other = target.file != file || target.range().start != part.word.start;
        let name = schema[target.range()].trim_matches(['"', '\'']);
        let above = schema[..found.target.range().start].trim_end_matches([' ', '-']).lines().next_back();
        let whole = &schema[found.target.range()];
        let lists = above.is_some_and(|line| line.contains("one_of=") && line.contains(&format!("\"{word}\"")));
        let flag = matches!(word, "true" | "false") && matches!(whole.rsplit(": ").next(), Some("true" | "false"));
        is_other && if part.what == What::Key { name == word } else { lists || flag }
    };
    part.what != What::Item && goto_definition(snapshot, file, part.word.start).iter().any(is_elsewhere)
}

/// What is at a place of a line.
fn place(snapshot: &Snapshot, file: FileId, text: &str, at: usize) -> &'static str {
    let is_code = snapshot.path(file).extension().is_some_and(|ending| ending == "star");
    if is_code || snapshot.kind(file) == FileKind::Configuration {
        return "line";
    }
    let tree = snapshot.tree(file);
    let Some(token) = tree.token_at(at) else { return "end" };
    let comment = token.kind() == Kind::Comment;
    let written = &text[token.range()];
    match () {
        () if comment && (written.starts_with("#@ ") || written == "#@") => "code",
        () if comment && written.starts_with("#@") => "annotation",
        () if comment => "comment",
        () if text[token.range().end..].starts_with(':') => "key",
        () => "value",
    }
}

/// What a line that was cut raises on others.
fn raised(
    editor: &Editor,
    line: usize,
    last: Option<&LastEdit>,
    before: &BTreeSet<(usize, &'static str)>,
) -> Result<(), String> {
    let found = elsewhere(editor, line, last);
    let new: Vec<_> = found.difference(before).collect();
    if new.is_empty() { Ok(()) } else { Err(format!("{new:?}")) }
}

fn run(folders: &[Folder], cuts: usize) -> Table {
    let mut dice = Dice::new(23);
    let mut table = Table::default();
    let total: usize = folders.iter().flat_map(|folder| &folder.files).map(|(_, text)| text.len()).sum();
    for folder in folders {
        for (at, (name, text)) in folder.files.iter().enumerate() {
            let share = (cuts * text.len()).div_ceil(total.max(1)).max(usize::from(dice.once_in(2)));
            if share == 0 || name.ends_with(".txt") {
                continue;
            }
            let mut editor = Editor::in_folder(&folder.files, at);
            let (snapshot, file) = (editor.snapshot(), editor.file());
            let language = language(&snapshot, file, text);
            let found = everywhere(&editor);
            let wrong: BTreeSet<&str> = found.iter().map(|(_, code)| *code).collect();
            let where_wrong: BTreeSet<usize> = found.iter().map(|(line, _)| *line).collect();
            let is_yaml = name.ends_with(".yml") || name.ends_with(".yaml");
            let (parts, scalars) = if is_yaml { parts(text) } else { Default::default() };
            let before = Before { scalars, wrong };
            let line_of = |at: usize| text[..at].matches('\n').count();
            for _ in 0..share {
                // A line with the rest of it cut off, or the rest of a word.
                let mut offset = dice.roll(text.len());
                while !text.is_char_boundary(offset) {
                    offset -= 1;
                }
                let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
                // A line without a word has not been begun.
                if text[start..offset].trim().is_empty() {
                    continue;
                }
                let line = line_of(offset);
                let end = text[offset..].find(['\r', '\n']).map_or(text.len(), |end| offset + end);
                let word = text[offset..end].find(|c: char| !c.is_alphanumeric()).map_or(end, |word| offset + word);
                let (cut_to, how) = if dice.once_in(2) { (word, "of the word") } else { (end, "of the line") };
                let half = format!("{}{}", &text[..offset], &text[cut_to..]);
                let place = format!("{}, rest {how}", place(&snapshot, file, text, offset));
                let shown =
                    format!("{}/{name}:{}: {}$0{}", folder.name, line + 1, &text[start..offset], &text[cut_to..end]);
                editor.replace(&half);
                let last = LastEdit { inserted: offset..offset, made_room: false };
                let typed = raised(&editor, line, Some(&last), &found).map_err(|new| format!("{shown}   raises {new}"));
                let opened = raised(&editor, line, None, &found).map_err(|new| format!("{shown}   raises {new}"));
                table.add("typed", language, place.clone(), typed);
                table.add("opened", language, place, opened);
                // A key or value that is known.
                let Some(part) = parts.get(dice.roll(parts.len())) else { continue };
                let line = line_of(part.word.start);
                if where_wrong.contains(&line) || !is_declared(&snapshot, file, text, part) {
                    continue;
                }
                let index = parts.iter().position(|other| std::ptr::eq(other, part)).unwrap_or(0);
                let Some(cut) = cut(text, &parts, index, &mut dice) else { continue };
                let judged = judge(&mut editor, &cut, &before);
                let shown = |why| {
                    let from = cut.text[..cut.offset].rmatch_indices('\n').nth(3).map_or(0, |(at, _)| at);
                    let to = cut.text[cut.offset..]
                        .match_indices('\n')
                        .nth(2)
                        .map_or(cut.text.len(), |(at, _)| cut.offset + at);
                    let around = format!("{}$0{}", &cut.text[from..cut.offset], &cut.text[cut.offset..to]);
                    format!("{}/{name} for {:?}\n{around}\n{why}", folder.name, &text[part.word.clone()])
                };
                table.add("back", language, cut.class.clone(), judged.map_err(shown));
            }
        }
    }
    table
}

#[test]
fn any_place_of_any_file() {
    let table = run(&folders::own(), number("LOFTING_CUTS", 3_000));
    table.tell(number("LOFTING_CUTS_SHOWN", 3));
    assert!(table.share("back", None) >= 99.9, "see above");
    assert!(table.share("typed", None) >= 99.5, "see above");
    assert!(table.share("typed", Some("schema")) >= 99.8, "see above");
    // Not every half-typed line looks like one to a server that has not seen it being typed.
    assert!(table.share("opened", None) >= 99.0, "see above");
    assert!(table.share("opened", Some("schema")) >= 99.5, "see above");
}

#[test]
fn any_place_of_real_files() {
    let folders = folders::real();
    if folders.is_empty() {
        println!("skipped: no files of public repositories are at hand");
        return;
    }
    let table = run(&folders, number("LOFTING_CUTS", 600));
    table.tell(number("LOFTING_CUTS_SHOWN", 3));
    // Which keys an expression leads to is not always known.
    assert!(table.share("back", None) >= 97.0, "see above");
    assert!(table.share("typed", None) >= 99.5, "see above");
}
