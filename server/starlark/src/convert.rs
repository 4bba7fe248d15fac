//! Converts values between the evaluator and its callers.

use std::sync::Arc;

use lofting_eval::{
    AnnotationData, Data, EvalError, EvalErrorKind, Fragment, FragmentItem, FragmentKind, Function, Object as Opaque,
    Origin,
};
use starlark::values::dict::{AllocDict, DictRef};
use starlark::values::float::StarlarkFloat;
use starlark::values::list::{AllocList, ListRef};
use starlark::values::tuple::{AllocTuple, TupleRef};
use starlark::values::{Heap, Value, ValueLike};

use crate::bytes;
use crate::context::BuiltItem;
use crate::format;
use crate::host::Sources;
use crate::object::{AnnotationMeta, ForeignFunction, ItemMeta, Object, ObjectKind};

/// How deeply values may nest when they leave the evaluator.
const MAX_DEPTH: usize = lofting_eval::MAX_NESTING;
/// How many values may leave the evaluator at once.
const MAX_VALUES: usize = 2_000_000;
/// How many bytes are kept of the printed form of values that have no other form.
const MAX_TEXT: usize = 300;

/// The file number of items that were passed as arguments of a call (see [`Origin`]).
const ARGUMENTS: u32 = u32::MAX;

/// Converts a value from a caller.
pub(crate) fn to_value<'v>(data: &Data, heap: Heap<'v>) -> Value<'v> {
    argument(data, Known::default(), heap)
}

/// The values that arguments of calls may refer to.
#[derive(Clone, Copy, Default)]
pub(crate) struct Known<'v, 'a> {
    /// Functions and objects of the evaluation, by handle.
    pub(crate) handles: &'a [Value<'v>],
    /// Functions and objects that earlier calls made, by handle.
    pub(crate) made: &'a [(u32, Value<'v>)],
    /// Values that calls share.
    pub(crate) shared: &'a [Value<'v>],
}

impl<'v> Known<'v, '_> {
    /// The function or object with this handle.
    pub(crate) fn callable(&self, handle: u32) -> Option<Value<'v>> {
        let made = || self.made.iter().find(|(known, _)| *known == handle).map(|(_, value)| *value);
        self.handles.get(handle as usize).copied().or_else(made)
    }
}

/// An argument of a call.
pub(crate) fn argument<'v>(data: &Data, known: Known<'v, '_>, heap: Heap<'v>) -> Value<'v> {
    // The nesting of values from callers was limited when they were parsed.
    let one = |data: &Data| argument(data, known, heap);
    let all = |items: &[Data]| items.iter().map(one).collect::<Vec<_>>();
    let at = |values: &[Value<'v>], index: u32| values.get(index as usize).copied().unwrap_or_else(Value::new_none);
    match data {
        Data::None => Value::new_none(),
        Data::Function(function) => match function.evaluation {
            Some(evaluation) => foreign(
                ForeignFunction {
                    evaluation,
                    handle: function.handle,
                    name: function.name.clone(),
                    is_function: true,
                    parameters: function.parameters,
                },
                heap,
            ),
            None => known.callable(function.handle).unwrap_or_else(Value::new_none),
        },
        Data::Shared(number) => at(known.shared, *number),
        Data::Object(object) => match object.evaluation {
            Some(evaluation) => foreign(
                ForeignFunction {
                    evaluation,
                    handle: object.handle,
                    name: object.text.clone(),
                    is_function: object.type_name.contains("function"),
                    parameters: None,
                },
                heap,
            ),
            None => known.callable(object.handle).unwrap_or_else(Value::new_none),
        },
        Data::Bool(value) => Value::new_bool(*value),
        Data::Int(value) => integer(*value, heap),
        Data::Float(value) => heap.alloc(*value),
        Data::String(text) => heap.alloc_str(text).to_value(),
        Data::List(items) | Data::Set(items) => heap.alloc(AllocList(all(items))),
        Data::Tuple(items) => heap.alloc(AllocTuple(all(items))),
        Data::Dict(entries) => {
            let entries: Vec<_> = entries.iter().map(|(key, value)| (one(key), one(value))).collect();
            heap.alloc(AllocDict(entries))
        }
        Data::Struct(fields) => {
            let names: Vec<String> = fields.iter().map(|(name, _)| name.clone()).collect();
            let values = fields.iter().map(|(_, value)| one(value)).collect();
            heap.alloc(Object::new(ObjectKind::Struct(names.into()), values))
        }
        Data::Fragment(given) => fragment(given, known, None, heap),
    }
}

fn foreign<'v>(function: ForeignFunction, heap: Heap<'v>) -> Value<'v> {
    heap.alloc(Object::new(ObjectKind::Foreign(Arc::new(function)), Vec::new()))
}

/// Documents that a library made; their items keep their origin.
pub(crate) fn library_documents<'v>(documents: &Fragment, sources: &Sources, heap: Heap<'v>) -> Value<'v> {
    fragment(documents, Known::default(), Some(sources), heap)
}

/// The items of a fragment keep their annotations. Their origin is a number that the caller gave, or a node of one of
/// these sources.
fn fragment<'v>(given: &Fragment, known: Known<'v, '_>, sources: Option<&Sources>, heap: Heap<'v>) -> Value<'v> {
    let one = |data: &Data| argument(data, known, heap);
    let items = given.items.iter().map(|item| {
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
        let key = item.key.as_ref().map_or_else(Value::new_none, one);
        let value = match &item.value {
            // The nesting of values from callers was limited when they were parsed.
            Data::Fragment(inner) => fragment(inner, known, sources, heap),
            other => one(other),
        };
        BuiltItem { meta, key, value, arguments: arguments.collect() }
    });
    crate::context::fragment(given.kind, items, heap)
}

/// An integer of any size.
pub(crate) fn integer<'v>(value: i128, heap: Heap<'v>) -> Value<'v> {
    match (i64::try_from(value), u64::try_from(value)) {
        (Ok(value), _) => heap.alloc(value),
        (_, Ok(value)) => heap.alloc(value),
        _ => heap.alloc(value as f64),
    }
}

/// Converts values for callers, and collects those that must stay callable.
pub(crate) struct Export<'v, 'a> {
    sources: &'a Sources,
    heap: Heap<'v>,
    /// Values that got a handle, in the order of the handles; None if no handles are given.
    pub(crate) handles: Option<Vec<Value<'v>>>,
    /// The first handle.
    first: u32,
    left: usize,
}

impl<'v, 'a> Export<'v, 'a> {
    /// `first` is the first handle to give; None to give none.
    pub(crate) fn new(sources: &'a Sources, heap: Heap<'v>, first: Option<u32>) -> Self {
        let handles = first.is_some().then(Vec::new);
        Self { sources, heap, handles, first: first.unwrap_or_default(), left: MAX_VALUES }
    }

    /// Converts a value.
    pub(crate) fn data(&mut self, value: Value<'v>) -> Result<Data, EvalError> {
        self.nested(value, 0)
    }

    fn all(&mut self, values: impl Iterator<Item = Value<'v>>, depth: usize) -> Result<Vec<Data>, EvalError> {
        values.map(|value| self.nested(value, depth + 1)).collect()
    }

    fn nested(&mut self, value: Value<'v>, depth: usize) -> Result<Data, EvalError> {
        self.left = self.left.checked_sub(1).ok_or_else(|| too("large"))?;
        if depth > MAX_DEPTH {
            return Err(too("deeply nested"));
        }
        if value.is_none() {
            return Ok(Data::None);
        }
        if let Some(value) = value.unpack_bool() {
            return Ok(Data::Bool(value));
        }
        if let Some(text) = value.unpack_str() {
            let text = bytes::joined(text.to_owned());
            if bytes::has_parts(&text) {
                let message = "text that ends inside a character cannot be a value here";
                return Err(EvalError::new(EvalErrorKind::Unsupported, message));
            }
            return Ok(Data::String(text));
        }
        if value.get_type() == "int" {
            let in_range = |number: &i128| i64::try_from(*number).is_ok() || u64::try_from(*number).is_ok();
            return match format::integer(value).filter(in_range) {
                Some(number) => Ok(Data::Int(number)),
                None => {
                    Err(EvalError::new(EvalErrorKind::Runtime, "an integer of more than 64 bits cannot be a value"))
                }
            };
        }
        if let Some(float) = value.downcast_ref::<StarlarkFloat>() {
            return Ok(Data::Float(float.0));
        }
        if let Some(list) = ListRef::from_value(value) {
            return Ok(Data::List(self.all(list.iter(), depth)?));
        }
        if let Some(tuple) = TupleRef::from_value(value) {
            return Ok(Data::Tuple(self.all(tuple.iter(), depth)?));
        }
        if let Some(dict) = DictRef::from_value(value) {
            let entries: Vec<_> = dict.iter().collect();
            return Ok(Data::Dict(self.entries(entries.into_iter(), depth)?));
        }
        if value.get_type() == "set" {
            let items = value.iterate(self.heap);
            let items = items.map_err(|error| EvalError::new(EvalErrorKind::Runtime, error.to_string()))?;
            return Ok(Data::Set(self.all(items, depth)?));
        }
        if let Some(object) = Object::from_value(value) {
            return self.object(value, object, depth);
        }
        if value.get_type() == "function" {
            let parameters = value.parameters_spec().map(crate::modules::parameter_count);
            let name = value.function_name().unwrap_or("lambda").to_owned();
            return Ok(Data::Function(Function {
                handle: self.handle(value),
                evaluation: None,
                name,
                parameters,
                made_with: Vec::new(),
            }));
        }
        if value.get_type() == "native_function" || value.get_type() == "native_method" {
            let name = value.function_name().unwrap_or("built-in").to_owned();
            return Ok(Data::Function(Function {
                handle: self.handle(value),
                evaluation: None,
                name,
                parameters: None,
                made_with: Vec::new(),
            }));
        }
        Ok(self.opaque(value))
    }

    fn entries(
        &mut self,
        entries: impl Iterator<Item = (Value<'v>, Value<'v>)>,
        depth: usize,
    ) -> Result<Vec<(Data, Data)>, EvalError> {
        entries.map(|(key, value)| Ok((self.nested(key, depth + 1)?, self.nested(value, depth + 1)?))).collect()
    }

    fn object(&mut self, value: Value<'v>, object: &Object<'v>, depth: usize) -> Result<Data, EvalError> {
        match object.kind() {
            ObjectKind::Struct(names) => {
                let fields = names.iter().cloned().zip(object.values());
                let fields: Result<Vec<_>, EvalError> =
                    fields.map(|(name, value)| Ok((name, self.nested(value, depth + 1)?))).collect();
                Ok(Data::Struct(fields?))
            }
            ObjectKind::Fragment(kind, _) => Ok(Data::Fragment(self.fragment(*kind, object, depth)?)),
            ObjectKind::Closure(name) => {
                // Without them the function is called, which says what is wrong with a value.
                let made_with = self.all(object.values(), depth).unwrap_or_default();
                Ok(Data::Function(Function {
                    handle: self.handle(value),
                    evaluation: None,
                    name: (*name).to_owned(),
                    parameters: None,
                    made_with,
                }))
            }
            ObjectKind::Builtin(name) | ObjectKind::Method(name) | ObjectKind::AtHome(name) => {
                // The rule of an assertion object is implemented in Starlark.
                let parameters = (*name == "check").then_some(1);
                Ok(Data::Function(Function {
                    handle: self.handle(value),
                    evaluation: None,
                    name: (*name).to_owned(),
                    parameters,
                    made_with: Vec::new(),
                }))
            }
            ObjectKind::Bound => {
                let name = "struct.bind".to_owned();
                Ok(Data::Function(Function {
                    handle: self.handle(value),
                    evaluation: None,
                    name,
                    parameters: None,
                    made_with: Vec::new(),
                }))
            }
            ObjectKind::Foreign(function) => Ok(Data::Function(Function {
                handle: function.handle,
                evaluation: Some(function.evaluation),
                name: function.name.clone(),
                parameters: function.parameters,
                made_with: Vec::new(),
            })),
            _ => Ok(self.opaque(value)),
        }
    }

    fn fragment(&mut self, kind: FragmentKind, object: &Object<'v>, depth: usize) -> Result<Fragment, EvalError> {
        let mut items = Vec::new();
        for (meta, key, value) in object.items() {
            let key = if kind == FragmentKind::Map { Some(self.nested(key, depth + 1)?) } else { None };
            let value = self.nested(value, depth + 1)?;
            let mut at = meta.at + 2;
            let mut annotations = Vec::new();
            for annotation in &meta.annotations {
                let arguments = self.all((at..at + annotation.count()).map(|index| object.value(index)), depth)?;
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
                ARGUMENTS => Some(Origin { path: String::new(), node }),
                _ => self.sources.get(file).map(|source| Origin { path: source.path.to_string(), node }),
            });
            items.push(FragmentItem { origin, key, value, annotations });
        }
        Ok(Fragment { kind, items })
    }

    fn handle(&mut self, value: Value<'v>) -> u32 {
        match &mut self.handles {
            Some(handles) => {
                handles.push(value);
                self.first.saturating_add((handles.len() - 1) as u32)
            }
            None => u32::MAX,
        }
    }

    fn opaque(&mut self, value: Value<'v>) -> Data {
        let has_check = Object::from_value(value).is_some_and(|object| match object.kind() {
            ObjectKind::Assertion(_) => true,
            // A module can serve as an object with a rule, too.
            ObjectKind::Bag(..) => {
                value.get_attr("check", self.heap).is_ok_and(|check| check.is_some_and(crate::modules::is_function))
            }
            _ => false,
        });
        let handle = self.handle(value);
        Data::Object(Opaque {
            handle,
            evaluation: None,
            type_name: format::type_name(value).to_owned(),
            text: cut(format::shown(value)),
            has_check,
        })
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
