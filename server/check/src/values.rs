//! Values against a schema (docs/ytt.md 9.4, 11, 12, 13).
//!
//! The walk goes along the value and the schema together, with an explicit stack, so that neither
//! nesting nor size of the input matters. Unlike ytt it goes on after the first failing stage and
//! says of every finding at which stage ytt would have stopped.

pub(crate) use at::At;
pub(crate) use bounds::Set;
pub use code::{Answer, AssertionCall, Assertions, Context, NoAssertions};
pub(crate) use walk::Scored;

mod at;
mod bounds;
pub(crate) mod code;
mod left;
#[cfg(test)]
mod tests;
mod walk;

use crate::Diagnostic;
use crate::memo::Memo;
use crate::path::Step;
use crate::view::{Entry, NodeView, Overlay, Source, View};
use lofting_document::{Document, FileId, Node, Span};
use lofting_schema::semantics::Filled;
use lofting_schema::{Schema, SchemaId, SchemaNode};

/// Where the parts come from that a document does not give.
#[derive(Debug, Clone, Copy)]
pub enum Layers<'a> {
    /// From nowhere: it stands alone.
    Alone,
    /// It is laid over something else.
    Over {
        /// How.
        style: Style,
        /// Over what.
        below: Base<'a>,
    },
}

/// How a document is laid over what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// A `#@data/values` document: merged in exact mode, arrays append (docs/ytt.md 11.2).
    Annotated,
    /// A plain values file: unknown keys go through to the type check, arrays replace (docs/ytt.md 11.3).
    Plain,
    /// A flag's nested maps: as plain, but what stands `depth` levels down replaces (docs/ytt.md 11.4).
    Flag {
        /// Number of map levels the flag's key names.
        depth: usize,
    },
}

/// What a document is laid over.
#[derive(Debug, Clone, Copy)]
pub enum Base<'a> {
    /// The defaults of the schema: these are the first values.
    Defaults,
    /// The result of merging so far.
    Merged(&'a Node),
    /// Other values may come before that are not at hand; only what holds in any case is said.
    Unknown,
}

/// Which questions are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Checks {
    /// Kinds of values, keys that are missing or not declared.
    pub types: bool,
    /// What of the schema is no mistake but good to know: what is deprecated.
    pub notices: bool,
    /// Bounds.
    pub rules: bool,
    /// How many keys that nobody names a map has, which only the whole of it tells.
    pub counts: bool,
}

impl Checks {
    /// All of them.
    pub const ALL: Checks = Checks { types: true, notices: true, rules: true, counts: true };
    /// Bounds are looked at elsewhere.
    pub const WITHOUT_RULES: Checks = Checks { rules: false, counts: false, ..Checks::ALL };
    /// Types alone: of a default or an example, or of what functions of overlays made, which shows nowhere else
    /// (docs/ytt.md 12, 14).
    pub const TYPES: Checks = Checks { types: true, notices: false, rules: false, counts: false };
    /// Bounds alone, of a value whose types are checked already (docs/ytt.md 13).
    pub const RULES: Checks = Checks { types: false, notices: false, rules: true, counts: true };
    /// What of types only the merged values tell.
    pub const COUNTS: Checks = Checks { rules: false, ..Checks::RULES };
}

/// A finding with the place of the value as steps, for those who compare documents.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// What is wrong.
    pub diagnostic: Diagnostic,
    /// The value it is about.
    pub steps: Vec<Step>,
}

/// What a check found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Findings {
    /// In no particular order; see [`crate::limit`].
    pub findings: Vec<Finding>,
    /// Further ones that were only counted.
    pub more: usize,
}

impl Findings {
    /// The diagnostics alone.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.findings.into_iter().map(|finding| finding.diagnostic).collect()
    }
}

/// A check of one document's values.
#[derive(Clone, Copy)]
pub struct ValuesCheck<'a> {
    /// What the values must fit.
    pub schema: &'a Schema,
    /// What they are laid over.
    pub layers: Layers<'a>,
    /// What is asked about them.
    pub checks: Checks,
    /// Text of the values file.
    pub source: &'a dyn Source,
}

/// What to check: a value and what holds it.
#[derive(Debug, Clone, Copy)]
pub struct Root<V> {
    /// The value.
    pub value: V,
    /// What to point at when the value as a whole is wrong: the `---` marker, a key.
    pub name: Span,
    /// Overlay annotations of the document.
    pub overlay: Overlay,
    /// It is a value by itself, such as a default, and no document.
    pub is_value: bool,
}

impl<V> Root<V> {
    /// A document's value, without annotations.
    pub fn new(value: V, name: Span) -> Self {
        Root { value, name, overlay: Overlay::default(), is_value: false }
    }
}

impl<'n> Root<NodeView<'n>> {
    /// A document's content; none if code decides whether the document is there.
    pub fn document(document: &'n Document) -> Option<Self> {
        if document.conditional {
            return None;
        }
        Some(Root {
            value: NodeView(&document.value),
            name: document.marker.unwrap_or(document.value.span),
            overlay: Overlay::read(&document.notes),
            is_value: false,
        })
    }
}

impl<'a> ValuesCheck<'a> {
    /// All checks of a document that is laid over the schema's defaults.
    pub fn over_defaults(schema: &'a Schema, style: Style, source: &'a dyn Source) -> Self {
        let layers = Layers::Over { style, below: Base::Defaults };
        ValuesCheck { schema, layers, checks: Checks::ALL, source }
    }

    /// All checks of a value that stands alone.
    pub fn alone(schema: &'a Schema, source: &'a dyn Source) -> Self {
        ValuesCheck { schema, layers: Layers::Alone, checks: Checks::ALL, source }
    }

    /// The same check, which asks less.
    #[must_use]
    pub fn asking(self, checks: Checks) -> Self {
        ValuesCheck { checks, ..self }
    }

    /// Whether it is a document's value, into which defaults are filled, and no default itself.
    fn fills_defaults(&self) -> bool {
        self.checks == Checks::ALL && matches!(self.layers, Layers::Alone)
    }

    /// Whether null may stand where a node holds: because the node takes it, or because its default takes the place.
    fn takes_null(&self, node: &SchemaNode) -> bool {
        let filled = || self.schema.semantics().filled == Filled::MissingAndNull && self.fills_defaults();
        node.nullable || node.default.is_some() && filled()
    }

    /// The items of a map, with keys as the schema's language names them.
    pub(crate) fn entries<V: View>(&self, value: V) -> impl Iterator<Item = Entry<V>> + use<V> {
        let keys = self.schema.semantics().keys;
        value.entries().map(move |entry| Entry { key: keys.named(entry.key), ..entry })
    }

    /// The style of laying over, if anything is laid over something.
    fn style(&self) -> Option<Style> {
        match self.layers {
            Layers::Alone => None,
            Layers::Over { style, .. } => Some(style),
        }
    }

    /// Whether what is below is known beyond what types say.
    fn is_certain(&self) -> bool {
        !matches!(self.layers, Layers::Over { below: Base::Unknown, .. })
    }

    /// Checks a document's value against the schema's root.
    pub fn run<V: View>(&self, root: Root<V>) -> Findings {
        self.run_at(root, self.schema.root())
    }

    /// Checks a value against one node of the schema.
    pub fn run_at<V: View>(&self, root: Root<V>, id: SchemaId) -> Findings {
        walk::Walk::new(self).run(root, id)
    }

    /// Checks a part of a document, to which `above` leads from the document's root.
    pub(crate) fn run_part<V: View>(
        &self,
        root: Root<V>,
        id: SchemaId,
        above: &[Step],
        memo: Option<(FileId, &mut Memo)>,
    ) -> Findings {
        let walk = walk::Walk::new(self).below(above);
        match memo {
            Some((file, memo)) => walk.with_memo(file, memo).run(root, id),
            None => walk.run(root, id),
        }
    }

    /// As [`ValuesCheck::run`] for a value in the tree of `file`, with what `memo` remembers of the
    /// last time. With `assertions` rules that are code are asked as well; the document has to be the
    /// only one that lies over the defaults, without overlay annotations.
    pub(crate) fn run_with_memo<V: View>(
        &self,
        root: Root<V>,
        file: FileId,
        memo: &mut Memo,
        assertions: Option<&dyn Assertions>,
    ) -> Findings {
        let mut walk = walk::Walk::new(self).with_memo(file, memo);
        if let Some(assertions) = assertions {
            walk = walk.asking(assertions);
        }
        walk.run(root, self.schema.root())
    }
}
