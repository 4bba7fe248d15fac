//! Everything a workspace says about its open documents, in words that do not depend on its numbers for files.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lofting_check::Diagnostic;
use lofting_diagnostic::Confidence;
use lofting_document::{FileId, Span};
use lofting_ide::{
    ActionsAsked, Calls, CodeAction, CodeLens, CompletionOptions, Definition, HintChoices, LensChoices, LensKeys,
    LensKind, LinkTarget, Markup,
};
use lofting_workspace::{CancelFlag, Snapshot};

use crate::desk::boundary;

/// Answers by question.
pub type Answers = BTreeMap<String, String>;

/// Places of each document about which questions are asked.
const PLACES: usize = 7;

/// Documents that all features are asked about at a time; of the others, what is wrong with them.
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
    for file in snapshot.files().filter(|file| !files.contains(file)) {
        let found = snapshot.findings_of_closed_file(file, &CancelFlag::new()).unwrap_or_default();
        // Schemas that were read once stay known.
        if !found.list.is_empty() {
            let found = found.list.iter().map(|finding| shown(snapshot, finding)).collect();
            answers.insert(format!("findings of {}, which is not open", snapshot.shown_path(file)), found);
        }
    }
    for file in files.iter().cycle().skip(turn % files.len().max(1)).take(DOCUMENTS.min(files.len())) {
        features(snapshot, *file, &mut answers);
    }
    of_the_workspace(snapshot, &files, &mut answers);
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

/// What is asked about no document in particular.
fn of_the_workspace(snapshot: &Snapshot, files: &[FileId], answers: &mut Answers) {
    for query in ["", "na", "web"] {
        let mut found = lofting_ide::workspace_symbols(snapshot, query, &CancelFlag::new());
        found.sort_by_key(|symbol| (place(snapshot, symbol.span), symbol.name.clone()));
        let found: Vec<_> =
            found.iter().map(|symbol| (&symbol.name, &symbol.kind, place(snapshot, symbol.span))).collect();
        answers.insert(format!("symbols for {query:?}"), format!("{found:?}"));
    }
    for file in files {
        let path = snapshot.path(*file);
        let moves = [(path.to_owned(), path.with_file_name("moved.yml"))];
        let mut found = lofting_ide::rename_files(snapshot, &moves, &CancelFlag::new());
        found.sort_by_key(|(span, _)| place(snapshot, *span));
        answers.insert(format!("edits when {} moves", snapshot.shown_path(*file)), edits(snapshot, &found));
    }
}

fn features(snapshot: &Snapshot, file: FileId, answers: &mut Answers) {
    let (name, text) = (snapshot.shown_path(file), snapshot.text(file).to_string());
    let mut say = |question: &str, answer: String| answers.insert(format!("{question} {name}"), answer);
    say("symbols of", format!("{:?}", lofting_ide::document_symbols(snapshot, file)));
    say("folds of", format!("{:?}", lofting_ide::folding_ranges(snapshot, file)));
    say("final values of", format!("{:?}", lofting_ide::final_data_values(snapshot, file)));
    say("explanation of", lofting_ide::explain(snapshot, file).plain(|file| snapshot.shown_path(file)));
    let (choices, mut memo) = (lofting_ide::TokenChoices::default(), lofting_ide::TokenMemo::default());
    say("tokens of", format!("{:?}", lofting_ide::semantic_tokens(snapshot, file, choices, &mut memo)));
    say("layout of", format!("{:?}", lofting_ide::formatting(snapshot, file, None)));
    say("schema from", format!("{:?}", lofting_ide::schema_of_values(snapshot, file)));
    let mut every_kind = HintChoices::default();
    every_kind.by_name().for_each(|(_, is_shown)| *is_shown = true);
    let hints = lofting_ide::inlay_hints(snapshot, file, 0..text.len(), &every_kind);
    let hints = hints.iter().map(|hint| {
        let part = |part: &lofting_ide::HintPart| (part.text.clone(), part.target.map(|span| place(snapshot, span)));
        (hint.offset, hint.role, hint.parts.iter().map(part).collect::<Vec<_>>())
    });
    say("hints of", format!("{:?}", hints.collect::<Vec<_>>()));
    let lenses = lofting_ide::code_lenses(snapshot, file, LensChoices { uses: LensKeys::All, sets: true });
    let counted = |lens: &CodeLens| {
        let declared = Span::new(file, lens.range.clone());
        let uses = matches!(lens.kind, LensKind::Uses)
            .then(|| lofting_ide::key_uses(snapshot, declared, &CancelFlag::new()).title());
        (lens.range.clone(), lens.kind.title(), uses)
    };
    say("lenses of", format!("{:?}", lenses.iter().map(counted).collect::<Vec<_>>()));
    let links = lofting_ide::document_links(snapshot, file);
    let links = links.iter().map(|link| match &link.target {
        LinkTarget::File(file) => (link.range.clone(), snapshot.shown_path(*file)),
        LinkTarget::Web(address) => (link.range.clone(), address.clone()),
    });
    say("links of", format!("{:?}", links.collect::<Vec<_>>()));
    let fixed = lofting_ide::fix_all(snapshot, file, Confidence::Likely, &CancelFlag::new());
    say("all fixed in", format!("{fixed:?}"));
    let actions = lofting_ide::code_actions(snapshot, file, 0..text.len(), &ActionsAsked::ALL, &CancelFlag::new());
    let changed = |action: &CodeAction| action.change.as_ref().map(|change| edits(snapshot, &change.edits));
    let actions = actions.iter().map(|action| (&action.name, changed(action), action.preferred));
    say("actions of", format!("{:?}", actions.collect::<Vec<_>>()));
    for step in 0..=PLACES {
        let at = boundary(&text, text.len() * step / PLACES);
        let options = CompletionOptions { snippets: step % 2 == 0, unasked: step % 3 == 0 };
        let offered = lofting_ide::completion(snapshot, file, at, &options);
        let about: Vec<_> = offered.iter().map(|item| item.documentation(snapshot, Markup::Markdown)).collect();
        say(&format!("completion at {at} of"), format!("{offered:?} {about:?}"));
        say(&format!("hover at {at} of"), format!("{:?}", lofting_ide::hover(snapshot, file, at, Markup::Markdown)));
        say(&format!("definition at {at} of"), targets(snapshot, &lofting_ide::goto_definition(snapshot, file, at)));
        say(&format!("type at {at} of"), targets(snapshot, &lofting_ide::type_definition(snapshot, file, at)));
        say(&format!("linked with {at} of"), format!("{:?}", lofting_ide::linked_editing(snapshot, file, at)));
        say(&format!("indentation at {at} of"), format!("{:?}", lofting_ide::on_type_formatting(snapshot, file, at)));
        if let Some(function) = lofting_ide::prepare_call_hierarchy(snapshot, file, at) {
            let (home, at_name) = (function.selection.file, function.selection.range().start);
            say(&format!("callers at {at} of"), calls(snapshot, &lofting_ide::incoming_calls(snapshot, home, at_name)));
            say(&format!("calls at {at} of"), calls(snapshot, &lofting_ide::outgoing_calls(snapshot, home, at_name)));
        }
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

fn targets(snapshot: &Snapshot, found: &[Definition]) -> String {
    let target = |found: &Definition| {
        (found.origin.clone(), place(snapshot, found.target), place(snapshot, found.target_selection))
    };
    format!("{:?}", found.iter().map(target).collect::<Vec<_>>())
}

fn calls(snapshot: &Snapshot, found: &[Calls]) -> String {
    let mut shown: Vec<_> = found
        .iter()
        .map(|calls| (place(snapshot, calls.function.selection), calls.function.name.clone(), calls.places.clone()))
        .map(|shown| format!("{shown:?}"))
        .collect();
    shown.sort();
    shown.concat()
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
