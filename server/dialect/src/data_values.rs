//! The languages for schemas of data values: ytt's own, and those of its two design proposals. The annotation above a
//! document's `---`, its head, tells which one. All documents that form one schema are in one language.

use crate::head::{Form, Head, form};
pub use crate::head::{PROPOSED, is_meant_as_head, is_meant_as_proposal, is_proposal};
use crate::proposals::rules;
use crate::ytt::Ytt;
use crate::{Dialect, Fault, Read, SchemaPart};
use lofting_diagnostic::Diagnostic;
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
    let base = documents.first().and_then(|document| document.heads().next());
    let mixed = |document: &&Document| {
        document.heads().next().zip(base).and_then(|(note, base)| rules::mixed_forms::look(note, base, form))
    };
    let parts = documents.iter().filter(|document| mixed(document).is_none());
    let parts: Vec<SchemaPart<'_>> = parts.map(|document| SchemaPart { document, claim: None, tree: None }).collect();
    let mut read = dialect.read(&parts, host);
    if parts.len() < documents.len() {
        // What the documents mean together is not known.
        read.schema = Read::anything().schema;
    }
    for document in documents {
        let mut heads = document.heads();
        let Some(note) = heads.next() else { continue };
        let of_ytt = |other: &&Note| Head::of(other) == Head::Shipped && Head::of(note) == Head::Shipped;
        // ytt's own head written twice has a rule of its own.
        for second in heads.filter(|other| !of_ytt(other)) {
            let finding = rules::head::finding(second.span, "this document has two heads");
            read.faults.push(Fault::Found(Box::new(finding.related(note.span, "the first"))));
        }
        read.faults.extend(mixed(document).map(|finding| Fault::Found(Box::new(finding))));
    }
    read
}

/// Whether a fault says that documents of one schema are in different languages.
pub fn is_mixed(fault: &Diagnostic) -> bool {
    *fault.rule == rules::mixed_forms::RULE
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
