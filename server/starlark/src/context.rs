//! Builds nodes while a template runs. Each function with YAML in its body has its own frame.

mod builder;

use std::cell::RefCell;
use std::fmt;

use allocative::Allocative;
use lofting_eval::{Body, FragmentKind, NodeKind};
use starlark::any::ProvidesStaticType;
use starlark::eval::Evaluator;
use starlark::values::{AllocValue, Heap, NoSerialize, StarlarkValue, Trace, Value, ValueLike, starlark_value};

use crate::failure::{NodeFailure, Result, error, fail};
use crate::host::Host;
use crate::object::{AnnotationMeta, Object, ObjectKind};
use crate::{bytes, format, plain};
use builder::Builder;

pub(crate) use builder::{BuiltItem, fragment, plain_fragment};

/// How many nodes one evaluation may create.
const MAX_NODES: usize = 500_000;
/// How many bytes of text one template may produce.
const MAX_TEXT: usize = 16 << 20;

/// The derive macros of the Starlark crate expand to implementations of unsafe marker traits; nothing else may.
#[allow(unsafe_code)]
mod definition {
    use super::{Allocative, NoSerialize, ProvidesStaticType, RefCell, State, Trace};

    /// The frames of the running functions that have YAML in their bodies.
    #[derive(Debug, Default, Trace, ProvidesStaticType, NoSerialize, Allocative)]
    pub(crate) struct Context<'v> {
        #[allocative(skip)]
        pub(super) state: RefCell<State<'v>>,
    }
}

pub(crate) use definition::Context;

#[derive(Debug, Default, Trace)]
struct State<'v> {
    frames: Vec<Frame<'v>>,
    texts: Vec<String>,
    made: usize,
    /// Names that the file loaded while it ran: it does not define them.
    loaded: Vec<String>,
}

#[derive(Debug, Default, Trace)]
struct Frame<'v> {
    nodes: Vec<Built<'v>>,
    /// Indices of the open nodes, outermost first.
    open: Vec<usize>,
    roots: Vec<usize>,
    /// Annotations whose node has not started yet.
    pending: Vec<Annotation<'v>>,
    /// How many text buffers were open when the frame began.
    texts: usize,
}

#[derive(Debug, Trace)]
struct Built<'v> {
    file: u32,
    node: u32,
    children: Vec<usize>,
    annotations: Vec<Annotation<'v>>,
    key: Option<Value<'v>>,
    value: Option<Value<'v>>,
}

#[derive(Debug, Trace)]
struct Annotation<'v> {
    file: u32,
    node: u32,
    #[trace(unsafe_ignore)]
    meta: AnnotationMeta,
    arguments: Vec<Value<'v>>,
}

impl fmt::Display for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<template>")
    }
}

#[starlark_value(type = "template_context")]
impl<'v> StarlarkValue<'v> for Context<'v> {}

impl<'v> AllocValue<'v> for Context<'v> {
    fn alloc_value(self, heap: Heap<'v>) -> Value<'v> {
        heap.alloc_complex_no_freeze(self)
    }
}

/// The names of the functions that generated code calls.
pub(crate) const FUNCTIONS: [&str; 14] = [
    "__enter",
    "__leave",
    "__leave_with",
    "__early_return",
    "__annotate",
    "__node",
    "__value",
    "__text",
    "__write",
    "__text_key",
    "__text_value",
    "__text_leave",
    "__text_leave_with",
    "__attr",
];

/// A position in the construction of nodes, to return to after a caught failure.
pub(crate) struct Mark {
    frames: usize,
    texts: usize,
}

/// Fails for a value that cannot be that of a node: functions, ranges, modules, integers of more than 64 bits, also
/// inside collections (docs/ytt.md 7.3, 16.3).
fn check_value<'v>(value: Value<'v>, heap: Heap<'v>) -> Result<()> {
    let is_made = |object: &Object<'v>| matches!(object.kind(), ObjectKind::Fragment(..) | ObjectKind::Replace);
    if value.unpack_i32().is_some() || value.unpack_str().is_some() || Object::from_value(value).is_some_and(is_made) {
        return Ok(());
    }
    plain::node(value, heap).map(drop)
}

fn context<'v>(eval: &Evaluator<'v, '_, '_>) -> Result<&'v Context<'v>> {
    let value = eval.module().extra_value().ok_or_else(|| error("no template is running"))?;
    value.downcast_ref::<Context<'v>>().ok_or_else(|| error("no template is running"))
}

impl<'v> Context<'v> {
    /// A context with one frame, that of the file itself.
    pub(crate) fn with_root() -> Self {
        let state = State { frames: vec![Frame::default()], ..State::default() };
        Self { state: RefCell::new(state) }
    }

    /// Gives the node that is open a replacement as its value.
    pub(crate) fn replaces(eval: &Evaluator<'v, '_, '_>, replacement: Value<'v>) {
        if let Ok(context) = context(eval)
            && let Some(node) = context.state.borrow_mut().current()
        {
            node.value = Some(replacement);
        }
    }

    /// Notes the names that the running file loads.
    pub(crate) fn loads(eval: &Evaluator<'v, '_, '_>, names: Vec<String>) {
        if let Ok(context) = context(eval) {
            context.state.borrow_mut().loaded.extend(names);
        }
    }

    /// The names that the file loaded while it ran.
    pub(crate) fn loaded(eval: &Evaluator<'v, '_, '_>) -> Vec<String> {
        context(eval).map_or_else(|_| Vec::new(), |context| context.state.borrow().loaded.clone())
    }

    pub(crate) fn mark(eval: &Evaluator<'v, '_, '_>) -> Option<Mark> {
        let state = context(eval).ok()?.state.borrow();
        Some(Mark { frames: state.frames.len(), texts: state.texts.len() })
    }

    pub(crate) fn back_to(eval: &Evaluator<'v, '_, '_>, mark: Option<Mark>) {
        if let (Ok(context), Some(mark)) = (context(eval), mark) {
            let mut state = context.state.borrow_mut();
            state.frames.truncate(mark.frames);
            state.texts.truncate(mark.texts);
        }
    }
}

/// Runs a function that generated code calls.
pub(crate) fn invoke<'v>(
    name: &str,
    positional: &[Value<'v>],
    named: &[(&str, Value<'v>)],
    eval: &mut Evaluator<'v, '_, '_>,
) -> Result<Value<'v>> {
    let none = Value::new_none();
    let first = positional.first().copied().unwrap_or(none);
    let number = |index: usize| {
        let value = positional.get(index).and_then(|value| value.unpack_i32());
        value.and_then(|value| u32::try_from(value).ok()).unwrap_or_default()
    };
    let context = context(eval)?;
    let mut state = context.state.borrow_mut();
    match name {
        "__enter" => {
            let texts = state.texts.len();
            state.frames.push(Frame { texts, ..Frame::default() });
            Ok(none)
        }
        "__leave" => {
            drop(state);
            finish(eval)
        }
        "__leave_with" => {
            if let Some(frame) = state.frames.pop() {
                state.texts.truncate(frame.texts);
            }
            Ok(first)
        }
        "__early_return" => fail(
            "runtime error: a `return` before the first YAML node of a function breaks ytt; put the code into a function without YAML",
        ),
        "__annotate" => {
            let host = Host::of(eval)?;
            let (file, index) = (number(0), number(1));
            let (node, name) = host.annotation(file, index).ok_or_else(|| error("unknown annotation"))?;
            let mut arguments: Vec<Value<'v>> = positional.iter().skip(2).copied().collect();
            let meta = AnnotationMeta {
                index,
                name,
                positional: arguments.len(),
                keywords: named.iter().map(|(name, _)| (*name).to_owned()).collect(),
            };
            arguments.extend(named.iter().map(|(_, value)| *value));
            if let Some(frame) = state.frames.last_mut() {
                frame.pending.push(Annotation { file, node, meta, arguments });
            }
            Ok(none)
        }
        "__node" => {
            let host = Host::of(eval)?;
            state.made += 1;
            if state.made > MAX_NODES {
                return crate::failure::limit(format!("more than {MAX_NODES} nodes"));
            }
            match state.frames.last_mut() {
                Some(frame) => frame.start(number(0), number(1), host)?,
                None => return Err(error("no template is running")),
            }
            Ok(none)
        }
        "__value" => {
            check_value(first, eval.heap())?;
            if let Some(node) = state.current() {
                node.value = Some(first);
            }
            Ok(none)
        }
        "__text" => {
            state.texts.push(String::new());
            Ok(none)
        }
        "__write" => {
            let Some(text) = first.unpack_str() else {
                let message = format!("cannot set non-string value ({}), consider using str(...)", go_type(first));
                return fail(message);
            };
            let size: usize = state.texts.iter().map(String::len).sum();
            if size + text.len() > MAX_TEXT {
                return crate::failure::limit(format!("more than {} MB of text", MAX_TEXT >> 20));
            }
            if let Some(buffer) = state.texts.last_mut() {
                buffer.push_str(text);
            }
            Ok(none)
        }
        "__text_key" | "__text_value" | "__text_leave" => {
            let text = state.texts.pop().unwrap_or_default();
            let text = eval.heap().alloc_str(&text).to_value();
            match (name, state.current()) {
                ("__text_key", Some(node)) => node.key = Some(text),
                ("__text_value", Some(node)) => node.value = Some(text),
                _ => return Ok(text),
            }
            Ok(none)
        }
        "__text_leave_with" => {
            state.texts.pop();
            Ok(first)
        }
        _ => fail(format!("unknown function {name}")),
    }
}

/// The name of a value's Go type inside ytt, for one message.
fn go_type(value: Value<'_>) -> &'static str {
    match format::type_name(value) {
        "int" => "int64",
        "float" => "float64",
        "bool" => "bool",
        "NoneType" => "<nil>",
        "list" => "[]interface {}",
        other => other,
    }
}

impl<'v> State<'v> {
    fn current(&mut self) -> Option<&mut Built<'v>> {
        let frame = self.frames.last_mut()?;
        let index = *frame.open.last()?;
        frame.nodes.get_mut(index)
    }
}

impl<'v> Frame<'v> {
    /// Begins a node below the nearest open node among its ancestors in the text.
    fn start(&mut self, file: u32, node: u32, host: &Host<'_>) -> Result<()> {
        let mut above = host.parent(file, node);
        while let Some(parent) = above {
            let is_parent =
                |open: &usize| self.nodes.get(*open).is_some_and(|built| built.file == file && built.node == parent);
            if let Some(at) = self.open.iter().rposition(is_parent) {
                self.open.truncate(at + 1);
                break;
            }
            above = host.parent(file, parent);
        }
        if above.is_none() {
            self.open.clear();
        }
        let index = self.nodes.len();
        match self.open.last().copied().and_then(|open| self.nodes.get_mut(open)) {
            Some(parent) => {
                fits(parent, (file, node), host)?;
                parent.children.push(index);
            }
            None => self.roots.push(index),
        }
        let (mine, others) =
            std::mem::take(&mut self.pending).into_iter().partition(|note| note.file == file && note.node == node);
        self.pending = others;
        self.nodes.push(Built { file, node, children: Vec::new(), annotations: mine, key: None, value: None });
        self.open.push(index);
        Ok(())
    }
}

/// Fails if an item is of a different kind than the collection it would be added to: the text below a function's node
/// may be outside the function.
fn fits(parent: &Built<'_>, (file, node): (u32, u32), host: &Host<'_>) -> Result<()> {
    let is_map = host.with_node(parent.file, parent.node, |parent| matches!(parent.body, Body::Map)).unwrap_or(false);
    let is_item = host.with_node(file, node, |node| node.kind == NodeKind::MapItem).unwrap_or(false);
    if is_map == is_item {
        return Ok(());
    }
    let message = if is_map {
        "a map can only hold keys with values, and this is an item of an array"
    } else {
        "an array can only hold items, and this is a key of a map"
    };
    Err(NodeFailure::error(file, node, message.to_owned()))
}

/// The text that a text template has written so far.
pub(crate) fn text(eval: &Evaluator<'_, '_, '_>) -> Result<Option<String>> {
    let mut state = context(eval)?.state.borrow_mut();
    Ok(state.texts.first_mut().map(|text| bytes::joined(std::mem::take(text))))
}

/// Ends the innermost frame and returns its nodes as a fragment.
pub(crate) fn finish<'v>(eval: &mut Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
    let frame = {
        let mut state = context(eval)?.state.borrow_mut();
        let frame = state.frames.pop().ok_or_else(|| error("no template is running"))?;
        state.texts.truncate(frame.texts);
        frame
    };
    let host = Host::of(eval)?;
    let builder = Builder { frame: &frame, host, heap: eval.heap() };
    let Some(first) = frame.roots.first().and_then(|root| frame.nodes.get(*root)) else {
        return Ok(eval.heap().alloc(Object::new(ObjectKind::Fragment(FragmentKind::Empty, [].into()), Vec::new())));
    };
    let kind = match host.with_node(first.file, first.node, |node| node.kind) {
        Some(NodeKind::MapItem) => FragmentKind::Map,
        Some(NodeKind::ArrayItem) => FragmentKind::Array,
        _ => FragmentKind::DocumentSet,
    };
    builder.collection(kind, &frame.roots)
}
