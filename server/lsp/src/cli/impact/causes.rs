//! Which change causes a new finding: one of the schema that governs the file, the file itself, or another file of its
//! input sets.

use std::collections::HashMap;
use std::path::Path;

use lofting_check::Diagnostic;
use lofting_diff::{Change, Compared, Language, PathStep};
use lofting_document::{FileId, Span};
use lofting_workspace::CheckReport;

use super::rendered::shown;
use crate::release::Releases;
use crate::revision::Revision;

/// What causes findings.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum CausedBy {
    /// A change of a schema.
    Schema {
        /// The file.
        file: String,
        /// The line from 1, and whether it is one of the revision, because nothing is left of it.
        line: usize,
        is_old: bool,
        change: Box<Change>,
    },
    /// A change of a file; the file itself is new, or has changed.
    File(String),
    /// None of them is known.
    Unknown,
}

impl CausedBy {
    /// Whether it is the removal of a key that may go, because a release had it as deprecated.
    pub fn is_announced(&self) -> bool {
        matches!(self, CausedBy::Schema { change, .. } if change.retired.is_some())
    }
}

/// Findings with the same cause.
pub(super) struct Group {
    pub cause: CausedBy,
    pub findings: Vec<Diagnostic>,
}

/// Finds causes.
pub(super) struct Causes<'a> {
    revision: &'a Revision,
    here: &'a Path,
    report: &'a CheckReport,
    /// Whether files differ from those of the revision.
    changed: HashMap<FileId, bool>,
    /// What changed in schemas.
    schemas: HashMap<FileId, Option<Differences>>,
    /// Whose deprecated keys may be removed.
    releases: Option<Releases>,
}

/// The changes of a schema, with the texts that their places are in.
struct Differences {
    compared: Compared,
    old: String,
    new: String,
}

impl<'a> Causes<'a> {
    pub fn new(revision: &'a Revision, here: &'a Path, report: &'a CheckReport) -> Causes<'a> {
        let releases = Releases::around(here).ok();
        Causes { revision, here, report, changed: HashMap::new(), schemas: HashMap::new(), releases }
    }

    /// The findings by their causes, in the order of the first of each.
    pub fn groups(&mut self, findings: Vec<Diagnostic>) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        for finding in findings {
            let cause = self.cause(&finding);
            let at = *known.entry(cause.identity()).or_insert_with(|| {
                groups.push(Group { cause, findings: Vec::new() });
                groups.len() - 1
            });
            groups[at].findings.push(finding);
        }
        groups
    }

    fn cause(&mut self, finding: &Diagnostic) -> CausedBy {
        let file = finding.span.file;
        let schemas: Vec<FileId> =
            self.schemas_of(finding).into_iter().filter(|schema| *schema != file && self.is_changed(*schema)).collect();
        let by_schema = schemas.iter().find_map(|schema| self.change_of(*schema, finding));
        if let Some(cause) = by_schema {
            return cause;
        }
        let own = self.is_changed(file).then_some(file);
        let snapshot = &self.report.snapshot;
        let others = snapshot.in_same_sets(file).into_iter().chain(snapshot.configurations_of(file));
        let others: Vec<FileId> = others.collect();
        let found = own.or_else(|| schemas.first().copied());
        match found.or_else(|| others.into_iter().find(|other| self.is_changed(*other))) {
            Some(changed) => CausedBy::File(self.report.name(changed).to_owned()),
            None => CausedBy::Unknown,
        }
    }

    /// The files of the schemas that a finding may be due to.
    fn schemas_of(&self, finding: &Diagnostic) -> Vec<FileId> {
        let snapshot = &self.report.snapshot;
        let file = finding.span.file;
        let mut all: Vec<FileId> = finding.related.iter().map(|related| related.span.file).collect();
        all.extend(snapshot.association(file).schemas().flat_map(|schema| schema.state.files.iter().copied()));
        all.extend(snapshot.governed(file).into_iter().map(|part| part.reason.file));
        let mut seen = std::collections::HashSet::new();
        all.retain(|file| seen.insert(*file));
        all
    }

    /// Whether a file differs from that of the revision, or is not there.
    fn is_changed(&mut self, file: FileId) -> bool {
        if let Some(known) = self.changed.get(&file) {
            return *known;
        }
        let path = self.report.snapshot.path(file);
        let is_changed = self.revision.below(self.here, path).is_some_and(|below| {
            let entry = self.revision.tree.get(&below);
            let text = self.report.snapshot.text(file).to_string();
            entry.is_none_or(|entry| !entry.has(text.as_bytes()))
        });
        self.changed.insert(file, is_changed);
        is_changed
    }

    fn differences(&mut self, schema: FileId) -> Option<&Differences> {
        if !self.schemas.contains_key(&schema) {
            let found = self.compare(schema);
            self.schemas.insert(schema, found);
        }
        self.schemas.get(&schema)?.as_ref()
    }

    fn compare(&mut self, schema: FileId) -> Option<Differences> {
        let snapshot = &self.report.snapshot;
        let below = self.revision.below(self.here, snapshot.path(schema))?;
        let entry = self.revision.tree.get(&below)?;
        let old = String::from_utf8(self.revision.tree.bytes(entry).ok()?).ok()?;
        let new = snapshot.text(schema).to_string();
        let mut compared = lofting_diff::compare(Language::of(&new)?, &old, &new).ok()?;
        if let Some(releases) = &mut self.releases {
            // A release that cannot be read lets no key go.
            let _ = releases.retire(&mut compared, &below, &new);
        }
        Some(Differences { compared, old, new })
    }

    /// The change of a schema that is closest to the place of a finding.
    fn change_of(&mut self, schema: FileId, finding: &Diagnostic) -> Option<CausedBy> {
        let file = self.report.name(schema).to_owned();
        let place = steps_of(finding);
        let found = self.differences(schema)?;
        let close = |change: &&Change| Some((closeness(change, &place)?, change.breaks.values));
        let change = found.compared.changes.iter().filter(|change| close(change).is_some()).max_by_key(close)?;
        Some(found.caused_by(file, change))
    }

    /// What changed in a file: the changes of a schema, or just that it did.
    pub fn changes_in(&mut self, path: &Path) -> Vec<CausedBy> {
        let snapshot = &self.report.snapshot;
        let Some(file) = snapshot.file(path) else { return vec![CausedBy::File(shown(self.here, path))] };
        let name = self.report.name(file).to_owned();
        let found = self.differences(file).map(|found| {
            found.compared.changes.iter().map(|change| found.caused_by(name.clone(), change)).collect::<Vec<_>>()
        });
        found.filter(|changes| !changes.is_empty()).unwrap_or_else(|| vec![CausedBy::File(name)])
    }
}

impl Differences {
    /// A change of these as a cause.
    fn caused_by(&self, file: String, change: &Change) -> CausedBy {
        let line = |text: &str, span: Span| {
            text.get(..span.range().start).map_or(0, |before| before.matches('\n').count()) + 1
        };
        let (line, is_old) = match (change.new, change.old) {
            (Some(span), _) => (line(&self.new, span), false),
            (None, Some(span)) => (line(&self.old, span), true),
            (None, None) => (1, false),
        };
        CausedBy::Schema { file, line, is_old, change: Box::new(change.clone()) }
    }
}

impl CausedBy {
    /// Differs from that of all other causes.
    pub fn identity(&self) -> String {
        match self {
            CausedBy::Schema { file, line, is_old, change } => {
                format!("{file}\0{line}\0{is_old}\0{}\0{}", change.path, change.words())
            }
            CausedBy::File(file) => file.clone(),
            CausedBy::Unknown => String::new(),
        }
    }
}

/// The steps to the place of a finding: keys, and `[]` for the items of an array.
fn steps_of(finding: &Diagnostic) -> Vec<String> {
    let path = finding.path.as_deref().filter(|path| *path != "(document)").unwrap_or_default();
    // What code reads is at the end of an expression.
    let is_read = lofting_check::rules::READ_STATICALLY.contains(&finding.rule);
    let path = path.strip_prefix("data.values").filter(|_| is_read).unwrap_or(path);
    let mut steps: Vec<String> = Vec::new();
    for part in path.split('.').filter(|part| !part.is_empty()) {
        let (key, items) = part.split_at(part.find('[').unwrap_or(part.len()));
        if !key.is_empty() {
            steps.push(key.to_owned());
        }
        steps.extend(items.matches('[').map(|_| "[]".to_owned()));
    }
    steps.extend(finding.key.iter().map(ToString::to_string));
    steps
}

/// How close a change is to a place, if they have to do with each other: the change is there or above it.
fn closeness(change: &Change, place: &[String]) -> Option<usize> {
    let steps = &change.path.0;
    let is_same = |(step, written): (&PathStep, &String)| match step {
        PathStep::Key(key) => key.to_string() == *written,
        PathStep::AnyKey => true,
        PathStep::Items => written == "[]",
    };
    let common = steps.iter().zip(place).take_while(|(step, written)| is_same((step, written))).count();
    match (steps.len() - common, place.len() - common) {
        (0, 0) => Some(usize::MAX),
        (0, _) => Some(common),
        _ => None,
    }
}
