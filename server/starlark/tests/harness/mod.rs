//! Evaluates files given as text and renders the result.

#![allow(dead_code, reason = "each test binary uses its part")]

use lofting_document::{FileId, Options};
use lofting_eval::{
    Call, Caller, Data, EvalError, EvalErrorKind, Evaluated, Evaluation, FileAnswer, FileQuestion, Fragment,
    FragmentItem, FragmentKind, GivenKind, LibraryAnswer, LibraryFile, LibraryFiles, LibraryOutput, LibraryRequest,
    Origin,
};
use lofting_starlark::{Bounds, Session, evaluate};

/// Files of an input set; the first is evaluated.
pub struct Files(pub Vec<(String, String)>);

impl Files {
    pub fn new(files: &[(&str, &str)]) -> Self {
        Self(files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect())
    }

    pub fn text(&self, path: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == path).map(|(_, text)| text.as_str())
    }

    pub fn program(&self, path: &str) -> lofting_eval::TemplateProgram {
        let text = self.text(path).unwrap_or("");
        lofting_template::compile(FileId(0), path, &lofting_syntax::parse(text), Options::default()).program
    }

    pub fn evaluate(&self) -> (Evaluated, Option<Session>) {
        self.evaluate_with(None)
    }

    pub fn evaluate_with(&self, data_values: Option<Data>) -> (Evaluated, Option<Session>) {
        let program = self.program(&self.0[0].0);
        let evaluation = Evaluation { program, data_values, ..Evaluation::default() };
        evaluate(&evaluation, self, Bounds::default())
    }
}

impl Files {
    fn load(&self, path: &str) -> LibraryFile {
        let Some(text) = self.text(path) else { return LibraryFile::Missing };
        if path.ends_with(".star") {
            LibraryFile::Starlark(text.to_owned())
        } else if path.ends_with(".lib.yml") {
            LibraryFile::Template(Box::new(self.program(path)))
        } else if path.ends_with(".lib.txt") {
            LibraryFile::Text(text.to_owned())
        } else {
            LibraryFile::NotALibrary
        }
    }

    fn below(&self, path: &str) -> Vec<String> {
        let is_below =
            |file: &&String| file.strip_prefix(path).is_some_and(|rest| path.is_empty() || rest.starts_with('/'));
        self.0.iter().map(|(path, _)| path).filter(is_below).cloned().collect()
    }

    fn directory_of(&self, from: &str, name: &str) -> Option<String> {
        let directory = format!("{from}_ytt_lib/{name}/");
        self.0.iter().any(|(path, _)| path.starts_with(&directory)).then_some(directory)
    }
}

impl LibraryFiles for Files {
    fn look_up(&self, question: &FileQuestion) -> FileAnswer {
        match question {
            FileQuestion::Library(path) => FileAnswer::Library(self.load(path)),
            FileQuestion::Read(path) => FileAnswer::Read(self.text(path).map(|text| text.as_bytes().to_owned())),
            FileQuestion::List(path) => FileAnswer::List(Some(self.below(path))),
            FileQuestion::Find { from, name } => FileAnswer::Find(self.directory_of(from, name)),
        }
    }

    /// A library whose values are those passed to it, and which calls the first function in its schema.
    fn run(&self, request: &LibraryRequest, caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        if request.name == "broken" {
            return Err(EvalError::new(EvalErrorKind::Library(7), "it is broken"));
        }
        let mut fields = Vec::new();
        for given in &request.given {
            let value = match given.kind {
                GivenKind::Schema => {
                    let call = Call { handle: 0, attribute: None, arguments: vec![Data::int(20)] };
                    caller(&[call]).remove(0)?
                }
                _ => given.value.clone(),
            };
            fields.push((format!("{:?}", given.kind), value));
        }
        fields.push(("alias".to_owned(), Data::String(request.alias.clone().unwrap_or_default().into())));
        let values = Data::Struct(fields);
        Ok(match request.wanted {
            LibraryOutput::Values => LibraryAnswer::Values(values),
            LibraryOutput::Documents => {
                let origin = Origin { path: format!("{}config.yml", request.directory).into(), node: 0 };
                let item = FragmentItem { origin: Some(origin), key: None, value: values, annotations: Vec::new() };
                LibraryAnswer::Documents(Fragment { kind: FragmentKind::DocumentSet, items: vec![item] })
            }
        })
    }
}

/// The result of the evaluation as indented text; errors with the bytes they point at.
pub fn show(files: &Files, evaluated: &Evaluated) -> String {
    match &evaluated.result {
        Ok(outcome) => {
            let mut out = String::new();
            fragment(&outcome.documents, 0, &mut out);
            for line in &evaluated.printed {
                out += &format!("printed: {line}\n");
            }
            out
        }
        Err(error) => show_error(files, error),
    }
}

pub fn show_error(files: &Files, error: &EvalError) -> String {
    let mut out = format!("{:?}: {}\n", error.kind, error.message);
    if let Some(hint) = &error.hint {
        out += &format!("hint: {hint}\n");
    }
    for frame in &error.frames {
        match &frame.place {
            Some(place) => {
                let text = files.text(&place.path).unwrap_or("");
                let line = text[..place.start as usize].matches('\n').count() + 1;
                let slice = &text[place.start as usize..place.end as usize];
                out += &format!("  in {} at {}:{line} `{slice}`\n", frame.function, place.path);
            }
            None => out += &format!("  in {}\n", frame.function),
        }
    }
    out
}

fn fragment(fragment: &Fragment, depth: usize, out: &mut String) {
    for item in &fragment.items {
        let pad = "  ".repeat(depth);
        for annotation in &item.annotations {
            let mut parts: Vec<String> = annotation.positional.iter().map(data).collect();
            parts.extend(annotation.keywords.iter().map(|(name, value)| format!("{name}={}", data(value))));
            *out += &format!("{pad}@{} {}\n", annotation.name, parts.join(", "));
        }
        let head = match (fragment.kind, &item.key) {
            (FragmentKind::Map, Some(key)) => format!("{}:", data(key)),
            (FragmentKind::Array, _) => "-".to_owned(),
            _ => "---".to_owned(),
        };
        match &item.value {
            Data::Fragment(inner) => {
                *out += &format!("{pad}{head}\n");
                self::fragment(inner, depth + 1, out);
            }
            value => *out += &format!("{pad}{head} {}\n", data(value)),
        }
    }
}

pub fn data(value: &Data) -> String {
    let all = |items: &[Data]| items.iter().map(data).collect::<Vec<_>>().join(", ");
    match value {
        Data::Shared(number) => format!("<shared {number}>"),
        Data::Portion(portion) => format!("<portion {}>", portion.number()),
        Data::None => "None".to_owned(),
        Data::Bool(value) => format!("{value}"),
        Data::Int(value) => format!("{value}"),
        Data::Float(value) => format!("{value:?}"),
        Data::String(text) => format!("{text:?}"),
        Data::List(items) => format!("[{}]", all(items)),
        Data::Tuple(items) => format!("({})", all(items)),
        Data::Set(items) => format!("set({})", all(items)),
        Data::Dict(entries) => {
            let entries: Vec<_> = entries.iter().map(|(k, v)| format!("{}: {}", data(k), data(v))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        Data::Struct(fields) => {
            let fields: Vec<_> = fields.iter().map(|(k, v)| format!("{k}={}", data(v))).collect();
            format!("struct({})", fields.join(", "))
        }
        Data::Fragment(inner) => {
            let mut out = String::new();
            fragment(inner, 0, &mut out);
            format!("<{}>", out.trim_end().replace('\n', "; "))
        }
        Data::Function(function) => match function.parameters {
            Some(count) => format!("{}/{count}", function.name),
            None => function.name.clone(),
        },
        Data::Object(object) => format!("<{}{}>", object.type_name, if object.has_check { " with check" } else { "" }),
    }
}
