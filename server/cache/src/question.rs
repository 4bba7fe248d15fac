//! What code asks for while it runs, and the answers.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use lofting_eval::{
    Call, Caller, Data, EvalError, EvalErrorKind, EvaluationId, FileAnswer, FileQuestion, LibraryAnswer, LibraryFiles,
    LibraryRequest,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The hash of an answer, or of what is evaluated.
pub(crate) type Hash = [u8; 32];

/// The hash of bytes.
pub fn sum(bytes: &[u8]) -> Hash {
    Sha256::digest(bytes).into()
}

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

/// A question whose answer can be compared with an earlier one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Question {
    File(FileQuestion),
    Run(Box<LibraryRequest>),
}

#[derive(Clone, Debug, Serialize)]
enum Answered {
    File(FileAnswer),
    Ran(Result<LibraryAnswer, EvalError>),
}

/// An answer with its hash, if it has one.
type Hashed = (Answered, Option<Hash>);

/// Asks each question once, and remembers the answers in the order in which they were asked for.
///
/// A library that is evaluated twice is counted twice by those who ask for it, and has other numbers the second time. So
/// what was asked for while a kept result was compared is not asked again when the code then runs.
pub(crate) struct AskedOnce<'f> {
    files: &'f dyn LibraryFiles,
    answers: RefCell<HashMap<Vec<u8>, Hashed>>,
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
            self.is_unrepeatable.set(true);
            nobody(calls)
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

    fn ask(&self, question: &Question, caller: &mut Caller<'_>) -> Hashed {
        let key = postcard::to_allocvec(question).ok();
        if let Some(known) = key.as_ref().and_then(|key| self.answers.borrow().get(key).cloned()) {
            return known;
        }
        let answer = match question {
            Question::File(question) => Answered::File(self.files.look_up(question)),
            Question::Run(request) => Answered::Ran(self.files.run(request, caller)),
        };
        let hash = hash("", &answer);
        if let Some(key) = key {
            self.answers.borrow_mut().insert(key, (answer.clone(), hash));
        }
        (answer, hash)
    }

    /// The answer to a question of the code that runs.
    fn note(&self, question: Question, caller: &mut Caller<'_>) -> Answered {
        let (answer, hash) = self.ask(&question, caller);
        match hash {
            Some(hash) => self.order.borrow_mut().push((question, hash)),
            None => self.is_unrepeatable.set(true),
        }
        answer
    }
}

/// Answers calls of functions whose code is not running.
fn nobody(calls: &[Call]) -> Vec<Result<Data, EvalError>> {
    calls.iter().map(|_| Err(EvalError::new(EvalErrorKind::Unavailable, "no code is running"))).collect()
}

impl LibraryFiles for AskedOnce<'_> {
    fn look_up(&self, question: &FileQuestion) -> FileAnswer {
        match self.note(Question::File(question.clone()), &mut nobody) {
            Answered::File(answer) => answer,
            Answered::Ran(_) => question.nothing(),
        }
    }

    fn run(&self, request: &LibraryRequest, caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        let mut noted = |calls: &[Call]| {
            self.is_unrepeatable.set(true);
            caller(calls)
        };
        match self.note(Question::Run(Box::new(request.clone())), &mut noted) {
            Answered::Ran(answer) => answer,
            Answered::File(_) => Err(EvalError::new(EvalErrorKind::Unavailable, "this library was not evaluated")),
        }
    }

    fn is_wanted(&self) -> bool {
        self.files.is_wanted()
    }

    fn call(&self, evaluation: EvaluationId, calls: &[Call]) -> Vec<Result<Data, EvalError>> {
        self.is_unrepeatable.set(true);
        self.files.call(evaluation, calls)
    }
}
