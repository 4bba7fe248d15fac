//! Converts values between the evaluator and its callers.

use std::sync::Arc;

use lofting_eval::{
    AnnotationData, Data, EvalError, EvalErrorKind, Fragment, FragmentItem, FragmentKind, Function, Object as Opaque,
    Origin,
};
use lofting_interpreter::{SmolStr, Value, bytes, format, integers};

use crate::context::BuiltItem;
use crate::host::Sources;
use crate::kept_portions::KeptPortions;
use crate::object::{AnnotationMeta, ForeignFunction, ItemMeta, ObjectKind, Ours, object};
use crate::plain;

/// How deeply values may nest when they leave the evaluator.
const MAX_DEPTH: usize = lofting_eval::MAX_NESTING;
/// How many values may leave the evaluator at once.
const MAX_VALUES: usize = 4_000_000;
/// How many bytes are kept of the printed form of values that have no other form.
pub(crate) const MAX_TEXT: usize = 300;

/// The file number of items that were passed as arguments of a call (see [`Origin`]).
const ARGUMENTS: u32 = u32::MAX;

/// Converts a value from a caller.
pub(crate) fn to_value(data: &Data) -> Value {
    argument(data, Known::default())
}

/// The values that arguments of calls may refer to.
#[derive(Clone, Copy, Default)]
pub(crate) struct Known<'a> {
    /// Functions and objects of the evaluation, by handle.
    pub(crate) handles: &'a [Value],
    /// Functions and objects that earlier calls made, by handle.
    pub(crate) made: &'a [(u32, Value)],
    /// Values that calls share.
    pub(crate) shared: &'a [Value],
    /// The portions that values may have items of.
    pub(crate) portions: Option<&'a KeptPortions>,
}

impl Known<'_> {
    /// The function or object with this handle.
    pub(crate) fn callable(&self, handle: u32) -> Option<Value> {
        let made = || self.made.iter().find(|(known, _)| *known == handle).map(|(_, value)| value);
        self.handles.get(handle as usize).or_else(made).cloned()
    }
}

/// An argument of a call.
pub(crate) fn argument(data: &Data, known: Known<'_>) -> Value {
    // The nesting of values from callers was limited when they were parsed.
    let one = |data: &Data| argument(data, known);
    let all = |items: &[Data]| items.iter().map(one).collect::<Vec<_>>();
    match data {
        Data::None => Value::None,
        Data::Function(function) => match function.evaluation {
            Some(evaluation) => foreign(ForeignFunction {
                evaluation,
                handle: function.handle,
                name: function.name.clone(),
                is_function: true,
                parameters: function.parameters,
            }),
            None => known.callable(function.handle).unwrap_or_default(),
        },
        // It stands for several items, of which the fragment around it consists.
        Data::Portion(_) => Value::None,
        Data::Shared(number) => known.shared.get(*number as usize).cloned().unwrap_or_default(),
        Data::Object(object) => match object.evaluation {
            Some(evaluation) => foreign(ForeignFunction {
                evaluation,
                handle: object.handle,
                name: object.text.clone(),
                is_function: object.type_name.contains("function"),
                parameters: None,
            }),
            None => known.callable(object.handle).unwrap_or_default(),
        },
        Data::Bool(truth) => Value::Bool(*truth),
        Data::Int(number) => integer(number.get()),
        Data::Float(number) => Value::Float(*number),
        Data::String(text) => Value::String(text.clone()),
        Data::List(items) | Data::Set(items) => Value::list(all(items)),
        Data::Tuple(items) => Value::tuple(all(items)),
        Data::Dict(entries) => plain::dict(entries.iter().map(|(key, value)| (one(key), one(value)))),
        Data::Struct(fields) => {
            let names: Vec<SmolStr> = fields.iter().map(|(name, _)| SmolStr::new(name)).collect();
            let values = fields.iter().map(|(_, value)| one(value)).collect();
            object(ObjectKind::Struct(names.into()), values)
        }
        Data::Fragment(given) => fragment(given, known, None),
    }
}

fn foreign(function: ForeignFunction) -> Value {
    object(ObjectKind::Foreign(Arc::new(function)), Vec::new())
}

/// Documents that a library made; their items keep their origin.
pub(crate) fn library_documents(documents: &Fragment, sources: &Sources) -> Value {
    fragment(documents, Known::default(), Some(sources))
}

/// The items of a fragment keep their annotations. Their origin is a number that the caller gave, or a node of one of
/// these sources.
fn fragment(given: &Fragment, known: Known<'_>, sources: Option<&Sources>) -> Value {
    let one = |data: &Data| argument(data, known);
    let item = |item: &FragmentItem| {
        let origin = item.origin.as_ref().and_then(|origin| match sources {
            _ if origin.path.is_empty() => Some((ARGUMENTS, origin.node)),
            Some(sources) => Some((sources.number(&origin.path), origin.node)),
            None => None,
        });
        let annotations = item.annotations.iter().map(|annotation| AnnotationMeta {
            index: annotation.annotation,
            name: annotation.name.clone(),
            positional: annotation.positional.len(),
            keywords: annotation.keywords.iter().map(|(name, _)| name.clone()).collect(),
        });
        let meta = ItemMeta { origin, annotations: annotations.collect(), ..ItemMeta::default() };
        let arguments = item.annotations.iter().flat_map(|annotation| {
            annotation.positional.iter().chain(annotation.keywords.iter().map(|(_, value)| value)).map(one)
        });
        let key = item.key.as_ref().map_or(Value::None, one);
        let value = match &item.value {
            // The nesting of values from callers was limited when they were parsed.
            Data::Fragment(inner) => fragment(inner, known, sources),
            other => one(other),
        };
        BuiltItem { meta, key, value, arguments: arguments.collect() }
    };
    let mut items = Vec::with_capacity(given.items.len());
    for given in &given.items {
        match &given.value {
            Data::Portion(portion) => {
                items.extend(known.portions.into_iter().flat_map(|portions| portions.items(portion)));
            }
            _ => items.push(item(given)),
        }
    }
    crate::context::fragment(given.kind, items.into_iter())
}

/// An integer of at most 64 bits; others are floats.
fn integer(value: i128) -> Value {
    let fits = i64::try_from(value).is_ok() || u64::try_from(value).is_ok();
    if fits { integers::from_i128(value) } else { Value::Float(value as f64) }
}

/// Converts values for callers, and collects those that must stay callable.
pub(crate) struct Export<'a> {
    sources: &'a Sources,
    /// Values that got a handle, in the order of the handles; None if no handles are given.
    pub(crate) handles: Option<Vec<Value>>,
    /// The first handle.
    first: u32,
    left: usize,
    /// The source of the last item and its path: most items come from one file.
    last: Option<(u32, Arc<str>)>,
}

impl<'a> Export<'a> {
    /// `first` is the first handle to give; None to give none.
    pub(crate) fn new(sources: &'a Sources, first: Option<u32>) -> Self {
        let handles = first.is_some().then(Vec::new);
        Self { sources, handles, first: first.unwrap_or_default(), left: MAX_VALUES, last: None }
    }

    /// Converts a value.
    pub(crate) fn data(&mut self, value: &Value) -> Result<Data, EvalError> {
        self.nested(value, 0)
    }

    fn all<'v>(&mut self, values: impl IntoIterator<Item = &'v Value>, depth: usize) -> Result<Vec<Data>, EvalError> {
        values.into_iter().map(|value| self.nested(value, depth + 1)).collect()
    }

    fn nested(&mut self, value: &Value, depth: usize) -> Result<Data, EvalError> {
        self.left = self.left.checked_sub(1).ok_or_else(|| too("large"))?;
        if depth > MAX_DEPTH {
            return Err(too("deeply nested"));
        }
        Ok(match value {
            Value::None => Data::None,
            Value::Bool(truth) => Data::Bool(*truth),
            Value::Int(number) => Data::int(i128::from(*number)),
            Value::Float(number) => Data::Float(*number),
            Value::String(text) => {
                if !bytes::has_parts(text) {
                    return Ok(Data::String(text.clone()));
                }
                Data::String(bytes::joined(text.to_string()).into())
            }
            Value::Big(_) => match integers::to_i128(value).filter(|number| u64::try_from(*number).is_ok()) {
                Some(number) => Data::int(number),
                None => {
                    let message = "an integer of more than 64 bits cannot be a value";
                    return Err(EvalError::new(EvalErrorKind::Runtime, message));
                }
            },
            Value::List(list) => Data::List(self.all(&list.to_vec(), depth)?),
            Value::Tuple(items) => Data::Tuple(self.all(items.iter(), depth)?),
            Value::Set(set) => Data::Set(self.all(&set.to_vec(), depth)?),
            Value::Dict(dict) => {
                let entry =
                    |(key, value): &(Value, Value)| Ok((self.nested(key, depth + 1)?, self.nested(value, depth + 1)?));
                Data::Dict(dict.entries().iter().map(entry).collect::<Result<_, EvalError>>()?)
            }
            Value::Function(function) => {
                self.function(value, function.name(), Some(function.parameters() as u32), Vec::new())
            }
            Value::Builtin(function) => self.function(value, function.name, None, Vec::new()),
            Value::Method(method) => self.function(value, method.function.name, None, Vec::new()),
            Value::Range(_) | Value::Elements(_) => self.opaque(value),
            Value::Object(_) => match Ours::of(value) {
                Some(ours) => self.object(value, ours, depth)?,
                None => self.opaque(value),
            },
        })
    }

    fn function(&mut self, value: &Value, name: &str, parameters: Option<u32>, made_with: Vec<Data>) -> Data {
        let handle = self.handle(value);
        Data::Function(Box::new(Function { handle, evaluation: None, name: name.to_owned(), parameters, made_with }))
    }

    fn object(&mut self, value: &Value, ours: Ours<'_>, depth: usize) -> Result<Data, EvalError> {
        match ours.kind {
            ObjectKind::Struct(names) => {
                let fields = names.iter().map(SmolStr::to_string).zip(ours.values);
                let fields: Result<Vec<_>, EvalError> =
                    fields.map(|(name, value)| Ok((name, self.nested(value, depth + 1)?))).collect();
                Ok(Data::Struct(fields?))
            }
            ObjectKind::Fragment(kind, _) => Ok(Data::Fragment(self.fragment(*kind, ours, depth)?)),
            ObjectKind::Closure(name) => {
                // Without them the function is called, which says what is wrong with a value.
                let made_with = self.all(ours.values, depth).unwrap_or_default();
                Ok(self.function(value, name, None, made_with))
            }
            ObjectKind::Builtin(name) | ObjectKind::Method(name) | ObjectKind::AtHome(name) => {
                Ok(self.function(value, name, None, Vec::new()))
            }
            ObjectKind::Rule(rule) => Ok(self.function(value, "check", rule.parameters(), Vec::new())),
            ObjectKind::Bound => Ok(self.function(value, "struct.bind", None, Vec::new())),
            ObjectKind::Foreign(function) => Ok(Data::Function(Box::new(Function {
                handle: function.handle,
                evaluation: Some(function.evaluation),
                name: function.name.clone(),
                parameters: function.parameters,
                made_with: Vec::new(),
            }))),
            _ => Ok(self.opaque(value)),
        }
    }

    fn fragment(&mut self, kind: FragmentKind, ours: Ours<'_>, depth: usize) -> Result<Fragment, EvalError> {
        let mut items = Vec::new();
        for (meta, key, value) in ours.items() {
            let key = if kind == FragmentKind::Map { Some(self.nested(key, depth + 1)?) } else { None };
            let value = self.nested(value, depth + 1)?;
            let mut at = meta.at + 2;
            let mut annotations = Vec::new();
            for annotation in &meta.annotations {
                let arguments = self.all((at..at + annotation.count()).map(|index| ours.value(index)), depth)?;
                at += annotation.count();
                let mut arguments = arguments.into_iter();
                let positional = arguments.by_ref().take(annotation.positional).collect();
                let keywords = annotation.keywords.iter().cloned().zip(arguments).collect();
                annotations.push(AnnotationData {
                    annotation: annotation.index,
                    name: annotation.name.clone(),
                    positional,
                    keywords,
                });
            }
            let origin = meta.origin.and_then(|(file, node)| match file {
                ARGUMENTS => Some(Origin::of_argument(node)),
                _ => self.path(file).map(|path| Origin { path, node }),
            });
            items.push(FragmentItem { origin, key, value, annotations });
        }
        Ok(Fragment { kind, items })
    }

    /// The path of a source.
    fn path(&mut self, file: u32) -> Option<Arc<str>> {
        if self.last.as_ref().is_none_or(|(last, _)| *last != file) {
            self.last = Some((file, self.sources.get(file)?.path));
        }
        self.last.as_ref().map(|(_, path)| path.clone())
    }

    fn handle(&mut self, value: &Value) -> u32 {
        match &mut self.handles {
            Some(handles) => {
                handles.push(value.clone());
                self.first.saturating_add((handles.len() - 1) as u32)
            }
            None => u32::MAX,
        }
    }

    fn opaque(&mut self, value: &Value) -> Data {
        let has_check = Ours::of(value).is_some_and(|ours| match ours.kind {
            ObjectKind::Assertion => true,
            // A module can serve as an object with a rule, too.
            ObjectKind::Bag(..) => {
                let check = value.as_object().and_then(|object| object.attribute("check"));
                check.is_some_and(|check| crate::modules::is_function(&check))
            }
            _ => false,
        });
        let handle = self.handle(value);
        Data::Object(Box::new(Opaque {
            handle,
            evaluation: None,
            type_name: value.type_name().to_owned(),
            text: cut(format::beginning(value, MAX_TEXT + 1)),
            has_check,
        }))
    }
}

fn too(what: &str) -> EvalError {
    EvalError::new(EvalErrorKind::Limit, format!("the result is too {what}"))
}

/// Cuts a text to a length that suits a hover.
pub(crate) fn cut(mut text: String) -> String {
    if text.len() > MAX_TEXT {
        let mut end = MAX_TEXT;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push('…');
    }
    text
}
