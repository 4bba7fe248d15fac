//! What the rest of the server needs of an evaluator, however that is implemented.

use serde::{Deserialize, Serialize};

use crate::data::{Data, EvaluationId};
use crate::file_question::{FileAnswer, FileQuestion};
use crate::library::{Caller, LibraryAnswer, LibraryRequest};
use crate::program::{Outcome, TemplateProgram};

/// Runs Starlark. Implementations: a worker process, in-process (tests), none.
pub trait Evaluator: Send + Sync {
    /// Evaluates a template, which gets the files it loads and reads from `files`.
    fn evaluate(&self, evaluation: &Evaluation, files: &dyn LibraryFiles) -> Evaluated;

    /// Calls functions of an evaluation, in order, and returns one answer for each.
    fn call_batch(&self, evaluation: EvaluationId, batch: &Batch<'_>) -> Vec<Result<Data, EvalError>>;

    /// Calls functions of an evaluation, in order, and returns one answer for each.
    fn call(&self, evaluation: EvaluationId, calls: &[Call]) -> Vec<Result<Data, EvalError>> {
        self.call_batch(evaluation, &Batch { shared: &[], calls, is_wanted: &|| true })
    }

    /// Code is going to be run soon: what takes a while to start may begin.
    fn prepare(&self) {}

    /// Forgets an evaluation: its handles become invalid.
    fn release(&self, evaluation: EvaluationId);
}

/// One template to evaluate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// The template.
    pub program: TemplateProgram,
    /// A text template to evaluate instead, which gives no documents; its path is that of `program`.
    pub text: Option<String>,
    /// `text` is a Starlark file, not a text template.
    pub starlark: bool,
    /// The directory of the library that the template belongs to: empty for the root library, else ending in a slash. A
    /// path `/x` in code is relative to it.
    pub library: String,
    /// `data.values`; None where ytt gives an empty struct (in schema and data values files).
    pub data_values: Option<Data>,
    /// `--implicit-map-key-overrides`
    pub implicit_map_key_overrides: bool,
    /// The template is a schema of one of ytt's design proposals, whose modules have more members.
    pub proposed: bool,
}

/// The answer to an [`Evaluation`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluated {
    /// The result, or the first error.
    pub result: Result<Outcome, EvalError>,
    /// Identifies the evaluation in calls; None if it failed or left no function that could be called.
    pub id: Option<EvaluationId>,
    /// What `print` wrote, one line each, up to a limit.
    pub printed: Vec<String>,
}

/// Calls of functions.
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    /// Values that arguments may refer to, and that are transferred only once ([`Data::Shared`]).
    pub shared: &'a [Data],
    /// In order.
    pub calls: &'a [Call],
    /// Whether the answers are still of use. An evaluator that asks may answer with any errors if they are not.
    pub is_wanted: &'a dyn Fn() -> bool,
}

/// A call of a function by handle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The function or object.
    pub handle: u32,
    /// An attribute of the object to call instead of itself (`check`).
    pub attribute: Option<String>,
    /// Positional arguments. Each may be a shared value, or a struct with shared values as fields.
    pub arguments: Vec<Data>,
}

impl Call {
    /// The call with copies of the shared values it refers to.
    pub fn unshared(&self, shared: &[Data]) -> Call {
        let one = |data: &Data| match data {
            Data::Shared(number) => shared.get(*number as usize).cloned().unwrap_or(Data::None),
            other => other.clone(),
        };
        let arguments = self.arguments.iter().map(|argument| match argument {
            Data::Struct(fields) => {
                Data::Struct(fields.iter().map(|(name, value)| (name.clone(), one(value))).collect())
            }
            other => one(other),
        });
        Call { arguments: arguments.collect(), ..self.clone() }
    }

    /// The call without portions in its arguments, for those who do not keep them.
    pub fn unfolded(&self) -> Call {
        let arguments = self.arguments.iter().map(Data::unfolded).collect();
        Call { handle: self.handle, attribute: self.attribute.clone(), arguments }
    }
}

/// Files of the input set, by their path inside ytt.
pub trait LibraryFiles {
    /// Answers a question about files: the variant of the answer has the name of that of the question.
    fn look_up(&self, question: &FileQuestion) -> FileAnswer;
    /// The answer to [`FileQuestion::Library`].
    fn library(&self, path: &str) -> LibraryFile {
        match self.look_up(&FileQuestion::Library(path.to_owned())) {
            FileAnswer::Library(file) => file,
            _ => LibraryFile::Missing,
        }
    }
    /// The answer to [`FileQuestion::Read`].
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        match self.look_up(&FileQuestion::Read(path.to_owned())) {
            FileAnswer::Read(bytes) => bytes,
            _ => None,
        }
    }
    /// The answer to [`FileQuestion::List`].
    fn list(&self, path: &str) -> Option<Vec<String>> {
        match self.look_up(&FileQuestion::List(path.to_owned())) {
            FileAnswer::List(paths) => paths,
            _ => None,
        }
    }
    /// The answer to [`FileQuestion::Find`].
    fn find(&self, from: &str, name: &str) -> Option<String> {
        match self.look_up(&FileQuestion::Find { from: from.to_owned(), name: name.to_owned() }) {
            FileAnswer::Find(directory) => directory,
            _ => None,
        }
    }
    /// Whether the result of the evaluation is still of use. An evaluator that asks may end with any error if it is not.
    fn is_wanted(&self) -> bool {
        true
    }
    /// Evaluates a private library.
    fn run(&self, request: &LibraryRequest, caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError>;
    /// Calls functions in what a library made, which belong to another evaluation; one answer for each call.
    fn call(&self, evaluation: EvaluationId, calls: &[Call]) -> Vec<Result<Data, EvalError>> {
        let _ = evaluation;
        let unknown = EvalError::new(EvalErrorKind::Unavailable, "this function is not known; evaluate again");
        calls.iter().map(|_| Err(unknown.clone())).collect()
    }
}

/// A file that `load` named.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LibraryFile {
    /// `*.star`
    Starlark(String),
    /// `*.lib.yml`
    Template(Box<TemplateProgram>),
    /// `*.lib.txt`
    Text(String),
    /// The file exists and is of a kind that cannot be loaded.
    NotALibrary,
    /// There is no such file.
    Missing,
}

/// No files at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl LibraryFiles for NoFiles {
    fn look_up(&self, question: &FileQuestion) -> FileAnswer {
        question.nothing()
    }

    fn run(&self, _request: &LibraryRequest, _caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        Err(EvalError::new(EvalErrorKind::Unsupported, "libraries cannot be evaluated here"))
    }
}

/// A byte range in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeRange {
    /// The file's path inside ytt.
    pub path: String,
    /// First byte.
    pub start: u32,
    /// After the last byte.
    pub end: u32,
}

/// The function of a [`Frame`] for an item of an overlay that code could not merge: it is not a call, and what follows it
/// is further inside.
pub const OVERLAY_ITEM: &str = "<overlay>";

/// The function of a [`Frame`] for a `load` of a file that failed: what follows it is further inside, in that file, whose
/// message is the rest of this one's.
pub const LOADING: &str = "<load>";

/// One level of a call stack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// The function that was running; `<toplevel>` for the file itself.
    pub function: String,
    /// The call or expression that was being evaluated; None inside built-in functions and generated code.
    pub place: Option<CodeRange>,
}

/// Why an evaluation or a call gave no value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "WireError", into = "WireError")]
pub struct EvalError {
    /// What sort of failure it is.
    pub kind: EvalErrorKind,
    /// What is wrong, in ytt's words where it has some.
    pub message: String,
    /// How to fix it, if that is known.
    pub hint: Option<String>,
    /// The call stack, innermost frame first; never empty for the user's own mistakes.
    pub frames: Vec<Frame>,
    /// Further errors of the same kind: all undefined names are reported at once. They have no further ones.
    pub also: Vec<EvalError>,
}

/// An error, and the further ones, as they are transferred: an error inside an error inside an error would let a sender
/// choose the depth of the reader's recursion.
#[derive(Serialize, Deserialize)]
struct WireError(OneError, Vec<OneError>);

#[derive(Serialize, Deserialize)]
struct OneError {
    kind: EvalErrorKind,
    message: String,
    hint: Option<String>,
    frames: Vec<Frame>,
}

impl From<OneError> for EvalError {
    fn from(OneError { kind, message, hint, frames }: OneError) -> Self {
        Self { kind, message, hint, frames, also: Vec::new() }
    }
}

impl From<EvalError> for OneError {
    fn from(EvalError { kind, message, hint, frames, .. }: EvalError) -> Self {
        Self { kind, message, hint, frames }
    }
}

impl From<WireError> for EvalError {
    fn from(WireError(first, also): WireError) -> Self {
        Self { also: also.into_iter().map(EvalError::from).collect(), ..first.into() }
    }
}

impl From<EvalError> for WireError {
    fn from(mut error: EvalError) -> Self {
        let also = std::mem::take(&mut error.also).into_iter().map(OneError::from).collect();
        Self(error.into(), also)
    }
}

/// The kind of an [`EvalError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EvalErrorKind {
    /// The text is not valid Starlark.
    Syntax,
    /// A name is not defined.
    Name,
    /// Running it failed, as it does in ytt.
    Runtime,
    /// A private library failed. The caller that evaluated it keeps the reasons under this number.
    Library(u32),
    /// This evaluator cannot run it although ytt might, so the result is unknown. The code is not at fault.
    Unsupported,
    /// It exceeded a limit: it needs too many steps, too much memory or too deep a stack, and would again.
    Limit,
    /// It was interrupted: it took too long, or its worker was killed. A later attempt may well succeed.
    Interrupted,
    /// Nothing can be evaluated: there is no worker, or only one without the required sandbox.
    Refused,
    /// Evaluation is switched off, or the evaluation is no longer known. The only kind that is never shown to a user.
    Unavailable,
}

impl EvalErrorKind {
    /// True if ytt would fail as well, so that an error may be shown for it.
    pub fn is_error(self) -> bool {
        matches!(self, Self::Syntax | Self::Name | Self::Runtime | Self::Library(_))
    }
}

impl EvalError {
    /// An error without call stack.
    pub fn new(kind: EvalErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None, frames: Vec::new(), also: Vec::new() }
    }

    /// The innermost known place.
    pub fn place(&self) -> Option<&CodeRange> {
        self.frames.iter().find_map(|frame| frame.place.as_ref())
    }
}

/// Evaluates nothing: for when Starlark is switched off.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEvaluator;

impl Evaluator for NoEvaluator {
    fn evaluate(&self, _evaluation: &Evaluation, _files: &dyn LibraryFiles) -> Evaluated {
        Evaluated { result: Err(off()), id: None, printed: Vec::new() }
    }

    fn call_batch(&self, _: EvaluationId, batch: &Batch<'_>) -> Vec<Result<Data, EvalError>> {
        batch.calls.iter().map(|_| Err(off())).collect()
    }

    fn release(&self, _evaluation: EvaluationId) {}
}

fn off() -> EvalError {
    EvalError::new(EvalErrorKind::Unavailable, "evaluation is switched off")
}
