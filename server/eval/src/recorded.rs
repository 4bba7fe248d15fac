//! What an evaluation was told about files, to tell it again when a new worker has to repeat it.

use std::cell::RefCell;

use crate::evaluator::{EvalError, LibraryFile, LibraryFiles};
use crate::library::{Caller, LibraryAnswer, LibraryRequest};

/// The answers given to one evaluation, by question.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorded {
    library: Vec<(String, LibraryFile)>,
    read: Vec<(String, Option<String>)>,
    list: Vec<(String, Vec<String>)>,
    find: Vec<((String, String), Option<String>)>,
    run: Vec<(LibraryRequest, Result<LibraryAnswer, EvalError>)>,
}

/// Hands on questions and notes the answers.
pub(crate) struct Recorder<'f> {
    files: &'f dyn LibraryFiles,
    answers: RefCell<Recorded>,
}

impl<'f> Recorder<'f> {
    pub(crate) fn new(files: &'f dyn LibraryFiles) -> Self {
        Self { files, answers: RefCell::default() }
    }

    pub(crate) fn into_answers(self) -> Recorded {
        self.answers.into_inner()
    }
}

impl LibraryFiles for Recorder<'_> {
    fn library(&self, path: &str) -> LibraryFile {
        let answer = self.files.library(path);
        self.answers.borrow_mut().library.push((path.to_owned(), answer.clone()));
        answer
    }

    fn read(&self, path: &str) -> Option<String> {
        let answer = self.files.read(path);
        self.answers.borrow_mut().read.push((path.to_owned(), answer.clone()));
        answer
    }

    fn list(&self, path: &str) -> Vec<String> {
        let answer = self.files.list(path);
        self.answers.borrow_mut().list.push((path.to_owned(), answer.clone()));
        answer
    }

    fn find(&self, from: &str, name: &str) -> Option<String> {
        let answer = self.files.find(from, name);
        self.answers.borrow_mut().find.push(((from.to_owned(), name.to_owned()), answer.clone()));
        answer
    }

    fn run(&self, request: &LibraryRequest, caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        let answer = self.files.run(request, caller);
        self.answers.borrow_mut().run.push((request.clone(), answer.clone()));
        answer
    }
}

/// The same questions have the same answers; others are not asked, as evaluation is deterministic.
impl LibraryFiles for Recorded {
    fn library(&self, path: &str) -> LibraryFile {
        known(&self.library, |asked| asked == path).unwrap_or(LibraryFile::Missing)
    }

    fn read(&self, path: &str) -> Option<String> {
        known(&self.read, |asked| asked == path).flatten()
    }

    fn list(&self, path: &str) -> Vec<String> {
        known(&self.list, |asked| asked == path).unwrap_or_default()
    }

    fn find(&self, from: &str, name: &str) -> Option<String> {
        known(&self.find, |(asked_from, asked_name)| asked_from == from && asked_name == name).flatten()
    }

    fn run(&self, request: &LibraryRequest, _caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        let unknown =
            || Err(EvalError::new(crate::EvalErrorKind::Unavailable, "this library was not asked for before"));
        known(&self.run, |asked| asked == request).unwrap_or_else(unknown)
    }
}

fn known<Q, A: Clone>(answers: &[(Q, A)], is_asked: impl Fn(&Q) -> bool) -> Option<A> {
    answers.iter().find(|(question, _)| is_asked(question)).map(|(_, answer)| answer.clone())
}
