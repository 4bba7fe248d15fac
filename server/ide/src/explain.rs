//! Explains which schema governs a file, and why: for `lofting explain` and the editors' command.

use crate::markdown::{Marked, Markup, Page, Words};
use lofting_document::FileId;
use lofting_text::{Breaks, visible};
use lofting_workspace::{Association, Governed, NamedBy, PartNaming, Reason, SetFiles, Snapshot, normalise};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// The head of a schema document.
const SCHEMA_ANNOTATION: &str = "#@data/values-schema";

/// How many sets are described, and how many files of each are listed, so that the page stays readable.
const SETS: usize = 3;
const FILES: usize = 12;

/// How many names of schemas a status has.
const NAMES: usize = 12;

/// What is known about the schema of a file.
pub struct Explanation<'a> {
    snapshot: &'a Snapshot,
    file: FileId,
    association: Arc<Association>,
}

/// The explanation in a few words, for a status bar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// The files of the schema that governs the file as a whole; none: no schema does.
    pub schema: Vec<FileId>,
    /// What its other schemas are called, each once: those of the program, and those of its parts.
    pub names: Vec<String>,
    /// Why, in a sentence or two.
    pub reason: String,
    /// The input sets of `lofting.toml`s that the file is a part of.
    pub sets: Vec<String>,
}

/// The files of a schema that governs a file as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoverningFiles {
    /// The files; none if the schema is part of the program.
    pub files: Vec<FileId>,
    /// What it is, in words, if it is part of the program.
    pub built_in: Option<String>,
    /// The input set in which it governs the file, if that has a name.
    pub set: Option<String>,
}

/// Finds out which schema governs `file` in a snapshot.
pub fn explain(snapshot: &Snapshot, file: FileId) -> Explanation<'_> {
    Explanation { snapshot, file, association: snapshot.association(file) }
}

impl Explanation<'_> {
    /// The explanation as lines for a terminal. `shown` names a file.
    pub fn plain(&self, shown: impl Fn(FileId) -> String) -> String {
        let mut text = format!("{}\n", shown(self.file));
        if let Some(file) = self.named_file() {
            text += &format!("  schema: {}\n", shown(file));
        } else if let Some(built_in) = self.named_text() {
            text += &format!("  schema: {built_in}\n");
        } else if self.association.schema.is_none() {
            text += "  schema: none\n";
        }
        for schema in self.association.schemas() {
            let set = schema.set.as_ref().map(|set| format!(" (input set {})", visible(set, Breaks::Shown)));
            let set = set.unwrap_or_default();
            let files: Vec<_> = schema.state.files.iter().map(|file| shown(*file)).collect();
            text += &format!("  schema: {}{set}\n", files.join(", "));
        }
        for part in self.parts() {
            let at = place_of(&part);
            text += &format!(
                "  {}: {}\n",
                visible(&at, Breaks::Shown),
                visible(&part.reason.words(&shown(part.reason.file)), Breaks::Shown)
            );
        }
        text += &format!("  why: {}\n", visible(&self.association.reason.to_string(), Breaks::Shown));
        text
    }

    /// The schemas that govern the file as a whole.
    pub fn schemas(&self) -> Vec<GoverningFiles> {
        let of_set = self.association.schemas().map(|schema| GoverningFiles {
            files: schema.state.files.to_vec(),
            built_in: None,
            set: schema.set.as_deref().map(str::to_owned),
        });
        let named = |files, built_in| GoverningFiles { files, built_in, set: None };
        let own = match (self.named_file(), self.named_text()) {
            (Some(file), _) => Some(named(vec![file], None)),
            (None, Some(words)) => Some(named(Vec::new(), Some(words))),
            (None, None) => None,
        };
        own.into_iter().chain(of_set).collect()
    }

    /// The parts that a schema of their own governs: where they are, why, and the file of the schema.
    pub fn governed_parts(&self) -> Vec<(String, String, FileId)> {
        let words = |part: Governed| {
            let reason = part.reason.words(&self.snapshot.shown_path(part.reason.file));
            (place_of(&part), reason, part.reason.file)
        };
        self.parts().map(words).collect()
    }

    /// Why, in a sentence or two.
    pub fn reason(&self) -> String {
        self.association.reason.to_string()
    }

    /// A few words.
    pub fn status(&self) -> Status {
        let own = self.association.schema.iter().flat_map(|schema| schema.state.files.iter().copied());
        let schema: Vec<FileId> = self.named_file().into_iter().chain(own).collect();
        let mut names: Vec<String> = Vec::new();
        let governed = self.snapshot.governed(self.file);
        // A file with thousands of documents has few kinds; no status line shows more.
        for name in
            governed.iter().filter(|part| !schema.contains(&part.reason.file)).filter_map(|part| part.reason.name())
        {
            let name = visible(&name, Breaks::Shown).into_owned();
            if names.len() < NAMES && !names.contains(&name) {
                names.push(name);
            }
        }
        let reason = self.reason_of_kinds().unwrap_or_else(|| self.association.reason.to_string());
        let reason = visible(&reason, Breaks::Shown).into_owned();
        Status { schema, names, reason, sets: self.snapshot.named_sets(self.file) }
    }

    /// The explanation as Markdown, with links to the schema and to what chose it. `uri` gives the address of a file.
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
        if let Some(file) = self.named_file() {
            list.push(about("**Schema**: ").words(Words::default().place(name(file), uri(snapshot.path(file)), 0)));
        } else if let Some(built_in) = self.named_text() {
            list.push(about("**Schema**: ").quoting(built_in));
        } else if self.association.schema.is_none() {
            list.push(about("**Schema**: none"));
        }
        list.push(about("**Why**: ").quoting(self.association.reason.to_string()));
        for part in self.parts() {
            let words = Words::default().code(place_of(&part));
            list.push(words.ours(": ").quoting(part.reason.words(&name(part.reason.file))));
        }
        let places =
            self.chosen_by().into_iter().map(|(label, path, line)| Words::default().place(label, uri(&path), line));
        let places = Words::list(places);
        if !places.is_empty() {
            list.push(about("**Chosen in**: ").words(places));
        }
        let page = Page::default().title(name(self.file)).list(list);
        let page = self.sets().fold(page, |page, (set, files)| {
            let link_to = |file: &FileId| Words::default().place(name(*file), uri(snapshot.path(*file)), 0);
            let mut members = Vec::new();
            for (label, files) in [
                ("read for schema and values: ", &files.inputs),
                ("plain values: ", &files.values),
                ("plain values, one file for each call: ", &files.alternatives),
            ] {
                if !files.is_empty() {
                    members.push(about(label).words(some_of(files, link_to)));
                }
            }
            page.words(about("Files of the input set ").code(set).ours(", in ytt's order:")).list(members)
        });
        let page = if self.association.schema.is_none() && can_be_governed(&self.association.reason) {
            page.words(Words::default().ours(
                "To name one, write `#! lofting: schema=PATH` at the top of the file, or say in `lofting.toml` which \
                 files belong together.",
            ))
        } else {
            page
        };
        page.marked(Markup::Markdown)
    }

    /// The JSON Schema that is named for the whole file.
    fn named_file(&self) -> Option<FileId> {
        self.named().filter(|file| self.snapshot.is_file(*file))
    }

    /// What is named for the whole file if it is a text of the program, in words.
    fn named_text(&self) -> Option<String> {
        self.snapshot.built_in_words(self.named()?)
    }

    fn named(&self) -> Option<FileId> {
        let is_whole = |part: &Governed| matches!(part.reason.cause, PartNaming::File(_));
        let is_named = matches!(self.association.reason, Reason::Named { .. });
        let mut parts = self.snapshot.governed(self.file).into_iter();
        parts.find(|part| is_named && is_whole(part)).map(|part| part.reason.file)
    }

    /// The parts that name their schemas themselves.
    fn parts(&self) -> impl Iterator<Item = Governed> {
        let parts = self.snapshot.governed(self.file).into_iter();
        parts.filter(|part| matches!(part.reason.cause, PartNaming::Part(_) | PartNaming::Bundle(..)))
    }

    /// Why the schemas of the documents are what they are, if a catalogue or a bundle has them: in the words for the first
    /// one.
    fn reason_of_kinds(&self) -> Option<String> {
        let of_kind = |part: &Governed| matches!(part.reason.cause, PartNaming::Bundle(..));
        let mut words = self.parts().filter(of_kind).map(|part| part.reason.words(""));
        let (first, others) = (words.next()?, words.count());
        match (&self.association.reason, others) {
            (Reason::Parts, 0) => Some(first),
            (Reason::Parts, others) => Some(format!("{first} Others in it: {others}.")),
            _ => None,
        }
    }

    /// The sets that chose the schema, with their files.
    fn sets(&self) -> impl Iterator<Item = (&str, SetFiles)> {
        let (names, config) = match &self.association.reason {
            Reason::Sets { names, file, .. } => (names.as_slice(), Some(*file)),
            _ => (&[][..], None),
        };
        let files = move |name: &String| self.snapshot.files_of_set(config?, name);
        names.iter().take(SETS).filter_map(move |name| Some((name.as_str(), files(name)?)))
    }

    /// The line (from 0) of a `lofting.toml` that makes the file part of a set: the entry with the file or a directory
    /// above it.
    fn line_in_set(&self, config: FileId, name: &str) -> usize {
        let read = self.snapshot.config(config);
        let Some(set) = read.sets.iter().find(|set| set.name == name) else { return 0 };
        let directory = self.snapshot.path(config).parent().unwrap_or(Path::new("/"));
        let path = self.snapshot.path(self.file);
        let names_it = |(text, _): &&(String, Range<usize>)| {
            // `NAME=PATH` renames a file, and `LIBRARY:` may precede plain values.
            let written = text.rsplit_once('=').map_or(text.as_str(), |(_, path)| path);
            path.starts_with(normalise(directory, Path::new(written)))
        };
        let entries = set.lists.iter().flat_map(|(_, texts)| texts);
        // The longest matching entry is the most specific.
        let entry = entries.filter(names_it).max_by_key(|(text, _)| text.len());
        let range = entry.map_or(&set.name_range, |(_, range)| range);
        self.snapshot.text(config).line_of(range.start)
    }

    /// The places that chose the schema, if they are in files: label, path, and line (from 0).
    fn chosen_by(&self) -> Vec<(String, PathBuf, usize)> {
        let snapshot = self.snapshot;
        if let Reason::Sets { names, config, file, .. } = &self.association.reason {
            let places = names.iter().take(SETS).map(|name| {
                let line = self.line_in_set(*file, name);
                (format!("{config}:{}", line + 1), snapshot.path(*file).to_owned(), line)
            });
            return places.collect();
        }
        self.chosen_at().into_iter().collect()
    }

    fn chosen_at(&self) -> Option<(String, PathBuf, usize)> {
        let snapshot = self.snapshot;
        // Reasons name files relative to the workspace folder.
        let path = |shown: &str| {
            let mut roots = snapshot.roots();
            let root = roots.next().filter(|_| roots.next().is_none())?;
            Some(root.join(shown))
        };
        match &self.association.reason {
            Reason::Named { by: NamedBy::Configuration { config, shown, .. }, schema, .. } => {
                let line = line_of(snapshot, *config, schema);
                Some((format!("{shown}:{}", line + 1), snapshot.path(*config).to_owned(), line))
            }
            Reason::Modeline { schema }
            | Reason::ModelineBroken { schema, .. }
            | Reason::Named { by: NamedBy::Modeline | NamedBy::Key, schema, .. } => {
                let line = line_of(snapshot, self.file, schema);
                Some((snapshot.shown_path(self.file), snapshot.path(self.file).to_owned(), line))
            }
            Reason::Command { place, .. } => {
                let (file, line) = place.rsplit_once(':')?;
                let line: usize = line.parse().ok()?;
                Some((place.clone(), path(file)?, line.saturating_sub(1)))
            }
            _ => None,
        }
    }
}

/// Some of these files, and the number of the others.
fn some_of(files: &[FileId], link_to: impl Fn(&FileId) -> Words) -> Words {
    let shown = Words::list(files.iter().take(FILES).map(link_to));
    match files.len().saturating_sub(FILES) {
        0 => shown,
        more => shown.ours(" and ").text(format!("{more} more")),
    }
}

/// Whether naming a schema could make sense: some files can never be data values.
fn can_be_governed(reason: &Reason) -> bool {
    matches!(
        reason,
        Reason::NoSchema { .. } | Reason::Several { .. } | Reason::NotValues | Reason::ModelineBroken { .. }
    )
}

/// The first line (from 0) that contains `part`; 0 if there is none.
fn line_of(snapshot: &Snapshot, file: FileId, part: &str) -> usize {
    let text = snapshot.text(file);
    (0..text.line_count()).find(|line| text.slice(text.line_range(*line)).contains(part)).unwrap_or(0)
}

/// The place of a part as people read it: its path, or the number of its document if it is a whole one.
fn place_of(part: &Governed) -> String {
    match part.at.as_slice() {
        [] => format!("document {}", part.document + 1),
        at => lofting_check::shown_steps(at),
    }
}
