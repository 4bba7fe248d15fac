//! Builds nodes while a template runs. Each function with YAML in its body has its own frame.

mod builder;

use lofting_eval::{Body, FragmentKind, NodeKind};
use lofting_interpreter::{SmolStr, Value, bytes};

use crate::failure::{NodeFailure, Result, fail};
use crate::host::Host;
use crate::object::{AnnotationMeta, ObjectKind, Ours, object};
use crate::plain;
use crate::run::{NamedValues, Run};
use builder::Builder;

pub(crate) use builder::{BuiltItem, fragment, plain_fragment};

/// How many nodes one evaluation may create.
const MAX_NODES: usize = 1_500_000;
/// How many bytes of text one template may produce.
const MAX_TEXT: usize = 16 << 20;

/// What a running file builds: the frames of the running functions that have YAML in their bodies.
#[derive(Debug)]
pub(crate) struct Construction {
    frames: Vec<Frame>,
    texts: Vec<String>,
    made: usize,
}

#[derive(Debug, Default)]
struct Frame {
    /// The outermost nodes, each with all below it.
    trees: Vec<Tree>,
    /// Indices of the open nodes in the last tree, outermost first.
    open: Vec<usize>,
    /// Annotations whose node has not started yet.
    pending: Vec<Annotation>,
    /// How many text buffers were open when the frame began.
    texts: usize,
}

/// A node, which comes first, and the nodes below it.
type Tree = Vec<Built>;

#[derive(Debug)]
struct Built {
    file: u32,
    node: u32,
    children: Vec<usize>,
    annotations: Vec<Annotation>,
    key: Option<Value>,
    value: Option<Value>,
}

#[derive(Debug)]
struct Annotation {
    file: u32,
    node: u32,
    meta: AnnotationMeta,
    arguments: Vec<Value>,
}

/// The names of the functions that generated code calls.
pub(crate) const FUNCTIONS: [&str; 13] = [
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
];

/// A position in the construction of nodes, to return to after a caught failure.
pub(crate) struct Mark {
    frames: usize,
    texts: usize,
}

/// The value of a node as the node holds it (see [`plain::settled`]). A replacement stays one, of what takes its place.
fn settled(value: &Value) -> Result<Value> {
    let Some(Ours { kind: ObjectKind::Replace, values }) = Ours::of(value) else { return plain::settled(value) };
    let given = values.iter().map(|given| match Ours::of(given) {
        // Only its fields are copied: whether a struct can take the place is decided there.
        Some(Ours { kind: kind @ ObjectKind::Struct(_), values }) => {
            object(kind.clone(), values.iter().map(plain::read).collect())
        }
        _ => plain::read(given),
    });
    Ok(object(ObjectKind::Replace, given.collect()))
}

impl Host<'_> {
    /// Runs what builds nodes: it gets a context of its own.
    pub(crate) fn in_context<T>(&self, run: impl FnOnce() -> T) -> T {
        let outer = self.contexts.borrow().len();
        self.contexts.borrow_mut().push(Construction { frames: vec![Frame::default()], texts: Vec::new(), made: 0 });
        let result = run();
        self.contexts.borrow_mut().truncate(outer);
        result
    }

    /// Calls `visit` with the values of all nodes that are built. Whether they can be looked at now.
    pub(crate) fn each_value_of_nodes(&self, visit: &mut dyn FnMut(&Value)) -> bool {
        let Ok(contexts) = self.contexts.try_borrow() else { return false };
        for frame in contexts.iter().flat_map(|context| &context.frames) {
            let nodes = frame.trees.iter().flatten();
            let notes = frame.pending.iter().chain(nodes.clone().flat_map(|node| &node.annotations));
            notes.flat_map(|note| &note.arguments).for_each(&mut *visit);
            nodes.flat_map(|node| node.key.iter().chain(&node.value)).for_each(&mut *visit);
        }
        true
    }

    fn context<T>(&self, work: impl FnOnce(&mut Construction) -> Result<T>) -> Result<T> {
        match self.contexts.borrow_mut().last_mut() {
            Some(context) => work(context),
            None => fail("no template is running"),
        }
    }

    /// Gives the node that is open a replacement as its value.
    pub(crate) fn replaces(&self, replacement: &Value) {
        if let Some(node) = self.contexts.borrow_mut().last_mut().and_then(Construction::current) {
            node.value = settled(replacement).ok();
        }
    }

    /// The position in the construction.
    pub(crate) fn mark(&self) -> Option<Mark> {
        let contexts = self.contexts.borrow();
        let context = contexts.last()?;
        Some(Mark { frames: context.frames.len(), texts: context.texts.len() })
    }

    /// Returns to a position.
    pub(crate) fn back_to(&self, mark: Option<Mark>) {
        if let (Some(context), Some(mark)) = (self.contexts.borrow_mut().last_mut(), mark) {
            context.frames.truncate(mark.frames);
            context.texts.truncate(mark.texts);
        }
    }
}

/// Runs a function that generated code calls.
pub(crate) fn invoke(
    name: &str,
    positional: Vec<Value>,
    named: NamedValues,
    run: &mut Run<'_, '_, '_>,
) -> Result<Value> {
    let host = run.host;
    let mut first = positional.first().cloned().unwrap_or_default();
    let numbers = [0, 1].map(|index: usize| {
        let value = positional.get(index).and_then(Value::as_int);
        value.and_then(|value| u32::try_from(value).ok()).unwrap_or_default()
    });
    match name {
        "__leave" => return end(host)?.value(host),
        "__value" => first = settled(&first)?,
        _ => {}
    }
    host.context(|context| {
        match name {
            "__enter" => {
                let texts = context.texts.len();
                context.frames.push(Frame { texts, ..Frame::default() });
            }
            "__leave_with" => {
                if let Some(frame) = context.frames.pop() {
                    context.texts.truncate(frame.texts);
                }
                return Ok(first);
            }
            "__early_return" => {
                return fail(
                    "runtime error: a `return` before the first YAML node of a function breaks ytt; put the code into a \
                     function without YAML",
                );
            }
            "__annotate" => {
                let [file, index] = numbers;
                let Some((node, name)) = host.annotation(file, index) else { return fail("unknown annotation") };
                let keywords = named.iter().map(|(name, _)| name.to_string()).collect();
                let mut arguments: Vec<Value> = positional.into_iter().skip(2).collect();
                let meta = AnnotationMeta { index, name, positional: arguments.len(), keywords };
                arguments.extend(named.into_iter().map(|(_, value)| value));
                if let Some(frame) = context.frames.last_mut() {
                    frame.pending.push(Annotation { file, node, meta, arguments });
                }
            }
            "__node" => {
                context.made += 1;
                if context.made > MAX_NODES {
                    return crate::failure::limit(format!("more than {MAX_NODES} nodes"));
                }
                let is_file = context.frames.len() == 1;
                match context.frames.last_mut() {
                    Some(frame) => frame.start(numbers[0], numbers[1], host, is_file)?,
                    None => return fail("no template is running"),
                }
            }
            "__value" => {
                if let Some(node) = context.current() {
                    node.value = Some(first);
                }
            }
            "__text" => context.texts.push(String::new()),
            "__write" => {
                let Some(text) = first.as_text() else {
                    let message =
                        format!("cannot set non-string value ({}), consider using str(...)", go_type(&first));
                    return fail(message);
                };
                let size: usize = context.texts.iter().map(String::len).sum();
                if size + text.len() > MAX_TEXT {
                    return crate::failure::limit(format!("more than {} MB of text", MAX_TEXT >> 20));
                }
                if let Some(buffer) = context.texts.last_mut() {
                    buffer.push_str(text);
                }
            }
            "__text_key" | "__text_value" | "__text_leave" => {
                let text = Value::String(SmolStr::from(context.texts.pop().unwrap_or_default()));
                match (name, context.current()) {
                    ("__text_key", Some(node)) => node.key = Some(text),
                    ("__text_value", Some(node)) => node.value = Some(text),
                    _ => return Ok(text),
                }
            }
            "__text_leave_with" => {
                context.texts.pop();
                return Ok(first);
            }
            _ => return fail(format!("unknown function {name}")),
        }
        Ok(Value::None)
    })
}

/// The name of a value's Go type inside ytt, for one message.
fn go_type(value: &Value) -> &'static str {
    match value.type_name() {
        "int" => "int64",
        "float" => "float64",
        "bool" => "bool",
        "NoneType" => "<nil>",
        "list" => "[]interface {}",
        other => other,
    }
}

impl Construction {
    fn current(&mut self) -> Option<&mut Built> {
        let frame = self.frames.last_mut()?;
        let index = *frame.open.last()?;
        frame.trees.last_mut()?.get_mut(index)
    }
}

impl Frame {
    /// Begins a node below the nearest open node among its ancestors in the text.
    fn start(&mut self, file: u32, node: u32, host: &Host<'_>, is_file: bool) -> Result<()> {
        let mut above = host.parent(file, node);
        let tree = self.trees.last().map(Vec::as_slice).unwrap_or_default();
        while let Some(parent) = above {
            let is_parent =
                |open: &usize| tree.get(*open).is_some_and(|built| built.file == file && built.node == parent);
            if let Some(at) = self.open.iter().rposition(is_parent) {
                self.open.truncate(at + 1);
                break;
            }
            above = host.parent(file, parent);
        }
        if above.is_none() {
            self.open.clear();
            self.fits_outermost(file, node, host, is_file)?;
        }
        let (mine, others) =
            std::mem::take(&mut self.pending).into_iter().partition(|note| note.file == file && note.node == node);
        self.pending = others;
        let built = Built { file, node, children: Vec::new(), annotations: mine, key: None, value: None };
        let parent = self.open.last().copied().zip(self.trees.last_mut());
        let index = match parent {
            Some((open, tree)) => {
                let index = tree.len();
                if let Some(parent) = tree.get_mut(open) {
                    fits(parent, (file, node), host)?;
                    parent.children.push(index);
                }
                tree.push(built);
                index
            }
            None => {
                self.trees.push(vec![built]);
                0
            }
        };
        self.open.push(index);
        Ok(())
    }

    /// Fails if no node was reached that an item belongs to: code went around the beginning of its document, or the text of a
    /// function ends at another level than it begins.
    fn fits_outermost(&self, file: u32, node: u32, host: &Host<'_>, is_file: bool) -> Result<()> {
        let is_document = |kind| kind == NodeKind::Document;
        let message = match self.trees.first().and_then(|tree| tree.first()) {
            _ if is_file && !host.with_node(file, node, |node| is_document(node.kind)).unwrap_or(true) => {
                "this belongs to a document whose beginning was not reached: documents can only be left out as a whole"
            }
            Some(first) if !is_file && host.parent(first.file, first.node) != host.parent(file, node) => {
                "the YAML of a function has to end at the level where it begins"
            }
            _ => return Ok(()),
        };
        Err(NodeFailure::failure(file, node, message.to_owned()))
    }
}

/// Fails if an item is of a different kind than the collection it would be added to: the text below a function's node
/// may be outside the function.
fn fits(parent: &Built, (file, node): (u32, u32), host: &Host<'_>) -> Result<()> {
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
    Err(NodeFailure::failure(file, node, message.to_owned()))
}

/// The text that a text template has written so far.
pub(crate) fn text(host: &Host<'_>) -> Result<Option<String>> {
    host.context(|context| Ok(context.texts.first_mut().map(|text| bytes::joined(std::mem::take(text)))))
}

/// What a frame built.
pub(crate) struct Ended {
    kind: FragmentKind,
    trees: Vec<Tree>,
}

impl Ended {
    /// All as one fragment.
    fn value(&self, host: &Host<'_>) -> Result<Value> {
        if self.kind == FragmentKind::Empty {
            return Ok(object(ObjectKind::Fragment(FragmentKind::Empty, [].into()), Vec::new()));
        }
        Builder { host }.collection(self.kind, self.trees.iter().map(|tree| (tree.as_slice(), 0)))
    }

    /// Documents as fragments of their own, and anything else as one. What a document was built of is freed before the next
    /// one is made: together they can be most of the memory of a process.
    pub(crate) fn values<'e>(self, host: &'e Host<'_>) -> impl Iterator<Item = Result<Value>> + 'e {
        let Ended { kind, trees } = self;
        let fragments: Vec<Vec<Tree>> = match kind {
            FragmentKind::DocumentSet => trees.into_iter().map(|tree| vec![tree]).collect(),
            _ => vec![trees],
        };
        fragments.into_iter().map(move |trees| Ended { kind, trees }.value(host))
    }

    /// The kind of the fragment that all of it is.
    pub(crate) fn kind(&self) -> FragmentKind {
        self.kind
    }
}

/// Ends the innermost frame.
pub(crate) fn end(host: &Host<'_>) -> Result<Ended> {
    let frame = host.context(|context| {
        let Some(frame) = context.frames.pop() else { return fail("no template is running") };
        context.texts.truncate(frame.texts);
        Ok(frame)
    })?;
    let first = frame.trees.first().and_then(|tree| tree.first());
    let kind =
        first.map_or(FragmentKind::Empty, |first| match host.with_node(first.file, first.node, |node| node.kind) {
            Some(NodeKind::MapItem) => FragmentKind::Map,
            Some(NodeKind::ArrayItem) => FragmentKind::Array,
            _ => FragmentKind::DocumentSet,
        });
    Ok(Ended { kind, trees: frame.trees })
}
