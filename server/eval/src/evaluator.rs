//! What the rest of the server asks of an evaluator, whatever runs behind it.

use serde::{Deserialize, Serialize};

use crate::data::Data;
use crate::library::{Caller, LibraryAnswer, LibraryRequest};
use crate::program::{Outcome, TemplateProgram};

/// Runs Starlark. Implementations: a worker process, in-process (tests), none.
pub trait Evaluator: Send + Sync {
    /// Evaluates a template. Files it loads or reads are asked from `files`.
    fn evaluate(&self, evaluation: &Evaluation, files: &dyn LibraryFiles) -> Evaluated;

    /// Calls functions of an evaluation, in order; one answer each. Arguments may refer to the `shared`
    /// values, which are handed over once ([`Data::Shared`]).
    fn call_sharing(&self, evaluation: EvaluationId, shared: &[Data], calls: &[Call]) -> Vec<Result<Data, EvalError>>;

    /// Calls functions of an evaluation, in order; one answer each.
    fn call(&self, evaluation: EvaluationId, calls: &[Call]) -> Vec<Result<Data, EvalError>> {
        self.call_sharing(evaluation, &[], calls)
    }

    /// Forgets an evaluation: its handles are no longer valid.
    fn release(&self, evaluation: EvaluationId);
}

/// Names an evaluation whose functions can be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EvaluationId(pub u64);

impl EvaluationId {
    /// The evaluation that waits for an answer about a library: see [`Caller`].
    pub const CALLER: EvaluationId = EvaluationId(u64::MAX);
}

/// One template to evaluate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// The template.
    pub program: TemplateProgram,
    /// A text template instead, which gives no documents; its path is that of `program`.
    pub text: Option<String>,
    /// `text` is a file of Starlark, not a text template.
    pub starlark: bool,
    /// The directory of the library that the template belongs to: empty for the root library, or ending
    /// in a slash. What code calls `/x` lies there.
    pub library: String,
    /// `data.values`; None where ytt gives an empty struct (schema and data values files).
    pub data_values: Option<Data>,
    /// `--implicit-map-key-overrides`
    pub implicit_map_key_overrides: bool,
    /// The template holds a schema of one of ytt's design proposals, whose modules have more in them.
    #[serde(default)]
    pub proposed: bool,
}

/// The answer to an [`Evaluation`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluated {
    /// The result, or what went wrong first.
    pub result: Result<Outcome, EvalError>,
    /// Names the evaluation in calls; None if it failed.
    pub id: Option<EvaluationId>,
    /// What `print` wrote, one line each; capped.
    pub printed: Vec<String>,
}

/// A call of a function by handle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The function or object.
    pub handle: u32,
    /// An attribute of the object to call instead (`check`).
    pub attribute: Option<String>,
    /// Positional arguments: each may be a shared value, or a struct with shared values as fields.
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
}

/// Files of the input set, by their path inside ytt.
pub trait LibraryFiles {
    /// The file a `load` names; `path` is resolved against the loading file (no leading `/`), or `@lib:path`.
    fn library(&self, path: &str) -> LibraryFile;
    /// The text of a file, for `data.read`.
    fn read(&self, path: &str) -> Option<String>;
    /// The paths of all files below `path` (all files for an empty path), without those of private
    /// libraries in there.
    fn list(&self, path: &str) -> Vec<String>;
    /// The directory of the private library `name` for code in a file of the directory `from`: both
    /// empty or ending in a slash.
    fn find(&self, from: &str, name: &str) -> Option<String>;
    /// Evaluates a private library.
    fn run(&self, request: &LibraryRequest, caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError>;
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
    /// There is a file of that name and it can not be loaded.
    NotALibrary,
    /// There is no such file.
    Missing,
}

/// No files at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl LibraryFiles for NoFiles {
    fn library(&self, _path: &str) -> LibraryFile {
        LibraryFile::Missing
    }

    fn read(&self, _path: &str) -> Option<String> {
        None
    }

    fn list(&self, _path: &str) -> Vec<String> {
        Vec::new()
    }

    fn find(&self, _from: &str, _name: &str) -> Option<String> {
        None
    }

    fn run(&self, _request: &LibraryRequest, _caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        Err(EvalError::new(EvalErrorKind::Unsupported, "libraries cannot be evaluated here"))
    }
}

/// Bytes of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The file's path inside ytt.
    pub path: String,
    /// First byte.
    pub start: u32,
    /// Behind the last byte.
    pub end: u32,
}

/// One level of a call stack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// The function that was running; `<toplevel>` for the file itself.
    pub function: String,
    /// The call or expression in it; None inside built-in functions and generated code.
    pub place: Option<Place>,
}

/// Why an evaluation or a call gave no value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvalError {
    /// What sort of failure it is.
    pub kind: EvalErrorKind,
    /// What is wrong, in ytt's words where it has some.
    pub message: String,
    /// How to mend it.
    pub hint: Option<String>,
    /// Where, the innermost frame first; never empty for the user's own mistakes.
    pub frames: Vec<Frame>,
    /// Further mistakes of the same kind: all names that are not defined are told at once.
    pub also: Vec<EvalError>,
}

/// What sort of failure an [`EvalError`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EvalErrorKind {
    /// The text is no Starlark.
    Syntax,
    /// A name is not defined.
    Name,
    /// Running it failed: ytt fails as well.
    Runtime,
    /// A private library failed, for reasons that whoever ran it keeps under this number.
    Library(u32),
    /// This evaluator can not run it although ytt might: the result is unknown, nobody's fault.
    Unsupported,
    /// It was bounded: it needs too many steps, too much memory or depth, tomorrow as today.
    Limit,
    /// It was interrupted: it took too long, or what ran it was killed. Asked later it may well have an answer.
    Interrupted,
    /// Nothing can be evaluated: there is no worker, or none as it is required.
    Refused,
    /// Evaluation is switched off, or what is asked about is no longer known: the only kind that nobody is told of.
    Unavailable,
}

impl EvalErrorKind {
    /// True if ytt would fail as well, so that an error may be shown for it.
    pub fn is_error(self) -> bool {
        matches!(self, Self::Syntax | Self::Name | Self::Runtime | Self::Library(_))
    }
}

impl EvalError {
    /// An error without a place.
    pub fn new(kind: EvalErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None, frames: Vec::new(), also: Vec::new() }
    }

    /// The innermost place that is known.
    pub fn place(&self) -> Option<&Place> {
        self.frames.iter().find_map(|frame| frame.place.as_ref())
    }
}

/// Evaluates nothing: Starlark is switched off.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEvaluator;

impl Evaluator for NoEvaluator {
    fn evaluate(&self, _evaluation: &Evaluation, _files: &dyn LibraryFiles) -> Evaluated {
        Evaluated { result: Err(off()), id: None, printed: Vec::new() }
    }

    fn call_sharing(&self, _: EvaluationId, _: &[Data], calls: &[Call]) -> Vec<Result<Data, EvalError>> {
        calls.iter().map(|_| Err(off())).collect()
    }

    fn release(&self, _evaluation: EvaluationId) {}
}

fn off() -> EvalError {
    EvalError::new(EvalErrorKind::Unavailable, "evaluation is switched off")
}
