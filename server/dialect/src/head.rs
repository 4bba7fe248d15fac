//! The head of a document for data values: the annotation above its `---`, which tells in which language it is written.

use lofting_document::{Document, Note};

/// The two forms of the design (docs/languages/ytt-proposals.md lists the differences). Code that depends on the form
/// asks its methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// With the head `#@schema/match data_values=True`.
    First,
    /// With the heads `#@schema/definition`, `#@schema` and `#@schema/amend`.
    Second,
}

/// Which language the head of a document stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Head {
    /// ytt's own, including heads that belong to no other language.
    Shipped,
    /// One of the proposals.
    Of(Form),
    /// The proposal that the other documents use.
    Either,
}

impl Head {
    /// The language of an annotation above `---`.
    pub fn of(note: &Note) -> Head {
        match note.name.as_str() {
            "schema/match" => Head::Of(Form::First),
            "schema/definition" => Head::Of(Form::Second),
            "schema" | "schema/amend" => Head::Either,
            _ => Head::Shipped,
        }
    }

    /// The proposal to which a document with this head belongs if it stands alone; None for ytt's own language.
    pub fn alone(self) -> Option<Form> {
        match self {
            Head::Shipped => None,
            Head::Of(form) => Some(form),
            Head::Either => Some(Form::Second),
        }
    }
}

/// The proposal in which the schema of these documents is written, as the first document with a specific head tells.
/// None for ytt's own language.
pub(crate) fn form(documents: &[&Document]) -> Option<Form> {
    let mut heads = documents.iter().filter_map(|document| document.heads().next()).map(Head::of);
    let first = heads.clone().next()?;
    heads.find(|head| *head != Head::Either).unwrap_or(first).alone()
}

/// Whether a document is written in one of the proposals.
pub fn is_proposal(document: &Document) -> bool {
    document.heads().any(|note| Head::of(note) != Head::Shipped)
}

/// The heads of the proposals that say what a schema is for.
pub const PROPOSED: [&str; 2] = ["schema/definition", "schema/match"];

/// Whether an annotation with an unknown name is meant to be one of these heads: only they have its argument.
pub fn is_meant_as_head(note: &Note) -> bool {
    note.name.starts_with("schema") && note.arguments.keyword("data_values").is_some()
}

/// Whether a document is written in one of the proposals, or meant to be.
pub fn is_meant_as_proposal(document: &Document) -> bool {
    is_proposal(document) || document.notes.annotations.iter().any(is_meant_as_head)
}
