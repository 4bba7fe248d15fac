//! `@ytt:overlay`. The merge is that of `lofting_overlay`; this module calls its functions and converts its values.

use std::cell::RefCell;

use lofting_document::{Document, FileId, Key, Node, NodeValue, Note, Notes, Span};
use lofting_eval::{
    Argument as Written, Arguments, EvalError, EvalErrorKind, Expr, ExprKind, FragmentKind, Frame, Keyword,
    OVERLAY_ITEM,
};
use lofting_interpreter::{Failure, Value, integers};
use lofting_overlay::{
    Argument, Called, Function, Functions, Mode, Overlay, Problem, ProblemKind, Returned, contains, same_leaf,
};

use super::Args;
use super::assertion::is_function;
use crate::context::plain_fragment;
use crate::failure::{LoadFailure, Result, fail, limit, unsupported};
use crate::host::Sources;
use crate::object::{AnnotationMeta, ItemMeta, ObjectKind, Ours, object};
use crate::run::Run;
use crate::{messages, plain};

/// The file id of spans that refer to entries of a [`Table`].
const TABLE: FileId = FileId(u32::MAX);

pub(super) fn invoke(args: Args, run: &mut Run<'_, '_, '_>) -> Result<Value> {
    let method = |name, values| Ok(object(ObjectKind::Closure(name), values));
    match args.name {
        "overlay.apply" => apply(&args, run),
        "overlay.all" => {
            three(&args.positional)?;
            Ok(Value::Bool(true))
        }
        "overlay.index" => {
            args.exactly(1)?;
            if !args.first().is_int() {
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
pub(crate) fn matcher(name: &str, own: &[Value], call: &[Value], run: &mut Run<'_, '_, '_>) -> Result<Value> {
    let at = |index: usize| call.get(index).unwrap_or(&Value::None);
    let first = own.first().unwrap_or(&Value::None);
    three(call)?;
    let mut each = |wanted: bool| -> Result<Value> {
        for function in own {
            let verdict = run.call(function, call.to_vec())?;
            match verdict.as_bool() {
                Some(verdict) if verdict == wanted => return Ok(Value::Bool(wanted)),
                Some(_) => {}
                None => return fail(format!("expected starlark.Bool, but was {}", verdict.type_name())),
            }
        }
        Ok(Value::Bool(!wanted))
    };
    match name {
        "overlay.match.index" if !at(0).is_int() => fail("overlay.index_matcher: expected starlark.Int"),
        "overlay.match.index" => Ok(Value::Bool(first.equals(at(0))?)),
        "overlay.match.map_key" => {
            let Some(key) = first.as_text() else {
                return fail(format!("Expected map key to be a string, but was {}", first.type_name()));
            };
            let (left, right) = (plain::node(at(1))?, plain::node(at(2))?);
            let key: Key = key.into();
            match (left.get(&key), right.get(&key)) {
                (Some(left), Some(right)) => Ok(Value::Bool(same_leaf(left, right))),
                _ => fail(format!("Expected to find map item with key '{key}', but did not")),
            }
        }
        "overlay.match.subset" => Ok(Value::Bool(contains(&plain::node(at(1))?, &plain::node(first)?))),
        "overlay.match.and_op" => each(false),
        "overlay.match.or_op" => each(true),
        "overlay.match.not_op" => each(true).map(|held| Value::Bool(held.as_bool() == Some(false))),
        _ => fail(format!("unknown function {name}")),
    }
}

/// Matchers take a key or index and the values of both sides.
fn three(call: &[Value]) -> Result<()> {
    if call.len() == 3 { Ok(()) } else { fail("expected exactly 3 arguments") }
}

fn apply(args: &Args, run: &mut Run<'_, '_, '_>) -> Result<Value> {
    if args.positional.is_empty() {
        return fail("overlay.apply: expected exactly at least argument");
    }
    let mut table = Table::default();
    let mut sides = Vec::new();
    for value in &args.positional {
        sides.push(table.side(value)?);
    }
    if let [only] = args.positional.as_slice() {
        // Nothing is merged, so nothing is converted either.
        return Ok(only.clone());
    }
    let mut sides = sides.into_iter();
    let Some(Side { mut documents, kind }) = sides.next() else { return Ok(Value::None) };
    let is_set = kind == SideKind::DocumentSet;
    let functions = Caller { functions: &table.functions, run: RefCell::new(run), failures: RefCell::new(Vec::new()) };
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
    let Caller { run, failures, .. } = functions;
    // A stopped evaluation must not be caught, and other problems may follow from it.
    let stopped = problems.iter().find_map(|problem| match &problem.kind {
        ProblemKind::NotEvaluated { message } => Some(message),
        _ => None,
    });
    if let Some(message) = stopped {
        return limit(message);
    }
    if let Some(problem) = problems.first() {
        return Err(table.failure(problem, failures.into_inner(), &run.into_inner().host.sources));
    }
    if documents.iter().any(|document| !document.value.is_known()) {
        return unsupported("this merge cannot be evaluated here");
    }
    let items = documents.iter().map(|document| (None, &document.value, &document.notes, document.span));
    Ok(match documents.first() {
        Some(only) if !is_set => table.value(&only.value),
        _ => table.collection(FragmentKind::DocumentSet, items.collect()),
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
#[derive(Default)]
struct Table {
    items: Vec<ItemMeta>,
    annotations: Vec<(AnnotationMeta, Vec<Value>)>,
    functions: Vec<Value>,
}

fn entry(index: usize) -> Span {
    Span::new(TABLE, index..index + 1)
}

fn index_of(span: Span) -> Option<usize> {
    (span.file == TABLE).then_some(span.start as usize)
}

impl Table {
    fn side(&mut self, value: &Value) -> Result<Side> {
        let document = |value, notes, span| Document { span, marker: None, notes, value, conditional: false };
        let set =
            Ours::of(value).filter(|ours| matches!(ours.kind, ObjectKind::Fragment(FragmentKind::DocumentSet, _)));
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
            documents.push(Document { marker: Some(span), ..document(self.node(value, 0)?, notes, span) });
        }
        Ok(Side { documents, kind: SideKind::DocumentSet })
    }

    /// Fragments keep their annotations, also in dicts, structs and lists.
    fn node(&mut self, value: &Value, depth: usize) -> Result<Node> {
        if depth > lofting_eval::MAX_NESTING {
            return limit("the value is too deeply nested");
        }
        if let Some(entries) = plain::mapping(value) {
            let items: Result<Vec<_>> = entries
                .into_iter()
                .map(|(key, value)| Ok(plain::map_item(plain::key(&key)?, self.node(&value, depth + 1)?)))
                .collect();
            return Ok(plain::computed(NodeValue::Map(items?.into())));
        }
        if let Some(items) = plain::sequence(value) {
            let items: Result<Vec<_>> =
                items.into_iter().map(|item| Ok(plain::array_item(self.node(&item, depth + 1)?))).collect();
            return Ok(plain::computed(NodeValue::Array(items?)));
        }
        let Some(fragment) = Ours::of(value) else { return plain::node(value) };
        let ObjectKind::Fragment(kind, _) = fragment.kind else { return plain::node(value) };
        let mut maps = Vec::new();
        let mut arrays = Vec::new();
        for (meta, key, value) in fragment.items() {
            let notes = self.notes(meta, fragment);
            let span = entry(self.items.len());
            self.items.push(meta.clone());
            // What takes the place of another value brings its place.
            let value = Node { span, ..self.node(value, depth + 1)? };
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

    fn notes(&mut self, meta: &ItemMeta, fragment: Ours<'_>) -> Notes {
        let mut notes = Notes::default();
        let mut at = meta.at + 2;
        for annotation in &meta.annotations {
            let values: Vec<Value> = (at..at + annotation.count()).map(|index| fragment.value(index).clone()).collect();
            at += annotation.count();
            let mut arguments = Arguments::default();
            for (index, value) in values.iter().enumerate() {
                let expr = self.expr(value, 0);
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

    /// A failure of the call, as for ytt; beside it is the item that cannot be merged, and what failed in a function.
    fn failure(&self, problem: &Problem, failures: Vec<EvalError>, sources: &Sources) -> Failure {
        let inner = failures
            .into_iter()
            .find(|failure| matches!(&problem.kind, ProblemKind::Function { message } if *message == failure.message));
        let mut inner = inner.unwrap_or_else(|| EvalError::new(EvalErrorKind::Runtime, words(problem)));
        // The function was called from here, and not from the program around it.
        inner.frames.retain(|frame| frame.place.is_some() && frame.function != "<toplevel>");
        // A built-in function is at its call, which is the next frame.
        inner.frames.dedup_by(|next, earlier| next.place == earlier.place);
        let origin = index_of(problem.span).and_then(|index| self.items.get(index)).and_then(|meta| meta.origin);
        let place = origin.and_then(|(file, node)| messages::node_place(file, node, sources));
        inner.frames.insert(0, Frame { function: OVERLAY_ITEM.to_owned(), place });
        LoadFailure::failure(format!("overlay.apply: {}", words(problem)), inner)
    }

    /// A value as the expression that would produce it; functions refer to the table.
    fn expr(&mut self, value: &Value, depth: usize) -> Expr {
        let kind = match value {
            Value::None => ExprKind::None,
            Value::Bool(truth) => ExprKind::Bool(*truth),
            Value::String(text) => ExprKind::String(text.to_string()),
            function if is_function(function) => {
                self.functions.push(function.clone());
                let index = self.functions.len() - 1;
                return Expr { range: index..index + 1, kind: ExprKind::Lambda { params: Vec::new() } };
            }
            Value::List(list) if depth < 10 => {
                ExprKind::List(list.to_vec().iter().map(|item| self.expr(item, depth + 1)).collect())
            }
            value => integers::to_i128(value).map_or(ExprKind::Float(f64::NAN), ExprKind::Int),
        };
        Expr { range: 0..0, kind }
    }

    /// The result of a merge, which has none of the annotations that directed it.
    fn value(&self, node: &Node) -> Value {
        match &node.value {
            _ if node.raw => plain::value(node),
            NodeValue::Map(items) => {
                let items = items.iter().map(|item| (Some(&item.key), &item.value, &item.notes, item.span));
                self.collection(FragmentKind::Map, items.collect())
            }
            NodeValue::Array(items) => {
                let items = items.iter().map(|item| (None, &item.value, &item.notes, item.span));
                self.collection(FragmentKind::Array, items.collect())
            }
            _ => plain::value(node),
        }
    }

    fn collection(&self, kind: FragmentKind, items: Vec<ItemParts<'_>>) -> Value {
        let mut metas = Vec::new();
        let mut values = Vec::new();
        for (key, value, notes, span) in items {
            let origin_of = |span| index_of(span).and_then(|index| self.items.get(index)).and_then(|meta| meta.origin);
            let origin = origin_of(value.span).or_else(|| origin_of(span));
            let mut meta = ItemMeta { origin, annotations: Vec::new(), at: values.len() };
            values.push(key.map_or(Value::None, plain::key_value));
            values.push(self.value(value));
            for note in &notes.annotations {
                if let Some((annotation, arguments)) = index_of(note.span).and_then(|index| self.annotations.get(index))
                    && !annotation.name.starts_with("overlay/")
                {
                    meta.annotations.push(annotation.clone());
                    values.extend(arguments.iter().cloned());
                }
            }
            metas.push(meta);
        }
        object(ObjectKind::Fragment(kind, metas.into()), values)
    }
}

struct Caller<'a, 'b, 'c, 'e, 'h> {
    functions: &'a [Value],
    run: RefCell<&'b mut Run<'c, 'e, 'h>>,
    /// How functions failed: the first of them are enough to explain what is reported.
    failures: RefCell<Vec<EvalError>>,
}

impl Functions for Caller<'_, '_, '_, '_, '_> {
    fn call(&self, function: &Function, calls: &[Vec<Argument<'_>>]) -> Vec<Called> {
        let known = self.functions.get(function.span.start as usize);
        calls.iter().map(|arguments| known.map_or(Called::Unknown, |known| self.one(known, arguments))).collect()
    }

    fn source(&self, _span: Span) -> Option<String> {
        None
    }
}

impl Caller<'_, '_, '_, '_, '_> {
    fn one(&self, function: &Value, arguments: &[Argument<'_>]) -> Called {
        let mut run = self.run.borrow_mut();
        let values = arguments.iter().map(|argument| match argument {
            Argument::Node(node) => fragment(node),
            Argument::Key(key) => plain::key_value(key),
            Argument::Number(number) => Value::Int(*number as i64),
            Argument::None => Value::None,
        });
        let result = run.call(function, values.collect()).and_then(|value| {
            let type_name = value.type_name().to_owned();
            Ok(Called::Value(Returned { node: plain::node(&value)?, type_name }))
        });
        result.unwrap_or_else(|failure| {
            let explained = messages::explain(&failure, &run.host.sources);
            match explained.kind {
                kind if kind.is_error() => {
                    let message = explained.message.clone();
                    let mut failures = self.failures.borrow_mut();
                    if failures.is_empty() {
                        failures.push(explained);
                    }
                    Called::Failed(message.into())
                }
                EvalErrorKind::Limit | EvalErrorKind::Interrupted => Called::Stopped(explained.message),
                _ => Called::Unknown,
            }
        })
    }
}

/// Maps and arrays are passed as fragments.
fn fragment(node: &Node) -> Value {
    match &node.value {
        NodeValue::Map(items) => {
            let items = items.iter().map(|item| (None, plain::key_value(&item.key), fragment(&item.value)));
            plain_fragment(FragmentKind::Map, items)
        }
        NodeValue::Array(items) => {
            let items = items.iter().map(|item| (None, Value::None, fragment(&item.value)));
            plain_fragment(FragmentKind::Array, items)
        }
        _ => plain::value(node),
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
        // Of these, code only meets the last: what it merges onto is always there.
        ProblemKind::RemoveDocument | ProblemKind::NoDocument | ProblemKind::NotEvaluated { .. } => {
            "the overlay cannot be applied".to_owned()
        }
    }
}
