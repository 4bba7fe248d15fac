//! Texts that are part of the program, under paths that no disk has.

use crate::disk::glob::KeptPatterns;
use crate::disk::path::with_ending;
use crate::disk::{Reach, Stat};
use lofting_catalogue::{Catalogue, CatalogueEntry, Origin, Version, canonical};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the paths begin with. They are not absolute, so that no path of a file is one of them.
const PROGRAM: &str = "built-in:";

/// The scheme of URLs of texts that have no other address: `built-in://kubernetes/1.37/apps/v1/Deployment.json`.
const SCHEME: &str = "built-in://";

/// The host of Kubernetes' definitions there.
const KUBERNETES: &str = "kubernetes/";

/// The host that documents of SchemaStore have, whatever their address is.
const STORE: &str = "json.schemastore.org/";

/// What `canonical` says about documents of SchemaStore.
const OF_STORE: &str = "schemastore:";

/// The catalogue of built-in schemas.
#[derive(Debug, Clone)]
pub struct BuiltIn {
    catalogue: Arc<Catalogue>,
    /// A folder with newer copies of its texts, which take their place.
    newer: Option<PathBuf>,
    patterns: Arc<KeptPatterns>,
}

impl PartialEq for BuiltIn {
    fn eq(&self, other: &BuiltIn) -> bool {
        Arc::ptr_eq(&self.catalogue, &other.catalogue) && self.newer == other.newer
    }
}

impl Eq for BuiltIn {}

/// Why a schema may refuse what the program that reads the files accepts, with a few words about the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// It is years older than others.
    Outgrown(String),
    /// It asks for more than the program.
    Strict(String),
}

impl BuiltIn {
    /// A catalogue, and the folder with newer copies of its texts, if there is one.
    pub fn new(catalogue: Arc<Catalogue>, newer: Option<PathBuf>) -> BuiltIn {
        BuiltIn { catalogue, newer, patterns: Arc::default() }
    }

    /// What is in it.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The entries for a file at this path, with slashes, each with the pattern that says so; the narrowest first.
    pub fn entries_for<'b>(&'b self, path: &str) -> Vec<(&'b CatalogueEntry, &'b str)> {
        // Catalogues often name one extension only.
        let other = with_other_extension(path);
        let spellings = [Some(path), other.as_deref()];
        let spellings = || spellings.into_iter().flatten();
        let matches = |pattern: &str| spellings().any(|path| self.patterns.matches(pattern, Path::new(path)));
        let candidates = spellings().flat_map(|path| self.catalogue.candidates(path));
        let candidates = candidates.filter(|(entry, pattern)| {
            let mut excepted = entry.patterns.iter().filter_map(|pattern| pattern.strip_prefix('!'));
            matches(pattern) && !excepted.any(matches)
        });
        let mut found: Vec<_> = candidates.collect();
        found.sort_by_key(|(_, pattern)| std::cmp::Reverse(pattern.len()));
        found.dedup_by(|one, other| one.0.url == other.0.url);
        found
    }

    /// The place of the text for a URL below the folder of copies; None if the catalogue has no such text.
    pub fn name_of(&self, url: &str) -> Option<PathBuf> {
        self.catalogue.origin(url)?;
        let name = canonical(url);
        Some(PathBuf::from(match name.strip_prefix(OF_STORE) {
            Some(name) => format!("{STORE}{name}.json"),
            None => format!("{name}.json"),
        }))
    }

    /// The folder with newer copies, if there is one.
    pub(crate) fn newer(&self) -> Option<&Path> {
        self.newer.as_deref()
    }

    /// Where the text for a URL is: perhaps in a newer copy, else in the program. Empty if there is none.
    pub(crate) fn places(&self, url: &str) -> Vec<(PathBuf, Reach)> {
        let in_program = |below: &Path| (Path::new(PROGRAM).join(below), Reach::into_program(self.clone()));
        if let Some(below) = url.split('#').next().and_then(|document| document.strip_prefix(SCHEME)) {
            return vec![in_program(Path::new(below))];
        }
        let Some(name) = self.name_of(url) else { return Vec::new() };
        let newer = self.newer.iter().map(|folder| (folder.join(&name), Reach::within(folder)));
        newer.chain([in_program(&name)]).collect()
    }

    /// Whether the text for a URL may have a newer copy.
    pub(crate) fn newer_copy(&self, url: &str) -> Option<PathBuf> {
        Some(self.newer.as_ref()?.join(self.name_of(url)?))
    }

    /// The URL of the schema of a kind, if this version of Kubernetes has it.
    pub(crate) fn url_of_kind(&self, version: &Version, group_version: &str, kind: &str) -> Option<String> {
        let is_there = self.catalogue.has_kind(version.number, group_version, kind);
        is_there.then(|| format!("{SCHEME}{KUBERNETES}{version}/{group_version}/{kind}.json"))
    }

    /// Where the document of a URL comes from.
    pub(crate) fn origin(&self, url: &str) -> Option<&Origin> {
        self.catalogue.origin(url)
    }

    /// What the text at a path is, for people.
    pub(crate) fn words(&self, path: &Path) -> Option<String> {
        let below = below(path)?;
        match kind_at(below) {
            Some(((major, minor), ..)) => Some(format!("built-in Kubernetes {major}.{minor}")),
            None => self.catalogue.origin(&format!("https://{below}")).map(Origin::words),
        }
    }

    /// Why the schema at a path may refuse what the program that reads the files accepts.
    pub(crate) fn doubt(&self, path: &Path) -> Option<Doubt> {
        let below = below(path).filter(|below| kind_at(below).is_none())?;
        let origin = self.catalogue.origin(&format!("https://{below}"))?;
        if origin.is_strict {
            return Some(Doubt::Strict(origin.words()));
        }
        let is_outgrown = self.catalogue.origins().iter().any(|other| origin.is_outgrown_by(other));
        is_outgrown.then(|| Doubt::Outgrown(origin.words()))
    }

    pub(super) fn text_at(&self, path: &Path) -> Option<String> {
        self.text_named(below(path)?)
    }

    /// The text with this name, which is what its path ends with.
    pub(crate) fn text_named(&self, below: &str) -> Option<String> {
        match kind_at(below) {
            Some((version, group_version, kind)) => self.catalogue.kind(version, group_version, kind),
            None => Some(self.catalogue.document(&format!("https://{below}"))?.0),
        }
    }

    /// The texts never change. The size of one that is composed is not known.
    pub(super) fn stat_at(&self, path: &Path) -> Option<Stat> {
        let below = below(path)?;
        let size = match kind_at(below) {
            Some((version, group_version, kind)) => {
                self.catalogue.has_kind(version, group_version, kind).then_some(SIZE_OF_KIND)?
            }
            None => self.catalogue.size(&format!("https://{below}"))?,
        };
        Some(Stat { modified: None, size: size as u64 })
    }
}

/// About the size of the schemas of most kinds in bytes.
const SIZE_OF_KIND: usize = 48 * 1024;

/// Whether a path is that of a text in the program.
pub(crate) fn is_in_program(path: &Path) -> bool {
    below(path).is_some()
}

/// The name of the text at a path: what its path ends with.
pub(crate) fn below(path: &Path) -> Option<&str> {
    path.strip_prefix(PROGRAM).ok()?.to_str()
}

/// The version, group with version, and kind in a path.
fn kind_at(below: &str) -> Option<((u32, u32), &str, &str)> {
    let (version, rest) = below.strip_prefix(KUBERNETES)?.split_once('/')?;
    let (major, minor) = version.split_once('.')?;
    let (group_version, kind) = rest.strip_suffix(".json")?.rsplit_once('/')?;
    Some(((major.parse().ok()?, minor.parse().ok()?), group_version, kind))
}

/// The path with the other usual extension of YAML, or with one if the whole name says that it is YAML.
pub(crate) fn with_other_extension(path: &str) -> Option<String> {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    if let Some(named) = with_ending(name) {
        return Some(if folder.is_empty() { named.to_owned() } else { format!("{folder}/{named}") });
    }
    let (stem, extension) = path.rsplit_once('.')?;
    match extension {
        "yml" => Some(format!("{stem}.yaml")),
        "yaml" => Some(format!("{stem}.yml")),
        _ => None,
    }
}
