//! What code asks for while it runs, and the answers.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use lofting_eval::{
    Call, Caller, Data, EvalError, EvalErrorKind, EvaluationId, LibraryAnswer, LibraryFile, LibraryFiles,
    LibraryRequest,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The hash of an answer, or of what is evaluated.
pub(crate) type Hash = [u8; 32];

/// The hash of a value's bytes; None for a value that has none.
pub(crate) fn hash(salt: &str, value: &impl Serialize) -> Option<Hash> {
    let bytes = postcard::to_allocvec(value).ok()?;
    let mut digest = Sha256::new();
    // The length keeps the two apart.
    digest.update(u64::try_from(salt.len()).ok()?.to_le_bytes());
    digest.update(salt);
    digest.update(bytes);
    Some(digest.finalize().into())
}

/// A question whose answer can be compared with an earlier one: the methods of [`LibraryFiles`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Question {
    Library(String),
    Read(String),
    List(String),
    Find(String, String),
    Run(Box<LibraryRequest>),
}

#[derive(Clone, Debug, Serialize)]
enum FileAnswer {
    Library(LibraryFile),
    Read(Option<String>),
    List(Vec<String>),
    Found(Option<String>),
    Ran(Result<LibraryAnswer, EvalError>),
}

/// Asks each question once, and remembers the answers in the order in which they were asked for.
///
/// A library that is evaluated twice is counted twice by those who ask for it, and has other numbers the second time. So
/// what was asked for while a kept result was compared is not asked again when the code then runs.
pub(crate) struct AskedOnce<'f> {
    files: &'f dyn LibraryFiles,
    answers: RefCell<HashMap<Vec<u8>, FileAnswer>>,
    /// The questions of the code that runs, with the hashes of the answers.
    order: RefCell<Vec<(Question, Hash)>>,
    /// The code used something whose answer cannot be compared.
    is_unrepeatable: Cell<bool>,
}

impl<'f> AskedOnce<'f> {
    pub(crate) fn new(files: &'f dyn LibraryFiles) -> Self {
        AskedOnce { files, answers: RefCell::default(), order: RefCell::default(), is_unrepeatable: Cell::new(false) }
    }

    /// Whether a question has the answer with this hash.
    pub(crate) fn has(&self, question: &Question, answer: &Hash) -> bool {
        let mut nobody = |calls: &[Call]| {
            // The code that passed the function is not running.
            self.is_unrepeatable.set(true);
            calls.iter().map(|_| Err(EvalError::new(EvalErrorKind::Unavailable, "no code is running"))).collect()
        };
        let found = self.ask(question, &mut nobody).1;
        // What a library gave without the function is not an answer to anyone.
        if self.is_unrepeatable.replace(false) {
            if let Ok(key) = postcard::to_allocvec(question) {
                self.answers.borrow_mut().remove(&key);
            }
            return false;
        }
        found == Some(*answer)
    }

    /// What the code asked for, in order; None if running it again could give something else.
    pub(crate) fn into_order(self) -> Option<Vec<(Question, Hash)>> {
        (!self.is_unrepeatable.get()).then(|| self.order.into_inner())
    }

    /// The answer, and its hash if it has one.
    fn ask(&self, question: &Question, caller: &mut Caller<'_>) -> (FileAnswer, Option<Hash>) {
        let key = postcard::to_allocvec(question).ok();
        let known = key.as_ref().and_then(|key| self.answers.borrow().get(key).cloned());
        let answer = known.unwrap_or_else(|| {
            let answer = match question {
                Question::Library(path) => FileAnswer::Library(self.files.library(path)),
                Question::Read(path) => FileAnswer::Read(self.files.read(path)),
                Question::List(path) => FileAnswer::List(self.files.list(path)),
                Question::Find(from, name) => FileAnswer::Found(self.files.find(from, name)),
                Question::Run(request) => FileAnswer::Ran(self.files.run(request, caller)),
            };
            if let Some(key) = key {
                self.answers.borrow_mut().insert(key, answer.clone());
            }
            answer
        });
        let hash = hash("", &answer);
        (answer, hash)
    }

    /// The answer to a question of the code that runs.
    fn note(&self, question: Question, caller: &mut Caller<'_>) -> FileAnswer {
        let (answer, hash) = self.ask(&question, caller);
        match hash {
            Some(hash) => self.order.borrow_mut().push((question, hash)),
            None => self.is_unrepeatable.set(true),
        }
        answer
    }
}

/// No library that answers these questions calls functions.
fn no_caller(calls: &[Call]) -> Vec<Result<Data, EvalError>> {
    calls.iter().map(|_| Err(EvalError::new(EvalErrorKind::Unavailable, "no code is running"))).collect()
}

impl LibraryFiles for AskedOnce<'_> {
    fn library(&self, path: &str) -> LibraryFile {
        match self.note(Question::Library(path.to_owned()), &mut no_caller) {
            FileAnswer::Library(file) => file,
            _ => LibraryFile::Missing,
        }
    }

    fn read(&self, path: &str) -> Option<String> {
        match self.note(Question::Read(path.to_owned()), &mut no_caller) {
            FileAnswer::Read(text) => text,
            _ => None,
        }
    }

    fn list(&self, path: &str) -> Vec<String> {
        match self.note(Question::List(path.to_owned()), &mut no_caller) {
            FileAnswer::List(paths) => paths,
            _ => Vec::new(),
        }
    }

    fn find(&self, from: &str, name: &str) -> Option<String> {
        match self.note(Question::Find(from.to_owned(), name.to_owned()), &mut no_caller) {
            FileAnswer::Found(directory) => directory,
            _ => None,
        }
    }

    fn run(&self, request: &LibraryRequest, caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        let mut noted = |calls: &[Call]| {
            self.is_unrepeatable.set(true);
            caller(calls)
        };
        match self.note(Question::Run(Box::new(request.clone())), &mut noted) {
            FileAnswer::Ran(answer) => answer,
            _ => Err(EvalError::new(EvalErrorKind::Unavailable, "this library was not evaluated")),
        }
    }

    fn call(&self, evaluation: EvaluationId, calls: &[Call]) -> Vec<Result<Data, EvalError>> {
        self.is_unrepeatable.set(true);
        self.files.call(evaluation, calls)
    }
}
