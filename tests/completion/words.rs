//! Words that name something declared elsewhere, cut at every letter: annotations and their arguments, names in code,
//! texts that name keys, files and modules, words of languages inside scalars, and all that `lofting.toml` holds.
//!
//! The program itself says which words it knows: where a word has a hover or a definition in the right file, the
//! beginning of it has to be offered the whole. A word is cut with the rest of its line, without it, and with what
//! editors close by themselves.
//!
//! * *good*: asked by the user, the word is offered, and accepting it gives back the line.
//! * *typed*: like *good*, where the list opens by itself, after a letter, while more than a few letters are left.
//! * *first*: the first item of the list, accepted, leaves nothing on the line that cannot be there.
//! * *quiet*: what is half-typed raises nothing on other lines.
//!
//! `LOFTING_CUTS` is the number of cuts (1,500 by default); `LOFTING_CUTS_SHOWN` how many failures are printed.

use crate::folders::{self, Folder};
use crate::generated::Dice;
use crate::{Editor, accepted, edits, number};
use lofting_annotation::{CommentKind, read_comment};
use lofting_document::FileId;
use lofting_eval::code::TermKind;
use lofting_ide::{CompletionItem, LastEdit, Markup};
use lofting_syntax::{Kind, Tree};
use lofting_workspace::config::{StatementKind, statements};
use lofting_workspace::{CancelFlag, FileKind, Snapshot};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A word in a file.
#[derive(Clone)]
struct Word {
    range: Range<usize>,
    class: &'static str,
    /// Between these quotes, which an editor closes.
    quote: Option<char>,
}

/// Words whose meaning follows from nothing that is declared.
const KEYWORDS: &[&str] = &[
    "if", "elif", "else", "for", "in", "end", "def", "return", "and", "or", "not", "lambda", "load", "True", "False",
    "None",
];

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The runs of letters in a range.
fn runs(text: &str, range: Range<usize>, is_in: impl Fn(char) -> bool) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, c) in text[range.clone()].char_indices() {
        let at = range.start + at;
        match found.last_mut().filter(|last| last.end == at) {
            _ if !is_in(c) => {}
            Some(last) => last.end = at + c.len_utf8(),
            None => found.push(at..at + c.len_utf8()),
        }
    }
    found
}

/// All words of a file that may be known.
fn words(snapshot: &Snapshot, file: FileId, text: &str) -> Vec<Word> {
    if snapshot.kind(file) == FileKind::Configuration {
        return of_configuration(text);
    }
    let mut found = Vec::new();
    let is_star = snapshot.path(file).extension().is_some_and(|ending| ending == "star");
    of_code(snapshot, file, text, &mut found);
    if !is_star {
        let tree = snapshot.tree(file);
        of_annotations(&tree, text, &mut found);
        of_scalars(&tree, text, &mut found);
    }
    found
}

fn of_code(snapshot: &Snapshot, file: FileId, text: &str, found: &mut Vec<Word>) {
    let code = snapshot.code(file);
    let mut push = |range: &Range<usize>, class, quote| found.push(Word { range: range.clone(), class, quote });
    let mut texts: Vec<Range<usize>> = Vec::new();
    for term in &code.terms {
        match &term.kind {
            TermKind::Name(_) => push(&term.range, "name", None),
            TermKind::Attribute { name_range, .. } => push(name_range, "member", None),
            TermKind::String { content, .. } => {
                texts.push(content.clone());
                push(content, "text in code", text[..content.start].chars().next_back());
            }
            _ => {}
        }
    }
    for load in &code.loads {
        push(&load.module_range, "loaded file", text[..load.module_range.start].chars().next_back());
        texts.push(load.module_range.clone());
        for name in &load.names {
            push(&name.name_range, "loaded name", text[..name.name_range.start].chars().next_back());
            texts.push(name.name_range.clone());
        }
    }
    for (piece, _) in &code.pieces {
        for run in runs(text, piece.clone(), is_letter) {
            let in_text = texts.iter().any(|text| text.start <= run.start && run.end <= text.end);
            if !in_text && KEYWORDS.contains(&&text[run.clone()]) {
                push(&run, "keyword", None);
            }
        }
    }
}

fn comments(tree: &Tree, text: &str) -> Vec<Range<usize>> {
    let marks = text.match_indices('#').map(|(at, _)| at);
    let tokens = marks.filter_map(|at| tree.token_at(at).filter(|token| token.range().start == at));
    tokens.filter(|token| token.kind() == Kind::Comment).map(|token| token.range()).collect()
}

fn of_annotations(tree: &Tree, text: &str, found: &mut Vec<Word>) {
    for comment in comments(tree, text) {
        let CommentKind::Annotation(annotation) = read_comment(&text[comment.clone()], comment.start).kind else {
            continue;
        };
        found.push(Word { range: annotation.name_range.clone(), class: "annotation", quote: None });
        for keyword in &annotation.arguments.keywords {
            found.push(Word { range: keyword.name_range.clone(), class: "argument", quote: None });
        }
    }
}

/// Words in scalars of one line that may contain another language.
fn of_scalars(tree: &Tree, text: &str, found: &mut Vec<Word>) {
    let mut line = 0;
    for written in text.split_inclusive('\n') {
        let start = line;
        line += written.len();
        let Some(colon) = written.find(": ").or_else(|| written.find("- ")) else { continue };
        let from = start + colon + 2;
        let Some(scalar) =
            runs(text, from.min(start + written.trim_end().len())..start + written.trim_end().len(), |c| {
                !c.is_whitespace()
            })
            .first()
            .and_then(|first| tree.scalar_at(first.start))
        else {
            continue;
        };
        let range = scalar.range();
        if text[range.clone()].contains('\n') {
            continue;
        }
        let quote = text[range.clone()].chars().next().filter(|c| matches!(c, '"' | '\''));
        let inside = runs(text, range, |c| is_letter(c) || c == '-');
        found.extend(inside.into_iter().map(|range| Word { range, class: "in a scalar", quote }));
    }
}

fn of_configuration(text: &str) -> Vec<Word> {
    let mut found = Vec::new();
    for statement in statements(text) {
        match statement.kind {
            StatementKind::Header(names) => {
                found.extend(names.into_iter().take(2).map(|(_, range)| Word { range, class: "table", quote: None }));
            }
            StatementKind::Entry((_, range)) => {
                let after = text[range.end..statement.range.end].lines().take_while(|line| !line.starts_with('#'));
                let after = range.end
                    ..range.end + after.map(|line| line.len() + 1).sum::<usize>().min(statement.range.end - range.end);
                found.push(Word { range, class: "key", quote: None });
                let mut quote = None;
                for (at, c) in text[after.clone()].char_indices() {
                    let at = after.start + at;
                    match quote {
                        None if matches!(c, '"' | '\'') => quote = Some((at + 1, c)),
                        Some((start, open)) if c == open => {
                            // A path is written part by part.
                            let parts = runs(text, start..at, |c| !matches!(c, '/' | '='));
                            let class = "text in lofting.toml";
                            found.extend(parts.into_iter().map(|range| Word { range, class, quote: Some(open) }));
                            quote = None;
                        }
                        None if c.is_alphabetic() && !text[..at].ends_with(is_letter) => {
                            let end = at + text[at..].find(|c| !is_letter(c)).unwrap_or(text.len() - at);
                            found.push(Word { range: at..end, class: "word in lofting.toml", quote: None });
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    found
}

/// Whether the program knows what a word of a right file means.
fn is_known(snapshot: &Snapshot, file: FileId, text: &str, word: &Word) -> bool {
    let (Range { start, end }, written) = (word.range.clone(), &text[word.range.clone()]);
    // A number is the user's own.
    if written.is_empty() || written.contains('\n') || written.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    match word.class {
        "keyword" | "word in lofting.toml" => return true,
        // Words of settings, data values, and what there is of files and folders.
        "text in lofting.toml" => {
            let is_path = |file: FileId| snapshot.path(file).iter().any(|part| part == written);
            let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
            if text[line..start].contains("://") {
                return false;
            }
            let is_word = ["off", "warning", "hint", "double", "indented"].contains(&written);
            return is_word || text[end..].starts_with('=') || snapshot.files().any(is_path);
        }
        "table" => return matches!(written, "sets" | "rules" | "schemas" | "mirror" | "format"),
        _ => {}
    }
    let at = start + usize::from(end > start + 1);
    let targets = lofting_ide::goto_definition(snapshot, file, at);
    let is_here = |target: &lofting_ide::Definition| {
        target.target_selection.file == file
            && target.target_selection.range().start <= start
            && end <= target.target_selection.range().end
    };
    // What declares a name is new.
    if targets.iter().any(is_here) {
        return false;
    }
    let hover = lofting_ide::hover(snapshot, file, at, Markup::Plain);
    // Around a word without a meaning there may be something that has one.
    let hover = hover.filter(|hover| start <= hover.range.start && hover.range.end <= end);
    let hover = hover.filter(|hover| !hover.text.contains("is not declared"));
    match word.class {
        // Starlark does not load what begins so.
        "loaded name" if written.starts_with('_') => false,
        "in a scalar" => {
            // Of a value of the user's own the hover tells about its key.
            // What a macro declares is new.
            let before = text[..start].trim_end_matches(|c: char| is_letter(c) || matches!(c, ',' | ' '));
            if ["transformList(", "transformMap(", "map(", "filter(", "all(", "exists("]
                .iter()
                .any(|it| before.ends_with(it))
            {
                return false;
            }
            let is_exact = hover.is_some_and(|hover| hover.range == word.range && hover.text.contains(written));
            is_exact && snapshot.kind(file) == FileKind::Parts
        }
        _ => !targets.is_empty() || hover.is_some(),
    }
}

/// A file with the rest of a word cut off.
struct Cut {
    text: String,
    offset: usize,
    /// What the text begins with when the word is back.
    begins: String,
    /// The rest of the line was left.
    whole: Option<String>,
    truncated: bool,
}

/// None where the cut takes away what declares the word, as of a comprehension.
fn cut(snapshot: &Snapshot, file: FileId, text: &str, word: &Word, dice: &mut Dice) -> Option<Cut> {
    let written = &text[word.range.clone()];
    let letters: Vec<usize> = written.char_indices().map(|(at, _)| at).collect();
    let typed = letters[dice.roll(letters.len())];
    let offset = word.range.start + typed;
    let line_end = text[offset..].find(['\r', '\n']).map_or(text.len(), |end| offset + end);
    let (whole, rest) = match dice.roll(4) {
        // Only the rest of the word is missing.
        0 => (Some(text.to_owned()), text[word.range.end..].to_owned()),
        // What an editor closes by itself.
        1 => {
            let closing: String = word.quote.into_iter().collect();
            (None, format!("{closing}{}", &text[line_end..]))
        }
        2 => (None, String::new()),
        _ => (None, text[line_end..].to_owned()),
    };
    let truncated = rest.is_empty();
    let left = text.len() - rest.len();
    let at = word.range.start + usize::from(written.len() > 1);
    let mut targets = lofting_ide::goto_definition(snapshot, file, at);
    if word.class == "member" {
        // Nor what declares the name that the chain of members begins with.
        let chain = text[..word.range.start].trim_end_matches(|c: char| is_letter(c) || c == '.');
        targets.extend(lofting_ide::goto_definition(snapshot, file, chain.len()));
    }
    let is_gone = |target: &lofting_ide::Definition| {
        let place = target.target_selection;
        place.file == file && offset <= place.range().start && place.range().start < left
    };
    if whole.is_none() && targets.iter().any(is_gone) {
        return None;
    }
    let begins = text[..word.range.end].to_owned();
    Some(Cut { text: format!("{}{rest}", &text[..offset]), offset, begins, whole, truncated })
}

impl Cut {
    fn line_of(&self, at: usize) -> usize {
        self.text[..at.min(self.text.len())].matches('\n').count()
    }

    /// Whether an accepted item gives back what was there.
    fn is_back(&self, item: &CompletionItem) -> bool {
        let mut text = self.text.clone();
        text.replace_range(item.edit.0.clone(), &item.edit.1);
        match &self.whole {
            // Blanks may follow, for arguments, and a slash where a folder has none.
            Some(whole) => {
                let line = text[self.begins.len().min(text.len())..].trim_start_matches([' ', '/']);
                text.starts_with(&self.begins) && (text == *whole || whole.ends_with(line))
            }
            None => {
                let rest = text.strip_prefix(&self.begins);
                rest.is_some_and(|rest| !rest.starts_with(is_letter))
            }
        }
    }
}

/// Codes of findings that say that something is in the wrong place, whatever follows it.
const OUT_OF_PLACE: &[&str] = &[
    "ytt/unknown-annotation",
    "ytt/schema-rule-type",
    "ytt/data-annotation-on-item",
    "ytt/undefined-name",
    "ytt/unknown-data-value",
    "ytt/annotation-in-plain-values",
    "ytt/unexpected-end",
    "proposals/annotation-place",
    "openchoreo/unknown-type",
    "openchoreo/unknown-marker",
    "openchoreo/unknown-variable",
    "openchoreo/unknown-field",
    "openchoreo/unknown-function",
    "openchoreo/unknown-keyword",
    "lofting/configuration",
];

/// How many of a kind are right, and what is wrong with the others.
#[derive(Default)]
struct Tally {
    all: usize,
    wrong: BTreeMap<String, Vec<String>>,
}

impl Tally {
    fn add(&mut self, class: &str, judged: Result<(), String>) {
        self.all += 1;
        if let Err(why) = judged {
            self.wrong.entry(class.to_owned()).or_default().push(why);
        }
    }

    fn share(&self) -> f64 {
        let wrong: usize = self.wrong.values().map(Vec::len).sum();
        100.0 * (self.all - wrong) as f64 / self.all.max(1) as f64
    }

    fn tell(&self, name: &str, shown: usize) {
        println!("{name}: {:.2} % of {}", self.share(), self.all);
        for (class, failures) in &self.wrong {
            println!("{} × {class}", failures.len());
            for failure in failures.iter().take(shown) {
                println!("  {failure}");
            }
        }
    }
}

#[derive(Default)]
struct Tallies {
    good: Tally,
    typed: Tally,
    first: Tally,
    quiet: Tally,
}

/// Codes with their lines, without those of one line.
pub fn elsewhere(editor: &Editor, line: usize, last: Option<&LastEdit>) -> BTreeSet<(usize, &'static str)> {
    let (snapshot, text) = (editor.snapshot(), &editor.text);
    let found = snapshot.diagnostics(editor.file(), &CancelFlag::new());
    let found = lofting_ide::without_half_typed(&snapshot, editor.file(), found, last);
    lines_and_codes(&found, text).filter(|(at, _)| *at != line).collect()
}

/// Codes of all findings with their lines.
pub fn everywhere(editor: &Editor) -> BTreeSet<(usize, &'static str)> {
    let found = editor.snapshot().diagnostics(editor.file(), &CancelFlag::new());
    lines_and_codes(&found, &editor.text).collect()
}

fn lines_and_codes(
    found: &[lofting_diagnostic::Diagnostic],
    text: &str,
) -> impl Iterator<Item = (usize, &'static str)> {
    let at = move |finding: &lofting_diagnostic::Diagnostic| {
        text[..finding.marked().range().start.min(text.len())].matches('\n').count()
    };
    found.iter().map(move |finding| (at(finding), finding.rule.code))
}

fn judge(
    editor: &mut Editor,
    cut: &Cut,
    word: &Word,
    before: &BTreeSet<(usize, &'static str)>,
    place: &str,
    tallies: &mut Tallies,
) {
    editor.replace(&cut.text);
    let line = cut.line_of(cut.offset);
    let start = cut.text[..cut.offset].rfind('\n').map_or(0, |at| at + 1);
    let shown = {
        let end = cut.text[cut.offset..].find('\n').map_or(cut.text.len(), |end| cut.offset + end);
        format!("{place}:{}: {}$0{}", line + 1, &cut.text[start..cut.offset], &cut.text[cut.offset..end])
    };
    let items = editor.completions(cut.offset, false);
    let labels = |items: &[CompletionItem]| items.iter().take(12).map(|item| item.label.clone()).collect::<Vec<_>>();
    let answer_of =
        |items: &[CompletionItem]| format!("{shown}   for {:?}: {:?}", &cut.begins[word.range.start..], labels(items));
    let offered = items.iter().any(|item| cut.is_back(item));
    tallies.good.add(word.class, if offered { Ok(()) } else { Err(answer_of(&items)) });
    let begun = cut.text[..cut.offset].ends_with(char::is_alphanumeric) && word.range.start < cut.offset;
    if begun {
        let items = editor.completions(cut.offset, true);
        let offered = items.iter().any(|item| cut.is_back(item));
        tallies.typed.add(word.class, if offered { Ok(()) } else { Err(answer_of(&items)) });
    }
    let last = LastEdit { inserted: cut.offset..cut.offset, made_room: false };
    if !cut.truncated {
        let raised = elsewhere(editor, line, Some(&last));
        let raised: Vec<_> = raised.difference(before).collect();
        tallies
            .quiet
            .add(word.class, if raised.is_empty() { Ok(()) } else { Err(format!("{shown}   raises {raised:?}")) });
    }
    // What follows the word says more of it than its beginning.
    if cut.truncated || cut.whole.is_some() {
        return;
    }
    let typed = |item: &CompletionItem| cut.text[item.edit.0.start.min(cut.offset)..cut.offset].to_lowercase();
    let Some(first) = items.iter().find(|item| item.filter_text.to_lowercase().starts_with(&typed(item))) else {
        return;
    };
    let text = accepted(&cut.text, edits(first));
    editor.replace(&text);
    let at = first.edit.0.start + first.additional_edits.iter().map(|(_, new)| new.len()).sum::<usize>();
    let line = text[..at.min(text.len())].matches('\n').count();
    let snapshot = editor.snapshot();
    let found = snapshot.diagnostics(editor.file(), &CancelFlag::new());
    let wrong = found.iter().find(|finding| {
        let on_line = text[..finding.span.range().start.min(text.len())].matches('\n').count() == line;
        let is_half_typed = finding.message.contains("not valid TOML");
        on_line && !is_half_typed && OUT_OF_PLACE.contains(&finding.rule.code)
    });
    // Findings that existed before the cut do not count against completion.
    let was_wrong = |code| before.iter().any(|(_, known)| *known == code);
    let wrong = wrong.filter(|finding| !was_wrong(finding.rule.code));
    tallies.first.add(
        word.class,
        match wrong {
            None => Ok(()),
            Some(finding) => {
                Err(format!("{shown}   {:?} is first: {} {}", first.label, finding.rule.code, finding.message))
            }
        },
    );
}

fn run(folders: &[Folder], cuts: usize) -> Tallies {
    let mut dice = Dice::new(17);
    let mut tallies = Tallies::default();
    let total: usize = folders.iter().flat_map(|folder| &folder.files).map(|(_, text)| text.len()).sum();
    for folder in folders {
        for (at, (name, text)) in folder.files.iter().enumerate() {
            // Each file as often as it is long, but at least a little, and the one with every word often.
            let share = (cuts * text.len()).div_ceil(total.max(1)).max(usize::from(dice.once_in(4)));
            let share = if folder.name == "every word" { share + cuts / 100 } else { share };
            if share == 0 {
                continue;
            }
            let mut editor = Editor::in_folder(&folder.files, at);
            let snapshot = editor.snapshot();
            let before: BTreeSet<(usize, &str)> = everywhere(&editor);
            let words = words(&snapshot, editor.file(), text);
            for _ in 0..share {
                let Some(word) = words.get(dice.roll(words.len())) else { break };
                // What is wrong is not known either.
                let line = text[..word.range.start].matches('\n').count();
                let is_wrong = before.iter().any(|(wrong, _)| *wrong == line);
                if is_wrong || !is_known(&snapshot, editor.file(), text, word) {
                    continue;
                }
                let Some(cut) = cut(&snapshot, editor.file(), text, word, &mut dice) else { continue };
                judge(&mut editor, &cut, word, &before, &format!("{}/{name}", folder.name), &mut tallies);
            }
        }
    }
    tallies
}

fn tell(tallies: &Tallies) {
    let shown = number("LOFTING_CUTS_SHOWN", 5);
    tallies.good.tell("good", shown);
    tallies.typed.tell("typed", shown);
    tallies.first.tell("first", shown);
    tallies.quiet.tell("quiet", shown);
}

fn check(tallies: &Tallies, good: f64) {
    tell(tallies);
    assert!(tallies.good.share() >= good, "see above");
    assert!(tallies.first.share() >= 99.9, "see above");
    assert!(tallies.quiet.share() >= 99.5, "see above");
}

#[test]
fn words_that_were_cut_are_offered() {
    let cuts = number("LOFTING_CUTS", 1_500);
    let tallies = run(&folders::own(), cuts);
    assert!(tallies.good.all > cuts / 4, "{} cuts", tallies.good.all);
    check(&tallies, 99.8);
}

#[test]
fn words_of_real_files_that_were_cut_are_offered() {
    let folders = folders::real();
    if folders.is_empty() {
        println!("skipped: no files of public repositories are at hand");
        return;
    }
    // Where a quote is not closed, an expression goes on in the lines below.
    check(&run(&folders, number("LOFTING_CUTS", 600)), 98.5);
}
