//! Applies moves to a text, one after the other, and compares what it means afterwards with what it has to mean.

use crate::data::Data;
use crate::edit::{Rewrite, Text, beside};
use crate::path::Path;
use crate::plan::Move;
use lofting_document::{Document, FileId, Options, lower};
use lofting_syntax::resolve::Profile;
use std::fmt;

/// Why a text cannot be migrated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// It has a syntax error at this line (from 1).
    Syntax(usize),
    /// A value is in the way: its line, and where it is.
    InTheWay(usize, Path),
    /// A value would be lost: its line, and where it is.
    Lost(usize, Path),
    /// It is written in a way that is not changed: the line, and what is in the way.
    Form(usize, &'static str),
    /// The new text would not mean what it has to mean.
    Differs(Path),
}

impl std::error::Error for Refused {}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Syntax(line) => write!(f, "line {line}: there is a syntax error"),
            Refused::InTheWay(line, path) => {
                write!(f, "line {line}: `{path}` is set already, and one of the two values would be lost")
            }
            Refused::Lost(line, path) => write!(
                f,
                "line {line}: the value of `{path}` would be lost: `discard = true` removes it, and `default` says which \
                 value means nothing"
            ),
            Refused::Form(line, what) => write!(f, "line {line}: {what}: this has to be changed by hand"),
            Refused::Differs(path) => {
                write!(f, "`{path}` is written in a way that cannot be changed safely: this has to be changed by hand")
            }
        }
    }
}

/// Whether moves are meant for a document of a file: its number, from 0, and the document.
pub type IsMeant<'f> = &'f dyn Fn(usize, &Document) -> bool;

/// The text after these moves in some of its documents; the same text if there is nothing to move.
pub fn migrated(text: &str, profile: Profile, moves: &[Move], is_meant: IsMeant<'_>) -> Result<String, Refused> {
    let mut text = text.to_owned();
    let first = Text::read(&text, profile, is_meant);
    if let Some(error) = first.tree.errors_in(profile).first() {
        return Err(Refused::Syntax(first.line(error.range.start)));
    }
    for step in moves {
        let Some(new) = moved(&text, profile, step, is_meant)? else { continue };
        let mut expected = meaning(&text, profile, is_meant);
        expected.iter_mut().filter(|(_, is_meant)| *is_meant).for_each(|(document, _)| document.moved(step));
        let found = meaning(&new, profile, is_meant);
        let is_same = expected.len() == found.len()
            && expected.iter().zip(&found).all(|((one, was), (other, is))| one.is_same(other) && was == is);
        if !is_same || comments(&new) != comments(&text) {
            return Err(Refused::Differs(step.path().clone()));
        }
        text = new;
    }
    Ok(text)
}

/// The text after a move; None if there is nothing to move.
fn moved(text: &str, profile: Profile, step: &Move, is_meant: IsMeant<'_>) -> Result<Option<String>, Refused> {
    let edits = Text::read(text, profile, is_meant).edits(step)?;
    if edits.is_empty() {
        return Ok(None);
    }
    let differs = || Refused::Differs(step.path().clone());
    let mut new = applied(text, edits).ok_or_else(differs)?;
    // The parts are beside each other now, under names that are not used, and each of them moves like any other key.
    if let Move::Split { from, to, .. } = step {
        for (index, target) in to.iter().enumerate() {
            let key = Move::key(beside(from, index), target.path.clone()).map_err(|_| differs())?;
            new = moved(&new, profile, &key, is_meant)?.ok_or_else(differs)?;
        }
    }
    Ok(Some(new))
}

/// What the documents of a text mean, and whether moves are meant for each.
fn meaning(text: &str, profile: Profile, is_meant: IsMeant<'_>) -> Vec<(Data, bool)> {
    let tree = lofting_syntax::parse(text);
    let lowered = lower(FileId(0), &tree, profile, Options::default());
    let documents = lowered.documents.iter().enumerate().filter(|(_, document)| !document.value.missing);
    documents.map(|(number, document)| (Data::of(&document.value, text), is_meant(number, document))).collect()
}

/// The ordinary comments, whatever their order is.
fn comments(text: &str) -> Vec<String> {
    let tree = lofting_syntax::parse(text);
    let all = tree.comments().map(|comment| comment.text().trim_end().to_owned());
    let mut all: Vec<String> = all.filter(|comment| !comment.starts_with("#@")).collect();
    all.sort();
    all
}

fn applied(text: &str, mut edits: Vec<Rewrite>) -> Option<String> {
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for Rewrite { range, new } in edits {
        out.push_str(text.get(at..range.start)?);
        out.push_str(&new);
        at = range.end;
    }
    out.push_str(text.get(at..)?);
    Some(out)
}
