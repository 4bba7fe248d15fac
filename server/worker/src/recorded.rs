//! Records the answers about files that an evaluation got, so that it can be repeated in a new worker.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::Hash;

use crate::wire::hash;
use lofting_eval::{
    Call, Caller, Data, EvalError, EvalErrorKind, EvaluationId, LibraryAnswer, LibraryFile, LibraryFiles,
    LibraryRequest,
};

/// How long a path that code asks for may be, in bytes, and how many different paths it may ask for: a compromised
/// worker could ask for ever.
const LONGEST_PATH: usize = 4096;
const MOST: usize = 100_000;

/// The answers given to one evaluation, by question.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorded {
    library: HashMap<String, LibraryFile>,
    read: HashMap<String, Option<String>>,
    list: HashMap<String, Vec<String>>,
    find: HashMap<(String, String), Option<String>>,
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

    /// The answer to a question about a path, which is passed on only the first time; None for questions beyond the
    /// limits.
    fn once<A: Clone>(
        &self,
        path: &str,
        kind: impl FnOnce(&mut Recorded) -> &mut HashMap<String, A>,
        ask: impl FnOnce() -> A,
    ) -> Option<A> {
        if path.len() > LONGEST_PATH {
            return None;
        }
        once(kind(&mut self.answers.borrow_mut()), &path.to_owned(), ask)
    }
}

impl LibraryFiles for Recorder<'_> {
    fn library(&self, path: &str) -> LibraryFile {
        self.once(path, |answers| &mut answers.library, || self.files.library(path)).unwrap_or(LibraryFile::Missing)
    }

    fn read(&self, path: &str) -> Option<String> {
        self.once(path, |answers| &mut answers.read, || self.files.read(path)).flatten()
    }

    fn list(&self, path: &str) -> Vec<String> {
        self.once(path, |answers| &mut answers.list, || self.files.list(path)).unwrap_or_default()
    }

    fn find(&self, from: &str, name: &str) -> Option<String> {
        if from.len() > LONGEST_PATH || name.len() > LONGEST_PATH {
            return None;
        }
        let key = (from.to_owned(), name.to_owned());
        once(&mut self.answers.borrow_mut().find, &key, || self.files.find(from, name)).flatten()
    }

    fn run(&self, request: &LibraryRequest, caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        let answer = self.files.run(request, caller);
        self.answers.borrow_mut().run.push((request.clone(), answer.clone()));
        answer
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
    fn library(&self, path: &str) -> LibraryFile {
        self.library.get(path).cloned().unwrap_or(LibraryFile::Missing)
    }

    fn read(&self, path: &str) -> Option<String> {
        self.read.get(path).cloned().flatten()
    }

    fn list(&self, path: &str) -> Vec<String> {
        self.list.get(path).cloned().unwrap_or_default()
    }

    fn find(&self, from: &str, name: &str) -> Option<String> {
        self.find.get(&(from.to_owned(), name.to_owned())).cloned().flatten()
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
    Library(String),
    Read(String),
    List(String),
    Find(String, String),
    /// All files of a private library.
    Run(String),
}

impl Question {
    fn hash(&self, files: &dyn LibraryFiles) -> u64 {
        match self {
            Question::Library(path) => hash(&files.library(path)),
            Question::Read(path) => hash(&files.read(path)),
            Question::List(path) => hash(&files.list(path)),
            Question::Find(from, name) => hash(&files.find(from, name)),
            Question::Run(directory) => {
                let names = files.list(directory.trim_end_matches('/'));
                hash(&names.iter().map(|name| (name, files.read(name))).collect::<Vec<_>>())
            }
        }
    }
}

impl Recorded {
    /// What was read. For private libraries, all their files count, as `files` has them now.
    pub(crate) fn read(&self, files: &dyn LibraryFiles) -> Vec<Read> {
        let library = self.library.iter().map(|(path, file)| (Question::Library(path.clone()), hash(file)));
        let text = self.read.iter().map(|(path, text)| (Question::Read(path.clone()), hash(text)));
        let list = self.list.iter().map(|(path, names)| (Question::List(path.clone()), hash(names)));
        let find = self.find.iter().map(|((from, name), found)| {
            let question = Question::Find(from.clone(), name.clone());
            (question, hash(found))
        });
        let run = self.run.iter().map(|(request, _)| {
            let question = Question::Run(request.directory.clone());
            let answer = question.hash(files);
            (question, answer)
        });
        let all = library.chain(text).chain(list).chain(find).chain(run);
        let mut read: Vec<Read> = all.map(|(question, answer)| Read { question, answer }).collect();
        read.sort_unstable();
        read.dedup();
        read
    }
}

/// Whether code would read the same things again.
pub(crate) fn hold(read: &[Read], files: &dyn LibraryFiles) -> bool {
    read.iter().all(|read| read.question.hash(files) == read.answer)
}

fn once<Q: Clone + Eq + Hash, A: Clone>(known: &mut HashMap<Q, A>, question: &Q, ask: impl FnOnce() -> A) -> Option<A> {
    if let Some(answer) = known.get(question) {
        return Some(answer.clone());
    }
    if known.len() >= MOST {
        return None;
    }
    let answer = ask();
    known.insert(question.clone(), answer.clone());
    Some(answer)
}
