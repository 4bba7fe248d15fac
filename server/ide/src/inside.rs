//! Languages inside scalars: hover and completion there. The language knows the value of a scalar; this module knows
//! where its parts are written, and how inserted text must be quoted.

use crate::completion_item::{CompletionItem, ItemKind};
use crate::markdown::{Page, Words};
use crate::path::{Step, step_into};
use lofting_dialect::inside::{Inside, Proposal, ProposalKind, TextPlace};
use lofting_document::FileId;
use lofting_schema::{Schema, SchemaId};
use lofting_syntax::resolve::{Profile, needs_quotes, needs_quotes_in_flow};
use lofting_syntax::{Entry, Kind, Origins, Scalar, Tree, ValueKind};
use lofting_workspace::Snapshot;
use std::ops::Range;
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// What a language says about a position, with the surrounding scalar.
pub(crate) struct ScalarInside {
    inside: Inside,
    written: WrittenScalar,
}

/// Where a scalar's text is written.
struct WrittenScalar {
    /// The text, with the spaces between its end and the position.
    text: String,
    origins: Origins,
    style: ValueKind,
    /// Between braces or brackets.
    flow: bool,
    /// Where the scalar ends.
    end: usize,
    /// Bytes of the text without these spaces.
    length: usize,
}

impl WrittenScalar {
    fn of(scalar: &Scalar<'_>, profile: Profile, flow: bool) -> WrittenScalar {
        let text = scalar.value_in(profile).into_owned();
        WrittenScalar {
            length: text.len(),
            origins: scalar.origins(profile),
            style: scalar.style(),
            flow,
            end: scalar.range().end,
            text,
        }
    }

    /// The bytes of the file for a range of the text.
    fn range(&self, range: &Range<usize>) -> Range<usize> {
        let place = |offset: usize| match offset.checked_sub(self.length) {
            Some(after) if after > 0 => self.end + after,
            _ => self.origins.written(offset..offset).start,
        };
        if range.is_empty() || range.end > self.length {
            place(range.start)..place(range.end)
        } else {
            self.origins.written(range.clone())
        }
    }
}

/// What a language says about `offset` (bytes), if it is in a scalar of such a language.
pub(crate) fn at(snapshot: &Snapshot, file: FileId, tree: &Tree, offset: usize) -> Option<ScalarInside> {
    let profile = snapshot.profile(file);
    let (scalar, blanks) = scalar_around(tree, offset)?;
    let (document, path, flow) = way_to(tree, profile, scalar.range().start)?;
    let mut written = WrittenScalar::of(&scalar, profile, flow);
    written.text.push_str(&blanks);
    let at = if blanks.is_empty() { written.origins.meant(offset)? } else { written.text.len() };
    let place = TextPlace { document, path: &path, text: &written.text, offset: at, at: scalar.range().start };
    let inside = snapshot.inside(file, &place)?;
    Some(ScalarInside { inside, written })
}

/// The scalar that contains or precedes an offset, with the spaces between.
fn scalar_around(tree: &Tree, offset: usize) -> Option<(Scalar<'_>, String)> {
    let found = [Some(offset), offset.checked_sub(1)].into_iter().flatten().find_map(|at| tree.scalar_at(at));
    if let Some(scalar) = found.filter(|scalar| scalar.range().start <= offset && offset <= scalar.range().end) {
        return Some((scalar, String::new()));
    }
    // After a plain scalar on its line.
    let line = tree.text(offset.saturating_sub(BLANKS)..offset);
    let content = line.trim_end_matches([' ', '\t']);
    let end = offset - (line.len() - content.len());
    let scalar = tree.scalar_at(end.checked_sub(1)?).filter(|scalar| scalar.range().end == end)?;
    let is_plain = !matches!(scalar.style(), ValueKind::SingleQuoted | ValueKind::DoubleQuoted);
    is_plain.then(|| (scalar, line.get(content.len()..).unwrap_or_default().to_owned()))
}

/// How many spaces may follow a word.
const BLANKS: usize = 16;

/// The index of the document around the value at an offset, the path to it, and whether it is between brackets. `None`
/// for keys.
fn way_to(tree: &Tree, profile: Profile, at: usize) -> Option<(usize, Vec<Step>, bool)> {
    let (number, document) = tree.document_at(at)?;
    let range = document.range();
    if at >= range.end.max(range.start + 1) {
        return None;
    }
    let mut path = Vec::new();
    let mut flow = false;
    for node in tree.path_at(at) {
        match node.kind() {
            Kind::MapEntry => {
                let entry = Entry::cast(node)?;
                if entry.key().is_some_and(|key| key.range().start <= at && at < key.range().end) {
                    return None;
                }
                match step_into(profile, entry) {
                    Step::Nowhere => return None,
                    step => path.push(step),
                }
            }
            Kind::SeqEntry => path.push(Step::Item),
            Kind::FlowMap | Kind::FlowSeq => flow = true,
            _ => {}
        }
    }
    Some((number, path, flow))
}

impl ScalarInside {
    /// The schema node of the value that the word at the position refers to, and the bytes of the word.
    pub fn node(&self) -> Option<(Arc<Schema>, SchemaId, Range<usize>)> {
        let word = self.inside.word.as_ref()?;
        let (schema, node) = word.node.clone()?;
        Some((schema, node, self.written.range(&word.range)))
    }

    /// The hover text for the word at the position, and its bytes.
    pub fn hover(self) -> Option<(Page, Range<usize>)> {
        let word = self.inside.word?;
        let heading = Words::default().code(word.name).ours(": ").ours(word.kind);
        let mut page = Page::from(heading);
        if let Some(definition) = word.definition {
            page = page.code(definition.trim_end());
        }
        for meaning in word.meaning.into_iter().filter(|meaning| !meaning.is_empty()) {
            page = page.description(meaning);
        }
        Some((page, self.written.range(&word.range)))
    }

    /// What can be inserted.
    pub fn items(self, profile: Profile) -> Vec<CompletionItem> {
        let ScalarInside { inside, written } = self;
        let items = inside.proposals.into_iter().enumerate();
        items.filter_map(|(index, proposal)| item(proposal, index, &written, profile)).collect()
    }
}

/// For a value that is still empty: what can be inserted for `replace`, with `lead` before it.
pub(crate) fn items_of_nothing(
    inside: Inside,
    profile: Profile,
    flow: bool,
    replace: &Range<usize>,
    lead: &str,
) -> Vec<CompletionItem> {
    let quoted = |proposal: Proposal| {
        let needs = if flow { needs_quotes_in_flow } else { needs_quotes };
        let text = if needs(profile, &proposal.text) { format!("'{}'", proposal.text) } else { proposal.text.clone() };
        (proposal, text)
    };
    let items = inside.proposals.into_iter().map(quoted).enumerate();
    items.map(|(index, (proposal, text))| made(proposal, index, replace.clone(), format!("{lead}{text}"))).collect()
}

fn item(proposal: Proposal, index: usize, written: &WrittenScalar, profile: Profile) -> Option<CompletionItem> {
    let range = written.range(&proposal.replace);
    let text = match written.style {
        ValueKind::SingleQuoted => proposal.text.replace('\'', "''"),
        ValueKind::DoubleQuoted => lofting_document::write::inside_double_quotes(&proposal.text),
        ValueKind::Plain => {
            let mut whole = written.text.clone();
            let replaced = proposal.replace.start.min(whole.len())..proposal.replace.end.min(whole.len());
            whole.get(replaced.clone())?;
            whole.replace_range(replaced, &proposal.text);
            let needs = if written.flow { needs_quotes_in_flow } else { needs_quotes };
            if needs(profile, whole.trim_end()) {
                // Quotes can only be added if the scalar contains nothing else.
                let is_all = written.text.trim().len() <= proposal.replace.len();
                is_all.then(|| format!("'{}'", proposal.text))?
            } else {
                proposal.text.clone()
            }
        }
        _ => proposal.text.clone(),
    };
    Some(made(proposal, index, range, text))
}

fn made(proposal: Proposal, index: usize, range: Range<usize>, text: String) -> CompletionItem {
    let kind = match proposal.kind {
        ProposalKind::Type => ItemKind::Type,
        ProposalKind::Keyword => ItemKind::Keyword,
        ProposalKind::Value => ItemKind::Value,
        ProposalKind::Field => ItemKind::Key,
        ProposalKind::Variable => ItemKind::Variable,
        ProposalKind::Function => ItemKind::Function,
    };
    CompletionItem {
        filter_text: text.clone(),
        detail: proposal.detail,
        sort_text: format!("A{index:05}"),
        triggers_suggest: proposal.goes_on,
        ..CompletionItem::new(proposal.label, kind, (range, text))
    }
}
