//! What the values of a document are merged into, and how.

use lofting_document::Node;

/// Where values come from that the document itself does not give.
#[derive(Debug, Clone, Copy)]
pub enum Layers<'a> {
    /// Nothing: it is the only document.
    Alone,
    /// The document is merged into other values.
    Over {
        /// How it is merged.
        style: Style,
        /// What it is merged into.
        below: Base<'a>,
    },
}

/// How a document is merged into other values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// A `#@data/values` document: merged in exact mode, arrays are appended (docs/ytt.md 11.2).
    Annotated,
    /// A plain values file: unknown keys reach the type check, arrays replace (docs/ytt.md 11.3).
    Plain,
    /// The nested maps of a flag: as plain, but the value `depth` levels down replaces (docs/ytt.md 11.4).
    Flag {
        /// Number of map levels in the flag's path.
        depth: usize,
    },
}

/// What a document is merged into.
#[derive(Debug, Clone, Copy)]
pub enum Base<'a> {
    /// The defaults of the schema: the document is the first one.
    Defaults,
    /// The result of merging so far.
    Merged(&'a Node),
    /// Unknown values: other documents may come before this one. Only what holds whatever they contain is reported.
    Unknown,
}
