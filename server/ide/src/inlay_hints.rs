//! Inlay hints: facts that are not written in a text, shown between its words.
//!
//! Each kind of hint is a file and a line in [`KINDS`]. All kinds look only at the requested lines.

mod aliases;
mod defaults;
mod entries;
mod final_values;
mod parameters;
#[cfg(test)]
mod tests;
mod types;

use entries::{Here, entries};
use lofting_document::{FileId, Span};
use lofting_syntax::Tree;
use lofting_text::Text;
use lofting_workspace::{FileKind, Snapshot};
use std::ops::Range;
use std::sync::Arc;

/// A hint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlayHint {
    /// The offset (bytes) at which it is shown.
    pub offset: usize,
    /// Its text, in parts that can lead elsewhere.
    pub parts: Vec<HintPart>,
    /// Its relation to the surrounding text.
    pub role: HintRole,
}

/// A part of a hint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HintPart {
    /// What is shown.
    pub text: String,
    /// Where it leads.
    pub target: Option<Span>,
}

/// The relation of a hint to the surrounding text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HintRole {
    /// The type of what precedes it.
    Type,
    /// The name of what follows it.
    Parameter,
    /// A value, after what it results from or what it overrides.
    Value,
}

/// A kind of hint.
struct HintKind {
    /// Its name in the settings: `lofting.inlayHints.NAME`.
    name: &'static str,
    /// Whether it is shown by default.
    is_usual: bool,
    /// Adds the hints of a part of a file.
    find: fn(&HintedPart<'_>, &mut Vec<InlayHint>),
}

/// All kinds.
static KINDS: [HintKind; 5] = [final_values::KIND, defaults::KIND, types::KIND, aliases::KIND, parameters::KIND];

/// Which kinds of hints are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HintChoices([bool; KINDS.len()]);

impl Default for HintChoices {
    fn default() -> Self {
        HintChoices(std::array::from_fn(|index| KINDS.get(index).is_some_and(|kind| kind.is_usual)))
    }
}

impl HintChoices {
    /// The kinds by their names in settings, each with whether it is shown.
    pub fn by_name(&mut self) -> impl Iterator<Item = (&'static str, &mut bool)> {
        KINDS.iter().map(|kind| kind.name).zip(&mut self.0)
    }
}

/// The maximum number of hints in one answer: more would not be readable.
const MAX_HINTS: usize = 5_000;

/// The hints of the lines that `range` (bytes) touches, in order.
pub fn inlay_hints(snapshot: &Snapshot, file: FileId, range: Range<usize>, choices: &HintChoices) -> Vec<InlayHint> {
    let part = HintedPart::new(snapshot, file, range);
    let mut hints = Vec::new();
    for (kind, is_chosen) in KINDS.iter().zip(choices.0) {
        if is_chosen {
            (kind.find)(&part, &mut hints);
        }
    }
    hints.retain(|hint| part.range.contains(&hint.offset) || hint.offset == part.range.end);
    // Those at one position stay in the order of their kinds.
    hints.sort_by_key(|hint| hint.offset);
    hints.truncate(MAX_HINTS);
    hints
}

/// A part of a file.
struct HintedPart<'s> {
    snapshot: &'s Snapshot,
    file: FileId,
    kind: FileKind,
    tree: Arc<Tree>,
    text: Text,
    /// Whole lines, in bytes.
    range: Range<usize>,
}

impl<'s> HintedPart<'s> {
    fn new(snapshot: &'s Snapshot, file: FileId, range: Range<usize>) -> Self {
        let (tree, text) = (snapshot.tree(file), snapshot.text(file));
        let line = |offset: usize| text.line_range(text.line_of(offset.min(text.len())));
        let range = line(range.start).start..line(range.end).end;
        HintedPart { snapshot, file, kind: snapshot.kind(file), tree, text, range }
    }

    /// The entries and items that begin in the part.
    fn entries(&self) -> Vec<Here<'_>> {
        entries(&self.tree, self.snapshot.profile(self.file), self.range.clone())
    }

    /// After the value of an entry, or after its part on the line of its key.
    fn after(&self, here: &Here<'_>) -> usize {
        let value = here.value.range();
        let line = self.text.line_range(self.text.line_of(here.start));
        if here.value.is_missing() && here.value.anchor().is_none() && here.value.tag().is_none() {
            return here.head_end;
        }
        if value.start >= line.end {
            return here.head_end;
        }
        if value.end <= line.end {
            return value.end.max(here.head_end);
        }
        let on_line = self.text.slice(line.start..line.end);
        line.start + on_line.trim_end().len()
    }
}

/// A hint with one part, without a link.
fn plain(offset: usize, text: String, role: HintRole) -> InlayHint {
    InlayHint { offset, parts: vec![HintPart { text, target: None }], role }
}

/// Words joined with commas, as many as fit on a line; the rest becomes an ellipsis.
fn listed(words: impl IntoIterator<Item = String>) -> String {
    const MOST: usize = 60;
    let mut line = String::new();
    for word in words {
        let gap = if line.is_empty() { "" } else { ", " };
        if !line.is_empty() && line.chars().count() + word.chars().count() > MOST {
            return line + ", …";
        }
        line.push_str(gap);
        line.push_str(&word);
    }
    line
}
