//! The languages for schemas of data values: ytt's own, and those of its two design proposals. The annotation above a
//! document's `---`, its head, tells which one. All documents that form one schema are in one language.

pub use crate::head::is_proposal;
use crate::head::{Form, Head, form};
use crate::proposals::rules;
use crate::ytt::Ytt;
use crate::{Dialect, Fault, Read, SchemaPart};
use lofting_document::{Document, Note};
use lofting_overlay::{Functions, NoFunctions};

/// All languages for data values.
pub static LANGUAGES: [&dyn Dialect; 3] = [&Ytt, &Form::First, &Form::Second];

/// Reads the schema that documents form together, in the order in which they are merged.
pub fn read_with(documents: &[&Document], host: &dyn Functions) -> Read {
    let form = form(documents);
    let dialect: &dyn Dialect = match form {
        Some(Form::First) => &Form::First,
        Some(Form::Second) => &Form::Second,
        None => &Ytt,
    };
    let parts: Vec<SchemaPart<'_>> =
        documents.iter().map(|document| SchemaPart { document, claim: None, tree: None }).collect();
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
        let mixed = base.and_then(|base| rules::mixed_forms::look(note, base, form));
        read.faults.extend(mixed.map(|finding| Fault::Found(Box::new(finding))));
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
        crate::ReadsSchemas::read(&Ytt, &[], &NoFunctions)
    }
}
