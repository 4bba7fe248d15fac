//! Every question of the command line and of an editor, with the work it takes.

use std::path::Path;
use std::sync::Arc;
use std::{fs, hint};

use lofting_document::FileId;
use lofting_eval::Evaluator;
use lofting_ide::{ActionsAsked, Changes, CompletionOptions, Markup};
use lofting_starlark::InProcess;
use lofting_tests::shapes::{Case, Cursor, VALUES};
use lofting_workspace::inputs::{InputContext, InputFlags, InputSet};
use lofting_workspace::{CancelFlag, CheckReport, Need, Settings, Snapshot, Workspace};
use stats_alloc::Region;

use crate::ALLOCATOR;

/// What a question took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// Allocations, and those that grew.
    pub allocations: usize,
    /// Bytes that were asked for.
    pub bytes: usize,
}

/// A question that was asked.
pub struct Asked {
    /// Its name.
    pub form: &'static str,
    pub work: Work,
}

/// The work that something takes, in all threads.
pub fn counted(work: impl FnOnce()) -> Work {
    let region = Region::new(ALLOCATOR);
    work();
    let counts = region.change();
    Work { allocations: counts.allocations + counts.reallocations, bytes: counts.bytes_allocated }
}

/// Asks everything.
pub fn everything(case: &Case) -> Vec<Asked> {
    let directory = tempfile::tempdir().expect("a directory");
    let mut all = Vec::new();
    command_line(case, directory.path(), &mut all);
    editor(case, &directory.path().join("editor"), &mut all);
    all
}

fn command_line(case: &Case, directory: &Path, all: &mut Vec<Asked>) {
    let (files, _) = case.files();
    let configuration = &files[..case.config.len()];
    let values = files.get(case.config.len());
    let annotated = values.map(|(path, text)| (path.clone(), format!("#@data/values\n---\n{text}")));
    let (together, apart) = (directory.join("together"), directory.join("apart"));
    write(&together, configuration.iter().chain(&annotated));
    let mut ask = |form, base: &Path, inputs: &[&str], values: &[&str], check: fn(&InputSet) -> CheckReport| {
        let flags = flags(case, inputs, values);
        let context =
            InputContext { base: base.to_owned(), environment: case.environment.clone(), streams: Default::default() };
        let work = counted(|| {
            // What flags get wrong is an answer as well.
            let _ = hint::black_box(InputSet::from_flags(&flags, &context).map(|inputs| check(&inputs)));
        });
        all.push(Asked { form, work });
    };
    ask("check -f", &together, &["."], &[], |inputs| {
        lofting_workspace::check_input_set(inputs, Settings::default(), evaluator())
    });
    ask("check --render", &together, &["."], &[], |inputs| {
        lofting_workspace::render_input_set(inputs, Settings::default(), evaluator()).report
    });
    ask("values", &together, &["."], &[], |inputs| lofting_workspace::input_set_outcome(inputs, evaluator()).report);
    if values.is_some() {
        write(&apart.join("config"), configuration);
        write(&apart, values);
        ask("check --data-values-file", &apart, &["config"], &[VALUES], |inputs| {
            lofting_workspace::check_input_set(inputs, Settings::default(), evaluator())
        });
    }
    let associated = directory.join("associated");
    write(&associated, &files);
    let work = counted(|| {
        let (settings, evaluator): (_, Arc<dyn Evaluator>) = (Settings::default(), evaluator());
        let _ = lofting_workspace::check_workspace(&associated, &[], settings, evaluator, &CancelFlag::new());
    });
    all.push(Asked { form: "check by association", work });
}

/// The flags of a shape are those of ytt's command line, and each shape uses a few.
fn flags(case: &Case, files: &[&str], values: &[&str]) -> InputFlags {
    let owned = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect();
    let mut flags = InputFlags { files: owned(files), data_values_files: owned(values), ..InputFlags::default() };
    for pair in case.flags.chunks(2) {
        let [flag, value] = pair else { panic!("a flag without a value: {pair:?}") };
        let list = match flag.as_str() {
            "--data-value" => &mut flags.data_values,
            "--data-value-yaml" => &mut flags.data_values_yaml,
            "--data-values-env" => &mut flags.data_values_env,
            "--data-values-file" => &mut flags.data_values_files,
            "--file-mark" => &mut flags.file_marks,
            other => panic!("the flag {other} is not known here"),
        };
        list.push(value.clone());
    }
    flags
}

/// What an editor asks, and how.
type Question = (&'static str, fn(&Snapshot, FileId, usize));

/// A running editor: each question comes right after a keystroke.
fn editor(case: &Case, root: &Path, all: &mut Vec<Asked>) {
    let (files, cursor) = case.files();
    write(root, &files);
    let Some((path, text)) = files.get(cursor.file) else { return };
    let mut workspace = Workspace::new(vec![root.to_owned()], Settings::default());
    workspace.set_evaluator(evaluator());
    let mut opened = None;
    let work = counted(|| {
        workspace.scan(&mut |_| {}, &CancelFlag::new());
        let file = workspace.open(&root.join(path), 1, text);
        findings(&mut workspace, file);
        opened = Some(file);
    });
    all.push(Asked { form: "open", work });
    let Some(file) = opened else { return };
    let offset = offset(text, &cursor);
    let questions: [Question; 14] = [
        ("key", |_, _, _| {}),
        ("completion", |snapshot, file, offset| {
            let options = CompletionOptions { snippets: true, unasked: false };
            for item in lofting_ide::completion(snapshot, file, offset, &options) {
                drop(item.documentation(snapshot, Markup::Markdown));
            }
        }),
        ("hover", |snapshot, file, offset| drop(lofting_ide::hover(snapshot, file, offset, Markup::Markdown))),
        ("inlay hints", |snapshot, file, _| {
            let choices = lofting_ide::HintChoices::default();
            drop(lofting_ide::inlay_hints(snapshot, file, 0..snapshot.text(file).len(), &choices));
        }),
        ("symbols", |snapshot, file, _| drop(lofting_ide::document_symbols(snapshot, file))),
        ("references", |snapshot, file, offset| drop(lofting_ide::references(snapshot, file, offset, true))),
        ("rename", |snapshot, file, offset| drop(lofting_ide::rename(snapshot, file, offset, "renamed"))),
        ("definition", |snapshot, file, offset| drop(lofting_ide::goto_definition(snapshot, file, offset))),
        ("highlights", |snapshot, file, offset| drop(lofting_ide::document_highlights(snapshot, file, offset))),
        ("folding", |snapshot, file, _| drop(lofting_ide::folding_ranges(snapshot, file))),
        ("tokens", |snapshot, file, _| {
            let choices = lofting_ide::TokenChoices::default();
            drop(lofting_ide::semantic_tokens(snapshot, file, choices, &mut lofting_ide::TokenMemo::default()));
        }),
        ("formatting", |snapshot, file, _| drop(lofting_ide::formatting(snapshot, file, None))),
        ("selection", |snapshot, file, offset| drop(lofting_ide::selection_ranges(snapshot, file, offset))),
        ("code actions", |snapshot, file, offset| {
            let asked = ActionsAsked { changes: Changes::None, ..ActionsAsked::ALL };
            drop(lofting_ide::code_actions(snapshot, file, offset..offset, &asked, &CancelFlag::new()));
        }),
    ];
    let mut version = 1;
    for (form, question) in questions {
        let work = counted(|| {
            version += 1;
            workspace.edit(file, version, offset..offset, "x");
            if form == "key" {
                findings(&mut workspace, file);
            }
            question(&workspace.snapshot(), file, offset.saturating_sub(1));
        });
        all.push(Asked { form, work });
        version += 1;
        workspace.edit(file, version, offset..offset + 1, "");
        findings(&mut workspace, file);
    }
    let work = counted(|| {
        let (snapshot, runner) = (workspace.snapshot(), workspace.runner());
        hint::black_box(snapshot.render_findings(&[file], &runner, &mut |_| {}, &CancelFlag::new()));
    });
    all.push(Asked { form: "rendering", work });
}

/// The findings of a file, with all code run.
fn findings(workspace: &mut Workspace, file: FileId) {
    workspace.evaluate(&[file], Need::Findings, 1).diagnostics(file, &CancelFlag::new());
}

/// Opens many documents below one schema, types in each, and closes them.
pub fn documents(count: usize) -> Vec<Asked> {
    // No such directory: all of them are new.
    let root = Path::new("/lofting-growth");
    let mut workspace = Workspace::new(vec![root.to_owned()], Settings::default());
    workspace.set_evaluator(evaluator());
    workspace.open(&root.join("schema.yml"), 1, "#@data/values-schema\n---\nport: 0\n");
    let mut files = Vec::new();
    let opened = counted(|| {
        for number in 0..count {
            let file = workspace.open(&root.join(format!("values/{number}.yml")), 1, "port: 1\n");
            findings(&mut workspace, file);
            files.push(file);
        }
    });
    let typed = counted(|| {
        for file in &files {
            workspace.edit(*file, 2, 6..6, "x");
            findings(&mut workspace, *file);
        }
    });
    let closed = counted(|| files.iter().for_each(|file| workspace.close(*file)));
    let asked = [("opening", opened), ("typing", typed), ("closing", closed)];
    asked.map(|(form, work)| Asked { form, work }).into()
}

pub fn evaluator() -> Arc<InProcess> {
    Arc::new(InProcess::default())
}

fn offset(text: &str, cursor: &Cursor) -> usize {
    let lines = text.split_inclusive('\n').take(cursor.line as usize);
    lines.map(str::len).sum::<usize>() + cursor.column as usize
}

fn write<'f>(directory: &Path, files: impl IntoIterator<Item = &'f (String, String)>) {
    for (path, text) in files {
        let path = directory.join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(&path, text).expect("a file");
    }
}
