//! A program that reads files and libraries, run through a folder of results.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lofting_eval::{
    Batch, Call, Caller, Data, EvalError, EvalErrorKind, Evaluated, Evaluation, EvaluationId, Evaluator, FileAnswer,
    FileQuestion, Fragment, FragmentKind, LibraryAnswer, LibraryFile, LibraryFiles, LibraryOptions, LibraryOutput,
    LibraryRequest, Outcome,
};
use tempfile::TempDir;

use crate::{CachedEvaluator, Store};

/// Runs programs whose text is a list of commands, and counts how often it does.
#[derive(Default)]
struct Runs(AtomicUsize);

impl Evaluator for Runs {
    fn evaluate(&self, evaluation: &Evaluation, files: &dyn LibraryFiles) -> Evaluated {
        self.0.fetch_add(1, Ordering::Relaxed);
        let mut printed = Vec::new();
        let mut id = None;
        for command in evaluation.text.as_deref().unwrap_or_default().lines() {
            let (verb, name) = command.split_once(' ').unwrap_or((command, ""));
            printed.push(match verb {
                "load" => format!("{:?}", files.library(name)),
                "read" => format!("{:?}", files.read(name)),
                "list" => format!("{:?}", files.list(name).unwrap_or_default()),
                "find" => format!("{:?}", files.find("", name)),
                "run" => format!("{:?}", files.run(&request(name), &mut |calls| answers(calls))),
                "call" => format!("{:?}", files.call(EvaluationId(7), &[])),
                "function" => {
                    id = Some(EvaluationId(1));
                    String::new()
                }
                "values" => format!("{:?}", evaluation.data_values),
                "fail" => {
                    let error = EvalError::new(EvalErrorKind::Runtime, "it fails");
                    return Evaluated { result: Err(error), id: None, printed };
                }
                _ => String::new(),
            });
        }
        Evaluated { result: Ok(outcome()), id, printed }
    }

    fn call_batch(&self, _: EvaluationId, batch: &Batch<'_>) -> Vec<Result<Data, EvalError>> {
        answers(batch.calls)
    }

    fn release(&self, _: EvaluationId) {}
}

fn answers(calls: &[Call]) -> Vec<Result<Data, EvalError>> {
    calls.iter().map(|_| Ok(Data::int(1))).collect()
}

fn outcome() -> Outcome {
    let documents = Fragment { kind: FragmentKind::Empty, items: Vec::new() };
    Outcome { documents, text: Some("text".to_owned()), names: Vec::new(), loaded: Vec::new() }
}

fn request(name: &str) -> LibraryRequest {
    LibraryRequest {
        directory: format!("_ytt_lib/{name}/"),
        name: name.to_owned(),
        alias: None,
        options: LibraryOptions::default(),
        given: Vec::new(),
        wanted: LibraryOutput::Values,
    }
}

/// Files by name. A library's values are the number of the times it was evaluated, unless `steady`.
#[derive(Default)]
struct Files {
    texts: BTreeMap<&'static str, String>,
    steady: bool,
    calls_back: bool,
    evaluated: RefCell<i128>,
}

impl LibraryFiles for Files {
    fn look_up(&self, question: &FileQuestion) -> FileAnswer {
        let text = |path: &String| self.texts.get(path.as_str()).cloned();
        match question {
            FileQuestion::Library(path) => {
                FileAnswer::Library(text(path).map_or(LibraryFile::Missing, LibraryFile::Starlark))
            }
            FileQuestion::Read(path) => FileAnswer::Read(text(path).map(String::into_bytes)),
            FileQuestion::List(_) => FileAnswer::List(Some(self.texts.keys().map(|name| (*name).to_owned()).collect())),
            FileQuestion::Find { name, .. } => FileAnswer::Find(text(name).map(|_| format!("{name}/"))),
        }
    }

    fn run(&self, _: &LibraryRequest, caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        *self.evaluated.borrow_mut() += 1;
        if self.calls_back {
            caller(&[Call { handle: 1, attribute: None, arguments: Vec::new() }]).remove(0)?;
        }
        let number = if self.steady { 0 } else { *self.evaluated.borrow() };
        Ok(LibraryAnswer::Values(Data::int(number)))
    }
}

struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    /// Evaluates as a new process would; gives what was printed, and whether the code was run.
    fn run(&self, program: &str, code: &str, files: &Files, values: Option<Data>) -> (Vec<String>, bool) {
        let runs = Arc::new(Runs::default());
        let store = Arc::new(Store::open(&self.0.path().join("new/cache"), program).expect("a store"));
        let evaluation = Evaluation { text: Some(code.to_owned()), data_values: values, ..Evaluation::default() };
        let evaluated = CachedEvaluator::new(runs.clone(), store).evaluate(&evaluation, files);
        (evaluated.printed, runs.0.load(Ordering::Relaxed) == 1)
    }

    fn runs(&self, code: &str, files: &Files) -> bool {
        self.run("1", code, files, None).1
    }
}

fn files(texts: &[(&'static str, &str)]) -> Files {
    let texts = texts.iter().map(|(name, text)| (*name, (*text).to_owned())).collect();
    Files { texts, steady: true, ..Files::default() }
}

/// For every question: the same answer needs no run, another one does, and afterwards both are known.
#[test]
fn code_runs_again_when_an_answer_is_another() {
    for code in ["load a", "read a", "list ", "find a", "read b\nload a", "load a\nread a"] {
        let folder = Folder::new();
        let (old, new) = (files(&[("a", "1")]), files(&[("b", "1"), ("c", "2")]));
        let first = folder.run("1", code, &old, None);
        assert!(first.1, "{code}");
        assert_eq!(folder.run("1", code, &old, None), (first.0.clone(), false), "{code}");
        let second = folder.run("1", code, &new, None);
        assert!(second.1, "{code}");
        assert_ne!(first.0, second.0, "{code}");
        assert_eq!(folder.run("1", code, &new, None), (second.0, false), "{code}");
        assert_eq!(folder.run("1", code, &old, None), (first.0, false), "{code}");
    }
}

#[test]
fn code_runs_again_with_other_values_in_another_program_and_with_another_text() {
    let folder = Folder::new();
    let none = files(&[]);
    let value = |number| Some(Data::Struct(vec![("a".to_owned(), Data::int(number))]));
    assert!(folder.run("1", "values", &none, value(1)).1);
    assert!(!folder.run("1", "values", &none, value(1)).1);
    assert!(folder.run("1", "values", &none, value(2)).1);
    assert!(folder.run("2", "values", &none, value(1)).1);
    assert!(folder.run("1", "values\n", &none, value(1)).1);
    // What another program left is still known to it.
    assert!(!folder.run("1", "values", &none, value(1)).1);
}

#[test]
fn what_cannot_be_repeated_is_not_kept() {
    let none = files(&[]);
    for code in ["fail", "function", "call"] {
        let folder = Folder::new();
        assert!(folder.runs(code, &none) && folder.runs(code, &none), "{code}");
    }
    let calls_back = Files { calls_back: true, steady: true, ..Files::default() };
    let folder = Folder::new();
    assert!(folder.runs("run a", &calls_back) && folder.runs("run a", &calls_back));
    // A library that calls back only later is not an answer, and is asked again by the code itself.
    assert!(folder.runs("run a", &none) && !folder.runs("run a", &none));
    let (printed, runs) = folder.run("1", "run a", &calls_back, None);
    assert!(runs && printed[0].contains("Values(Int(0))"), "{printed:?}");
}

/// A library is evaluated once, whether a result is used or not.
#[test]
fn comparing_asks_nothing_twice() {
    let folder = Folder::new();
    for (text, runs) in [("1", true), ("1", false), ("2", true)] {
        let files = files(&[("a", text)]);
        assert_eq!(folder.runs("run x\nload a", &files), runs);
        assert_eq!(*files.evaluated.borrow(), 1);
    }
}

#[test]
fn what_others_wrote_into_the_folder_is_as_good_as_nothing() {
    let folder = Folder::new();
    let files = files(&[("a", "1")]);
    assert!(folder.runs("read a", &files));
    let root = folder.0.path().join("new/cache");
    let results = results_below(&root);
    assert_eq!(results.len(), 1, "{results:?}");
    for text in [&b""[..], b"\xff\xff\xff\xff\xff\xff\xff\xff", &[1; 1000]] {
        std::fs::write(&results[0], text).expect("written");
        assert!(folder.runs("read a", &files) && !folder.runs("read a", &files));
    }
    assert!(root.join("CACHEDIR.TAG").exists() && root.join(".gitignore").exists());
}

fn results_below(root: &Path) -> Vec<std::path::PathBuf> {
    let inner = std::fs::read_dir(root).expect("a folder").flatten().map(|entry| entry.path());
    let files = inner.filter(|path| path.is_dir()).flat_map(|path| std::fs::read_dir(path).expect("a folder"));
    files.flatten().map(|entry| entry.path()).collect()
}
