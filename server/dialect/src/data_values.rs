//! The languages in which schemas of data values are written: ytt's own, and those of its two design proposals. The
//! annotation above a document's `---` tells which, and all documents that are one schema together are of one language.

use crate::proposals::{Form, rules};
use crate::ytt::Ytt;
use crate::{Dialect, Fault, Part, Read};
use lofting_document::{Document, Note};
use lofting_overlay::{Functions, NoFunctions};

/// Every language of data values.
pub static LANGUAGES: [&dyn Dialect; 3] = [&Ytt, &Form::First, &Form::Second];

/// What a head says about the language of its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Head {
    /// ytt's own, and what is no head of another language.
    Shipped,
    /// One of the proposals.
    Of(Form),
    /// The proposal that the other documents are written for.
    Either,
}

impl Head {
    /// What an annotation above `---` says.
    pub fn of(note: &Note) -> Head {
        match note.name.as_str() {
            "schema/match" => Head::Of(Form::First),
            "schema/definition" => Head::Of(Form::Second),
            "schema" | "schema/amend" => Head::Either,
            _ => Head::Shipped,
        }
    }

    /// The proposal that a document of this head is written for if there is no other; none: it is ytt's own.
    pub fn alone(self) -> Option<Form> {
        match self {
            Head::Shipped => None,
            Head::Of(form) => Some(form),
            Head::Either => Some(Form::Second),
        }
    }
}

/// The proposal that a schema of these documents is written for: that of the first which says one. None: ytt's own.
pub(crate) fn form(documents: &[&Document]) -> Option<Form> {
    let mut heads = documents.iter().filter_map(|document| document.heads().next()).map(Head::of);
    let first = heads.clone().next()?;
    heads.find(|head| *head != Head::Either).unwrap_or(first).alone()
}

/// Whether a document is written for one of the proposals.
pub fn is_proposal(document: &Document) -> bool {
    document.heads().any(|note| Head::of(note) != Head::Shipped)
}

/// Reads the schema that documents give together, in the order in which they are laid over each other.
pub fn read_with(documents: &[&Document], host: &dyn Functions) -> Read {
    let form = form(documents);
    let dialect: &dyn Dialect = match form {
        Some(Form::First) => &Form::First,
        Some(Form::Second) => &Form::Second,
        None => &Ytt,
    };
    let parts: Vec<Part<'_>> = documents.iter().map(|document| Part { document, claim: None, tree: None }).collect();
    let mut read = dialect.read(&parts, host);
    let base = documents.first().and_then(|document| document.heads().next());
    for document in documents {
        let mut heads = document.heads();
        let Some(note) = heads.next() else { continue };
        let of_ytt = |other: &&Note| Head::of(other) == Head::Shipped && Head::of(note) == Head::Shipped;
        // That ytt's own stands twice has a rule of its own.
        for second in heads.filter(|other| !of_ytt(other)) {
            let finding = rules::head::finding(second.span, "this document has two heads");
            read.faults.push(Fault::Found(Box::new(finding.related(note.span, "the first"))));
        }
        let differs = Head::of(note) != Head::Either && Head::of(note).alone() != form;
        if let (true, Some(base)) = (differs, base) {
            read.faults.push(Fault::Found(Box::new(rules::mixed_forms::finding(note.span, base.span))));
        }
    }
    read
}

/// The same without an evaluator.
pub fn read(documents: &[&Document]) -> Read {
    read_with(documents, &NoFunctions)
}

impl Read {
    /// The schema of nothing: anything goes.
    pub fn anything() -> Read {
        crate::Dialect::read(&Ytt, &[], &NoFunctions)
    }
}
