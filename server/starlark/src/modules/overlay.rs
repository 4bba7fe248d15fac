//! `@ytt:overlay`. The merge is that of `lofting_overlay`; this module calls its functions and converts its values.

use std::cell::RefCell;

use lofting_document::{Document, FileId, Key, Node, NodeValue, Note, Notes, Span};
use lofting_eval::{Argument as Written, Arguments, EvalErrorKind, Expr, ExprKind, FragmentKind, Keyword};
use lofting_overlay::{
    Argument, Called, Function, Functions, Mode, Overlay, Problem, ProblemKind, Returned, contains, same_leaf,
};
use starlark::eval::Evaluator;
use starlark::values::{Heap, Value};

use super::Args;
use super::assertion::is_function;
use crate::context::plain_fragment;
use crate::failure::{Result, error, fail, limit, unsupported};
use crate::host::Host;
use crate::object::{AnnotationMeta, ItemMeta, Object, ObjectKind};
use crate::{format, messages, plain};

/// The file id of spans that refer to entries of a [`Table`].
const TABLE: FileId = FileId(u32::MAX);

pub(super) fn invoke<'v>(args: Args<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
    let heap = eval.heap();
    let method = |name, values| Ok(heap.alloc(Object::new(ObjectKind::Closure(name), values)));
    match args.name {
        "overlay.apply" => apply(&args, eval),
        "overlay.all" => {
            three(&args.positional)?;
            Ok(Value::new_bool(true))
        }
        "overlay.index" => {
            args.exactly(1)?;
            if format::integer(args.first()).is_none() {
                return fail("overlay.index: expected starlark.Int");
            }
            method("overlay.match.index", args.positional)
        }
        "overlay.map_key" => {
            args.exactly(1)?;
            args.text(0)?;
            method("overlay.match.map_key", args.positional)
        }
        "overlay.subset" => {
            args.exactly(1)?;
            method("overlay.match.subset", args.positional)
        }
        "overlay.and_op" | "overlay.or_op" if args.positional.is_empty() => {
            fail(format!("{}: expected at least one argument", args.name))
        }
        "overlay.and_op" => method("overlay.match.and_op", args.positional),
        "overlay.or_op" => method("overlay.match.or_op", args.positional),
        "overlay.not_op" => {
            args.exactly(1)?;
            method("overlay.match.not_op", args.positional)
        }
        _ => fail(format!("unknown function {}", args.name)),
    }
}

/// Runs a ready-made matcher on (key or index, left, right).
pub(crate) fn matcher<'v>(
    name: &str,
    own: &[Value<'v>],
    call: &[Value<'v>],
    eval: &mut Evaluator<'v, '_, '_>,
) -> Result<Value<'v>> {
    let heap = eval.heap();
    let at = |index: usize| call.get(index).copied().unwrap_or_else(Value::new_none);
    let first = own.first().copied().unwrap_or_else(Value::new_none);
    three(call)?;
    let mut verdict = |function: Value<'v>| {
        let verdict = eval.eval_function(function, call, &[])?;
        let refused = || error(format!("expected starlark.Bool, but was {}", format::type_name(verdict)));
        verdict.unpack_bool().ok_or_else(refused)
    };
    let mut each = |wanted: bool| -> Result<Value<'v>> {
        for function in own {
            if verdict(*function)? == wanted {
                return Ok(Value::new_bool(wanted));
            }
        }
        Ok(Value::new_bool(!wanted))
    };
    match name {
        "overlay.match.index" if format::integer(at(0)).is_none() => {
            fail("overlay.index_matcher: expected starlark.Int")
        }
        "overlay.match.index" => Ok(Value::new_bool(first.equals(at(0))?)),
        "overlay.match.map_key" => {
            let Some(key) = first.unpack_str() else {
                return fail(format!("Expected map key to be a string, but was {}", format::type_name(first)));
            };
            let (left, right) = (plain::node(at(1), heap)?, plain::node(at(2), heap)?);
            let key: Key = key.into();
            match (left.get(&key), right.get(&key)) {
                (Some(left), Some(right)) => Ok(Value::new_bool(same_leaf(left, right))),
                _ => fail(format!("Expected to find map item with key '{key}', but did not")),
            }
        }
        "overlay.match.subset" => Ok(Value::new_bool(contains(&plain::node(at(1), heap)?, &plain::node(first, heap)?))),
        "overlay.match.and_op" => each(false),
        "overlay.match.or_op" => each(true),
        "overlay.match.not_op" => each(true).map(|held| Value::new_bool(held.unpack_bool() == Some(false))),
        _ => fail(format!("unknown function {name}")),
    }
}

/// Matchers take a key or index and the values of both sides.
fn three(call: &[Value<'_>]) -> Result<()> {
    if call.len() == 3 { Ok(()) } else { fail("expected exactly 3 arguments") }
}

fn apply<'v>(args: &Args<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
    let heap = eval.heap();
    if args.positional.is_empty() {
        return fail("overlay.apply: expected exactly at least argument");
    }
    let mut table = Table { heap, items: Vec::new(), annotations: Vec::new(), functions: Vec::new() };
    let mut sides = Vec::new();
    for value in &args.positional {
        sides.push(table.side(*value)?);
    }
    if let [only] = args.positional.as_slice() {
        // Nothing is merged, so nothing is converted either.
        return Ok(*only);
    }
    let mut sides = sides.into_iter();
    let Some(Side { mut documents, kind }) = sides.next() else { return Ok(Value::new_none()) };
    let is_set = kind == SideKind::DocumentSet;
    let functions = Caller { functions: &table.functions, eval: RefCell::new(eval) };
    let mut overlay = Overlay::new(&functions);
    for right in sides {
        match (right.kind, kind) {
            // Merging scalars gives the left side, and so does merging a fragment without nodes.
            (SideKind::Scalar, _) => continue,
            (SideKind::Collection(wanted), SideKind::DocumentSet | SideKind::Scalar) => {
                return fail(format!("overlay.apply: Expected {wanted}, but was {}", kind.name()));
            }
            (SideKind::DocumentSet, SideKind::Scalar | SideKind::Collection(_)) => {
                return fail(format!("overlay.apply: Expected docset, but was {}", kind.name()));
            }
            (SideKind::DocumentSet, SideKind::DocumentSet) => {
                if right.documents.iter().any(|document| !document.notes.has("overlay/match") && !appends(document)) {
                    return fail(
                        "overlay.apply: Document: Expected 'overlay/match' annotation to have at least one keyword \
                         argument (by=..., expects=...)",
                    );
                }
                overlay.apply_to_all(&mut documents, &right.documents);
            }
            (SideKind::Collection(_), SideKind::Collection(_)) => {
                for (left, right) in documents.iter_mut().zip(&right.documents) {
                    overlay.apply(left, right, Mode::Annotated);
                }
            }
        }
        // Values that code returned are converted into nodes before the next side is merged (docs/ytt.md 14.2).
        documents.iter_mut().for_each(|document| document.value.make_nodes());
    }
    let problems = overlay.into_problems();
    // A stopped evaluation must not be caught, and other problems may follow from it.
    let stopped = problems.iter().find_map(|problem| match &problem.kind {
        ProblemKind::NotEvaluated { message } => Some(message),
        _ => None,
    });
    if let Some(message) = stopped {
        return limit(message);
    }
    if let Some(problem) = problems.first() {
        return fail(format!("overlay.apply: {}", words(problem)));
    }
    if documents.iter().any(|document| !document.value.is_known()) {
        return unsupported("this merge cannot be evaluated here");
    }
    let items = documents.iter().map(|document| (None, &document.value, &document.notes, document.span));
    Ok(match documents.first() {
        Some(only) if !is_set => table.value(&only.value, heap),
        _ => table.collection(FragmentKind::DocumentSet, items.collect(), heap),
    })
}

/// An argument of `overlay.apply`.
struct Side {
    /// A single document if the argument is not a document itself.
    documents: Vec<Document>,
    kind: SideKind,
}

/// The form of an argument of `overlay.apply`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SideKind {
    DocumentSet,
    /// A map or an array, as messages call it.
    Collection(&'static str),
    Scalar,
}

impl SideKind {
    fn name(self) -> &'static str {
        match self {
            SideKind::DocumentSet => "docset",
            SideKind::Collection(name) => name,
            SideKind::Scalar => "scalar",
        }
    }
}

/// Whether a document is added without a matcher.
fn appends(document: &Document) -> bool {
    document.notes.has("overlay/append")
}

/// Key, value, annotations and place of an item.
type ItemParts<'n> = (Option<&'n Key>, &'n Node, &'n Notes, Span);

/// Starlark values that nodes refer to by a span.
struct Table<'v> {
    heap: Heap<'v>,
    items: Vec<ItemMeta>,
    annotations: Vec<(AnnotationMeta, Vec<Value<'v>>)>,
    functions: Vec<Value<'v>>,
}

fn entry(index: usize) -> Span {
    Span::new(TABLE, index..index + 1)
}

fn index_of(span: Span) -> Option<usize> {
    (span.file == TABLE).then_some(span.start as usize)
}

impl<'v> Table<'v> {
    fn side(&mut self, value: Value<'v>) -> Result<Side> {
        let document = |value, notes, span| Document { span, marker: None, notes, value, conditional: false };
        let set = Object::from_value(value)
            .filter(|object| matches!(object.kind(), ObjectKind::Fragment(FragmentKind::DocumentSet, _)));
        let Some(set) = set else {
            let value = self.node(value, 0)?;
            let kind = match value.value {
                NodeValue::Map(_) => SideKind::Collection("map"),
                NodeValue::Array(_) => SideKind::Collection("array"),
                _ => SideKind::Scalar,
            };
            return Ok(Side { documents: vec![document(value, Notes::default(), entry(0))], kind });
        };
        let mut documents = Vec::new();
        for (meta, _, value) in set.items() {
            let notes = self.notes(meta, set);
            let span = entry(self.items.len());
            self.items.push(meta.clone());
            documents.push(document(self.node(value, 0)?, notes, span));
        }
        Ok(Side { documents, kind: SideKind::DocumentSet })
    }

    /// Fragments keep their annotations, also in dicts, structs and lists.
    fn node(&mut self, value: Value<'v>, depth: usize) -> Result<Node> {
        if depth > lofting_eval::MAX_NESTING {
            return limit("the value is too deeply nested");
        }
        if let Some(entries) = plain::mapping(value, self.heap) {
            let items: Result<Vec<_>> = entries
                .into_iter()
                .map(|(key, value)| Ok(plain::map_item(plain::key(key)?, self.node(value, depth + 1)?)))
                .collect();
            return Ok(plain::computed(NodeValue::Map(items?.into())));
        }
        if let Some(items) = plain::sequence(value, self.heap)? {
            let items: Result<Vec<_>> =
                items.into_iter().map(|item| Ok(plain::array_item(self.node(item, depth + 1)?))).collect();
            return Ok(plain::computed(NodeValue::Array(items?)));
        }
        let Some(object) = Object::from_value(value) else { return plain::node(value, self.heap) };
        let ObjectKind::Fragment(kind, _) = object.kind() else { return plain::node(value, self.heap) };
        let mut maps = Vec::new();
        let mut arrays = Vec::new();
        for (meta, key, value) in object.items() {
            let notes = self.notes(meta, object);
            let span = entry(self.items.len());
            self.items.push(meta.clone());
            let value = self.node(value, depth + 1)?;
            if *kind == FragmentKind::Map {
                let mut item = plain::map_item(plain::key(key)?, value);
                (item.notes, item.span, item.key_span) = (notes, span, span);
                maps.push(item);
            } else {
                let mut item = plain::array_item(value);
                (item.notes, item.span) = (notes, span);
                arrays.push(item);
            }
        }
        Ok(plain::computed(match kind {
            FragmentKind::Map => NodeValue::Map(maps.into()),
            FragmentKind::Empty => NodeValue::Null,
            _ => NodeValue::Array(arrays),
        }))
    }

    fn notes(&mut self, meta: &ItemMeta, object: &Object<'v>) -> Notes {
        let mut notes = Notes::default();
        let mut at = meta.at + 2;
        for annotation in &meta.annotations {
            let values: Vec<Value<'v>> = (at..at + annotation.count()).map(|index| object.value(index)).collect();
            at += annotation.count();
            let mut arguments = Arguments::default();
            for (index, value) in values.iter().enumerate() {
                let expr = self.expr(*value, 0);
                match index.checked_sub(annotation.positional).and_then(|index| annotation.keywords.get(index)) {
                    Some(name) => {
                        arguments.order.push(Written::Keyword(arguments.keywords.len()));
                        arguments.keywords.push(Keyword {
                            name: name.clone(),
                            name_range: expr.range.clone(),
                            value: expr,
                        });
                    }
                    None => {
                        arguments.order.push(Written::Positional(arguments.positional.len()));
                        arguments.positional.push(expr);
                    }
                }
            }
            let span = entry(self.annotations.len());
            let name = annotation.name.as_str().into();
            self.annotations.push((annotation.clone(), values));
            notes.annotations.push(Note { name, span, name_span: span, arguments });
        }
        notes
    }

    /// A value as the expression that would produce it; functions refer to the table.
    fn expr(&mut self, value: Value<'v>, depth: usize) -> Expr {
        let nowhere = 0..0;
        let kind = if value.is_none() {
            ExprKind::None
        } else if let Some(value) = value.unpack_bool() {
            ExprKind::Bool(value)
        } else if let Some(text) = value.unpack_str() {
            ExprKind::String(text.to_owned())
        } else if let Some(number) = format::integer(value) {
            ExprKind::Int(number)
        } else if is_function(value) {
            self.functions.push(value);
            let index = self.functions.len() - 1;
            return Expr { range: index..index + 1, kind: ExprKind::Lambda { params: Vec::new() } };
        } else if let Some(list) = starlark::values::list::ListRef::from_value(value).filter(|_| depth < 10) {
            ExprKind::List(list.iter().map(|item| self.expr(item, depth + 1)).collect())
        } else {
            ExprKind::Float(f64::NAN)
        };
        Expr { range: nowhere, kind }
    }

    /// The result of a merge, which has none of the annotations that directed it.
    fn value(&self, node: &Node, heap: Heap<'v>) -> Value<'v> {
        match &node.value {
            _ if node.raw => plain::value(node, heap),
            NodeValue::Map(items) => {
                let items = items.iter().map(|item| (Some(&item.key), &item.value, &item.notes, item.span));
                self.collection(FragmentKind::Map, items.collect(), heap)
            }
            NodeValue::Array(items) => {
                let items = items.iter().map(|item| (None, &item.value, &item.notes, item.span));
                self.collection(FragmentKind::Array, items.collect(), heap)
            }
            _ => plain::value(node, heap),
        }
    }

    fn collection(&self, kind: FragmentKind, items: Vec<ItemParts<'_>>, heap: Heap<'v>) -> Value<'v> {
        let mut metas = Vec::new();
        let mut values = Vec::new();
        for (key, value, notes, span) in items {
            let origin = index_of(span).and_then(|index| self.items.get(index)).and_then(|meta| meta.origin);
            let mut meta = ItemMeta { origin, annotations: Vec::new(), at: values.len() };
            values.push(key.map_or_else(Value::new_none, |key| plain::key_value(key, heap)));
            values.push(self.value(value, heap));
            for note in &notes.annotations {
                if let Some((annotation, arguments)) = index_of(note.span).and_then(|index| self.annotations.get(index))
                    && !annotation.name.starts_with("overlay/")
                {
                    meta.annotations.push(annotation.clone());
                    values.extend(arguments.iter().copied());
                }
            }
            metas.push(meta);
        }
        heap.alloc(Object::new(ObjectKind::Fragment(kind, metas.into()), values))
    }
}

struct Caller<'a, 'b, 'v, 'e, 'h> {
    functions: &'a [Value<'v>],
    eval: RefCell<&'b mut Evaluator<'v, 'e, 'h>>,
}

impl Functions for Caller<'_, '_, '_, '_, '_> {
    fn call(&self, function: &Function, calls: &[Vec<Argument<'_>>]) -> Vec<Called> {
        let known = self.functions.get(function.span.start as usize).copied();
        calls.iter().map(|arguments| known.map_or(Called::Unknown, |known| self.one(known, arguments))).collect()
    }

    fn source(&self, _span: Span) -> Option<String> {
        None
    }
}

impl<'v> Caller<'_, '_, 'v, '_, '_> {
    fn one(&self, function: Value<'v>, arguments: &[Argument<'_>]) -> Called {
        let mut eval = self.eval.borrow_mut();
        let heap = eval.heap();
        let values: Vec<Value<'_>> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Node(node) => fragment(node, heap),
                Argument::Key(key) => plain::key_value(key, heap),
                Argument::Number(number) => heap.alloc(*number as i64),
                Argument::None => Value::new_none(),
            })
            .collect();
        let result = eval.eval_function(function, &values, &[]).and_then(|value| {
            let type_name = format::type_name(value).to_owned();
            Ok(Called::Value(Returned { node: plain::node(value, heap)?, type_name }))
        });
        match result {
            Ok(called) => called,
            Err(error) => match Host::of(&eval) {
                Ok(host) => {
                    let explained = messages::explain(&error, &host.sources);
                    match explained.kind {
                        kind if kind.is_error() => Called::Failed(explained.message),
                        EvalErrorKind::Limit => Called::Stopped(explained.message),
                        _ => Called::Unknown,
                    }
                }
                Err(_) => Called::Unknown,
            },
        }
    }
}

/// Maps and arrays are passed as fragments.
fn fragment<'v>(node: &Node, heap: Heap<'v>) -> Value<'v> {
    match &node.value {
        NodeValue::Map(items) => {
            let items = items.iter().map(|item| (None, plain::key_value(&item.key, heap), fragment(&item.value, heap)));
            plain_fragment(FragmentKind::Map, items, heap)
        }
        NodeValue::Array(items) => {
            let items = items.iter().map(|item| (None, Value::new_none(), fragment(&item.value, heap)));
            plain_fragment(FragmentKind::Array, items, heap)
        }
        _ => plain::value(node, heap),
    }
}

fn words(problem: &Problem) -> String {
    match &problem.kind {
        ProblemKind::MissingKey { key, .. } => {
            format!("Map item (key '{key}'): Expected number of matched nodes to be 1, but was 0")
        }
        ProblemKind::MatchCount { expected, found, .. } => {
            format!("Expected number of matched nodes to be {expected}, but was {found}")
        }
        ProblemKind::Kind { expected, existing, .. } => format!("Expected {expected}, but was {existing}"),
        ProblemKind::Argument { message } | ProblemKind::Function { message } => message.clone(),
        ProblemKind::SeveralOperations => "Expected to find only one overlay operation".to_owned(),
        ProblemKind::MissingMatchKey { key } => format!("Expected to find map item with key '{key}', but did not"),
        ProblemKind::MissingBy => {
            "Expected 'overlay/match' annotation keyword argument 'by' to be specified".to_owned()
        }
        ProblemKind::Raw { expected, .. } => format!("Expected {expected}, but was a dict or list made by code"),
        ProblemKind::OperationPlace { annotation, place } => format!("`@{annotation}` cannot be on a {place}"),
        ProblemKind::AssertFailed { message: Some(message) } => format!("the assertion does not hold: {message}"),
        ProblemKind::AssertFailed { message: None } => "the assertion does not hold".to_owned(),
        ProblemKind::RemoveDocument | ProblemKind::NotEvaluated { .. } => "the overlay cannot be applied".to_owned(),
    }
}
