//! What input sets render differently from the revision, by what changed in their files.

use std::collections::HashMap;
use std::path::Path;

use lofting_check::{Diagnostic, Severity};
use lofting_workspace::{OtherOutput, Rendition};
use sha2::{Digest, Sha256};
use similar::TextDiff;

use super::Format;
use super::causes::{CausedBy, Causes};
use crate::terminal::line;

/// How much of the differences is shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// Lines of one difference.
    lines: usize,
    /// Characters of a line.
    width: usize,
    /// Bytes of all differences.
    bytes: usize,
}

impl Bounds {
    pub fn of(format: Format) -> Bounds {
        // GitHub takes no comment of more than 65,536 characters.
        let bytes = if format == Format::Lists { 40_000 } else { 1 << 20 };
        Bounds { lines: 200, width: 500, bytes }
    }
}

/// What input sets render differently.
pub(super) struct Rendered {
    pub groups: Vec<OutputGroup>,
    bounds: Bounds,
    /// The groups by what causes them.
    known: HashMap<String, usize>,
}

/// Sets whose output differs for the same reason.
pub(super) struct OutputGroup {
    /// What changed in the files of the sets.
    pub causes: Vec<CausedBy>,
    pub changes: Vec<OutputChange>,
    /// The changes by what they are.
    known: HashMap<[u8; 32], usize>,
}

/// Sets to whose output the same happened.
pub(super) struct OutputChange {
    /// Their titles.
    pub sets: Vec<String>,
    pub what: What,
}

/// What happened to an output.
pub(super) enum What {
    /// It differs.
    Other(Patch),
    /// The set stops with these errors; it was rendered before, or is new.
    Fails(Vec<Diagnostic>),
    /// It is rendered, which failed before.
    Renders,
    /// The set is new.
    New,
    /// The set no longer exists.
    Gone,
    /// It is not known what is rendered now, though no error is known.
    Unknown(&'static str),
}

/// The difference of two outputs, and how much of it is shown.
pub(super) struct Patch {
    pub shown: String,
    /// How many lines are not shown.
    pub cut: usize,
    pub added: usize,
    pub removed: usize,
}

impl What {
    /// What stops a set.
    pub fn errors(&self) -> &[Diagnostic] {
        match self {
            What::Fails(errors) => errors,
            _ => &[],
        }
    }
}

impl Rendered {
    pub fn new(bounds: Bounds) -> Rendered {
        Rendered { groups: Vec::new(), bounds, known: HashMap::new() }
    }

    /// Adds the output of a set.
    pub fn add(&mut self, output: OtherOutput, causes: &mut Causes<'_>) {
        let OtherOutput { title, changed, before, now } = output;
        let causes: Vec<CausedBy> = changed.iter().flat_map(|path| causes.changes_in(path)).collect();
        let identity = causes.iter().map(CausedBy::identity).collect::<Vec<_>>().join("\0\0");
        let at = *self.known.entry(identity).or_insert_with(|| {
            self.groups.push(OutputGroup { causes, changes: Vec::new(), known: HashMap::new() });
            self.groups.len() - 1
        });
        let Some(group) = self.groups.get_mut(at) else { return };
        let (key, full) = match (&before, &now) {
            (Rendition::Files(before), Rendition::Files(now)) => {
                let full = difference(before, now);
                let mut hash = Sha256::new();
                for file in &full {
                    file.names
                        .iter()
                        .chain([&file.body])
                        .for_each(|text| hash.update(format!("{}\0{text}", text.len())));
                }
                (hash.finalize().into(), full)
            }
            (before, now) => {
                let said = format!("{:?}{now:?}", std::mem::discriminant(before));
                (Sha256::digest(said.as_bytes()).into(), Vec::new())
            }
        };
        let at = *group.known.entry(key).or_insert_with(|| {
            let what = match (before, now) {
                (Rendition::Files(_), Rendition::Files(_)) => What::Other(self.bounds.cut(&full)),
                (_, Rendition::Failed(errors)) => What::Fails(errors),
                (_, Rendition::Missing) => What::Gone,
                (_, Rendition::Unknown(why)) => What::Unknown(why),
                (Rendition::Missing, Rendition::Files(_)) => What::New,
                (Rendition::Failed(_) | Rendition::Unknown(_), Rendition::Files(_)) => What::Renders,
            };
            group.changes.push(OutputChange { sets: Vec::new(), what });
            group.changes.len() - 1
        });
        if let Some(change) = group.changes.get_mut(at) {
            change.sets.push(title);
        }
    }

    /// Everything that happened.
    pub fn changes(&self) -> impl Iterator<Item = &OutputChange> {
        self.groups.iter().flat_map(|group| &group.changes)
    }

    /// The errors that stop sets which were rendered before or are new.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        let findings = self.changes().flat_map(|change| change.what.errors());
        findings.filter(|finding| finding.severity == Severity::Error)
    }

    /// To how many sets something of this kind happened.
    pub fn count(&self, is_it: impl Fn(&What) -> bool) -> usize {
        self.changes().filter(|change| is_it(&change.what)).map(|change| change.sets.len()).sum()
    }
}

/// The difference of a file: the lines with its names, and those that differ with some around them.
struct FilePatch {
    names: [String; 2],
    body: String,
}

/// The differences of all files, by their paths inside ytt.
fn difference(before: &[(String, String)], now: &[(String, String)]) -> Vec<FilePatch> {
    let by_name = |files: &[(String, String)]| -> HashMap<String, String> { files.iter().cloned().collect() };
    let (old, new) = (by_name(before), by_name(now));
    let gone = before.iter().filter(|(name, _)| !new.contains_key(name));
    let names = now.iter().chain(gone).map(|(name, _)| name);
    let patches = names.filter_map(|name| {
        let (before, now) = (old.get(name), new.get(name));
        let path = |sign: &str, side: &str, text: Option<&String>| match text {
            Some(_) => format!("{sign} {side}/{}", line(name)),
            None => format!("{sign} /dev/null"),
        };
        let names = [path("---", "a", before), path("+++", "b", now)];
        let [old, new] = [before, now].map(|text| text.map(String::as_str).unwrap_or_default());
        let body = TextDiff::from_lines(old, new).unified_diff().to_string();
        (before != now).then_some(FilePatch { names, body })
    });
    patches.collect()
}

impl Bounds {
    /// As much of a difference as the shared limit still allows; it leaves less for the other differences.
    fn cut(&mut self, files: &[FilePatch]) -> Patch {
        let mut patch = Patch { shown: String::new(), cut: 0, added: 0, removed: 0 };
        let mut lines = 0;
        for file in files {
            let body = file.body.lines();
            patch.added += body.clone().filter(|line| line.starts_with('+')).count();
            patch.removed += body.clone().filter(|line| line.starts_with('-')).count();
            for line in file.names.iter().map(String::as_str).chain(body) {
                let shown = self.line(line);
                lines += 1;
                if lines > self.lines || patch.cut > 0 || shown.len() > self.bytes {
                    patch.cut += 1;
                } else {
                    self.bytes -= shown.len();
                    patch.shown += &shown;
                }
            }
        }
        patch
    }

    /// A line with its end, no longer than lines may be.
    fn line(&self, line: &str) -> String {
        let more = line.chars().count().saturating_sub(self.width);
        let shown: String = line.chars().take(self.width).collect();
        if more > 0 { format!("{shown}… ({more} more characters)\n") } else { shown + "\n" }
    }
}

/// A path as messages name it that no report knows.
pub(super) fn shown(here: &Path, path: &Path) -> String {
    path.strip_prefix(here).unwrap_or(path).to_string_lossy().replace('\\', "/")
}
