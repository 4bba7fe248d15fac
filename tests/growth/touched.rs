//! A key costs what it touches, however a file came to its schema: the same long array, given in each of the ways there
//! are, is edited at its middle. Where annotations among the values need those that they are merged onto, such as
//! matchers of items, a keystroke costs the file. A question about a place in a stream costs no more than a key there.

mod forms;

use std::fmt::Write;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lofting_document::FileId;
use lofting_ide::{ActionsAsked, Changes, CompletionOptions, HintChoices, Markup};
use lofting_workspace::{CancelFlag, Settings, Snapshot, Workspace};
use tempfile::TempDir;

use crate::ask::counted;
use crate::turn;
use forms::*;

/// Items of the smaller file.
const FEW: usize = 400;

/// How many times as many the larger one has.
const FACTOR: usize = 8;

/// A question about a place.
type Question = fn(&Snapshot, FileId, usize);

/// What editors ask about the place of the cursor, and about the lines around it.
const AT_CURSOR: &[(&str, Question)] = &[
    ("hover", |snapshot, file, offset| drop(lofting_ide::hover(snapshot, file, offset, Markup::Markdown))),
    ("completion", |snapshot, file, offset| {
        let options = CompletionOptions { snippets: true, unasked: false };
        drop(lofting_ide::completion(snapshot, file, offset, &options));
    }),
    ("definition", |snapshot, file, offset| drop(lofting_ide::goto_definition(snapshot, file, offset))),
    ("highlights", |snapshot, file, offset| drop(lofting_ide::document_highlights(snapshot, file, offset))),
    ("selection", |snapshot, file, offset| drop(lofting_ide::selection_ranges(snapshot, file, offset))),
    ("inlay hints", |snapshot, file, offset| {
        let range = offset.saturating_sub(500)..offset + 500;
        drop(lofting_ide::inlay_hints(snapshot, file, range, &HintChoices::default()));
    }),
    ("code actions", |snapshot, file, offset| {
        let asked = ActionsAsked { changes: Changes::None, ..ActionsAsked::ALL };
        drop(lofting_ide::code_actions(snapshot, file, offset..offset, &asked, &CancelFlag::new()));
    }),
];

/// Bytes that a question may ask for whatever the size of the file.
const LITTLE: usize = 100_000;

/// How many documents of a stream a question may pass with one look.
const GROUPED: usize = 8;

/// Bytes that a question may ask for each item where it searches for links and names in the whole file, or probes what its
/// text would be with another word.
const OF_NAMES: usize = 350;

/// What is typed.
#[derive(Clone, Copy, PartialEq)]
enum Typed {
    /// A letter into a number.
    Value,
    /// Another letter of a key that has no colon yet, in a line of its own.
    HalfKey,
}

/// An open file of a form.
struct Opened {
    workspace: Workspace,
    file: FileId,
    /// Where the item in the middle begins, and where its number.
    line: usize,
    middle: usize,
    /// What closes with it.
    _directory: TempDir,
}

fn findings(workspace: &Workspace, file: FileId) -> usize {
    looks(workspace, file).0
}

/// How many findings there are, and how many looks they took.
fn looks(workspace: &Workspace, file: FileId) -> (usize, usize) {
    looks_of(|flag| workspace.snapshot().diagnostics(file, flag).len())
}

/// A result, and how often the work asked whether it is still wanted: once for so many parts of trees that it looked at.
fn looks_of<T>(work: impl FnOnce(&CancelFlag) -> T) -> (T, usize) {
    let looks = Arc::new(AtomicUsize::new(0));
    let counted = looks.clone();
    let flag = CancelFlag::watched(move || {
        counted.fetch_add(1, Ordering::SeqCst);
        false
    });
    let result = flag.until_cancelled(|| work(&flag));
    (result.expect("it is not cancelled"), looks.load(Ordering::SeqCst))
}

fn opened(form: &Form, items: usize) -> Opened {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path().canonicalize().expect("a directory");
    let mut text = form.head.to_owned();
    let (mut line, mut middle) = (0, 0);
    for number in 0..items {
        let before = form.item.0.replace("@N", &number.to_string());
        if number == items / 2 {
            (line, middle) = (text.len(), text.len() + before.len());
        }
        let _ = write!(text, "{before}{number}{}", form.item.1.replace("@N", &number.to_string()));
    }
    for (path, text_of) in form.files.iter().copied().chain([(form.path, text.as_str())]) {
        fs::create_dir_all(root.join(path).parent().expect("a directory")).expect("a directory");
        let all = text.get(form.head.len()..).unwrap_or_default();
        fs::write(root.join(path), text_of.replace("@KEYS", all)).expect("a file");
    }
    let mut workspace = Workspace::new(vec![root.clone()], Settings::default());
    workspace.scan(&mut |_| {}, &CancelFlag::new());
    let file = workspace.open(&root.join(form.path), 1, &text);
    let unexpected =
        workspace.snapshot().diagnostics(file, &CancelFlag::new()).first().map(|found| found.message.clone());
    assert_eq!(unexpected, None, "{}", form.name);
    Opened { workspace, file, line, middle, _directory: directory }
}

/// What each question costs about the key in the middle of many items, right after a digit was typed there.
fn work_of_questions(form: &Form, items: usize) -> Vec<Cost> {
    let Opened { mut workspace, file, middle, _directory, .. } = opened(form, items);
    let at = middle - "rt: ".len();
    let mut version = 1;
    let mut type_digit = |workspace: &mut Workspace| {
        version += 1;
        workspace.edit(file, version, middle..middle + usize::from(version > 2), "1");
    };
    let work = |(_, question): &(&str, Question)| {
        // What is done once for an open document is done.
        type_digit(&mut workspace);
        findings(&workspace, file);
        question(&workspace.snapshot(), file, at);
        type_digit(&mut workspace);
        let mut looks = 0;
        let work = counted(|| ((), looks) = looks_of(|_| question(&workspace.snapshot(), file, at)));
        Cost { bytes: work.bytes, looks }
    };
    AT_CURSOR.iter().map(work).collect()
}

/// What a key or a question costs.
struct Cost {
    /// Memory that is asked for.
    bytes: usize,
    /// See [`looks_of`]: what is only read costs no memory.
    looks: usize,
}

/// What a key in the middle of many items costs, its findings included.
fn work_of_a_key(form: &Form, typed: Typed, items: usize) -> Cost {
    let Opened { mut workspace, file, line, middle, _directory } = opened(form, items);
    // What is done once for an open document is done.
    let (at, before, letter) = match typed {
        Typed::Value => (middle, "1".to_owned(), "x"),
        Typed::HalfKey => {
            let indent = form.item.0.len() - form.item.0.trim_start().len();
            (line + indent + 1, format!("{}h\n", " ".repeat(indent)), "a")
        }
    };
    let start = if typed == Typed::HalfKey { line } else { at };
    workspace.edit(file, 2, start..start, &before);
    findings(&workspace, file);
    let (mut found, mut looks_at_it) = (0, 0);
    let work = counted(|| {
        workspace.edit(file, 3, at..at, letter);
        (found, looks_at_it) = looks(&workspace, file);
    });
    let is_shown = found > 0 || typed == Typed::HalfKey || form.files.is_empty();
    assert!(is_shown, "{}: the key shows that the file is looked at", form.name);
    Cost { bytes: work.bytes, looks: looks_at_it }
}

/// How many bytes a key may ask for each document of a stream that it did not touch.
const A_DOCUMENT: usize = 2_600;

/// Streams in which a keystroke costs more than a little for each document.
fn dear(forms: &[Form]) -> Vec<String> {
    let documents = FEW * FACTOR;
    let all = forms.iter().map(|form| (form.name, work_of_a_key(form, Typed::Value, documents).bytes));
    let dear = all.filter(|(_, bytes)| *bytes > documents * A_DOCUMENT);
    dear.map(|(name, bytes)| format!("{name}: {bytes} bytes among {documents} documents")).collect()
}

/// Looks that tell nothing, because what they are taken at does not fill a file.
const SOME: usize = 30;

/// Forms in which the larger file takes more than `most` times the work of the smaller.
fn steep(forms: &[Form], typed: Typed, most: usize) -> Vec<String> {
    let mut steep = Vec::new();
    for form in forms {
        let (few, many) = (work_of_a_key(form, typed, FEW), work_of_a_key(form, typed, FEW * FACTOR));
        let what = if typed == Typed::Value { "a value" } else { "a key" };
        let (name, all) = (form.name, FEW * FACTOR);
        if many.bytes > most * few.bytes {
            let (few, many) = (few.bytes, many.bytes);
            steep.push(format!("{what} in {name}: {few} bytes among {FEW} items, {many} among {all}"));
        }
        if many.looks > (most + 1) * few.looks.max(SOME) {
            let (few, many) = (few.looks, many.looks);
            steep.push(format!("{what} in {name}: {few} looks among {FEW} items, {many} among {all}"));
        }
    }
    steep
}

#[test]
fn a_key_costs_what_it_touches_in_every_form() {
    let _turn = turn();
    let mut wrong = steep(FORMS, Typed::Value, 2);
    wrong.extend(steep(FORMS, Typed::HalfKey, 2));
    wrong.extend(steep(APART, Typed::Value, 2));
    wrong.extend(steep(APART, Typed::HalfKey, 2));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_key_among_anchors_aliases_and_tags_costs_what_it_touches() {
    let _turn = turn();
    let mut wrong = steep(NAMED, Typed::Value, 2);
    wrong.extend(steep(NAMED, Typed::HalfKey, 2));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_key_in_a_long_map_costs_what_it_touches() {
    let _turn = turn();
    let mut wrong = steep(MAPS, Typed::Value, 2);
    wrong.extend(steep(MAPS, Typed::HalfKey, 2));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_key_in_a_collection_with_rules_for_the_whole_costs_what_it_touches() {
    let _turn = turn();
    let mut wrong = steep(WHOLE_MAPS, Typed::Value, 2);
    wrong.extend(steep(WHOLE_MAPS, Typed::HalfKey, 2));
    wrong.extend(steep(WHOLE_ARRAYS, Typed::Value, 2));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_key_among_annotations_of_overlays_costs_what_it_touches() {
    let _turn = turn();
    let mut wrong = steep(OVERLAID, Typed::Value, 2);
    wrong.extend(steep(OVERLAID, Typed::HalfKey, 2));
    wrong.extend(steep(BESIDE_MERGED, Typed::Value, 2));
    wrong.extend(steep(BESIDE_MERGED, Typed::HalfKey, 2));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_key_among_items_that_are_matched_costs_no_more_than_these() {
    let _turn = turn();
    let wrong = steep(MATCHED, Typed::Value, FACTOR + 1);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_key_in_a_stream_costs_what_it_touches() {
    let _turn = turn();
    let mut wrong = steep(STREAMS, Typed::Value, 2);
    wrong.extend(steep(STREAMS, Typed::HalfKey, 2));
    wrong.extend(steep(UNKNOWN, Typed::Value, 2));
    wrong.extend(steep(RESOURCES, Typed::Value, 2));
    wrong.extend(steep(RESOURCES, Typed::HalfKey, 2));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_question_in_a_stream_costs_what_is_around_the_cursor() {
    let _turn = turn();
    let mut wrong = Vec::new();
    for form in [STREAMS, UNKNOWN, APART, RESOURCES].into_iter().flatten() {
        let (few, many) = (work_of_questions(form, FEW), work_of_questions(form, FEW * FACTOR));
        for ((name, _), (few, many)) in AT_CURSOR.iter().zip(few.into_iter().zip(many)) {
            // Less is mostly what any question costs.
            let each = if ["definition", "completion"].contains(name) { OF_NAMES } else { 0 };
            let documents = form.item.0.matches("kind:").count().max(1) * FEW * FACTOR;
            if many.bytes > 2 * few.bytes.max(LITTLE) + each * documents {
                let (few, many) = (few.bytes, many.bytes);
                wrong.push(format!("{name} in {}: {few} bytes among {FEW} items, {many} among more", form.name));
            }
            // Groups of documents may be passed one by one.
            if many.looks > 2 * few.looks.max(SOME) + documents / GROUPED {
                let (few, many) = (few.looks, many.looks);
                wrong.push(format!("{name} in {}: {few} looks among {FEW} items, {many} among more", form.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn documents_that_are_not_touched_are_not_read_again() {
    let _turn = turn();
    let wrong: Vec<String> = [STREAMS, ODD, ONE_ODD, COMPONENTS].into_iter().flat_map(dear).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_key_beside_texts_that_another_program_changes_costs_less_than_the_file() {
    let _turn = turn();
    let wrong = steep(CHANGED, Typed::Value, FACTOR - 3);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_key_in_an_expression_costs_what_it_touches() {
    let _turn = turn();
    let wrong = steep(EXPRESSIONS, Typed::Value, 2);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
