//! Everything a workspace says about its open documents, in words that do not depend on its numbers for files.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lofting_check::Diagnostic;
use lofting_document::{FileId, Span};
use lofting_ide::{ActionsAsked, CodeAction, CompletionOptions, Markup};
use lofting_workspace::{CancelFlag, Snapshot};

use crate::desk::boundary;

/// Answers by question.
pub type Answers = BTreeMap<String, String>;

/// Places of each document at which is asked.
const PLACES: usize = 7;

/// Documents of which all features are asked at a time; of the others, what is wrong with them.
const DOCUMENTS: usize = 1;

/// Asks everything. `turn` chooses the documents about which most is asked.
pub fn answers(snapshot: &Snapshot, turn: usize) -> Answers {
    let mut answers = Answers::new();
    let files = open_files(snapshot);
    for file in &files {
        let name = snapshot.shown_path(*file);
        answers.insert(format!("association of {name}"), association(snapshot, *file));
        answers.insert(format!("findings of {name}"), findings(snapshot, *file));
    }
    for file in files.iter().cycle().skip(turn % files.len().max(1)).take(DOCUMENTS.min(files.len())) {
        features(snapshot, *file, &mut answers);
    }
    answers
}

/// The open files in the order of their paths.
pub fn open_files(snapshot: &Snapshot) -> Vec<FileId> {
    let mut files: Vec<FileId> = snapshot.open_files().collect();
    files.sort_by_key(|file| snapshot.path(*file));
    files
}

fn association(snapshot: &Snapshot, file: FileId) -> String {
    let association = snapshot.association(file);
    let schemas: Vec<Vec<String>> = association
        .schemas()
        .map(|schema| schema.state.files.iter().map(|id| snapshot.shown_path(*id)).collect())
        .collect();
    format!("{:?} {schemas:?} {}", snapshot.kind(file), association.reason)
}

fn findings(snapshot: &Snapshot, file: FileId) -> String {
    let found = lofting_ide::diagnostics(snapshot, file, &CancelFlag::new());
    found.iter().map(|finding| shown(snapshot, finding)).collect()
}

fn shown(snapshot: &Snapshot, finding: &Diagnostic) -> String {
    let mut text = format!(
        "{} {} {:?} {:?} {:?}\n",
        place(snapshot, finding.span),
        finding.code(),
        finding.severity,
        finding.message,
        finding.tags
    );
    for related in &finding.related {
        let _ = writeln!(text, "    see {} {:?}", place(snapshot, related.span), related.message);
    }
    let _ = writeln!(text, "    {:?}", (&finding.help, &finding.found, &finding.expected, &finding.path));
    for fix in &finding.fixes {
        let _ = writeln!(text, "    fix {:?} {}", fix.title, edits(snapshot, &fix.edits));
    }
    text
}

fn place(snapshot: &Snapshot, span: Span) -> String {
    format!("{}:{:?}", snapshot.shown_path(span.file), span.range())
}

fn edits(snapshot: &Snapshot, edits: &[(Span, String)]) -> String {
    let edits: Vec<_> = edits.iter().map(|(span, new)| (place(snapshot, *span), new)).collect();
    format!("{edits:?}")
}

fn features(snapshot: &Snapshot, file: FileId, answers: &mut Answers) {
    let (name, text) = (snapshot.shown_path(file), snapshot.text(file).to_string());
    let mut say = |question: &str, answer: String| answers.insert(format!("{question} {name}"), answer);
    say("symbols of", format!("{:?}", lofting_ide::document_symbols(snapshot, file)));
    say("folds of", format!("{:?}", lofting_ide::folding_ranges(snapshot, file)));
    say("final values of", format!("{:?}", lofting_ide::final_data_values(snapshot, file)));
    let actions = lofting_ide::code_actions(snapshot, file, 0..text.len(), &ActionsAsked::ALL, &CancelFlag::new());
    let changed = |action: &CodeAction| action.change.as_ref().map(|change| edits(snapshot, &change.edits));
    let actions = actions.iter().map(|action| (&action.name, changed(action), action.preferred));
    say("actions of", format!("{:?}", actions.collect::<Vec<_>>()));
    for step in 0..=PLACES {
        let at = boundary(&text, text.len() * step / PLACES);
        let options = CompletionOptions { snippets: step % 2 == 0, unasked: step % 3 == 0, ahead: lofting_ide::AHEAD };
        let offered = lofting_ide::completion(snapshot, file, at, &options);
        let about: Vec<_> = offered.iter().map(|item| item.documentation(snapshot, Markup::Markdown)).collect();
        say(&format!("completion at {at} of"), format!("{offered:?} {about:?}"));
        say(&format!("hover at {at} of"), format!("{:?}", lofting_ide::hover(snapshot, file, at, Markup::Markdown)));
        let definitions = lofting_ide::goto_definition(snapshot, file, at);
        let definitions = definitions.iter().map(|found| {
            (found.origin.clone(), place(snapshot, found.target), place(snapshot, found.target_selection))
        });
        say(&format!("definition at {at} of"), format!("{:?}", definitions.collect::<Vec<_>>()));
        let mut references: Vec<_> = lofting_ide::references(snapshot, file, at, true);
        references.sort_by_key(|span| place(snapshot, *span));
        let references: Vec<_> = references.iter().map(|span| place(snapshot, *span)).collect();
        say(&format!("references at {at} of"), format!("{references:?}"));
        say(&format!("highlights at {at} of"), format!("{:?}", lofting_ide::document_highlights(snapshot, file, at)));
        say(&format!("selection at {at} of"), format!("{:?}", lofting_ide::selection_ranges(snapshot, file, at)));
        let help = lofting_ide::signature_help(snapshot, file, at, Markup::Plain);
        say(&format!("signature at {at} of"), format!("{help:?}"));
        let renamed = match lofting_ide::rename(snapshot, file, at, "other") {
            Ok(renamed) => {
                let mut edits: Vec<_> =
                    renamed.edits.iter().map(|(span, new)| (place(snapshot, *span), new.clone())).collect();
                edits.sort();
                format!("{edits:?}")
            }
            Err(refusal) => refusal.0,
        };
        say(&format!("rename at {at} of"), renamed);
    }
}

/// Questions with two different answers.
pub fn differences(kept: &Answers, fresh: &Answers) -> String {
    let mut text = String::new();
    let questions: std::collections::BTreeSet<&String> = kept.keys().chain(fresh.keys()).collect();
    for question in questions {
        let (kept, fresh) = (kept.get(question), fresh.get(question));
        if kept != fresh {
            let shown = |answer: Option<&String>| answer.map_or("nothing", |text| text.as_str()).to_owned();
            let _ = writeln!(text, "{question}\n  after the edits: {}\n  afresh: {}", shown(kept), shown(fresh));
        }
    }
    text
}
