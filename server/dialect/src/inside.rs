//! Places inside scalars that a language parses, for editors. This is data without YAML in it: the caller knows where
//! the parts of the text are written in the file, and how inserted text has to be quoted.

use crate::{Claim, Role};
use lofting_schema::{Schema, SchemaId, Step};
use lofting_syntax::Value;
use std::ops::Range;
use std::sync::Arc;

/// The claims of a language in a file.
pub trait OwnClaims {
    /// All of them, in the order of the text.
    fn all(&self) -> &[Claim];

    /// Those in the document with this index.
    fn in_document(&self, document: usize) -> &[Claim] {
        let all = self.all();
        let start = all.partition_point(|claim| claim.document < document);
        let end = all.partition_point(|claim| claim.document <= document);
        all.get(start..end).unwrap_or_default()
    }

    /// Their roles, without names and references. Claims of a long stream have few roles.
    fn roles(&self) -> Box<dyn Iterator<Item = &Role> + '_>;
}

impl OwnClaims for Vec<Claim> {
    fn all(&self) -> &[Claim] {
        self
    }

    fn roles(&self) -> Box<dyn Iterator<Item = &Role> + '_> {
        Box::new(self.iter().map(|claim| &claim.role))
    }
}

/// What a language has claimed in a file.
#[derive(Clone, Copy)]
pub struct Own<'a> {
    /// Its claims.
    pub claims: &'a dyn OwnClaims,
    /// The schemas among them, each with the index of its claim.
    pub schemas: &'a [(usize, &'a dyn OwnSchema)],
}

/// A schema in a file, which may be read only when it is asked for.
pub trait OwnSchema {
    /// The schema.
    fn schema(&self) -> &Arc<Schema>;
}

impl OwnSchema for Arc<Schema> {
    fn schema(&self) -> &Arc<Schema> {
        self
    }
}

/// A place in the text of a scalar.
#[derive(Debug, Clone, Copy)]
pub struct TextPlace<'a> {
    /// The index of the document in its file, from 0.
    pub document: usize,
    /// The path from the document's root to the scalar. Indices of items are not known.
    pub path: &'a [Step],
    /// The text of the scalar; empty if no value is written yet.
    pub text: &'a str,
    /// The byte offset of the place in the text.
    pub offset: usize,
    /// The offset of the scalar in the file.
    pub at: usize,
}

/// What is at a place and what could be inserted there. Ranges are bytes of the text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inside {
    /// The word at the place, if something is known about it.
    pub word: Option<Word>,
    /// What could be inserted, best first.
    pub proposals: Vec<Proposal>,
}

/// A word and its meaning.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    /// Its bytes.
    pub range: Range<usize>,
    /// As it is written.
    pub name: String,
    /// Its kind, in one word.
    pub kind: &'static str,
    /// Its meaning, in sentences.
    pub meaning: Vec<String>,
    /// Its definition, in the language itself.
    pub definition: Option<String>,
    /// The schema node of the value that it stands for.
    pub node: Option<(Arc<Schema>, SchemaId)>,
}

/// A text that could be inserted at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The label.
    pub label: String,
    /// Its kind.
    pub kind: ProposalKind,
    /// Details to show beside the label.
    pub detail: Option<String>,
    /// The bytes that it replaces, which contain the place.
    pub replace: Range<usize>,
    /// The inserted text.
    pub text: String,
    /// Something has to follow it that can be proposed as well.
    pub goes_on: bool,
}

/// The kind of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProposalKind {
    /// A type.
    Type,
    /// A word that is followed by a value.
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

/// A place where code names a field of a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldUse {
    /// The bytes of the name in the file, without quotes.
    pub range: Range<usize>,
    /// Only names that are plain words are allowed there.
    pub is_word: bool,
}

/// Something that occurs by name in several places of one file. Ranges are bytes of the file.
#[derive(Debug, Clone)]
pub struct NamedInside {
    /// Its name.
    pub name: String,
    /// Its kind, in one word.
    pub kind: &'static str,
    /// The bytes of the name at the requested place.
    pub origin: Range<usize>,
    /// Where it is declared; empty if it is not declared in the file.
    pub declared: Vec<Range<usize>>,
    /// Where it is referred to.
    pub references: Vec<Range<usize>>,
    /// Returns why a text cannot be its new name; None if it can.
    pub refuses: fn(&str) -> Option<String>,
}

/// A place in a document, whose text a language may read.
#[derive(Debug, Clone, Copy)]
pub struct TextsAt<'a> {
    /// The index of the document in its file, from 0.
    pub document: usize,
    /// The content of the document.
    pub root: Value<'a>,
    /// The path from there. Indices of items are not known.
    pub path: &'a [Step],
}

/// Takes a text apart, for colours. Words are in order, and do not overlap.
pub type TextReader = fn(&str) -> Vec<TextWord>;

/// A word with its bytes in the text.
pub type TextWord = (Range<usize>, TextWordKind);

/// Compares the words of a text, shown with their kinds, with those expected.
#[cfg(test)]
#[track_caller]
pub(crate) fn check_words(read: TextReader, text: &str, expected: &str) {
    let found = read(text);
    let shown: Vec<_> = found.iter().map(|(range, kind)| format!("{kind:?} {}", &text[range.clone()])).collect();
    assert_eq!(shown.join(", "), expected);
    assert!(found.windows(2).all(|pair| pair[0].0.end <= pair[1].0.start), "{found:?}");
}

/// What a word of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextWordKind {
    /// What separates the language from the text around it.
    Mark,
    /// The name of a type.
    Type,
    /// A name that is given a value.
    Option,
    /// An operator.
    Operator,
    /// A name with a value.
    Variable,
    /// A function or method.
    Function,
    /// A field of a value.
    Field,
    /// A word of the language.
    Keyword,
    /// Text.
    String,
    /// A number.
    Number,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_of_a_document() {
        let claim = |document, start| Claim { document, at: Vec::new(), key: start..start + 1, role: Role::Template };
        let claims: Vec<Claim> =
            [(0, 0), (2, 4), (2, 9), (3, 12), (7, 40)].map(|(number, at)| claim(number, at)).into();
        for document in 0..9 {
            let wanted: Vec<&Claim> = claims.iter().filter(|claim| claim.document == document).collect();
            assert_eq!(claims.in_document(document).iter().collect::<Vec<_>>(), wanted, "{document}");
        }
    }
}
