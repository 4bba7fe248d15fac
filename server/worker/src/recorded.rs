//! Records the answers about files that an evaluation got, so that it can be repeated in a new worker.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::wire::hash;
use lofting_eval::{
    Call, Caller, Data, EvalError, EvalErrorKind, EvaluationId, FileAnswer, FileQuestion, LibraryAnswer, LibraryFiles,
    LibraryRequest,
};

/// How long the paths of a question may be, in bytes, and how many different questions code may ask: a compromised worker
/// could ask for ever.
const LONGEST: usize = 8192;
const MOST: usize = 100_000;

/// The answers given to one evaluation, by question.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorded {
    files: HashMap<FileQuestion, FileAnswer>,
    run: Vec<(LibraryRequest, Result<LibraryAnswer, EvalError>)>,
    call: Vec<(EvaluationId, Vec<Call>, Answers)>,
}

/// One answer for each call.
type Answers = Vec<Result<Data, EvalError>>;

/// Passes questions on and records the answers.
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
    /// A question is passed on only the first time, and one beyond the limits never.
    fn look_up(&self, question: &FileQuestion) -> FileAnswer {
        if let Some(known) = self.answers.borrow().files.get(question) {
            return known.clone();
        }
        if question.length() > LONGEST || self.answers.borrow().files.len() >= MOST {
            return question.nothing();
        }
        let answer = self.files.look_up(question);
        self.answers.borrow_mut().files.insert(question.clone(), answer.clone());
        answer
    }

    fn run(&self, request: &LibraryRequest, caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        let answer = self.files.run(request, caller);
        self.answers.borrow_mut().run.push((request.clone(), answer.clone()));
        answer
    }

    fn is_wanted(&self) -> bool {
        self.files.is_wanted()
    }

    fn call(&self, evaluation: EvaluationId, calls: &[Call]) -> Answers {
        let answers = self.files.call(evaluation, calls);
        let mut recorded = self.answers.borrow_mut();
        if recorded.call.len() < MOST {
            recorded.call.push((evaluation, calls.to_vec(), answers.clone()));
        }
        answers
    }
}

/// Evaluation is deterministic, so a repeated one asks the same questions; any other question gets no answer.
impl LibraryFiles for Recorded {
    fn look_up(&self, question: &FileQuestion) -> FileAnswer {
        self.files.get(question).cloned().unwrap_or_else(|| question.nothing())
    }

    fn run(&self, request: &LibraryRequest, _caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        let unknown = || Err(EvalError::new(EvalErrorKind::Unavailable, "this library was not requested before"));
        let known = self.run.iter().find(|(asked, _)| asked == request);
        known.map_or_else(unknown, |(_, answer)| answer.clone())
    }

    fn call(&self, evaluation: EvaluationId, calls: &[Call]) -> Answers {
        let unknown = || EvalError::new(EvalErrorKind::Unavailable, "this function was not called before");
        let known = self.call.iter().find(|(of, asked, _)| *of == evaluation && asked == calls);
        known.map_or_else(|| calls.iter().map(|_| Err(unknown())).collect(), |(.., answers)| answers.clone())
    }
}

/// Something that code read, with the hash of its content.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Read {
    question: Question,
    answer: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Question {
    File(FileQuestion),
    /// All files of a private library.
    Run(String),
}

impl Question {
    fn hash(&self, files: &dyn LibraryFiles) -> u64 {
        match self {
            Question::File(question) => hash(&files.look_up(question)),
            Question::Run(directory) => {
                let names = files.list(directory.trim_end_matches('/')).unwrap_or_default();
                hash(&names.iter().map(|name| (name, files.read(name))).collect::<Vec<_>>())
            }
        }
    }
}

impl Recorded {
    /// What was read. For private libraries, all their files count, as `files` has them now.
    pub(crate) fn read(&self, files: &dyn LibraryFiles) -> Vec<Read> {
        let found = self.files.iter().map(|(question, answer)| (Question::File(question.clone()), hash(answer)));
        let run = self.run.iter().map(|(request, _)| {
            let question = Question::Run(request.directory.clone());
            let answer = question.hash(files);
            (question, answer)
        });
        let mut read: Vec<Read> = found.chain(run).map(|(question, answer)| Read { question, answer }).collect();
        read.sort_unstable();
        read.dedup();
        read
    }
}

/// Whether code would read the same things again.
pub(crate) fn hold(read: &[Read], files: &dyn LibraryFiles) -> bool {
    read.iter().all(|read| read.question.hash(files) == read.answer)
}
