//! Checks values against a schema (docs/ytt.md 9.4, 11, 12, 13).
//!
//! The walk visits the value and the schema together, with an explicit stack, so neither nesting nor size of the input
//! is a danger. Unlike ytt it continues after the first failing stage, and notes for every finding at which stage ytt
//! would have stopped.

pub use crate::finding::{Finding, Findings};
pub use crate::layers::{Base, Layers, Style};
pub use code::{Answer, AssertionCall, Assertions, CallValue, Context, LongValue, NoAssertions};

mod bounds;
pub(crate) mod code;
mod left;
mod walk;

pub(crate) use walk::MergedEntries;

use crate::bound::MADE;
use crate::memo::{CheckMemo, MetPlaces};
use crate::path::Step;
use crate::view::{Entry, NodeView, Overlay, Source, View};
use lofting_document::{Document, FileId, Span};
use lofting_schema::semantics::Required;
use lofting_schema::{Schema, SchemaId, SchemaNode};

/// Which rules are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Checks {
    /// Types, and missing and undeclared keys.
    pub types: bool,
    /// Notices about deprecated values.
    pub notices: bool,
    /// Bounds.
    pub rules: bool,
    /// The number of undeclared keys in a map, which only the whole map tells.
    pub counts: bool,
    /// The value is taken as it is: the defaults of keys that it lacks are not added.
    pub is_raw: bool,
}

impl Checks {
    /// All rules.
    pub const ALL: Checks = Checks { types: true, notices: true, rules: true, counts: true, is_raw: false };
    /// Everything except bounds, which are checked elsewhere.
    pub const WITHOUT_RULES: Checks = Checks { rules: false, counts: false, ..Checks::ALL };
    /// Types only: for a default or example, or for values that functions of overlays made (docs/ytt.md 12, 14).
    pub const TYPES: Checks = Checks { types: true, notices: false, rules: false, counts: false, is_raw: false };
    /// Bounds only, for a value whose types were checked before (docs/ytt.md 13).
    pub const RULES: Checks = Checks { types: false, notices: false, rules: true, counts: true, is_raw: false };
    /// The part of the type check that needs the merged values.
    pub const COUNTS: Checks = Checks { rules: false, ..Checks::RULES };
}

/// A check of one document's values.
#[derive(Clone, Copy)]
pub struct ValuesCheck<'a> {
    /// The schema that the values have to fit.
    pub schema: &'a Schema,
    /// What the values are merged into.
    pub layers: Layers<'a>,
    /// Which rules are checked.
    pub checks: Checks,
    /// The text of the values file.
    pub source: &'a dyn Source,
    /// Findings that are made; further ones are only counted. Usually [`MADE`], of each rule.
    pub limit: usize,
}

/// The value to check, and its context.
#[derive(Debug, Clone, Copy)]
pub struct Root<V> {
    /// The value.
    pub value: V,
    /// Where to report something about the value as a whole: the `---` marker, a key.
    pub name: Span,
    /// Overlay annotations of the document.
    pub overlay: Overlay,
    /// It is a single value, such as a default, instead of a document.
    pub is_value: bool,
}

impl<V> Root<V> {
    /// The value of a document without annotations.
    pub fn new(value: V, name: Span) -> Self {
        Root { value, name, overlay: Overlay::default(), is_value: false }
    }
}

impl<'n> Root<NodeView<'n>> {
    /// The content of a document; None if code decides whether the document exists.
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
    /// All checks of a document that is merged into the schema's defaults.
    pub fn over_defaults(schema: &'a Schema, style: Style, source: &'a dyn Source) -> Self {
        let layers = Layers::Over { style, below: Base::Defaults };
        ValuesCheck { schema, layers, checks: Checks::ALL, source, limit: MADE }
    }

    /// All checks of a value that stands alone.
    pub fn alone(schema: &'a Schema, source: &'a dyn Source) -> Self {
        ValuesCheck { schema, layers: Layers::Alone, checks: Checks::ALL, source, limit: MADE }
    }

    /// This check with fewer rules.
    #[must_use]
    pub fn asking(self, checks: Checks) -> Self {
        ValuesCheck { checks, ..self }
    }

    /// This check with another limit for the number of findings.
    #[must_use]
    pub fn up_to(self, limit: usize) -> Self {
        ValuesCheck { limit, ..self }
    }

    /// Whether the value is that of a document, to which defaults are added, and not a default itself.
    fn fills_defaults(&self) -> bool {
        self.checks == Checks::ALL && matches!(self.layers, Layers::Alone)
    }

    /// Whether a key that is not written has a value nevertheless.
    fn has_default(&self, id: Option<SchemaId>) -> bool {
        self.schema.semantics().required == Required::AfterDefaults
            && !self.checks.is_raw
            && id.is_some_and(|id| self.schema.node(id).default.is_some())
    }

    /// Whether null is allowed for a node: because the node accepts it, or because its default replaces it.
    fn takes_null(&self, node: &SchemaNode) -> bool {
        let filled = || self.schema.semantics().filled.is_before_comparing() && self.fills_defaults();
        node.nullable || node.default.is_some() && filled()
    }

    /// The items of a map, with keys in the form that the schema's language uses.
    pub(crate) fn entries<V: View>(&self, value: V) -> impl Iterator<Item = Entry<V>> + use<V> {
        let keys = self.schema.semantics().keys;
        value.entries().map(move |entry| Entry { key: keys.named(entry.key), ..entry })
    }

    /// An entry with the name by which the schema knows its key.
    fn named<V>(&self, entry: Entry<V>) -> Entry<V> {
        Entry { key: self.schema.semantics().keys.named(entry.key), ..entry }
    }

    /// How the document is merged, if it is merged into anything.
    fn style(&self) -> Option<Style> {
        match self.layers {
            Layers::Alone => None,
            Layers::Over { style, .. } => Some(style),
        }
    }

    /// Whether the values it is merged into are known, not only their types.
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

    /// Checks a part of a document; `above` is the path to it from the document's root.
    pub(crate) fn run_part<V: View>(
        &self,
        root: Root<V>,
        id: SchemaId,
        above: &[Step],
        memo: Option<(FileId, &mut CheckMemo)>,
    ) -> Findings {
        let walk = walk::Walk::new(self).below(above);
        match memo {
            Some((file, memo)) => walk.with_memo(file, memo).run(root, id),
            None => walk.run(root, id),
        }
    }

    /// Like [`ValuesCheck::run`], for a value in the tree of `file`, using what `memo` remembers. With `assertions`,
    /// code rules are called as well; then the document must be the only one that is merged into the defaults, and must
    /// have no overlay annotations. `entries` are those of which only merging tells what their annotations do.
    pub(crate) fn run_with_memo<V: View>(
        &self,
        root: Root<V>,
        file: FileId,
        memo: &mut CheckMemo,
        assertions: Option<&dyn Assertions>,
        entries: Option<&dyn MergedEntries>,
    ) -> Findings {
        let mut walk = walk::Walk::new(self).with_memo(file, memo).merging(entries);
        if let Some(assertions) = assertions {
            walk = walk.asking(assertions);
        }
        walk.run(root, self.schema.root())
    }

    /// Like [`ValuesCheck::run_with_memo`], for one of several documents that are merged: with the places where what is found
    /// depends on the others.
    pub(crate) fn run_met<V: View>(&self, root: Root<V>, file: FileId, memo: &mut CheckMemo) -> (Findings, MetPlaces) {
        walk::Walk::new(self).with_memo(file, memo).meeting().run_met(root, self.schema.root())
    }
}
