//! The languages for schemas of data values: ytt's own, and those of its two design proposals. The annotation above a
//! document's `---`, its head, tells which one. All documents that form one schema are in one language.

use crate::proposals::{Form, rules};
use crate::ytt::Ytt;
use crate::{Dialect, Fault, Part, Read};
use lofting_document::{Document, Note};
use lofting_overlay::{Functions, NoFunctions};

/// All languages for data values.
pub static LANGUAGES: [&dyn Dialect; 3] = [&Ytt, &Form::First, &Form::Second];

/// Which language the head of a document stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Head {
    /// ytt's own, also for heads that belong to no other language.
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

/// Reads the schema that documents form together, in the order in which they are merged.
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
        // ytt's own head written twice has a rule of its own.
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

/// Like [`read_with`], without an evaluator.
pub fn read(documents: &[&Document]) -> Read {
    read_with(documents, &NoFunctions)
}

impl Read {
    /// A schema without any rules.
    pub fn anything() -> Read {
        crate::Dialect::read(&Ytt, &[], &NoFunctions)
    }
}
