//! Files that are not data yet, so that no schema governs them: templates, and patches, which are only parts of
//! documents.

use crate::association::kustomizations::read;
use crate::association::state::AssociationState;
use crate::files::file::File;
use crate::files::table::{KUSTOMIZATIONS, Kept};
use lofting_document::FileId;
use lofting_memo::{Stamp, recorder};
use rustc_hash::FxHashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why a file is not data. `Display` is a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoData {
    /// It is YAML only after something was replaced in it, such as a template of Helm or Jinja.
    Template {
        /// The first line, from 1, with a marker that YAML reads as something else.
        line: usize,
    },
    /// It has markers, and lies among the templates of a Helm chart.
    OfChart,
    /// A kustomization applies it to other documents.
    Patch {
        /// The kustomization, as shown to the user.
        by: String,
    },
    /// Its name says that it is a patch, and the kustomization around it does not take it as a resource.
    Unapplied {
        /// The kustomization, as shown to the user.
        by: String,
    },
    /// It has instructions of a strategic merge patch.
    Instructions,
}

impl NoData {
    /// Whether the text is YAML only after it was rendered, so that nothing in it can be checked or formatted.
    pub fn is_template(&self) -> bool {
        matches!(self, NoData::Template { .. } | NoData::OfChart)
    }
}

impl fmt::Display for NoData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoData::Template { line } => write!(
                f,
                "It is a template, not YAML yet: line {line} has a marker (`{{{{`, `{{%`, `<%`) that YAML does not read as text."
            ),
            NoData::OfChart => f.write_str("It is a template of a Helm chart: its values are known after rendering."),
            NoData::Patch { by } => write!(f, "It is a patch; {by} says what it is applied to."),
            NoData::Unapplied { by } => write!(f, "It is a patch by its name, which {by} does not apply."),
            NoData::Instructions => f.write_str("It is a patch (`$patch`), which holds only parts of documents."),
        }
    }
}

/// Why a file is not data; None if it may be. What is given to ytt is data for ytt. Looked for once in each state.
pub(crate) fn no_data(state: &AssociationState, file: &File) -> Option<NoData> {
    if file.facts.ytt || file.is_configuration() {
        return None;
    }
    state.shared.no_data.get(file.id, |_| why_no_data(state, file))
}

fn why_no_data(state: &AssociationState, file: &File) -> Option<NoData> {
    if let Some(offset) = file.template_at() {
        return Some(NoData::Template { line: file.text().line_of(offset) + 1 });
    }
    if file.facts.markers && is_of_chart(state, file) {
        return Some(NoData::OfChart);
    }
    if file.facts.patch {
        return Some(NoData::Instructions);
    }
    let applied =
        || kustomizations(state, file).find(|kustomization| read(state, kustomization).patches.contains(&*file.path));
    if let Some(by) = applied_elsewhere(state, file).or_else(applied) {
        return Some(NoData::Patch { by: state.shown(&by.path) });
    }
    let around = kustomizations(state, file).next().filter(|around| is_unapplied(state, around, &file.path))?;
    Some(NoData::Unapplied { by: state.shown(&around.path) })
}

/// Whether a file below a kustomization has the name of a patch, and is none of its resources: scaffolds come with patches
/// whose entry is a comment until it is needed.
fn is_unapplied(state: &AssociationState, kustomization: &File, path: &Path) -> bool {
    let directory = kustomization.path.parent().unwrap_or(Path::new("/"));
    let below = path.strip_prefix(directory).unwrap_or(path).to_string_lossy().to_lowercase();
    let mut words = below.split(|c: char| !c.is_alphanumeric());
    words.any(|word| matches!(word, "patch" | "patches")) && !read(state, kustomization).resources.contains(path)
}

/// Patches that lie neither beside their kustomization nor below it, each with it. Such a kustomization is known by its
/// text, so that most workspaces have none that is read for this.
pub(crate) type PatchesElsewhere = FxHashMap<PathBuf, FileId>;

/// The patches of all kustomizations of a state that lie elsewhere.
pub(crate) fn patches_elsewhere(state: &AssociationState) -> PatchesElsewhere {
    let mut found = PatchesElsewhere::default();
    let kustomizations = state.index.kept(Kept::PatchesElsewhere).filter_map(|id| state.file(id));
    for kustomization in kustomizations.filter(|file| file.exists()) {
        let directory = kustomization.path.parent().unwrap_or(Path::new("/"));
        for path in read(state, kustomization).patches.iter().filter(|path| !path.starts_with(directory)) {
            found.entry(path.clone()).or_insert(kustomization.id);
        }
    }
    found
}

fn applied_elsewhere<'s>(state: &'s AssociationState, file: &File) -> Option<&'s Arc<File>> {
    if state.index.count(Kept::PatchesElsewhere) == 0 {
        return None;
    }
    let find = || state.file(*state.shared.patches_elsewhere(state).get(&*file.path)?);
    // All kustomizations of this kind are read for the table; which patches others apply does not matter to this file.
    recorder::only("patches elsewhere", || find().map(|found| found.revision), find)
}

/// The stamps of the files that decide it, apart from the file itself.
pub(crate) fn stamps(state: &AssociationState, file: &File) -> Vec<Stamp> {
    let elsewhere = applied_elsewhere(state, file).into_iter();
    elsewhere.chain(kustomizations(state, file)).map(|kustomization| kustomization.revision).collect()
}

/// Whether a file lies in `templates/` of a directory with a `Chart.yaml`.
fn is_of_chart(state: &AssociationState, file: &File) -> bool {
    let templates = file.path.ancestors().skip(1).filter(|above| above.file_name().is_some_and(|it| it == "templates"));
    let has_chart = |directory: &Path| {
        let chart = directory.parent().map(|parent| parent.join("Chart.yaml"));
        chart.and_then(|chart| state.file_at(&chart)).is_some_and(|chart| chart.exists())
    };
    templates.take_while(|above| above.starts_with(state.root_of(&file.path))).any(has_chart)
}

/// The kustomizations beside a file and above it, the nearest first.
fn kustomizations<'s>(state: &'s AssociationState, file: &'s File) -> impl Iterator<Item = &'s Arc<File>> + 's {
    let root = state.root_of(&file.path);
    // Most workspaces have none: then no directory is looked at.
    let is_looked_for = state.index.count(Kept::Kustomization) > 0;
    let above = file.path.ancestors().skip(1).take_while(move |above| is_looked_for && above.starts_with(root));
    let found =
        above.flat_map(move |above| KUSTOMIZATIONS.iter().filter_map(move |name| state.file_at(&above.join(name))));
    found.filter(|found| found.exists() && found.id != file.id)
}
