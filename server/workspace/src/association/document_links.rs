//! Links in a text: schemas, files of input sets, other parts of a schema, modules of code.

use crate::association::kustomizations;
use crate::association::load::loaded_file;
use crate::association::mirrors::Mirrors;
use crate::association::naming::{self, Naming};
use crate::association::state::AssociationState;
use crate::config::ListKey;
use crate::discover::command_files::file_of;
use crate::disk::path::normalise;
use crate::files::file::File;
use crate::settings::local_path;
use lofting_document::FileId;
use lofting_syntax::{Entry, Event, percent_decoded};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Maximum number of links in a file.
const MAX_LINKS: usize = 5_000;

/// A part of a text that leads elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The name, in bytes, without quotes.
    pub range: Range<usize>,
    /// Where it leads.
    pub target: LinkTarget,
}

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkTarget {
    /// To a file of the workspace.
    File(FileId),
    /// To a page on the web, an `https:` URL.
    Web(String),
}

/// The links of a file, in the order of the text. Links that lead nowhere are left out; a finding reports them.
pub(crate) fn links(state: &AssociationState, file: &File) -> Vec<Link> {
    let mut links = Links { state, file, found: Vec::new() };
    if file.is_configuration() {
        links.of_configuration();
    } else {
        links.of_naming();
        links.of_loads();
        links.of_references();
        links.of_kustomization();
    }
    links.found.sort_by_key(|link| (link.range.start, link.range.end));
    links.found.dedup_by(|one, other| one.range == other.range);
    links.found
}

struct Links<'s> {
    state: &'s AssociationState,
    file: &'s File,
    found: Vec<Link>,
}

impl Links<'_> {
    fn add(&mut self, range: Range<usize>, target: Option<LinkTarget>) {
        let Some(target) = target.filter(|_| self.found.len() < MAX_LINKS) else { return };
        let range = self.without_quotes(range);
        self.found.push(Link { range, target });
    }

    /// A range without the quotes around it.
    fn without_quotes(&self, range: Range<usize>) -> Range<usize> {
        let text = self.file.text().slice(range.clone());
        let is_quoted =
            text.len() >= 2 && ['"', '\''].iter().any(|quote| text.starts_with(*quote) && text.ends_with(*quote));
        if is_quoted { range.start + 1..range.end - 1 } else { range }
    }

    /// The schema that the file names for itself.
    fn of_naming(&mut self) {
        if let Some(naming) = naming::in_file(self.state, self.file) {
            return self.of_name(&naming);
        }
        let Some(modeline) = self.file.modeline() else { return };
        let Some(path) = local_path(&modeline.schema) else { return };
        let bases = [self.file.path.parent().unwrap_or(Path::new("/")), self.state.root_of(&self.file.path)];
        let target = bases.iter().find_map(|base| self.existing(&normalise(base, &path)));
        self.add(modeline.range.clone(), target);
    }

    fn of_name(&mut self, naming: &Naming) {
        let Some(place) = naming.place else { return };
        let target = match web(&naming.schema) {
            Some(target) => Some(target),
            None => {
                let found = naming.find(self.state, self.file.id, &Mirrors::of(self.state, &self.file.path));
                found.ok().map(|file| LinkTarget::File(file.id))
            }
        };
        self.add(place.range(), target);
    }

    /// The files that `load` names.
    fn of_loads(&mut self) {
        if !self.file.facts.ytt {
            return;
        }
        let code = self.file.code().clone();
        for load in &code.loads {
            let target = loaded_file(self.state, self.file, &load.module).map(LinkTarget::File);
            self.add(load.module_range.clone(), target);
        }
    }

    /// `$ref: other.yaml#/part`, in any language, since all use this form.
    fn of_references(&mut self) {
        if !String::from(self.file.text()).contains("$ref") {
            return;
        }
        let directory = self.file.path.parent().unwrap_or(Path::new("/")).to_owned();
        let tree = self.file.tree().clone();
        for event in tree.walk() {
            if let Event::Enter(node) = event
                && let Some((written, range)) = Entry::cast(node).and_then(|entry| reference(&entry))
            {
                let target = web(&written).or_else(|| self.existing(&path_named(&directory, &written)?));
                self.add(range, target);
            }
        }
    }

    /// The files and folders that a kustomization puts together.
    fn of_kustomization(&mut self) {
        for (range, target) in kustomizations::links(self.state, self.file) {
            self.add(range, Some(LinkTarget::File(target)));
        }
    }

    /// The files and schemas that a `lofting.toml` names.
    fn of_configuration(&mut self) {
        let config = self.file.config().clone();
        let base = self.file.path.parent().unwrap_or(Path::new("/")).to_owned();
        for set in &config.sets {
            for key in [ListKey::Files, ListKey::Values, ListKey::DataValueFiles] {
                for (text, range) in set.list(key) {
                    let target = self.existing(&file_of(&base, text));
                    self.add(range.clone(), target);
                }
            }
        }
        for entry in config.schemas.iter().filter(|entry| !entry.schema.is_empty()) {
            self.of_name(&Naming::configured(self.state, self.file, entry, ""));
        }
    }

    /// The file at a path, if it exists and the text may name it.
    fn existing(&self, path: &Path) -> Option<LinkTarget> {
        let reach = self.state.reach_of(&self.file.path);
        let file = self.state.file_at(path).filter(|file| file.exists() && reach.names(path))?;
        Some(LinkTarget::File(file.id))
    }
}

fn web(written: &str) -> Option<LinkTarget> {
    let is_url = written.starts_with("https://") && written.bytes().all(|byte| byte.is_ascii_graphic());
    is_url.then(|| LinkTarget::Web(written.to_owned()))
}

/// What an entry `$ref` names, and the range of the name.
fn reference(entry: &Entry<'_>) -> Option<(String, Range<usize>)> {
    let is_reference = entry.key()?.scalar()?.value() == "$ref";
    let value = entry.value();
    let written = value.scalar().filter(|_| is_reference)?.value().into_owned();
    Some((written, value.content_range()))
}

/// The file that a reference names, without the fragment.
pub(crate) fn path_named(directory: &Path, written: &str) -> Option<PathBuf> {
    let document = written.split('#').next().filter(|document| !document.is_empty() && !document.contains("://"))?;
    let path = String::from_utf8(percent_decoded(document)).ok()?;
    Some(normalise(directory, Path::new(&path)))
}
