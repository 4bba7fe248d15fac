//! Which schema governs a file, and why: the answer of `lofting explain` and of the editors' command.

use crate::markdown::{Marked, Markup, Page, Words};
use lofting_document::FileId;
use lofting_text::{Breaks, visible};
use lofting_workspace::{Association, Reason, Snapshot};
use std::path::{Path, PathBuf};

#[cfg(test)]
mod tests;

/// What begins a schema.
const SCHEMA_ANNOTATION: &str = "#@data/values-schema";

/// What is known about the schema of one file.
pub struct Explanation<'a> {
    snapshot: &'a Snapshot,
    file: FileId,
    association: Association,
}

/// Asks which schema governs `file`, with the texts as `snapshot` has them.
pub fn explain(snapshot: &Snapshot, file: FileId) -> Explanation<'_> {
    Explanation { snapshot, file, association: snapshot.association(file) }
}

impl Explanation<'_> {
    /// Lines for a terminal. `shown` names a file.
    pub fn plain(&self, shown: impl Fn(FileId) -> String) -> String {
        let mut text = format!("{}\n", shown(self.file));
        if self.association.schema.is_none() {
            text += "  schema: none\n";
        }
        for schema in self.association.schemas() {
            let set = schema.set.as_ref().map(|set| format!(" (input set {})", visible(set, Breaks::Shown)));
            let set = set.unwrap_or_default();
            let files: Vec<_> = schema.state.files.iter().map(|file| shown(*file)).collect();
            text += &format!("  schema: {}{set}\n", files.join(", "));
        }
        text += &format!("  why: {}\n", visible(&self.association.reason.to_string(), Breaks::Shown));
        text
    }

    /// A page of Markdown with links to the schema and to what chose it. `uri` gives the address of a file.
    pub fn markdown(&self, uri: impl Fn(&Path) -> String) -> Marked {
        let snapshot = self.snapshot;
        let name = |file| snapshot.shown_path(file);
        let link_to = |file: &FileId| {
            let line = line_of(snapshot, *file, SCHEMA_ANNOTATION);
            Words::default().place(name(*file), uri(snapshot.path(*file)), line)
        };
        let about = |label: &'static str| Words::default().ours(label);
        let mut list = Vec::new();
        for schema in self.association.schemas() {
            let words = about("**Schema**: ").words(Words::list(schema.state.files.iter().map(link_to)));
            list.push(match schema.set.as_deref() {
                Some(set) => words.ours(" (input set ").code(set).ours(")"),
                None => words,
            });
        }
        if self.association.schema.is_none() {
            list.push(about("**Schema**: none"));
        }
        list.push(about("**Why**: ").quoting(self.association.reason.to_string()));
        if let Some((label, path, line)) = self.chosen_by() {
            list.push(about("**Chosen in**: ").place(label, uri(&path), line));
        }
        let page = Page::default().title(name(self.file)).list(list);
        let page = match self.association.schema.is_none() && can_be_governed(&self.association.reason) {
            true => page.words(Words::default().ours(
                "To name one, write `#! lofting: schema=PATH` at the top of the file, or say in `lofting.toml` which \
                 files belong together.",
            )),
            false => page,
        };
        page.marked(Markup::Markdown)
    }

    /// The place that chose the schema, if it is one in a file: its label, path, and line (from 0).
    fn chosen_by(&self) -> Option<(String, PathBuf, usize)> {
        let snapshot = self.snapshot;
        // Reasons name files as they are shown, relative to the one workspace folder.
        let path = |shown: &str| {
            let mut roots = snapshot.roots();
            let root = roots.next().filter(|_| roots.next().is_none())?;
            Some(root.join(shown))
        };
        match &self.association.reason {
            Reason::Modeline { schema } | Reason::ModelineBroken { schema, .. } => {
                let line = line_of(snapshot, self.file, schema);
                Some((snapshot.shown_path(self.file), snapshot.path(self.file).to_owned(), line))
            }
            Reason::Sets { config, .. } => Some((config.clone(), path(config)?, 0)),
            Reason::Command { place, .. } => {
                let (file, line) = place.rsplit_once(':')?;
                let line: usize = line.parse().ok()?;
                Some((place.clone(), path(file)?, line.saturating_sub(1)))
            }
            _ => None,
        }
    }
}

/// Whether naming a schema would make sense: others are no data values for good.
fn can_be_governed(reason: &Reason) -> bool {
    matches!(
        reason,
        Reason::NoSchema { .. } | Reason::Several { .. } | Reason::NotValues | Reason::ModelineBroken { .. }
    )
}

/// The first line (from 0) that has `part`; 0 without one.
fn line_of(snapshot: &Snapshot, file: FileId, part: &str) -> usize {
    let text = snapshot.text(file);
    (0..text.line_count()).find(|line| text.slice(text.line_range(*line)).contains(part)).unwrap_or(0)
}
