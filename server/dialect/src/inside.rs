//! What languages say about places inside of scalars, for editors: data without YAML in it. Whoever asks knows where the
//! parts of the text are written, and how what is put in has to be quoted.

use crate::Claim;
use lofting_schema::{Schema, SchemaId, Step};
use std::ops::Range;
use std::sync::Arc;

/// What a language has in a file.
#[derive(Debug, Clone, Copy)]
pub struct Own<'a> {
    /// The parts that it claims, in the order of the text.
    pub claims: &'a [Claim],
    /// The schemas among them, each with the number of its claim.
    pub schemas: &'a [(usize, Arc<Schema>)],
}

/// A place in the text that the scalar of a value means.
#[derive(Debug, Clone, Copy)]
pub struct TextPlace<'a> {
    /// The number of the document in its file, from 0.
    pub document: usize,
    /// The way from the document's root to the scalar. Numbers of items are not known.
    pub path: &'a [Step],
    /// The text; empty where no value is written yet.
    pub text: &'a str,
    /// The bytes of it that stand before the place.
    pub offset: usize,
    /// Where the scalar stands in the file.
    pub at: usize,
}

/// What stands at a place, and what could. Ranges are bytes of the text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inside {
    /// The word there, if something is known of it.
    pub word: Option<Word>,
    /// What could stand there, best first.
    pub proposals: Vec<Proposal>,
}

/// A word with what it means.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    /// Its bytes.
    pub range: Range<usize>,
    /// As it is written.
    pub name: String,
    /// What it is, in a word.
    pub kind: &'static str,
    /// What it means, in sentences.
    pub meaning: Vec<String>,
    /// How it is defined, in the language itself.
    pub definition: Option<String>,
    /// What a schema says about the value that it stands for.
    pub node: Option<(Arc<Schema>, SchemaId)>,
}

/// A text that could stand at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// What is shown.
    pub label: String,
    /// What it is.
    pub kind: ProposalKind,
    /// Further words about it.
    pub detail: Option<String>,
    /// The bytes whose place it takes; the place among them.
    pub replace: Range<usize>,
    /// What is put in.
    pub text: String,
    /// Behind it something has to follow, which can be proposed as well.
    pub goes_on: bool,
}

/// What a proposal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProposalKind {
    /// A type.
    Type,
    /// A word that a value follows.
    Keyword,
    /// A value.
    Value,
    /// A field of a value.
    Field,
    /// A name with a value.
    Variable,
    /// A function or method.
    Function,
}

/// A thing that is named in several places of one file. Ranges are bytes of the file.
#[derive(Debug, Clone)]
pub struct NamedInside {
    /// Its name.
    pub name: String,
    /// What it is, in a word.
    pub kind: &'static str,
    /// The bytes of the name at the place that was asked about.
    pub origin: Range<usize>,
    /// Where it gets the name; empty: nobody says.
    pub declared: Vec<Range<usize>>,
    /// Where it is named.
    pub references: Vec<Range<usize>>,
    /// Why something cannot be its name; none: it can.
    pub refuses: fn(&str) -> Option<String>,
}
